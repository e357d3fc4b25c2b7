//! Verdicts about games and why one is missing.

use std::fmt;

/// Why a game is not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// The diagrams have this number of nodes, which is the limit.
    Nodes(usize),
    /// There are this number of comparisons of numbers, which is the limit.
    Atoms(usize),
    /// Integers with coefficients other than 1 and -1 have to be eliminated.
    Integers,
    /// The game is not lost within this number of steps, and not shown to be won.
    Steps(usize),
    /// Comparisons that are not linear decide: the game is won if the system may choose them and lost if the environment may.
    Nonlinear,
    /// Assumptions are about outputs, so that a system may break them.
    AssumedOutputs,
    /// A function has a value but none was found.
    NoValue,
    /// There are this number of guarantees, which is too many for one game with selectors.
    Guarantees(usize),
    /// This number of conflicts was found, which is the limit.
    Conflicts(usize),
    /// More than one conflict was not looked for.
    OneConflict,
    /// The certificate was rejected.
    Rejected,
    /// The timeout was reached.
    Time,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Nodes(count) => write!(f, "the decision diagrams have over {count} nodes"),
            Gap::Atoms(count) => write!(f, "there are over {count} different comparisons of numbers"),
            Gap::Integers => {
                write!(f, "integers with coefficients other than 1 and -1 cannot be eliminated")
            }
            Gap::Steps(count) => write!(f, "not lost within {count} steps, and not shown to be won"),
            Gap::Nonlinear => write!(f, "comparisons that are not linear decide"),
            Gap::AssumedOutputs => write!(f, "assumptions are about outputs"),
            Gap::NoValue => write!(f, "no value was found for a number; please report this"),
            Gap::Guarantees(count) => write!(f, "{count} requirements are too many for one search"),
            Gap::Conflicts(count) => write!(f, "over {count} conflicts"),
            Gap::OneConflict => write!(f, "only one was looked for"),
            Gap::Rejected => write!(f, "a proof failed its check; please report this"),
            Gap::Time => write!(f, "timeout"),
        }
    }
}

impl std::error::Error for Gap {}
