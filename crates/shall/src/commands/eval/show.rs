//! Verdicts on traces, for people and as JSON.

use super::plan::Unchecked;
use super::timing::ONE_FOR_EACH_ROW;
use super::{Evaluation, File};
use crate::json::{self, Diagnostic, Named, Values};
use crate::reading::Reading;
use crate::render::visible;
use base::counted;
use record::clock::written;
use requirement::oracle::Verdict;
use schemars::JsonSchema;
use serde::Serialize;

/// The most violations that people are told about, besides the first.
const MAX_LISTED: usize = 19;

/// How many requirements came to what.
#[derive(Default)]
pub(super) struct Summary {
    hold: usize,
    vacuous: usize,
    violated: usize,
    unchecked: usize,
}

impl Summary {
    pub(super) fn add(&mut self, evaluation: &Evaluation) {
        let slot = match (&evaluation.holds, evaluation.is_vacuous) {
            (Ok(false), _) => &mut self.violated,
            (Ok(true), Some(true)) => &mut self.vacuous,
            (Ok(true), _) => &mut self.hold,
            (Err(_), _) => &mut self.unchecked,
        };
        *slot += 1;
    }

    pub(super) fn text(&self, traces: usize) -> String {
        let Summary { hold, vacuous, violated, unchecked } = self;
        let all = hold + vacuous + violated + unchecked;
        let what = match traces {
            0 | 1 => counted(all, "requirement"),
            traces => format!("{} on {}", counted(all / traces, "requirement"), counted(traces, "trace")),
        };
        format!(
            "\n{what}: {violated} violated, {hold} satisfied, {vacuous} never triggered, {unchecked} not checked\n"
        )
    }
}

impl File {
    /// The line about a trace: its name if there are several, its length and what its clock says, if it is long or has gaps.
    pub(super) fn heading(&self, is_one_of_several: bool) -> String {
        let gaps = self.clock.as_ref().is_some_and(|(_, clock)| clock.gaps > 0);
        let is_plain = self.of == ONE_FOR_EACH_ROW;
        if !is_one_of_several && self.steps <= super::SHORT && !gaps && is_plain {
            return String::new();
        }
        let mut out =
            format!("{}: {}, {}", self.path.display(), counted(self.steps as usize, "step"), self.of);
        if let Some((column, clock)) = &self.clock
            && let (Some(first), Some(last), Some(usual)) = (clock.first, clock.last, clock.usual)
        {
            let (first, last, usual) = (written(first), written(last), written(usual));
            out += &format!("; `{column}` from {first} to {last}, usually {usual} apart");
            if let Some((gap, step)) = clock.first_gap {
                out += &format!(
                    "; {}, the first of {} before step {step}",
                    counted(clock.gaps as usize, "gap"),
                    written(gap)
                );
            }
        }
        visible(&out) + "\n"
    }
}

pub(super) fn human(reading: &Reading, evaluation: &Evaluation) -> String {
    let Evaluation { holds, is_vacuous, count, violations, more, reason, open, notes, .. } = evaluation;
    let verdict = match holds {
        Ok(holds) => {
            let word = match (holds, is_vacuous.unwrap_or(false)) {
                (true, false) => "holds",
                (true, true) => "holds vacuously",
                (false, _) => "violated",
            };
            let lasts = violations.first().map_or(String::new(), lasting);
            reason.as_ref().map_or(word.into(), |reason| format!("{word}: {reason}{lasts}"))
        }
        Err(why) => format!("not checked: {why}"),
    };
    let mut out = format!("{}\n  {}\n", visible(&reading.title()), visible(&verdict));
    // The first is in the verdict.
    for violation in violations.iter().skip(1).take(MAX_LISTED) {
        out.push_str(&format!("  violated: {}{}\n", visible(&violation.reason), lasting(violation)));
    }
    let unlisted = violations.len().saturating_sub(MAX_LISTED + 1) as u64 + more;
    if unlisted > 0 {
        let all = counted(*count as usize, "step");
        out.push_str(&format!("  and {}; {all} in all\n", counted(unlisted as usize, "more violation")));
    }
    open.iter().for_each(|open| out.push_str(&format!("  {}\n", visible(open))));
    notes.iter().for_each(|note| out.push_str(&format!("  note: {}\n", visible(note))));
    out
}

/// How long a violation lasts, when it was, and whether it was not confirmed.
pub(super) fn lasting(violation: &super::Violation) -> String {
    let mut out = String::new();
    if violation.steps > 1 {
        out +=
            &format!(" It lasts from step {} to {}.", violation.step, violation.step + violation.steps - 1);
    }
    if let Some(time) = &violation.time {
        out += &format!(" Time: {}.", json::Value::from(time));
    }
    if !violation.rechecked {
        out += " (Not re-checked.)";
    }
    out
}

/// The verdict about a sentence on a trace.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Evaluated<'a> {
    /// The trace.
    file: String,
    /// The id of the requirement, or the sentence.
    requirement: &'a str,
    /// `holds`, `vacuous` (nothing triggers it), `violated` or `not_checked`.
    verdict: &'static str,
    /// The number of steps that violate the requirement.
    count: u64,
    /// The number of steps of the trace that could be read.
    steps: u64,
    /// What a step is, in words.
    step_is: String,
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
    violated_at: Option<u64>,
    /// The step of the trigger whose response is missing.
    triggered_at: Option<u64>,
    /// The verdict in words.
    reason: Option<&'a str>,
    /// Every violation: consecutive steps that violate the requirement; at most 1000 are listed.
    violations: Vec<Violation<'a>>,
    /// The number of violations that are not listed.
    more: u64,
    /// What each meaning says that was evaluated on the whole trace: all of them for up to 4096 steps, and those of `--meaning`.
    meanings: Option<Meanings>,
    /// Why the sentence was not checked. This includes notes, which have no formal meaning and are not a failure.
    error: Option<String>,
    /// What was not checked although the requirement is violated, and why: the steps after a cell without a value, or after a row that
    /// cannot be read.
    unchecked: Option<&'a str>,
    /// Remarks in words: enumeration values that the sentence compares with a column but that never occur there, and columns that are
    /// spelled differently.
    notes: &'a [String],
    /// What is wrong or odd in the sentence.
    diagnostics: Vec<Diagnostic<'a>>,
}

/// Consecutive steps that violate a requirement.
#[derive(Serialize, JsonSchema)]
struct Violation<'a> {
    /// The first of the steps.
    step: u64,
    /// The number of steps.
    steps: u64,
    /// The time of the first step, if the trace has a column of time.
    time: Option<json::Value>,
    /// The step of the trigger whose response is missing.
    trigger: Option<u64>,
    /// Why, in words.
    reason: &'a str,
    /// Whether the definitions confirm it from the values around it (or the formula, evaluated step by step, if the same trigger was
    /// violated before); not if the trigger is more than 1000 steps away, nor after the first 20 violations.
    rechecked: bool,
    /// The values around the first step.
    around: Vec<Around>,
}

/// The values of a step.
#[derive(Serialize, JsonSchema)]
struct Around {
    /// The step.
    step: u64,
    /// The values of the variables.
    values: Values,
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

/// The verdict in one word.
pub(super) fn word(evaluation: &Evaluation) -> &'static str {
    match (&evaluation.holds, evaluation.is_vacuous) {
        (Ok(false), _) => "violated",
        (Ok(true), Some(true)) => "vacuous",
        (Ok(true), _) => "holds",
        (Err(_), _) => "not_checked",
    }
}

pub(super) fn document<'a>(reading: &'a Reading, evaluation: &'a Evaluation, file: &File) -> Evaluated<'a> {
    let violation = |violation: &'a super::Violation| Violation {
        step: violation.step,
        steps: violation.steps,
        time: violation.time.as_ref().map(json::Value::from),
        trigger: violation.trigger,
        reason: &violation.reason,
        rechecked: violation.rechecked,
        around: violation
            .around
            .iter()
            .map(|(step, values)| Around {
                step: *step,
                values: Named(values.iter().map(|(name, value)| (name.clone(), value.into())).collect()),
            })
            .collect(),
    };
    let first = evaluation.violations.first();
    Evaluated {
        file: file.path.display().to_string(),
        requirement: reading.id.as_deref().unwrap_or(&reading.text),
        verdict: word(evaluation),
        count: evaluation.count,
        steps: file.steps,
        step_is: file.of.clone(),
        id: reading.id.as_deref(),
        sentence: &reading.text,
        key: reading.lowered.key.map(|key| key.to_string()),
        holds: evaluation.holds.as_ref().ok().copied(),
        vacuous: evaluation.is_vacuous,
        violated_at: first.map(|violation| violation.step),
        triggered_at: first.and_then(|violation| violation.trigger),
        reason: evaluation.reason.as_deref(),
        violations: evaluation.violations.iter().map(violation).collect(),
        more: evaluation.more,
        meanings: evaluation.judged.as_ref().map(|judged| Meanings {
            oracle: judged.verdict.as_ref().map(Verdict::holds),
            past: judged.past,
            future: judged.future,
        }),
        error: evaluation.holds.as_ref().err().map(Unchecked::to_string),
        unchecked: evaluation.open.as_deref(),
        notes: &evaluation.notes,
        diagnostics: json::diagnostics(reading.diagnostics()),
    }
}
