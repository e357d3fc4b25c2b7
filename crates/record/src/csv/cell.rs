//! The text of a cell as a value of the kind that its column is read as.

use super::index::{self, Group};
use super::split::zeros;
use super::time::instant;
use crate::columns::{Cells, Column, Flaw, MAX_SCALE, TOO_MANY_NAMES, set_truths};
use crate::ranges::packed;
use dashu_ratio::RBig;

/// Reads the cells of consecutive rows into a column; `first` has the row and the step of the first one, and `place` says where a cell is.
pub(super) fn read_all(
    column: &mut Column,
    first: (usize, u64),
    cells: &index::Cells,
    rows: usize,
    point: u8,
    place: impl Fn(usize) -> String,
) {
    let (bytes, mut group) = (cells.bytes, Group::new());
    for from in (0..rows).step_by(64) {
        if column.flaw.is_some() {
            return;
        }
        let (row, count) = (first.0 + from, (rows - from).min(64));
        // First by what the layout of a row says.
        let is_done = match (&mut column.cells, cells.alike()) {
            (Cells::Truths(bits), Some(alike)) => {
                alike.truths(from, count).map(|word| set_truths(bits, row, word)).is_some()
            }
            (Cells::Numbers(numbers), Some(alike)) => {
                let rows = row..row + count;
                let (digits, scales) = (&mut numbers.digits[rows.clone()], &mut numbers.scales[rows]);
                alike.decimals(bytes, from, digits, scales).is_some()
            }
            _ => false,
        };
        if is_done {
            continue;
        }
        cells.find(from, count, &mut group);
        let is_done = match &mut column.cells {
            Cells::Truths(bits) => truths(bytes, &group).map(|word| set_truths(bits, row, word)).is_some(),
            Cells::Numbers(numbers) => {
                let rows = row..row + count;
                let (digits, scales) = (&mut numbers.digits[rows.clone()], &mut numbers.scales[rows]);
                like_decimals(bytes, group.ranges(), point, digits, scales).is_some()
                    || decimals(bytes, group.ranges(), point, digits, scales).is_some()
            }
            Cells::Names(_) => false,
        };
        if !is_done {
            for (at, (start, end)) in group.ranges().enumerate() {
                let text = trimmed(&bytes[start as usize..end as usize]);
                read(column, row + at, first.1 + (from + at) as u64, text, point, || place(from + at));
            }
        }
    }
}

/// Up to 64 cells that are 0 or 1; `None` if one is not.
#[inline]
fn truths(bytes: &[u8], group: &Group) -> Option<u64> {
    let lengths = group.ranges().fold(0, |any, (start, end)| any | (end.wrapping_sub(start) ^ 1));
    let (mut bits, mut others) = ([0; 64], 0);
    for (bit, start) in bits.iter_mut().zip(group.starts()) {
        *bit = bytes.get(*start as usize).map_or(2, |byte| byte ^ b'0');
        others |= *bit;
    }
    (lengths == 0 && others < 2).then(|| packed(&bits, |bit| bit != 0))
}

/// Writes cells that are decimals of at most eight characters without a sign, with as many decimal places as the first one; `None` if one is
/// not.
#[inline]
fn like_decimals(
    bytes: &[u8],
    cells: impl Iterator<Item = (u32, u32)> + Clone,
    point: u8,
    digits: &mut [i64],
    scales: &mut [u8],
) -> Option<()> {
    let (start, end) = cells.clone().next()?;
    let places = bytes[start as usize..end as usize].iter().rev().position(|byte| *byte == point);
    // The bits of the point, and of what comes after and before it, which is moved over the point.
    let (points, after, before) = match places {
        None => (0, !0, 0),
        Some(places @ 1..7) => {
            let at = 56 - 8 * places as u32;
            (0xff << at, !0 << at << 8, !(!0 << at))
        }
        Some(_) => return None,
    };
    let point = u64::from_le_bytes([point; 8]) & points;
    let filling = if places.is_some() { u64::from(b'0') } else { 0 };
    let mut others = 0;
    for (number, (start, end)) in digits.iter_mut().zip(cells) {
        let word = u64::from_le_bytes(*bytes.get(..end as usize)?.last_chunk()?);
        let length = u64::from(end.wrapping_sub(start));
        others |= length.wrapping_sub(1) & !7;
        let own = !0_u64 << (64_u64.wrapping_sub(8 * length) & 63);
        let word = word & own | ZEROS & !own;
        others |= (word & points) ^ point;
        let (all, is_other) = value(word & after | (word & before) << 8 | filling);
        others |= is_other;
        *number = i64::from(all);
    }
    scales.fill(places.unwrap_or(0) as u8);
    (others == 0).then_some(())
}

/// Writes cells that are small decimals; `None` if one is not.
fn decimals(
    bytes: &[u8],
    cells: impl Iterator<Item = (u32, u32)>,
    point: u8,
    digits: &mut [i64],
    scales: &mut [u8],
) -> Option<()> {
    let points = u64::from_le_bytes([point; 8]);
    for ((number, scale), (start, end)) in digits.iter_mut().zip(scales).zip(cells) {
        let (start, end) = (start as usize, end as usize);
        let found = short(bytes, start, end, points);
        (*number, *scale) = found.or_else(|| self::digits(trimmed(&bytes[start..end]), point))?;
    }
    Some(())
}

/// The characters of zeros.
const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// The number of eight characters, the first of which is the lowest byte; and something else than zero if one is not a digit: it leaves the
/// range of 7 bits on one side or the other.
#[inline]
fn value(word: u64) -> (u32, u64) {
    let digits = word.wrapping_sub(ZEROS);
    let others = (word.wrapping_add(0x4646_4646_4646_4646) | digits) & 0x8080_8080_8080_8080;
    (eight_digits(digits), others)
}

/// The number of eight digits, the first of which is the lowest byte (Lemire, *Quickly parsing eight digits*).
#[inline]
pub(super) fn eight_digits(digits: u64) -> u32 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let first = (pairs & 0xff_0000_00ff).wrapping_mul(100 + (1_000_000 << 32));
    let second = (pairs >> 16 & 0xff_0000_00ff).wrapping_mul(1 + (10_000 << 32));
    (first.wrapping_add(second) >> 32) as u32
}

/// The digits of a decimal of at most eight characters and the number of its decimal places, from all its characters at once.
#[inline]
fn short(bytes: &[u8], start: usize, end: usize, points: u64) -> Option<(i64, u8)> {
    let word = u64::from_le_bytes(*bytes.get(..end)?.last_chunk()?);
    let is_negative = bytes[start] == b'-';
    let length = end.wrapping_sub(start + usize::from(is_negative));
    if !(1..=8).contains(&length) {
        return None;
    }
    // The first character is the lowest byte; those before it become zeros.
    let own = !0 << (64 - 8 * length);
    let mut word = word & own | ZEROS & !own;
    let mut places = 0;
    let found = zeros(word ^ points);
    if found != 0 {
        if length == 1 {
            return None;
        }
        // What comes before the point takes its place.
        let at = found.trailing_zeros() - 7;
        let before = word & ((1 << at) - 1);
        word = word & (!0xff << at) | before << 8 | u64::from(b'0');
        places = (56 - at) as u8 / 8;
    }
    let (number, others) = value(word);
    if others != 0 {
        return None;
    }
    Some((if is_negative { -i64::from(number) } else { i64::from(number) }, places))
}

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
                    let index = names.index(text).ok_or_else(|| TOO_MANY_NAMES.to_owned())?;
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

/// What a cell of a column that is read as Booleans may have.
pub(crate) const A_BOOLEAN: &str = "a Boolean (0, 1, true, false, yes, no, on or off)";

/// The Boolean of a cell, if it has one whatever its column is read as.
pub(super) fn as_plain_truth(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// The Boolean of a cell of a column that is read as Booleans, if it has one; elsewhere, `yes` and `off` are names.
pub(crate) fn as_truth(text: &str) -> Option<bool> {
    let is_one_of = |words: [&str; 2]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    let word = || is_one_of(["yes", "on"]).then_some(true).or(is_one_of(["no", "off"]).then_some(false));
    as_plain_truth(text).or_else(word)
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
    as_truth(text).ok_or_else(|| wrong(text, A_BOOLEAN))
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

    #[test]
    fn decimals_that_are_alike_are_the_decimals_one_by_one() {
        let mut random = base::Random::new(8);
        let (mut alike, mut others) = (0, 0);
        for round in 0..4000 {
            let places = random.below(8_usize);
            let mut text = b"x1.2,37;".to_vec();
            let mut cells = Vec::new();
            for _ in 0..1 + random.below(64_usize) {
                let start = text.len() as u32;
                let length = if random.below(300_u64) == 0 {
                    random.below(12_usize)
                } else {
                    places + random.below(3_usize)
                };
                let letters: &[u8] =
                    if round % 3 == 0 && random.below(60_u64) == 0 { b"0.,-+e \xb0" } else { b"0123456789" };
                text.extend((0..length).map(|_| random.pick(letters)));
                if places > 0 && length >= places && random.below(500_u64) > 0 {
                    text.insert(text.len() - places, b'.');
                }
                cells.push((start, text.len() as u32));
                text.push(b',');
            }
            let expected: Vec<_> =
                cells.iter().map(|it| digits(&text[it.0 as usize..it.1 as usize], b'.')).collect();
            let (mut numbers, mut scales) = ([0; 64], [0; 64]);
            if like_decimals(&text, cells.iter().copied(), b'.', &mut numbers, &mut scales[..cells.len()])
                .is_some()
            {
                let found: Vec<_> = numbers.into_iter().zip(scales).map(Some).take(cells.len()).collect();
                assert_eq!(found, expected, "{}", String::from_utf8_lossy(&text));
                alike += 1;
            } else {
                others += 1;
            }
        }
        assert!(alike > 1000 && others > 1000, "{alike} {others}");
    }

    #[test]
    fn characters_at_once_are_the_characters_one_by_one() {
        let mut random = base::Random::new(6);
        let mut many = 0;
        for round in 0..60_000 {
            let letters = random.pick(&[&b"0123456789"[..], b"0123456789.", b"0129.,-+e/ :\x80\xb0\xff"]);
            let text: Vec<u8> = (0..random.below(10_usize)).map(|_| random.pick(letters)).collect();
            let sign: &[u8] = if round % 3 == 0 { b"-" } else { b"" };
            let bytes = [b"x1.2,37;", sign, &text, b",4"].concat();
            let (start, end) = (8, bytes.len() - 2);
            for point in [b'.', b','] {
                let found = short(&bytes, start, end, u64::from_le_bytes([point; 8]));
                many += u32::from(found.is_some());
                let expected = digits(&bytes[start..end], point);
                assert!(found.is_none() || found == expected, "{:?}", String::from_utf8_lossy(&bytes));
                // Anything short that is written as usual is read at once.
                let is_usual = text.iter().all(|it| it.is_ascii_digit() || *it == point);
                let is_short = text.len() <= 8 && is_usual;
                assert!(!is_short || found == expected, "{:?}", String::from_utf8_lossy(&bytes));
            }
        }
        assert!(many > 40_000, "{many}");
    }
}
