//! Formulas as machines whose states are sets in a decision diagram: which traces, of any length, tell a formula from an
//! automaton or make it true?
//!
//! A formula of the past becomes a machine that reads a trace forwards: one bit for each unbounded operator, a row of
//! bits for each bounded one, and an output that is the formula's truth at the last position read. A formula of the
//! future is the mirror image: its machine reads backwards. Questions are answered backwards from their goal, so that
//! each answer comes with a shortest trace.

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

/// A step of a trace: whether each atom of the alphabet holds.
pub type Letter = Vec<bool>;

/// Formulas that would need more bits of memory than this are not decided.
const MAX_BITS: usize = 4_096;

/// The most nodes of decision diagrams for one question.
const MAX_NODES: usize = 1 << 23;

/// Why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecided {
    /// The formula refers to the future but is evaluated at the end, or to the past but is evaluated at the start.
    WrongDirection,
    /// The diagrams grew beyond the limit.
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
    /// At the last position; it may speak of the past.
    AtEnd,
    /// At the first position; it may speak of the future. The trace just ends.
    AtStart,
    /// At the first position. This atom is true at the last position and false before; what comes after it may be
    /// anything.
    AtStartOf(Id),
}

/// A shortest finite trace over these letters that makes a formula true, or `None` if there is none of any length.
/// Each letter gives the truth of every atom.
pub fn shortest_model(
    store: &mut Store,
    formula: Formula,
    atoms: &[Id],
    letters: &[Letter],
    asked: Asked,
) -> Result<Option<Vec<Letter>>, Undecided> {
    Machine::new(store, formula, atoms, letters, asked)?.search(&idle(letters), &|_, output, _| output)
}

/// A lasso over these letters on which a formula of the future holds, or `None` if no infinite trace makes it true.
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
