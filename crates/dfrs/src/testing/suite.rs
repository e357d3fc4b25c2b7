//! Test suites: few short runs of a system that meet every obligation and tell it from every mutant, where that can be done at all.
//!
//! An [`Obligation`] is met by a run or proved to be out of reach; a [`Mutant`] is killed by a run, or proved equivalent by
//! a search of all that the system and its mutant can do side by side. A budget that is used up leaves `Unknown`, never a guess.
//! Tests are runs that can go only one way: what a system does where it is not deterministic is not tested.
//! Every case has passed [`crate::replay`].

mod candidates;
mod drive;
pub mod mutants;
pub mod obligations;
mod pairs;
mod paths;
mod product;
mod search;
pub mod table;
mod tour;

pub use mutants::{Mutant, Operator};
pub use obligations::Obligation;
pub use search::generate;
pub use table::csv;

use crate::explore::{Budget, Environment, Stop};
use crate::reading::Reading;
use crate::scenario::Instant;

/// What to test. Time is discrete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How the system is read.
    pub reading: Reading,
    /// What the environment does.
    pub environment: Environment,
    /// How far to search the system.
    pub budget: Budget,
    /// How far to search the system beside each mutant.
    pub mutant_budget: Budget,
    /// Whether requirements are tested in pairs, one after the other.
    pub pairs: bool,
    /// Whether mutants are killed.
    pub mutants: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            reading: Reading::default(),
            environment: Environment::default(),
            budget: Budget::default(),
            mutant_budget: Budget { nodes: 20_000, steps: 1_000_000, reactions: 2_000 },
            pairs: true,
            mutants: true,
        }
    }
}

/// Test cases, and what they are good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    /// The cases.
    pub cases: Vec<Case>,
    /// What was to be shown, and whether it is.
    pub obligations: Vec<(Obligation, Status)>,
    /// The mutants, and what became of them.
    pub mutants: Vec<(Mutant, Fate)>,
    /// Why the system was not searched to the end; `None` if it was.
    pub stopped: Option<Stop>,
    /// In how many situations the system may go more than one way, or forever.
    pub ambiguous: usize,
}

/// A run of the system from its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The start, then a row for each later time.
    pub rows: Vec<Instant>,
}

/// What became of an obligation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// This case meets it.
    Covered(usize),
    /// No run does.
    Unreachable,
    /// Only runs do that could go another way.
    Ambiguous,
    /// The search ended before.
    Unknown,
}

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// This case fails on it.
    Killed(usize),
    /// In every run of the system that can go only one way, the mutant has the same outputs at every time and no choice either. It may
    /// still allow longer delays: no run of the system shows that.
    Equivalent,
    /// The search ended before.
    Unknown,
}

/// How many obligations of a kind there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Met by a case.
    pub covered: usize,
    /// Proved out of reach.
    pub unreachable: usize,
    /// Only met where the system is not deterministic.
    pub ambiguous: usize,
    /// Not decided.
    pub unknown: usize,
}

/// How many mutants there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Killed by a case.
    pub killed: usize,
    /// Proved equivalent.
    pub equivalent: usize,
    /// Not decided.
    pub unknown: usize,
}

impl Suite {
    /// The number of rows of all cases.
    pub fn vectors(&self) -> usize {
        self.cases.iter().map(|case| case.rows.len()).sum()
    }

    /// The obligations of a kind.
    pub fn tally(&self, kind: fn(&Obligation) -> bool) -> Tally {
        let mut tally = Tally::default();
        for (_, status) in self.obligations.iter().filter(|(obligation, _)| kind(obligation)) {
            match status {
                Status::Covered(_) => tally.covered += 1,
                Status::Unreachable => tally.unreachable += 1,
                Status::Ambiguous => tally.ambiguous += 1,
                Status::Unknown => tally.unknown += 1,
            }
        }
        tally
    }

    /// The mutants.
    pub fn score(&self) -> Score {
        let mut score = Score::default();
        for (_, fate) in &self.mutants {
            match fate {
                Fate::Killed(_) => score.killed += 1,
                Fate::Equivalent => score.equivalent += 1,
                Fate::Unknown => score.unknown += 1,
            }
        }
        score
    }
}
