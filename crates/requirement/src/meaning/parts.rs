//! A requirement as a player meets it: a condition on every step, and for `eventually` one on infinitely many steps.
//!
//! On an endless trace the requirement holds exactly when `safety` holds at every step and `live` at infinitely many. Why: `owed` at a step
//! says that a trigger has had no response since. If a trigger is never answered and its interval never ends, `owed` stays true; if `owed`
//! stays true, the trigger that made it true is never answered. So an unanswered trigger is either left behind at the end of its
//! interval, which one step shows, or it is `owed` from some step on.
//!
//! In the reading *any end* a trace may stop after each step, so the requirement must hold on every prefix: `eventually` then means now.

use super::Demand;
use super::past::{Frame, demanded};
use crate::{Refusal, Requirement, Timing};
use logic::{Bound, Formula, Store};

/// When a trace ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// Never.
    #[default]
    Endless,
    /// Perhaps after this step, whichever it is: each prefix of a trace must satisfy the requirement, as in FRET.
    AnyEnd,
}

impl Reading {
    /// The name of the reading, as in commands and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Reading::Endless => "endless",
            Reading::AnyEnd => "any-end",
        }
    }
}

/// The two conditions of a requirement, and its trigger; all are past-time formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// Must hold at every step.
    pub safety: Formula,
    /// Must hold at infinitely many steps.
    pub live: Option<Formula>,
    /// A trigger is now.
    pub trigger: Formula,
    /// In scope now.
    pub scope: Formula,
}

/// The parts of a requirement.
///
/// # Errors
/// The requirement refers to the future.
pub fn parts(store: &mut Store, requirement: &Requirement, reading: Reading) -> Result<Parts, Refusal> {
    let (frame, demand) = demanded(store, requirement)?;
    let (safety, live) = match demand {
        Demand::Meet(timing, response) => frame.demanded(store, timing, response, reading),
        Demand::Avoid(steps, response) => (frame.denied(store, steps, response), None),
    };
    Ok(Parts {
        safety: logic::simplify(store, safety),
        live: live.map(|it| logic::simplify(store, it)),
        trigger: logic::simplify(store, frame.trigger),
        scope: logic::simplify(store, frame.scope),
    })
}

impl Frame {
    fn demanded(
        &self,
        s: &mut Store,
        timing: Timing,
        response: Formula,
        reading: Reading,
    ) -> (Formula, Option<Formula>) {
        let Frame { scope, trigger, armed, .. } = *self;
        let absent = s.not(response);
        let safety = match timing {
            Timing::Immediately => s.implies(trigger, response),
            Timing::Next => {
                let triggered = s.yesterday(trigger);
                let due = s.and2(scope, triggered);
                s.implies(due, response)
            }
            Timing::Always => s.implies(armed, response),
            Timing::Never => unreachable!("the demand of `never` is `always` of the absence"),
            Timing::Eventually => {
                let owed = self.owed(s, absent);
                let good = s.not(owed);
                return match reading {
                    Reading::Endless => (self.good_at_ends(s, good), Some(good)),
                    Reading::AnyEnd => (good, None),
                };
            }
            Timing::Finally => {
                let bad = s.and2(armed, absent);
                let good = s.not(bad);
                match reading {
                    Reading::Endless => self.good_at_ends(s, good),
                    Reading::AnyEnd => good,
                }
            }
            Timing::Within(steps) => self.answered_within(s, steps, absent),
            Timing::For(steps) => self.held_for(s, steps, response),
            Timing::After(steps) => self.answered_after(s, steps, response),
            Timing::Until(stop) => {
                let goes_on = s.not(stop);
                let running = s.and2(scope, goes_on);
                let start = s.and2(trigger, goes_on);
                let owing = s.since(Bound::ALL, running, start);
                s.implies(owing, response)
            }
            Timing::Before(stop) => {
                let owed = self.owed(s, absent);
                let owed = s.yesterday(owed);
                let pending = s.or2(trigger, owed);
                let bad = s.and([scope, stop, pending]);
                s.not(bad)
            }
        };
        (safety, None)
    }

    /// No trigger is `steps` steps old without a response since; the oldest one decides.
    fn answered_within(&self, s: &mut Store, steps: u64, absent: Formula) -> Formula {
        let waiting = s.and2(self.scope, absent);
        let start = s.and2(self.trigger, absent);
        let late = s.since(Bound::new(steps, None), waiting, start);
        s.not(late)
    }

    /// Each trigger that is at most `steps` steps old has the condition.
    fn held_for(&self, s: &mut Store, steps: u64, condition: Formula) -> Formula {
        let due = s.since(Bound::upto(steps), self.scope, self.trigger);
        s.implies(due, condition)
    }

    /// The response is absent for `steps` steps after each trigger and comes one step later. As long as that was kept, the oldest trigger
    /// without a response decides: until it is `steps` steps old, the response must be absent; one step later it is due, and it is also
    /// forbidden if another trigger came since. So one counter is enough.
    fn answered_after(&self, s: &mut Store, steps: u64, response: Formula) -> Formula {
        let Frame { scope, trigger, .. } = *self;
        let absent = s.not(response);
        let waiting = s.and2(scope, absent);
        let start = s.and2(trigger, absent);
        let before = |s: &mut Store, f: Formula| {
            let before = s.yesterday(f);
            s.and2(scope, before)
        };
        let pending = s.since(Bound::ALL, waiting, start);
        let pending = before(s, pending);
        let due = s.since(Bound::new(steps, None), waiting, start);
        let due = before(s, due);
        let again = s.and2(start, pending);
        let again = s.since(Bound::ALL, waiting, again);
        let again = before(s, again);
        let not_due = s.not(due);
        let early = s.and2(pending, not_due);
        let early = s.or([trigger, early, again]);
        let early = s.implies(early, absent);
        let late = s.implies(due, response);
        s.and2(early, late)
    }

    /// The denial of `after n`: a response at the point only if there was one before.
    fn denied(&self, s: &mut Store, steps: u64, response: Formula) -> Formula {
        let due = self.triggered_exactly(s, steps + 1);
        let early = s.once(Bound::new(1, steps + 1), response);
        let absent = s.not(response);
        let met = s.or2(early, absent);
        s.implies(due, met)
    }

    /// Good at the last step of each interval that has ended, seen one step later.
    fn good_at_ends(&self, s: &mut Store, good: Formula) -> Formula {
        if !self.closes {
            return s.top();
        }
        let out = s.not(self.scope);
        let before = s.weak_yesterday(good);
        s.implies(out, before)
    }
}
