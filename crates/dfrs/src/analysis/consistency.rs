//! Do requirements contradict each other? Graded (`dfrs.md`, erratum 22): different values for one output at the same time, an order that matters,
//! or merely reacting at the same time. And do reactions come to an end (paper, definition 4.4)?

use super::cube;
use crate::classes::Class;
use crate::closure::Closure;
use crate::explore::Exploration;
use crate::findings::{Finding, Grade, What};
use crate::machine::Machine;
use std::collections::BTreeMap;

/// Pairs of rules that assign different values to one output, and whose guards can hold together.
///
/// If there are none, the requirements are consistent, and no search is needed to know it.
pub(crate) fn suspects(machine: &Machine<'_>) -> Vec<(usize, usize, usize)> {
    let everything = cube::full(machine);
    let mut suspects = Vec::new();
    for (second, rule) in machine.rules.iter().enumerate() {
        for (first, other) in machine.rules[..second].iter().enumerate() {
            let shared = rule.writes.iter().find(|(slot, write)| {
                other.writes.iter().any(|(its, value)| its == slot && !value.surely_equals(write))
            });
            if let Some((slot, _)) = shared
                && cube::possible(&everything, &[other, rule])
            {
                suspects.push((first, second, *slot));
            }
        }
    }
    suspects
}

/// Conflicts between requirements, each pair once and at its worst.
pub(crate) fn conflicts(found: &Exploration<'_, '_>, suspects: &[(usize, usize, usize)]) -> Vec<Finding> {
    let machine = found.machine;
    // For each pair of requirements: the grade, what it is, the situation and the state within it.
    let mut worst: BTreeMap<(usize, usize), (Grade, What, usize, usize)> = BTreeMap::new();
    let mut note = |rules: (usize, usize), grade: Grade, what: What, situation: usize, state: usize| {
        let pair = (machine.rules[rules.0].requirement, machine.rules[rules.1].requirement);
        let pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        if pair.0 != pair.1 && worst.get(&pair).is_none_or(|known| grade < known.0) {
            worst.insert(pair, (grade, what, situation, state));
        }
    };
    for (number, situation) in found.situations.iter().enumerate() {
        let closure = &situation.closure;
        let outcomes = if closure.states.len() > 1 { closure.outcomes() } else { Vec::new() };
        for (state, edges) in closure.edges.iter().enumerate().filter(|(_, edges)| !edges.is_empty()) {
            let slots = &closure.states[state];
            for &(first, second, slot) in suspects {
                let (one, two) = (&machine.rules[first], &machine.rules[second]);
                if machine.holds(one, slots)
                    && machine.holds(two, slots)
                    && differ(machine, first, second, slot, slots)
                {
                    let variable = machine.variables[slot].variable;
                    note((first, second), Grade::Error, What::WriteConflict { variable }, number, state);
                }
            }
            for (place, &(second, to)) in edges.iter().enumerate() {
                for &(first, other) in &edges[..place] {
                    if outcomes[to] != outcomes[other] {
                        note((first, second), Grade::Warning, What::OrderMatters, number, state);
                    } else {
                        note((first, second), Grade::Note, What::Simultaneous, number, state);
                    }
                }
            }
        }
    }
    worst
        .into_iter()
        .map(|((first, second), (grade, what, situation, state))| Finding {
            what,
            grade,
            requirements: vec![first, second],
            scenario: found.scenario(situation, &found.situations[situation].closure.path(state)),
        })
        .collect()
}

/// Reactions that go on forever, each set of requirements once.
pub(crate) fn locks(found: &Exploration<'_, '_>) -> Vec<Finding> {
    let mut findings: BTreeMap<Vec<usize>, Finding> = BTreeMap::new();
    for (number, situation) in found.situations.iter().enumerate() {
        let closure = &situation.closure;
        let Some((state, cycle, certain)) = lock(closure) else { continue };
        let mut requirements: Vec<usize> =
            cycle.iter().map(|&rule| found.machine.rules[rule].requirement).collect();
        requirements.sort_unstable();
        requirements.dedup();
        let (what, grade) =
            if certain { (What::TimeLock, Grade::Error) } else { (What::PossibleTimeLock, Grade::Warning) };
        if findings.get(&requirements).is_none_or(|known| grade < known.grade) {
            let reactions: Vec<usize> = closure.path(state).into_iter().chain(cycle).collect();
            let scenario = found.scenario(number, &reactions);
            let finding = Finding { what, grade, requirements: requirements.clone(), scenario };
            findings.insert(requirements, finding);
        }
    }
    findings.into_values().collect()
}

/// A state on a cycle, once around it, and whether no stable state can be reached from there.
fn lock(closure: &Closure) -> Option<(usize, Vec<usize>, bool)> {
    if closure.states.len() < 2 {
        return None;
    }
    let outcomes = closure.outcomes();
    let certain = |&state: &usize| outcomes[state].is_empty();
    let states = || 0..closure.states.len();
    let cycle = states().filter(certain).find_map(|state| Some((state, closure.way_back(state)?, true)));
    cycle.or_else(|| closure.cycle().map(|(state, cycle)| (state, cycle, false)))
}

fn differ(machine: &Machine<'_>, first: usize, second: usize, slot: usize, slots: &[Class]) -> bool {
    let value = |rule: usize| {
        let write = machine.rules[rule].writes.iter().find(|(place, _)| *place == slot);
        write.map(|(_, write)| write.class(slots))
    };
    value(first) != value(second)
}
