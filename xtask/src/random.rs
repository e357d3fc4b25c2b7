//! Random formulas of the future, the same for the same seed.

use logic::{Bound, Formula, Store};

/// A die that rolls the same numbers for the same seed (xorshift).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
}

/// A formula over atoms, with as many operators above each other as `depth` at most.
pub(crate) fn formula(store: &mut Store, dice: &mut Dice, atoms: &[Formula], depth: u32) -> Formula {
    if depth == 0 || dice.roll(6) == 0 {
        return atoms[dice.roll(atoms.len() as u64) as usize];
    }
    let a = formula(store, dice, atoms, depth - 1);
    let bound = if dice.roll(4) == 0 { Bound::upto(dice.roll(4)) } else { Bound::ALL };
    let kind = dice.roll(11);
    match kind {
        0 | 1 => return store.not(a),
        2 => return store.next(a),
        3 => return store.finally(bound, a),
        4 => return store.globally(bound, a),
        _ => {}
    }
    let b = formula(store, dice, atoms, depth - 1);
    match kind {
        5 => store.and2(a, b),
        6 => store.or2(a, b),
        7 => store.implies(a, b),
        8 => store.until(bound, a, b),
        9 => store.release(bound, a, b),
        _ => store.weak_until(bound, a, b),
    }
}
