//! `shall lint`: traps in sentences that can be read.

use super::Reading;
use crate::cli::{Lint, Output};
use crate::{Outcome, json, print, render};
use check::lint;
use serde_json::json;
use syntax::{Code, Diagnostic, Severity, Span};

pub(crate) fn run(command: &Lint, output: Output) -> Result<Outcome, String> {
    let context = command.input.known.context()?;
    let (given, list) = command.input.read()?;
    let mut results = Vec::new();
    let mut outcome = Outcome::Fine;
    for given in &given {
        let mut reading = Reading::of(given, &context);
        let undecided = find(&mut reading);
        let found = if reading.diagnostics().is_empty() { Outcome::Fine } else { Outcome::Findings };
        outcome =
            outcome.max(found).max(if undecided.is_some() { Outcome::Inconclusive } else { Outcome::Fine });
        let document = json!({
            "sentence": reading.text,
            "key": reading.lowered.key.map(|key| key.to_string()),
            "undecided": undecided,
            "diagnostics": json::diagnostics(reading.diagnostics()),
        });
        match output {
            Output::Human => {
                reading.complain();
                let word = match (&undecided, reading.diagnostics().len()) {
                    (Some(reason), _) => format!("not decided: {reason}"),
                    (None, 0) => "no findings".into(),
                    (None, 1) => "1 finding".into(),
                    (None, count) => format!("{count} findings"),
                };
                print(format_args!(
                    "{}\n  {}\n",
                    render::visible(reading.text.trim()),
                    render::visible(&word)
                ))?;
            }
            Output::JsonLines => json::write(&[document], output, list)?,
            Output::Json => results.push(document),
        }
    }
    json::write(&results, output, list)?;
    Ok(outcome)
}

/// Adds the traps to the diagnostics; gives the reason if the search did not come to an end.
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
    debug_assert!(code.severity() == Severity::Warning, "a trap is no error");
    reading.lowered.diagnostics.push(Diagnostic { code, span, message: message.into(), hint: hint.into() });
}
