//! What a verdict about real numbers means for a machine that computes in doubles.

use super::show::Show;
use crate::json::Values;
use engine::{Answer, Part, Verdict, falsify_in_doubles};
use schemars::JsonSchema;
use serde::Serialize;
use system::Run;
use system::System;
use system::Type;
use system::Value;
use system::Var;
use system::simulate;

/// The number of runs that are tried.
const RUNS: usize = 4000;

/// What doubles make of a verdict.
pub(super) enum Rounded {
    /// The counterexample fails in doubles too.
    FailsToo,
    /// The counterexample does not fail in doubles.
    DoesNotFail,
    /// A run in doubles breaks what holds for real numbers, or what is not decided.
    Breaks(Run<f64>),
}

/// What doubles make of one verdict; nothing where real numbers do not matter or nothing was found.
pub(super) fn ask(part: &Part, verdict: &Verdict) -> Option<Rounded> {
    let system = &part.system;
    let sliced = system.slice(&[verdict.property]);
    let reals = |var: &Var| sliced.variables[var.index()].ty == Type::Real;
    if !sliced.inputs.iter().chain(sliced.state.iter().map(|it| &it.var)).any(reals) {
        return None;
    }
    match &verdict.answer {
        Answer::Valid(_) | Answer::Unknown(_) => {
            let found = falsify_in_doubles(system, verdict.property, 1, RUNS, &|| false)?;
            let steps: Vec<Vec<Value<f64>>> = found.steps.into_iter().map(|step| step.values).collect();
            Some(Rounded::Breaks(again(system, &steps)))
        }
        // Whether a loop closes in doubles too says little: it may close later.
        Answer::Invalid(found) if found.repeats.is_some() => None,
        Answer::Invalid(found) => {
            let steps = found.run.steps.iter().map(|step| step.values.iter().map(rounded).collect());
            let run = again(system, &steps.collect::<Vec<_>>());
            let last = run.steps.last().and_then(|it| it.properties.get(verdict.property));
            Some(if last == Some(&Some(false)) { Rounded::FailsToo } else { Rounded::DoesNotFail })
        }
    }
}

/// The run of the whole system on the inputs of these steps, given the values of all variables.
fn again(system: &System, steps: &[Vec<Value<f64>>]) -> Run<f64> {
    let value = |step: &[Value<f64>], var: Var| match step.get(var.index()) {
        Some(Value::Undefined) | None => zero(system.variables[var.index()].ty),
        Some(value) => value.clone(),
    };
    let first = steps.first().map_or(&[][..], Vec::as_slice);
    let free = system.state.iter().filter(|it| it.init.is_none());
    let start: Vec<_> = free.map(|it| (it.var, value(first, it.var))).collect();
    let row = |step: &Vec<Value<f64>>| system.inputs.iter().map(|var| value(step, *var)).collect();
    simulate(system, &start, &steps.iter().map(row).collect::<Vec<_>>())
}

fn zero(ty: Type) -> Value<f64> {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Int => Value::Int(0.into()),
        Type::Machine(_) => Value::Machine(0),
        Type::Real => Value::Real(0.0),
        Type::Enum(_) => Value::Enum(0),
    }
}

fn rounded(value: &Value) -> Value<f64> {
    match value {
        Value::Bool(truth) => Value::Bool(*truth),
        Value::Int(number) => Value::Int(number.clone()),
        Value::Machine(number) => Value::Machine(*number),
        Value::Real(number) => Value::Real(number.to_f64().value()),
        Value::Enum(place) => Value::Enum(*place),
        Value::Undefined => Value::Undefined,
    }
}

pub(super) fn human(show: &Show, found: &Rounded) -> String {
    match found {
        Rounded::FailsToo => "  in doubles it fails on this run too\n".into(),
        Rounded::DoesNotFail => {
            "  in doubles it does not fail on this run: rounding makes the difference\n".into()
        }
        Rounded::Breaks(run) => {
            let last = run.steps.len().saturating_sub(1);
            let mut out = format!("  in doubles it fails at step {last}:\n");
            if let Some(trace) = run.decimal().trace(&show.part.system) {
                out += &show.table(&trace, Some(last), "    ");
            }
            out
        }
    }
}

/// What a verdict means in doubles.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Doubles {
    /// `invalid`: it fails in doubles; `unknown`: the counterexample does not fail in doubles.
    verdict: &'static str,
    /// The steps of a run in doubles that violates what holds for real numbers; then the exit code is not 0.
    trace: Option<Vec<Values>>,
}

pub(super) fn document(show: &Show, found: &Rounded) -> Doubles {
    match found {
        Rounded::FailsToo => Doubles { verdict: "invalid", trace: None },
        Rounded::DoesNotFail => Doubles { verdict: "unknown", trace: None },
        Rounded::Breaks(run) => {
            let trace = run.decimal().trace(&show.part.system).map(|trace| show.steps(&trace));
            Doubles { verdict: "invalid", trace }
        }
    }
}
