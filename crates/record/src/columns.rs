//! A block of consecutive steps in columns: truths as bits, numbers as exact decimals, names as indices.
//!
//! A column is read as it is used. A cell without such a value is a [`Flaw`] of its column: it matters to those who use the column,
//! and to nobody else.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use logic::{Trace, Value};
use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;

/// The largest number of steps of a block.
pub const BLOCK: usize = 64 * WORDS;
/// The words of a block of bits.
pub(crate) const WORDS: usize = 64;
/// The most different names of a column.
const MAX_NAMES: usize = 1 << 16;
/// What is wrong with a column that has more.
pub(crate) const TOO_MANY_NAMES: &str = "the column has too many different names";
/// The most decimal places of a number whose digits fit into 64 bits.
pub(crate) const MAX_SCALE: usize = 18;

/// One truth per step of a block.
pub type Bits = [u64; WORDS];

/// What the cells of a column are read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// 0, 1, true and false.
    Truth,
    /// Exact numbers.
    Number,
    /// Names of an enumeration.
    Name,
}

impl Kind {
    /// The kind in words, with its article.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Truth => "a Boolean",
            Kind::Number => "a number",
            Kind::Name => "a name",
        }
    }
}

/// A column that is used, and what it is read as.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Input {
    /// The name of the variable.
    pub name: String,
    /// What its cells are read as.
    pub kind: Kind,
}

/// The first cell of a column that has no value of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Its step.
    pub step: u64,
    /// Its place in the file, such as `line 4, column ``x```.
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Consecutive steps of a recorded trace.
#[derive(Debug, Clone)]
pub struct Block {
    /// The first step.
    pub start: u64,
    /// The number of steps, at most [`BLOCK`].
    pub rows: usize,
    /// The columns, in the order of the inputs.
    pub columns: Vec<Column>,
}

/// The cells of a column in a block.
#[derive(Debug, Clone)]
pub struct Column {
    pub(crate) cells: Cells,
    pub(crate) purpose: Purpose,
    /// The first cell so far that has no value; the values from there on mean nothing.
    pub flaw: Option<Flaw>,
}

/// What the numbers of a column are for, which decides how doubles are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Anything: doubles become exact decimals.
    Any,
    /// Comparisons with constants or the clock alone: doubles stay as they are.
    Order,
}

#[derive(Debug, Clone)]
pub(crate) enum Cells {
    Truths(Box<Bits>),
    Numbers(Numbers),
    Names(Names),
}

/// Decimals: the digits and the number of decimal places, and what does not fit into that.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    pub(crate) digits: Vec<i64>,
    pub(crate) scales: Vec<u8>,
    /// Other numbers by their row, ascending.
    pub(crate) others: Vec<(usize, RBig)>,
    /// The cells as doubles, each of which means its shortest decimal, instead of all of the above; only in columns for
    /// [`Purpose::Order`].
    pub(crate) doubles: Doubles,
}

/// The doubles of a block: copies, or those of the table that they are read from, where a copy would cost more than what is done with them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Doubles {
    copies: Vec<f64>,
    table: Option<Arc<dyn Shared>>,
}

/// Doubles that belong to somebody else.
pub(crate) trait Shared: Deref<Target = [f64]> + Debug + Send + Sync {}

impl<T: Deref<Target = [f64]> + Debug + Send + Sync> Shared for T {}

impl Deref for Doubles {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        self.table.as_deref().map_or(&self.copies, |table| table)
    }
}

#[cfg(any(feature = "arrow", feature = "parquet", test))]
impl Doubles {
    #[cfg(feature = "arrow")]
    pub(crate) fn share(&mut self, values: Arc<dyn Shared>) {
        self.table = Some(values);
    }

    /// Puts copies at a row and those after it.
    pub(crate) fn put(&mut self, row: usize, values: &[f64]) {
        if let Some(table) = self.table.take() {
            self.copies.extend_from_slice(&table);
        }
        self.copies.resize(row, 0.0);
        self.copies.extend_from_slice(values);
    }
}

impl Doubles {
    fn clear(&mut self) {
        self.copies.clear();
        self.table = None;
    }
}

/// Names as indices into a list that grows with the trace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    pub(crate) cells: Vec<u32>,
    pub(crate) known: Vec<String>,
    index: FxHashMap<String, u32>,
}

impl Block {
    /// A block without steps, with a column for each input.
    pub fn new(inputs: &[Input]) -> Block {
        let column = |input: &Input| Column::new(input.kind);
        Block { start: 0, rows: 0, columns: inputs.iter().map(column).collect() }
    }

    /// The next steps of a trace in memory; none after its end. A missing column, or a value of another kind, is a flaw.
    pub fn fill(&mut self, inputs: &[Input], trace: &Trace) -> usize {
        self.advance();
        let start = usize::try_from(self.start).unwrap_or(usize::MAX).min(trace.len());
        self.rows = (trace.len() - start).min(BLOCK);
        for (column, input) in self.columns.iter_mut().zip(inputs) {
            let Some(known) = trace.column(&input.name) else {
                let reason = "there is no such column".to_owned();
                let place = || format!("`{}`", input.name);
                column.flaw.get_or_insert_with(|| Flaw { step: 0, place: place(), reason });
                continue;
            };
            for row in 0..self.rows {
                column.set(row, start + row, trace.value(known, start + row), &input.name);
            }
        }
        self.rows
    }

    /// A block without steps, with columns of the same kinds.
    pub(crate) fn empty(&self) -> Block {
        let column = |column: &Column| Column::new(column.kind());
        Block { start: 0, rows: 0, columns: self.columns.iter().map(column).collect() }
    }

    /// Removes all steps.
    pub(crate) fn clear(&mut self) {
        self.rows = 0;
        self.advance();
        self.start = 0;
    }

    /// Whether the names of another block can be added to those of this one.
    pub(crate) fn has_room_for_names(&self, other: &Block) -> bool {
        let mut pairs = self.columns.iter().zip(&other.columns);
        pairs.all(|(own, other)| own.names().len() + other.names().len() <= MAX_NAMES)
    }

    /// Adds rows of another block with columns of the same kinds, in which all cells have values, and whose names have room.
    pub(crate) fn append(&mut self, from: &Block, from_row: usize, count: usize) {
        for (to, from) in self.columns.iter_mut().zip(&from.columns) {
            to.cells.append(self.rows, &from.cells, from_row, count);
        }
        self.rows += count;
    }

    /// Adds a column at the end.
    pub(crate) fn add_column(&mut self, kind: Kind) {
        self.columns.push(Column::new(kind));
    }

    /// Copies a row of another block, which may have more columns; a cell without a value is a flaw here too.
    pub(crate) fn copy_row(&mut self, row: usize, from: &Block, from_row: usize) {
        let (step, from_step) = (self.start + row as u64, from.start + from_row as u64);
        for (to, from) in self.columns.iter_mut().zip(&from.columns) {
            match &from.flaw {
                Some(flaw) if flaw.step <= from_step => {
                    to.flaw.get_or_insert_with(|| Flaw { step, ..flaw.clone() });
                }
                _ => to.cells.copy(row, &from.cells, from_row),
            }
        }
    }

    /// Begins the steps after those of this block. Names and flaws are kept.
    pub(crate) fn advance(&mut self) {
        self.start += self.rows as u64;
        self.rows = 0;
        for column in &mut self.columns {
            column.clear();
        }
    }
}

impl Cells {
    fn new(kind: Kind) -> Cells {
        match kind {
            Kind::Truth => Cells::Truths(Box::new([0; WORDS])),
            Kind::Number => Cells::Numbers(Numbers {
                digits: vec![0; BLOCK],
                scales: vec![0; BLOCK],
                others: Vec::new(),
                doubles: Doubles::default(),
            }),
            Kind::Name => Cells::Names(Names { cells: vec![0; BLOCK], ..Names::default() }),
        }
    }

    /// Copies a cell of a column of the same kind, whose names this one has taken over so far.
    fn copy(&mut self, row: usize, from: &Cells, from_row: usize) {
        match (self, from) {
            (Cells::Truths(to), Cells::Truths(from)) => {
                let bit = from[from_row / 64] >> (from_row % 64) & 1;
                to[row / 64] = to[row / 64] & !(1 << (row % 64)) | bit << (row % 64);
            }
            (Cells::Numbers(to), Cells::Numbers(from)) => {
                if to.others.last().is_some_and(|(known, _)| *known >= row) {
                    to.others.retain(|(known, _)| *known != row);
                }
                match from.others.binary_search_by_key(&from_row, |(row, _)| *row) {
                    Ok(found) => to.set_other(row, from.others[found].1.clone()),
                    Err(_) => {
                        (to.digits[row], to.scales[row]) = (from.digits[from_row], from.scales[from_row]);
                    }
                }
            }
            (Cells::Names(to), Cells::Names(from)) => {
                while let Some(name) = from.known.get(to.known.len()) {
                    to.index(name);
                }
                to.cells[row] = from.cells[from_row];
            }
            _ => {}
        }
    }
}

impl Cells {
    /// Adds cells of a column of the same kind. Names are numbered in the order in which they occur.
    fn append(&mut self, row: usize, from: &Cells, from_row: usize, count: usize) {
        match (self, from) {
            (Cells::Truths(to), Cells::Truths(from)) => {
                for at in (0..count).step_by(64) {
                    let left = count - at;
                    let mask = if left < 64 { (1 << left) - 1 } else { !0 };
                    set_truths(to, row + at, word_at(&from[..], from_row + at) & mask);
                }
            }
            (Cells::Numbers(to), Cells::Numbers(from)) => {
                let (own, its) = (row..row + count, from_row..from_row + count);
                to.digits[own.clone()].copy_from_slice(&from.digits[its.clone()]);
                to.scales[own].copy_from_slice(&from.scales[its.clone()]);
                let others = from.others.iter().filter(|(at, _)| its.contains(at));
                to.others.extend(others.map(|(at, number)| (at - from_row + row, number.clone())));
            }
            (Cells::Names(to), Cells::Names(from)) => {
                let mut known = vec![None; from.known.len()];
                for at in 0..count {
                    let cell = from.cells[from_row + at] as usize;
                    if known[cell].is_none() {
                        known[cell] = to.index(&from.known[cell]);
                    }
                    to.cells[row + at] = known[cell].unwrap_or_default();
                }
            }
            _ => {}
        }
    }
}

impl Column {
    fn new(kind: Kind) -> Column {
        Column { cells: Cells::new(kind), purpose: Purpose::Any, flaw: None }
    }

    fn clear(&mut self) {
        match &mut self.cells {
            Cells::Truths(bits) => bits.fill(0),
            Cells::Numbers(numbers) => {
                numbers.others.clear();
                numbers.doubles.clear();
            }
            Cells::Names(_) => {}
        }
    }

    fn set(&mut self, row: usize, step: usize, value: &Value, name: &str) {
        let fits = match (&mut self.cells, value) {
            (Cells::Truths(bits), Value::Bool(truth)) => {
                bits[row / 64] |= u64::from(*truth) << (row % 64);
                true
            }
            (Cells::Numbers(numbers), Value::Num(number)) => {
                numbers.set(row, number);
                true
            }
            (Cells::Names(names), Value::Name(name)) => {
                names.index(name).map(|index| names.cells[row] = index).is_some()
            }
            _ => false,
        };
        if !fits {
            let reason = format!("the value is not {}", self.kind().words());
            let flaw = || Flaw { step: step as u64, place: format!("step {step}, `{name}`"), reason };
            self.flaw.get_or_insert_with(flaw);
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.cells {
            Cells::Truths(_) => Kind::Truth,
            Cells::Numbers(_) => Kind::Number,
            Cells::Names(_) => Kind::Name,
        }
    }

    /// The value of a cell.
    pub fn value(&self, row: usize) -> Value {
        match &self.cells {
            Cells::Truths(bits) => Value::Bool(bits[row / 64] >> (row % 64) & 1 == 1),
            Cells::Numbers(numbers) => Value::Num(numbers.exact(row)),
            Cells::Names(names) => {
                Value::Name(names.known.get(names.cells[row] as usize).cloned().unwrap_or_default())
            }
        }
    }

    /// The names that occur in the column so far; none if it is not one of names.
    pub fn names(&self) -> &[String] {
        if let Cells::Names(names) = &self.cells { &names.known } else { &[] }
    }
}

impl Numbers {
    pub(crate) fn exact(&self, row: usize) -> RBig {
        if let Some(number) = self.doubles.get(row).and_then(|number| crate::cell::shortest(*number)) {
            return number;
        }
        match self.others.binary_search_by_key(&row, |(row, _)| *row) {
            Ok(found) => self.others[found].1.clone(),
            Err(_) => decimal(self.digits[row], self.scales[row]),
        }
    }

    /// Sets a number, as digits if it has few.
    pub(crate) fn set(&mut self, row: usize, number: &RBig) {
        let digits = (0..=MAX_SCALE as u8).find_map(|scale| {
            let scaled = number / decimal(1, scale);
            scaled.is_int().then(|| i64::try_from(scaled.numerator()).ok()).map(|digits| (digits, scale))
        });
        match digits {
            Some((Some(digits), scale)) => (self.digits[row], self.scales[row]) = (digits, scale),
            _ => self.set_other(row, number.clone()),
        }
    }

    /// Sets a number of which only the exact value is known.
    pub(crate) fn set_other(&mut self, row: usize, value: RBig) {
        (self.digits[row], self.scales[row]) = (0, 0);
        self.others.push((row, value));
    }
}

impl Names {
    /// The index of a name; `None` if there are too many.
    pub(crate) fn index(&mut self, name: &str) -> Option<u32> {
        if let Some(&index) = self.index.get(name) {
            return Some(index);
        }
        if self.known.len() == MAX_NAMES {
            return None;
        }
        let index = self.known.len() as u32;
        self.known.push(name.to_owned());
        self.index.insert(name.to_owned(), index);
        Some(index)
    }

    /// The index of a name that has occurred.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.index.get(name).copied()
    }
}

/// Sets the truths of up to 64 rows, which were false.
#[inline]
pub(crate) fn set_truths(bits: &mut Bits, row: usize, word: u64) {
    let (at, shift) = (row / 64, row % 64);
    bits[at] |= word << shift;
    if let Some(next) = bits.get_mut(at + 1).filter(|_| shift > 0) {
        *next |= word >> (64 - shift);
    }
}

/// The 64 bits from one on; those after the last are false.
#[inline]
pub(crate) fn word_at(words: &[u64], bit: usize) -> u64 {
    let (at, shift) = (bit / 64, bit % 64);
    let [low, high] = [at, at + 1].map(|at| words.get(at).copied().unwrap_or(0));
    low >> shift | (high << 1) << (63 - shift)
}

/// The number with these digits, of which so many are decimal places.
pub(crate) fn decimal(digits: i64, scale: u8) -> RBig {
    RBig::from_parts(IBig::from(digits), UBig::from(10u8).pow(usize::from(scale)))
}
