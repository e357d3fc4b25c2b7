//! Limits as values: the allowed work, and which limit was reached.
//!
//! Work is counted in operations, never in seconds, so that the same input always produces the same picture.

use std::fmt;

/// The limits for one picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Elementary operations on automata and expressions.
    pub work: u64,
    /// The maximum number of steps of a picture before lanes are preferred.
    pub nodes: u64,
    /// The maximum size of an expression.
    pub size: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { work: 20_000_000, nodes: 150, size: 2_000_000 }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The formula cannot be translated into an automaton of a reasonable size, or not at all.
    Translation,
    /// The work limit was reached.
    Work,
    /// The expression became too large.
    Size,
    /// The expression is nested too deeply.
    Depth,
    /// Finite and infinite words are mixed, or something follows an infinite repetition.
    Sorts,
    /// There are too many states to compare languages.
    States,
    /// There are too many different letters to compare languages.
    Letters,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Translation => "the formula has no automaton of a reasonable size",
            Limit::Work => "it takes more work than is allowed",
            Limit::Size => "the expression gets too large",
            Limit::Depth => "the expression is nested too deeply",
            Limit::Sorts => "finite and infinite ways are mixed",
            Limit::States => "there are too many states to compare languages",
            Limit::Letters => "there are too many letters to compare languages",
        })
    }
}

impl std::error::Error for Limit {}

/// The remaining work.
#[derive(Debug, Clone, Copy)]
pub struct Fuel(u64);

impl Fuel {
    /// Fuel for `work` operations.
    pub fn new(work: u64) -> Fuel {
        Fuel(work)
    }

    /// The remaining operations.
    pub fn left(self) -> u64 {
        self.0
    }

    /// Consumes some work; fails if not enough is left.
    pub fn burn(&mut self, work: u64) -> Result<(), Limit> {
        match self.0.checked_sub(work) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => {
                self.0 = 0;
                Err(Limit::Work)
            }
        }
    }

    /// Splits off a part; [`give`](Fuel::give) returns what it leaves.
    pub fn part(&mut self, work: u64) -> Fuel {
        let part = work.min(self.0);
        self.0 -= part;
        Fuel(part)
    }

    /// Returns what a part has left.
    pub fn give(&mut self, part: Fuel) {
        self.0 += part.0;
    }
}
