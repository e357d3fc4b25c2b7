//! What is drawn of a long trace: the least and the greatest values of a column over equal spans of steps. Memory does not depend on the
//! length of the trace: when there are too many spans, two become one. Numbers are doubles: a picture decides nothing.

use crate::columns::{Block, Cells, Column, MAX_SCALE};
use crate::reader::Mark;

/// The most places that are kept.
const MAX_MARKS: usize = 1 << 12;

/// The powers of ten that decimals are divided by.
const POWERS: [f64; MAX_SCALE + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

/// The least and the greatest value of a column at some steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// The least value.
    pub least: f64,
    /// The greatest value; less than the least one if there are no values.
    pub greatest: f64,
}

impl Extent {
    /// No values.
    pub const NONE: Extent = Extent { least: f64::INFINITY, greatest: f64::NEG_INFINITY };

    /// Whether there are no values.
    pub fn is_none(&self) -> bool {
        self.least > self.greatest
    }

    /// The extent of the values of both.
    #[must_use]
    pub fn with(self, other: Extent) -> Extent {
        Extent { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }
}

/// The extents of a column over spans of steps.
#[derive(Debug, Clone)]
pub struct Overview {
    most: usize,
    span: u64,
    extents: Vec<Extent>,
}

impl Overview {
    /// The overview of a column without steps, which will have at most so many extents; at least two.
    pub fn new(most: usize) -> Overview {
        Overview { most: most.max(2), span: 1, extents: Vec::new() }
    }

    /// The steps of an extent: a power of two.
    pub fn span(&self) -> u64 {
        self.span
    }

    /// Adds the steps of a block, from one of its columns.
    pub fn block(&mut self, block: &Block, column: usize) {
        let end = block.start + block.rows as u64;
        while end.div_ceil(self.span) > self.most as u64 {
            self.extents = self.extents.chunks(2).map(joined).collect();
            self.span *= 2;
        }
        self.extents.resize(end.div_ceil(self.span) as usize, Extent::NONE);
        let column = &block.columns[column];
        gather(&mut self.extents, 0, self.span, block, column, |row| column.approximate(row));
    }

    /// The extents of `count` spans of `per` steps each, from a step on. `per` is a multiple of [`Overview::span`], and the step of `per`.
    pub fn window(&self, from: u64, per: u64, count: usize) -> Vec<Extent> {
        let (first, width) = ((from / self.span) as usize, (per / self.span).max(1) as usize);
        let part = |at: usize| {
            let start = first.saturating_add(at.saturating_mul(width)).min(self.extents.len());
            joined(&self.extents[start..start.saturating_add(width).min(self.extents.len())])
        };
        (0..count).map(part).collect()
    }

    /// The extent of the whole column.
    pub fn whole(&self) -> Extent {
        joined(&self.extents)
    }
}

fn joined(extents: &[Extent]) -> Extent {
    extents.iter().copied().fold(Extent::NONE, Extent::with)
}

/// Adds the values of a column of a block to extents over `per` steps each, the first of which begins at a step. `number` gives the value
/// of a row.
pub fn gather(
    extents: &mut [Extent],
    from: u64,
    per: u64,
    block: &Block,
    column: &Column,
    number: impl Fn(usize) -> f64,
) {
    let known = column.flaw.as_ref().map_or(u64::MAX, |flaw| flaw.step);
    let end = (block.start + block.rows as u64).min(known).min(from + per * extents.len() as u64);
    let mut step = block.start.max(from);
    while step < end {
        let at = ((step - from) / per) as usize;
        let next = end.min(from + per * (at as u64 + 1));
        let mut extent = extents[at];
        for row in step - block.start..next - block.start {
            let value = number(row as usize);
            extent = extent.with(Extent { least: value, greatest: value });
        }
        extents[at] = extent;
        step = next;
    }
}

impl Column {
    /// About the value of a cell: 0 and 1 for truths, and the number of a name among [`Column::names`].
    pub fn approximate(&self, row: usize) -> f64 {
        match &self.cells {
            Cells::Truths(bits) => (bits[row / 64] >> (row % 64) & 1) as f64,
            Cells::Numbers(numbers) => match numbers.others.binary_search_by_key(&row, |(row, _)| *row) {
                Ok(found) => numbers.others[found].1.to_f64().value(),
                Err(_) => numbers.digits[row] as f64 / POWERS[usize::from(numbers.scales[row])],
            },
            Cells::Names(names) => f64::from(names.cells[row]),
        }
    }
}

/// Places of a trace at about equal distances, so that reading can begin near any step.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    kept: Vec<Mark>,
    /// One place of `1 << thinned` is kept.
    thinned: u32,
    seen: u64,
}

impl Marks {
    /// Adds the next place.
    pub fn push(&mut self, mark: Mark) {
        if self.seen.is_multiple_of(1 << self.thinned) {
            self.kept.push(mark);
        }
        self.seen += 1;
        if self.kept.len() > MAX_MARKS {
            let mut at = 0;
            self.kept.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.thinned += 1;
        }
    }

    /// The last place that is not after a step.
    pub fn before(&self, step: u64) -> Option<Mark> {
        let after = self.kept.partition_point(|mark| mark.step <= step);
        self.kept[..after].last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Input, Kind};
    use crate::csv::Csv;

    /// The rows of a column: a few steps up and down, and a gap.
    fn rows(count: usize) -> Vec<Option<f64>> {
        let value = |row: usize| ((row * 7919) % 1013) as f64 / 4.0 - 100.0;
        (0..count).map(|row| (row != 5000 % count.max(1) || count < 5000).then(|| value(row))).collect()
    }

    fn extent(rows: &[Option<f64>]) -> Extent {
        let one = |value: f64| Extent { least: value, greatest: value };
        rows.iter().copied().flatten().map(one).fold(Extent::NONE, Extent::with)
    }

    #[test]
    fn windows_have_the_extents_of_their_rows() {
        for (count, most) in [(0, 8), (1, 8), (100, 8), (100, 1000), (4096, 64), (30_000, 64), (30_000, 2)] {
            let mut rows = rows(count);
            let mut text = String::from("c\n");
            for row in &rows {
                text += &row.map_or("?\n".to_owned(), |value| format!("{value}\n"));
            }
            let mut csv = Csv::open(text.as_bytes()).expect("a head");
            csv.select(&[Some(0)]);
            let mut block = Block::new(&[Input { name: "c".into(), kind: Kind::Number }]);
            let mut overview = Overview::new(most);
            while csv.fill(&mut block).expect("rows") > 0 {
                overview.block(&block, 0);
                block.columns[0].flaw = None;
            }
            // The rest of the block after a missing cell is not read.
            if let Some(gap) = rows.iter().position(Option::is_none) {
                let end = (gap / crate::BLOCK + 1) * crate::BLOCK;
                rows[gap..end.min(count)].fill(None);
            }
            assert!(overview.span().is_power_of_two() && count as u64 <= overview.span() * most as u64);
            assert_eq!(overview.whole(), extent(&rows));
            for per in [1, 2, 8].map(|times| times * overview.span()) {
                let window = overview.window(per, per, 50);
                for (at, found) in window.iter().enumerate() {
                    let [start, end] = [at + 1, at + 2].map(|it| (it * per as usize).min(count));
                    assert_eq!(*found, extent(&rows[start..end]), "{count} {most} {per} {at}");
                }
            }
        }
    }

    #[test]
    fn places_are_thinned() {
        let mut marks = Marks::default();
        assert_eq!(marks.before(7), None);
        for block in 0..100_000 {
            marks.push(Mark { step: block * 4096, offset: block, lines: 0 });
        }
        assert!(marks.kept.len() <= MAX_MARKS);
        for step in [0, 1, 4096, 1_000_000, 400_000_000] {
            let found = marks.before(step).expect("a place");
            assert!(found.step <= step && step - found.step < 4096 << marks.thinned, "{step} {found:?}");
        }
    }
}
