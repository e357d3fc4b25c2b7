//! Limits on the work before giving up, and which limit was reached.
//!
//! A limit reached is a value. Every algorithm of this crate has one.

use base::Interned;
use std::fmt;
use std::hash::Hash;

/// The limits on the work of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of states of an intermediate automaton.
    pub states: usize,
    /// The maximum number of nodes of the decision diagrams.
    pub nodes: usize,
    /// The maximum number of elementary steps; creating an edge is one.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 20_000, nodes: 1_000_000, steps: 5_000_000 }
    }
}

/// The limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// States of an automaton.
    States,
    /// Nodes of decision diagrams.
    Nodes,
    /// Steps.
    Steps,
    /// Variables of decision diagrams: atoms, and formulas that are obligations of the next step.
    Variables,
    /// Promises to keep infinitely often; an edge can have 64 marks.
    Marks,
    /// Letters that guards distinguish.
    Letters,
    /// An atom depends on other steps than its own: a comparison with a temporal operator or `pre` inside.
    Atom,
    /// The bound of a past-time operator, each step of which needs a bit of memory.
    Memory,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::States => "too many states",
            Limit::Nodes => "the decision diagrams are too large",
            Limit::Steps => "too many steps",
            Limit::Variables => "too many propositions and subformulas",
            Limit::Marks => "too many promises",
            Limit::Letters => "too many letters",
            Limit::Atom => "a comparison looks at other steps than its own",
            Limit::Memory => "too much of the past to remember",
        })
    }
}

impl std::error::Error for Limit {}

impl Limits {
    /// Counts `cost` steps.
    pub(crate) fn spend(&mut self, cost: usize) -> Result<(), Limit> {
        self.steps = self.steps.checked_sub(cost).ok_or(Limit::Steps)?;
        Ok(())
    }

    /// The number of a state, which is added if it is new.
    pub(crate) fn number<T: Hash + Eq>(&self, states: &mut Interned<T>, state: T) -> Result<u32, Limit> {
        let number = states.intern(state);
        if states.len() > self.states { Err(Limit::States) } else { Ok(number) }
    }
}
