//! The text of a cell as a value of the kind that its column is read as.

use super::time::instant;
use crate::columns::{Cells, Column, Flaw, MAX_SCALE};
use dashu_ratio::RBig;

/// Reads a cell into a row of its column; `place` says where it is, if it has no value.
#[inline]
pub(crate) fn read(
    column: &mut Column,
    row: usize,
    step: u64,
    text: &[u8],
    point: u8,
    place: impl FnOnce() -> String,
) {
    if column.flaw.is_some() {
        return;
    }
    let read = match &mut column.cells {
        Cells::Truths(bits) => {
            let word = &mut bits[row / 64];
            match text {
                b"0" => Ok(()),
                b"1" => {
                    *word |= 1 << (row % 64);
                    Ok(())
                }
                _ => truth(text).map(|truth| *word |= u64::from(truth) << (row % 64)),
            }
        }
        Cells::Numbers(numbers) => match digits(text, point) {
            Some((digits, scale)) => {
                (numbers.digits[row], numbers.scales[row]) = (digits, scale);
                Ok(())
            }
            None => number(text, point).map(|number| numbers.set_other(row, number)),
        },
        Cells::Names(names) => {
            // Most cells repeat the one above.
            let above = if row == 0 { None } else { Some(names.cells[row - 1]) };
            match above.filter(|&it| names.known[it as usize].as_bytes() == text) {
                Some(same) => {
                    names.cells[row] = same;
                    Ok(())
                }
                None => name(text).and_then(|text| {
                    let index = names
                        .index(text)
                        .ok_or_else(|| "the column has too many different names".to_owned())?;
                    names.cells[row] = index;
                    Ok(())
                }),
            }
        }
    };
    if let Err(reason) = read {
        column.flaw = Some(Flaw { step, place: place(), reason });
    }
}

/// A cell without the blanks around it.
#[inline]
pub(crate) fn trimmed(mut text: &[u8]) -> &[u8] {
    if let ([first, ..], [.., last]) = (text, text)
        && *first > b' '
        && *last > b' '
    {
        return text;
    }
    while let [b' ' | b'\t' | b'\r', rest @ ..] = text {
        text = rest;
    }
    while let [rest @ .., b' ' | b'\t' | b'\r'] = text {
        text = rest;
    }
    text
}

/// The digits of a decimal and the number of its decimal places, if both are small.
#[inline]
pub(crate) fn digits(text: &[u8], point: u8) -> Option<(i64, u8)> {
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (mut number, mut count, mut scale) = (0_i64, 0, None);
    if unsigned.len() > MAX_SCALE + 1 {
        return None;
    }
    for &byte in unsigned {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            number = number * 10 + i64::from(digit);
            count += 1;
        } else if (byte == point || byte == b'.') && scale.is_none() {
            scale = Some(count);
        } else {
            return None;
        }
    }
    let places = scale.map_or(0, |before| count - before);
    (0 < count && usize::from(count) <= MAX_SCALE)
        .then_some((if negative { -number } else { number }, places))
}

/// Whether a text says that there is no value.
pub(crate) fn is_missing(text: &str) -> bool {
    text.is_empty() || ["nan", "na", "n/a", "null"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The Boolean of a cell, if it has one.
pub(crate) fn as_truth(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// The number of a cell, if it has one.
pub(crate) fn as_number(text: &str, point: u8) -> Option<RBig> {
    if point == b'.' {
        return logic::parse_number(text);
    }
    logic::parse_number(&text.replacen(char::from(point), ".", 1))
}

fn truth(text: &[u8]) -> Result<bool, String> {
    let text = utf8(text)?;
    as_truth(text).ok_or_else(|| wrong(text, "a Boolean"))
}

fn number(text: &[u8], point: u8) -> Result<RBig, String> {
    let text = utf8(text)?;
    as_number(text, point).or_else(|| instant(text)).ok_or_else(|| match not_a_number(text) {
        Some(why) => format!("`{text}` is not a number: {why}"),
        None => wrong(text, "a number"),
    })
}

fn name(text: &[u8]) -> Result<&str, String> {
    let text = utf8(text)?;
    let is_value = text.is_empty() || text.eq_ignore_ascii_case("nan") || logic::parse_number(text).is_some();
    if is_value { Err(wrong(text, "a name")) } else { Ok(text) }
}

fn utf8(text: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(text).map_err(|_| "the cell is not UTF-8".to_owned())
}

fn wrong(text: &str, wanted: &str) -> String {
    match text {
        "" => "the cell is empty".to_owned(),
        _ if is_missing(text) => format!("`{text}` is not {wanted}: the value is missing"),
        _ => format!("`{text}` is not {wanted}"),
    }
}

/// Why a cell that was meant as a number is not one.
pub(crate) fn not_a_number(text: &str) -> Option<&'static str> {
    let is_number = |text: &str| logic::parse_number(text).is_some();
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if ["nan", "inf", "infinity"].iter().any(|word| unsigned.eq_ignore_ascii_case(word)) {
        return Some("it has no exact value");
    }
    if is_number(&text.replace(['_', ',', '.'], "")) {
        return Some("write its digits without separators, and a point before the decimals");
    }
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    (is_number(mantissa) && is_number(exponent) && !exponent.contains(['.', 'e', 'E']))
        .then_some("its exponent is beyond the limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_decimals_are_digits_and_places() {
        for (text, expected) in [
            ("0", Some((0, 0))),
            ("-12.50", Some((-1250, 2))),
            ("+3", Some((3, 0))),
            (".5", Some((5, 1))),
            ("5.", Some((5, 0))),
            ("123456789012345678", Some((123_456_789_012_345_678, 0))),
            ("1234567890123456789", None),
            ("0.000000000000000001", None),
            (".000000000000000001", Some((1, 18))),
            ("1e3", None),
            ("1/3", None),
            ("1.2.3", None),
            ("-", None),
            (".", None),
            ("", None),
            ("1,5", None),
        ] {
            assert_eq!(digits(text.as_bytes(), b'.'), expected, "{text}");
        }
        assert_eq!(digits(b"-1,25", b','), Some((-125, 2)));
    }
}
