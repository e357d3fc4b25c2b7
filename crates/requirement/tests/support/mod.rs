//! What holds of any text that is read as a sentence; the fuzz target asks the same.

use logic::{DIALECTS, Store};
use shall_requirement::{Context, Ending, Fields, future, lower, past};
use syntax::fretish::{Sentence, parse};

/// The tree keeps every byte, what is wrong is said within the text, and what is right has formulas that print.
pub(crate) fn check_sentence(text: &str) {
    let parse = parse(text);
    assert_eq!(parse.tree.tokens().map(|(_, token)| token).collect::<String>(), text);
    let mut store = Store::default();
    let lowered = lower(&mut store, &parse, &Context::default());
    assert!(lowered.requirement.is_some() || !lowered.diagnostics.is_empty(), "{text}");
    for diagnostic in &lowered.diagnostics {
        assert!(text.get(diagnostic.span.range()).is_some(), "{text}: {diagnostic:?}");
    }
    let _ = Fields::of(Sentence::of(&parse.tree));
    let Some(requirement) = lowered.requirement else { return };
    let endings = [Ending::Last, Ending::WeakNext, Ending::Infinite];
    let futures = endings.map(|ending| future(&mut store, &requirement, ending));
    for formula in futures.into_iter().chain([past(&mut store, &requirement)]).flatten() {
        for dialect in DIALECTS {
            let adapted = logic::adapt(&mut store, formula, dialect);
            let _ = logic::print(&store, adapted, dialect);
        }
    }
}
