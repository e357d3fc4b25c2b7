//! Rows of separated text that look alike: of at most 64 bytes, each of them of the kind that one of a few rows has there. Most rows look as
//! the one before, so that one comparison tells where all of their cells are, which of them are decimals, and which are 0 or 1.

use super::cell::eight_digits;
use super::split::{Marks, lowest_bits};
use crate::columns::Kind;
use crate::ranges::packed;
use std::ops::Range;

/// The most ways in which rows may look.
const MAX_LAYOUTS: usize = 16;

/// How separated text is written, and what its columns are read as.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect<'d> {
    pub(super) separator: u8,
    pub(super) line_end: u8,
    /// The kind of each column that is read.
    pub(super) kinds: &'d [Option<Kind>],
}

/// Consecutive rows.
#[derive(Debug, Default)]
pub(super) struct Alike {
    /// Where each row begins, and where the last one ends; what comes after that means nothing, as in the lists below.
    starts: Vec<u32>,
    /// The number of the layout of each row.
    numbers: Vec<u8>,
    /// The lowest bit of each byte of each row.
    lowest: Vec<u64>,
    layouts: Vec<Layout>,
    /// Whether some rows were not alike, so that nothing is expected of those after them.
    is_varied: bool,
}

impl Alike {
    /// Finds the rows of a text, which ends with one, from a byte on, and returns how many there are, if all of them look alike and have as
    /// many cells as there are columns.
    pub(super) fn find(&mut self, bytes: &[u8], from: usize, dialect: Dialect) -> Option<usize> {
        if self.is_varied || dialect.kinds.len() < 2 {
            return None;
        }
        let rows = self.rows(bytes, from, dialect);
        self.is_varied = rows.is_none();
        rows
    }

    fn rows(&mut self, bytes: &[u8], from: usize, dialect: Dialect) -> Option<usize> {
        let Alike { starts, numbers, lowest, layouts, .. } = self;
        layouts.clear();
        // After each cell there is a separator or a line end.
        let most = (bytes.len() - from) / dialect.kinds.len() + 1;
        if starts.len() < most {
            starts.resize(most, 0);
            numbers.resize(most, 0);
            lowest.resize(most, 0);
        }
        let (starts, numbers, lowest) = (&mut starts[..most], &mut numbers[..most], &mut lowest[..most]);
        let (mut at, mut count, mut changes) = (from, 0, 0);
        while at < bytes.len() {
            let rest = &bytes[at..];
            let mut known = layouts.iter().enumerate();
            let known = known.find_map(|(number, layout)| Some((number, layout.lowest_bits_of(rest)?)));
            let (number, mut bits) = match known {
                Some(known) => known,
                None => {
                    let window = window(rest);
                    let known = layouts.iter().position(|layout| layout.fits(&window));
                    if known.is_none() {
                        layouts.push(Layout::of(&window, dialect).filter(|_| layouts.len() < MAX_LAYOUTS)?);
                    }
                    (known.unwrap_or(layouts.len() - 1), lowest_bits(&window))
                }
            };
            // Where rows often change, it is quicker to look for their cells.
            changes += 1;
            if changes > 64 + count / 4 {
                return None;
            }
            let layout = &layouts[number];
            loop {
                (starts[count], numbers[count], lowest[count]) = (at as u32, number as u8, bits);
                (at, count) = (at + layout.length, count + 1);
                match layout.lowest_bits_of(&bytes[at..]) {
                    Some(next) => bits = next,
                    None => break,
                }
            }
        }
        starts[count] = at as u32;
        Some(count)
    }

    /// Where a row begins.
    pub(super) fn start(&self, row: usize) -> usize {
        self.starts[row] as usize
    }

    /// The cells of a column in some rows, which are read as a kind.
    pub(super) fn cells(&self, column: usize, kind: Kind, rows: Range<usize>, point: u8) -> AlikeCells<'_> {
        let places = tabled(&self.layouts, |layout| Some(layout.cell(column)));
        let places = places.unwrap_or([(0, 0); MAX_LAYOUTS]);
        let known = match kind {
            Kind::Truth if self.layouts.iter().all(|layout| layout.is_truth(column)) => Known::Truths,
            Kind::Number => match tabled(&self.layouts, |layout| layout.decimal(column, point)) {
                Some(table) if table.iter().all(|it| *it == table[0]) => Known::Like(table[0]),
                Some(table) => Known::Decimals(Box::new(table)),
                None => Known::Nothing,
            },
            Kind::Truth | Kind::Name => Known::Nothing,
        };
        AlikeCells {
            starts: &self.starts[rows.clone()],
            numbers: &self.numbers[rows.clone()],
            lowest: &self.lowest[rows],
            is_even: places.iter().all(|place| *place == places[0]),
            places,
            known,
        }
    }
}

/// What each layout has; layouts that do not exist have what the first one has.
fn tabled<T: Copy>(layouts: &[Layout], get: impl Fn(&Layout) -> Option<T>) -> Option<[T; MAX_LAYOUTS]> {
    let mut table = [get(layouts.first()?)?; MAX_LAYOUTS];
    for (entry, layout) in table.iter_mut().zip(layouts).skip(1) {
        *entry = get(layout)?;
    }
    Some(table)
}

/// The cells of a column in consecutive rows that look alike.
#[derive(Debug)]
pub(super) struct AlikeCells<'a> {
    starts: &'a [u32],
    numbers: &'a [u8],
    lowest: &'a [u64],
    /// The first byte of the cell in a row of each layout, and the one after it.
    places: [(u8, u8); MAX_LAYOUTS],
    /// Whether these are the same in all layouts.
    is_even: bool,
    known: Known,
}

/// What is known about the text of all cells.
#[derive(Debug)]
enum Known {
    /// They are 0 or 1.
    Truths,
    /// They are decimals with their digits in the same places.
    Like(Decimal),
    /// They are decimals, with their digits in the places that the layout has.
    Decimals(Box<[Decimal; MAX_LAYOUTS]>),
    Nothing,
}

impl AlikeCells<'_> {
    /// Where the cells of the rows from one on begin and end.
    #[inline]
    pub(super) fn find<'o>(&self, from: usize, out: impl Iterator<Item = (&'o mut u32, &'o mut u32)>) {
        let rows = self.starts[from..].iter().zip(&self.numbers[from..]);
        for ((start, end), (row, number)) in out.zip(rows) {
            let (first, last) = self.places[usize::from(*number) % MAX_LAYOUTS];
            (*start, *end) = (row + u32::from(first), row + u32::from(last));
        }
    }

    /// The truths of 64 rows from one on, or of as many as there are, if it is known that they have them.
    #[inline]
    pub(super) fn truths(&self, from: usize, count: usize) -> Option<u64> {
        if !matches!(self.known, Known::Truths) {
            return None;
        }
        let mut shifted = [0; 64];
        let rows = shifted.iter_mut().zip(&self.lowest[from..]).take(count);
        if self.is_even {
            let place = self.places[0].0;
            rows.for_each(|(out, bits)| *out = (bits >> (place & 63)) as u8);
        } else {
            let place = |number: u8| self.places[usize::from(number) % MAX_LAYOUTS].0;
            let rows = rows.zip(&self.numbers[from..]);
            rows.for_each(|((out, bits), number)| *out = (bits >> (place(*number) & 63)) as u8);
        }
        Some(packed(&shifted, |bits| bits & 1 == 1))
    }

    /// Writes the decimals of the rows from one on, if it is known that they have them.
    #[inline]
    pub(super) fn decimals(
        &self,
        bytes: &[u8],
        from: usize,
        digits: &mut [i64],
        scales: &mut [u8],
    ) -> Option<()> {
        let (starts, numbers) = (&self.starts[from..], &self.numbers[from..]);
        match &self.known {
            Known::Like(decimal) => {
                scales.fill(decimal.places);
                let rows = digits.iter_mut().zip(starts);
                if decimal.is_long {
                    for (out, start) in rows {
                        *out = decimal.long(bytes, *start)?;
                    }
                } else {
                    for (out, start) in rows {
                        *out = decimal.short(bytes, *start)?;
                    }
                }
            }
            Known::Decimals(table) => {
                let is_long = table.iter().any(|it| it.is_long);
                for (((out, scale), start), number) in digits.iter_mut().zip(scales).zip(starts).zip(numbers)
                {
                    let decimal = &table[usize::from(*number) % MAX_LAYOUTS];
                    *out =
                        if is_long { decimal.long(bytes, *start)? } else { decimal.short(bytes, *start)? };
                    *scale = decimal.places;
                }
            }
            Known::Truths | Known::Nothing => return None,
        }
        Some(())
    }
}

/// How a row looks.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// The least byte that may be in each place, and how many after that one may be there as well.
    least: [u8; 64],
    more: [u8; 64],
    /// A bit for each separator and for the line end.
    marks: u64,
    length: usize,
}

impl Layout {
    /// The layout of the row at the start of 64 bytes, if it is in them, has no quotation marks, and has as many cells as there are columns.
    fn of(window: &[u8; 64], dialect: Dialect) -> Option<Layout> {
        let Dialect { separator, line_end, kinds } = dialect;
        let found = Marks::of(window, separator, line_end);
        let end = found.line_ends & found.line_ends.wrapping_neg();
        let row = end | end.wrapping_sub(1);
        let marks = found.all & row;
        if end == 0 || found.has_quotes || marks.count_ones() as usize != kinds.len() {
            return None;
        }
        let length = row.count_ones() as usize;
        let (mut least, mut more) = ([0; 64], [u8::MAX; 64]);
        let mut column = 0;
        for at in 0..length {
            let byte = window[at];
            (least[at], more[at]) = match kinds[column] {
                _ if marks >> at & 1 == 1 => (byte, 0),
                Some(Kind::Truth) if matches!(byte, b'0' | b'1') => (b'0', 1),
                Some(Kind::Truth | Kind::Number) if byte.is_ascii_digit() => (b'0', 9),
                Some(Kind::Truth | Kind::Number) => (byte, 0),
                // Anything after the separator, the line end and the quotation mark.
                Some(Kind::Name) | None => {
                    let first = separator.max(line_end).max(b'"') + 1;
                    if byte >= first { (first, u8::MAX - first) } else { (byte, 0) }
                }
            };
            column += usize::from(marks >> at & 1 == 1);
        }
        Some(Layout { least, more, marks, length })
    }

    /// Whether bytes begin with a row of this layout. What comes after the row does not matter.
    #[inline(always)]
    fn fits<const N: usize>(&self, bytes: &[u8; N]) -> bool {
        // A simple loop, which the compiler turns into vector operations.
        let mut beyond = [0; 16];
        let (parts, _) = bytes.as_chunks::<16>();
        let ((least, _), (more, _)) = (self.least.as_chunks::<16>(), self.more.as_chunks::<16>());
        for ((bytes, least), more) in parts.iter().zip(least).zip(more) {
            for at in 0..16 {
                beyond[at] |= bytes[at].wrapping_sub(least[at]).saturating_sub(more[at]);
            }
        }
        u128::from_ne_bytes(beyond) == 0
    }

    /// The lowest bit of each byte of the row at the start of bytes, if it has this layout and is not one of the last.
    #[inline(always)]
    fn lowest_bits_of(&self, bytes: &[u8]) -> Option<u64> {
        if self.length <= 32 {
            return bytes.first_chunk::<32>().filter(|bytes| self.fits(bytes)).map(lowest_bits);
        }
        bytes.first_chunk::<64>().filter(|bytes| self.fits(bytes)).map(lowest_bits)
    }

    /// Where a cell begins and ends in a row, without a carriage return before the line end.
    fn cell(&self, column: usize) -> (u8, u8) {
        let (mut marks, mut from) = (self.marks, 0);
        for _ in 0..column {
            from = marks.trailing_zeros() as u8 + 1;
            marks &= marks - 1;
        }
        let to = marks.trailing_zeros() as u8;
        let is_return = to > from && usize::from(to) + 1 == self.length && self.is(to - 1, b'\r');
        (from, to - u8::from(is_return))
    }

    /// Whether there is always the same byte in a place.
    fn is(&self, at: u8, byte: u8) -> bool {
        (self.least[usize::from(at)], self.more[usize::from(at)]) == (byte, 0)
    }

    /// Whether a cell is always 0 or 1.
    fn is_truth(&self, column: usize) -> bool {
        let (from, to) = self.cell(column);
        to - from == 1 && (self.least[usize::from(from)], self.more[usize::from(from)]) == (b'0', 1)
    }

    /// How a cell is read as a decimal, if it always is one, of at most 16 characters.
    fn decimal(&self, column: usize, point: u8) -> Option<Decimal> {
        let (from, to) = self.cell(column);
        let sign = [(b'-', -1), (b'+', 0)].into_iter().find(|(byte, _)| to > from && self.is(from, *byte));
        let start = from + u8::from(sign.is_some());
        let length = u32::from(to.checked_sub(start).filter(|length| *length <= 16)?);
        let (mut digits, mut after, mut places) = (0_u128, !0, None);
        for at in start..to {
            // The last character is the highest byte.
            let bit = 8 * (16 + u32::from(at) - u32::from(to));
            if self.least[usize::from(at)] == b'0' && self.more[usize::from(at)] <= 9 {
                digits |= 0x0f << bit;
            } else if places.is_none() && (self.is(at, b'.') || self.is(at, point)) {
                (after, places) = (!(!0 >> (120 - bit)), Some(to - at - 1));
            } else {
                return None;
            }
        }
        let is_long = length > 8;
        (digits != 0).then(|| Decimal {
            first: start.into(),
            first_shift: if is_long { 8 * (16 - length) } else { 64 - 8 * length },
            last: u32::from(start) + length.saturating_sub(8),
            last_shift: if is_long { 0 } else { 64 - 8 * length },
            digits,
            after,
            sign: sign.map_or(0, |(_, sign)| sign),
            places: places.unwrap_or(0),
            is_long,
        })
    }
}

/// How a decimal is read from its first 8 bytes and its last 8 bytes, which are the same ones if it has no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decimal {
    /// Where these bytes begin in the row, and by how many bits they are moved, so that the last one of both ends where the cell ends.
    first: u32,
    first_shift: u32,
    last: u32,
    last_shift: u32,
    /// The value of each byte that is a digit; the highest byte is the last of 16 characters.
    digits: u128,
    /// The bytes after the point; all if there is none.
    after: u128,
    /// -1 if there is a minus sign, otherwise 0.
    sign: i64,
    places: u8,
    /// Whether there are more than 8 bytes.
    is_long: bool,
}

impl Decimal {
    /// The digits of the cell of the row that begins at a byte, if it has at most 8 bytes.
    #[inline]
    fn short(&self, bytes: &[u8], row: u32) -> Option<i64> {
        let (digits, after) = ((self.digits >> 64) as u64, (self.after >> 64) as u64);
        let last = word(bytes, row + self.last)? << self.last_shift & digits;
        // What comes before the point takes its place.
        Some(self.signed(eight_digits(last & after | (last & !after) << 8).into()))
    }

    /// The digits of the cell of the row that begins at a byte.
    #[inline]
    fn long(&self, bytes: &[u8], row: u32) -> Option<i64> {
        let first = word(bytes, row + self.first)? << self.first_shift;
        let last = word(bytes, row + self.last)? << self.last_shift;
        let all = (u128::from(last) << 64 | u128::from(first)) & self.digits;
        let all = all & self.after | (all & !self.after) << 8;
        let (first, last) = (eight_digits(all as u64), eight_digits((all >> 64) as u64));
        Some(self.signed(i64::from(first) * 100_000_000 + i64::from(last)))
    }

    #[inline]
    fn signed(&self, number: i64) -> i64 {
        (number ^ self.sign) - self.sign
    }
}

/// The 8 bytes from one on.
#[inline]
fn word(bytes: &[u8], from: u32) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(from as usize..)?.first_chunk()?))
}

/// The first 64 bytes; after the last there are zeros.
fn window(bytes: &[u8]) -> [u8; 64] {
    if let Some(window) = bytes.first_chunk() {
        return *window;
    }
    let mut window = [0; 64];
    window[..bytes.len()].copy_from_slice(bytes);
    window
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::cell::digits;
    use base::Random;

    /// A cell of a column of numbers: as wide as most, or not.
    fn number(random: &mut Random, usual: (usize, usize), often: u64) -> String {
        let (before, after) =
            if random.below(often) == 0 { (random.below(9_usize), random.below(9_usize)) } else { usual };
        let mut digits = |count: usize| -> String {
            (0..count).map(|_| char::from(b'0' + random.below(10_u64) as u8)).collect()
        };
        let whole = digits(before);
        let point = if after > 0 { "." } else { "" };
        let text = format!("{whole}{point}{}", digits(after));
        match random.below(40 * often) {
            0 => format!("-{text}"),
            1 => format!("+{text}"),
            2 => format!("{text}e1"),
            3 => format!(" {text}"),
            4 => format!("{text}."),
            5 => String::new(),
            _ => text,
        }
    }

    #[test]
    fn cells_that_are_known_are_the_cells_one_by_one() {
        let mut random = Random::new(11);
        let (mut truths, mut decimals, mut others) = (0, 0, 0);
        for round in 0..2000 {
            let often = random.pick(&[5_u64, 50, 100_000]);
            let usual = (1 + random.below(9_usize), random.below(8_usize));
            let odd = random.pick(&["2", "01", "x", ""]);
            let rows: Vec<[String; 3]> = (0..1 + random.below(200_usize))
                .map(|_| {
                    let truth = if random.below(60 * often) == 0 {
                        odd.into()
                    } else {
                        random.below(2_u64).to_string()
                    };
                    let name = random.pick(&["a", "b", "_", "~", "é"]).repeat(random.pick(&[3, 3, 3, 40]));
                    let name = if random.below(often) == 0 { name } else { "abc".to_owned() };
                    [number(&mut random, usual, often), truth, name]
                })
                .collect();
            // The columns in any order, after any number of bytes.
            let order = random.pick(&[[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]]);
            let end = if round % 3 == 0 { "\r\n" } else { "\n" };
            let from = random.below(70_usize);
            let mut text = "9".repeat(from);
            for row in &rows {
                text += &order.map(|column| row[column].as_str()).join(",");
                text += end;
            }
            let kinds = order.map(|column| [Some(Kind::Number), Some(Kind::Truth), None][column]);
            let dialect = Dialect { separator: b',', line_end: b'\n', kinds: &kinds };
            let mut alike = Alike::default();
            let Some(count) = alike.find(text.as_bytes(), from, dialect) else {
                others += 1;
                continue;
            };
            assert_eq!(count, rows.len());
            assert_eq!(alike.start(count), text.len());
            for (at, column) in order.into_iter().enumerate() {
                let kind = kinds[at].unwrap_or(Kind::Name);
                let skipped = random.below(count);
                let cells = alike.cells(at, kind, skipped..count, b'.');
                let (mut starts, mut ends) = (vec![0; count - skipped], vec![0; count - skipped]);
                cells.find(0, starts.iter_mut().zip(&mut ends));
                for ((start, end), row) in starts.iter().zip(&ends).zip(&rows[skipped..]) {
                    assert_eq!(&text[*start as usize..*end as usize], row[column]);
                }
                for from in (0..count - skipped).step_by(64) {
                    let rows = &rows[skipped + from..];
                    let rows = &rows[..rows.len().min(64)];
                    if let Some(word) = cells.truths(from, rows.len()) {
                        let expected =
                            rows.iter().enumerate().fold(0, |word, (at, row)| match &*row[column] {
                                "0" => word,
                                "1" => word | 1 << at,
                                other => unreachable!("`{other}` is not a Boolean"),
                            });
                        assert_eq!(word, expected);
                        truths += 1;
                    }
                    let (mut found, mut scales) = (vec![0; rows.len()], vec![0; rows.len()]);
                    if cells.decimals(text.as_bytes(), from, &mut found, &mut scales).is_some() {
                        let found: Vec<_> = found.into_iter().zip(scales).map(Some).collect();
                        let expected: Vec<_> =
                            rows.iter().map(|row| digits(row[column].as_bytes(), b'.')).collect();
                        assert_eq!(found, expected, "{rows:?}");
                        decimals += 1;
                    }
                }
            }
        }
        assert!(truths > 1000 && decimals > 1000 && others > 100, "{truths} {decimals} {others}");
    }

    #[test]
    fn a_row_fits_its_layout_alone() {
        let kinds = [Some(Kind::Number), Some(Kind::Truth), Some(Kind::Name), None];
        for separator in [b',', b';', b'\t'] {
            let dialect = Dialect { separator, line_end: b'\n', kinds: &kinds };
            let mut row = [0; 64];
            row[..19].copy_from_slice(b"12.5,0,idle,x 1-\r\n,");
            row.iter_mut().filter(|byte| **byte == b',').for_each(|byte| *byte = separator);
            let layout = Layout::of(&row, dialect).expect("a row");
            assert_eq!(layout.length, 18);
            // Each place with each byte: the cells are the same, or it is another layout.
            for at in 0..64 {
                for byte in 0..=u8::MAX {
                    let mut other = row;
                    other[at] = byte;
                    let is_inside = at < layout.length;
                    let fits = match row[at] {
                        _ if !is_inside => true,
                        b'0'..=b'9' if at < 4 => byte.is_ascii_digit(),
                        b'0' if at == 5 => matches!(byte, b'0' | b'1'),
                        own if at > 6 && own > separator.max(b'"') => byte > separator.max(b'"'),
                        own => byte == own,
                    };
                    assert_eq!(layout.fits(&other), fits, "{separator} {at} {byte}");
                    let half: &[u8; 32] = other.first_chunk().expect("a half");
                    assert_eq!(layout.fits(half), fits, "{separator} {at} {byte}");
                    let marks = Marks::of(&other, separator, b'\n');
                    assert!(!fits || !is_inside || marks == Marks::of(&row, separator, b'\n'));
                }
            }
        }
    }
}
