//! The example systems, and runs of them.

#![allow(dead_code, reason = "not every test needs all of it")]

use dfrs::scenario::{Instant, Scenario};
use dfrs::step::{self, State};
use dfrs::{Dfrs, Kind, Semantics, lower, read};
use logic::{RBig, Value};
use std::path::Path;

pub(crate) const EXAMPLES: [&str; 6] = [
    "vending_machine_5",
    "vending_machine_6",
    "safety_injection",
    "priority_command",
    "turn_indicator",
    "turn_indicator_tip",
];

pub(crate) fn system(name: &str) -> Dfrs {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/dfrs/{name}.req"));
    parse(&std::fs::read_to_string(path).expect("the example is there"))
}

pub(crate) fn parse(text: &str) -> Dfrs {
    let lowered = lower(&read(text));
    lowered.system.unwrap_or_else(|| panic!("{:#?}", lowered.diagnostics))
}

/// A run with these delays and inputs by name, in which always the first enabled entry reacts.
pub(crate) fn run(dfrs: &Dfrs, semantics: Semantics, steps: &[(i64, &[(&str, Value)])]) -> Scenario {
    let mut instants = Vec::new();
    let mut state = step::initial(dfrs);
    settle(dfrs, semantics, &mut state, &mut instants);
    for (by, inputs) in steps {
        let place = |name: &str| dfrs.variables.iter().position(|it| it.name == name).expect("it is known");
        let inputs: Vec<(usize, Value)> =
            inputs.iter().map(|(name, value)| (place(name), value.clone())).collect();
        state = step::delay(dfrs, semantics, &state, &RBig::from(*by), &inputs).expect("it is a delay");
        settle(dfrs, semantics, &mut state, &mut instants);
    }
    Scenario { instants }
}

fn settle(dfrs: &Dfrs, semantics: Semantics, state: &mut State, instants: &mut Vec<Instant>) {
    let mut fired = Vec::new();
    while let Some(reaction) = step::react(dfrs, semantics, state).into_iter().next() {
        fired.push(reaction.entry);
        *state = reaction.state;
    }
    let of = |kind: Kind| {
        let all = dfrs.variables.iter().enumerate().filter(move |(_, it)| it.kind == kind);
        all.map(|(place, _)| (place, state.now[place].clone())).collect()
    };
    let (inputs, outputs) = (of(Kind::Input), of(Kind::Output));
    instants.push(Instant { time: state.clock.clone(), inputs, fired, outputs });
}

/// The scenario of the paper's figure 3.
pub(crate) fn fig_3(dfrs: &Dfrs) -> Scenario {
    let coin = |truth| [("coin_sensor", Value::Bool(truth))];
    let button = |truth| [("coffee_request_button", Value::Bool(truth))];
    run(
        dfrs,
        Semantics::default(),
        &[
            (2, &coin(true)),
            (3, &coin(false)),
            (7, &button(true)),
            (4, &button(false)),
            (16, &[]),
            (3, &[]),
            (5, &[]),
        ],
    )
}
