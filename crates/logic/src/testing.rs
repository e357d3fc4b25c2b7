//! Test helpers: random past-time formulas, and formulas in prefix form.

#[cfg(test)]
mod prefix;

#[cfg(test)]
pub(crate) use prefix::{assert_equivalent, expect_printed, random_formula, random_formulas, read, shall};

use crate::store::{Binary, Bound, Formula, Store, Unary};
use base::Random;

/// A random past-time formula over the variables a, b and c. Lower bounds are some of `least`; upper ones are larger by some of `widths`, or
/// there is none.
pub fn past_formula(
    store: &mut Store,
    random: &mut Random,
    depth: usize,
    (least, widths): (&[u64], &[u64]),
) -> Formula {
    if depth == 0 || random.below(6) == 0 {
        let symbol = store.symbol(random.pick(&["a", "b", "c"]));
        return store.var(symbol);
    }
    let one = past_formula(store, random, depth - 1, (least, widths));
    let lo = random.pick(least);
    let is_bounded = random.below(widths.len() + 1) > 0;
    let bound = Bound::new(lo, is_bounded.then(|| lo + random.pick(widths)));
    match random.below(8) {
        0 => store.not(one),
        1 => store.unary(Unary::Once, bound, one),
        2 => store.unary(Unary::Historically, bound, one),
        which => {
            let other = past_formula(store, random, depth - 1, (least, widths));
            match which {
                3 => store.and2(one, other),
                4 => store.or2(one, other),
                5 => store.xor(one, other),
                6 => store.binary(Binary::Since, bound, one, other),
                _ => store.binary(Binary::Triggered, bound, one, other),
            }
        }
    }
}
