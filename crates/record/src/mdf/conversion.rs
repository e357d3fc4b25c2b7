//! Conversions of stored values into physical ones.

use super::{Block, File};
use crate::cell::{Cell, decimal_of};
use crate::reader::Malformed;
use crate::table::Values;

/// How stored values are converted.
pub(super) enum Conversion {
    None,
    /// `offset + factor * x`.
    Linear {
        offset: f64,
        factor: f64,
    },
    /// A quotient of two polynomials of degree two, highest powers first.
    Rational([f64; 6]),
    /// Pairs of a value and its result; between two of them interpolated, or the nearest.
    Table {
        pairs: Vec<(f64, f64)>,
        is_interpolated: bool,
    },
    /// Ranges with their results, and the result of all others.
    Ranges {
        ranges: Vec<(f64, f64, f64)>,
        other: f64,
    },
    /// Texts of ranges, and the text of all others; a value of its own is a range.
    Texts {
        ranges: Vec<(f64, f64, Option<String>)>,
        other: Option<String>,
    },
    Unsupported,
}

/// Physical values.
pub(super) struct Converted {
    pub(super) values: Values,
    pub(super) missing: Vec<(usize, &'static str)>,
}

impl Conversion {
    /// Reads the conversion at a place.
    pub(super) fn read(file: &File, at: u64) -> Result<Conversion, Malformed> {
        if at == 0 {
            return Ok(Conversion::None);
        }
        let block = file.block(at, b"CC")?;
        let count = usize::from(block.u16(6)?);
        let numbers: Vec<f64> =
            (0..count).map(|number| block.f64(24 + 8 * number)).collect::<Result<_, _>>()?;
        let texts = |block: &Block| -> Result<Vec<Option<String>>, Malformed> {
            let links = block.links.len() / 8;
            (4..links).map(|link| text(file, block.link(link))).collect()
        };
        Ok(match (block.u8(0)?, &numbers[..]) {
            (0, _) => Conversion::None,
            (1, &[offset, factor, ..]) => Conversion::Linear { offset, factor },
            (2, &[a, b, c, d, e, f, ..]) => Conversion::Rational([a, b, c, d, e, f]),
            (kind @ (4 | 5), pairs) if !pairs.is_empty() => Conversion::Table {
                pairs: pairs.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
                is_interpolated: kind == 4,
            },
            (6, [ranges @ .., other]) => Conversion::Ranges {
                ranges: ranges.chunks_exact(3).map(|it| (it[0], it[1], it[2])).collect(),
                other: *other,
            },
            (kind @ (7 | 8), keys) => {
                let mut texts = texts(&block)?;
                let size = if kind == 7 { 1 } else { 2 };
                let other = if texts.len() > keys.len() / size { texts.pop().flatten() } else { None };
                let keys = keys.chunks_exact(size).map(|key| (key[0], key[size - 1]));
                let ranges = keys.zip(texts).map(|((low, high), text)| (low, high, text)).collect();
                Conversion::Texts { ranges, other }
            }
            _ => Conversion::Unsupported,
        })
    }

    /// Converts values.
    pub(super) fn apply(&self, raw: Values) -> Converted {
        let fine = |values: Values| Converted { values, missing: Vec::new() };
        if let (Conversion::Linear { offset, factor }, Values::Integers(numbers)) = (self, &raw)
            && let Some(values) = linear(numbers, *offset, *factor)
        {
            return fine(values);
        }
        let is_whole = matches!(raw, Values::Integers(_) | Values::Naturals(_));
        let map = |result: &dyn Fn(f64) -> f64| {
            fine(Values::Doubles((0..raw.len()).map(|row| result(double(raw.cell(row)))).collect()))
        };
        match self {
            Conversion::None => fine(raw),
            Conversion::Linear { offset: 0.0, factor: 1.0 } => fine(raw),
            Conversion::Linear { offset, factor } => map(&|x| offset + factor * x),
            Conversion::Rational([a, b, c, d, e, f]) => {
                map(&|x| (a * x * x + b * x + c) / (d * x * x + e * x + f))
            }
            Conversion::Table { pairs, is_interpolated } => map(&|x| table(pairs, *is_interpolated, x)),
            Conversion::Ranges { ranges, other } => map(&|x| {
                let found = ranges.iter().find(|(low, high, _)| within(x, *low, *high, is_whole));
                found.map_or(*other, |it| it.2)
            }),
            Conversion::Texts { ranges, other } => {
                let text = |row: usize| {
                    let x = double(raw.cell(row));
                    let found = ranges
                        .iter()
                        .find(|(low, high, _)| x == *low || (low < high && within(x, *low, *high, is_whole)));
                    found.map_or(other.clone(), |it| it.2.clone())
                };
                let texts: Vec<Option<String>> = (0..raw.len()).map(text).collect();
                let none = |(at, text): (usize, &Option<String>)| {
                    text.is_none().then_some((at, "the conversion has no text for the value"))
                };
                let missing = texts.iter().enumerate().filter_map(none).collect();
                let values = Values::Texts(texts.into_iter().map(Option::unwrap_or_default).collect());
                Converted { values, missing }
            }
            Conversion::Unsupported => {
                let why = "its conversion is not supported";
                let missing = (0..raw.len()).map(|row| (row, why)).collect();
                Converted { values: raw, missing }
            }
        }
    }
}

/// The text of a value; none if it is converted further.
fn text(file: &File, at: u64) -> Result<Option<String>, Malformed> {
    match at {
        0 => Ok(None),
        _ if &file.any(at)?.id == b"CC" => Ok(None),
        _ => file.text(at),
    }
}

/// Integers as exact decimals; `None` if they have too many digits.
fn linear(numbers: &[i64], offset: f64, factor: f64) -> Option<Values> {
    let ((offset, a), (factor, b)) = (decimal_of(offset, 0)?, decimal_of(factor, 0)?);
    let places = a.max(b);
    let scaled = |digits: i64, own: u8| digits.checked_mul(10_i64.checked_pow((places - own).into())?);
    let (offset, factor) = (scaled(offset, a)?, scaled(factor, b)?);
    let number = |number: &i64| number.checked_mul(factor)?.checked_add(offset);
    let digits: Vec<i64> = numbers.iter().map(number).collect::<Option<_>>()?;
    Some(if places == 0 { Values::Integers(digits) } else { Values::Decimals(digits, places) })
}

fn double(cell: Cell) -> f64 {
    match cell {
        Cell::Integer(number) => number as f64,
        Cell::Natural(number) => number as f64,
        Cell::Single(number) => number.into(),
        Cell::Double(number) => number,
        Cell::Truth(truth) => f64::from(u8::from(truth)),
        Cell::Decimal(digits, places) => digits as f64 / 10_f64.powi(places.into()),
        Cell::Text(_) | Cell::Missing(_) => f64::NAN,
    }
}

/// Whether a value is in a range; the upper end belongs to it for integers only.
fn within(x: f64, low: f64, high: f64, is_whole: bool) -> bool {
    low <= x && (x < high || (is_whole && x == high))
}

fn table(pairs: &[(f64, f64)], is_interpolated: bool, x: f64) -> f64 {
    let after = pairs.partition_point(|(key, _)| *key <= x);
    match (after.checked_sub(1).map(|at| pairs[at]), pairs.get(after).copied()) {
        (None, None) => f64::NAN,
        (None, Some((_, only))) | (Some((_, only)), None) => only,
        (Some((low, from)), Some((high, to))) if is_interpolated => {
            from + (to - from) * (x - low) / (high - low)
        }
        (Some((low, from)), Some((high, to))) => {
            if high - x < x - low {
                to
            } else {
                from
            }
        }
    }
}
