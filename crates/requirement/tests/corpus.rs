//! What the fuzzers found worth keeping: texts that take unusual ways through the parsers, one per line.

use logic::{DIALECTS, SHALL, Store};
use shall_requirement::{Context, Ending, Fields, future, lower, lower_formula, past};
use syntax::Code;
use syntax::fretish::Sentence;

#[test]
fn sentences() {
    for text in include_str!("corpus/sentences.txt").lines() {
        let parse = syntax::fretish::parse(text);
        assert_eq!(parse.tree.tokens().map(|(_, token)| token).collect::<String>(), text);
        let mut store = Store::default();
        let lowered = lower(&mut store, &parse, &Context::default());
        assert!(lowered.requirement.is_some() || !lowered.diagnostics.is_empty(), "{text}");
        for diagnostic in &lowered.diagnostics {
            assert!(text.get(diagnostic.span.range()).is_some(), "{text}: {diagnostic:?}");
        }
        let _ = Fields::of(Sentence::of(&parse.tree));
        let Some(requirement) = lowered.requirement else { continue };
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
    }
}

#[test]
fn formulas() {
    for text in include_str!("corpus/formulas.txt").lines() {
        let parse = syntax::formula::parse(text);
        assert_eq!(parse.tree.tokens().map(|(_, token)| token).collect::<String>(), text);
        let mut store = Store::default();
        let (formula, _) = lower_formula(&mut store, &parse, &Context::default());
        let Some(formula) = formula else { continue };
        let simple = logic::simplify(&mut store, formula);
        for formula in [formula, simple] {
            let Ok(printed) = logic::print(&store, formula, &SHALL) else { continue };
            let (again, diagnostics) =
                lower_formula(&mut store, &syntax::formula::parse(&printed), &Context::default());
            let too_deep = diagnostics.iter().any(|diagnostic| diagnostic.code == Code::TooDeep);
            assert!(too_deep || again == Some(formula), "{text}: {printed}: {diagnostics:?}");
        }
    }
}
