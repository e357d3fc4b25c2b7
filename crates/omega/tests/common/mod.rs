//! Random formulas and words for the tests, from a seed.

// Each test uses a part of it.
#![allow(dead_code, unreachable_pub, missing_docs)]

use logic::{Bound, Formula, Shape, Store, truth_table};

/// A small generator of random numbers (xorshift).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % sides
    }
}

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

/// A random formula of at most so many operators.
pub fn random(
    store: &mut Store,
    dice: &mut Dice,
    atoms: &[Formula],
    operators: Operators,
    size: usize,
) -> Formula {
    if size == 0 {
        let atom = atoms[dice.roll(atoms.len())];
        return if dice.roll(3) == 0 { store.not(atom) } else { atom };
    }
    let kinds = if operators.past { 15 } else { 10 };
    let kind = dice.roll(kinds);
    let one_operand = (6..13).contains(&kind);
    let left = if !one_operand && size > 1 { dice.roll(size) } else { size - 1 };
    let f = random(store, dice, atoms, operators, left);
    let bound = if operators.bounds && dice.roll(3) == 0 {
        let lo = dice.roll(3) as u64;
        if dice.roll(4) == 0 { Bound::new(lo, None) } else { Bound::new(lo, lo + dice.roll(3) as u64) }
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
    let g = random(store, dice, atoms, operators, size - 1 - left);
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
pub fn word(dice: &mut Dice, atoms: usize, len: usize) -> Vec<Vec<bool>> {
    (0..len).map(|_| (0..atoms).map(|_| dice.roll(2) == 0).collect()).collect()
}
