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
use crate::{Error, Outcome, print};
use base::counted;
use logic::{Formula, Store, Trace, holds_at};
use requirement::oracle::{self, Decision, Verdict, judge};
use requirement::{Ending, Refusal, Requirement, future, past, reason};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;

/// The most violations that people are told about, besides the first.
const MAX_LISTED: usize = 19;

pub(crate) fn run(command: &Eval, output: Output) -> Result<Outcome, Error> {
    let mut context = command.known.context()?;
    if command.sentences.iter().any(|it| it == "-") && is_standard(&command.trace) {
        return Err(Error::usage("the sentences and the trace cannot both come from standard input"));
    }
    let file = TraceFile::read(&command.trace)?;
    let signals = file.signals();
    if let Some(name) = context.constants.keys().find(|name| signals.contains_key(*name)) {
        let reason = format!("`{name}` is also a column of the trace; rename one of the two");
        return Err(Error::input("--const", reason));
    }
    context.signals = Some(signals.clone());
    let mut columns = UsedColumns::of(&file);
    let keeps = |name: &str| signals.contains_key(name);
    let question = Question {
        sentences: &command.sentences,
        around: &command.around,
        context: &context,
        output,
        // A recorded value is what happened, whatever its definition says.
        keeps: &keeps,
        share: true,
    };
    let mut summary = Summary::default();
    let outcome = question.one_by_one(|reading| {
        let checked = Checked::new(reading, &file, &mut columns, command.meaning);
        summary.add(&checked);
        (checked.outcome(), output.entry(|| human(reading, &checked), || document(reading, &checked)))
    })?;
    if command.sentences.is_empty() && output == Output::Human {
        print(summary.text())?;
    }
    Ok(outcome)
}

/// How many requirements came to what.
#[derive(Default)]
struct Summary {
    hold: usize,
    vacuous: usize,
    violated: usize,
    unchecked: usize,
}

impl Summary {
    fn add(&mut self, checked: &Checked) {
        let slot = match &checked.judged {
            Ok(judged) if !judged.holds => &mut self.violated,
            Ok(judged) if judged.verdict.as_ref().is_some_and(Verdict::vacuous) => &mut self.vacuous,
            Ok(_) => &mut self.hold,
            Err(_) => &mut self.unchecked,
        };
        *slot += 1;
    }

    fn text(&self) -> String {
        let Summary { hold, vacuous, violated, unchecked } = self;
        let all = counted(hold + vacuous + violated + unchecked, "requirement");
        format!(
            "\n{all}: {violated} violated, {hold} satisfied, {vacuous} never triggered, {unchecked} not checked\n"
        )
    }
}

/// What became of a sentence, and what is odd about it.
struct Checked {
    judged: Result<Judged, Unchecked>,
    reason: Option<String>,
    /// Every violation with its reason, the first to be decided first.
    violations: Vec<(Decision, String)>,
    notes: Vec<String>,
}

/// Why there is no verdict.
enum Unchecked {
    /// There is nothing to check.
    Note,
    /// The trace does not have these columns.
    NotRecorded(Vec<String>),
    Failed(Error),
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unchecked::Note => write!(f, "a note has no formal meaning"),
            Unchecked::NotRecorded(names) => {
                let word = if names.len() == 1 { "column" } else { "columns" };
                write!(f, "the trace has no {word} {}", names.join(", "))
            }
            Unchecked::Failed(error) => write!(f, "{error}"),
        }
    }
}

impl Checked {
    fn new(reading: &mut Reading, file: &TraceFile, columns: &mut UsedColumns, meaning: Meaning) -> Checked {
        let unchecked = |why: Unchecked| Checked {
            judged: Err(why),
            reason: None,
            violations: Vec::new(),
            notes: Vec::new(),
        };
        let Some(requirement) = reading.lowered.requirement.clone() else {
            let broken = || Unchecked::Failed(Error::refused("the sentence has errors"));
            return unchecked(if reading.is_note() { Unchecked::Note } else { broken() });
        };
        let notes = match names::unknown_values(&reading.store, &requirement, file) {
            Ok(notes) => notes,
            Err(error) => return unchecked(Unchecked::Failed(error)),
        };
        let used = names::columns(&reading.store, &requirement, &reading.lowered.sorts.names);
        let known: BTreeSet<&str> = file.names().collect();
        let missing = used.keys().filter(|name| reading.id.is_some() && !known.contains(name.as_str()));
        let missing: Vec<String> = missing.map(|name| format!("`{name}`")).collect();
        if !missing.is_empty() {
            return unchecked(Unchecked::NotRecorded(missing));
        }
        let trace = match columns.trace(&used) {
            Ok(trace) => trace,
            Err(error) => return unchecked(Unchecked::Failed(error)),
        };
        let judged = Judged::new(&mut reading.store, &requirement, trace, meaning).map_err(Unchecked::Failed);
        let verdict = judged.as_ref().ok().and_then(|judged| judged.verdict.as_ref());
        let in_words = |verdict: &Verdict| reason(&requirement, &reading.fields, verdict);
        let mut violations = Vec::new();
        if let Some(verdict) = verdict.filter(|verdict| !verdict.holds()) {
            let mut all = oracle::violations(&reading.store, &requirement, trace).unwrap_or_default();
            all.sort_by_key(|decision| (decision.step, decision.trigger));
            violations.extend(all.into_iter().map(|decision| {
                (decision, in_words(&Verdict { violation: Some(decision), ..verdict.clone() }))
            }));
        }
        let reason = verdict.map(in_words);
        Checked { judged, reason, violations, notes }
    }

    fn outcome(&self) -> Outcome {
        match &self.judged {
            Ok(Judged { holds: true, .. }) | Err(Unchecked::Note) => Outcome::Fine,
            Ok(Judged { holds: false, .. }) => Outcome::Findings,
            Err(Unchecked::NotRecorded(_)) => Outcome::Inconclusive,
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

fn human(reading: &Reading, Checked { judged, reason, violations, notes }: &Checked) -> String {
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
    let mut out = format!("{}\n  {}\n", visible(&reading.title()), visible(&verdict));
    // The first is in the verdict.
    for (_, reason) in violations.iter().skip(1).take(MAX_LISTED) {
        out.push_str(&format!("  violated: {}\n", visible(reason)));
    }
    if violations.len() > MAX_LISTED + 1 {
        let more = counted(violations.len() - MAX_LISTED - 1, "more violation");
        out.push_str(&format!("  and {more}\n"));
    }
    notes.iter().for_each(|note| out.push_str(&format!("  note: {}\n", visible(note))));
    out
}

/// The verdict about a sentence on a trace. `vacuous`, `violated_at`, `triggered_at` and `reason` come from the oracle, so they are
/// `null` with `--meaning past` or `future`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Evaluated<'a> {
    /// The id, for a requirement of a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
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
    /// Every trigger whose response is missing, the one that is decided first first.
    violations: Vec<Violation<'a>>,
    /// What each meaning says.
    meanings: Option<Meanings>,
    /// Why the sentence was not checked. This includes notes, which have no formal meaning and are not a failure.
    error: Option<String>,
    /// Remarks in words: enumeration values that the sentence compares with a column but that never occur there.
    notes: &'a [String],
    /// What is wrong or odd in the sentence.
    diagnostics: Vec<Diagnostic<'a>>,
}

/// A trigger whose response is missing.
#[derive(Serialize, JsonSchema)]
struct Violation<'a> {
    /// The step of the trigger.
    triggered_at: usize,
    /// The first step whose values decide it.
    violated_at: usize,
    /// Why, in words.
    reason: &'a str,
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

fn document<'a>(reading: &'a Reading, checked: &'a Checked) -> Evaluated<'a> {
    let Checked { judged, reason, violations, notes } = checked;
    let listed = violations.iter().map(|(decision, reason)| Violation {
        triggered_at: decision.trigger,
        violated_at: decision.step,
        reason,
    });
    let known = judged.as_ref().ok();
    let verdict = known.and_then(|judged| judged.verdict.as_ref());
    let violation = verdict.and_then(|verdict| verdict.violation);
    Evaluated {
        id: reading.id.as_deref(),
        sentence: &reading.text,
        key: reading.lowered.key.map(|key| key.to_string()),
        holds: known.map(|judged| judged.holds),
        vacuous: verdict.map(Verdict::vacuous),
        violated_at: violation.map(|violation| violation.step),
        triggered_at: violation.map(|violation| violation.trigger),
        reason: reason.as_deref(),
        violations: listed.collect(),
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
