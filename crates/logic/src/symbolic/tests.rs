//! Lassos found by the search, compared with all short lassos.

use super::{Letter, Undecided, lasso};
use crate::eval::{Shape, truth_table};
use crate::store::Formula;
use crate::store::Id;
use crate::store::Store;
use crate::testing::random_formula;
use base::Random;

/// Whether a formula holds at the start of a lasso.
fn holds(store: &Store, formula: Formula, atoms: &[Id], letters: &[Letter], start: usize) -> bool {
    truth_table(store, formula, Shape::lasso(letters.len(), start), |id, position| {
        atoms.iter().position(|&atom| atom == id).is_some_and(|k| letters[position][k])
    })[0]
}

#[test]
fn a_lasso_is_found_exactly_if_there_is_one() {
    let letter = |k: u32| vec![k & 1 == 1, k & 2 == 2];
    let alphabet: Vec<Letter> = (0..4).map(letter).collect();
    let (mut found, mut absent) = (0, 0);
    for seed in 0..4_000 {
        let mut store = Store::default();
        let atoms = ["p", "q"].map(|name| {
            let symbol = store.symbol(name);
            store.var(symbol)
        });
        let ids = atoms.map(Formula::id);
        let mut rng = Random::new(seed);
        let [a, b] = [3, 3].map(|depth| random_formula(&mut store, &mut rng, &atoms, depth));
        let formula = store.and2(a, b);
        match lasso(&mut store, formula, &ids, &alphabet) {
            Err(Undecided::WrongDirection) => continue,
            Err(Undecided::TooLarge) => panic!("small formulas are decided"),
            Ok(Some(lasso)) => {
                found += 1;
                assert!(holds(&store, formula, &ids, &lasso.letters, lasso.loop_start), "seed {seed}");
            }
            Ok(None) => {
                absent += 1;
                for (length, start) in
                    (1..=4).flat_map(|length| (0..length).map(move |start| (length, start)))
                {
                    for word in 0..1u32 << (2 * length) {
                        let letters: Vec<Letter> = (0..length).map(|t| letter(word >> (2 * t))).collect();
                        let there_is_one = holds(&store, formula, &ids, &letters, start);
                        assert!(!there_is_one, "seed {seed}: {letters:?} from {start}");
                    }
                }
            }
        }
    }
    assert!(found > 300 && absent > 20, "{found} found, {absent} absent");
}
