//! Does every requirement do something? Its guard may never hold (paper, definition 4.3), or it may hold and change nothing that others
//! do not change in the same way: then it is redundant (`dfrs.md`, erratum 24).

use crate::explore::Exploration;
use crate::findings::{Finding, Grade, What};
use crate::machine::Write;

/// Requirements that do nothing, or nothing of their own.
pub(crate) fn requirements(found: &Exploration<'_, '_>) -> Vec<Finding> {
    let machine = found.machine;
    let rules = machine.rules.len();
    let mut enabled: Vec<Option<(usize, usize)>> = vec![None; rules];
    let mut reacts = vec![false; rules];
    let mut moves = vec![false; rules];
    // For each rule, the requirements that always do the same when it reacts.
    let mut like: Vec<Option<Vec<usize>>> = vec![None; rules];
    for (number, situation) in found.situations.iter().enumerate() {
        let closure = &situation.closure;
        for (state, slots) in closure.states.iter().enumerate() {
            for (place, rule) in machine.rules.iter().enumerate() {
                if enabled[place].is_none() && machine.holds(rule, slots) {
                    enabled[place] = Some((number, state));
                }
            }
            for &(rule, to) in &closure.edges[state] {
                reacts[rule] = true;
                let outputs = |(slot, write): &(usize, Write)| slots[*slot] != write.class(slots);
                moves[rule] |= machine.rules[rule].writes.iter().any(outputs);
                let mine = machine.rules[rule].requirement;
                let others = closure.edges[state].iter().filter(|(_, target)| *target == to);
                let others: Vec<usize> = others
                    .map(|(other, _)| machine.rules[*other].requirement)
                    .filter(|&other| other != mine)
                    .collect();
                match &mut like[rule] {
                    Some(known) => known.retain(|other| others.contains(other)),
                    None => like[rule] = Some(others),
                }
            }
        }
    }
    let mut findings = Vec::new();
    for requirement in 0..machine.dfrs.requirements.len() {
        let mine: Vec<usize> =
            (0..rules).filter(|&rule| machine.rules[rule].requirement == requirement).collect();
        let first = mine.iter().filter_map(|&rule| enabled[rule]).min();
        let writes = mine.iter().any(|&rule| !machine.rules[rule].writes.is_empty());
        let same: Vec<usize> = mine.iter().filter_map(|&rule| like[rule].clone()).flatten().collect();
        let copied = mine
            .iter()
            .filter(|&&rule| reacts[rule])
            .all(|&rule| like[rule].as_ref().is_some_and(|others| !others.is_empty()));
        let what = if mine.is_empty() {
            continue;
        } else if first.is_none() {
            What::NeverEnabled
        } else if copied {
            let mut like = same;
            like.sort_unstable();
            like.dedup();
            What::Redundant { like }
        } else if writes && !mine.iter().any(|&rule| moves[rule]) {
            What::NoOutputEffect
        } else {
            continue;
        };
        let scenario = first.and_then(|(situation, state)| {
            found.scenario(situation, &found.situations[situation].closure.path(state))
        });
        findings.push(Finding { what, grade: Grade::Warning, requirements: vec![requirement], scenario });
    }
    findings
}
