//! A recorded trace whose columns are in memory, as files that hold them one after the other are read.

use crate::cell::Cell;
use crate::columns::{BLOCK, Block};
use crate::reader::{Malformed, Reader, Signal, Time, TimeUnit};
use logic::Sort;

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Values {
    Truths(Vec<bool>),
    Integers(Vec<i64>),
    Naturals(Vec<u64>),
    /// Digits, of which so many are decimal places.
    Decimals(Vec<i64>, u8),
    Doubles(Vec<f64>),
    Singles(Vec<f32>),
    Texts(Vec<String>),
}

/// Columns in memory.
#[derive(Debug, Clone, Default)]
pub struct Table {
    signals: Vec<Signal>,
    values: Vec<Values>,
    time: Option<Time>,
    rows: usize,
    selected: Vec<Option<usize>>,
}

impl Values {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Values::Truths(values) => values.len(),
            Values::Integers(values) | Values::Decimals(values, _) => values.len(),
            Values::Naturals(values) => values.len(),
            Values::Doubles(values) => values.len(),
            Values::Singles(values) => values.len(),
            Values::Texts(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Values::Truths(values) => Cell::Truth(values[row]),
            Values::Integers(values) => Cell::Integer(values[row]),
            Values::Naturals(values) => Cell::Natural(values[row]),
            Values::Decimals(values, places) => Cell::Decimal(values[row], *places),
            Values::Doubles(values) => Cell::Double(values[row]),
            Values::Singles(values) => Cell::Single(values[row]),
            Values::Texts(values) => Cell::Text(&values[row]),
        }
    }

    /// Some of the values, in this order.
    pub(crate) fn chosen(&self, rows: &[usize]) -> Values {
        fn of<T: Clone>(values: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().map(|&row| values[row].clone()).collect()
        }
        match self {
            Values::Truths(values) => Values::Truths(of(values, rows)),
            Values::Integers(values) => Values::Integers(of(values, rows)),
            Values::Naturals(values) => Values::Naturals(of(values, rows)),
            Values::Decimals(values, places) => Values::Decimals(of(values, rows), *places),
            Values::Doubles(values) => Values::Doubles(of(values, rows)),
            Values::Singles(values) => Values::Singles(of(values, rows)),
            Values::Texts(values) => Values::Texts(of(values, rows)),
        }
    }

    /// What they are; numbers that are 0 or 1 alone may be either.
    pub(crate) fn sort(&self) -> Sort {
        let bits = |is_bit: bool| if is_bit { Sort::Any } else { Sort::Real };
        match self {
            Values::Truths(_) => Sort::Bool,
            Values::Integers(values) => bits(values.iter().all(|it| matches!(it, 0 | 1))),
            Values::Naturals(values) => bits(values.iter().all(|it| matches!(it, 0 | 1))),
            Values::Decimals(..) => Sort::Real,
            Values::Doubles(values) => bits(values.iter().all(|it| *it == 0.0 || *it == 1.0)),
            Values::Singles(values) => bits(values.iter().all(|it| *it == 0.0 || *it == 1.0)),
            Values::Texts(_) => Sort::Enum,
        }
    }

    /// Whether they are numbers that ascend.
    fn ascend(&self) -> bool {
        match self {
            Values::Integers(values) | Values::Decimals(values, _) => values.is_sorted(),
            Values::Naturals(values) => values.is_sorted(),
            Values::Doubles(values) => values.is_sorted(),
            Values::Singles(values) => values.is_sorted(),
            Values::Truths(_) | Values::Texts(_) => false,
        }
    }
}

impl Table {
    /// A table of columns with their names.
    ///
    /// # Errors
    /// The columns have different lengths, or two have the same name.
    pub fn new(columns: Vec<(String, Values)>) -> Result<Table, Malformed> {
        let mut table =
            Table { rows: columns.first().map_or(0, |(_, values)| values.len()), ..Table::default() };
        for (name, values) in columns {
            let wrong = |reason: String| Err(Malformed { line: None, reason });
            if values.len() != table.rows {
                let (own, first) = (values.len(), &table.signals[0].name);
                return wrong(format!("`{name}` has {own} values, but `{first}` has {}", table.rows));
            }
            if table.signals.iter().any(|known| known.name == name) {
                return wrong(format!("the name `{name}` is used twice"));
            }
            if Time::is_usual(&name) && table.time.is_none() && values.ascend() {
                let (column, unit) =
                    (table.signals.len(), TimeUnit::of_name(&name).unwrap_or(TimeUnit::Second));
                table.time = Some(Time { column, is_date: false, unit });
            }
            table.signals.push(Signal { name, unit: None, sort: values.sort() });
            table.values.push(values);
        }
        Ok(table)
    }
}

impl Reader for Table {
    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn time(&self) -> Option<Time> {
        self.time
    }

    fn select(&mut self, columns: &[Option<usize>]) {
        self.selected = columns.to_vec();
    }

    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        block.advance();
        let start = usize::try_from(block.start).unwrap_or(usize::MAX).min(self.rows);
        block.rows = (self.rows - start).min(BLOCK);
        for (column, selected) in block.columns.iter_mut().zip(&self.selected) {
            let Some(at) = *selected else { continue };
            for row in 0..block.rows {
                let place = || format!("value {} of `{}`", start + row + 1, self.signals[at].name);
                column.put(row, (start + row) as u64, self.values[at].cell(start + row), place);
            }
        }
        Ok(block.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Kind};

    #[test]
    fn columns_are_read_in_blocks() {
        let rows = BLOCK + 3;
        let columns = vec![
            ("time".to_owned(), Values::Doubles((0..rows).map(|row| row as f64 / 10.0).collect())),
            ("on".to_owned(), Values::Truths((0..rows).map(|row| row % 3 == 0).collect())),
        ];
        let mut table = Table::new(columns).expect("a table");
        assert_eq!(table.time().map(|time| time.column), Some(0));
        table.select(&[Some(1), Some(0)]);
        let inputs = [("on", Kind::Truth), ("time", Kind::Number)];
        let mut block = Block::new(&inputs.map(|(name, kind)| Input { name: name.into(), kind }));
        let mut count = 0;
        while table.fill(&mut block).expect("rows") > 0 {
            for row in 0..block.rows {
                assert_eq!(block.columns[0].value(row), logic::Value::Bool(count % 3 == 0));
                let time = logic::RBig::from_parts(count.into(), 10_u8.into());
                assert_eq!(block.columns[1].value(row), logic::Value::Num(time));
                count += 1;
            }
        }
        assert_eq!(count, rows);
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let ones = |count: usize| Values::Integers(vec![1; count]);
        let wrong = |columns: Vec<(&str, Values)>| {
            let columns = columns.into_iter().map(|(name, values)| (name.to_owned(), values)).collect();
            Table::new(columns).expect_err("not a table").to_string()
        };
        assert_eq!(wrong(vec![("a", ones(2)), ("b", ones(3))]), "`b` has 3 values, but `a` has 2");
        assert_eq!(wrong(vec![("a", ones(2)), ("a", ones(2))]), "the name `a` is used twice");
    }
}
