//! Comparisons and timelines of sentences and formulas.

use super::workbench::refusal;
use crate::cli::{Compare, Known, ProjectPath, Timeline};
use crate::commands;
use crate::commands::timeline::{Drawn, Rendered};
use ::serve::Refusal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// What a text allows.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Timelines {
    /// What is known about it, as `shall timeline` writes it.
    #[schemars(with = "[Drawn; 1]")]
    timelines: [Json; 1],
    /// The drawings, two for a comparison; `null` for what could not be drawn.
    drawings: Vec<Option<Rendered>>,
}

/// Two texts to compare.
#[derive(Deserialize)]
pub(super) struct Pair {
    a: String,
    b: String,
    #[serde(default)]
    infinite: bool,
}

/// What to draw.
#[derive(Deserialize)]
pub(super) struct Drawing {
    text: String,
    against: Option<String>,
    #[serde(default)]
    negate: bool,
    #[serde(default)]
    finite: bool,
}

pub(super) fn compare(Pair { a, b, infinite }: &Pair) -> Result<Json, Refusal> {
    let command = Compare {
        a: a.clone(),
        b: b.clone(),
        infinite: *infinite,
        known: Known::default(),
        around: ProjectPath::default(),
    };
    commands::compare::answer(&command).map_err(refusal)
}

pub(super) fn timeline(Drawing { text, against, negate, finite }: &Drawing) -> Result<Json, Refusal> {
    let command = Timeline {
        texts: vec![text.clone()],
        finite: *finite,
        negate: *negate && against.is_none(),
        against: against.clone(),
        regex: false,
        hoa: false,
        stats: false,
        file: None,
        limit_work: 1,
        ascii: false,
        known: Known::default(),
        around: ProjectPath::default(),
    };
    let (drawn, drawings) = commands::timeline::answer(&command).map_err(refusal)?;
    Ok(json!(Timelines { timelines: [drawn], drawings }))
}
