//! Replay of counterexamples: exact, or with bounds on every value where functions such as sine are involved.
//!
//! Only a trace that the simulator confirms is reported, whichever engine found it.

use crate::evidence::enclosure::Enclosure;
use crate::verdict::Counterexample;
use system::{System, Value, Var, complete, refutes, simulate};

/// The counterexample with the given values of variables, and arbitrary ones where none is given.
pub(crate) fn confirm(
    system: &System,
    property: usize,
    length: usize,
    known: &dyn Fn(Var, u32) -> Option<Value>,
) -> Option<Counterexample> {
    let value = |var: Var, step: u32| {
        known(var, step).unwrap_or_else(|| Value::any_of(system.variables[var.index()].ty))
    };
    let free = system.state.iter().filter(|it| it.init.is_none());
    let start: Vec<(Var, Value)> = free.map(|it| (it.var, value(it.var, 0))).collect();
    let rows: Vec<Vec<Value>> =
        (0..length as u32).map(|step| system.inputs.iter().map(|var| value(*var, step)).collect()).collect();
    // A slice leaves out inputs that assumptions define.
    let rows = complete(system, &start, &rows);
    let mut run = simulate(system, &start, &rows);
    let fails = |properties: &[Option<bool>]| properties.get(property) == Some(&Some(false));
    if let Some(last) = run.steps.iter().position(|step| fails(&step.properties)) {
        run.steps.truncate(last + 1);
        if refutes(system, &run, property) {
            return Some(Counterexample { run, rounded: None, repeats: None });
        }
    }
    let start_enclosed: Vec<(Var, Value<Enclosure>)> =
        start.iter().map(|(var, it)| (*var, it.converted())).collect();
    let rows_enclosed: Vec<Vec<Value<Enclosure>>> =
        rows.iter().map(|row| row.iter().map(Value::converted).collect()).collect();
    let rows_enclosed = complete(system, &start_enclosed, &rows_enclosed);
    let enclosed = simulate(system, &start_enclosed, &rows_enclosed);
    let last = enclosed.steps.iter().position(|step| fails(&step.properties))?;
    if enclosed.steps[..=last].iter().any(|step| step.assumed != Some(true)) {
        return None;
    }
    let start: Vec<(Var, Value<f64>)> = start.iter().map(|(var, it)| (*var, it.converted())).collect();
    let rows: Vec<Vec<Value<f64>>> =
        rows[..=last].iter().map(|row| row.iter().map(Value::converted).collect()).collect();
    let rows = complete(system, &start, &rows);
    run.steps.truncate(last + 1);
    Some(Counterexample { run, rounded: Some(simulate(system, &start, &rows)), repeats: None })
}
