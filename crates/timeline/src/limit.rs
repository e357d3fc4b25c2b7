//! Limits as values: how much work may be done, and what happened when it was not enough.
//!
//! Work is counted in operations, never in seconds, so that the same input always gives the same picture.

use std::fmt;

/// How much may be done for one picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Elementary operations on automata and expressions.
    pub work: u64,
    /// How many steps a picture may have before lanes are preferred to it.
    pub nodes: u64,
    /// How large an expression may get.
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
    /// The work that was allowed is done.
    Work,
    /// The expression became too large.
    Size,
    /// The expression is nested too deeply.
    Depth,
    /// Finite and infinite ways are mixed, or something comes after what goes on forever.
    Sorts,
    /// There are too many states for a comparison of languages.
    States,
    /// There are too many different letters for a comparison of languages.
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

/// Work that is left to be done.
#[derive(Debug, Clone, Copy)]
pub struct Fuel(u64);

impl Fuel {
    /// So many operations.
    pub fn new(work: u64) -> Fuel {
        Fuel(work)
    }

    /// What is left.
    pub fn left(self) -> u64 {
        self.0
    }

    /// Takes some away; an error if there is not so much.
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

    /// A part that may be used alone; what it leaves is given back with [`give`](Fuel::give).
    pub fn part(&mut self, work: u64) -> Fuel {
        let part = work.min(self.0);
        self.0 -= part;
        Fuel(part)
    }

    /// Takes back what a part has left.
    pub fn give(&mut self, part: Fuel) {
        self.0 += part.0;
    }
}
