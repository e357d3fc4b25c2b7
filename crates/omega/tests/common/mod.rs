//! Random formulas and words for the tests, from a seed.

// Each test uses a part of it.
#![allow(dead_code, unreachable_pub, missing_docs)]

use base::Random;
use logic::{Bound, Formula, Shape, Store, truth_table};

/// Which operators random formulas have.
#[derive(Clone, Copy, Default)]
pub struct Operators {
    pub past: bool,
    pub bounds: bool,
}

pub fn atoms(store: &mut Store, count: usize) -> Vec<Formula> {
    let names = ["a", "b", "c", "d"];
    names[..count]
        .iter()
        .map(|name| {
            let symbol = store.symbol(name);
            store.var(symbol)
        })
        .collect()
}

/// Checks this many random formulas of three atoms, each in a store of its own.
pub fn random_formulas(seed: u64, rounds: usize, check: impl Fn(&mut Store, Formula)) {
    let mut rng = Random::new(seed);
    (0..rounds).for_each(|_| {
        let mut store = Store::default();
        let propositions = atoms(&mut store, 3);
        let f = random(&mut store, &mut rng, &propositions, Operators::default(), 5);
        check(&mut store, f);
    });
}

/// A random formula of at most this many operators.
pub fn random(
    store: &mut Store,
    rng: &mut Random,
    atoms: &[Formula],
    operators: Operators,
    size: usize,
) -> Formula {
    if size == 0 {
        let atom = atoms[rng.below(atoms.len())];
        return if rng.below(3) == 0 { store.not(atom) } else { atom };
    }
    let kinds = if operators.past { 15 } else { 10 };
    let kind = rng.below(kinds);
    let one_operand = (6..13).contains(&kind);
    let left = if !one_operand && size > 1 { rng.below(size) } else { size - 1 };
    let f = random(store, rng, atoms, operators, left);
    let bound = if operators.bounds && rng.below(3) == 0 {
        let lo = rng.below(3) as u64;
        if rng.below(4) == 0 { Bound::new(lo, None) } else { Bound::new(lo, lo + rng.below(3) as u64) }
    } else {
        Bound::ALL
    };
    if one_operand {
        return match kind {
            6 => store.next(f),
            7 => store.finally(bound, f),
            8 => store.globally(bound, f),
            9 => store.not(f),
            10 => store.once(bound, f),
            11 => store.historically(bound, f),
            _ => store.yesterday(f),
        };
    }
    let g = random(store, rng, atoms, operators, size - 1 - left);
    match kind {
        0 => store.and2(f, g),
        1 => store.or2(f, g),
        2 => store.implies(f, g),
        3 => store.iff(f, g),
        4 => store.until(bound, f, g),
        5 => store.release(bound, f, g),
        13 => store.since(bound, f, g),
        _ => store.triggered(bound, f, g),
    }
}

/// The truth of a formula at each position of a word, whose letters give the truth of the atoms.
pub fn truth(
    store: &Store,
    formula: Formula,
    atoms: &[Formula],
    letters: &[Vec<bool>],
    loop_start: Option<usize>,
) -> Vec<bool> {
    let shape = Shape { len: letters.len(), loop_start };
    truth_table(store, formula, shape, |id, position| {
        let atom = atoms.iter().position(|atom| atom.id() == id).expect("an atom");
        letters[position][atom]
    })
}

/// A random word.
pub fn word(rng: &mut Random, atoms: usize, len: usize) -> Vec<Vec<bool>> {
    (0..len).map(|_| (0..atoms).map(|_| rng.below(2) == 0).collect()).collect()
}
