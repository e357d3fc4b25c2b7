//! Automata on finite words against the evaluation of formulas, on all short words.

mod common;

use base::Random;
use common::{Operators, atoms, random, truth};
use logic::{Id, SHALL, Store, print};
use requirement::{Context, lower_formula};
use shall_omega::{Limits, accepts_word, translate_at_end, translate_finite};

/// All words of up to `len` letters over this many atoms.
fn words(atoms: usize, len: usize) -> Vec<Vec<Vec<bool>>> {
    let letters: Vec<Vec<bool>> =
        (0..1 << atoms).map(|bits| (0..atoms).map(|k| bits >> k & 1 == 1).collect()).collect();
    let mut all: Vec<Vec<Vec<bool>>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..len {
        let to = all.len();
        for k in from..to {
            for letter in &letters {
                let mut word = all[k].clone();
                word.push(letter.clone());
                all.push(word);
            }
        }
        from = to;
    }
    all
}

fn check(seed: u64, formulas: usize, operators: Operators) {
    let mut rng = Random::new(seed);
    let words = words(2, 4);
    for _ in 0..formulas {
        let mut store = Store::default();
        let propositions = atoms(&mut store, 2);
        let ids: Vec<Id> = propositions.iter().map(|atom| atom.id()).collect();
        let size = 1 + rng.below(6);
        let mut f = random(&mut store, &mut rng, &propositions, operators, size);
        if rng.below(3) == 0 {
            f = store.weak_next(f);
        }
        let shown = print(&store, f, &SHALL).expect("a formula");
        let limits = Limits::default();
        let first =
            translate_finite(&store, f, &ids, limits).unwrap_or_else(|limit| panic!("{shown}: {limit}"));
        let last =
            translate_at_end(&store, f, &ids, limits).unwrap_or_else(|limit| panic!("{shown}: {limit}"));
        assert!(!accepts_word(&first, &[]) && !accepts_word(&last, &[]), "{shown}");
        for word in words.iter().filter(|word| !word.is_empty()) {
            let table = truth(&store, f, &propositions, word, None);
            assert_eq!(accepts_word(&first, word), table[0], "{shown} at the start of {word:?}");
            assert_eq!(
                Some(accepts_word(&last, word)),
                table.last().copied(),
                "{shown} at the end of {word:?}"
            );
        }
    }
}

#[test]
fn future() {
    check(11, 400, Operators::default());
}

#[test]
fn bounds() {
    check(12, 200, Operators { bounds: true, ..Operators::default() });
}

#[test]
fn past() {
    check(13, 200, Operators { past: true, ..Operators::default() });
}

#[test]
fn past_with_bounds() {
    check(14, 100, Operators { past: true, bounds: true });
}

#[test]
fn sizes() {
    for (text, at_end, states) in [
        ("F a", false, 2),
        ("G a", false, 2),
        ("X a", false, 3),
        ("a U b", false, 2),
        ("G (a -> F b)", false, 3),
        ("O a", true, 2),
        ("H a", true, 2),
        ("a S b", true, 2),
        ("O[0,3] a", true, 5),
        ("G (a -> H[0,3] b)", false, 5),
    ] {
        let mut store = Store::default();
        let (formula, _) = lower_formula(&mut store, &syntax::formula::parse(text), &Context::default());
        let formula = formula.expect("a formula");
        let translate = if at_end { translate_at_end } else { translate_finite };
        let buchi = translate(&store, formula, &[], Limits::default()).expect("within the limits");
        assert_eq!(buchi.size().0, states, "{text}");
    }
}
