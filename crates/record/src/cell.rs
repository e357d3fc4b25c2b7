//! A cell of a format that has types, put into a column of the kind that is used. A double means the shortest decimal that is read as it,
//! so that `0.1` is one tenth in every format.

use crate::columns::{Cells, Column, Flaw, MAX_SCALE, TOO_MANY_NAMES, decimal};
use crate::csv::{A_BOOLEAN, as_truth};
use dashu_ratio::RBig;

/// A value as a file has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'c> {
    /// A Boolean.
    Truth(bool),
    /// An integer.
    Integer(i64),
    /// A large natural number.
    Natural(u64),
    /// Digits, of which so many are decimal places.
    Decimal(i64, u8),
    /// A double.
    Double(f64),
    /// A number of single precision.
    Single(f32),
    /// A text: a name, or a number in digits.
    Text(&'c str),
    /// Nothing, and why.
    Missing(&'c str),
}

impl Column {
    /// Puts a value into a row; `place` says where it is, if the column cannot have it. Rows are put in their order.
    pub fn put(&mut self, row: usize, step: u64, cell: Cell, place: impl FnOnce() -> String) {
        if self.flaw.is_some() {
            return;
        }
        if let Err(reason) = self.cells.put(row, cell) {
            self.flaw = Some(Flaw { step, place: place(), reason });
        }
    }
}

impl Column {
    /// Puts an exact number into a row, as [`put`](Column::put) does.
    pub(crate) fn put_number(
        &mut self,
        row: usize,
        step: u64,
        number: &RBig,
        place: impl FnOnce() -> String,
    ) {
        if self.flaw.is_some() {
            return;
        }
        if let Cells::Numbers(numbers) = &mut self.cells {
            numbers.set(row, number);
        } else {
            let reason = format!("`{number}` is not {}", self.kind().words());
            self.flaw = Some(Flaw { step, place: place(), reason });
        }
    }
}

impl Cells {
    fn put(&mut self, row: usize, cell: Cell) -> Result<(), String> {
        if let Cell::Missing(why) = cell {
            return Err(why.to_owned());
        }
        match self {
            Cells::Truths(bits) => {
                let truth = match cell {
                    Cell::Truth(truth) => Some(truth),
                    Cell::Integer(0) | Cell::Natural(0) => Some(false),
                    Cell::Integer(1) | Cell::Natural(1) => Some(true),
                    Cell::Double(number) => truth_of(number),
                    Cell::Single(number) => truth_of(number.into()),
                    Cell::Text(text) => as_truth(text),
                    Cell::Decimal(digits, places) => truth_of_decimal(digits, places),
                    Cell::Integer(_) | Cell::Natural(_) | Cell::Missing(_) => None,
                };
                let truth = truth.ok_or_else(|| format!("`{}` is not {A_BOOLEAN}", shown(cell)))?;
                let bit = 1 << (row % 64);
                if truth { bits[row / 64] |= bit } else { bits[row / 64] &= !bit }
            }
            Cells::Numbers(numbers) => {
                let exact = || format!("`{}` is not a number: it has no exact value", shown(cell));
                let (digits, scale) = match cell {
                    Cell::Truth(truth) => (i64::from(truth), 0),
                    Cell::Integer(number) => (number, 0),
                    Cell::Decimal(digits, places) if usize::from(places) <= MAX_SCALE => (digits, places),
                    Cell::Decimal(digits, places) => {
                        numbers.set_other(row, decimal(digits, places));
                        return Ok(());
                    }
                    Cell::Natural(number) => match i64::try_from(number) {
                        Ok(number) => (number, 0),
                        Err(_) => {
                            numbers.set_other(row, RBig::from(number));
                            return Ok(());
                        }
                    },
                    // Most cells have as many places as the one above.
                    Cell::Double(number) => match decimal_of(number, numbers.scales[row.saturating_sub(1)]) {
                        Some(found) => found,
                        None => {
                            numbers.set(row, &shortest(number).ok_or_else(exact)?);
                            return Ok(());
                        }
                    },
                    Cell::Single(number) => {
                        match decimal_of_single(number, numbers.scales[row.saturating_sub(1)]) {
                            Some(found) => found,
                            None => {
                                numbers.set(row, &parsed(&format!("{number:e}")).ok_or_else(exact)?);
                                return Ok(());
                            }
                        }
                    }
                    Cell::Text(text) => {
                        let number = parsed(text).ok_or_else(|| format!("`{text}` is not a number"))?;
                        numbers.set(row, &number);
                        return Ok(());
                    }
                    Cell::Missing(_) => return Err(String::new()),
                };
                (numbers.digits[row], numbers.scales[row]) = (digits, scale);
            }
            Cells::Names(names) => {
                let Cell::Text(text) = cell else {
                    return Err(format!("`{}` is not a name", shown(cell)));
                };
                let index = names.index(text).ok_or(TOO_MANY_NAMES)?;
                names.cells[row] = index;
            }
        }
        Ok(())
    }
}

fn truth_of_decimal(digits: i64, places: u8) -> Option<bool> {
    let one = 10_i64.checked_pow(places.into());
    if digits == 0 { Some(false) } else { (Some(digits) == one).then_some(true) }
}

fn truth_of(number: f64) -> Option<bool> {
    if number == 0.0 { Some(false) } else { (number == 1.0).then_some(true) }
}

/// The shortest decimal that is read as a double; `None` if it is not finite.
pub(crate) fn shortest(number: f64) -> Option<RBig> {
    parsed(&format!("{number:e}"))
}

fn parsed(text: &str) -> Option<RBig> {
    logic::parse_number(text)
}

fn shown(cell: Cell) -> String {
    match cell {
        Cell::Truth(truth) => truth.to_string(),
        Cell::Integer(number) => number.to_string(),
        Cell::Natural(number) => number.to_string(),
        Cell::Decimal(digits, places) => {
            let number = decimal(digits, places);
            logic::format_decimal(&number).unwrap_or_else(|| number.to_string())
        }
        Cell::Double(number) => number.to_string(),
        Cell::Single(number) => number.to_string(),
        Cell::Text(text) | Cell::Missing(text) => text.to_owned(),
    }
}

/// The shortest decimal that is read as a double, as digits and decimal places, if it has at most 15 digits and few places; `likely` is tried
/// first. A decimal of at most 15 digits is the only one with its number of places that is nearest to its double, so that it is the shortest one,
/// perhaps with zeros at its end.
#[inline]
pub(crate) fn decimal_of(number: f64, likely: u8) -> Option<(i64, u8)> {
    let with = |places: u8| {
        let (digits, fits) = decimal_with(number, POWERS[usize::from(places)]);
        fits.then_some((digits, places))
    };
    with(likely).or_else(|| (0..=MAX_SCALE as u8).find_map(with))
}

/// The digits of a double as a decimal over a power of ten, and whether it is that decimal.
#[inline]
pub(crate) fn decimal_with(number: f64, power: f64) -> (i64, bool) {
    let (digits, nearest) = rounded(number * power);
    // Both are exact, and the quotient of two exact numbers is the nearest double.
    (digits, (nearest.abs() <= 999_999_999_999_999.0) & (nearest / power == number))
}

/// The integer nearest to a double of less than 2^51, as an integer and as a double. After 1.5·2^52 is added, there is no room for a
/// fraction; unlike conversions, additions are vector instructions on every processor.
#[inline]
pub(crate) fn rounded(number: f64) -> (i64, f64) {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let shifted = number + SHIFT;
    ((shifted.to_bits() as i64).wrapping_sub(SHIFT.to_bits() as i64), shifted - SHIFT)
}

/// As [`decimal_of`] for single precision, in which decimals of at most 6 digits differ.
#[inline]
fn decimal_of_single(number: f32, likely: u8) -> Option<(i64, u8)> {
    let wide = f64::from(number);
    // Less than half the distance to the nearest neighbour, so that the rounding of doubles does not matter.
    let near = (f64::from(number.next_up()) - wide).min(wide - f64::from(number.next_down())) * 0.499;
    let with = |places: u8| {
        let power = POWERS[usize::from(places)];
        let digits = (wide * power).round() as i64;
        let fits = digits.unsigned_abs() <= 999_999 && (digits as f64 / power - wide).abs() < near;
        fits.then_some((digits, places))
    };
    with(likely).or_else(|| (0..=MAX_SCALE as u8).find_map(with))
}

/// Powers of ten, which are exact doubles.
pub(crate) const POWERS: [f64; MAX_SCALE + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Block, Input, Kind};
    use base::Random;
    use logic::Value;

    /// Whatever stands before it in its column.
    fn each_is_its_decimal<'a>(cells: impl Iterator<Item = (String, Cell<'a>)>) {
        let mut block = Block::new(&[Input { name: "x".into(), kind: Kind::Number }]);
        for (text, cell) in cells {
            let expected = logic::parse_number(&text).expect("a decimal");
            block.advance();
            for (row, before) in [0.5, 0.123_456, 7.0].into_iter().enumerate() {
                block.columns[0].put(2 * row, 0, Cell::Double(before), String::new);
                block.columns[0].put(2 * row + 1, 0, cell, String::new);
                assert_eq!(block.columns[0].value(2 * row + 1), Value::Num(expected.clone()), "{text}");
            }
        }
    }

    #[test]
    fn doubles_are_their_shortest_decimals() {
        let mut random = Random::new(4);
        let mut numbers =
            vec![0.0, -0.0, 0.1, 0.3, 1e15, 1e16, 1e300, 5e-324, 123.456, -99.999, 0.1 + 0.2, f64::MAX];
        for _ in 0..20_000 {
            numbers.push(f64::from_bits(random.bits()));
            numbers.push(random.below(1_000_000_u64) as f64 / 1000.0);
        }
        numbers.retain(|number| number.is_finite());
        let fast = numbers.iter().filter(|it| decimal_of(**it, 0).is_some()).count();
        assert!(fast > 19_000, "{fast}");
        each_is_its_decimal(numbers.into_iter().map(|it| (format!("{it:e}"), Cell::Double(it))));
    }

    #[test]
    fn singles_are_their_shortest_decimals() {
        let mut random = Random::new(5);
        let mut numbers =
            vec![0.0, -0.0, 0.1, 0.3, 1e15, 1e38, 1e-45, 16_777_216.0, 8_388_607.5, 0.1 + 0.2, f32::MAX];
        for _ in 0..20_000 {
            numbers.push(f32::from_bits(random.bits() as u32));
            numbers.push(random.below(10_000_000_u64) as f32 / 1000.0);
        }
        numbers.retain(|number| number.is_finite());
        let fast = numbers.iter().filter(|it| decimal_of_single(**it, 0).is_some()).count();
        assert!(fast > 1_500, "{fast}");
        each_is_its_decimal(numbers.into_iter().map(|it| (format!("{it:e}"), Cell::Single(it))));
    }

    #[test]
    fn cells_fit_their_columns_or_are_flaws() {
        let check = |kind: Kind, cell: Cell, expected: &str| {
            let mut block = Block::new(&[Input { name: "x".into(), kind }]);
            block.columns[0].put(0, 0, cell, || "here".into());
            let column = &block.columns[0];
            let found = match &column.flaw {
                Some(flaw) => flaw.reason.clone(),
                None => format!("{:?}", column.value(0)),
            };
            assert!(found.contains(expected), "{kind:?} {cell:?}: {found}");
        };
        check(Kind::Truth, Cell::Double(1.0), "true");
        check(Kind::Truth, Cell::Integer(2), "`2` is not a Boolean (0, 1, true, false, yes, no, on or off)");
        check(Kind::Truth, Cell::Text("False"), "false");
        check(Kind::Number, Cell::Double(f64::NAN), "`NaN` is not a number: it has no exact value");
        check(Kind::Number, Cell::Single(0.1), "1 / 10");
        check(Kind::Number, Cell::Natural(u64::MAX), "18446744073709551615");
        check(Kind::Number, Cell::Decimal(-15, 1), "-3 / 2");
        check(Kind::Truth, Cell::Decimal(100, 2), "true");
        check(
            Kind::Truth,
            Cell::Decimal(10, 2),
            "`0.1` is not a Boolean (0, 1, true, false, yes, no, on or off)",
        );
        check(Kind::Number, Cell::Text("1.5"), "3 / 2");
        check(Kind::Number, Cell::Missing("there is no value"), "there is no value");
        check(Kind::Name, Cell::Text("idle"), "idle");
        check(Kind::Name, Cell::Integer(1), "`1` is not a name");
    }
}
