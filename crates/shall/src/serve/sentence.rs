//! A sentence: its meaning in words, as a picture and by example, and its formulas.

use super::project::Known;
use crate::cli::Spelling;
use crate::commands::{explain, formalize};
use crate::reading::{Given, Reading};
use project::proposal::{SYSTEM, propose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use syntax::Diagnostic;

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

/// A sentence.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Its meaning, as `shall explain` writes it.
    #[schemars(with = "explain::Explained")]
    explained: Json,
    /// Its formulas, as `shall formalize` writes them.
    #[schemars(with = "formalize::Formalized")]
    formalized: Json,
    /// The drawing; `null` if the sentence has errors.
    svg: Option<String>,
    /// For each diagnostic what fixes it, or `null`.
    fixes: Vec<Option<Fixed>>,
    /// If it is not FRETish but plain English: the sentence that is meant, if that is clear; otherwise `null`.
    proposal: Option<ProposedSentence>,
}

/// A sentence for plain English.
#[derive(Serialize, JsonSchema)]
struct ProposedSentence {
    /// The sentence.
    sentence: String,
    /// What the English leaves open, and how it was read.
    notes: Vec<String>,
}

pub(super) fn answer(asked: &Asked, known: Known) -> Json {
    let mut reading = Reading::of(Given::of(&asked.text), &known.context);
    reading.types = known.types;
    let (explained, svg) = explain::answer(&mut reading);
    let formalized = formalize::answer(&mut reading, asked.dialect.into());
    let fixes = reading.lowered.diagnostics.iter().map(|found| Fixed::of(&reading.text, found)).collect();
    let proposal = proposed(&reading, asked.component.as_deref().unwrap_or(SYSTEM));
    json!(Answer { explained, formalized, svg, fixes, proposal })
}

/// Whoever writes `satisfy` knows FRETish, and is helped by the diagnostics.
fn proposed(reading: &Reading, component: &str) -> Option<ProposedSentence> {
    let is_wrong = reading.lowered.requirement.is_none() && !reading.is_note();
    if !is_wrong || reading.text.to_ascii_lowercase().contains("satisfy") {
        return None;
    }
    let proposal = propose(&reading.text, component).ok()?;
    Some(ProposedSentence { sentence: proposal.sentence, notes: proposal.notes })
}

/// A sentence after a fix.
#[derive(Serialize, JsonSchema)]
struct Fixed {
    /// What the fix does.
    title: String,
    /// The sentence then.
    text: String,
}

impl Fixed {
    fn of(sentence: &str, found: &Diagnostic) -> Option<Fixed> {
        let fix = found.fix.as_deref()?;
        let mut edits: Vec<_> = fix.edits.iter().collect();
        edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut text = sentence.to_owned();
        for (span, new) in edits {
            text.get(span.range())?;
            text.replace_range(span.range(), new);
        }
        Some(Fixed { title: fix.title.clone(), text })
    }
}
