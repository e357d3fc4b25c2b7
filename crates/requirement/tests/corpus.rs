//! What the fuzzers found worth keeping: texts that take unusual ways through the parsers, one per line.

mod support;

use logic::{SHALL, Store};
use shall_requirement::{Context, lower_formula};
use support::check_sentence;

#[test]
fn sentences() {
    include_str!("corpus/sentences.txt").lines().for_each(check_sentence);
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
            let too_deep = diagnostics.iter().any(|diagnostic| diagnostic.code == syntax::codes::TOO_DEEP);
            assert!(too_deep || again == Some(formula), "{text}: {printed}: {diagnostics:?}");
        }
    }
}
