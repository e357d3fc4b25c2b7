//! `shall lint`: likely mistakes in sentences that can be read.

use super::Reading;
use crate::cli::{Lint, Output};
use crate::{Outcome, json, print, render};
use check::lint::{lint, no_timing};
use requirement::Lowered;
use serde_json::json;
use syntax::Span;

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
