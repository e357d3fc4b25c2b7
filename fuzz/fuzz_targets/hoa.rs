//! Any text as an automaton in the HOA format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use logic::Store;
use omega::{Limits, hoa};

fuzz_target!(|text: &str| {
    let mut store = Store::default();
    let limits = Limits { states: 1_000, nodes: 100_000, steps: 100_000 };
    let Ok(automaton) = hoa::read(&mut store, text, limits) else { return };
    let written = hoa::write_general(&store, &automaton);
    let again = hoa::read(&mut store, &written, limits).expect("what we write we can read");
    assert_eq!(again.edges.len(), automaton.edges.len());
});
