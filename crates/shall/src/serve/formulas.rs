//! Comparisons and timelines of sentences and formulas.

use super::workbench::refusal;
use crate::cli::{Compare, Known, ProjectPath, Timeline};
use crate::commands;
use ::serve::Refusal;
use serde::Deserialize;
use serde_json::{Value as Json, json};

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
    let (drawn, svgs) = commands::timeline::answer(&command).map_err(refusal)?;
    Ok(json!({ "timelines": [drawn], "svgs": svgs }))
}
