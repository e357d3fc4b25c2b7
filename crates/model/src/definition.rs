//! Inputs that assumptions define: `x = e`, with `e` over the state and over other inputs, which may be defined as well, but not by `x`.
//!
//! Such assumptions never stop a behaviour, because the environment can always choose these values, one after the other. So a slice may
//! leave one out together with an input that nothing else needs, and a run may leave the input out: its value is computed ([`complete`]).
//! Only expressions that always have a value define: no divisions, no functions.

use crate::evaluate::Evaluator;
use crate::expr::{Expr, Node, Pool, Var};
use crate::simulate::given;
use crate::system::System;
use crate::value::{Real, Value};
use rustc_hash::FxHashMap;

/// An input and what it always is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The input.
    pub input: Var,
    /// Its value.
    pub value: Expr,
    /// The place of the assumption that says so.
    pub assumption: usize,
}

/// How often definitions are looked for anew.
const ROUNDS: usize = 8;

impl System {
    /// The inputs that assumptions define, each once, behind those that occur in its value.
    pub fn definitions(&self) -> Vec<Definition> {
        let pool = &self.pool;
        let mut is_input = vec![false; self.variables.len()];
        self.inputs.iter().for_each(|var| is_input[var.index()] = true);
        let mut found: Vec<(Definition, Vec<Var>)> = Vec::new();
        // For each variable its place among those found, and whether it occurs in their values.
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

    /// Puts the values of defined inputs in their place, again if that shows further definitions. Gives what these inputs are,
    /// over the state and over the inputs that are left.
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

/// Some definitions and those that they need, each behind what it needs.
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

/// Whether an expression has a value wherever its variables have one.
fn total(pool: &Pool, expr: Expr) -> bool {
    let partial = |it: &Expr| {
        matches!(pool.node(*it), Node::Div(..) | Node::IntDiv(..) | Node::Mod(..) | Node::Apply(..))
    };
    !pool.reachable([expr]).iter().any(partial)
}

/// Inputs with the values of those that are defined; the others stay as they are, and so do those whose value is not known. Arguments are those of [`simulate`](crate::simulate()).
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
    let constants = Evaluator::new(pool, system.state.iter().filter_map(|it| it.init));
    let initial = constants.values(pool, |_| Value::Undefined);
    let mut values: Vec<Value<R>> = vec![Value::Undefined; system.variables.len()];
    for state in &system.state {
        values[state.var.index()] = match state.init {
            Some(init) => constants.get(&initial, init).clone(),
            None => given(start, state.var),
        };
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Type;
    use crate::system::Origin;

    /// A clock `n = 0 -> pre n + 1` as an assumption, and `m = n` as another one.
    fn clock() -> System {
        let mut system = System::default();
        let [n, m, b] = [("n", Type::Int), ("m", Type::Int), ("b", Type::Bool)]
            .map(|(name, ty)| system.add_input(name, ty));
        let (yes, zero, one) = (Pool::TRUE, system.pool.int(0), system.pool.int(1));
        let first = system.add_state("first", Type::Bool, Some(yes));
        system.set_next(first, Pool::FALSE);
        let before = system.add_state("before", Type::Int, None);
        let [n, m, b, first, last] = [n, m, b, first, before].map(|var| system.expr(var));
        system.set_next(before, n);
        let pool = &mut system.pool;
        let more = pool.add(last, one);
        let value = pool.ite(first, zero, more);
        let (clock, copy) = (pool.eq(n, value), pool.eq(m, n));
        let late = pool.lt(m, one);
        system.assumptions.extend([clock, copy]);
        system.add_property("plain", Origin::Unknown, b);
        system.add_property("early", Origin::Unknown, late);
        system
    }

    #[test]
    fn definitions_go_with_what_they_define() {
        let system = clock();
        let defined: Vec<&str> =
            system.definitions().iter().map(|it| system.variables[it.input.index()].name.as_str()).collect();
        assert_eq!(defined, ["n", "m"]);
        assert_eq!(system.slice(&[1]).assumptions.len(), 2);
        let slice = system.slice(&[0]);
        assert_eq!((slice.inputs.len(), slice.state.len(), slice.assumptions.len()), (1, 0, 0));
        // Any order will do, but no circle.
        let mut other = clock();
        let [n, m] = ["n", "m"].map(|name| other.named(name).expect("an input"));
        let one = other.pool.int(1);
        let [behind_n, behind_m] = [n, m].map(|it| other.pool.add(it, one));
        let (forward, back) = (other.pool.eq(m, behind_n), other.pool.eq(n, behind_m));
        let places = |it: &System| it.definitions().iter().map(|it| it.assumption).collect::<Vec<_>>();
        other.assumptions = vec![forward, other.assumptions[0]];
        assert_eq!(places(&other), [1, 0]);
        other.assumptions[1] = back;
        assert_eq!(places(&other), [0]);
    }

    #[test]
    fn defined_inputs_are_computed() {
        let system = clock();
        let row = vec![Value::Undefined, Value::Int(7.into()), Value::Bool(true)];
        let rows: Vec<Vec<Value>> = complete(&system, &[], &[row.clone(), row.clone(), row]);
        for input in 0..2 {
            let column: Vec<&Value> = rows.iter().map(|it| &it[input]).collect();
            assert_eq!(column, [&Value::Int(0.into()), &Value::Int(1.into()), &Value::Int(2.into())]);
        }
        assert!(crate::simulate(&system, &[], &rows).steps.iter().all(|it| it.assumed == Some(true)));
    }
}
