//! The interval oracle: the definitions of the language, computed on a trace. It builds no formula and shares no code with the
//! generators that do.
//!
//! A scope is a list of maximal intervals, a condition selects the triggers in each, and a timing must be met from each trigger
//! inside its interval. Lassos are read as long finite prefixes of the infinite trace: intervals and triggers repeat with the loop,
//! so the first iterations decide all of them; an end that is never reached is `NEVER`.

mod predicates;

use crate::{Condition, Requirement, Scope, Timing};
use logic::{EvalError, Store, Trace};
use predicates::{Signal, Signals};

/// The position of something that never happens.
pub(crate) const NEVER: usize = usize::MAX;

/// A maximal range of positions in scope, inclusive; `hi` is [`usize::MAX`] if it is unbounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// First position.
    pub lo: usize,
    /// Last position.
    pub hi: usize,
}

/// The oracle's verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The unmet trigger that is decided first, if the requirement is violated.
    pub violation: Option<Decision>,
    /// The met trigger that is decided first, if there is one.
    pub met: Option<Decision>,
    /// The number of intervals examined.
    pub intervals: usize,
    /// The number of triggers examined; zero means that the requirement holds vacuously.
    pub triggers: usize,
}

impl Verdict {
    /// Whether the requirement holds.
    pub fn holds(&self) -> bool {
        self.violation.is_none()
    }

    /// Whether it holds only because it is never triggered.
    pub fn vacuous(&self) -> bool {
        self.holds() && self.triggers == 0
    }

    /// The trigger that decides the verdict; `None` if it holds vacuously.
    pub fn decision(&self) -> Option<Decision> {
        self.violation.or(self.met)
    }
}

/// A trigger, and when its demand was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The interval.
    pub interval: Interval,
    /// The trigger.
    pub trigger: usize,
    /// The step whose values decide whether the demand is met; [`usize::MAX`] if that takes forever.
    pub step: usize,
    /// Whether it is met only because the interval ends, or the stop never holds.
    pub cut: bool,
}

/// Whether a requirement holds on a trace, by the definitions.
pub fn judge(store: &Store, requirement: &Requirement, trace: &Trace) -> Result<Verdict, EvalError> {
    let mut verdict = Verdict { violation: None, met: None, intervals: 0, triggers: 0 };
    let intervals = decide(store, requirement, trace, |decision, is_met| {
        verdict.triggers += 1;
        let slot = if is_met { &mut verdict.met } else { &mut verdict.violation };
        // A demand met by a response is more informative than one that is cut off.
        if slot.is_none_or(|earlier| (decision.cut, decision.step) < (earlier.cut, earlier.step)) {
            *slot = Some(decision);
        }
    })?;
    Ok(Verdict { intervals: intervals.len(), ..verdict })
}

/// All unmet triggers on a trace, in their order.
pub fn violations(
    store: &Store,
    requirement: &Requirement,
    trace: &Trace,
) -> Result<Vec<Decision>, EvalError> {
    let mut unmet = Vec::new();
    decide(store, requirement, trace, |decision, is_met| unmet.extend((!is_met).then_some(decision)))?;
    Ok(unmet)
}

/// Triggers, each with whether it is met.
pub type Triggers = Vec<(Decision, bool)>;

/// All intervals on a trace, and all triggers in their order.
pub fn decisions(
    store: &Store,
    requirement: &Requirement,
    trace: &Trace,
) -> Result<(Vec<Interval>, Triggers), EvalError> {
    let mut all = Vec::new();
    let intervals = decide(store, requirement, trace, |decision, is_met| all.push((decision, is_met)))?;
    Ok((intervals, all))
}

/// Decides each trigger, and says whether it is met; returns the intervals.
fn decide(
    store: &Store,
    requirement: &Requirement,
    trace: &Trace,
    mut found: impl FnMut(Decision, bool),
) -> Result<Vec<Interval>, EvalError> {
    let signals = Signals::new(store, requirement, trace);
    let intervals = intervals(&signals, requirement.scope)?;
    for &interval in &intervals {
        let response = signals.over(requirement.response, interval)?;
        let stop = requirement.timing.stop().map(|stop| signals.over(stop, interval)).transpose()?;
        let ahead = Lookahead::new(interval, &response, stop.as_ref());
        for trigger in triggers(&signals, requirement.condition, interval)? {
            let (from, to) = looked_at(requirement.timing, trigger, interval);
            response.require(from, to)?;
            stop.as_ref().map_or(Ok(()), |stop| stop.require(from, to))?;
            let (is_met, (step, cut)) = match ahead.unmet(requirement, trigger) {
                Some(step) => (false, (step, false)),
                None => (true, ahead.met(requirement, trigger)),
            };
            found(Decision { interval, trigger, step, cut }, is_met);
        }
    }
    Ok(intervals)
}

/// The positions at which the response, or the stop, may matter to a trigger.
fn looked_at(timing: Timing, trigger: usize, interval: Interval) -> (usize, usize) {
    match timing {
        Timing::Immediately => (trigger, trigger),
        Timing::Next => (trigger + 1, interval.hi.min(trigger + 1)),
        Timing::Finally => (interval.hi, interval.hi),
        Timing::Always | Timing::Never | Timing::Eventually | Timing::Until(_) | Timing::Before(_) => {
            (trigger, interval.hi)
        }
        Timing::Within(n) | Timing::For(n) | Timing::After(n) => {
            let steps = usize::try_from(n).unwrap_or(NEVER - 1).saturating_add(1);
            (trigger, interval.hi.min(trigger.saturating_add(steps)))
        }
    }
}

fn triggers(signals: &Signals, condition: Condition, interval: Interval) -> Result<Vec<usize>, EvalError> {
    let points = interval.lo..=interval.hi.min(signals.last_trigger());
    Ok(match condition {
        Condition::Null => vec![interval.lo],
        Condition::Holding(condition) => {
            let holds = signals.over(condition, interval)?;
            holds.require(interval.lo, interval.hi)?;
            points.filter(|&t| holds.at(t)).collect()
        }
        Condition::Regular(condition) => {
            let holds = signals.over(condition, interval)?;
            holds.require(interval.lo, interval.hi)?;
            points.filter(|&t| holds.at(t) && (t == interval.lo || !holds.at(t - 1))).collect()
        }
    })
}

/// The intervals of a scope on a trace; on a lasso, those that begin in the first iterations.
fn intervals(signals: &Signals, scope: Scope) -> Result<Vec<Interval>, EvalError> {
    let whole = Interval { lo: 0, hi: signals.end() };
    let Some(mode) = scope.mode() else { return Ok(vec![whole]) };
    let signal = signals.over(mode, whole)?;
    signal.require(0, whole.hi)?;
    let mode: Vec<bool> = (0..signals.positions()).map(|t| signal.at(t)).collect();
    let first = mode.iter().position(|&holds| holds);
    // The last point of the first run of the mode.
    let first_run_end = first.map(|first| match mode[first..].iter().position(|&holds| !holds) {
        Some(length) => first + length - 1,
        None => signals.end(),
    });
    let from = |lo: usize| Interval { lo, hi: signals.end() };
    let upto = |hi: Option<usize>| hi.map_or(whole, |hi| Interval { lo: 0, hi });
    let one = |interval: Option<Interval>| interval.into_iter().collect();
    Ok(match scope {
        Scope::Global => vec![whole],
        Scope::In(_) => runs(signals, &mode, true),
        Scope::NotIn(_) | Scope::OnlyIn(_) => runs(signals, &mode, false),
        Scope::Before(_) => one((first != Some(0)).then(|| upto(first.map(|first| first - 1)))),
        Scope::After(_) => one(first_run_end.filter(|&end| end < signals.end()).map(|end| from(end + 1))),
        Scope::OnlyBefore(_) => one(first.map(from)),
        Scope::OnlyAfter(_) => vec![upto(first_run_end)],
    })
}

/// The maximal runs of a value. A run that continues past the examined iterations is infinite if it fills a whole loop, and otherwise
/// only repeats an earlier one.
fn runs(signals: &Signals, mode: &[bool], value: bool) -> Vec<Interval> {
    let mut runs = Vec::new();
    let mut lo = 0;
    while lo < mode.len() {
        if mode[lo] != value {
            lo += 1;
            continue;
        }
        let length = mode[lo..].iter().take_while(|&&holds| holds == value).count();
        let past = lo + length;
        let hi = if past < mode.len() { past - 1 } else { signals.end() };
        let cut_off = past == mode.len() && signals.period().is_some_and(|period| length < period);
        if !cut_off && lo <= signals.last_trigger() {
            runs.push(Interval { lo, hi });
        }
        lo = past;
    }
    runs
}

/// For each point of an interval, the next point at or after it where the response holds, fails, or the stop holds.
struct Lookahead<'a> {
    interval: Interval,
    response: &'a Signal,
    holds: Vec<usize>,
    fails: Vec<usize>,
    stop: Vec<usize>,
}

impl<'a> Lookahead<'a> {
    fn new(interval: Interval, response: &'a Signal, stop: Option<&Signal>) -> Self {
        let next = |signal: &Signal, value: bool| {
            let mut seen = NEVER;
            let mut next: Vec<usize> = (interval.lo..=interval.hi.min(signal.last()))
                .rev()
                .map(|t| {
                    seen = if signal.at(t) == value { t } else { seen };
                    seen
                })
                .collect();
            next.reverse();
            next
        };
        Lookahead {
            interval,
            response,
            holds: next(response, true),
            fails: next(response, false),
            stop: stop.map(|stop| next(stop, true)).unwrap_or_default(),
        }
    }

    /// If the demand of trigger `t` is not met, the step at which that is decided.
    fn unmet(&self, requirement: &Requirement, t: usize) -> Option<usize> {
        let Interval { lo, hi } = self.interval;
        // Where the response is denied, its absence is what counts.
        let wanted = !requirement.scope.denies();
        let (holds, fails) = (self.holds[t - lo], self.fails[t - lo]);
        let (seen, missed) = if wanted { (holds, fails) } else { (fails, holds) };
        let plus = |steps: u64| t.saturating_add(usize::try_from(steps).unwrap_or(NEVER));
        let inside = |point: usize| point <= hi && point != NEVER;
        let at = |point: usize| (inside(point) && self.response.at(point) != wanted).then_some(point);
        let throughout = |last: usize| Some(missed).filter(|&missed| inside(missed) && missed <= last);
        let somewhere = |last: usize| (seen == NEVER || seen > last).then_some(last);
        match (requirement.timing, wanted) {
            (Timing::Immediately, _) => at(t),
            (Timing::Next, _) => at(t + 1),
            (Timing::Finally, _) => at(hi),
            (Timing::Always, true) | (Timing::Eventually, false) => throughout(hi),
            (Timing::Eventually, true) | (Timing::Always, false) => somewhere(hi),
            (Timing::Never, true) => Some(holds).filter(|&holds| inside(holds)),
            (Timing::Never, false) => (!inside(holds)).then_some(hi),
            (Timing::Within(n), true) | (Timing::For(n), false) => {
                Some(plus(n)).filter(|&last| inside(last)).and_then(somewhere)
            }
            (Timing::For(n), true) | (Timing::Within(n), false) => throughout(plus(n)),
            (Timing::After(n), true) => Some(holds)
                .filter(|&early| inside(early) && early <= plus(n))
                .or_else(|| at(plus(n).saturating_add(1))),
            // Denied: an early response is allowed, and so is none at the point itself.
            (Timing::After(n), false) => {
                if holds <= plus(n) {
                    None
                } else {
                    at(plus(n).saturating_add(1))
                }
            }
            (Timing::Until(_), true) | (Timing::Before(_), false) => {
                throughout(hi).filter(|&missed| missed < self.stop[t - lo])
            }
            (Timing::Before(_), true) | (Timing::Until(_), false) => {
                Some(self.stop[t - lo]).filter(|&stop| inside(stop) && seen >= stop)
            }
        }
    }

    /// The step at which the met demand of trigger `t` is decided, and whether it is met only because the interval ends or the stop
    /// never holds.
    fn met(&self, requirement: &Requirement, t: usize) -> (usize, bool) {
        let Interval { lo, hi } = self.interval;
        let wanted = !requirement.scope.denies();
        let (holds, fails) = (self.holds[t - lo], self.fails[t - lo]);
        let seen = if wanted { holds } else { fails };
        let plus = |steps: u64| t.saturating_add(usize::try_from(steps).unwrap_or(NEVER));
        let by = |point: usize| (hi.min(point), point > hi);
        match (requirement.timing, wanted) {
            (Timing::Immediately, _) => (t, false),
            (Timing::Next, _) => by(t + 1),
            (Timing::Finally, _)
            | (Timing::Always, true)
            | (Timing::Eventually, false)
            | (Timing::Never, true) => (hi, false),
            (Timing::Eventually, true) | (Timing::Always, false) => (seen, false),
            (Timing::Never, false) => (holds, false),
            // If it holds only later, the interval ended first.
            (Timing::Within(n), true) | (Timing::For(n), false) if seen <= plus(n) => by(seen),
            (Timing::Within(_), true) | (Timing::For(_), false) => (hi, true),
            (Timing::For(n), true) | (Timing::Within(n), false) => by(plus(n)),
            (Timing::After(n), true) => by(plus(n).saturating_add(1)),
            (Timing::After(n), false) => by(plus(n).saturating_add(1).min(holds)),
            (Timing::Until(_), true) | (Timing::Before(_), false) => by(self.stop[t - lo]),
            (Timing::Before(_), true) | (Timing::Until(_), false) if self.stop[t - lo] > hi => (hi, true),
            (Timing::Before(_), true) | (Timing::Until(_), false) => (seen, false),
        }
    }
}
