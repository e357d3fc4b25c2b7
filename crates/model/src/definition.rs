//! Inputs that an assumption defines: `x = e`, with `e` over the state and over inputs that nothing defines.
//!
//! Such an assumption never stops a behaviour, because the environment can always choose that value. So a slice may leave it out together
//! with an input that nothing else needs, and a run may leave the input out: its value is computed ([`complete`]).
//! Only expressions that always have a value define: no divisions, no functions.

use crate::evaluate::Evaluator;
use crate::expr::{Expr, Node, Pool, Var};
use crate::simulate::given;
use crate::system::System;
use crate::value::{Real, Value};

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

impl System {
    /// The inputs that assumptions define, each once. None of them occurs in the value of another.
    pub fn definitions(&self) -> Vec<Definition> {
        let pool = &self.pool;
        let mut is_input = vec![false; self.variables.len()];
        self.inputs.iter().for_each(|var| is_input[var.index()] = true);
        let mut found: Vec<Definition> = Vec::new();
        // Inputs in the values so far: what occurs there stays free.
        let mut needed = vec![false; self.variables.len()];
        for (assumption, expr) in self.assumptions.iter().enumerate() {
            let Node::Eq(a, b) = *pool.node(*expr) else { continue };
            for (left, value) in [(a, b), (b, a)] {
                let Node::Var(input) = *pool.node(left) else { continue };
                if !is_input[input.index()]
                    || needed[input.index()]
                    || found.iter().any(|it| it.input == input)
                    || !total(pool, value)
                {
                    continue;
                }
                let inside = pool.variables([value]);
                if inside.iter().any(|var| *var == input || found.iter().any(|it| it.input == *var)) {
                    continue;
                }
                inside.iter().for_each(|var| needed[var.index()] = true);
                found.push(Definition { input, value, assumption });
                break;
            }
        }
        found
    }
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
    let definitions = system.definitions();
    let mut inputs = inputs.to_vec();
    if definitions.is_empty() {
        return inputs;
    }
    let pool = &system.pool;
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
    let defining = Evaluator::new(pool, definitions.iter().map(|it| it.value));
    let moving = Evaluator::new(pool, system.state.iter().map(|it| it.next));
    for row in &mut inputs {
        for (var, value) in system.inputs.iter().zip(&*row) {
            values[var.index()] = value.clone();
        }
        let all = defining.values(pool, |var| values[var.index()].clone());
        for definition in &definitions {
            let value = defining.get(&all, definition.value).clone();
            if value == Value::Undefined {
                continue;
            }
            values[definition.input.index()] = value.clone();
            if let Some(cell) = place(definition.input).and_then(|place| row.get_mut(place)) {
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
        // `m` is defined by a defined input, so its assumption stays.
        assert_eq!(defined, ["n"]);
        assert_eq!(system.slice(&[0]).assumptions.len(), 2);
        assert_eq!(system.slice(&[1]).assumptions.len(), 2);
        let mut alone = clock();
        alone.assumptions.truncate(1);
        let slice = alone.slice(&[0]);
        assert_eq!((slice.inputs.len(), slice.state.len(), slice.assumptions.len()), (1, 0, 0));
    }

    #[test]
    fn defined_inputs_are_computed() {
        let mut system = clock();
        system.assumptions.truncate(1);
        let row = vec![Value::Undefined, Value::Int(7.into()), Value::Bool(true)];
        let rows: Vec<Vec<Value>> = complete(&system, &[], &[row.clone(), row.clone(), row]);
        let column: Vec<&Value> = rows.iter().map(|it| &it[0]).collect();
        assert_eq!(column, [&Value::Int(0.into()), &Value::Int(1.into()), &Value::Int(2.into())]);
        assert!(crate::simulate(&system, &[], &rows).steps.iter().all(|it| it.assumed == Some(true)));
    }
}
