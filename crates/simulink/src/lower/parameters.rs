//! Reading the parameters of a unit: words, numbers, and doubles as the exact numbers that they stand for.
//!
//! A double stands for the shortest decimal that reads as it, so that `0.1` is one tenth in exact arithmetic and the same double
//! in double arithmetic. Numbers that are not finite have no exact counterpart; a block that allows them asks for `entries`.

use crate::plan::Unit;
use crate::value::{Matrix, Value};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// Why a block has no meaning here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), hint: None }
    }

    pub(crate) fn hint(message: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault { message: message.into(), hint: Some(hint.into()) }
    }
}

pub(crate) type Outcome<T> = Result<T, Fault>;

/// A parameter as text; empty if there is none.
pub(crate) fn word<'u>(unit: &'u Unit, name: &str) -> &'u str {
    unit.words.get(name).map_or("", |it| it.trim())
}

/// Whether a parameter is `on`.
pub(crate) fn is_on(unit: &Unit, name: &str) -> bool {
    word(unit, name) == "on"
}

/// A numeric parameter.
pub(crate) fn matrix<'u>(unit: &'u Unit, name: &str) -> Outcome<&'u Matrix> {
    match unit.values.get(name) {
        Some(Value::Matrix(matrix)) => Ok(matrix),
        Some(Value::Text(_) | Value::Struct(_) | Value::Cell(_)) => {
            Err(Fault::new(format!("the parameter `{name}` is no number")))
        }
        None => Err(Fault::hint(
            format!("the parameter `{name}` has no value"),
            "give the data file that defines its variables",
        )),
    }
}

/// The entries of a numeric parameter, by columns; none if it is missing.
pub(crate) fn entries<'u>(unit: &'u Unit, name: &str) -> &'u [f64] {
    match unit.values.get(name) {
        Some(Value::Matrix(matrix)) => &matrix.entries,
        Some(Value::Text(_) | Value::Struct(_) | Value::Cell(_)) | None => &[],
    }
}

/// A parameter that is one number.
pub(crate) fn scalar(unit: &Unit, name: &str) -> Outcome<f64> {
    match matrix(unit, name)?.entries[..] {
        [number] => Ok(number),
        _ => Err(Fault::new(format!("the parameter `{name}` is not one number"))),
    }
}

/// A parameter that is a whole number from 0 to a limit.
pub(crate) fn count(unit: &Unit, name: &str, most: usize) -> Outcome<usize> {
    let number = scalar(unit, name)?;
    if number.fract() == 0.0 && number >= 0.0 && number <= most as f64 {
        Ok(number as usize)
    } else {
        Err(Fault::new(format!("the parameter `{name}` is not a whole number from 0 to {most}")))
    }
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

/// The same, as an outcome.
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
