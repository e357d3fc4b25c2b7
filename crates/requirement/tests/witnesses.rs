//! Example traces: found for every template, as short as can be, and true to their goal.

use logic::{Store, Trace, Value};
use shall_requirement::oracle::judge;
use shall_requirement::witness::{Goal, witness};
use shall_requirement::{Requirement, template};

/// Whether a trace over the four atoms shows the goal, by the oracle alone: it tries every other response.
fn shows(store: &Store, requirement: &Requirement, trace: &Trace, goal: Goal) -> bool {
    let holds = |trace: &Trace| judge(store, requirement, trace).unwrap().holds();
    let with_response = |bits: u64| {
        let others = trace.names().iter().enumerate().filter(|(_, name)| *name != "res");
        let empty = Trace::new(trace.len(), None).unwrap();
        let same =
            others.fold(empty, |t, (column, name)| t.with(name, trace.values(column).to_vec()).unwrap());
        same.with("res", (0..trace.len()).map(|position| Value::Bool(bits >> position & 1 == 1)).collect())
            .unwrap()
    };
    match goal {
        Goal::Violated => !holds(trace),
        Goal::Satisfied => {
            holds(trace) && (0..1 << trace.len().min(7)).any(|bits| !holds(&with_response(bits)))
        }
    }
}

#[test]
fn every_template_has_both_examples_and_they_are_replayed() {
    for steps in [0, 1, 5] {
        let mut store = Store::default();
        for requirement in template::templates(&mut store, steps) {
            for goal in [Goal::Satisfied, Goal::Violated] {
                let found = witness(&mut store, &requirement, goal)
                    .unwrap_or_else(|| panic!("{} {goal:?} n = {steps}", requirement.key()));
                assert!(
                    found.shortest && shows(&store, &requirement, &found.trace, goal),
                    "{} {goal:?}",
                    requirement.key()
                );
            }
        }
    }
}

/// A stretched trace is no longer than the one an exhaustive search over the two or three signals in use finds.
#[test]
fn stretched_examples_are_shortest() {
    let steps = 3;
    let mut store = Store::default();
    for requirement in template::templates(&mut store, steps) {
        if requirement.timing.steps().is_none()
            || requirement.condition.expression().is_some() && requirement.scope.mode().is_some()
        {
            continue;
        }
        for goal in [Goal::Satisfied, Goal::Violated] {
            let found = witness(&mut store, &requirement, goal).unwrap().trace.len();
            let names: Vec<String> = witness(&mut store, &requirement, goal).unwrap().trace.names().to_vec();
            let shorter = (1..found).any(|length| {
                (0..1u64 << (names.len() * length)).any(|number| {
                    let trace = names.iter().enumerate().fold(
                        Trace::new(length, None).unwrap(),
                        |trace, (k, name)| {
                            let bit = |position: usize| number >> (position * names.len() + k) & 1 == 1;
                            trace
                                .with(name, (0..length).map(|position| Value::Bool(bit(position))).collect())
                                .unwrap()
                        },
                    );
                    shows(&store, &requirement, &trace, goal)
                })
            });
            assert!(!shorter, "{} {goal:?}", requirement.key());
        }
    }
}
