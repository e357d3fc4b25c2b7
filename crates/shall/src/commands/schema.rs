//! `shall schema`: the JSON schema of the project file.

use crate::{Outcome, print};

pub(crate) fn run() -> Result<Outcome, String> {
    print(format_args!("{:#}\n", project::schema::schema()))?;
    Ok(Outcome::Fine)
}
