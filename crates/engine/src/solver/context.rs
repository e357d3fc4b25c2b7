//! What the engines ask: truth of expressions at steps of an unrolled system, with assumptions, cores and values.
//!
//! Two things answer: a solver session (`process`) and the built-in solver on bits (`bits`). The state of a step is the
//! `next` of the step before, never a fresh variable, so that what is not asked about is not there. Engines are written once.

use crate::verdict::Why;
use std::ops::Not;
use system::Pool;
use system::{Expr, Node, System, Value, Var};

/// A literal: twice a number, and one if negated.
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

/// What step 0 of an unrolling is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// A state with an `init` has it.
    Initial,
    /// Any state.
    Free,
}

pub(crate) trait Context {
    /// The literal that is true exactly if the expression holds at the step.
    fn literal(&mut self, system: &System, expr: Expr, step: u32) -> Result<Lit, Why>;

    /// Makes the value of a variable at a step known to the model.
    fn touch(&mut self, system: &System, var: Var, step: u32) -> Result<(), Why>;

    /// A literal for use as a switch.
    fn fresh(&mut self) -> Lit;

    /// From now on one of these holds.
    fn clause(&mut self, literals: &[Lit]) -> Result<(), Why>;

    /// The literal that is true exactly if the states of two steps are equal; unsupported where a code represents many values.
    fn same(&mut self, system: &System, a: u32, b: u32) -> Result<Lit, Why>;

    /// Whether everything can hold together with these.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Why>;

    /// After `solve` gave false: some of its assumptions that cannot hold together.
    fn failed(&mut self) -> Result<Vec<Lit>, Why>;

    /// After `solve` gave true: which literals hold.
    fn truths(&mut self, literals: &[Lit]) -> Result<Vec<bool>, Why>;

    /// After `solve` gave true: the value of a variable at each step, undefined if it does not matter.
    fn values(&mut self, system: &System, wanted: &[(Var, u32)]) -> Result<Vec<Value>, Why>;

    /// Limits each question from now on, if possible; 0 means no limit.
    fn limit(&mut self, milliseconds: u32);
}

/// A new context, or why there is none.
pub(crate) type Opened<'s> = Result<Box<dyn Context + 's>, Why>;

/// Makes contexts for one system.
pub(crate) trait Open: Sync {
    fn open<'s>(&'s self, system: &System, start: Start, stop: Stop<'s>) -> Opened<'s>;

    /// Whether contexts are on bits, so that every value of a state can be told apart.
    fn on_bits(&self) -> bool {
        false
    }
}

/// Where the values of states come from.
pub(crate) struct Unrolling {
    start: Start,
    /// For each variable its init and next, if it is a state.
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

    /// The expression and step that a state's value is, unless it can be anything.
    pub(crate) fn before(&self, var: Var, step: u32) -> Option<(Expr, u32)> {
        let (init, next) = (*self.states.get(var.index())?)?;
        match (step, self.start) {
            (0, Start::Initial) => init.map(|init| (init, 0)),
            (0, Start::Free) => None,
            (_, _) => Some((next, step - 1)),
        }
    }

    /// What an expression at a step is computed from: its operands, or what a state's value is.
    pub(crate) fn needs(&self, pool: &Pool, expr: Expr, step: u32) -> Vec<(Expr, u32)> {
        match pool.node(expr) {
            Node::Var(var) => self.before(*var, step).into_iter().collect(),
            node => node.children().map(|child| (child, step)).collect(),
        }
    }
}

/// For each variable its expression, if anything depends on it.
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

/// Says when to give up.
pub(crate) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
