//! `shall dfrs verify`: FRETish sentences on the model: proved for every run, or refuted by a shortest one.

use super::Loaded;
use crate::cli::Output;
use crate::cli::dfrs::Verify;
use crate::commands::Reading;
use crate::render::visible;
use crate::{Outcome, json, print};
use engine::explicit::{Answer, Budget, explicit};
use logic::{Sort, Trace};
use requirement::{oracle, reason};
use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};
use system::{Origin, System, add_formula, names};

/// What became of a sentence.
enum Verdict {
    /// It holds on every run.
    Valid,
    /// It does not hold at the end of this run.
    Invalid {
        trace: Trace,
        reason: String,
    },
    Unknown(String),
}

pub(super) fn run(command: &Verify, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(&command.source)?;
    let Some(dfrs) = loaded.system(output) else { return loaded.failed(output) };
    let (given, list) = command.sentences.read()?;
    let lowered = dfrs::discrete::lower(dfrs, command.semantics.reading());
    let mut context = command.sentences.known.context()?;
    if let Ok(system) = &lowered {
        context.signals = Some(signals(system));
    }
    let mut outcome = Outcome::Fine;
    let mut results = Vec::new();
    for given in &given {
        let mut reading = Reading::of(given, &context);
        let verdict = match &lowered {
            Ok(system) => decide(system.clone(), &mut reading, command.budget),
            Err(refusal) => Verdict::Unknown(refusal.to_string()),
        };
        let found = match &verdict {
            Verdict::Valid => Outcome::Fine,
            Verdict::Invalid { .. } => Outcome::Findings,
            Verdict::Unknown(_) => Outcome::Inconclusive,
        };
        outcome = outcome.max(found).max(reading.outcome());
        match output {
            Output::Human => {
                reading.complain();
                print(human(&reading, &verdict))?;
            }
            Output::JsonLines => json::write(&[document(&reading, &verdict)], output, list)?,
            Output::Json => results.push(document(&reading, &verdict)),
        }
    }
    json::write(&results, output, list)?;
    Ok(outcome)
}

/// The signals that sentences can speak of: the variables of the model under their own names.
fn signals(system: &System) -> FxHashMap<String, Sort> {
    let outputs = system.outputs.iter().filter(|output| !output.local);
    outputs.map(|output| (output.name.clone(), system.pool.type_of(output.value).sort())).collect()
}

fn decide(mut system: System, reading: &mut Reading, budget: usize) -> Verdict {
    let Some(requirement) = reading.lowered.requirement.clone() else {
        return Verdict::Unknown("the sentence has no meaning".into());
    };
    let known = names(&mut system);
    let bound = |name: &str| known.get(name).copied();
    let formula = match requirement::past(&mut reading.store, &requirement) {
        Ok(formula) => formula,
        Err(refusal) => return Verdict::Unknown(refusal.to_string()),
    };
    let verdict = match add_formula(&mut system, &mut reading.store, formula, &bound) {
        Ok(verdict) => verdict,
        Err(error) => return Verdict::Unknown(error.to_string()),
    };
    let property = system.add_property("requirement", Origin::Unknown, verdict);
    let budget = Budget { states: budget, ..Budget::default() };
    let run = match explicit(&system, &[property], budget).pop() {
        Some(Answer::Valid) => return Verdict::Valid,
        Some(Answer::Invalid(run)) => run,
        Some(Answer::Unknown(reason)) => return Verdict::Unknown(reason.to_string()),
        None => return Verdict::Unknown("nothing was asked".into()),
    };
    // What is shown is judged by the definitions first.
    let shown = |name: &str| system.outputs.iter().any(|output| !output.local && output.name == name);
    let seen = run.trace(&system).map(|trace| trace.only(shown));
    let judged = seen.map(|trace| (oracle::judge(&reading.store, &requirement, &trace), trace));
    match judged {
        Some((Ok(judged), trace)) if !judged.holds() => {
            Verdict::Invalid { reason: reason(&requirement, &reading.fields, &judged), trace }
        }
        Some(_) | None => Verdict::Unknown("the run that was found does not violate the sentence".into()),
    }
}

fn human(reading: &Reading, verdict: &Verdict) -> String {
    let mut out = format!("{}\n", visible(reading.text.trim()));
    match verdict {
        Verdict::Valid => out.push_str("  holds on every run of the model\n"),
        Verdict::Invalid { trace, reason } => {
            out.push_str(&format!("  violated: {}\n\n", visible(reason)));
            let table = draw::table::text(trace);
            table.lines().for_each(|line| out.push_str(&format!("  {}\n", visible(line))));
        }
        Verdict::Unknown(reason) => out.push_str(&format!("  not decided: {}\n", visible(reason))),
    }
    out
}

fn document(reading: &Reading, verdict: &Verdict) -> Json {
    let (word, reason, trace) = match verdict {
        Verdict::Valid => ("valid", None, None),
        Verdict::Invalid { trace, reason } => ("invalid", Some(reason), Some(json::steps(trace))),
        Verdict::Unknown(reason) => ("unknown", Some(reason), None),
    };
    json!({
        "sentence": reading.text,
        "verdict": word,
        "reason": reason,
        "trace": trace,
        "diagnostics": json::diagnostics(reading.diagnostics()),
    })
}
