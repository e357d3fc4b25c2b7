//! Automata as text.

use crate::automaton::cubes::cubes;
use crate::automaton::{Buchi, Guard, Guards};
use base::names::unique;
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

/// The text of an automaton on finite words, as Spot's translation of LTLf has it: a Büchi automaton on infinite words in which
/// one more proposition, `alive`, holds at the positions of the finite word and never after them. The empty word is none of its
/// words.
pub fn write_finite(store: &Store, automaton: &Buchi) -> String {
    let states = automaton.steps.len() as u32;
    // A word that ends where it begins is empty, so an initial state that accepts is not the first one.
    let is_copied = automaton.accepting[automaton.initial as usize];
    let (ended, first) = (states, if is_copied { states + 1 } else { automaton.initial });
    let alive = automaton.atoms.len();
    let mut names: Vec<String> = automaton.atoms.iter().map(|&atom| name(store, atom)).collect();
    names.push(unique("alive", "_", |name| !names.iter().any(|other| other == name)));
    let total = if is_copied { states + 2 } else { states + 1 };
    let mut out = head(&names, total as usize, first);
    out.push_str("/* A word of n positions: alive at the first n, never after them. */\n");
    out.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc\n--BODY--\n");
    let steps = |out: &mut String, state: usize| {
        for step in &automaton.steps[state] {
            let label = match step.guard {
                Guard::TRUE => alive.to_string(),
                guard => format!("({}) & {alive}", label(&automaton.guards, guard)),
            };
            line(out, format_args!("[{label}] {}", step.target));
        }
    };
    for (state, &accepting) in automaton.accepting.iter().enumerate() {
        line(&mut out, format_args!("State: {state}"));
        steps(&mut out, state);
        if accepting {
            line(&mut out, format_args!("[!{alive}] {ended}"));
        }
    }
    line(&mut out, format_args!("State: {ended} {{0}}\n[!{alive}] {ended}"));
    if is_copied {
        line(&mut out, format_args!("State: {first}"));
        steps(&mut out, automaton.initial as usize);
    }
    out.push_str("--END--\n");
    out
}

pub(super) fn header(store: &Store, atoms: &[Id], states: usize, initial: u32) -> String {
    let names: Vec<String> = atoms.iter().map(|&atom| name(store, atom)).collect();
    head(&names, states, initial)
}

/// The name of an atom.
fn name(store: &Store, atom: Id) -> String {
    let formula = store.as_formula(atom);
    formula.and_then(|formula| print(store, formula, &SHALL).ok()).unwrap_or_default()
}

fn head(names: &[String], states: usize, initial: u32) -> String {
    let mut out = format!("HOA: v1\nStates: {states}\nStart: {initial}\nAP: {}", names.len());
    for name in names {
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
