//! `shall eval`: sentences against a recorded trace. The meanings that are asked for must agree; if they
//! do not, that is a defect of this program, and it says so.

mod names;

use super::{Reading, SharedUnit};
use crate::cli::{Eval, Meaning, Output};
use crate::render::visible;
use crate::trace_file::{TraceFile, UsedColumns};
use crate::{Outcome, json, print};
use logic::{Store, Trace, holds_at};
use requirement::oracle::{Verdict, judge};
use requirement::{Ending, Requirement, future, past, reason};
use serde_json::{Value as Json, json};
use std::fmt;

pub(crate) fn run(command: &Eval, output: Output) -> Result<Outcome, String> {
    let mut context = command.input.known.context()?;
    let (given, list) = command.input.read()?;
    if list && command.trace.as_os_str() == "-" {
        return Err("the sentences and the trace cannot both come from standard input".into());
    }
    let file = TraceFile::read(&command.trace)?;
    let signals = file.signals();
    if let Some(name) = context.constants.keys().find(|name| signals.contains_key(*name)) {
        return Err(format!("--const: `{name}` is also a column of the trace; rename one of the two"));
    }
    context.signals = Some(signals);
    let mut columns = UsedColumns::of(&file);
    let mut unit = SharedUnit::default();
    let mut results = Vec::new();
    let mut outcome = Outcome::Fine;
    for given in &given {
        let mut reading = Reading::of(given, &context);
        if context.step.is_none() {
            unit.admit(&mut reading);
        }
        let checked = Checked::new(&mut reading, &file, &mut columns, command.meaning);
        outcome = outcome.max(checked.outcome());
        match output {
            Output::Human => {
                reading.complain();
                print(human(&reading, &checked))?;
            }
            Output::JsonLines => json::write(&[document(&reading, &checked)], output, list)?,
            Output::Json => results.push(document(&reading, &checked)),
        }
    }
    json::write(&results, output, list)?;
    Ok(outcome)
}

/// What became of a sentence, and what is odd about it.
struct Checked {
    judged: Result<Judged, Unchecked>,
    reason: Option<String>,
    notes: Vec<String>,
}

/// Why there is no verdict.
enum Unchecked {
    /// There is nothing to check.
    Note,
    Failed(String),
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unchecked::Note => write!(f, "a note has no formal meaning"),
            Unchecked::Failed(error) => write!(f, "{error}"),
        }
    }
}

impl Checked {
    fn new(reading: &mut Reading, file: &TraceFile, columns: &mut UsedColumns, meaning: Meaning) -> Checked {
        let unchecked = |why: Unchecked| Checked { judged: Err(why), reason: None, notes: Vec::new() };
        let Some(requirement) = reading.lowered.requirement.clone() else {
            let broken = || Unchecked::Failed("the sentence has errors".into());
            return unchecked(if reading.is_note() { Unchecked::Note } else { broken() });
        };
        let notes = match names::unknown_values(&reading.store, &requirement, file) {
            Ok(notes) => notes,
            Err(error) => return unchecked(Unchecked::Failed(error)),
        };
        let trace = columns.trace(&names::columns(&reading.store, &requirement, &reading.lowered.sorts));
        let judged = Judged::new(&mut reading.store, &requirement, trace, meaning).map_err(Unchecked::Failed);
        let verdict = judged.as_ref().ok().and_then(|judged| judged.verdict.as_ref());
        let reason = verdict.map(|verdict| reason(&requirement, &reading.fields, verdict));
        Checked { judged, reason, notes }
    }

    fn outcome(&self) -> Outcome {
        match &self.judged {
            Ok(Judged { holds: true, .. }) | Err(Unchecked::Note) => Outcome::Fine,
            Ok(Judged { holds: false, .. }) => Outcome::Findings,
            Err(Unchecked::Failed(_)) => Outcome::Failure,
        }
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

/// The two finite future formulas, with LAST, which the trace has, and with weak next; they must agree too.
fn both_futures(store: &mut Store, requirement: &Requirement, trace: &Trace) -> Result<bool, Failed> {
    let weak = future(store, requirement, Ending::WeakNext).map_err(Failed::Refused)?;
    let last = future(store, requirement, Ending::Last).map_err(Failed::Refused)?;
    let holds = |formula| holds_at(store, formula, trace, 0).map_err(|e| Failed::Other(e.to_string()));
    let (weak, last) = (holds(weak)?, holds(last)?);
    if weak != last {
        let message = format!(
            "internal error: the future formulas disagree (weak next {weak}, LAST {last}); please report this"
        );
        return Err(Failed::Other(message));
    }
    Ok(weak)
}

fn human(reading: &Reading, Checked { judged, reason, notes }: &Checked) -> String {
    let verdict = match judged {
        Ok(judged) => {
            let word = match (judged.holds, judged.verdict.as_ref().is_some_and(Verdict::vacuous)) {
                (true, false) => "holds",
                (true, true) => "holds vacuously",
                (false, _) => "violated",
            };
            reason.as_ref().map_or(word.into(), |reason| format!("{word}: {reason}"))
        }
        Err(why) => format!("not checked: {why}"),
    };
    let mut out = format!("{}\n  {}\n", visible(reading.text.trim()), visible(&verdict));
    notes.iter().for_each(|note| out.push_str(&format!("  note: {}\n", visible(note))));
    out
}

fn document(reading: &Reading, Checked { judged, reason, notes }: &Checked) -> Json {
    let known = judged.as_ref().ok();
    let verdict = known.and_then(|judged| judged.verdict.as_ref());
    json!({
        "sentence": reading.text,
        "key": reading.lowered.key.map(|key| key.to_string()),
        "holds": known.map(|judged| judged.holds),
        "vacuous": verdict.map(Verdict::vacuous),
        "violated_at": verdict.and_then(|verdict| verdict.violation).map(|violation| violation.step),
        "triggered_at": verdict.and_then(|verdict| verdict.violation).map(|violation| violation.trigger),
        "reason": reason,
        "meanings": known.map(|judged| json!({
            "oracle": judged.verdict.as_ref().map(Verdict::holds),
            "past": judged.past,
            "future": judged.future,
        })),
        "error": judged.as_ref().err().map(Unchecked::to_string),
        "notes": notes,
        "diagnostics": json::diagnostics(reading.diagnostics()),
    })
}
