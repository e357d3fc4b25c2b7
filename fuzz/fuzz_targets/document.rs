//! Any text as a requirement document: reading never fails, spans lie in the text, checks, formatting and the values of
//! requirements hold what they promise.

#![no_main]

use libfuzzer_sys::fuzz_target;
use project::rules::{Memory, check};
use project::{Cache, Config, Document, Native, Project, edit, format};

fuzz_target!(|text: &str| {
    let document = Document::read("a.md", text);
    assert_eq!(document.text, text);
    for entry in &document.entries {
        assert_eq!(document.slice(entry.id.span), entry.id.text);
        let native = Native::of(&document, entry);
        assert!(native.edits(0, &document, entry).is_empty());
        let again = Document::read("b.md", native.render(2));
        let read: Vec<Native> = again.entries.iter().map(|entry| Native::of(&again, entry)).collect();
        assert_eq!(read, [native]);
    }
    let tidy = edit::apply(text, &format::edits(&document, 0)).expect("edits fit together");
    assert!(format::edits(&Document::read("a.md", tidy), 0).is_empty());
    let project = Project { config: Config::default(), documents: vec![document] };
    let analysis = project.analyse(&mut Cache::default());
    for finding in check(&project, &analysis, &mut Memory::default()).findings {
        assert!(text.get(finding.diagnostic.span.range()).is_some());
    }
});
