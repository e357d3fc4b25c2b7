//! Traces: observed values, one column per name.
//!
//! A trace is finite, or a lasso: from `loop_start` on it repeats forever. Invariant: there is at least one
//! position, every column has a value at every position, and names are unique.

use crate::eval::Shape;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::fmt;

/// The value of a variable or a term at a position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// An exact number.
    Num(RBig),
    /// A literal of an enumeration.
    Name(String),
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Num(RBig::from(number))
    }
}

impl From<&str> for Value {
    fn from(name: &str) -> Value {
        Value::Name(name.to_owned())
    }
}

/// A finite trace or a lasso.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    names: Vec<String>,
    columns: Vec<Vec<Value>>,
    index: FxHashMap<String, usize>,
    shape: Shape,
}

/// Why a trace is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceError {
    /// There are no positions.
    Empty,
    /// The loop starts after the last position.
    LoopOutside {
        /// The given start of the loop.
        loop_start: usize,
        /// The number of positions.
        len: usize,
    },
    /// A column is shorter or longer than the trace.
    Length {
        /// The column.
        name: String,
        /// The number of positions of the trace.
        expected: usize,
        /// The number of values of the column.
        found: usize,
    },
    /// Two columns have the same name.
    Duplicate {
        /// The name.
        name: String,
    },
}

impl Trace {
    /// A trace of `len` positions without columns; a lasso if there is a `loop_start`.
    pub fn new(len: usize, loop_start: Option<usize>) -> Result<Trace, TraceError> {
        if len == 0 {
            return Err(TraceError::Empty);
        }
        if let Some(loop_start) = loop_start.filter(|&start| start >= len) {
            return Err(TraceError::LoopOutside { loop_start, len });
        }
        let shape = Shape { len, loop_start };
        Ok(Trace { names: Vec::new(), columns: Vec::new(), index: FxHashMap::default(), shape })
    }

    /// A finite trace with these named columns.
    ///
    /// ```
    /// let trace = shall_logic::Trace::of([("open", [true, false]), ("locked", [false, true])])?;
    /// assert_eq!(trace.len(), 2);
    /// # Ok::<(), shall_logic::TraceError>(())
    /// ```
    pub fn of<'n, C>(columns: impl IntoIterator<Item = (&'n str, C)>) -> Result<Trace, TraceError>
    where
        C: IntoIterator<Item: Into<Value>>,
    {
        let columns: Vec<(&str, Vec<Value>)> = columns
            .into_iter()
            .map(|(name, values)| (name, values.into_iter().map(Into::into).collect()))
            .collect();
        let len = columns.first().map_or(0, |(_, values)| values.len());
        columns.into_iter().try_fold(Trace::new(len, None)?, |trace, (name, values)| trace.with(name, values))
    }

    /// The trace with one more column.
    pub fn with(mut self, name: &str, values: Vec<Value>) -> Result<Trace, TraceError> {
        if values.len() != self.len() {
            return Err(TraceError::Length {
                name: name.to_owned(),
                expected: self.len(),
                found: values.len(),
            });
        }
        if self.index.insert(name.to_owned(), self.names.len()).is_some() {
            return Err(TraceError::Duplicate { name: name.to_owned() });
        }
        self.names.push(name.to_owned());
        self.columns.push(values);
        Ok(self)
    }

    /// The trace as a lasso that returns to a position; as a finite trace if that is `None`.
    pub fn returning(mut self, loop_start: Option<usize>) -> Result<Trace, TraceError> {
        self.shape = Trace::new(self.len(), loop_start)?.shape;
        Ok(self)
    }

    /// The trace restricted to some of its columns.
    #[must_use]
    pub fn only(&self, keep: impl Fn(&str) -> bool) -> Trace {
        let mut kept =
            Trace { names: Vec::new(), columns: Vec::new(), index: FxHashMap::default(), shape: self.shape };
        for (name, column) in self.names.iter().zip(&self.columns).filter(|(name, _)| keep(name)) {
            kept.index.insert(name.clone(), kept.names.len());
            kept.names.push(name.clone());
            kept.columns.push(column.clone());
        }
        kept
    }

    /// The names of the columns, in insertion order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of positions, at least one.
    pub fn len(&self) -> usize {
        self.shape.len
    }

    /// Always false: a trace has at least one position.
    pub fn is_empty(&self) -> bool {
        self.shape.len == 0
    }

    /// The position that a lasso returns to; `None` for a finite trace.
    pub fn loop_start(&self) -> Option<usize> {
        self.shape.loop_start
    }

    /// The positions without the values.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The column with a name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The values of a column.
    pub fn values(&self, column: usize) -> &[Value] {
        &self.columns[column]
    }

    /// The value of a column at a position.
    pub fn value(&self, column: usize, position: usize) -> &Value {
        &self.columns[column][position]
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::Empty => write!(f, "a trace needs at least one position"),
            TraceError::LoopOutside { loop_start, len } => {
                write!(f, "the loop starts at position {loop_start}, but there are only {len} positions")
            }
            TraceError::Length { name, expected, found } => {
                write!(f, "`{name}` has {found} values, but the trace has {expected} positions")
            }
            TraceError::Duplicate { name } => write!(f, "there are two columns `{name}`"),
        }
    }
}

impl std::error::Error for TraceError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(len: usize, loop_start: Option<usize>, columns: &[(&str, usize)], expected: &str) {
        let mut trace = Trace::new(len, loop_start);
        for &(name, values) in columns {
            trace = trace.and_then(|trace| trace.with(name, vec![Value::Bool(true); values]));
        }
        let shown = match trace {
            Ok(trace) => trace.names().join(" "),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn only_traces_are_traces() {
        check(2, None, &[("b", 2), ("a", 2)], "b a");
        check(2, Some(1), &[("a", 2)], "a");
        check(0, None, &[], "a trace needs at least one position");
        check(2, Some(2), &[], "the loop starts at position 2, but there are only 2 positions");
        check(2, None, &[("a", 3)], "`a` has 3 values, but the trace has 2 positions");
        check(1, None, &[("a", 1), ("a", 1)], "there are two columns `a`");
    }

    #[test]
    fn values_are_found_by_column_and_position() {
        let numbers = [1, 2].map(|n| Value::Num(RBig::from(n))).to_vec();
        let trace = Trace::new(2, None).and_then(|trace| trace.with("x", numbers)).expect("a trace");
        let column = trace.column("x").expect("a column");
        assert_eq!(trace.value(column, 1), &Value::Num(RBig::from(2)));
        assert_eq!(trace.column("y"), None);
    }
}
