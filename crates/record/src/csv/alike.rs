//! Rows of separated text that look alike: of at most 64 bytes, with their separators where one of a few rows has them. Most rows look as the
//! one before, so that one comparison tells where all of their cells are.

use super::split::Marks;

/// The most ways in which rows may look.
const MAX_LAYOUTS: usize = 16;

/// Consecutive rows.
#[derive(Debug, Default)]
pub(super) struct Alike {
    /// Where each row begins, and where the last one ends.
    pub(super) starts: Vec<u32>,
    /// The number of the layout of each row.
    pub(super) numbers: Vec<u8>,
    layouts: Vec<Layout>,
    /// Whether some rows were not alike, so that nothing is expected of those after them.
    is_varied: bool,
}

/// Where a column is in each layout.
pub(super) type Table = [(u8, u8); MAX_LAYOUTS];

/// How a row looks: a bit for each of its bytes.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// The separators and the line end.
    marks: u64,
    /// The line end, which is the last byte.
    end: u64,
    /// All bytes.
    row: u64,
    length: usize,
}

impl Alike {
    /// Finds the rows of a text, which ends with one, from a byte on; whether all of them look alike and have as many cells as there are columns.
    pub(super) fn find(
        &mut self,
        bytes: &[u8],
        from: usize,
        separator: u8,
        line_end: u8,
        width: usize,
    ) -> bool {
        if self.is_varied || width < 2 {
            return false;
        }
        self.is_varied = self.rows(bytes, from, separator, line_end, width).is_none();
        !self.is_varied
    }

    fn rows(&mut self, bytes: &[u8], from: usize, separator: u8, line_end: u8, width: usize) -> Option<()> {
        self.starts.clear();
        self.numbers.clear();
        self.layouts.clear();
        let (mut at, mut changes) = (from, 0);
        let mut last = Layout::of(Marks::of(&window(bytes, at), separator, line_end), width)?;
        self.layouts.push(last);
        let mut number = 0;
        while at < bytes.len() {
            let is_same = match bytes[at..].first_chunk::<32>() {
                Some(bytes) if last.length <= 32 => last.is_that_of(Marks::of(bytes, separator, line_end)),
                _ => last.is_that_of(Marks::of(&window(bytes, at), separator, line_end)),
            };
            if !is_same {
                changes += 1;
                let found = Marks::of(&window(bytes, at), separator, line_end);
                number = match self.layouts.iter().position(|known| known.is_that_of(found)) {
                    Some(known) => known,
                    None if self.layouts.len() < MAX_LAYOUTS => {
                        self.layouts.push(Layout::of(found, width)?);
                        self.layouts.len() - 1
                    }
                    None => return None,
                };
                last = self.layouts[number];
                // Where rows often change, it is quicker to look for their cells.
                if changes > 64 + self.starts.len() / 4 {
                    return None;
                }
            }
            self.starts.push(at as u32);
            self.numbers.push(number as u8);
            at += last.length;
        }
        self.starts.push(at as u32);
        Some(())
    }

    /// Where the cells of a column begin and end in the rows of each layout.
    pub(super) fn table(&self, column: usize) -> Table {
        let mut table = [(0, 0); MAX_LAYOUTS];
        for (cell, layout) in table.iter_mut().zip(&self.layouts) {
            *cell = layout.cell(column);
        }
        // All others are as the first one.
        let first = table[0];
        table[self.layouts.len()..].fill(first);
        table
    }
}

/// The 64 bytes from one on; after the last there are zeros.
#[inline]
fn window(bytes: &[u8], at: usize) -> [u8; 64] {
    let rest = &bytes[at..];
    if let Some(window) = rest.first_chunk() {
        return *window;
    }
    let mut window = [0; 64];
    window[..rest.len()].copy_from_slice(rest);
    window
}

impl Layout {
    /// The layout of a row at the start of 64 bytes, if it is in them and has so many cells.
    fn of(found: Marks, width: usize) -> Option<Layout> {
        let end = found.line_ends & found.line_ends.wrapping_neg();
        let row = end | end.wrapping_sub(1);
        let marks = found.all & row;
        let is_row = end != 0 && !found.has_quotes && marks.count_ones() as usize == width;
        is_row.then(|| Layout { marks, end, row, length: row.count_ones() as usize })
    }

    /// Whether bytes begin with a row of this layout.
    #[inline]
    fn is_that_of(self, found: Marks) -> bool {
        ((found.all ^ self.marks) | (found.line_ends ^ self.end)) & self.row | u64::from(found.has_quotes)
            == 0
    }

    /// Where a cell begins and ends in a row.
    fn cell(self, column: usize) -> (u8, u8) {
        let (mut marks, mut from) = (self.marks, 0);
        for _ in 0..column {
            from = marks.trailing_zeros() as u8 + 1;
            marks &= marks - 1;
        }
        (from, marks.trailing_zeros() as u8)
    }
}
