//! Running a compiled system on given times and inputs, with exact ages. Deadlines are not looked at: whoever gives the samples
//! has, and a mutant is an implementation that is sampled when the system is.

use crate::classes::Class;
use crate::closure::Closure;
use crate::machine::{Machine, Rule};
use crate::scenario::Instant;
use crate::semantics::walk::{self, Still};
use crate::step::has_cycle;
use logic::{RBig, Value};

/// The most states that one reaction passes through.
const REACTIONS: usize = 2_000;

/// The number of reactions that are followed before a graph is built.
const FEW: usize = 8;

/// After a delay and new inputs, before any reaction.
pub(crate) fn sample(machine: &Machine<'_>, still: &Still, by: i64, inputs: &[Class]) -> Still {
    let mut next = still.clone();
    machine.wait(&mut next.slots);
    let places = machine.variables.iter().enumerate().filter(|(_, it)| it.input);
    for ((place, _), class) in places.zip(inputs) {
        next.slots[place] = *class;
    }
    for (timer, ticker) in machine.timers.iter().enumerate() {
        let cap = ticker.ages.start(ticker.ages.count() as Class - 1).0;
        next.ages[timer] = still.ages[timer].saturating_add(by).min(cap.max(1));
        next.slots[machine.first_timer() + timer] = ticker.ages.class_of(next.ages[timer], 1);
    }
    next
}

/// The state that reactions end in, given its slots.
pub(crate) fn rest(machine: &Machine<'_>, sampled: &Still, stable: &[Class]) -> Still {
    let mut ages = sampled.ages.clone();
    for (age, class) in ages.iter_mut().zip(&stable[machine.first_timer()..]) {
        if *class == 0 {
            *age = 0;
        }
    }
    Still { slots: stable.to_vec(), ages }
}

/// The one stable state of a closure; `None` if there is a choice, or no end.
pub(crate) fn only_outcome(closure: &Closure) -> Option<usize> {
    let mut stable = closure.stable();
    let first = stable.next()?;
    (stable.next().is_none() && !has_cycle(&targets(closure))).then_some(first)
}

/// Whether reactions can go on forever.
pub(crate) fn endless(closure: &Closure) -> bool {
    closure.states.len() > 1 && has_cycle(&targets(closure))
}

fn targets(closure: &Closure) -> Vec<Vec<usize>> {
    closure.edges.iter().map(|edges| edges.iter().map(|(_, to)| *to).collect()).collect()
}

/// How surely a run has to tell two systems apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kill {
    /// Whatever the other one does, it is wrong.
    Sure,
    /// It can do something wrong, or go on forever.
    Possible,
}

/// The first row at which a system does something else, surely or possibly.
pub(crate) fn first_difference(machine: &Machine<'_>, rows: &[Instant], kill: Kill) -> Option<usize> {
    let mut states = vec![walk::start(machine)];
    let mut time = RBig::ZERO;
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            let by = i64::try_from((&row.time - &time).floor()).unwrap_or(i64::MAX);
            let inputs = classes(machine, &row.inputs);
            states.iter_mut().for_each(|still| *still = sample(machine, still, by, &inputs));
        }
        time = row.time.clone();
        let mut next: Vec<Still> = Vec::new();
        let mut shown = true;
        for still in states {
            let (stable, ends) = settled(machine, still);
            let (right, wrong): (Vec<Still>, Vec<Still>) =
                stable.into_iter().partition(|still| shows(machine, &still.slots, &row.outputs));
            if kill == Kill::Possible && !(ends && wrong.is_empty()) {
                return Some(number);
            }
            shown &= ends;
            next.extend(right);
        }
        if next.is_empty() {
            // Reactions without an end show nothing for sure.
            return shown.then_some(number);
        }
        next.sort_unstable();
        next.dedup();
        states = next;
    }
    None
}

/// Whether these are the outputs.
fn shows(machine: &Machine<'_>, slots: &[Class], outputs: &[(usize, Value)]) -> bool {
    let places = machine.variables.iter().zip(slots).filter(|(it, _)| !it.input);
    places.zip(outputs).all(|((it, class), (_, value))| it.classes.value(*class) == *value)
}

/// The stable states that reactions lead to, and whether they always come to an end.
fn settled(machine: &Machine<'_>, mut still: Still) -> (Vec<Still>, bool) {
    // Mostly there are few reactions and no choice: then no graph is needed.
    for _ in 0..FEW {
        let reacts = |rule: &&Rule| machine.holds(rule, &still.slots) && machine.changes(rule, &still.slots);
        let mut rules = machine.rules.iter().filter(reacts);
        let Some(rule) = rules.next() else { return (vec![still], true) };
        if rules.next().is_some() {
            break;
        }
        machine.fire(rule, &mut still.slots);
        let slots = std::mem::take(&mut still.slots);
        still = rest(machine, &still, &slots);
    }
    let Some(closure) = Closure::of(machine, &still.slots, REACTIONS) else { return (Vec::new(), false) };
    let stable = closure.stable().map(|state| rest(machine, &still, &closure.states[state]));
    (stable.collect(), !endless(&closure))
}

/// The classes of the inputs, in the order of their slots.
pub(crate) fn classes(machine: &Machine<'_>, inputs: &[(usize, Value)]) -> Vec<Class> {
    let slots = machine.variables.iter().filter(|it| it.input);
    slots.zip(inputs).map(|(slot, (_, value))| slot.classes.class_of(value).unwrap_or_default()).collect()
}
