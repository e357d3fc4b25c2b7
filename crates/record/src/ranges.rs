//! Columns of numbers compared with constants, 64 cells at a time.
//!
//! A comparison is decided on the digits of a cell: for each number of decimal places there is a range of digits for which it holds.
//! Most columns have equally many places in all cells and small digits, so that there is one range, and 32 bits are enough ([`Narrow`]).

use crate::cell::shortest;
use crate::columns::{BLOCK, Bits, MAX_SCALE, Numbers, decimal};
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::Rel;
use std::cmp::Ordering;

/// The digits for which a comparison with a constant holds, for each number of decimal places.
#[derive(Debug, Clone)]
pub(crate) struct Ranges {
    rel: Rel,
    constant: RBig,
    /// Inclusive; for `!=`, the digits for which it does not hold.
    ranges: [(i64, i64); MAX_SCALE + 1],
    /// The same for doubles.
    doubles: (f64, f64),
}

impl Ranges {
    pub(crate) fn new(rel: Rel, constant: RBig) -> Ranges {
        let mut ranges = [(1, 0); MAX_SCALE + 1];
        for (scale, range) in ranges.iter_mut().enumerate() {
            let scaled = &constant / decimal(1, scale as u8);
            let (floor, ceil): (IBig, IBig) = (scaled.floor(), scaled.ceil());
            // Beyond 64 bits there are no digits: the limits are one more than that.
            let least = |number: &IBig| match i64::try_from(number) {
                Ok(number) => (number, true),
                Err(_) if *number < IBig::ZERO => (i64::MIN, true),
                Err(_) => (i64::MAX, false),
            };
            let most = |number: &IBig| match i64::try_from(number) {
                Ok(number) => (number, true),
                Err(_) if *number < IBig::ZERO => (i64::MIN, false),
                Err(_) => (i64::MAX, true),
            };
            let (lo, hi) = match rel {
                Rel::Gt => (least(&(&floor + IBig::ONE)), (i64::MAX, true)),
                Rel::Ge => (least(&ceil), (i64::MAX, true)),
                Rel::Lt => ((i64::MIN, true), most(&(&ceil - IBig::ONE))),
                Rel::Le => ((i64::MIN, true), most(&floor)),
                Rel::Eq | Rel::Ne => (least(&ceil), most(&floor)),
            };
            if lo.1 && hi.1 {
                *range = (lo.0, hi.0);
            }
        }
        let doubles = doubles(rel, &constant);
        Ranges { rel, constant, ranges, doubles }
    }

    /// Where the comparison holds. `narrow` has the same numbers, if they are as most are.
    pub(crate) fn evaluate(&self, numbers: &Numbers, narrow: Option<&Narrow>, rows: usize, holds: &mut Bits) {
        let words = rows.div_ceil(64);
        if !numbers.doubles.is_empty() {
            let (lo, hi) = self.doubles;
            let inside = |number: f64| (lo <= number) & (number <= hi);
            // After a cell without a value there are no more doubles.
            let (groups, rest) = numbers.doubles.as_chunks::<64>();
            for (word, cells) in holds.iter_mut().zip(groups) {
                *word = packed(cells, inside);
            }
            if let Some(word) = holds.get_mut(groups.len()) {
                *word = rest.iter().enumerate().fold(0, |word, (at, it)| word | u64::from(inside(*it)) << at);
            }
        } else if let Some((scale, digits)) = narrow.and_then(Narrow::digits) {
            let (lo, hi) = self.ranges[usize::from(scale)];
            let [least, most] = [lo, hi].map(|it| it.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
            // A range may be beyond 32 bits.
            let is_any = lo <= hi && i64::from(least) <= hi && lo <= i64::from(most);
            let (groups, _) = digits.as_chunks::<64>();
            for (word, cells) in holds.iter_mut().zip(groups).take(words) {
                *word = if is_any { packed(cells, |it| (least <= it) & (it <= most)) } else { 0 };
            }
        } else {
            let groups = numbers.digits[..rows].chunks(64).zip(numbers.scales[..rows].chunks(64));
            for (word, (digits, scales)) in holds.iter_mut().zip(groups) {
                let pairs = digits.iter().zip(scales).enumerate();
                *word = pairs.fold(0, |word, (at, (&number, &scale))| {
                    let (lo, hi) = self.ranges[usize::from(scale)];
                    word | u64::from((lo <= number) & (number <= hi)) << at
                });
            }
        }
        if self.rel == Rel::Ne {
            holds[..words].iter_mut().for_each(|word| *word = !*word);
        }
        for (row, number) in &numbers.others {
            let bit = 1 << (row % 64);
            if self.rel.holds(number, &self.constant) {
                holds[row / 64] |= bit;
            } else {
                holds[row / 64] &= !bit;
            }
        }
    }
}

/// The digits of a column in a block with 32 bits, if these are enough and all cells have equally many decimal places.
#[derive(Debug, Clone)]
pub(crate) struct Narrow {
    digits: Vec<i32>,
    scale: Option<u8>,
}

impl Narrow {
    pub(crate) fn new() -> Narrow {
        Narrow { digits: vec![0; BLOCK], scale: None }
    }

    /// Reads the cells of a block.
    pub(crate) fn fill(&mut self, numbers: &Numbers, rows: usize) {
        self.scale = None;
        let Some(&scale) = numbers.scales[..rows].first() else { return };
        if !numbers.doubles.is_empty() {
            return;
        }
        // Simple loops over whole blocks, which the compiler turns into vector operations.
        let other_scales = numbers.scales[..rows].iter().fold(0, |any, it| any | (it ^ scale));
        let mut lost = 0;
        for (narrow, digits) in self.digits.iter_mut().zip(&numbers.digits[..rows]) {
            *narrow = *digits as i32;
            lost |= i64::from(*narrow) ^ digits;
        }
        self.scale = (other_scales == 0 && lost == 0).then_some(scale);
    }

    fn digits(&self) -> Option<(u8, &[i32])> {
        Some((self.scale?, &self.digits))
    }
}

/// The doubles whose shortest decimals are related to a constant, as a range; for `!=`, those of which it is not true. The shortest
/// decimals of doubles ascend as they do, so only the few around the constant are looked at.
fn doubles(rel: Rel, constant: &RBig) -> (f64, f64) {
    let side = |number: f64| match shortest(number) {
        Some(decimal) => decimal.cmp(constant),
        None if number < 0.0 => Ordering::Less,
        None => Ordering::Greater,
    };
    let mut below = constant.to_f64().value().next_down();
    while side(below) != Ordering::Less {
        below = below.next_down();
    }
    while side(below.next_up()) == Ordering::Less {
        below = below.next_up();
    }
    let least = below.next_up();
    let above = if side(least) == Ordering::Equal { least.next_up() } else { least };
    match rel {
        Rel::Gt => (above, f64::INFINITY),
        Rel::Ge => (least, f64::INFINITY),
        Rel::Lt => (f64::NEG_INFINITY, below),
        Rel::Le => (f64::NEG_INFINITY, above.next_down()),
        Rel::Eq | Rel::Ne => (least, above.next_down()),
    }
}

/// The truths of 64 cells as a word: first a byte for each, which the compiler does for many at once, then a bit.
#[inline]
pub(crate) fn packed<T: Copy>(cells: &[T; 64], holds: impl Fn(T) -> bool) -> u64 {
    let mut bytes = [0; 64];
    for (byte, cell) in bytes.iter_mut().zip(cells) {
        *byte = u8::from(holds(*cell));
    }
    let (groups, _) = bytes.as_chunks::<8>();
    let bits = |group: &[u8; 8]| u64::from_le_bytes(*group).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    groups.iter().enumerate().fold(0, |word, (at, group)| word | bits(group) << (8 * at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Block, Cells, Input, Kind};
    use base::Random;

    #[test]
    fn comparisons_are_those_of_the_exact_numbers() {
        let mut random = Random::new(12);
        let input = Input { name: "x".into(), kind: Kind::Number };
        for round in 0..300 {
            let mut block = Block::new(std::slice::from_ref(&input));
            let rows = 1 + random.below(300_usize);
            let Cells::Numbers(numbers) = &mut block.columns[0].cells else { unreachable!("it has numbers") };
            let most = random.pick(&[3_u64, 1000, 1 << 31, 1 << 40]);
            for row in 0..rows {
                let digits = random.below(2 * most) as i64 - most as i64;
                let scale = if round % 3 == 0 { random.below(19_u64) as u8 } else { 2 };
                (numbers.digits[row], numbers.scales[row]) = (digits, scale);
            }
            if round % 5 == 0 {
                numbers.set_other(rows / 2, RBig::from_parts(IBig::ONE, 3_u32.into()));
            }
            let mut narrow = Narrow::new();
            narrow.fill(numbers, rows);
            assert!(narrow.scale.is_some() || round % 3 == 0 || round % 5 == 0 || most > 1000);
            let constant = match random.below(3_u64) {
                0 => decimal(numbers.digits[rows - 1], numbers.scales[rows - 1]),
                1 => decimal(random.below(2 * most) as i64 - most as i64, 2),
                _ => decimal(i64::MAX, 0),
            };
            for rel in [Rel::Lt, Rel::Le, Rel::Gt, Rel::Ge, Rel::Eq, Rel::Ne] {
                let ranges = Ranges::new(rel, constant.clone());
                for narrow in [None, Some(&narrow)] {
                    let mut holds = [0; crate::columns::WORDS];
                    ranges.evaluate(numbers, narrow, rows, &mut holds);
                    for row in 0..rows {
                        let expected = rel.holds(&numbers.exact(row), &constant);
                        assert_eq!(holds[row / 64] >> (row % 64) & 1 == 1, expected, "{rel:?} {row}");
                    }
                }
            }
        }
    }
}
