//! Any text as requirements in controlled English: the trees keep every byte, and no system breaks the rules of systems.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let document = dfrs::read(text);
    for sentence in &document.sentences {
        let tree = &sentence.parse.tree;
        assert_eq!(tree.tokens().map(|(_, token)| token).collect::<String>(), sentence.text());
    }
    let lowered = dfrs::lower(&document);
    for diagnostic in &lowered.diagnostics {
        assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
    }
    let Some(system) = lowered.system else { return };
    let state = dfrs::step::initial(&system);
    let _ = dfrs::step::settle(&system, dfrs::Semantics::default(), state, 100);
});
