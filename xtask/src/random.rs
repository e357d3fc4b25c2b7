//! Random formulas of the future; the same seed gives the same formula.

use base::Random;
use logic::{Bound, Formula, Store};

/// A formula over atoms in which at most `depth` operators are nested.
pub(crate) fn formula(store: &mut Store, rng: &mut Random, atoms: &[Formula], depth: u32) -> Formula {
    if depth == 0 || rng.below(6) == 0 {
        return atoms[rng.below(atoms.len() as u64) as usize];
    }
    let a = formula(store, rng, atoms, depth - 1);
    let bound = if rng.below(4) == 0 { Bound::upto(rng.below(4)) } else { Bound::ALL };
    let kind = rng.below(11);
    match kind {
        0 | 1 => return store.not(a),
        2 => return store.next(a),
        3 => return store.finally(bound, a),
        4 => return store.globally(bound, a),
        _ => {}
    }
    let b = formula(store, rng, atoms, depth - 1);
    match kind {
        5 => store.and2(a, b),
        6 => store.or2(a, b),
        7 => store.implies(a, b),
        8 => store.until(bound, a, b),
        9 => store.release(bound, a, b),
        _ => store.weak_until(bound, a, b),
    }
}
