//! One property of one system, as every engine receives it, and the state that engines share.
//!
//! The system is sliced to its only property. Shared invariants are expressions of the system's pool, proved inductive.

use crate::evidence::replay::confirm;
use crate::solver::context::{Context, Open, Start, Stop};
use crate::verdict::{Certificate, Counterexample, Proof, Why};
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use system::{Expr, Pool, System, Value, Var};

/// A property to decide.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The whole system, for replay.
    pub(crate) whole: &'a System,
    /// The property's index in the whole system.
    pub(crate) property: usize,
    /// The sliced and simplified system.
    pub(crate) system: &'a System,
    /// The expressions of its states in the whole system, where they differ.
    pub(crate) back: &'a FxHashMap<Var, Expr>,
    pub(crate) open: &'a dyn Open,
    pub(crate) stop: Stop<'a>,
    pub(crate) shared: &'a Shared,
}

/// What engines share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// The number of initial steps in which the property is known to hold.
    depth: AtomicUsize,
    /// Whether a behaviour was found, so that the property is not vacuous.
    alive: AtomicBool,
    /// Invariants whose conjunction is inductive.
    invariants: Mutex<Vec<Expr>>,
}

/// What an engine found.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Valid(Certificate),
    Invalid(Counterexample),
}

impl Shared {
    pub(crate) fn depth(&self) -> usize {
        self.depth.load(Ordering::Relaxed)
    }

    pub(crate) fn deepen(&self, depth: usize) {
        self.depth.fetch_max(depth, Ordering::Relaxed);
    }

    pub(crate) fn alive(&self) -> bool {
        self.alive.load(Ordering::Relaxed)
    }

    pub(crate) fn revive(&self) {
        self.alive.store(true, Ordering::Relaxed);
    }

    /// The invariants from index `known` on.
    pub(crate) fn invariants(&self, known: usize) -> Vec<Expr> {
        let all = self.invariants.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        all.get(known..).unwrap_or_default().to_vec()
    }

    pub(crate) fn publish(&self, invariants: &[Expr]) {
        self.invariants.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(invariants);
    }
}

impl<'a> Task<'a> {
    pub(crate) fn good(&self) -> Expr {
        self.system.properties.first().map_or(Pool::TRUE, |it| it.value)
    }

    pub(crate) fn context(&self, start: Start) -> Result<Box<dyn Context + 'a>, Why> {
        self.open.open(self.system, start, self.stop)
    }

    /// Asserts the assumptions of a step, and at step 0 of an unrolling from the start also the initial constraints.
    pub(crate) fn assume(&self, context: &mut dyn Context, step: u32, start: Start) -> Result<(), Why> {
        let initial: &[Expr] = if step == 0 && start == Start::Initial { &self.system.initial } else { &[] };
        for condition in self.system.assumptions.iter().chain(initial) {
            let literal = context.literal(self.system, *condition, step)?;
            context.clause(&[literal])?;
        }
        Ok(())
    }

    /// The counterexample of a model of an unrolling from the start.
    pub(crate) fn counterexample(&self, context: &mut dyn Context, last: u32) -> Result<Counterexample, Why> {
        let system = self.system;
        let mut wanted: Vec<(Var, u32)> = Vec::new();
        for step in 0..=last {
            wanted.extend(system.inputs.iter().map(|var| (*var, step)));
        }
        wanted.extend(system.state.iter().filter(|it| it.init.is_none()).map(|it| (it.var, 0)));
        let values = context.values(system, &wanted)?;
        let known = |var: Var, step: u32| -> Option<Value> {
            let place = wanted.iter().position(|it| *it == (var, step))?;
            Some(values[place].clone()).filter(|it| *it != Value::Undefined)
        };
        confirm(self.whole, self.property, last as usize + 1, &known).ok_or(Why::NotReplayed)
    }

    pub(crate) fn certificate(&self, pool: &Pool, invariants: &[Expr], proof: Proof) -> Certificate {
        let mut pool = pool.clone();
        let invariants = pool.substitute(invariants, &|var| self.back.get(&var).copied());
        let invariant = pool.and(invariants);
        Certificate { pool, invariant, proof, recurrence: None }
    }
}
