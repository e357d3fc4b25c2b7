//! Resets that do not happen: a requirement applies, and resets a timer that runs, but its outputs have their new values already. In the
//! synchronous reading that is not a reaction, so the timer runs on. Whoever wrote "when the button becomes pressed: reset" rarely expects
//! that; with a condition that lasts, it is only worth knowing.

use crate::explore::Exploration;
use crate::findings::{Finding, Grade, What};
use crate::machine::Rule;
use crate::reading::Reading;

/// A state in which a requirement applies and timers run on.
#[derive(Clone)]
struct Dropped {
    situation: usize,
    state: usize,
    timers: Vec<usize>,
    grade: Grade,
}

/// The first time that each requirement applies without resetting its timers.
pub(crate) fn dropped(found: &Exploration<'_, '_>) -> Vec<Finding> {
    let machine = found.machine;
    if machine.semantics.reading != Reading::Synchronous {
        return Vec::new();
    }
    let previous = machine.variables.len()..machine.first_timer();
    let is_event = |rule: &Rule| {
        rule.all.iter().chain(rule.any.iter().flatten()).any(|test| previous.contains(&test.slot()))
    };
    let mut first: Vec<Option<Dropped>> = vec![None; machine.dfrs.requirements.len()];
    for (number, situation) in found.situations.iter().enumerate() {
        for state in situation.closure.stable() {
            let slots = &situation.closure.states[state];
            for rule in machine.rules.iter().filter(|rule| !rule.writes.is_empty()) {
                let running: Vec<usize> =
                    rule.resets.iter().copied().filter(|&slot| slots[slot] != 0).collect();
                if running.is_empty() || first[rule.requirement].is_some() || !machine.holds(rule, slots) {
                    continue;
                }
                let timers = running.iter().map(|slot| machine.timers[slot - machine.first_timer()].variable);
                let grade = if is_event(rule) { Grade::Warning } else { Grade::Note };
                let timers = timers.collect();
                first[rule.requirement] = Some(Dropped { situation: number, state, timers, grade });
            }
        }
    }
    let finding = |(requirement, first): (usize, Option<Dropped>)| {
        let Dropped { situation, state, timers, grade } = first?;
        let path = found.situations[situation].closure.path(state);
        Some(Finding {
            what: What::ResetDropped { timers },
            grade,
            requirements: vec![requirement],
            scenario: found.scenario(situation, &path),
        })
    };
    first.into_iter().enumerate().filter_map(finding).collect()
}
