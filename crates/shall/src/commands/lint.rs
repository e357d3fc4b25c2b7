//! `shall lint`: likely mistakes in sentences that can be read.

use crate::Error;
use crate::Outcome;
use crate::cli::{Output, Sentences};
use crate::json;
use crate::json::Diagnostic;
use crate::reading::Reading;
use crate::render::visible;
use crate::sentences::Question;
use check::lint::lint;
use check::lint::no_timing;
use requirement::Lowered;
use schemars::JsonSchema;
use serde::Serialize;
use syntax::Span;

/// The traps in a sentence.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Linted<'a> {
    /// The id, for a requirement of a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    /// The sentence as it was given.
    sentence: &'a str,
    /// The template, scope,condition,timing; `null` if the response could not be read.
    key: Option<String>,
    /// Why the search for traps was not completed, or `null`.
    undecided: Option<String>,
    /// Traps, and what is wrong with the sentence.
    diagnostics: Vec<Diagnostic<'a>>,
}

pub(crate) fn run(input: &Sentences, output: Output) -> Result<Outcome, Error> {
    let context = &input.known.context()?;
    let question = Question {
        sentences: &input.sentences,
        around: &input.around,
        context,
        output,
        keeps: &|_| false,
        share: false,
    };
    question.in_parallel(|reading| {
        let undecided = find(reading);
        let count = reading.diagnostics().len();
        let outcome = match (&undecided, count) {
            (Some(_), _) => Outcome::Inconclusive,
            (None, 0) => Outcome::Fine,
            (None, _) => Outcome::Findings,
        };
        let text = match output {
            Output::Human => {
                let word = match (&undecided, count) {
                    (Some(reason), _) => format!("not decided: {reason}"),
                    (None, 0) => "no findings".into(),
                    (None, 1) => "1 finding".into(),
                    (None, count) => format!("{count} findings"),
                };
                format!("{}\n  {}\n", visible(&reading.title()), visible(&word))
            }
            Output::Json | Output::JsonLines => output.text(&Linted {
                id: reading.id.as_deref(),
                sentence: &reading.text,
                key: reading.lowered.key.map(|key| key.to_string()),
                undecided,
                diagnostics: json::diagnostics(reading.diagnostics()),
            }),
        };
        (outcome, text)
    })
}

/// Adds the likely mistakes to the diagnostics; gives the reason if the search reached a limit.
fn find(reading: &mut Reading) -> Option<String> {
    let requirement = reading.lowered.requirement.clone()?;
    let whole = Span::new(0, reading.text.len() as u32);
    let Lowered { key, diagnostics, .. } = &mut reading.lowered;
    diagnostics.extend(no_timing(*key, &reading.fields, whole));
    match lint(&mut reading.store, &requirement) {
        Ok(findings) => {
            diagnostics.extend(findings.into_iter().map(|found| found.diagnostic(&reading.fields, whole)));
            None
        }
        Err(reason) => Some(reason.to_string()),
    }
}
