//! Guessing: values for the variables inside nonlinear terms.
//!
//! Once these variables have values, the term has one too, and the rest is linear again. The candidates are the current values, small
//! numbers, and the numbers in the atoms with their neighbours. A guess can only confirm a letter.

use super::kinds::Kind;
use super::nice::nice_values;
use super::problem::Problem;
use super::search::{Level, Outcome, Solver};
use super::{State, is_confirmed, values};
use crate::eval::{EvalError, eval_state};
use crate::linear::Literal;
use crate::store::{Id, Node, Store};
use crate::trace::Value;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of combinations tried for a letter.
const MAX_GUESSES: usize = 256;
/// The maximum number of values tried for a variable, besides the current one.
const MAX_VALUES: usize = 15;

/// The candidates of guesses, for all letters of a problem.
pub(super) struct Guesser {
    /// The variables inside opaque terms, with their unknowns; empty if guessing is useless.
    inside: Vec<(usize, Id, Kind)>,
    numbers: Vec<RBig>,
}

impl Guesser {
    pub(super) fn new(store: &Store, problem: &Problem, atoms: &[Id]) -> Guesser {
        let is_call = |node: &Node| matches!(node, Node::Call(..));
        let below: FxHashSet<Id> =
            store.reachable_until(problem.opaque.iter().map(|(_, id)| *id), is_call).into_iter().collect();
        let is_known = |id: &Id| {
            let node = store.node(*id);
            !node.needs_context() || matches!(node, Node::Var(_) | Node::Call(..))
        };
        if !below.iter().all(is_known) {
            return Guesser { inside: Vec::new(), numbers: Vec::new() };
        }
        let unknowns = problem.unknowns.iter().enumerate();
        let inside = unknowns.filter_map(|(index, unknown)| {
            unknown.id.filter(|id| below.contains(id)).map(|id| (index, id, unknown.kind))
        });
        let mut numbers = vec![RBig::ZERO, RBig::ONE, -RBig::ONE];
        for id in store.reachable_until(atoms.iter().copied(), is_call) {
            if let Node::Num(number, _) = store.node(id) {
                let around = [number.clone(), number + RBig::ONE, number - RBig::ONE];
                numbers.extend(around.iter().flat_map(|number| [number.clone(), -number.clone()]));
            }
        }
        numbers.extend([2, -2, 10].map(RBig::from));
        let mut seen = FxHashSet::default();
        numbers.retain(|number| seen.insert(number.clone()));
        numbers.truncate(MAX_VALUES);
        Guesser { inside: inside.collect(), numbers }
    }

    /// Values that witness the state, close to some that do not.
    pub(super) fn guess(
        &self,
        solver: &mut Solver,
        state: &State,
        near: &[(Id, Value)],
    ) -> Option<Vec<(Id, Value)>> {
        if self.inside.is_empty() {
            return None;
        }
        let mark = solver.mark();
        let choices: Vec<Vec<Value>> =
            self.inside.iter().map(|&(_, id, kind)| self.choices(id, kind, near)).collect();
        let combinations = choices.iter().map(Vec::len).try_fold(1, usize::checked_mul).unwrap_or(usize::MAX);
        for guess in 0..combinations.min(MAX_GUESSES) {
            let mut rest = guess;
            let chosen: FxHashMap<Id, Value> = self
                .inside
                .iter()
                .zip(&choices)
                .map(|(&(_, id, _), values)| {
                    let value = values[rest % values.len()].clone();
                    rest /= values.len();
                    (id, value)
                })
                .collect();
            let found = self.complete(solver, state, &chosen);
            solver.undo(mark);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn choices(&self, id: Id, kind: Kind, near: &[(Id, Value)]) -> Vec<Value> {
        let at_hand = near.iter().filter(|(known, _)| *known == id).map(|(_, value)| value.clone());
        let others: Vec<Value> = match kind {
            Kind::Truth => vec![Value::Bool(false), Value::Bool(true)],
            Kind::Whole => {
                self.numbers.iter().filter(|number| number.is_int()).cloned().map(Value::Num).collect()
            }
            Kind::Rational => self.numbers.iter().cloned().map(Value::Num).collect(),
            Kind::Name | Kind::Constant => Vec::new(),
        };
        let mut seen = FxHashSet::default();
        at_hand.chain(others).filter(|value| seen.insert(value.clone())).collect()
    }

    /// Values of all variables, given those inside opaque terms.
    fn complete(
        &self,
        solver: &mut Solver,
        state: &State,
        chosen: &FxHashMap<Id, Value>,
    ) -> Option<Vec<(Id, Value)>> {
        let mut fix = |unknown: usize, value: &Value| match value {
            Value::Bool(truth) => {
                solver.assert_all(&Literal::exactly(unknown, &RBig::from(u8::from(*truth))))
            }
            Value::Num(number) => solver.assert_all(&Literal::exactly(unknown, number)),
            // Names are opaque only where something is wrong with them; evaluation decides.
            Value::Name(_) => true,
        };
        if !self.inside.iter().all(|(unknown, id, _)| fix(*unknown, &chosen[id])) {
            return None;
        }
        for &(unknown, id) in &state.problem.opaque {
            let mut leaf = |id: Id, _: &Node| chosen.get(&id).cloned().ok_or(EvalError::UnfilledHole);
            let value = eval_state(state.store, id, &mut leaf).ok()?;
            if !fix(unknown, &value) {
                return None;
            }
        }
        if solver.search(Level::Everything) != Outcome::Found {
            return None;
        }
        nice_values(solver, &state.problem.free(), Level::Everything)?;
        Some(values(solver, state)).filter(|values| is_confirmed(state, values))
    }
}
