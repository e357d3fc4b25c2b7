//! Whether a timing is met from a trigger, by looking ahead to the next point where something holds.

use super::predicates::Signal;
use super::{Interval, NEVER};
use crate::{Requirement, Timing};

/// For each point of an interval, the next point at or behind it where the response holds, fails, or the stop holds.
pub(super) struct Lookahead<'a> {
    interval: Interval,
    response: &'a Signal,
    holds: Vec<usize>,
    fails: Vec<usize>,
    stop: Vec<usize>,
}

impl<'a> Lookahead<'a> {
    pub(super) fn new(interval: Interval, response: &'a Signal, stop: Option<&Signal>) -> Self {
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

    /// If the demand from trigger `t` is not met, the step at which that is decided.
    pub(super) fn unmet(&self, requirement: &Requirement, t: usize) -> Option<usize> {
        let Interval { lo, hi } = self.interval;
        // Where the response is denied, its absence is what must be seen.
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
            // Denied: a response too early is fine, and so is none at the point itself.
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

    /// The step at which the demand from trigger `t`, which is met, is met for good, and whether that is only because
    /// the interval ends or the stop never comes.
    pub(super) fn met(&self, requirement: &Requirement, t: usize) -> (usize, bool) {
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
            // If it is seen only later, the interval ended first.
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
