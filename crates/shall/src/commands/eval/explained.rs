//! Violations with their triggers and reasons. The definitions re-check each one on the steps around it.

use super::plan::{Duration, Need, Plan};
use super::recorded::{Pass, Slice, Wanted, slices};
use super::timing::{Steps, billionths};
use super::traces::Source;
use crate::Error;
use logic::{Node, Store, Trace, Value};
use record::clock::{billionths as nearest, written};
use record::deadline::is_violated;
use record::{Demand, Run, TimeUnit};
use requirement::oracle::{Decision, Interval, Verdict, violations};
use requirement::{Field, Fields, LAST, Predicate, Requirement, Timing, Watch, reason};

/// The most violations of a requirement that are re-checked.
pub(super) const MAX_RECHECKED: usize = 20;
/// The most steps on which a violation is re-checked.
const MAX_STEPS: u64 = 1024;
/// The steps after a violation that are looked at, for the end of its interval.
const AFTER: u64 = 64;
/// The steps shown before and after a violation.
const AROUND: u64 = 2;
/// The steps drawn before and after it.
const DRAWN: (u64, u64) = (64, 31);

/// Consecutive steps that violate a requirement.
pub(super) struct Violation {
    pub(super) step: u64,
    pub(super) steps: u64,
    pub(super) time: Option<Value>,
    pub(super) trigger: Option<u64>,
    pub(super) reason: String,
    /// Whether the definitions, or the formula evaluated step by step, say the same about the values around the step.
    pub(super) rechecked: bool,
    /// The values around the first step, with their steps.
    pub(super) around: Vec<(u64, Vec<(String, Value)>)>,
    /// The steps to draw, with the number of the first one; only for the violations that are re-checked.
    pub(super) drawn: Option<(u64, Trace)>,
}

/// Explains the violations of all requirements in a file, in their order.
pub(super) fn explain(
    source: &Source,
    steps: &Steps,
    plan: &Plan,
    pass: &Pass,
) -> Result<Vec<Vec<Violation>>, Error> {
    let mut violations: Vec<Vec<Violation>> = plan.readings.iter().map(|_| Vec::new()).collect();
    let mut wanted = Vec::new();
    let mut all = Vec::new();
    for at in 0..plan.readings.len() {
        let (Some(Ok(found)), Ok(need), Some(requirement)) =
            (pass.found.get(&at), &plan.needs[at], &plan.readings[at].lowered.requirement)
        else {
            continue;
        };
        for (number, &run) in found.findings.runs.iter().enumerate() {
            let is_exact = from(&plan.store, requirement, &run) == begin(&plan.store, requirement, &run);
            let one = One { store: &plan.store, requirement, need, run, last: pass.steps - 1, is_exact };
            let steps = match number {
                ..MAX_RECHECKED => {
                    one.first().min(run.first.saturating_sub(DRAWN.0))
                        ..=run.first.saturating_add(AFTER).min(pass.steps - 1)
                }
                _ => run.first..=run.first,
            };
            wanted.push(Wanted { need, steps });
            all.push((at, one));
        }
    }
    if wanted.is_empty() {
        return Ok(violations);
    }
    for (slice, (at, one)) in slices(source, steps, &plan.columns, pass, &wanted)?.iter().zip(&all) {
        violations[*at].push(one.violation(slice, &plan.readings[*at].fields, pass.unit)?);
    }
    Ok(violations)
}

/// The first step of those on which a violation is re-checked: before its interval, if that is near.
fn from(store: &Store, requirement: &Requirement, run: &Run) -> u64 {
    begin(store, requirement, run).max((run.first + 1).saturating_sub(MAX_STEPS))
}

/// The first step that can matter to a violation.
fn begin(store: &Store, requirement: &Requirement, run: &Run) -> u64 {
    run.interval.saturating_sub(1 + reach(store, requirement))
}

/// How many steps before the start of an interval the requirement looks at most.
fn reach(store: &Store, requirement: &Requirement) -> u64 {
    let far = |predicate: &Predicate| match *predicate {
        Predicate::Persisted { far, .. } | Predicate::Occurred { far, .. } => far,
        Predicate::PreviousOccurrence { .. } => MAX_STEPS,
        Predicate::Previously { .. } | Predicate::PreviousValue { .. } => 1,
        Predicate::FirstPoint => 0,
        Predicate::Persists { .. } | Predicate::Occurs { .. } | Predicate::NextOccurrence { .. } => 0,
    };
    let needs_start = requirement
        .predicates
        .iter()
        .any(|it| matches!(it, Predicate::FirstPoint | Predicate::PreviousValue { .. }));
    let looks_back_in_mode = requirement.scope.mode().is_some_and(|mode| store.has_holes(mode));
    let formula = looking_back(store, requirement);
    match needs_start || looks_back_in_mode || formula.is_none() {
        // What happened since the start of the trace matters.
        true => u64::MAX / 2,
        false => requirement.predicates.iter().map(far).fold(formula.unwrap_or(0), u64::saturating_add),
    }
}

/// How far the temporal operators of the expressions look back at most; `None` if there is no bound.
fn looking_back(store: &Store, requirement: &Requirement) -> Option<u64> {
    let all = store.reachable(requirement.expressions().map(logic::Formula::id));
    all.into_iter().try_fold(0_u64, |sum, id| match store.node(id) {
        Node::Unary(_, bound, _) | Node::Binary(_, bound, ..) => Some(sum.saturating_add(bound.hi?)),
        Node::Pre(..) => Some(sum.saturating_add(1)),
        _ => Some(sum),
    })
}

fn around(slice: &Slice, need: &Need, step: u64) -> Vec<(u64, Vec<(String, Value)>)> {
    let Some(trace) = &slice.trace else { return Vec::new() };
    let end = slice.start + trace.len() as u64 - 1;
    let steps = step.saturating_sub(AROUND).max(slice.start)..=(step + AROUND).min(end);
    let value = |name: &str, step: u64| {
        let column = trace.column(name)?;
        Some((name.to_owned(), trace.value(column, (step - slice.start) as usize).clone()))
    };
    let values = |step: u64| need.inputs.iter().filter_map(|input| value(&input.name, step)).collect();
    steps.map(|step| (step, values(step))).collect()
}

/// The steps of a trace that are drawn; its first step has this number.
pub(super) fn drawn(trace: &Trace, first: u64, step: u64) -> Option<(u64, Trace)> {
    let start = step.saturating_sub(DRAWN.0).max(first);
    let end = (step + DRAWN.1).min(first + trace.len() as u64 - 1);
    let rows = (start - first) as usize..=(end - first) as usize;
    let names = trace.names().iter().filter(|name| *name != LAST);
    let columns =
        names.filter_map(|name| Some((name.as_str(), &trace.values(trace.column(name)?)[rows.clone()])));
    let columns = columns.map(|(name, values)| (name, values.to_vec()));
    Trace::of(columns).ok().map(|trace| (start, trace))
}

/// One violation and what is known about it.
struct One<'p> {
    store: &'p Store,
    requirement: &'p Requirement,
    need: &'p Need,
    run: Run,
    /// The last step of the trace.
    last: u64,
    /// Whether the slice has the whole interval up to the violation.
    is_exact: bool,
}

impl One<'_> {
    /// The first step on which it is re-checked.
    fn first(&self) -> u64 {
        match (&self.need.timed, self.run.trigger) {
            (Some(_), Some(trigger)) => trigger.max((self.run.first + 1).saturating_sub(MAX_STEPS)),
            _ => from(self.store, self.requirement, &self.run),
        }
    }

    fn violation(&self, slice: &Slice, fields: &Fields, unit: Option<TimeUnit>) -> Result<Violation, Error> {
        let Run { first, last, .. } = self.run;
        let (trigger, reason, rechecked) = match &self.need.timed {
            Some(duration) => self.timed(duration, slice, fields, unit),
            None => {
                let (decision, rechecked) = self.decision(slice)?;
                let verdict = Verdict { violation: Some(decision), met: None, intervals: 1, triggers: 1 };
                (decision.trigger as u64, reason(self.requirement, fields, &verdict), rechecked)
            }
        };
        Ok(Violation {
            step: first,
            steps: last - first + 1,
            time: slice.times.get((first - slice.start) as usize).cloned(),
            trigger: Some(trigger),
            reason,
            rechecked,
            around: around(slice, self.need, first),
            drawn: slice
                .trace
                .as_ref()
                .filter(|trace| trace.len() > 1)
                .and_then(|trace| drawn(trace, slice.start, first)),
        })
    }

    /// The trigger, the reason, and whether the definitions confirm it, for a duration in real time.
    fn timed(
        &self,
        duration: &Duration,
        slice: &Slice,
        fields: &Fields,
        unit: Option<TimeUnit>,
    ) -> (u64, String, bool) {
        let trigger = self.run.trigger.unwrap_or(self.run.first);
        let length = billionths(&duration.seconds, unit.unwrap_or(TimeUnit::Second));
        let time = |time: &Value| if let Value::Num(time) = time { Some(nearest(time)) } else { None };
        let times: Vec<i128> = slice.times.iter().filter_map(time).collect();
        let until = (self.run.first - slice.start) as usize;
        let from = trigger.checked_sub(slice.start).map(|from| from as usize);
        let from = from.filter(|&from| from < times.len());
        let rechecked = from.zip(slice.trace.as_ref()).is_some_and(|(from, trace)| {
            let response = logic::values(self.store, self.requirement.response, trace);
            response.is_ok_and(|response| {
                let (times, response) = (times.get(from..=until), response.get(from..=until));
                times
                    .zip(response)
                    .is_some_and(|(times, response)| is_violated(duration.demand, length, times, response))
            })
        });
        let text = |field: &Option<Field>| field.as_ref().map_or(String::new(), |it| it.text.clone());
        let (response, timing) = (text(&fields.response), text(&fields.timing));
        let deadline = from.map(|from| written(times[from] + length));
        let by = deadline.map_or(String::new(), |by| format!(", that is, at {by}"));
        let reason = match duration.demand {
            Demand::Within => format!("`{response}` must hold {timing}{by}, and does not"),
            Demand::For => {
                format!("`{response}` must hold {timing}, and is false at step {}", self.run.first)
            }
            Demand::After => format!("`{response}` must hold {timing}, neither sooner nor later"),
        };
        (trigger, format!("triggered at step {trigger}; {reason}."), rechecked)
    }

    /// The trigger that is not met, and whether the definitions say so.
    fn decision(&self, slice: &Slice) -> Result<(Decision, bool), Error> {
        let Some(trace) = slice.trace.as_ref().filter(|trace| trace.len() > 1 || self.last == 0) else {
            return Ok((self.own(), false));
        };
        let start = slice.start as usize;
        let step = self.run.first as usize - start;
        let end = start + trace.len() - 1;
        let unmet = violations(self.store, self.requirement, trace).unwrap_or_default();
        let here = unmet.into_iter().filter(|decision| decision.step == step).min_by_key(|it| it.trigger);
        if let Some(Decision { interval, trigger, .. }) = here {
            // An interval that reaches the end of the steps at hand may go on.
            let goes_on = interval.hi >= trace.len() - 1 && (end as u64) < self.last;
            let interval = Interval {
                lo: if self.is_exact { interval.lo + start } else { self.run.interval as usize },
                hi: if goes_on { usize::MAX } else { interval.hi.saturating_add(start) },
            };
            let known = self.run.trigger.filter(|_| !self.is_exact).map(|it| it as usize);
            let trigger = known.unwrap_or(trigger + start);
            return Ok((Decision { interval, trigger, step: step + start, cut: false }, true));
        }
        // The trigger was violated before, so it has been decided; its demand is still not met.
        let is_bad =
            self.need.watch.is_some_and(|watch| self.is_bad(&watch, trace, step, end as u64 == self.last));
        match is_bad || !self.is_exact {
            true => Ok((self.own(), is_bad)),
            false => Err(Error::Internal(format!(
                "the definitions do not confirm the violation at step {} of `{}`",
                self.run.first,
                self.requirement.key()
            ))),
        }
    }

    fn is_bad(&self, watch: &Watch, trace: &Trace, step: usize, is_whole: bool) -> bool {
        let at = |formula, step| matches!(logic::holds_at(self.store, formula, trace, step), Ok(true));
        let is_last = is_whole && step + 1 == trace.len();
        at(watch.bad, step) || (if is_last { at(watch.bad_at_end, step) } else { at(watch.left, step + 1) })
    }

    /// The decision as the engine found it.
    fn own(&self) -> Decision {
        decided(self.requirement, &self.run)
    }
}

/// The decision of a requirement at the first step of a violation.
pub(in crate::commands) fn decided(requirement: &Requirement, run: &Run) -> Decision {
    let Run { first, interval, trigger, .. } = *run;
    let step = first as usize;
    let distance = match requirement.timing {
        Timing::Within(steps) | Timing::For(steps) => steps,
        Timing::After(steps) => steps + 1,
        Timing::Next => 1,
        _ => 0,
    };
    let trigger = trigger.unwrap_or(first.saturating_sub(distance).max(interval)) as usize;
    Decision { interval: Interval { lo: interval as usize, hi: usize::MAX }, trigger, step, cut: false }
}
