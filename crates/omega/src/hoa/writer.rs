//! Automata as text.

use crate::automaton::cubes::cubes;
use crate::automaton::{Buchi, Guard, Guards};
use logic::{Id, SHALL, Store, print};
use std::fmt::Write;

/// The text of a Büchi automaton, with accepting states.
pub fn write(store: &Store, buchi: &Buchi) -> String {
    let mut out = header(store, &buchi.atoms, buchi.steps.len(), buchi.initial);
    out.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc\n--BODY--\n");
    for (state, (steps, &accepting)) in buchi.steps.iter().zip(&buchi.accepting).enumerate() {
        line(&mut out, format_args!("State: {state}{}", if accepting { " {0}" } else { "" }));
        for step in steps {
            let label = label(&buchi.guards, step.guard);
            line(&mut out, format_args!("[{label}] {}", step.target));
        }
    }
    out.push_str("--END--\n");
    out
}

pub(super) fn header(store: &Store, atoms: &[Id], states: usize, initial: u32) -> String {
    let mut out = format!("HOA: v1\nStates: {states}\nStart: {initial}\nAP: {}", atoms.len());
    for &atom in atoms {
        let formula = store.as_formula(atom);
        let name = formula.and_then(|formula| print(store, formula, &SHALL).ok()).unwrap_or_default();
        let escaped = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\\n");
        out.push_str(&format!(" \"{escaped}\""));
    }
    out.push('\n');
    out
}

pub(super) fn line(out: &mut String, text: std::fmt::Arguments) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

/// A guard as a label: a sum of products.
pub(super) fn label(guards: &Guards, guard: Guard) -> String {
    match guard {
        Guard::TRUE => return "t".into(),
        Guard::FALSE => return "f".into(),
        _ => {}
    }
    let product = |cube: Vec<(u32, bool)>| {
        let literal = |(atom, value): (u32, bool)| format!("{}{atom}", if value { "" } else { "!" });
        cube.into_iter().map(literal).collect::<Vec<_>>().join("&")
    };
    cubes(guards, guard).into_iter().map(product).collect::<Vec<_>>().join(" | ")
}
