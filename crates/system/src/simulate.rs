//! Step-by-step simulation of a system on given inputs, and its traces as data, which counterexamples consist of.
//!
//! [`simulate`] never fails: a value that is missing or of a wrong type is undefined, and so is what depends on it. The same function
//! works over exact numbers (`Value`) and doubles (`Value<f64>`).

use crate::evaluate::Evaluator;
use crate::expr::{Expr, Pool, Var};
use crate::system::System;
use crate::value::{Real, Value};
use dashu_ratio::RBig;
use std::fmt::{Display, Write};

/// A trace of a system from step 0 on.
#[derive(Clone, PartialEq, Debug)]
pub struct Run<R = RBig> {
    /// The steps.
    pub steps: Vec<Step<R>>,
}

/// One step.
#[derive(Clone, PartialEq, Debug)]
pub struct Step<R = RBig> {
    /// The values of all variables, by [`Var`].
    pub values: Vec<Value<R>>,
    /// The values of the outputs, in order.
    pub outputs: Vec<Value<R>>,
    /// Whether all assumptions hold, at step 0 also the initial constraints; `None` if undefined.
    pub assumed: Option<bool>,
    /// Whether each property holds; `None` if undefined.
    pub properties: Vec<Option<bool>>,
}

/// Simulates a system for as many steps as there are rows of inputs.
///
/// `start` has the values of states without `init`; each row of `inputs` has the values of one step, in the order of
/// [`System::inputs`].
pub fn simulate<R: Real>(system: &System, start: &[(Var, Value<R>)], inputs: &[Vec<Value<R>>]) -> Run<R> {
    let pool = &system.pool;
    let mut values = first_values(system, start);
    let evaluator = Evaluator::new(pool, system.roots());
    let mut steps: Vec<Step<R>> = Vec::with_capacity(inputs.len());
    let mut all = Vec::new();
    for row in inputs {
        for (place, var) in system.inputs.iter().enumerate() {
            values[var.index()] = row.get(place).cloned().unwrap_or(Value::Undefined);
        }
        let variable = |var: Var| values.get(var.index()).cloned().unwrap_or(Value::Undefined);
        evaluator.update(pool, &mut all, variable);
        let get = |expr: Expr| evaluator.get(&all, expr);
        let initial: &[Expr] = if steps.is_empty() { &system.initial } else { &[] };
        let next: Vec<(Var, Value<R>)> =
            system.state.iter().map(|state| (state.var, get(state.next).clone())).collect();
        steps.push(Step {
            values: values.clone(),
            outputs: system.outputs.iter().map(|it| get(it.value).clone()).collect(),
            assumed: all_of(system.assumptions.iter().chain(initial).map(|it| get(*it).truth())),
            properties: system.properties.iter().map(|it| get(it.value).truth()).collect(),
        });
        for (var, value) in next {
            values[var.index()] = value;
        }
    }
    Run { steps }
}

/// The values of all states at the start.
pub(crate) fn first_values<R: Real>(system: &System, start: &[(Var, Value<R>)]) -> Vec<Value<R>> {
    let constants = Evaluator::new(&system.pool, system.state.iter().filter_map(|state| state.init));
    let initial = constants.values(&system.pool, |_| Value::Undefined);
    let mut values = vec![Value::Undefined; system.variables.len()];
    for state in &system.state {
        values[state.var.index()] = match state.init {
            Some(init) => constants.get(&initial, init).clone(),
            None => given(start, state.var),
        };
    }
    values
}

/// Whether a trace belongs to the system, all assumptions hold on it, and the property fails at the last step and not before.
pub fn refutes(system: &System, run: &Run, property: usize) -> bool {
    let Some((last, before)) = run.steps.split_last() else { return false };
    let value = |step: &Step, var: &Var| step.values.get(var.index()).cloned().unwrap_or(Value::Undefined);
    let first = &run.steps[0];
    let start: Vec<(Var, Value)> =
        system.state.iter().map(|state| (state.var, value(first, &state.var))).collect();
    let inputs: Vec<Vec<Value>> =
        run.steps.iter().map(|step| system.inputs.iter().map(|var| value(step, var)).collect()).collect();
    let fails = |step: &Step| step.properties.get(property) == Some(&Some(false));
    simulate(system, &start, &inputs) == *run
        && run.steps.iter().all(|step| step.assumed == Some(true))
        && fails(last)
        && !before.iter().any(fails)
}

impl<R> Run<R> {
    /// The value of a variable or output at a step.
    pub fn value(&self, system: &System, step: usize, name: &str) -> Option<&Value<R>> {
        let step = self.steps.get(step)?;
        match system.variable(name) {
            Some(var) => step.values.get(var.index()),
            None => step.outputs.get(system.outputs.iter().position(|it| it.name == name)?),
        }
    }

    /// One line per step: inputs, states and outputs by name.
    pub fn show(&self, system: &System) -> String
    where
        R: Display,
    {
        let mut text = String::new();
        for (number, step) in self.steps.iter().enumerate() {
            let variables = system.inputs.iter().copied().chain(system.state.iter().map(|it| it.var));
            let variables = variables.filter_map(|var| {
                let variable = &system.variables[var.index()];
                Some((variable.name.as_str(), variable.ty, step.values.get(var.index())?))
            });
            let outputs = system.outputs.iter().zip(&step.outputs);
            let outputs = outputs.map(|(it, value)| (it.name.as_str(), system.pool.type_of(it.value), value));
            let all: Vec<String> = variables
                .chain(outputs)
                .map(|(name, ty, value)| format!("{name} = {}", system.pool.show_value(ty, value)))
                .collect();
            let _ = writeln!(text, "{number}: {}", all.join(", "));
        }
        text
    }
}

impl Run<f64> {
    /// The trace with each double as its shortest decimal; not-a-number becomes undefined.
    pub fn decimal(&self) -> Run {
        let number = |it: &f64| logic::parse_decimal(&it.to_string()).map_or(Value::Undefined, Value::Real);
        let value = |value: &Value<f64>| match value {
            Value::Bool(it) => Value::Bool(*it),
            Value::Int(it) => Value::Int(it.clone()),
            Value::Machine(it) => Value::Machine(*it),
            Value::Real(it) => number(it),
            Value::Enum(it) => Value::Enum(*it),
            Value::Undefined => Value::Undefined,
        };
        let step = |step: &Step<f64>| Step {
            values: step.values.iter().map(value).collect(),
            outputs: step.outputs.iter().map(value).collect(),
            assumed: step.assumed,
            properties: step.properties.clone(),
        };
        Run { steps: self.steps.iter().map(step).collect() }
    }
}

impl Run {
    /// Converts to a [`logic::Trace`], with a column for each variable and output that is defined at every step. `None` if there are
    /// no steps.
    pub fn trace(&self, system: &System) -> Option<logic::Trace> {
        let mut trace = logic::Trace::new(self.steps.len(), None).ok()?;
        let pool = &system.pool;
        let all = system.inputs.iter().copied().chain(system.state.iter().map(|it| it.var));
        let columns = all.map(|var| {
            let variable = &system.variables[var.index()];
            (&variable.name, variable.ty, self.steps.iter().map(|it| it.values.get(var.index())).collect())
        });
        let outputs = system.outputs.iter().enumerate().map(|(place, it)| {
            (&it.name, pool.type_of(it.value), self.steps.iter().map(|it| it.outputs.get(place)).collect())
        });
        for (name, ty, values) in columns.chain(outputs) {
            let values: Vec<Option<&Value>> = values;
            let column: Option<Vec<logic::Value>> =
                values.into_iter().map(|value| observed(pool, ty, value?)).collect();
            if let Some(column) = column {
                trace = trace.with(name, column).ok()?;
            }
        }
        Some(trace)
    }
}

/// A value as it appears in traces; `None` if it is undefined.
pub fn observed(pool: &Pool, ty: crate::Type, value: &Value) -> Option<logic::Value> {
    match value {
        Value::Bool(truth) => Some(logic::Value::Bool(*truth)),
        Value::Int(number) => Some(logic::Value::Num(RBig::from(number.clone()))),
        Value::Machine(number) => Some(logic::Value::Num(RBig::from(*number))),
        Value::Real(number) => Some(logic::Value::Num(number.clone())),
        Value::Enum(_) => Some(logic::Value::Name(pool.show_value(ty, value))),
        Value::Undefined => None,
    }
}

pub(crate) fn given<R: Clone>(start: &[(Var, Value<R>)], var: Var) -> Value<R> {
    start.iter().find(|(it, _)| *it == var).map_or(Value::Undefined, |(_, value)| value.clone())
}

fn all_of(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            Some(true) => {}
            None => all = None,
        }
    }
    all
}
