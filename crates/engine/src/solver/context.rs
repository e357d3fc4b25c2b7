//! The interface of the engines to solvers: Boolean values of expressions at steps of an unrolled system, with assumptions, cores and
//! models.
//!
//! There are two implementations: a solver session (`process`) and the built-in solver on bits (`bits`). The state of a step is the
//! `next` of the step before, never a fresh variable, so only what a query depends on is encoded.

use crate::verdict::Why;
use std::ops::Not;
use system::Pool;
use system::{Expr, Node, System, Value, Var};

/// A literal: twice its number, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lit(pub(crate) u32);

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl Lit {
    pub(crate) fn number(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) fn negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The state at step 0 of an unrolling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// States with an `init` have it.
    Initial,
    /// Any state.
    Free,
}

pub(crate) trait Context {
    /// The literal that is equivalent to the expression at the step.
    fn literal(&mut self, system: &System, expr: Expr, step: u32) -> Result<Lit, Why>;

    /// Includes the value of a variable at a step in the model.
    fn touch(&mut self, system: &System, var: Var, step: u32) -> Result<(), Why>;

    /// A fresh literal, used as a switch.
    fn fresh(&mut self) -> Lit;

    /// Asserts a clause from now on.
    fn clause(&mut self, literals: &[Lit]) -> Result<(), Why>;

    /// The literal that is true exactly if the states of two steps are equal; unsupported where a code represents many values.
    fn same(&mut self, system: &System, a: u32, b: u32) -> Result<Lit, Why>;

    /// Whether everything asserted is satisfiable together with these assumptions.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Why>;

    /// After `solve` returned false: assumptions that cannot hold together.
    fn failed(&mut self) -> Result<Vec<Lit>, Why>;

    /// After `solve` returned true: which literals hold.
    fn truths(&mut self, literals: &[Lit]) -> Result<Vec<bool>, Why>;

    /// After `solve` returned true: the value of a variable at each step, undefined if it does not matter.
    fn values(&mut self, system: &System, wanted: &[(Var, u32)]) -> Result<Vec<Value>, Why>;

    /// Limits the time of each query from now on, if possible; 0 means no limit.
    fn limit(&mut self, milliseconds: u32);
}

/// A new context, or why there is none.
pub(crate) type Opened<'s> = Result<Box<dyn Context + 's>, Why>;

/// Makes contexts for one system.
pub(crate) trait Open: Sync {
    fn open<'s>(&'s self, system: &System, start: Start, stop: Stop<'s>) -> Opened<'s>;

    /// Whether contexts are on bits, so that all values of a state can be distinguished.
    fn on_bits(&self) -> bool {
        false
    }
}

/// Where the values of states come from.
pub(crate) struct Unrolling {
    start: Start,
    /// The `init` and `next` of each variable that is a state.
    states: Vec<Option<(Option<Expr>, Expr)>>,
}

impl Unrolling {
    pub(crate) fn new(system: &System, start: Start) -> Unrolling {
        let mut states = vec![None; system.variables.len()];
        for state in &system.state {
            states[state.var.index()] = Some((state.init, state.next));
        }
        Unrolling { start, states }
    }

    /// The expression and step that define a state's value; `None` if it is free.
    pub(crate) fn before(&self, var: Var, step: u32) -> Option<(Expr, u32)> {
        let (init, next) = (*self.states.get(var.index())?)?;
        match (step, self.start) {
            (0, Start::Initial) => init.map(|init| (init, 0)),
            (0, Start::Free) => None,
            (_, _) => Some((next, step - 1)),
        }
    }

    /// The operands of an expression at a step; for a state, what defines its value.
    pub(crate) fn needs(&self, pool: &Pool, expr: Expr, step: u32) -> Vec<(Expr, u32)> {
        match pool.node(expr) {
            Node::Var(var) => self.before(*var, step).into_iter().collect(),
            node => node.children().map(|child| (child, step)).collect(),
        }
    }
}

/// The expression of each variable that anything depends on.
pub(crate) fn variables(system: &System) -> Vec<Option<Expr>> {
    let mut found = vec![None; system.variables.len()];
    let next = system.state.iter().map(|it| it.next);
    let conditions = system.assumptions.iter().chain(&system.initial).copied();
    let roots = next.chain(conditions).chain(system.properties.iter().map(|it| it.value));
    for expr in system.pool.reachable(roots) {
        if let Node::Var(var) = system.pool.node(expr) {
            found[var.index()] = Some(expr);
        }
    }
    found
}

/// Returns true when it is time to give up.
pub(crate) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
