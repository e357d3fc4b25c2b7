//! What every format of recorded traces offers: its signals, and its steps in blocks.

use crate::clock::Clock;
use crate::columns::Block;
use logic::Sort;
use std::fmt;
use std::io;

/// A recorded trace that is read from its start to its end.
pub trait Reader {
    /// The signals, in their order.
    fn signals(&self) -> &[Signal];

    /// The signal that is the time, if there is one.
    fn time(&self) -> Option<Time>;

    /// What the times of the samples are, if they are not those of the steps.
    fn samples(&self) -> Option<&Clock> {
        None
    }

    /// What the file has besides the signals, such as topics whose messages are not understood, and why it is not read.
    fn left_out(&self) -> &[String] {
        &[]
    }

    /// Makes values that are older than a limit missing, in billionths of the unit of time. Nothing is held in formats whose steps have
    /// values of their own.
    fn limit_age(&mut self, _most: i128) {}

    /// Selects the signals that the columns of blocks are read from; `None` for those that stay empty.
    fn select(&mut self, columns: &[Option<usize>]);

    /// Reads the next steps into a block, and returns how many there are; none at the end.
    ///
    /// # Errors
    /// The trace cannot be read further. The steps before that have been returned.
    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed>;

    /// The last place that is known, at the end of a block or before it, if reading can go on from there later.
    fn mark(&self, _block: &Block) -> Option<Mark> {
        None
    }

    /// Goes to a place, so that the next steps of the block are those after it.
    ///
    /// # Errors
    /// The trace cannot be read there.
    fn go_to(&mut self, _mark: Mark, _block: &mut Block) -> Result<(), Malformed> {
        Err(Malformed { line: None, reason: "the steps of this format have no places".into() })
    }
}

/// Why a value that is held is missing.
pub(crate) const TOO_OLD: &str = "the latest value is too old";

/// The number of steps in a block; why reading cannot go on only if there are none.
pub(crate) fn filled(block: &Block, broken: Option<&Malformed>) -> Result<usize, Malformed> {
    match broken {
        Some(error) if block.rows == 0 => Err(error.clone()),
        _ => Ok(block.rows),
    }
}

impl<R: Reader + ?Sized> Reader for Box<R> {
    fn signals(&self) -> &[Signal] {
        (**self).signals()
    }

    fn time(&self) -> Option<Time> {
        (**self).time()
    }

    fn samples(&self) -> Option<&Clock> {
        (**self).samples()
    }

    fn left_out(&self) -> &[String] {
        (**self).left_out()
    }

    fn limit_age(&mut self, most: i128) {
        (**self).limit_age(most);
    }

    fn select(&mut self, columns: &[Option<usize>]) {
        (**self).select(columns);
    }

    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        (**self).fill(block)
    }

    fn mark(&self, block: &Block) -> Option<Mark> {
        (**self).mark(block)
    }

    fn go_to(&mut self, mark: Mark, block: &mut Block) -> Result<(), Malformed> {
        (**self).go_to(mark, block)
    }
}

/// A signal of a recorded trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// Its unit, if the file says.
    pub unit: Option<String>,
    /// What the first steps have: Booleans, numbers or names; `Any` for 0 and 1 alone.
    pub sort: Sort,
}

/// The signal that is the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// Its number.
    pub column: usize,
    /// Whether it has dates and times of day (ISO 8601); otherwise it has numbers.
    pub is_date: bool,
    /// Its unit: that of the file, or seconds.
    pub unit: TimeUnit,
}

impl Time {
    /// Whether a column of numbers with such a name is the time, as `time`, `t` and `timestamp_ms` are.
    pub fn is_usual(name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let word = name.split(['[', '(', ' ', '_', '.', '/']).next().unwrap_or_default();
        ["time", "timestamp", "ts", "timestamps", "datetime", "times", "t", "tout"].contains(&word)
    }
}

/// The unit of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TimeUnit {
    Nanosecond,
    Microsecond,
    Millisecond,
    Second,
    Minute,
    Hour,
}

impl TimeUnit {
    /// The unit with a symbol or name, such as `ms`.
    pub fn parse(text: &str) -> Option<TimeUnit> {
        Some(match text.trim().to_ascii_lowercase().as_str() {
            "ns" | "nanoseconds" => TimeUnit::Nanosecond,
            "us" | "µs" | "μs" | "microseconds" => TimeUnit::Microsecond,
            "ms" | "msec" | "milliseconds" => TimeUnit::Millisecond,
            "s" | "sec" | "seconds" => TimeUnit::Second,
            "min" | "minutes" => TimeUnit::Minute,
            "h" | "hours" => TimeUnit::Hour,
            _ => return None,
        })
    }

    /// The unit that the name of a column ends with, as in `time [ms]`, `time (ms)` and `time_ms`.
    pub fn of_name(name: &str) -> Option<TimeUnit> {
        let end = name.trim_end_matches([']', ')']);
        TimeUnit::parse(end.rsplit(['[', '(', '_', ' ', '.', '/']).next().filter(|last| *last != name)?)
    }

    /// The unit in words, plural.
    pub fn words(self) -> &'static str {
        match self {
            TimeUnit::Nanosecond => "nanoseconds",
            TimeUnit::Microsecond => "microseconds",
            TimeUnit::Millisecond => "milliseconds",
            TimeUnit::Second => "seconds",
            TimeUnit::Minute => "minutes",
            TimeUnit::Hour => "hours",
        }
    }

    /// Nanoseconds of one unit.
    pub fn nanoseconds(self) -> u64 {
        match self {
            TimeUnit::Nanosecond => 1,
            TimeUnit::Microsecond => 1_000,
            TimeUnit::Millisecond => 1_000_000,
            TimeUnit::Second => 1_000_000_000,
            TimeUnit::Minute => 60_000_000_000,
            TimeUnit::Hour => 3_600_000_000_000,
        }
    }
}

/// Why a trace cannot be read, or not further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1, if the reason is in one.
    pub line: Option<u64>,
    /// What is wrong.
    pub reason: String,
}

/// Something that is wrong with the file as a whole.
pub(crate) fn wrong(reason: impl Into<String>) -> Malformed {
    Malformed { line: None, reason: reason.into() }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line.map_or(Ok(()), |line| write!(f, "line {line}: "))?;
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Malformed {}

impl From<io::Error> for Malformed {
    fn from(error: io::Error) -> Malformed {
        Malformed { line: None, reason: format!("cannot be read: {error}") }
    }
}

/// A place in a file from which reading can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The step of the next row.
    pub step: u64,
    pub(crate) offset: u64,
    pub(crate) lines: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_with_units() {
        for (name, expected) in [
            ("time [ms]", Some("milliseconds")),
            ("t(us)", Some("microseconds")),
            ("timestamp_ns", Some("nanoseconds")),
            ("Time s", Some("seconds")),
            ("time", None),
            ("s", None),
            ("times", None),
        ] {
            assert_eq!(TimeUnit::of_name(name).map(TimeUnit::words), expected, "{name}");
        }
    }
}
