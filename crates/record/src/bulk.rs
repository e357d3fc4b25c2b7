//! Many cells of a column at once, as formats that store columns have them. The result is that of [`Column::put`] for each cell.

use crate::cell::{Cell, POWERS, decimal_of, decimal_with};
use crate::columns::{Cells, Column, MAX_SCALE, Purpose, set_truths};
use dashu_ratio::RBig;

/// The cells that are looked at to find how many decimal places all of them may have.
const SAMPLE: usize = 64;

/// Consecutive rows of a column.
pub(crate) struct Rows<'b> {
    pub(crate) column: &'b mut Column,
    /// The first row, and its step.
    pub(crate) row: usize,
    pub(crate) step: u64,
    /// The place of the cell at an offset from the first row.
    pub(crate) place: &'b dyn Fn(usize) -> String,
}

impl Rows<'_> {
    /// Puts one cell at an offset.
    pub(crate) fn put(&mut self, offset: usize, cell: Cell) {
        let place = || (self.place)(offset);
        self.column.put(self.row + offset, self.step + offset as u64, cell, place);
    }

    /// Puts an exact number at an offset.
    pub(crate) fn number(&mut self, offset: usize, number: &RBig) {
        let place = || (self.place)(offset);
        self.column.put_number(self.row + offset, self.step + offset as u64, number, place);
    }

    /// Puts truths, 64 in a word.
    pub(crate) fn truths(&mut self, words: impl Iterator<Item = u64>, count: usize) {
        if self.column.flaw.is_some() {
            return;
        }
        let Cells::Truths(bits) = &mut self.column.cells else {
            let mut words = words;
            let mut word = 0;
            for offset in 0..count {
                word = if offset % 64 == 0 { words.next().unwrap_or(0) } else { word >> 1 };
                self.put(offset, Cell::Truth(word & 1 == 1));
            }
            return;
        };
        for (at, word) in words.take(count.div_ceil(64)).enumerate() {
            let left = count - 64 * at;
            set_truths(bits, self.row + 64 * at, if left < 64 { word & ((1 << left) - 1) } else { word });
        }
    }

    /// Puts integers.
    pub(crate) fn integers<T: Copy + Into<i64>>(&mut self, values: &[T]) {
        if self.column.flaw.is_some() {
            return;
        }
        match &mut self.column.cells {
            Cells::Numbers(numbers) => {
                let rows = self.row..self.row + values.len();
                for (digits, value) in numbers.digits[rows.clone()].iter_mut().zip(values) {
                    *digits = (*value).into();
                }
                numbers.scales[rows].fill(0);
            }
            Cells::Truths(_) => self.packed(values, Into::into, |it| it & !1 == 0, Cell::Integer),
            Cells::Names(_) => self.each(values, |value| Cell::Integer(value.into())),
        }
    }

    /// Puts doubles, which need not be copied.
    #[cfg(feature = "arrow")]
    pub(crate) fn shared<T: crate::columns::Shared + Clone + 'static>(&mut self, values: &T) {
        match &mut self.column.cells {
            Cells::Numbers(numbers)
                if self.row == 0 && self.column.flaw.is_none() && self.column.purpose == Purpose::Order =>
            {
                numbers.doubles.share(std::sync::Arc::new(values.clone()));
                self.all_finite(values);
            }
            _ => self.doubles(values),
        }
    }

    /// Puts doubles.
    pub(crate) fn doubles(&mut self, values: &[f64]) {
        if self.column.flaw.is_some() {
            return;
        }
        let purpose = self.column.purpose;
        match &mut self.column.cells {
            Cells::Numbers(numbers) if purpose == Purpose::Order => {
                numbers.doubles.put(self.row, values);
                self.all_finite(values);
            }
            Cells::Numbers(numbers) => {
                let rows = self.row..self.row + values.len();
                let digits = &mut numbers.digits[rows.clone()];
                let last = numbers.scales.iter().copied().max().unwrap_or(0);
                // Most columns have the places of the block before, or of their first cells.
                let first = || {
                    let places = |value: &f64| decimal_of(*value, 0).map(|(_, places)| places);
                    values.iter().take(SAMPLE).map(places).try_fold(0, |most, it| Some(most.max(it?)))
                };
                let places = Some(last).filter(|&places| decimals(digits, values, places));
                let places = places.or_else(|| first().filter(|&places| decimals(digits, values, places)));
                match places {
                    Some(places) => numbers.scales[rows].fill(places),
                    None => self.each(values, Cell::Double),
                }
            }
            Cells::Truths(_) => {
                self.packed(values, |value| value, |it| it == 0.0 || it == 1.0, Cell::Double);
            }
            Cells::Names(_) => self.each(values, Cell::Double),
        }
    }

    /// Finds the first double that is not a number, which is a flaw.
    fn all_finite(&mut self, values: &[f64]) {
        // A loop without an exit, which the compiler turns into vector operations.
        if !values.iter().fold(true, |all, value| all & value.is_finite())
            && let Some(offset) = values.iter().position(|value| !value.is_finite())
        {
            self.put(offset, Cell::Double(values[offset]));
        }
    }

    /// Puts cells one by one.
    pub(crate) fn each<'c, T: Copy>(&mut self, values: &[T], cell: impl Fn(T) -> Cell<'c>) {
        for (offset, value) in values.iter().enumerate() {
            self.put(offset, cell(*value));
        }
    }

    /// Puts numbers that are 0 or 1 into a column of truths.
    fn packed<T: Copy, N: Copy + PartialEq + From<u8>>(
        &mut self,
        values: &[T],
        number: impl Fn(T) -> N,
        is_truth: impl Fn(N) -> bool,
        cell: impl Fn(N) -> Cell<'static>,
    ) {
        if !values.iter().fold(true, |all, value| all & is_truth(number(*value))) {
            return self.each(values, |value| cell(number(value)));
        }
        let Cells::Truths(bits) = &mut self.column.cells else { return };
        for (at, values) in values.chunks(64).enumerate() {
            let bit = |value: T| u64::from(number(value) == N::from(1));
            let word = values.iter().enumerate().fold(0, |word, (at, value)| word | bit(*value) << at);
            set_truths(bits, self.row + 64 * at, word);
        }
    }
}

/// Writes the digits of doubles with so many decimal places; false if one is not such a decimal.
fn decimals(digits: &mut [i64], values: &[f64], places: u8) -> bool {
    let power = POWERS[usize::from(places).min(MAX_SCALE)];
    let mut all = true;
    for (digits, value) in digits.iter_mut().zip(values) {
        let (found, fits) = decimal_with(*value, power);
        *digits = found;
        all &= fits;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Block, Input, Kind};
    use base::Random;

    /// Puts cells at once and one by one; both must be the same.
    fn check<'c, T: Copy>(
        kind: Kind,
        purpose: Purpose,
        values: &[T],
        at_once: impl Fn(&mut Rows, &[T]),
        cell: impl Fn(T) -> Cell<'c>,
    ) {
        let input = Input { name: "x".into(), kind };
        for row in [0, 1, 63, 64, 70] {
            let [mut one, mut other] = [(); 2].map(|()| Block::new(std::slice::from_ref(&input)));
            one.columns[0].purpose = purpose;
            let place = |offset: usize| format!("cell {offset}");
            for (half, values) in values.chunks(values.len().div_ceil(2)).enumerate() {
                let row = row + half * values.len();
                let rows = |block: &mut Block, put: &dyn Fn(&mut Rows)| {
                    put(&mut Rows { column: &mut block.columns[0], row, step: row as u64, place: &place });
                };
                rows(&mut one, &|rows| at_once(rows, values));
                rows(&mut other, &|rows| rows.each(values, &cell));
            }
            let [one, other] = [&one.columns[0], &other.columns[0]];
            assert_eq!(one.flaw, other.flaw);
            let until = one.flaw.as_ref().map_or(row + values.len(), |flaw| flaw.step as usize);
            for row in row..until {
                assert_eq!(one.value(row), other.value(row), "row {row}");
            }
        }
    }

    #[test]
    fn cells_at_once_are_the_cells_one_by_one() {
        let mut random = Random::new(7);
        for kind in [Kind::Truth, Kind::Number, Kind::Name] {
            for length in [2, 64, 200] {
                let bits: Vec<bool> = (0..length).map(|_| random.below(2_u64) == 1).collect();
                let word = |chunk: &[bool]| {
                    chunk.iter().enumerate().fold(0, |word, (at, bit)| word | u64::from(*bit) << at)
                };
                let truths = |rows: &mut Rows, bits: &[bool]| {
                    rows.truths(bits.chunks(64).map(word).collect::<Vec<u64>>().into_iter(), bits.len());
                };
                check(kind, Purpose::Any, &bits, truths, Cell::Truth);
                for most in [2_u64, 1000] {
                    let numbers: Vec<i32> =
                        (0..length).map(|_| random.below(most) as i32 - i32::from(most > 2)).collect();
                    let cell = |it: i32| Cell::Integer(it.into());
                    let integers = |rows: &mut Rows, it: &[i32]| {
                        rows.integers(it);
                    };
                    check(kind, Purpose::Any, &numbers, integers, cell);
                    for (power, odd) in
                        [(1.0, None), (100.0, None), (8.0, Some(1.0 / 3.0)), (10.0, Some(f64::NAN))]
                    {
                        let mut doubles: Vec<f64> = numbers.iter().map(|it| f64::from(*it) / power).collect();
                        doubles[length / 2] = odd.unwrap_or(doubles[length / 2]);
                        for purpose in [Purpose::Any, Purpose::Order] {
                            let copied = |rows: &mut Rows, it: &[f64]| rows.doubles(it);
                            let shared = |rows: &mut Rows, it: &[f64]| rows.shared(&it.to_vec());
                            check(kind, purpose, &doubles, copied, Cell::Double);
                            check(kind, purpose, &doubles, shared, Cell::Double);
                        }
                    }
                }
            }
        }
    }
}
