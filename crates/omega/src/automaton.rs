//! Automata on infinite words. A step reads one letter, the values of all atoms; a guard defines which letters it may read.

pub mod cubes;
pub(crate) mod degeneralize;
pub(crate) mod determinize;
pub(crate) mod graph;
pub(crate) mod parity;
pub(crate) mod product;
pub(crate) mod scc;
pub(crate) mod simulate;
pub(crate) mod weak;

use logic::Id;

/// The decision diagrams of an automaton's guards; variable `k` is atom `k`.
pub use logic::bdd::Manager as Guards;

/// The letters that a step may read, as a function of the atoms.
pub use logic::bdd::Bdd as Guard;

/// A generalized Büchi automaton with marks on its edges: a run is accepting if it takes an edge of every mark infinitely often.
#[derive(Debug, Clone)]
pub struct General {
    /// The diagrams of the guards.
    pub guards: Guards,
    /// The atoms, formulas of a store.
    pub atoms: Vec<Id>,
    /// The initial state.
    pub initial: u32,
    /// The edges out of each state.
    pub edges: Vec<Vec<Edge>>,
    /// The number of marks, at most 64.
    pub marks: u32,
}

/// An edge of a generalized automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The letters it reads.
    pub guard: Guard,
    /// The target state.
    pub target: u32,
    /// The set of its marks, one bit each.
    pub marks: u64,
}

/// A Büchi automaton: a run is accepting if it visits an accepting state infinitely often. As an automaton on finite words, a run is
/// accepting if it ends in an accepting state.
#[derive(Debug, Clone)]
pub struct Buchi {
    /// The diagrams of the guards.
    pub guards: Guards,
    /// The atoms, formulas of a store.
    pub atoms: Vec<Id>,
    /// The initial state.
    pub initial: u32,
    /// The steps out of each state.
    pub steps: Vec<Vec<Step>>,
    /// Whether each state accepts.
    pub accepting: Vec<bool>,
}

/// A step of a Büchi automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// The letters it reads.
    pub guard: Guard,
    /// The target state.
    pub target: u32,
}

impl Buchi {
    /// The number of states, and of edges: pairs of states with a step.
    pub fn size(&self) -> (usize, usize) {
        (self.steps.len(), self.steps.iter().map(Vec::len).sum())
    }
}
