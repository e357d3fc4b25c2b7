//! Any text as an ω-regular expression: what we print of one reads back as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use logic::Store;
use timeline::Expressions;
use timeline::parse::parse;
use timeline::text::{Script, print};

fuzz_target!(|text: &str| {
    let mut store = Store::default();
    let mut arena = Expressions::new(omega::Guards::default());
    let mut atoms = Vec::new();
    let Ok(expr) = parse(&mut store, &mut arena, &mut atoms, text) else { return };
    for script in [Script::Unicode, Script::Ascii] {
        let Ok(printed) = print(&mut store, &mut arena, &atoms, expr, script) else { continue };
        // A condition such as a <-> b <-> c grows when it is written without `<->`.
        if printed.len() < 100_000 {
            assert_eq!(parse(&mut store, &mut arena, &mut atoms, &printed), Ok(expr), "{printed}");
        }
    }
});
