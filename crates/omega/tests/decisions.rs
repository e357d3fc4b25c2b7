//! Decisions and their witnesses, and the classes of formulas.

mod common;

use base::Random;
use common::{Operators, atoms, random, truth, word};
use logic::{Formula, Id, SHALL, Store, print};
use requirement::{Context, lower_formula};
use shall_omega::decide::{self, Setting};
use shall_omega::{Limits, accepts_lasso, class, translate_over};

fn read(store: &mut Store, text: &str) -> Formula {
    let (formula, diagnostics) = lower_formula(store, &syntax::formula::parse(text), &Context::default());
    formula.unwrap_or_else(|| panic!("{text}: {diagnostics:?}"))
}

#[test]
fn formulas_compared() {
    let same = [
        ("G F a", "!F G !a"),
        ("a U b", "(a W b) & F b"),
        ("O a", "a"),
        ("G (a -> O b)", "!b -> ((!a) W b)"),
        ("F[2,4] a", "X X (a | X (a | X a))"),
        ("G (F[0,3] a)", "G (a | X a | X X a | X X X a)"),
        ("G (a -> H[0,2] b)", "G (a -> b & H[1,2] b)"),
    ];
    let different = [("G (a -> F b)", "G (a -> X F b)"), ("F G a", "G F a")];
    let all = same.map(|pair| (pair, true)).into_iter().chain(different.map(|pair| (pair, false)));
    for ((a, b), same) in all {
        let mut store = Store::default();
        let (f, g) = (read(&mut store, a), read(&mut store, b));
        let difference = decide::equivalent(&mut store, f, g, Setting::default()).expect("within the limits");
        assert_eq!(difference.is_none(), same, "{a} and {b}: {difference:?}");
        let one = translate_over(&store, f, &[], Limits::default()).expect("within the limits");
        let by_automaton = decide::equivalent_to_formula(&one, &mut store, g, Setting::default())
            .expect("within the limits");
        assert_eq!(by_automaton.is_none(), same, "the automaton of {a} and {b}: {by_automaton:?}");
    }
}

#[test]
fn impossible_letters() {
    let mut store = Store::default();
    let f = read(&mut store, "F (a & b)");
    let exclusive: decide::Possible = &|guards, _| {
        let (a, b) = (guards.variable(0), guards.variable(1));
        let both = guards.and(a, b);
        guards.not(both)
    };
    let setting = Setting { possible: Some(exclusive), ..Setting::default() };
    assert!(decide::satisfiable(&store, f, Setting::default()).expect("an answer").is_some());
    assert!(decide::satisfiable(&store, f, setting).expect("an answer").is_none());
}

/// The automaton of one random formula against another, both ways: the words that differ do differ.
#[test]
fn differences_are_real() {
    let mut rng = Random::new(5);
    for _ in 0..400 {
        let mut store = Store::default();
        let propositions = atoms(&mut store, 2);
        let ids: Vec<Id> = propositions.iter().map(|atom| atom.id()).collect();
        let size = 1 + rng.below(5);
        let f = random(&mut store, &mut rng, &propositions, Operators::default(), size);
        let g = random(&mut store, &mut rng, &propositions, Operators::default(), size);
        let shown = [f, g].map(|f| print(&store, f, &SHALL).expect("a formula"));
        let buchi = translate_over(&store, f, &ids, Limits::default()).expect("within the limits");
        let by_automaton = decide::equivalent_to_formula(&buchi, &mut store, g, Setting::default())
            .expect("within the limits");
        let by_formula = decide::equivalent(&mut store, f, g, Setting::default()).expect("within the limits");
        assert_eq!(by_automaton.is_none(), by_formula.is_none(), "{shown:?}");
        for difference in [by_automaton, by_formula].into_iter().flatten() {
            let word = difference.word;
            let letters: Vec<Vec<bool>> = word
                .letters
                .iter()
                .map(|letter| {
                    let value =
                        |id: &Id| word.atoms.iter().position(|atom| atom == id).is_some_and(|k| letter[k]);
                    ids.iter().map(value).collect()
                })
                .collect();
            let holds = |f| truth(&store, f, &propositions, &letters, Some(word.loop_start))[0];
            assert_eq!(
                (holds(f), holds(g)),
                (difference.in_first, !difference.in_first),
                "{shown:?}: {letters:?}"
            );
            assert_eq!(accepts_lasso(&buchi, &letters, word.loop_start), difference.in_first, "{shown:?}");
        }
        // The automaton of the negation has exactly the other words.
        let negated = store.not(f);
        let other = translate_over(&store, negated, &ids, Limits::default()).expect("within the limits");
        let letters = word(&mut rng, 2, 4);
        assert_ne!(accepts_lasso(&buchi, &letters, 1), accepts_lasso(&other, &letters, 1), "{shown:?}");
    }
}

#[test]
fn classes() {
    for (text, expected) in [
        ("true", "guarantee safety"),
        ("!a", "guarantee safety"),
        ("a & X b", "guarantee safety"),
        ("G a", "safety"),
        ("a W b", "safety"),
        ("F a", "guarantee"),
        ("a U b", "guarantee"),
        ("G a | F b", "obligation"),
        ("G (a -> F b)", "recurrence"),
        ("G F a", "recurrence"),
        ("F G a", "persistence"),
        ("G F a -> G F b", "reactivity"),
        ("G F a & F G b", "reactivity"),
        ("G (a -> O b)", "safety"),
        ("F G a & F b", "persistence"),
        ("G F a & G b", "recurrence"),
        ("G a & F !a", "guarantee safety"),
        ("(G(r1)->F(a1)) & (G(!r1)->F(!a1))", "guarantee"),
    ] {
        let mut store = Store::default();
        let f = read(&mut store, text);
        assert_eq!(class(&store, f, Limits::default()).expect("an answer").to_string(), expected, "{text}");
    }
}
