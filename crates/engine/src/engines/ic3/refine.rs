//! What a path of cubes turns into: a trace of the system, or predicates that separate states the cubes do not.
//!
//! The path is followed from the start as far as the system can. The predicates of the cube that it cannot reach are taken one step
//! backwards, under the inputs of the trace; if that adds nothing new, the numbers in the trace become predicates.

use super::Cube;
use crate::engines::predicates::atoms;
use crate::engines::task::{Found, Task};
use crate::solver::context::{Context, Lit, Start};
use crate::verdict::Why;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use system::{Expr, Pool, System, Type, Value, Var};

pub(crate) struct Refinement<'a> {
    task: Task<'a>,
    context: Box<dyn Context + 'a>,
    /// The number of steps whose assumptions are asserted.
    steps: u32,
}

impl<'a> Refinement<'a> {
    pub(crate) fn new(task: Task<'a>) -> Result<Refinement<'a>, Why> {
        Ok(Refinement { task, context: task.context(Start::Initial)?, steps: 0 })
    }

    fn reach(&mut self, last: u32) -> Result<(), Why> {
        while self.steps <= last {
            self.task.assume(&mut *self.context, self.steps, Start::Initial)?;
            self.steps += 1;
        }
        Ok(())
    }

    /// A violation at the given step, if there is one.
    pub(crate) fn violation(&mut self, last: usize) -> Result<Option<Found>, Why> {
        let step = u32::try_from(last).unwrap_or(u32::MAX);
        self.reach(step)?;
        let good = self.context.literal(self.task.system, self.task.good(), step)?;
        if !self.context.solve(&[!good])? {
            return Ok(None);
        }
        Ok(Some(Found::Invalid(self.task.counterexample(&mut *self.context, step)?)))
    }

    /// Predicates that may rule a path out.
    pub(crate) fn predicates(
        &mut self,
        system: &mut System,
        old: &[Expr],
        path: &[Cube],
    ) -> Result<Vec<Expr>, Why> {
        let mut assumptions: Vec<Lit> = Vec::new();
        let mut failing = path.len();
        let mut core: Vec<Expr> = Vec::new();
        for (step, cube) in path.iter().enumerate() {
            self.reach(step as u32)?;
            let mut literals = Vec::new();
            for (it, truth) in cube {
                let literal = self.context.literal(system, old[*it], step as u32)?;
                literals.push(if *truth { literal } else { !literal });
            }
            let all: Vec<Lit> = assumptions.iter().chain(&literals).copied().collect();
            if !self.context.solve(&all)? {
                let failed: FxHashSet<Lit> = self.context.failed()?.into_iter().collect();
                failing = step;
                core = cube
                    .iter()
                    .zip(&literals)
                    .filter(|it| failed.contains(it.1))
                    .map(|it| old[it.0.0])
                    .collect();
                break;
            }
            assumptions = all;
        }
        // The trace that follows the path as far as the system can.
        let last = failing.saturating_sub(1) as u32;
        let mut found = Vec::new();
        if self.context.solve(&assumptions)? {
            let wanted: Vec<(Var, u32)> = system
                .inputs
                .iter()
                .copied()
                .chain(system.state.iter().map(|it| it.var))
                .map(|var| (var, last))
                .collect();
            let values = self.context.values(self.task.system, &wanted)?;
            let values: FxHashMap<Var, Value> = wanted.iter().map(|it| it.0).zip(values).collect();
            found.extend(self.backwards(system, &core, &values));
            let there: FxHashSet<Expr> = old.iter().copied().collect();
            if found.iter().all(|it| there.contains(it)) {
                found.extend(bounds(system, &values));
            }
        }
        Ok(found)
    }

    /// The conditions one step earlier, under the inputs of the trace and under no inputs.
    fn backwards(
        &self,
        system: &mut System,
        conditions: &[Expr],
        values: &FxHashMap<Var, Value>,
    ) -> Vec<Expr> {
        let next: FxHashMap<Var, Expr> = system.state.iter().map(|it| (it.var, it.next)).collect();
        let before = system.pool.substitute(conditions, &|var| next.get(&var).copied());
        let mut inputs: FxHashMap<Var, Expr> = FxHashMap::default();
        for var in system.inputs.clone() {
            let ty = system.variables[var.index()].ty;
            if let Some(value) = values.get(&var).and_then(|it| constant(&mut system.pool, ty, it)) {
                inputs.insert(var, value);
            }
        }
        let mut all = system.pool.substitute(&before, &|var| inputs.get(&var).copied());
        all.extend(before);
        atoms(system, &all)
    }
}

/// The numbers in a trace as bounds.
fn bounds(system: &mut System, values: &FxHashMap<Var, Value>) -> Vec<Expr> {
    let mut found = Vec::new();
    for state in system.state.clone() {
        let ty = system.variables[state.var.index()].ty;
        let now = system.expr(state.var);
        if !ty.is_number() {
            continue;
        }
        if let Some(value) = values.get(&state.var).and_then(|it| constant(&mut system.pool, ty, it)) {
            found.extend([system.pool.le(now, value), system.pool.le(value, now)]);
        }
    }
    found
}

fn constant(pool: &mut Pool, ty: Type, value: &Value) -> Option<Expr> {
    match (ty, value) {
        (Type::Bool, Value::Bool(it)) => Some(pool.bool(*it)),
        (Type::Int, Value::Int(it)) => Some(pool.int(it.clone())),
        (Type::Machine(width), Value::Machine(it)) => Some(pool.machine(width, *it)),
        (Type::Real, Value::Real(it)) => Some(pool.real(RBig::clone(it))),
        (Type::Enum(id), Value::Enum(it)) => Some(pool.literal(id, *it)),
        _ => None,
    }
}
