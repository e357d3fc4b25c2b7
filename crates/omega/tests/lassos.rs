//! The automaton of a formula accepts a lasso if and only if the formula holds on it.

mod common;

use base::Random;
use common::{Operators, atoms, random, truth, word};
use logic::{Id, SHALL, Store, print};
use shall_omega::{Limits, accepts_lasso, translate_over};

fn check(seed: u64, formulas: usize, words: usize, operators: Operators) {
    let mut rng = Random::new(seed);
    for _ in 0..formulas {
        let mut store = Store::default();
        let propositions = atoms(&mut store, 1 + rng.below(3));
        let ids: Vec<Id> = propositions.iter().map(|atom| atom.id()).collect();
        let size = 1 + rng.below(7);
        let f = random(&mut store, &mut rng, &propositions, operators, size);
        let shown = print(&store, f, &SHALL).expect("a formula");
        let buchi = translate_over(&store, f, &ids, Limits::default())
            .unwrap_or_else(|limit| panic!("{shown}: {limit}"));
        for _ in 0..words {
            let len = 1 + rng.below(6);
            let letters = word(&mut rng, ids.len(), len);
            let loop_start = rng.below(len);
            let holds = truth(&store, f, &propositions, &letters, Some(loop_start))[0];
            let accepts = accepts_lasso(&buchi, &letters, loop_start);
            assert_eq!(accepts, holds, "{shown} on {letters:?} back to {loop_start}");
        }
    }
}

#[test]
fn future() {
    check(1, 2_000, 20, Operators::default());
}

#[test]
fn bounds() {
    check(2, 600, 20, Operators { bounds: true, ..Operators::default() });
}

#[test]
fn past() {
    check(3, 600, 20, Operators { past: true, ..Operators::default() });
}

#[test]
fn past_with_bounds() {
    check(4, 300, 20, Operators { past: true, bounds: true });
}
