//! Inputs that assumptions define: `x = e`, with `e` over the state and other inputs, which may be defined as well, but not through `x`.
//!
//! Such assumptions never block a behaviour, because the environment can always choose these values, one after the other. So a slice
//! may drop one together with an input that nothing else needs, and a trace may omit the input: its value is computed ([`complete`]).
//! Only total expressions can be definitions: no divisions, no functions.

use crate::evaluate::Evaluator;
use crate::expr::{Expr, Node, Pool, Var};
use crate::simulate::first_values;
use crate::system::System;
use crate::value::{Real, Value};
use rustc_hash::FxHashMap;

/// An input and its defining expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The input.
    pub input: Var,
    /// Its value.
    pub value: Expr,
    /// The index of the defining assumption.
    pub assumption: usize,
}

/// The maximum number of rounds of the search for definitions.
const ROUNDS: usize = 8;

impl System {
    /// The inputs that assumptions define, each once, after those that occur in its value.
    pub fn definitions(&self) -> Vec<Definition> {
        let pool = &self.pool;
        let mut is_input = vec![false; self.variables.len()];
        self.inputs.iter().for_each(|var| is_input[var.index()] = true);
        let mut found: Vec<(Definition, Vec<Var>)> = Vec::new();
        // The index of each variable among those found, and whether it occurs in their values.
        let mut place: Vec<Option<usize>> = vec![None; self.variables.len()];
        let mut needed = vec![false; self.variables.len()];
        for (assumption, expr) in self.assumptions.iter().enumerate() {
            let Node::Eq(a, b) = *pool.node(*expr) else { continue };
            for (left, value) in [(a, b), (b, a)] {
                let Node::Var(input) = *pool.node(left) else { continue };
                if !is_input[input.index()] || place[input.index()].is_some() || !total(pool, value) {
                    continue;
                }
                let inside = pool.variables([value]);
                if inside.contains(&input) {
                    continue;
                }
                if needed[input.index()] {
                    let begin = inside.iter().filter_map(|var| place[var.index()]);
                    let below = ordered(&found, &place, begin);
                    if below.iter().any(|it| found[*it].1.contains(&input)) {
                        continue;
                    }
                }
                inside.iter().for_each(|var| needed[var.index()] = true);
                place[input.index()] = Some(found.len());
                found.push((Definition { input, value, assumption }, inside));
                break;
            }
        }
        ordered(&found, &place, 0..found.len()).into_iter().map(|it| found[it].0).collect()
    }

    /// Replaces defined inputs with their values, repeatedly if that reveals further definitions. Returns the values of these inputs
    /// over the state and the remaining inputs.
    pub fn inline(&mut self) -> Vec<(Var, Expr)> {
        let mut found: Vec<(Var, Expr)> = Vec::new();
        for _ in 0..ROUNDS {
            let definitions = self.definitions();
            if definitions.is_empty() {
                break;
            }
            let mut values: FxHashMap<Var, Expr> = FxHashMap::default();
            let mut goes = vec![false; self.assumptions.len()];
            for it in &definitions {
                let value = self.pool.substitute(&[it.value], &|var| values.get(&var).copied())[0];
                values.insert(it.input, value);
                goes[it.assumption] = true;
            }
            let mut goes = goes.into_iter();
            self.assumptions.retain(|_| goes.next() == Some(false));
            self.inputs.retain(|var| !values.contains_key(var));
            let System { pool, state, assumptions, initial, properties, lemmas, outputs, .. } = self;
            let mut roots: Vec<&mut Expr> = state.iter_mut().map(|it| &mut it.next).collect();
            roots.extend(assumptions.iter_mut().chain(initial).chain(lemmas));
            roots.extend(outputs.iter_mut().map(|it| &mut it.value));
            roots.extend(found.iter_mut().map(|it| &mut it.1));
            for property in properties {
                roots.push(&mut property.value);
                roots.extend(&mut property.recurs);
                roots.extend(property.sides.iter_mut().flat_map(|it| [&mut it.0, &mut it.1]));
            }
            let old: Vec<Expr> = roots.iter().map(|it| **it).collect();
            let new = pool.substitute(&old, &|var| values.get(&var).copied());
            roots.into_iter().zip(new).for_each(|(root, new)| *root = new);
            found.extend(definitions.iter().map(|it| (it.input, values[&it.input])));
        }
        found
    }
}

/// Some definitions and those they need, in dependency order.
fn ordered(
    found: &[(Definition, Vec<Var>)],
    place: &[Option<usize>],
    begin: impl IntoIterator<Item = usize>,
) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; found.len()];
    let mut open: Vec<(usize, bool)> = begin.into_iter().map(|it| (it, false)).collect();
    open.reverse();
    while let Some((it, ready)) = open.pop() {
        if ready {
            order.push(it);
        } else if !std::mem::replace(&mut seen[it], true) {
            open.push((it, true));
            open.extend(found[it].1.iter().filter_map(|var| Some((place[var.index()]?, false))));
        }
    }
    order
}

/// Whether an expression is defined wherever its variables are.
fn total(pool: &Pool, expr: Expr) -> bool {
    let partial = |it: &Expr| {
        matches!(pool.node(*it), Node::Div(..) | Node::IntDiv(..) | Node::Mod(..) | Node::Apply(..))
    };
    !pool.reachable([expr]).iter().any(partial)
}

/// The inputs, with the values of defined ones filled in; the others, and those whose value is unknown, stay as they are. The
/// arguments are those of [`simulate`](crate::simulate()).
pub fn complete<R: Real>(
    system: &System,
    start: &[(Var, Value<R>)],
    inputs: &[Vec<Value<R>>],
) -> Vec<Vec<Value<R>>> {
    let mut inputs = inputs.to_vec();
    if system.definitions().is_empty() {
        return inputs;
    }
    let mut inlined = system.clone();
    let defined = inlined.inline();
    let pool = &inlined.pool;
    let place = |var: Var| system.inputs.iter().position(|it| *it == var);
    let mut values = first_values(&inlined, start);
    let defining = Evaluator::new(pool, defined.iter().map(|it| it.1));
    let moving = Evaluator::new(pool, system.state.iter().map(|it| it.next));
    for row in &mut inputs {
        for (var, value) in system.inputs.iter().zip(&*row) {
            values[var.index()] = value.clone();
        }
        let all = defining.values(pool, |var| values[var.index()].clone());
        for (input, value) in &defined {
            let value = defining.get(&all, *value).clone();
            if value == Value::Undefined {
                continue;
            }
            values[input.index()] = value.clone();
            if let Some(cell) = place(*input).and_then(|place| row.get_mut(place)) {
                *cell = value;
            }
        }
        let all = moving.values(pool, |var| values[var.index()].clone());
        for state in &system.state {
            values[state.var.index()] = moving.get(&all, state.next).clone();
        }
    }
    inputs
}
