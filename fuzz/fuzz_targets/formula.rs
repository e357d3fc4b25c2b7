//! Any text as a formula: the tree keeps every byte, and what we print of a formula reads back as the same formula.

#![no_main]

use libfuzzer_sys::fuzz_target;
use logic::{SHALL, Store};
use requirement::{Context, lower_formula};
use syntax::formula::parse;

fuzz_target!(|text: &str| {
    let parsed = parse(text);
    assert_eq!(parsed.tree.tokens().map(|(_, token)| token).collect::<String>(), text);
    let mut store = Store::default();
    let (formula, diagnostics) = lower_formula(&mut store, &parsed, &Context::default());
    for diagnostic in &diagnostics {
        assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
    }
    let Some(formula) = formula else { return };
    let simple = logic::simplify(&mut store, formula);
    for formula in [formula, simple] {
        let Ok(printed) = logic::print(&store, formula, &SHALL) else { continue };
        let (again, diagnostics) = lower_formula(&mut store, &parse(&printed), &Context::default());
        // Printing adds parentheses, and with them nesting, of which there may be too much.
        if diagnostics.iter().all(|diagnostic| diagnostic.code != syntax::codes::TOO_DEEP) {
            assert_eq!(again, Some(formula), "{printed}\n{diagnostics:?}");
        }
    }
});
