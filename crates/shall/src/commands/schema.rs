//! `shall schema`: JSON Schemas of the project file and of what commands write.

use crate::cli::Schema;
use crate::reference::schema;
use crate::{Error, Outcome, print};

pub(crate) fn run(command: &Schema) -> Result<Outcome, Error> {
    let name = command.command.join(" ");
    let schema = match name.as_str() {
        "" | "config" => project::schema::schema(),
        name => schema(name)?,
    };
    print(format_args!("{schema:#}\n"))?;
    Ok(Outcome::Fine)
}
