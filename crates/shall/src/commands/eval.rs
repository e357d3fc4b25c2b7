//! `shall eval`: sentences against a recorded trace. The meanings that are asked for must agree; if they
//! do not, that is a defect of this program, and it says so.

use super::Reading;
use crate::cli::{Eval, Meaning, Output};
use crate::trace_file::TraceFile;
use crate::{Outcome, json, print};
use logic::{Store, Trace, Value, holds_at};
use requirement::oracle::{Verdict, judge};
use requirement::{Ending, LAST, Requirement, future, past};
use serde_json::{Value as Json, json};

pub(crate) fn run(command: &Eval, output: Output) -> Result<Outcome, String> {
    let mut context = command.input.context()?;
    let (given, list) = command.input.read()?;
    if list && command.trace.as_os_str() == "-" {
        return Err("the sentences and the trace cannot both come from standard input".into());
    }
    let file = TraceFile::read(&command.trace)?;
    context.signals = Some(file.signals());
    let readings: Vec<Reading> = given.iter().map(|given| Reading::of(given, &context)).collect();
    if context.step.is_none() {
        one_unit(&readings)?;
    }
    let mut results = Vec::new();
    let mut outcome = Outcome::Fine;
    for mut reading in readings {
        let judged = match reading.lowered.requirement.clone() {
            Some(requirement) => {
                let trace = file.trace(&reading.lowered.sorts);
                Judged::new(&mut reading.store, &requirement, &trace, command.meaning)
                    .map(|judged| (judged, requirement))
            }
            None => Err("the sentence has errors".into()),
        };
        outcome = outcome.max(match &judged {
            Ok((judged, _)) if judged.holds => Outcome::Fine,
            Ok(_) => Outcome::Findings,
            Err(_) => Outcome::Failure,
        });
        match output {
            Output::Human => {
                reading.complain();
                print(human(&reading, &judged));
            }
            Output::JsonLines => json::write(&[document(&reading, &judged)], output, list),
            Output::Json => results.push(document(&reading, &judged)),
        }
    }
    json::write(&results, output, list);
    Ok(outcome)
}

/// Without a step, requirements on one trace cannot use two different units of time.
fn one_unit(readings: &[Reading]) -> Result<(), String> {
    let mut units = readings.iter().filter_map(|reading| reading.lowered.unit);
    let first = units.next();
    match units.find(|&unit| Some(unit) != first) {
        Some(other) => Err(format!(
            "the sentences use {} and {}, but the length of a step is not known; give it: --step \"100 ms\"",
            first.map_or("", |unit| unit.plural()),
            other.plural()
        )),
        None => Ok(()),
    }
}

/// What the meanings say about a requirement on a trace.
struct Judged {
    holds: bool,
    verdict: Option<Verdict>,
    past: Option<bool>,
    future: Option<bool>,
}

impl Judged {
    fn new(
        store: &mut Store,
        requirement: &Requirement,
        trace: &Trace,
        meaning: Meaning,
    ) -> Result<Judged, String> {
        let asked = |one: Meaning| meaning == one || meaning == Meaning::All;
        let verdict = asked(Meaning::Oracle).then(|| judge(store, requirement, trace)).transpose();
        let verdict = verdict.map_err(|error| error.to_string())?;
        // A formula that a requirement cannot have is left out, unless it is the one that was asked for.
        let missing = |refusal: requirement::Refusal| match meaning {
            Meaning::All => Ok(None),
            Meaning::Oracle | Meaning::Past | Meaning::Future => {
                Err(format!("there is no such formula: {refusal}"))
            }
        };
        let past = match asked(Meaning::Past).then(|| past(store, requirement)) {
            None => None,
            Some(Err(refusal)) => missing(refusal)?,
            Some(Ok(formula)) => {
                Some(holds_at(store, formula, trace, trace.len() - 1).map_err(|error| error.to_string())?)
            }
        };
        let future = match asked(Meaning::Future).then(|| both_futures(store, requirement, trace)) {
            None => None,
            Some(Err(Failed::Refused(refusal))) => missing(refusal)?,
            Some(Err(Failed::Other(error))) => return Err(error),
            Some(Ok(holds)) => Some(holds),
        };
        let answers: Vec<bool> =
            [verdict.as_ref().map(Verdict::holds), past, future].into_iter().flatten().collect();
        let holds = answers.first().copied().ok_or("no meaning could be evaluated")?;
        if answers.iter().any(|&answer| answer != holds) {
            let answers = format!(
                "oracle {:?}, past {past:?}, future {future:?}",
                verdict.map(|verdict| verdict.holds())
            );
            return Err(format!(
                "internal error: the meanings disagree ({answers}); please report this sentence and trace"
            ));
        }
        Ok(Judged { holds, verdict, past, future })
    }
}

enum Failed {
    Refused(requirement::Refusal),
    Other(String),
}

/// The two finite future formulas, with LAST and with weak next; they must agree too.
fn both_futures(store: &mut Store, requirement: &Requirement, trace: &Trace) -> Result<bool, Failed> {
    let weak = future(store, requirement, Ending::WeakNext).map_err(Failed::Refused)?;
    let last = future(store, requirement, Ending::Last).map_err(Failed::Refused)?;
    let other = |error: &dyn std::fmt::Display| Failed::Other(error.to_string());
    let marks = (0..trace.len()).map(|position| Value::Bool(position + 1 == trace.len())).collect();
    let marked = trace.clone().with(LAST, marks).map_err(|error| other(&error))?;
    let weak = holds_at(store, weak, trace, 0).map_err(|error| other(&error))?;
    let last = holds_at(store, last, &marked, 0).map_err(|error| other(&error))?;
    if weak != last {
        let message = format!(
            "internal error: the future formulas disagree (weak next {weak}, LAST {last}); please report this"
        );
        return Err(Failed::Other(message));
    }
    Ok(weak)
}

type JudgedOrNot = Result<(Judged, Requirement), String>;

fn human(reading: &Reading, judged: &JudgedOrNot) -> String {
    let verdict = match judged {
        Ok((judged, requirement)) => {
            let word = match (judged.holds, judged.verdict.as_ref().is_some_and(Verdict::vacuous)) {
                (true, false) => "holds",
                (true, true) => "holds vacuously",
                (false, _) => "violated",
            };
            match reason(reading, judged, requirement) {
                Some(reason) => format!("{word}: {reason}"),
                None => word.into(),
            }
        }
        Err(error) => format!("not checked: {error}"),
    };
    format!("{}\n  {verdict}\n", reading.text.trim())
}

fn reason(reading: &Reading, judged: &Judged, requirement: &Requirement) -> Option<String> {
    judged.verdict.as_ref().map(|verdict| requirement::reason(requirement, &reading.fields, verdict))
}

fn document(reading: &Reading, judged: &JudgedOrNot) -> Json {
    let known = judged.as_ref().ok();
    let verdict = known.and_then(|(judged, _)| judged.verdict.as_ref());
    json!({
        "sentence": reading.text,
        "key": reading.lowered.key.map(|key| key.to_string()),
        "holds": known.map(|(judged, _)| judged.holds),
        "vacuous": verdict.map(Verdict::vacuous),
        "violated_at": verdict.and_then(|verdict| verdict.violation).map(|violation| violation.step),
        "triggered_at": verdict.and_then(|verdict| verdict.violation).map(|violation| violation.trigger),
        "reason": known.and_then(|(judged, requirement)| reason(reading, judged, requirement)),
        "meanings": known.map(|(judged, _)| json!({
            "oracle": judged.verdict.as_ref().map(Verdict::holds),
            "past": judged.past,
            "future": judged.future,
        })),
        "error": judged.as_ref().err(),
        "diagnostics": json::diagnostics(reading.diagnostics()),
    })
}
