//! Formulas as machines whose sets of states are decision diagrams: which traces, of any length, distinguish a formula from an
//! automaton or make it true?
//!
//! A past-time formula becomes a machine that reads a trace forwards: one bit for each unbounded operator, a shift register for each
//! bounded one, and an output that is the formula's value at the last position read. A future-time formula is the mirror image: its
//! machine reads backwards. The search goes backwards from the goal, so that each answer comes with a shortest trace.

mod lasso;
mod machine;
mod memory;
#[cfg(any(test, feature = "testing"))]
mod proof;

pub use lasso::Lasso;
#[cfg(any(test, feature = "testing"))]
pub use proof::{difference, endless_difference};

use crate::store::{Formula, Id, Store};
use lasso::Around;
use machine::{Companion, Edge, Machine};
use std::fmt;

/// A step of a trace: the value of each atom of the alphabet.
pub type Letter = Vec<bool>;

/// The maximum number of bits of memory for a formula.
const MAX_BITS: usize = 4_096;

/// The maximum number of decision diagram nodes for one query.
const MAX_NODES: usize = 1 << 23;

/// Why a query has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecided {
    /// The formula refers to the future but is evaluated at the end, or to the past but is evaluated at the start.
    WrongDirection,
    /// The diagrams exceeded the limit.
    TooLarge,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Undecided::WrongDirection => write!(f, "the formula refers both to the past and to the future"),
            Undecided::TooLarge => {
                write!(f, "the limit of {MAX_NODES} nodes of decision diagrams is reached")
            }
        }
    }
}

/// Where a formula is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// At the last position; it may refer to the past.
    AtEnd,
    /// At the first position; it may refer to the future. The trace is finite.
    AtStart,
    /// At the first position. This atom is true at the last position and false before; what comes after that is arbitrary.
    AtStartOf(Id),
}

/// A shortest finite trace over these letters that makes a formula true, or `None` if there is none of any length. Each letter
/// contains the value of every atom.
pub fn shortest_model(
    store: &mut Store,
    formula: Formula,
    atoms: &[Id],
    letters: &[Letter],
    asked: Asked,
) -> Result<Option<Vec<Letter>>, Undecided> {
    Machine::new(store, formula, atoms, letters, asked)?.search(&idle(letters), &|_, output, _| output)
}

/// A lasso over these letters on which a future-time formula holds, or `None` if no infinite trace makes it true.
pub fn lasso(
    store: &mut Store,
    formula: Formula,
    atoms: &[Id],
    letters: &[Letter],
) -> Result<Option<Lasso>, Undecided> {
    lasso::search(store, formula, atoms, letters, &idle(letters), &Around::default())
}

/// A companion that does nothing.
fn idle(letters: &[Letter]) -> Companion {
    let edges = (0..letters.len()).map(|letter| Edge { source: 0, letter, target: 0 }).collect();
    Companion { states: 1, edges, starts: vec![0] }
}

#[cfg(test)]
mod tests;
