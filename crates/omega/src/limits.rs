//! How much work is done before giving up, and which limit was reached.
//!
//! A limit reached is a value. No algorithm of this crate runs without one.

use base::Interned;
use std::fmt;
use std::hash::Hash;

/// How much work a question may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many states an automaton may have on the way.
    pub states: usize,
    /// How many nodes the decision diagrams may have.
    pub nodes: usize,
    /// How many elementary steps may be taken; an edge made is one.
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
    /// Variables of decision diagrams: atoms, and formulas promised to the next step.
    Variables,
    /// Promises to keep infinitely often; an edge has room for 64.
    Marks,
    /// Letters that guards tell apart.
    Letters,
    /// An atom looks at other steps than its own: a comparison with a temporal operator or `pre` inside.
    Atom,
    /// A bound of an operator of the past, each step of which is a bit of memory.
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
