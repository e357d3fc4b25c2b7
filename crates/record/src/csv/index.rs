//! Where the cells of separated text are: the places of all separators and line ends, found 64 bytes at a time.
//!
//! Rows that look alike are found without that. Only text as most is has an index: without quotation marks, and with as many cells in each
//! row as the header has. Any other text is read row by row.

use super::alike::{Alike, AlikeCells, Dialect};
use super::cell::trimmed;
use super::split::Marks;
use crate::columns::Kind;

/// The cells of some rows of separated text.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The rows, if they look alike; otherwise there are places.
    alike: Alike,
    is_alike: bool,
    /// The places of separators and line ends, ascending, after the place before the first row; what comes after all of them means nothing.
    places: Vec<u32>,
    /// The number of places of a row.
    stride: usize,
    /// The number of rows, and the next one.
    rows: usize,
    next: usize,
    /// Whether each row has a carriage return before its line end.
    has_returns: bool,
}

/// The cells of one column in consecutive rows.
#[derive(Debug)]
pub(super) struct Cells<'i> {
    pub(super) bytes: &'i [u8],
    form: Form<'i>,
}

#[derive(Debug)]
enum Form<'i> {
    /// Between two places of each row, without the given number of bytes before the second one.
    Places(&'i [u32], usize, u32),
    /// Where the layout of each row says.
    Alike(AlikeCells<'i>),
}

impl Index {
    /// The rows that are not read.
    pub(super) fn left(&self) -> usize {
        self.rows - self.next
    }

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        (self.rows, self.next) = (0, 0);
    }

    /// Finds the cells of the text from a byte on, which ends with a row; there are none if it is not as most text is.
    pub(super) fn build(&mut self, bytes: &[u8], from: usize, dialect: Dialect) {
        self.clear();
        let Dialect { separator, line_end, kinds } = dialect;
        let (Ok(start), Ok(_)) = (u32::try_from(from), u32::try_from(bytes.len())) else { return };
        let alike = self.alike.find(bytes, from, dialect);
        self.is_alike = alike.is_some();
        if let Some(rows) = alike {
            self.rows = rows;
            return;
        }
        let text = &bytes[from..];
        let (chunks, rest) = text.as_chunks::<64>();
        let (mut count, mut ends, mut at) = (1, 0, start);
        self.room(count);
        self.places[0] = start.wrapping_sub(1);
        for chunk in chunks {
            let found = Marks::of(chunk, separator, line_end);
            if found.has_quotes {
                return;
            }
            self.room(count);
            count += self.places[count..].first_chunk_mut().map_or(0, |out| written(out, found.all, at));
            ends += found.line_ends.count_ones() as usize;
            at += 64;
        }
        if !rest.is_empty() {
            // What fills up the last chunk is neither a separator nor a line end.
            let mut chunk = [0; 64];
            chunk[..rest.len()].copy_from_slice(rest);
            let found = Marks::of(&chunk, separator, line_end);
            if found.has_quotes {
                return;
            }
            self.room(count);
            count += self.places[count..].first_chunk_mut().map_or(0, |out| written(out, found.all, at));
            ends += found.line_ends.count_ones() as usize;
        }
        let count = count - 1;
        if ends == 0 || !count.is_multiple_of(ends) {
            return;
        }
        // There are as many line ends as rows, so if each row ends with one, it has no other.
        self.stride = count / ends;
        let is_end = |place: &u32| bytes.get(*place as usize) == Some(&line_end);
        let mut row_ends = self.places[..=count].iter().skip(self.stride).step_by(self.stride);
        if row_ends.clone().all(is_end) && self.has_width(bytes, kinds.len(), ends) {
            let is_return = |place: &u32| bytes[..*place as usize].last() == Some(&b'\r');
            (self.rows, self.has_returns) = (ends, row_ends.all(is_return));
        }
    }

    /// Room for the places of one more chunk.
    fn room(&mut self, count: usize) {
        if self.places.len() < count + 64 {
            self.places.resize(2 * count + 4096, 0);
        }
    }

    /// Whether rows have the cells of the header, and perhaps an empty one after them. An empty row of one cell is not a row.
    fn has_width(&self, bytes: &[u8], width: usize, rows: usize) -> bool {
        let cells =
            |column: usize| Cells { bytes, form: Form::Places(&self.places[column..], self.stride, 0) };
        if self.stride == width + 1 {
            return cells(width).all(rows, |cell| trimmed(cell).is_empty());
        }
        let is_row = |cell: &[u8]| cell.first().is_some_and(|it| *it > b' ');
        self.stride == width && (width > 1 || cells(0).all(rows, is_row))
    }

    /// The cells of a column in the next rows, which are read as a kind.
    pub(super) fn cells<'i>(&'i self, bytes: &'i [u8], column: usize, kind: Kind, point: u8) -> Cells<'i> {
        let form = if self.is_alike {
            Form::Alike(self.alike.cells(column, kind, self.next..self.rows, point))
        } else {
            let places = &self.places[self.next * self.stride + column..=self.rows * self.stride];
            Form::Places(places, self.stride, u32::from(self.has_returns && column + 1 == self.stride))
        };
        Cells { bytes, form }
    }

    /// Goes on after some rows; returns the byte after them.
    pub(super) fn advance(&mut self, rows: usize) -> usize {
        self.next += rows;
        if self.is_alike {
            return self.alike.start(self.next);
        }
        self.places[self.next * self.stride] as usize + 1
    }
}

/// Where up to 64 cells begin and end.
pub(super) struct Group {
    starts: [u32; 64],
    ends: [u32; 64],
    count: usize,
}

impl Group {
    pub(super) fn new() -> Group {
        Group { starts: [0; 64], ends: [0; 64], count: 0 }
    }

    pub(super) fn starts(&self) -> &[u32] {
        &self.starts[..self.count]
    }

    /// The bytes of the cells, from one to the one before the other.
    #[inline]
    pub(super) fn ranges(&self) -> impl Iterator<Item = (u32, u32)> + Clone {
        self.starts().iter().copied().zip(self.ends.iter().copied())
    }
}

impl Cells<'_> {
    /// Finds up to 64 cells after some rows.
    #[inline]
    pub(super) fn find(&self, from: usize, count: usize, group: &mut Group) {
        group.count = count.min(64);
        let starts = group.starts[..group.count].iter_mut();
        let out = starts.zip(group.ends.iter_mut());
        match &self.form {
            Form::Places(places, stride, cut) => {
                let rows = places[from * stride..].windows(2).step_by(*stride);
                for ((start, end), pair) in out.zip(rows) {
                    (*start, *end) = (pair[0].wrapping_add(1), pair[1].wrapping_sub(*cut));
                }
            }
            Form::Alike(cells) => cells.find(from, out),
        }
    }

    /// The cells, if the rows look alike.
    pub(super) fn alike(&self) -> Option<&AlikeCells<'_>> {
        match &self.form {
            Form::Alike(cells) => Some(cells),
            Form::Places(..) => None,
        }
    }

    /// Whether all cells of some rows are as they should be.
    fn all(&self, rows: usize, is_right: impl Fn(&[u8]) -> bool) -> bool {
        let mut group = Group::new();
        (0..rows).step_by(64).all(|from| {
            self.find(from, rows - from, &mut group);
            group.ranges().all(|(start, end)| is_right(&self.bytes[start as usize..end as usize]))
        })
    }
}

/// Writes the places of bits, and returns how many there are. They are written in groups: bits that are not there are written as well, and
/// overwritten later.
#[inline]
fn written(out: &mut [u32; 64], mut bits: u64, base: u32) -> usize {
    let count = bits.count_ones() as usize;
    let mut place = || {
        // The highest bit makes the number positive, as the processor wants it.
        let place = base + (bits | 1 << 63).trailing_zeros();
        bits &= bits.wrapping_sub(1);
        place
    };
    let (groups, _) = out.as_chunks_mut::<4>();
    for group in &mut groups[..count.div_ceil(4)] {
        group.iter_mut().for_each(|out| *out = place());
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    fn ranges(cells: &Cells, rows: usize) -> Vec<(usize, usize)> {
        let mut group = Group::new();
        let mut some = |from: usize| {
            cells.find(from, rows - from, &mut group);
            group.ranges().map(|(start, end)| (start as usize, end as usize)).collect::<Vec<_>>()
        };
        (0..rows).step_by(64).flat_map(&mut some).collect()
    }

    fn index(text: &[u8], from: usize, width: usize) -> Index {
        let mut index = Index::default();
        let kinds = vec![None; width];
        index.build(text, from, Dialect { separator: b',', line_end: b'\n', kinds: &kinds });
        index
    }

    /// The cells of a column.
    fn column(index: &Index, text: &[u8], column: usize) -> Vec<(usize, usize)> {
        ranges(&index.cells(text, column, Kind::Name, b'.'), index.left())
    }

    /// The cells of a text with two columns; none if it has no index.
    fn cells(text: &str, from: usize) -> Option<Vec<&str>> {
        let index = Some(index(text.as_bytes(), from, 2)).filter(|index| index.left() > 0)?;
        let [one, other] = [0, 1].map(|number| column(&index, text.as_bytes(), number));
        let both = one.into_iter().zip(other).flat_map(|(one, other)| [one, other]);
        Some(both.map(|(from, to)| &text[from..to]).collect())
    }

    #[test]
    fn text_as_most_is_has_an_index() {
        for (text, expected) in [
            ("a,b\n", Some("a|b")),
            ("a,b\nc,\n,d\n", Some("a|b|c|||d")),
            ("a,b,\nc,d, \r\n", Some("a|b|c|d")),
            ("a,b\r\nc,\r\n", Some("a|b|c|")),
            ("a,b\r\nc,d\n", Some("a|b|c|d")),
            ("a,b\n\nc,d\n", None),
            ("a,b\nc\n", None),
            ("a,b,c\n", None),
            ("a\nb\nc\nd\n", None),
            ("a,b\nc,d,\n", None),
            ("a,b,c\nd\n", None),
            ("a,\"b\"\n", None),
            ("\n", None),
        ] {
            assert_eq!(cells(text, 0).map(|it| it.join("|")).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn cells_of_any_length_are_found_from_any_place() {
        let mut random = Random::new(2);
        for _ in 0..200 {
            let length = random.pick(&[1, 2, 8, 70]);
            let all: Vec<String> =
                (0..2 * (1 + random.below(80_usize))).map(|_| "x".repeat(random.below(length))).collect();
            let rows: Vec<String> = all.chunks(2).map(|row| row.join(",") + "\n").collect();
            let before = "y".repeat(random.below(130_usize));
            let text = before.clone() + &rows.concat();
            assert_eq!(cells(&text, before.len()).expect("rows"), all);
        }
    }

    #[test]
    fn rows_that_look_alike_have_their_cells() {
        let mut random = Random::new(4);
        let (mut alike, mut others) = (0, 0);
        for round in 0..300 {
            let width = 2 + random.below(5_usize);
            // How often a cell is longer than usual, and by how much at most.
            let (often, most) = (random.pick(&[2_u64, 20, 200]), random.pick(&[1_usize, 3, 20]));
            let usual: Vec<usize> = (0..width).map(|_| random.below(12_usize)).collect();
            let mut length = |column: usize| {
                usual[column] + if random.below(often) == 0 { random.below(most + 1) } else { 0 }
            };
            let rows: Vec<Vec<String>> =
                (0..400).map(|_| (0..width).map(|column| "x".repeat(length(column))).collect()).collect();
            let end = if round % 3 == 0 { "\r\n" } else { "\n" };
            let text: String = rows.iter().map(|row| row.join(",") + end).collect();
            let index = index(text.as_bytes(), 0, width);
            *if index.is_alike { &mut alike } else { &mut others } += 1;
            assert_eq!(index.left(), rows.len());
            for number in 0..width {
                let found = column(&index, text.as_bytes(), number);
                let found: Vec<&str> = found.into_iter().map(|(from, to)| &text[from..to]).collect();
                let expected: Vec<&str> = rows.iter().map(|row| row[number].as_str()).collect();
                assert_eq!(found, expected);
            }
        }
        assert!(alike > 50 && others > 50, "{alike} {others}");
    }

    #[test]
    fn rows_are_read_in_parts() {
        let text = b"a,b\nc,d\ne,f\n";
        let mut index = index(text, 0, 2);
        assert_eq!(index.advance(1), 4);
        assert_eq!(index.left(), 2);
        assert_eq!(column(&index, text, 1), [(6, 7), (10, 11)]);
    }
}
