//! Any text as a Lustre program: reading and lowering never panic, diagnostics lie in the text, and systems are well formed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lustre::{Callees, Options, read};

fuzz_target!(|text: &str| {
    let program = read(text, &|_| None);
    for diagnostic in &program.diagnostics {
        assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
    }
    for node in program.nodes().iter().take(5) {
        for callees in [Callees::Inline, Callees::Contract] {
            if let Ok(system) = program.system(&node.name, &Options { callees, only: None }) {
                assert!(system.check().is_empty(), "{:?}", system.check());
            }
        }
    }
});
