//! What happens for ever: automata on infinite words (Büchi), made from temporal formulas, reduced, compared and exchanged.
//!
//! - [`automaton`]: the automata; guards are decision diagrams over the atoms of the formula

pub mod automaton;

pub use automaton::{Buchi, Edge, General, Guard, Guards, Step};
