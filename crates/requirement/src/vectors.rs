//! Test traces with expected verdicts for the 264 templates, so that any tool can replay them.
//!
//! After Giannakopoulou, Pressburger, Mavridou, Schumann: *Generation of Formal Requirements from Structured Natural Language*,
//! section 5: a [`Setting`] is a trace described by intervals and a duration; [`boundary()`] chooses settings by boundary values and
//! equivalence classes, [`random()`] at random; [`Templates::verdicts`] runs the oracle and verifies that all formulas agree.
//! Invariant: equal arguments produce equal settings, in the same order.

mod allen;
mod boundary;
mod random;
mod verdicts;

pub use allen::Relation;
pub use boundary::boundary;
pub use random::random;
pub use verdicts::{Dissent, Row, Templates};

use crate::meaning::oracle::Interval;
use crate::template::ATOMS;
use logic::{Trace, Value};
use std::fmt;

/// A finite trace of the four atoms, and the duration of the timed templates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The number of positions, at least one.
    pub length: usize,
    /// The duration n of `within`, `for` and `after`, in steps.
    pub steps: u64,
    /// Where mode, cond, stop and res hold, in the order of [`ATOMS`]: inclusive intervals, ascending and never adjacent.
    pub signals: [Vec<Interval>; 4],
}

impl Setting {
    /// The setting with these values of the four atoms.
    fn from_columns(steps: u64, columns: &[Vec<bool>; 4]) -> Setting {
        let length = columns[0].len();
        Setting { length, steps, signals: columns.each_ref().map(|column| runs(column)) }
    }

    /// Whether an atom, numbered as in [`ATOMS`], holds at a position.
    pub fn holds(&self, atom: usize, position: usize) -> bool {
        self.signals[atom].iter().any(|interval| interval.lo <= position && position <= interval.hi)
    }

    /// The trace: one column for each of [`ATOMS`].
    pub fn trace(&self) -> Trace {
        let empty = Trace::new(self.length, None).expect("a setting has at least one position");
        ATOMS.iter().enumerate().fold(empty, |trace, (atom, name)| {
            let column = (0..self.length).map(|position| Value::Bool(self.holds(atom, position))).collect();
            trace.with(name, column).expect("the atoms have different names")
        })
    }

    /// The intervals of an atom as text: `0-3;5-5`, empty if there are none.
    pub fn intervals(&self, atom: usize) -> String {
        let texts: Vec<String> =
            self.signals[atom].iter().map(|interval| format!("{}-{}", interval.lo, interval.hi)).collect();
        texts.join(";")
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "length {}, n {}", self.length, self.steps)?;
        for (atom, name) in ATOMS.iter().enumerate() {
            write!(f, ", {name} {{{}}}", self.intervals(atom))?;
        }
        Ok(())
    }
}

/// The maximal intervals in which a column is true.
fn runs(column: &[bool]) -> Vec<Interval> {
    let mut runs: Vec<Interval> = Vec::new();
    for (position, _) in column.iter().enumerate().filter(|&(_, &holds)| holds) {
        match runs.last_mut() {
            Some(run) if run.hi + 1 == position => run.hi = position,
            Some(_) | None => runs.push(Interval { lo: position, hi: position }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(columns: [&str; 4], expected: &str) {
        let columns = columns.map(|column| column.chars().map(|value| value == '1').collect::<Vec<bool>>());
        let setting = Setting::from_columns(2, &columns);
        assert_eq!(setting.to_string(), expected);
        let trace = setting.trace();
        for (atom, column) in columns.iter().enumerate() {
            for (position, &value) in column.iter().enumerate() {
                assert_eq!(setting.holds(atom, position), value);
                assert_eq!(*trace.value(atom, position), Value::Bool(value));
            }
        }
    }

    #[test]
    fn columns_become_intervals() {
        check(
            ["11101", "00000", "11111", "01010"],
            "length 5, n 2, mode {0-2;4-4}, cond {}, stop {0-4}, res {1-1;3-3}",
        );
        check(["1", "0", "0", "1"], "length 1, n 2, mode {0-0}, cond {}, stop {}, res {0-0}");
    }
}
