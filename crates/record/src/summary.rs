//! What a column of a recorded trace has: the range of numbers, how often a Boolean is true, the names that occur.

use crate::columns::{Block, Cells, Flaw, Kind, MAX_SCALE, decimal};
use dashu_ratio::RBig;
use logic::Value;

/// What a column has, up to its first flaw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// What its cells are read as.
    pub kind: Kind,
    /// The number of steps at which a Boolean is true.
    pub trues: u64,
    /// The number of steps at which the value differs from the one before.
    pub changes: u64,
    /// The least and the greatest number.
    pub range: Option<(RBig, RBig)>,
    /// The names that occur, in the order of their first steps.
    pub names: Vec<String>,
    /// The first cell without a value.
    pub flaw: Option<Flaw>,
    last: Option<Value>,
}

impl Summary {
    /// The summary of a column without steps.
    pub fn new(kind: Kind) -> Summary {
        Summary { kind, trues: 0, changes: 0, range: None, names: Vec::new(), flaw: None, last: None }
    }

    /// Adds the steps of a block, from one of its columns.
    pub fn block(&mut self, block: &Block, column: usize) {
        let column = &block.columns[column];
        self.flaw.clone_from(&column.flaw);
        let until =
            column.flaw.as_ref().map_or(block.rows as u64, |flaw| flaw.step.saturating_sub(block.start));
        let rows = usize::try_from(until).unwrap_or(usize::MAX).min(block.rows);
        if rows == 0 {
            return;
        }
        self.changes += u64::from(self.last.as_ref().is_some_and(|last| *last != column.value(0)));
        match &column.cells {
            Cells::Truths(bits) => {
                let bit = |row: usize| bits[row / 64] >> (row % 64) & 1;
                self.trues += (0..rows).map(bit).sum::<u64>();
                self.changes += (1..rows).filter(|&row| bit(row) != bit(row - 1)).count() as u64;
            }
            Cells::Numbers(numbers) => {
                let wide = |row: usize| {
                    let places = MAX_SCALE as u32 - u32::from(numbers.scales[row]);
                    i128::from(numbers.digits[row]) * 10_i128.pow(places)
                };
                let mut others = numbers.others.iter().map(|(row, _)| *row).peekable();
                let (mut least, mut greatest) = (None, None);
                for row in 0..rows {
                    if others.next_if_eq(&row).is_some() {
                        continue;
                    }
                    if least.is_none_or(|known| wide(row) < wide(known)) {
                        least = Some(row);
                    }
                    if greatest.is_none_or(|known| wide(row) > wide(known)) {
                        greatest = Some(row);
                    }
                }
                let ends = least.into_iter().chain(greatest);
                let plain = ends.map(|row| decimal(numbers.digits[row], numbers.scales[row]));
                let other =
                    numbers.others.iter().filter(|(row, _)| *row < rows).map(|(_, number)| number.clone());
                for number in plain.chain(other) {
                    self.range = Some(match self.range.take() {
                        None => (number.clone(), number),
                        Some((lo, hi)) => (lo.min(number.clone()), hi.max(number)),
                    });
                }
                let same = |row: usize| {
                    (numbers.digits[row], numbers.scales[row])
                        == (numbers.digits[row - 1], numbers.scales[row - 1])
                };
                let is_plain = numbers.others.is_empty();
                let differs =
                    |row: &usize| !(is_plain && same(*row)) && column.value(*row) != column.value(*row - 1);
                self.changes += (1..rows).filter(differs).count() as u64;
            }
            Cells::Names(names) => {
                self.names.clone_from(&names.known);
                self.changes +=
                    names.cells[..rows].windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
            }
        }
        self.last = Some(column.value(rows - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, csv::Csv};

    #[test]
    fn columns_are_summed_up() {
        let text = "a,b,c\n0,1.5,idle\n1,-2,idle\n1,1e3,run\n0,?,run\n";
        let mut csv = Csv::open(text.as_bytes()).expect("a head");
        csv.select(&[Some(0), Some(1), Some(2)]);
        let kinds = [Kind::Truth, Kind::Number, Kind::Name];
        let mut block = Block::new(&kinds.map(|kind| Input { name: String::new(), kind }));
        let mut all = kinds.map(Summary::new);
        while csv.fill(&mut block).expect("rows") > 0 {
            all.iter_mut().enumerate().for_each(|(at, summary)| summary.block(&block, at));
        }
        let [truths, numbers, names] = all;
        assert_eq!((truths.trues, truths.changes), (2, 2));
        assert_eq!(numbers.range, Some((RBig::from(-2), RBig::from(1000))));
        assert_eq!((numbers.changes, numbers.flaw.map(|flaw| flaw.step)), (2, Some(3)));
        assert_eq!((names.names.join(" ").as_str(), names.changes), ("idle run", 1));
    }
}
