//! `shall dfrs verify`: FRETish sentences on the model: proved for every run, or refuted by a shortest one.

use super::Loaded;
use crate::Error;
use crate::Outcome;
use crate::cli::Output;
use crate::cli::dfrs::Verify;
use crate::json::{self, Diagnostic, Values};
use crate::reading::Reading;
use crate::render::visible;
use crate::sentences::Question;
use engine::explicit::Answer;
use engine::explicit::Budget;
use engine::explicit::explicit;
use logic::{Sort, Trace};
use requirement::{oracle, reason};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;
use system::Origin;
use system::System;
use system::add_formula;
use system::names;

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

pub(super) fn run(command: &Verify, output: Output) -> Result<Outcome, Error> {
    let loaded = Loaded::read(&command.source)?;
    let Some(dfrs) = loaded.system(output) else { return loaded.failed(output) };
    let lowered = dfrs::discrete::lower(dfrs, command.semantics.reading());
    let mut context = command.sentences.known.context()?;
    if let Ok(system) = &lowered {
        context.signals = Some(signals(system));
    }
    let question = Question { sentences: &command.sentences, context: &context, output, share: false };
    question.one_by_one(|reading| {
        let verdict = match &lowered {
            Ok(system) => decide(system.clone(), reading, command.limit_states),
            Err(refusal) => Verdict::Unknown(refusal.to_string()),
        };
        let found = match &verdict {
            Verdict::Valid => Outcome::Fine,
            Verdict::Invalid { .. } => Outcome::Findings,
            Verdict::Unknown(_) => Outcome::Inconclusive,
        };
        let text = output.entry(|| human(reading, &verdict), || document(reading, &verdict));
        (found.max(reading.outcome()), text)
    })
}

/// The signals that sentences can use: the variables of the model under their own names.
fn signals(system: &System) -> FxHashMap<String, Sort> {
    let outputs = system.outputs.iter().filter(|output| !output.local);
    outputs.map(|output| (output.name.clone(), system.pool.type_of(output.value).sort())).collect()
}

fn decide(mut system: System, reading: &mut Reading, budget: usize) -> Verdict {
    let Some(requirement) = reading.lowered.requirement.clone() else {
        return Verdict::Unknown("the sentence has no formal meaning".into());
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
        None => return Verdict::Unknown("there is no property".into()),
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

/// The verdict about a sentence on a model of controlled English.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SentenceVerdict<'a> {
    /// The sentence as it was given.
    sentence: &'a str,
    /// `valid`, `invalid` or `unknown`.
    verdict: &'static str,
    /// Why the run violates the sentence, or why it is not decided.
    reason: Option<&'a str>,
    /// The steps of a run that violates the sentence.
    trace: Option<Vec<Values>>,
    /// What is wrong or odd in the sentence.
    diagnostics: Vec<Diagnostic<'a>>,
}

fn document<'a>(reading: &'a Reading, verdict: &'a Verdict) -> SentenceVerdict<'a> {
    let (verdict, reason, trace) = match verdict {
        Verdict::Valid => ("valid", None, None),
        Verdict::Invalid { trace, reason } => ("invalid", Some(reason), Some(json::steps(trace))),
        Verdict::Unknown(reason) => ("unknown", Some(reason), None),
    };
    let reason = reason.map(String::as_str);
    let diagnostics = json::diagnostics(reading.diagnostics());
    SentenceVerdict { sentence: &reading.text, verdict, reason, trace, diagnostics }
}
