//! Walking a compiled system in discrete time with exact ages.
//!
//! Ages are capped where nothing tells them apart any more, so that there are finitely many states.

use crate::classes::Class;
use crate::machine::Machine;
use crate::reading::Reading;

/// A state with exact ages.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Still {
    pub(crate) slots: Vec<Class>,
    pub(crate) ages: Vec<i64>,
}

/// The state at the start.
pub(crate) fn start(machine: &Machine<'_>) -> Still {
    Still { slots: machine.initial(), ages: vec![0; machine.timers.len()] }
}

/// The states that one reaction leads to, and the rules.
pub(crate) fn react(machine: &Machine<'_>, still: &Still) -> Vec<(usize, Still)> {
    let mut next = Vec::new();
    for (number, rule) in machine.rules.iter().enumerate() {
        if machine.holds(rule, &still.slots) && machine.changes(rule, &still.slots) {
            let mut after = still.clone();
            machine.fire(rule, &mut after.slots);
            for (age, class) in after.ages.iter_mut().zip(&after.slots[machine.first_timer()..]) {
                if *class == 0 {
                    *age = 0;
                }
            }
            next.push((number, after));
        }
    }
    next
}

/// All stable states that reactions lead to, sorted.
pub(crate) fn settle(machine: &Machine<'_>, still: Still, limit: usize) -> Vec<Still> {
    let mut seen = vec![still];
    let mut stable = Vec::new();
    let mut next = 0;
    while next < seen.len() && seen.len() < limit {
        let reactions = react(machine, &seen[next]);
        if reactions.is_empty() {
            stable.push(seen[next].clone());
        }
        for (_, after) in reactions {
            if !seen.contains(&after) {
                seen.push(after);
            }
        }
        next += 1;
    }
    stable.sort_unstable();
    stable
}

/// The longest delay, if there is one.
pub(crate) fn deadline(machine: &Machine<'_>, still: &Still) -> Option<i64> {
    let mut later = still.slots.clone();
    if machine.semantics.reading == Reading::Synchronous {
        machine.wait(&mut later);
    }
    let waiting = machine.rules.iter().filter(|rule| machine.waits(rule, &later));
    let last = waiting.filter_map(|rule| machine.last_delay(rule, 1, |timer| still.ages[timer]));
    last.map(|(last, _)| last).min()
}

/// After a delay and a combination of inputs, before reactions; `None` if that cannot be.
pub(crate) fn wait(machine: &Machine<'_>, still: &Still, by: i64, inputs: usize) -> Option<Still> {
    if deadline(machine, still).is_some_and(|last| by > last) {
        return None;
    }
    let mut next = still.clone();
    machine.wait(&mut next.slots);
    machine.choose(&still.slots, &mut next.slots, inputs);
    for (timer, ticker) in machine.timers.iter().enumerate() {
        let cap = ticker.ages.start(ticker.ages.count() as Class - 1).0;
        next.ages[timer] = (still.ages[timer] + by).min(cap.max(1));
        next.slots[machine.first_timer() + timer] = ticker.ages.class_of(next.ages[timer], 1);
    }
    (!machine.forbidden(&next.slots)).then_some(next)
}

/// Delays that tell states apart: one, and those that bring a timer to the start of a class.
pub(crate) fn delays(machine: &Machine<'_>, still: &Still, delays: &mut Vec<i64>) {
    delays.push(1);
    for (ticker, age) in machine.timers.iter().zip(&still.ages) {
        delays.extend(ticker.ages.starts.iter().map(|(start, _)| start - age).filter(|by| *by > 0));
    }
}
