//! Traces from CSV and JSON files: what is in the file, and as much of it as sentences or models use.

mod json;
mod parse;

pub(crate) use parse::reserved;

use crate::Error;
use crate::files::{is_standard, read_bytes};
use dashu_ratio::RBig;
use logic::{Sort, Trace, Value};
use requirement::LAST;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// A file of columns whose cells are known, but not yet whether a column of 0 and 1 holds numbers or Booleans:
/// how a sentence uses it decides that.
pub(crate) struct TraceFile {
    columns: FxHashMap<String, Column>,
    rows: usize,
}

enum Column {
    /// Only `true` and `false`, perhaps with 0 and 1.
    Truths(Vec<bool>),
    /// Only 0 and 1.
    Bits(Vec<bool>),
    Numbers(Vec<RBig>),
    Names(Vec<String>),
    /// It has a cell without a value, for this reason; that matters only if it is used.
    Unusable(String),
}

/// What is wrong with a trace, after the place if it has one.
#[derive(Debug)]
struct Malformed {
    place: Option<String>,
    reason: String,
}

impl Malformed {
    fn new(reason: impl Into<String>) -> Malformed {
        Malformed { place: None, reason: reason.into() }
    }

    fn at(place: String, reason: impl Into<String>) -> Malformed {
        Malformed { place: Some(place), reason: reason.into() }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.place.as_ref().map_or(Ok(()), |place| write!(f, "{place}: "))?;
        f.write_str(&self.reason)
    }
}

impl TraceFile {
    /// A number of steps without signals.
    pub(crate) fn of_steps(rows: usize) -> TraceFile {
        TraceFile { columns: FxHashMap::default(), rows }
    }

    pub(crate) fn read(path: &Path) -> Result<TraceFile, Error> {
        let bytes = read_bytes(path)?;
        let is_json = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
        let parsed = if is_json { json::parse(&bytes) } else { parse::parse(&bytes) };
        parsed.map_err(|error| match is_standard(path) {
            true => Error::input("standard input", error),
            false => Error::file(path, error),
        })
    }

    /// The signals and their sorts; `Any` for columns of 0 and 1.
    pub(crate) fn signals(&self) -> FxHashMap<String, Sort> {
        let sort = |column: &Column| match column {
            Column::Truths(_) => Sort::Bool,
            Column::Bits(_) | Column::Unusable(_) => Sort::Any,
            Column::Numbers(_) => Sort::Real,
            Column::Names(_) => Sort::Enum,
        };
        self.columns.iter().map(|(name, column)| (name.clone(), sort(column))).collect()
    }

    /// The names of the columns, in no order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }

    /// The cells of a column of an enumeration; `None` if it is not such a column.
    pub(crate) fn enumeration(&self, name: &str) -> Option<&[String]> {
        match self.columns.get(name)? {
            Column::Names(names) => Some(names),
            Column::Truths(_) | Column::Bits(_) | Column::Numbers(_) | Column::Unusable(_) => None,
        }
    }

    /// The number of steps, at least one.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The values of a column where it is used with this sort; `None` if there is no such column.
    pub(crate) fn column(&self, name: &str, sort: Sort) -> Result<Option<Vec<Value>>, Error> {
        self.form(name, sort).map(|form| self.values(name, form)).transpose()
    }

    fn empty(&self) -> Trace {
        Trace::new(self.rows, None).expect("a file without rows was refused")
    }

    /// How a column is read where it is used with this sort.
    fn form(&self, name: &str, sort: Sort) -> Option<Form> {
        Some(match self.columns.get(name)? {
            Column::Bits(_) if sort == Sort::Bool => Form::Truths,
            Column::Truths(_) | Column::Bits(_) | Column::Numbers(_) => Form::Written,
            Column::Names(_) | Column::Unusable(_) => Form::Written,
        })
    }

    fn values(&self, name: &str, form: Form) -> Result<Vec<Value>, Error> {
        if form == Form::End {
            return Ok((1..=self.rows).map(|row| Value::Bool(row == self.rows)).collect());
        }
        Ok(match &self.columns[name] {
            Column::Unusable(reason) => return Err(Error::input("the trace", reason)),
            Column::Bits(bits) if form == Form::Written => {
                bits.iter().map(|&bit| Value::Num(RBig::from(u8::from(bit)))).collect()
            }
            Column::Bits(bits) | Column::Truths(bits) => bits.iter().map(|&bit| Value::Bool(bit)).collect(),
            Column::Numbers(numbers) => numbers.iter().cloned().map(Value::Num).collect(),
            Column::Names(names) => names.iter().cloned().map(Value::Name).collect(),
        })
    }
}

/// How a column is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As it is written: 0 and 1 are numbers.
    Written,
    /// 0 and 1 are Booleans.
    Truths,
    /// It is not in the file: it marks the last step.
    End,
}

/// The columns that sentences have used so far. Each is converted once; only a sentence that reads a column in another
/// form makes the trace anew.
pub(crate) struct UsedColumns<'f> {
    file: &'f TraceFile,
    forms: FxHashMap<String, Form>,
    trace: Trace,
}

impl<'f> UsedColumns<'f> {
    pub(crate) fn of(file: &'f TraceFile) -> Self {
        UsedColumns { file, forms: FxHashMap::default(), trace: file.empty() }
    }

    /// A trace with the columns of these names, used with these sorts, and with [`LAST`] unless that is one of them.
    pub(crate) fn trace(&mut self, names: &BTreeMap<String, Sort>) -> Result<&Trace, Error> {
        let file = self.file;
        let mut wanted: Vec<(&str, Option<Form>)> =
            names.iter().map(|(name, &sort)| (name.as_str(), file.form(name, sort))).collect();
        if !names.contains_key(LAST) {
            wanted.push((LAST, Some(Form::End)));
        }
        let fits =
            |name: &str, form: Option<Form>| self.forms.get(name).is_none_or(|&known| Some(known) == form);
        if !wanted.iter().all(|&(name, form)| fits(name, form)) {
            *self = UsedColumns::of(file);
        }
        for (name, form) in wanted.into_iter().filter_map(|(name, form)| Some((name, form?))) {
            if !self.forms.contains_key(name) {
                let values = file.values(name, form)?;
                self.forms.insert(name.into(), form);
                let trace = std::mem::replace(&mut self.trace, file.empty());
                self.trace = trace.with(name, values).expect("a new column of the same length");
            }
        }
        Ok(&self.trace)
    }
}
