//! Typical examples: longer than the shortest, with something before the trigger and after the response, as in a real run.
//!
//! A few steps are drawn up by hand for each scope and timing, with the mode, the condition, the stop and the response true or false as
//! the situation wants it. The oracle decides whether the trace shows the situation; if not, or if the values exclude each other, there
//! is no such example.

use super::letters::Alphabet;
use super::{Goal, Types, Witness, shows};
use crate::meaning::oracle::judge;
use crate::{Condition, Requirement, Scope, Timing};
use logic::{Formula, Store};

/// What a typical trace shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situation {
    /// The response comes in the middle of the run, and not at the first or last step at which it may come.
    Answered,
    /// The interval ends before the response is due, so that it need not come.
    CutShort,
}

/// The longest duration that a typical trace shows.
const MAX_STEPS: u64 = 12;

/// The steps of a run at which something holds, both ends included.
type Steps = (usize, usize);

/// A run, drawn up.
struct Plan {
    length: usize,
    mode: Option<Steps>,
    condition: Steps,
    stop: Option<usize>,
    response: Option<Steps>,
}

/// A typical trace; `None` if there is none of this kind.
pub fn typical(
    store: &mut Store,
    requirement: &Requirement,
    types: &Types,
    situation: Situation,
) -> Option<Witness> {
    let alphabet = Alphabet::new(store, requirement, types)?;
    let plan = match situation {
        Situation::Answered => answered(requirement)?,
        Situation::CutShort => cut_short(requirement)?,
    };
    let word: Option<Vec<usize>> =
        (0..plan.length).map(|step| alphabet.find(store, &plan.wanted(requirement, step))).collect();
    let word = word?;
    let trace = alphabet.trace(&word);
    let verdict = match situation {
        Situation::Answered => shows(store, requirement, &trace, Goal::Satisfied)?,
        Situation::CutShort => {
            let verdict = judge(store, requirement, &trace).ok()?;
            let cut = verdict.holds() && verdict.met.is_some_and(|met| met.cut);
            cut.then_some(verdict)?
        }
    };
    Some(Witness { trace: alphabet.shown(&word), verdict, shortest: false })
}

impl Plan {
    /// What should be true or false at a step.
    fn wanted(&self, requirement: &Requirement, step: usize) -> Vec<(Formula, bool)> {
        let within = |steps: Option<Steps>| steps.is_some_and(|(from, to)| (from..=to).contains(&step));
        let mode = requirement.scope.mode().map(|mode| (mode, within(self.mode)));
        let condition = requirement.condition.expression();
        let condition = condition.map(|condition| (condition, within(Some(self.condition))));
        let stop = requirement.timing.stop().map(|stop| (stop, self.stop == Some(step)));
        let response = (requirement.response, within(self.response));
        mode.into_iter().chain(condition).chain(stop).chain([response]).collect()
    }
}

/// The response in the middle.
fn answered(requirement: &Requirement) -> Option<Plan> {
    let lo =
        usize::from(requirement.scope != Scope::Global && !matches!(requirement.scope, Scope::Before(_)));
    let trigger = if requirement.condition == Condition::Null { lo } else { lo + 2 };
    let steps = requirement.timing.steps().unwrap_or(0);
    let steps = usize::try_from(steps).ok().filter(|_| steps <= MAX_STEPS)?;
    let length = (trigger + 6).max(trigger + steps + 4);
    let hi = if requirement.scope == Scope::Global { length - 1 } else { length - 2 };
    let (response, stop) = match requirement.timing {
        Timing::Immediately => ((trigger, trigger), None),
        Timing::Next => ((trigger + 1, trigger + 1), None),
        Timing::Finally => ((hi, hi), None),
        Timing::Always => ((trigger, hi), None),
        Timing::Never => ((lo, trigger.checked_sub(1).filter(|&end| end >= lo)?), None),
        Timing::Eventually => ((trigger + 2, trigger + 2), None),
        Timing::Within(_) => {
            let middle = trigger + 2.min(steps.div_ceil(2));
            ((middle, middle), None)
        }
        Timing::For(_) => ((trigger, trigger + steps), None),
        Timing::After(_) => ((trigger + steps + 1, trigger + steps + 1), None),
        Timing::Until(_) => ((trigger, trigger + 2), Some(trigger + 3)),
        Timing::Before(_) => ((trigger + 2, trigger + 2), Some(trigger + 4)),
    };
    let mode = match requirement.scope {
        Scope::Global => None,
        Scope::In(_) => Some((lo, hi)),
        Scope::Before(_) => Some((hi + 1, hi + 1)),
        Scope::After(_) => Some((0, 0)),
        // What these scopes require, they forbid elsewhere; the shortest examples show that best.
        Scope::NotIn(_) | Scope::OnlyIn(_) | Scope::OnlyBefore(_) | Scope::OnlyAfter(_) => return None,
    };
    Some(Plan { length, mode, condition: (trigger, trigger), stop, response: Some(response) })
}

/// An interval that ends early.
fn cut_short(requirement: &Requirement) -> Option<Plan> {
    let Scope::In(_) = requirement.scope else { return None };
    let lo = 1;
    let trigger = if requirement.condition == Condition::Null { lo } else { lo + 1 };
    let (hi, response) = match requirement.timing {
        Timing::Next => (trigger, None),
        Timing::Within(_) | Timing::After(_) => (trigger + 1, None),
        Timing::For(_) => (trigger + 1, Some((trigger, trigger + 1))),
        Timing::Immediately | Timing::Finally | Timing::Always | Timing::Never => return None,
        Timing::Eventually | Timing::Until(_) | Timing::Before(_) => return None,
    };
    Some(Plan { length: hi + 3, mode: Some((lo, hi)), condition: (trigger, trigger), stop: None, response })
}
