//! Runs that may become cases, and which obligations each of them meets after how many rows.
//!
//! A run obeys the deadlines of the system and the restrictions of its environment, and never leaves the system a choice.

use crate::closure::Closure;
use crate::explore::Budget;
use crate::machine::Machine;
use crate::scenario::Instant;
use crate::semantics::walk;
use crate::suite::drive;
use crate::suite::obligations::Judge;
use crate::suite::paths::{Stimulus, values};
use logic::{RBig, Value};

/// A run, and what it shows.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) rows: Vec<Instant>,
    /// Obligations, each with the number of rows after which it is met.
    pub(crate) goals: Vec<(usize, usize)>,
}

/// Runs the samples on a system: `None` if it may not be sampled like that, or has a choice. The last requirement to react is kept for pairs.
pub(crate) fn candidate(machine: &Machine<'_>, judge: &Judge<'_>, stimulus: &Stimulus) -> Option<Candidate> {
    let mut found = Candidate { rows: Vec::new(), goals: Vec::new() };
    let mut still = walk::start(machine);
    let mut last = None;
    let first: Vec<(usize, Value)> = values(machine, &still.slots, true);
    let mut time = RBig::ZERO;
    for (row, (at, inputs)) in [(RBig::ZERO, first)].iter().chain(stimulus).enumerate() {
        if row > 0 {
            let by = i64::try_from((at - &time).floor()).ok()?;
            if by < 1 || walk::deadline(machine, &still).is_some_and(|most| by > most) {
                return None;
            }
            still = drive::sample(machine, &still, by, &drive::classes(machine, inputs));
            if machine.forbidden(&still.slots) {
                return None;
            }
        }
        time = at.clone();
        let closure = Closure::of(machine, &still.slots, Budget::default().reactions)?;
        let outcome = drive::only_outcome(&closure)?;
        let fired = closure.path(outcome);
        for goal in judge.met(&closure).into_iter().chain(judge.pairs(&mut last, &fired)) {
            if !found.goals.iter().any(|(known, _)| *known == goal) {
                found.goals.push((goal, row + 1));
            }
        }
        still = drive::rest(machine, &still, &closure.states[outcome]);
        let outputs = values(machine, &still.slots, false);
        found.rows.push(Instant { time: at.clone(), inputs: inputs.clone(), fired, outputs });
    }
    Some(found)
}
