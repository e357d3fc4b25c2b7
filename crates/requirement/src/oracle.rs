//! The interval oracle: the definitions of the language, computed on a trace. It makes no formula and shares no
//! code with those that do.
//!
//! A scope is a list of maximal intervals, a condition picks the triggers in each, and a timing must be met from each
//! trigger inside its interval. Lassos are read as long finite pieces of the infinite trace: intervals and triggers
//! repeat with the loop, so looking at the first rounds decides all of them; an end that never comes is `NEVER`.

mod intervals;
mod predicates;
mod timing;

use crate::{Condition, Requirement, Timing};
use logic::{EvalError, Store, Trace};
use predicates::Signals;

/// The position of something that never comes.
pub(crate) const NEVER: usize = usize::MAX;

/// A maximal stretch of positions in scope, both ends included; `hi` is [`usize::MAX`] for one without end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// First position.
    pub lo: usize,
    /// Last position.
    pub hi: usize,
}

/// What the oracle says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The trigger that is not met and is decided first, if the requirement is violated.
    pub violation: Option<Decision>,
    /// The trigger that is met and is decided first, if there is one.
    pub met: Option<Decision>,
    /// How many intervals were looked at.
    pub intervals: usize,
    /// How many triggers were looked at; none means that the requirement holds vacuously.
    pub triggers: usize,
}

impl Verdict {
    /// Whether the requirement holds.
    pub fn holds(&self) -> bool {
        self.violation.is_none()
    }

    /// Whether it holds only because nothing triggers it.
    pub fn vacuous(&self) -> bool {
        self.holds() && self.triggers == 0
    }

    /// The trigger that decides the verdict; none if it holds vacuously.
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
    /// The step whose values decide whether the demand is met; [`usize::MAX`] if that takes for ever.
    pub step: usize,
    /// Whether it is met only because the interval ends, or the stop never comes.
    pub cut: bool,
}

/// Whether a requirement holds on a trace, by the definitions.
pub fn judge(store: &Store, requirement: &Requirement, trace: &Trace) -> Result<Verdict, EvalError> {
    let signals = Signals::new(store, requirement, trace);
    let mut verdict = Verdict { violation: None, met: None, intervals: 0, triggers: 0 };
    for interval in intervals::intervals(&signals, requirement.scope)? {
        verdict.intervals += 1;
        let response = signals.over(requirement.response, interval)?;
        let stop = requirement.timing.stop().map(|stop| signals.over(stop, interval)).transpose()?;
        let ahead = timing::Lookahead::new(interval, &response, stop.as_ref());
        for trigger in triggers(&signals, requirement.condition, interval)? {
            verdict.triggers += 1;
            let (from, to) = looked_at(requirement.timing, trigger, interval);
            response.require(from, to)?;
            stop.as_ref().map_or(Ok(()), |stop| stop.require(from, to))?;
            let (slot, (step, cut)) = match ahead.unmet(requirement, trigger) {
                Some(step) => (&mut verdict.violation, (step, false)),
                None => (&mut verdict.met, ahead.met(requirement, trigger)),
            };
            // A demand that is met by what happens says more than one that is cut off.
            if slot.is_none_or(|earlier| (cut, step) < (earlier.cut, earlier.step)) {
                *slot = Some(Decision { interval, trigger, step, cut });
            }
        }
    }
    Ok(verdict)
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
