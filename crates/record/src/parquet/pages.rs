//! The pages of a column as most files have them, decoded whole: Booleans, integers and doubles, plain or with a dictionary, at most
//! optional. Everything else, and everything that does not fit together, is [`Other`], for the general reader to decide.
//!
//! The layout is that of the Parquet format, <https://github.com/apache/parquet-format>, *Encodings.md*.

use crate::bulk::Rows;
use crate::cell::Cell;
use crate::columns::word_at;
use ::parquet::basic::{Encoding, Type as Physical};
use ::parquet::column::page::{Page, PageReader};
use ::parquet::errors::ParquetError;

/// The most values of a page that are decoded at once.
const MAX_VALUES: usize = 1 << 22;

/// A column is not as most are, or its bytes contradict each other.
#[derive(Debug)]
pub(super) struct Other;

impl From<ParquetError> for Other {
    fn from(_: ParquetError) -> Other {
        Other
    }
}

/// The column of a row group, page by page.
pub(super) struct Pages {
    pages: Box<dyn PageReader>,
    physical: Physical,
    is_optional: bool,
    dictionary: Values,
    /// The values of the current page, up to the first null.
    values: Values,
    /// The rows of the current page, and the next one.
    rows: usize,
    next: usize,
}

/// Values of one type.
enum Values {
    /// One bit for each value.
    Truths(Vec<u64>, usize),
    Integers(Vec<i32>),
    Longs(Vec<i64>),
    Doubles(Vec<f64>),
    /// Numbers of the type of the column from a byte of a page on, as many as this: they are decoded when they are put.
    Plain(Box<Page>, usize, usize),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Truths(_, count) | Values::Plain(.., count) => *count,
            Values::Integers(values) => values.len(),
            Values::Longs(values) => values.len(),
            Values::Doubles(values) => values.len(),
        }
    }
}

impl Pages {
    /// The pages of a column of a type; `None` if its pages are not decoded here.
    pub(super) fn new(pages: Box<dyn PageReader>, physical: Physical, most_levels: i16) -> Option<Pages> {
        let is_known =
            matches!(physical, Physical::BOOLEAN | Physical::INT32 | Physical::INT64 | Physical::DOUBLE);
        // Nothing is taken from an empty dictionary.
        let none = || Values::Truths(Vec::new(), 0);
        (is_known && most_levels <= 1).then(|| Pages {
            pages,
            physical,
            is_optional: most_levels == 1,
            dictionary: none(),
            values: none(),
            rows: 0,
            next: 0,
        })
    }

    /// Puts the next cells, and returns how many there were; fewer only at the end.
    pub(super) fn read(&mut self, rows: &mut Rows, count: usize) -> Result<usize, Other> {
        let mut done = 0;
        while done < count {
            if self.next == self.rows && !self.next_page()? {
                break;
            }
            let some = (count - done).min(self.rows - self.next);
            let place = |offset: usize| (rows.place)(done + offset);
            let (row, step) = (rows.row + done, rows.step + done as u64);
            self.put(&mut Rows { column: &mut *rows.column, row, step, place: &place }, some);
            self.next += some;
            done += some;
        }
        Ok(done)
    }

    /// Passes over some rows, and returns how many there were.
    pub(super) fn skip(&mut self, count: usize) -> Result<usize, Other> {
        let mut done = 0;
        while done < count {
            if self.next == self.rows {
                let Some(next) = self.pages.peek_next_page()? else { break };
                let rows = next.num_rows.or(next.num_levels).filter(|_| !next.is_dict);
                if let Some(rows) = rows.filter(|rows| *rows <= count - done) {
                    self.pages.skip_next_page()?;
                    done += rows;
                    continue;
                }
                if !self.next_page()? {
                    break;
                }
            }
            let some = (count - done).min(self.rows - self.next);
            self.next += some;
            done += some;
        }
        Ok(done)
    }

    /// Puts cells of the current page.
    fn put(&self, rows: &mut Rows, count: usize) {
        let present = self.values.len().saturating_sub(self.next).min(count);
        let range = self.next..self.next + present;
        match &self.values {
            _ if present == 0 => {}
            Values::Truths(words, _) => {
                rows.truths(range.step_by(64).map(|bit| word_at(words, bit)), present);
            }
            Values::Integers(values) => rows.integers(&values[range]),
            Values::Longs(values) => rows.integers(&values[range]),
            Values::Doubles(values) => rows.doubles(&values[range]),
            Values::Plain(page, from, _) => {
                let bytes = &page.buffer()[from + range.start * self.width()..];
                match self.plain(bytes, present) {
                    Some(Values::Integers(values)) => rows.integers(&values),
                    Some(Values::Longs(values)) => rows.integers(&values),
                    Some(Values::Doubles(values)) => rows.doubles(&values),
                    Some(Values::Truths(..) | Values::Plain(..)) | None => {}
                }
            }
        }
        if present < count {
            rows.put(present, Cell::Missing("there is no value (null)"));
        }
    }

    /// Decodes the next page that has values; whether there is one.
    fn next_page(&mut self) -> Result<bool, Other> {
        loop {
            let Some(page) = self.pages.get_next_page()? else { return Ok(false) };
            let count = page.num_values() as usize;
            if count > MAX_VALUES {
                return Err(Other);
            }
            let bytes = page.buffer();
            match &page {
                Page::DictionaryPage { encoding: Encoding::PLAIN | Encoding::PLAIN_DICTIONARY, .. } => {
                    self.dictionary = self.plain(bytes, count).ok_or(Other)?;
                    continue;
                }
                Page::DictionaryPage { .. } => return Err(Other),
                Page::DataPage { encoding, def_level_encoding, .. } => {
                    let (levels, values) = match self.is_optional {
                        false => (&[][..], &bytes[..]),
                        true if *def_level_encoding == Encoding::RLE => prefixed(bytes).ok_or(Other)?,
                        true => return Err(Other),
                    };
                    self.page(&page, levels, values, *encoding).ok_or(Other)?;
                }
                Page::DataPageV2 { encoding, def_levels_byte_len, rep_levels_byte_len: 0, .. } => {
                    let (levels, values) =
                        bytes.split_at_checked(*def_levels_byte_len as usize).ok_or(Other)?;
                    self.page(&page, levels, values, *encoding).ok_or(Other)?;
                }
                Page::DataPageV2 { .. } => return Err(Other),
            }
            (self.rows, self.next) = (count, 0);
            if count > 0 {
                return Ok(true);
            }
        }
    }

    /// Decodes a page of data, which ends with its values.
    fn page(&mut self, page: &Page, levels: &[u8], values: &[u8], encoding: Encoding) -> Option<()> {
        let count = page.num_values() as usize;
        let present = if self.is_optional { leading_ones(levels, count)? } else { count };
        self.values = match encoding {
            Encoding::PLAIN if self.physical == Physical::BOOLEAN => self.plain(values, present)?,
            Encoding::PLAIN => {
                values.get(..present * self.width())?;
                Values::Plain(Box::new(page.clone()), page.buffer().len() - values.len(), present)
            }
            Encoding::RLE if self.physical == Physical::BOOLEAN => {
                let mut words = vec![0; present.div_ceil(64)];
                runs(prefixed(values)?.0, 1, present, |at, bit| {
                    words[at / 64] |= u64::from(bit) << (at % 64)
                })?;
                Values::Truths(words, present)
            }
            Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY => {
                let (&width, runs) = values.split_first()?;
                match &self.dictionary {
                    Values::Truths(..) | Values::Plain(..) => return None,
                    Values::Integers(known) => Values::Integers(chosen(known, runs, width, present)?),
                    Values::Longs(known) => Values::Longs(chosen(known, runs, width, present)?),
                    Values::Doubles(known) => Values::Doubles(chosen(known, runs, width, present)?),
                }
            }
            _ => return None,
        };
        Some(())
    }

    /// The bytes of a plain number.
    fn width(&self) -> usize {
        if self.physical == Physical::INT32 { 4 } else { 8 }
    }

    /// Values one after the other, with their lowest bytes first.
    fn plain(&self, bytes: &[u8], count: usize) -> Option<Values> {
        Some(match self.physical {
            Physical::BOOLEAN => {
                let bytes = bytes.get(..count.div_ceil(8))?;
                let word = |bytes: &[u8]| {
                    let mut word = [0; 8];
                    word[..bytes.len()].copy_from_slice(bytes);
                    u64::from_le_bytes(word)
                };
                Values::Truths(bytes.chunks(8).map(word).collect(), count)
            }
            Physical::INT32 => Values::Integers(each(bytes, count, i32::from_le_bytes)?),
            Physical::INT64 => Values::Longs(each(bytes, count, i64::from_le_bytes)?),
            Physical::DOUBLE => Values::Doubles(each(bytes, count, f64::from_le_bytes)?),
            _ => return None,
        })
    }
}

fn each<T, const N: usize>(bytes: &[u8], count: usize, value: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
    let (all, _) = bytes.get(..count.checked_mul(N)?)?.as_chunks::<N>();
    Some(all.iter().map(|bytes| value(*bytes)).collect())
}

/// Bytes after their number in four bytes, and those after them.
fn prefixed(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// Values of a dictionary, by their numbers.
fn chosen<T: Copy>(known: &[T], numbers: &[u8], width: u8, count: usize) -> Option<Vec<T>> {
    let (mut values, mut all_known) = (Vec::with_capacity(count), true);
    runs(numbers, width, count, |_, number| match known.get(number as usize) {
        Some(value) => values.push(*value),
        None => all_known = false,
    })?;
    all_known.then_some(values)
}

/// How many levels at the start are one; `None` if there are too few levels.
fn leading_ones(levels: &[u8], count: usize) -> Option<usize> {
    let (mut ones, mut is_over) = (0, false);
    // A single run of ones is by far the usual case.
    if let Some((length, 1)) = single_run(levels)
        && length >= count
    {
        return Some(count);
    }
    runs(levels, 1, count, |_, level| {
        is_over |= level != 1;
        ones += usize::from(!is_over);
    })?;
    Some(ones)
}

/// The length and the value of the first run, if it is one of equal values of up to 8 bits.
fn single_run(bytes: &[u8]) -> Option<(usize, u8)> {
    let (header, rest) = variable(bytes)?;
    let value = rest.first()?;
    (header & 1 == 0).then_some(((header >> 1) as usize, *value))
}

/// A number in groups of seven bits, the lowest first, and what comes after it.
fn variable(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let length = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)? + 1;
    let (own, rest) = bytes.split_at(length);
    Some((own.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f)), rest))
}

/// Runs of equal values and of packed bits; `None` if there are too few. Each value is taken with its number.
fn runs(mut bytes: &[u8], width: u8, count: usize, mut take: impl FnMut(usize, u32)) -> Option<()> {
    let (width, mut at) = (usize::from(width), 0);
    if width > 32 {
        return None;
    }
    while at < count {
        let (header, rest) = variable(bytes)?;
        let length = (header >> 1) as usize;
        if header & 1 == 0 {
            let (own, rest) = rest.split_at_checked(width.div_ceil(8))?;
            let value = own.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
            let end = count.min(at.saturating_add(length));
            (at..end).for_each(|at| take(at, value));
            // A run of no values would never end.
            if length == 0 {
                return None;
            }
            (at, bytes) = (end, rest);
        } else {
            let packed = length.checked_mul(width)?;
            // The last group may be cut off after its last value.
            let (own, rest) = rest.split_at(packed.min(rest.len()));
            let end = count.min(at.saturating_add(length.checked_mul(8)?));
            if length == 0 || own.len() * 8 < (end - at) * width {
                return None;
            }
            for number in 0..end - at {
                take(at + number, bits(own, number * width, width));
            }
            (at, bytes) = (end, rest);
        }
    }
    Some(())
}

/// Up to 32 bits from a bit on, which are there.
#[inline]
fn bits(bytes: &[u8], from: usize, width: usize) -> u32 {
    let rest = &bytes[(from / 8).min(bytes.len())..];
    let word = match rest.first_chunk() {
        Some(whole) => u64::from_le_bytes(*whole),
        None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    (word >> (from % 8) & ((1 << width) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_values() {
        let check = |bytes: &[u8], width: u8, count: usize, expected: Option<&[u32]>| {
            let mut found = Vec::new();
            let is_whole = runs(bytes, width, count, |at, value| {
                assert_eq!(at, found.len());
                found.push(value);
            });
            assert_eq!(is_whole.map(|()| &found[..]), expected, "{bytes:?}");
        };
        check(&[6, 5], 3, 3, Some(&[5, 5, 5]));
        check(&[6, 5], 3, 4, None);
        check(&[6, 5, 2, 1], 3, 4, Some(&[5, 5, 5, 1]));
        check(&[4, 1, 2], 9, 2, Some(&[513, 513]));
        // The example of the format: 0 to 7 with three bits.
        check(&[3, 0b1000_1000, 0b1100_0110, 0b1111_1010], 3, 8, Some(&[0, 1, 2, 3, 4, 5, 6, 7]));
        check(&[3, 0b1000_1000, 0b1100_0110], 3, 5, Some(&[0, 1, 2, 3, 4]));
        check(&[3, 0b1000_1000], 3, 5, None);
        check(&[0, 1], 1, 1, None);
        check(&[1], 1, 1, None);
        check(&[0x80, 0x80], 1, 1, None);
        check(&[0xff, 0xff, 0xff, 0xff, 0xff, 1], 32, 1, None);
        check(&[4], 33, 1, None);
        check(&[4], 0, 2, Some(&[0, 0]));
    }

    #[test]
    fn levels_before_the_first_null() {
        assert_eq!(leading_ones(&[20, 1], 10), Some(10));
        assert_eq!(leading_ones(&[8, 1, 12, 0], 10), Some(4));
        assert_eq!(leading_ones(&[3, 0b1110_1111], 7), Some(4));
        assert_eq!(leading_ones(&[8, 1], 10), None);
    }
}
