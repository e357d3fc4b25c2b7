//! `shall lint`: traps in sentences that can be read.

use crate::cli::{Lint, Output};
use crate::json::{self, Diagnostic};
use crate::reading::Reading;
use crate::render::visible;
use crate::sentences::Question;
use crate::{Error, Outcome};
use check::lint;
use schemars::JsonSchema;
use serde::Serialize;
use syntax::{Code, Severity, Span};

/// The traps in a sentence.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Linted<'a> {
    /// The sentence as it was given.
    sentence: &'a str,
    /// The template, scope,condition,timing; `null` if the response could not be read.
    key: Option<String>,
    /// Why the search for traps was not completed, or `null`.
    undecided: Option<String>,
    /// Traps, and what is wrong with the sentence.
    diagnostics: Vec<Diagnostic<'a>>,
}

pub(crate) fn run(command: &Lint, output: Output) -> Result<Outcome, Error> {
    let context = &command.input.known.context()?;
    let question = Question { sentences: &command.input, context, output, share: false };
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
                format!("{}\n  {}\n", visible(reading.text.trim()), visible(&word))
            }
            Output::Json | Output::JsonLines => output.text(&Linted {
                sentence: &reading.text,
                key: reading.lowered.key.map(|key| key.to_string()),
                undecided,
                diagnostics: json::diagnostics(reading.diagnostics()),
            }),
        };
        (outcome, text)
    })
}

/// Adds the traps to the diagnostics; returns the reason if the search was not completed.
fn find(reading: &mut Reading) -> Option<String> {
    let requirement = reading.lowered.requirement.clone()?;
    let whole = Span::new(0, reading.text.len() as u32);
    let span = |field: &Option<requirement::Field>| field.as_ref().map_or(whole, |field| field.span);
    if reading.lowered.key.is_some_and(|key| key.timing == "null") {
        let message = "without a timing, `satisfy` means eventually: once is enough, at any time";
        let hint = "say when: `always`, `immediately`, `eventually`, `within 3 seconds`";
        report(reading, Code::NoTiming, span(&reading.fields.response), message, hint);
    }
    let findings = match lint(&mut reading.store, &requirement) {
        Ok(findings) => findings,
        Err(reason) => return Some(reason.to_string()),
    };
    for finding in findings {
        let (code, message, hint) = finding.described();
        let at = finding.field(&reading.fields).map_or(whole, |field| field.span);
        report(reading, code, at, message, hint);
    }
    None
}

fn report(reading: &mut Reading, code: Code, span: Span, message: &str, hint: &str) {
    debug_assert!(code.severity() == Severity::Warning, "a trap is not an error");
    reading.lowered.diagnostics.push(syntax::Diagnostic {
        code,
        span,
        message: message.into(),
        hint: hint.into(),
    });
}
