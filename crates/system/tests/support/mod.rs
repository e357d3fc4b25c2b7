//! What the tests share: random numbers that are the same in every run, and stepping a system along a tree of inputs.

#![allow(dead_code)]

use base::Random;
use logic::{Binary, Bound, Formula, Store, Unary};
use system::{Evaluator, Expr, System, Value};

/// A system prepared for stepping: `read` gives the value of one expression.
pub(crate) struct Stepper<'a> {
    pub(crate) system: &'a System,
    evaluator: Evaluator,
    read: Vec<Expr>,
}

impl<'a> Stepper<'a> {
    pub(crate) fn new(system: &'a System, read: &[Expr]) -> Stepper<'a> {
        let next = system.state.iter().map(|it| it.next);
        let evaluator = Evaluator::new(&system.pool, next.chain(read.iter().copied()));
        Stepper { system, evaluator, read: read.to_vec() }
    }

    pub(crate) fn start(&self) -> Vec<Value> {
        let init = |it: &system::State| {
            system::evaluate(&self.system.pool, it.init.expect("an init"), |_| Value::Undefined)
        };
        self.system.state.iter().map(init).collect()
    }

    /// What is read at this step, and the next state.
    pub(crate) fn step(&self, state: &[Value], inputs: &[Value]) -> (Vec<Value>, Vec<Value>) {
        let mut values = vec![Value::Undefined; self.system.variables.len()];
        for (it, value) in self.system.state.iter().zip(state) {
            values[it.var.index()] = value.clone();
        }
        for (it, value) in self.system.inputs.iter().zip(inputs) {
            values[it.index()] = value.clone();
        }
        let all = self.evaluator.values(&self.system.pool, |var| values[var.index()].clone());
        let read = self.read.iter().map(|it| self.evaluator.get(&all, *it).clone()).collect();
        let next = self.system.state.iter().map(|it| self.evaluator.get(&all, it.next).clone()).collect();
        (read, next)
    }
}

/// A formula of the past with small bounds over given atoms.
pub(crate) fn random_past(store: &mut Store, rng: &mut Random, atoms: &[Formula], depth: u32) -> Formula {
    if depth == 0 || rng.below(6) == 0 {
        return atoms[rng.below(atoms.len() as u64) as usize];
    }
    let lo = rng.below(4);
    let bound = match rng.below(4) {
        0 => Bound::ALL,
        1 => Bound::exactly(lo),
        2 => Bound::new(lo, None),
        _ => Bound::new(lo, lo + rng.below(4)),
    };
    let a = random_past(store, rng, atoms, depth - 1);
    match rng.below(10) {
        0 => store.not(a),
        1 | 2 => store.unary(Unary::Once, bound, a),
        3 | 4 => store.unary(Unary::Historically, bound, a),
        k => {
            let b = random_past(store, rng, atoms, depth - 1);
            match k {
                5 => store.and2(a, b),
                6 => store.implies(a, b),
                7 => store.xor(a, b),
                8 => store.binary(Binary::Since, bound, a, b),
                _ => store.binary(Binary::Triggered, bound, a, b),
            }
        }
    }
}
