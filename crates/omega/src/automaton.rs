//! Automata on infinite words. A step reads one letter, the truth of every atom; a guard says which letters it may be.

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

/// The diagrams in which the guards of an automaton live; variable `k` is its atom number `k`.
pub use logic::bdd::Manager as Guards;

/// Which letters a step may read: a function of the atoms.
pub use logic::bdd::Bdd as Guard;

/// A generalized Büchi automaton with marks on its edges: a run is accepted if it passes an edge of every mark infinitely often.
#[derive(Debug, Clone)]
pub struct General {
    /// Where the guards live.
    pub guards: Guards,
    /// The atoms, formulas of a store.
    pub atoms: Vec<Id>,
    /// Where runs start.
    pub initial: u32,
    /// The edges out of each state.
    pub edges: Vec<Vec<Edge>>,
    /// How many marks there are; at most 64.
    pub marks: u32,
}

/// An edge of a generalized automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Which letters it reads.
    pub guard: Guard,
    /// Where it leads.
    pub target: u32,
    /// The set of its marks, one bit each.
    pub marks: u64,
}

/// A Büchi automaton: a run is accepted if it is infinitely often in an accepting state. Read as an automaton on finite words,
/// a run is accepted if it ends in an accepting state.
#[derive(Debug, Clone)]
pub struct Buchi {
    /// Where the guards live.
    pub guards: Guards,
    /// The atoms, formulas of a store.
    pub atoms: Vec<Id>,
    /// Where runs start.
    pub initial: u32,
    /// The steps out of each state.
    pub steps: Vec<Vec<Step>>,
    /// Whether each state accepts.
    pub accepting: Vec<bool>,
}

/// A step of a Büchi automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// Which letters it reads.
    pub guard: Guard,
    /// Where it leads.
    pub target: u32,
}

impl Buchi {
    /// The number of states, and of edges: pairs of states with a step.
    pub fn size(&self) -> (usize, usize) {
        (self.steps.len(), self.steps.iter().map(Vec::len).sum())
    }
}
