//! The parameters of a unit: texts, numbers, and the exact numbers that doubles stand for.
//!
//! A double stands for the shortest decimal that parses to it, so that `0.1` is one tenth in exact arithmetic and the same double
//! in double arithmetic. Numbers that are not finite have no exact counterpart; a block that allows them uses [`Unit::entries`].

use super::{Fault, Outcome, Unit};
use crate::value::{Matrix, Value};
use dashu_int::IBig;
use dashu_ratio::RBig;

impl Unit {
    /// A parameter as text; empty if there is none.
    pub(crate) fn word(&self, name: &str) -> &str {
        self.words.get(name).map_or("", |it| it.trim())
    }

    /// The parts of a parameter that is a comma-separated list.
    pub(crate) fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        self.word(name).split(',').map(str::trim)
    }

    /// Whether a parameter is `on`.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.word(name) == "on"
    }

    /// A numeric parameter, if it has a value.
    pub(crate) fn matrix(&self, name: &str) -> Option<&Matrix> {
        self.values.get(name).and_then(Value::matrix)
    }

    /// A parameter that is one number, if it has a value.
    pub(crate) fn single(&self, name: &str) -> Option<f64> {
        self.matrix(name).and_then(Matrix::single)
    }

    /// The entries of a numeric parameter, by columns; none if it is missing.
    pub(crate) fn entries(&self, name: &str) -> &[f64] {
        self.matrix(name).map_or(&[], |it| &it.entries)
    }

    /// The entry for an element: a parameter has one number for all elements or one for each; an empty one is zero, and a missing
    /// entry is NaN.
    pub(crate) fn entry(&self, name: &str, element: usize) -> f64 {
        entry(self.entries(name), element)
    }

    /// The numbers of one dimension: a parameter has one matrix, or one for each dimension.
    pub(crate) fn along(&self, name: &str, dimension: usize) -> Option<&Matrix> {
        match self.values.get(name)? {
            Value::Cell(all) => all.get(dimension)?.matrix(),
            Value::Matrix(matrix) if dimension == 0 => Some(matrix),
            Value::Matrix(_) | Value::Complex(_) | Value::Text(_) | Value::Struct(_) | Value::Function(_) => {
                None
            }
        }
    }

    /// A numeric parameter that the block needs.
    pub(crate) fn numbers(&self, name: &str) -> Outcome<&Matrix> {
        match self.values.get(name) {
            Some(Value::Matrix(matrix)) => Ok(matrix),
            Some(_) => Err(Fault::new(format!("the parameter `{name}` is not a number"))),
            None => Err(Fault::hint(
                format!("the parameter `{name}` has no value"),
                "give the data file that defines its variables",
            )),
        }
    }

    /// A parameter that is an integer from 0 to a limit.
    pub(crate) fn count(&self, name: &str, most: usize) -> Outcome<usize> {
        let Some(number) = self.numbers(name)?.single() else {
            return Err(Fault::new(format!("the parameter `{name}` is not one number")));
        };
        if number.fract() == 0.0 && number >= 0.0 && number <= most as f64 {
            Ok(number as usize)
        } else {
            Err(Fault::new(format!("the parameter `{name}` is not an integer from 0 to {most}")))
        }
    }
}

/// The entry of a list for an element, see [`Unit::entry`].
pub(crate) fn entry(entries: &[f64], element: usize) -> f64 {
    match entries {
        [] => 0.0,
        [only] => *only,
        _ => entries.get(element).copied().unwrap_or(f64::NAN),
    }
}

/// The parts of a list, split at commas outside brackets.
pub(crate) fn clauses(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0i64, 0, vec![]);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    if text.trim().is_empty() { vec![] } else { parts }
}

/// The exact number that a double stands for; none for infinities and not-a-number.
pub(crate) fn exact(number: f64) -> Option<RBig> {
    if !number.is_finite() {
        return None;
    }
    if number.fract() == 0.0 && number.abs() < 9e15 {
        return Some(RBig::from(number as i64));
    }
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
    let power = exponent - i32::try_from(fraction.len()).ok()?;
    let scale = RBig::from(IBig::from(10).pow(power.unsigned_abs() as usize));
    let mantissa = RBig::from(mantissa);
    Some(if power < 0 { mantissa / scale } else { mantissa * scale })
}

/// The exact number that a parameter of a block stands for.
pub(crate) fn finite(number: f64) -> Outcome<RBig> {
    exact(number).ok_or_else(|| Fault::new(format!("the number {number} has no exact value")))
}

#[cfg(test)]
mod tests {
    use super::exact;
    use dashu_ratio::RBig;

    #[test]
    fn doubles_are_the_shortest_decimals() {
        let cases = [(0.1, 1, 10u32), (-2.5, -5, 2), (3.0, 3, 1), (1e-3, 1, 1000), (0.02, 1, 50)];
        for (number, numerator, denominator) in cases {
            assert_eq!(exact(number), Some(RBig::from_parts(numerator.into(), denominator.into())));
        }
        for number in [1e300, 5e-324, std::f64::consts::PI, 1.0 / 3.0, f64::MAX] {
            assert_eq!(exact(number).map(|it| it.to_f64().value()), Some(number));
        }
        assert_eq!(exact(f64::INFINITY), None);
    }
}
