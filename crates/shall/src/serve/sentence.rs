//! A sentence: its meaning in words, as a picture and by example, and its formulas.

use super::project::Known;
use crate::cli::Spelling;
use crate::commands::{explain, formalize};
use crate::reading::{Given, Reading};
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// What is asked about a sentence.
#[derive(Deserialize)]
pub(super) struct Asked {
    text: String,
    /// The component of the project to which the sentence belongs.
    pub(super) component: Option<String>,
    #[serde(default)]
    dialect: Dialect,
}

/// The notations of formulas.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Dialect {
    #[default]
    Smv,
    Unicode,
    Latex,
    Spot,
    Shall,
}

impl From<Dialect> for Spelling {
    fn from(dialect: Dialect) -> Spelling {
        match dialect {
            Dialect::Smv => Spelling::Smv,
            Dialect::Unicode => Spelling::Unicode,
            Dialect::Latex => Spelling::Latex,
            Dialect::Spot => Spelling::Spot,
            Dialect::Shall => Spelling::Shall,
        }
    }
}

pub(super) fn answer(asked: &Asked, known: Known) -> Json {
    let mut reading = Reading::of(Given::of(&asked.text), &known.context);
    reading.types = known.types;
    let (explained, svg) = explain::answer(&mut reading);
    let formalized = formalize::answer(&mut reading, asked.dialect.into());
    json!({ "explained": explained, "formalized": formalized, "svg": svg })
}
