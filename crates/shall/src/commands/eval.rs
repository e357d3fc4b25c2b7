//! `shall eval`: sentences against a recorded trace. The requested meanings must agree; if they do not, that is a
//! defect of this program, and it says so.

mod names;

use crate::cli::{Eval, Meaning, Output};
use crate::files::is_standard;
use crate::json::{self, Diagnostic};
use crate::reading::Reading;
use crate::render::visible;
use crate::sentences::Question;
use crate::trace_file::{TraceFile, UsedColumns};
use crate::{Error, Outcome};
use logic::{Formula, Store, Trace, holds_at};
use requirement::oracle::{Verdict, judge};
use requirement::{Ending, Refusal, Requirement, future, past, reason};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

pub(crate) fn run(command: &Eval, output: Output) -> Result<Outcome, Error> {
    let mut context = command.input.known.context()?;
    if command.input.sentences.iter().any(|it| it == "-") && is_standard(&command.trace) {
        return Err(Error::usage("the sentences and the trace cannot both come from standard input"));
    }
    let file = TraceFile::read(&command.trace)?;
    let signals = file.signals();
    if let Some(name) = context.constants.keys().find(|name| signals.contains_key(*name)) {
        let reason = format!("`{name}` is also a column of the trace; rename one of the two");
        return Err(Error::input("--const", reason));
    }
    context.signals = Some(signals);
    let mut columns = UsedColumns::of(&file);
    let question = Question { sentences: &command.input, context: &context, output, share: true };
    question.one_by_one(|reading| {
        let checked = Checked::new(reading, &file, &mut columns, command.meaning);
        (checked.outcome(), output.entry(|| human(reading, &checked), || document(reading, &checked)))
    })
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
    Failed(Error),
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
            let broken = || Unchecked::Failed(Error::refused("the sentence has errors"));
            return unchecked(if reading.is_note() { Unchecked::Note } else { broken() });
        };
        let notes = match names::unknown_values(&reading.store, &requirement, file) {
            Ok(notes) => notes,
            Err(error) => return unchecked(Unchecked::Failed(error)),
        };
        let trace =
            columns.trace(&names::columns(&reading.store, &requirement, &reading.lowered.sorts.names));
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
    ) -> Result<Judged, Error> {
        let asked = |one: Meaning| meaning == one || meaning == Meaning::All;
        let verdict = asked(Meaning::Oracle).then(|| judge(store, requirement, trace)).transpose();
        let verdict = verdict.map_err(Error::refused)?;
        // A formula that a requirement cannot have is left out, unless it is the requested one.
        let missing = |refusal: Refusal| match meaning {
            Meaning::All => Ok(None),
            Meaning::Oracle | Meaning::Past | Meaning::Future => {
                Err(Error::Refused(format!("there is no such formula: {refusal}")))
            }
        };
        let past = match asked(Meaning::Past).then(|| past(store, requirement)) {
            None => None,
            Some(Err(refusal)) => missing(refusal)?,
            Some(Ok(formula)) => {
                Some(holds_at(store, formula, trace, trace.len() - 1).map_err(Error::refused)?)
            }
        };
        let future = match asked(Meaning::Future).then(|| futures(store, requirement)) {
            None => None,
            Some(Err(refusal)) => missing(refusal)?,
            Some(Ok((weak, last))) => Some(both(store, weak, last, trace)?),
        };
        let answers: Vec<bool> =
            [verdict.as_ref().map(Verdict::holds), past, future].into_iter().flatten().collect();
        let none = || Error::refused("no meaning could be evaluated");
        let holds = answers.first().copied().ok_or_else(none)?;
        if answers.iter().any(|&answer| answer != holds) {
            let oracle = verdict.map(|verdict| verdict.holds());
            return Err(Error::Internal(format!(
                "the meanings disagree on this sentence and trace (oracle {oracle:?}, past {past:?}, future {future:?})"
            )));
        }
        Ok(Judged { holds, verdict, past, future })
    }
}

/// The two future formulas for finite traces: with weak next, and with LAST, which the trace has.
fn futures(store: &mut Store, requirement: &Requirement) -> Result<(Formula, Formula), Refusal> {
    Ok((future(store, requirement, Ending::WeakNext)?, future(store, requirement, Ending::Last)?))
}

/// Whether both formulas hold; they must agree.
fn both(store: &Store, weak: Formula, last: Formula, trace: &Trace) -> Result<bool, Error> {
    let holds = |formula| holds_at(store, formula, trace, 0).map_err(Error::refused);
    match (holds(weak)?, holds(last)?) {
        (weak, last) if weak == last => Ok(weak),
        (weak, last) => {
            Err(Error::Internal(format!("the future formulas disagree (weak next {weak}, LAST {last})")))
        }
    }
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

/// The verdict about a sentence on a trace. `vacuous`, `violated_at`, `triggered_at` and `reason` come from the oracle, so they are
/// `null` with `--meaning past` or `future`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Evaluated<'a> {
    /// The sentence as it was given.
    sentence: &'a str,
    /// The template, scope,condition,timing; `null` if the response could not be read.
    key: Option<String>,
    /// Whether the requirement holds on the trace; `null` if that could not be decided, and then `error` says why.
    holds: Option<bool>,
    /// Whether it holds only because nothing triggers it.
    vacuous: Option<bool>,
    /// The first step whose values decide that the requirement is violated (for `eventually` and `finally` the last step of the
    /// interval); `null` if it holds.
    violated_at: Option<usize>,
    /// The step of the trigger whose response is missing.
    triggered_at: Option<usize>,
    /// The verdict in words.
    reason: Option<&'a str>,
    /// What each meaning says.
    meanings: Option<Meanings>,
    /// Why the sentence was not checked. This includes notes, which have no formal meaning and are not a failure.
    error: Option<String>,
    /// Remarks in words: enumeration values that the sentence compares with a column but that never occur there.
    notes: &'a [String],
    /// What is wrong or odd in the sentence.
    diagnostics: Vec<Diagnostic<'a>>,
}

/// Verdicts of the independent meanings; `null` if a meaning was not requested or does not exist for this requirement.
#[derive(Serialize, JsonSchema)]
struct Meanings {
    /// The definitions, interval by interval.
    oracle: Option<bool>,
    /// The past-time formula.
    past: Option<bool>,
    /// The future-time formulas for finite traces.
    future: Option<bool>,
}

fn document<'a>(reading: &'a Reading, Checked { judged, reason, notes }: &'a Checked) -> Evaluated<'a> {
    let known = judged.as_ref().ok();
    let verdict = known.and_then(|judged| judged.verdict.as_ref());
    let violation = verdict.and_then(|verdict| verdict.violation);
    Evaluated {
        sentence: &reading.text,
        key: reading.lowered.key.map(|key| key.to_string()),
        holds: known.map(|judged| judged.holds),
        vacuous: verdict.map(Verdict::vacuous),
        violated_at: violation.map(|violation| violation.step),
        triggered_at: violation.map(|violation| violation.trigger),
        reason: reason.as_deref(),
        meanings: known.map(|judged| Meanings {
            oracle: verdict.map(Verdict::holds),
            past: judged.past,
            future: judged.future,
        }),
        error: judged.as_ref().err().map(Unchecked::to_string),
        notes,
        diagnostics: json::diagnostics(reading.diagnostics()),
    }
}
