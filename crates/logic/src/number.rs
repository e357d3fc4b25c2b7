//! Exact decimal text: `-3.0e2` to a rational number, and back if the decimals end.
//!
//! Nothing uses floating point. Exponents are limited, so that a short text cannot denote a number of a billion digits.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The largest magnitude of an exponent, and the maximum number of digits, that [`parse_decimal`] accepts.
pub const MAX_EXPONENT: i64 = 10_000;

/// Parses a decimal: digits with an optional sign, point and exponent.
///
/// ```
/// let half = shall_logic::parse_decimal("50e-2").unwrap();
/// assert_eq!(shall_logic::format_decimal(&half).unwrap(), "0.5");
/// ```
pub fn parse_decimal(text: &str) -> Option<RBig> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.len() > MAX_EXPONENT as usize
        || digits.is_empty()
        || !digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let magnitude = IBig::from(UBig::from_str_radix(&digits, 10).ok()?);
    let numerator = if negative { -magnitude } else { magnitude };
    let scale = exponent - i64::try_from(fraction.len()).ok()?;
    let power = UBig::from(10u8).pow(usize::try_from(scale.unsigned_abs()).ok()?);
    Some(if scale < 0 {
        RBig::from_parts(numerator, power)
    } else {
        RBig::from_parts(numerator * IBig::from(power), UBig::ONE)
    })
}

/// Parses a decimal or a fraction such as `-1/3`. A fraction must be in lowest terms, as it is printed, so that a date such as
/// `2026/04` is not one.
pub fn parse_number(text: &str) -> Option<RBig> {
    let Some((numerator, denominator)) = text.split_once('/') else { return parse_decimal(text) };
    let denominator = parse_decimal(denominator).filter(|it| *it > RBig::ONE)?;
    let number = parse_decimal(numerator)? / denominator;
    (number.to_string() == text).then_some(number)
}

/// The shortest decimal text of a number, or `None` if the decimals never end.
pub fn format_decimal(number: &RBig) -> Option<String> {
    let mut rest = number.denominator().clone();
    let twos = rest.trailing_zeros().unwrap_or(0);
    rest >>= twos;
    let fives = rest.remove(&UBig::from(5u8)).unwrap_or(0);
    if !rest.is_one() {
        return None;
    }
    let places = twos.max(fives);
    let scaled = number * RBig::from(UBig::from(10u8).pow(places));
    let (numerator, _) = scaled.into_parts();
    let digits = numerator.to_string();
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits.as_str()),
    };
    if places == 0 {
        return Some(format!("{sign}{digits}"));
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    Some(format!("{sign}{whole}.{fraction}"))
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.len() > MAX_EXPONENT as usize
        || digits.is_empty()
        || !digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    text.parse().ok().filter(|exponent: &i64| exponent.abs() <= MAX_EXPONENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let printed = parse_decimal(text).map(|number| format_decimal(&number).expect("a decimal"));
        assert_eq!(printed.as_deref(), expected, "{text}");
    }

    #[test]
    fn there_and_back() {
        for (text, expected) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("12", "12"),
            ("+12", "12"),
            ("007", "7"),
            ("2.0", "2"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-3.0e2", "-300"),
            ("1e-3", "0.001"),
            ("-0.050", "-0.05"),
            ("1.25E+1", "12.5"),
            ("0.0625", "0.0625"),
            ("340282366920938463463374607431768211457", "340282366920938463463374607431768211457"),
        ] {
            check(text, Some(expected));
        }
        for text in [
            "",
            ".",
            "-",
            "e5",
            "1e",
            "1e+",
            "1e10001",
            "1e-99999999999",
            "1_000",
            "0x10",
            "1.2.3",
            "--1",
            "1e--2",
            "∞",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn endless_decimals_are_refused() {
        let third = RBig::from_parts(IBig::from(1), UBig::from(3u8));
        assert_eq!(format_decimal(&third), None);
    }

    #[test]
    fn fractions() {
        for (text, is_number) in [
            ("1/3", true),
            ("-22/7", true),
            ("0.5", true),
            ("2/4", false),
            ("2026/04", false),
            ("1/0", false),
            ("3/1", false),
            ("1/-3", false),
            ("1/2/3", false),
            ("1e1/3", false),
            ("/", false),
        ] {
            let number = parse_number(text);
            assert_eq!(number.is_some(), is_number, "{text}");
            assert!(
                number.is_none_or(|it| format_decimal(&it).unwrap_or_else(|| it.to_string()) == text),
                "{text}"
            );
        }
    }

    #[test]
    fn the_largest_exponent_is_still_a_number() {
        let text = format_decimal(&parse_decimal("1e10000").expect("in range")).expect("a decimal");
        assert_eq!(text.len(), 10_001);
        assert!(parse_decimal("1e-10000").is_some());
    }
}
