//! Any text as a sentence: the tree keeps every byte, what is wrong is said within the text, and what is right
//! has formulas that print.

#![no_main]

use libfuzzer_sys::fuzz_target;
use logic::{DIALECTS, Store};
use requirement::{Context, Ending, Fields, future, lower, past};
use syntax::fretish::{Sentence, parse};

fuzz_target!(|text: &str| {
    let parse = parse(text);
    assert_eq!(parse.tree.tokens().map(|(_, token)| token).collect::<String>(), text);
    let mut store = Store::default();
    let lowered = lower(&mut store, &parse, &Context::default());
    assert!(lowered.requirement.is_some() || !lowered.diagnostics.is_empty());
    for diagnostic in &lowered.diagnostics {
        assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
    }
    let _ = Fields::of(Sentence::of(&parse.tree));
    let Some(requirement) = lowered.requirement else { return };
    let made = [
        past(&mut store, &requirement),
        future(&mut store, &requirement, Ending::Last),
        future(&mut store, &requirement, Ending::WeakNext),
        future(&mut store, &requirement, Ending::Infinite),
    ];
    for formula in made.into_iter().flatten() {
        for dialect in DIALECTS {
            let adapted = logic::adapt(&mut store, formula, dialect);
            let _ = logic::print(&store, adapted, dialect);
        }
    }
});
