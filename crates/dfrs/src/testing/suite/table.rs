//! A suite as comma-separated vectors, in the format that [`crate::vectors`] reads: the case, the time, the inputs, the outputs.
//!
//! Names are written as words, so that the table can be read without the enumerations.

use crate::english;
use crate::suite::Case;
use crate::system::{Dfrs, Kind};
use logic::{Value, format_decimal};

/// The vectors of some cases.
pub fn csv(dfrs: &Dfrs, cases: &[Case]) -> String {
    let of = |kind: Kind| dfrs.variables.iter().filter(move |it| it.kind == kind);
    let names = of(Kind::Input).chain(of(Kind::Output)).map(|it| field(&it.name));
    let mut text: Vec<String> =
        vec![["case".to_owned(), "time".to_owned()].into_iter().chain(names).collect::<Vec<_>>().join(",")];
    for case in cases {
        for row in &case.rows {
            let time = format_decimal(&row.time).unwrap_or_else(|| row.time.to_string());
            let values = row.inputs.iter().chain(&row.outputs).map(|(_, value)| plain(value));
            let fields: Vec<String> = [field(&case.name), time].into_iter().chain(values).collect();
            text.push(fields.join(","));
        }
    }
    text.push(String::new());
    text.join("\n")
}

fn plain(value: &Value) -> String {
    field(&english::plain(value))
}

/// A field, quoted if it has to be.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
