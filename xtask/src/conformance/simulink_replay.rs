//! The recorded counterexamples of the challenge problems, on our own systems of the Simulink models with the contracts attached.
//!
//! Kind 2 gives the inputs of the subsystem that it checked, Design Verifier those of the whole model. Inputs are found by name; those
//! of the regulators have only numbers. Each is run in exact numbers and in doubles. Those of the Euler transformation are spurious,
//! and must hold with a sine and a cosine that are functions.

use super::lustre::{circular, known_counts, number};
use crate::challenge::{Attached, CONTRACTS, is_about, letters};
use crate::failure::Result;
use crate::files;
use dashu_ratio::RBig;
use serde_json::Value as Json;
use std::path::Path;
use system::{Real, System, Type, Value, simulate};

/// Replays all; fails if a count is not the known one.
pub(crate) fn check(folder: &Path) -> Result {
    let cases = files::json_array(&folder.join("lustre/lmcps/counterexamples.json"))?;
    let field = |case: &Json, name: &str| case[name].as_str().unwrap_or_default().to_owned();
    // Violations of Kind 2 and of Design Verifier, those of the latter in doubles only, and spurious ones that hold.
    let (mut kind2, mut verifier, mut rounded, mut spurious) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for contract in CONTRACTS {
        let mut mine = cases.iter().filter(|case| field(case, "problem") == contract.problem).peekable();
        if mine.peek().is_none() {
            continue;
        }
        let plan = contract.plan(folder)?;
        let alone = contract.attached(folder, &plan, false)?;
        // Design Verifier had the roll autopilot as a model of its own.
        let whole = contract.attached(folder, &plan, contract.problem == "1_fsm")?;
        for case in mine {
            let id = field(case, "reqid");
            let by_kind2 = field(case, "tool") == "kind2";
            let Attached { system, .. } = if by_kind2 { &alone } else { &whole };
            let Some(property) = system.properties.iter().position(|it| is_about(&it.name, &id)) else {
                continue;
            };
            let rows = rows(system, case);
            if contract.problem == "9_euler" {
                let run = simulate(system, &[], &circular(rows));
                let holds = run.steps.iter().all(|step| step.properties[property] == Some(true));
                spurious += usize::from(holds);
                continue;
            }
            let exact = violates(system, property, &rows);
            let doubles: Vec<Vec<Value<f64>>> =
                rows.iter().map(|row| row.iter().map(Value::converted).collect()).collect();
            let in_doubles = violates(system, property, &doubles);
            match (by_kind2, exact || in_doubles) {
                (true, true) => kind2 += 1,
                (false, true) => {
                    verifier += 1;
                    rounded += usize::from(!exact);
                }
                (_, false) => wrong.push(format!("{} of {}", id, field(case, "tool"))),
            }
            if exact != in_doubles {
                let place = if exact { "only in exact numbers" } else { "only in doubles" };
                println!("{id}: the counterexample of {} violates {place}", field(case, "tool"));
            }
        }
    }
    println!(
        "counterexamples on the Simulink models: {kind2} of Kind 2 and {verifier} of Design Verifier violate ({rounded} only in doubles), {spurious} spurious ones do not"
    );
    if !wrong.is_empty() {
        println!("no violation: {}", wrong.join(", "));
    }
    known_counts(kind2, verifier, spurious)
}

/// Whether the property fails at a step up to which all assumptions hold.
fn violates<R: Real>(system: &System, property: usize, rows: &[Vec<Value<R>>]) -> bool {
    let run = simulate(system, &[], rows);
    let counted = run.steps.iter().take_while(|step| step.assumed == Some(true));
    counted.into_iter().any(|step| step.properties[property] == Some(false))
}

/// The inputs of a counterexample. One that it does not name makes no difference and is zero.
fn rows(system: &System, case: &Json) -> Vec<Vec<Value>> {
    let steps = case["length"].as_u64().unwrap_or(0) as usize;
    let plain = |text: &str| letters(text).to_lowercase();
    let columns = case["streams"].as_object().or(case["table"].as_object());
    let column = |place: usize, name: &str| {
        let fits = |column: &str| {
            let column = plain(column);
            column == plain(name) || column == plain(name) + "1" || column == format!("in{}1", place + 1)
        };
        columns?.iter().find(|it| fits(it.0)).map(|(_, it)| it.get("values").unwrap_or(it))
    };
    let inputs = system.inputs.iter().enumerate().map(|(place, var)| {
        let variable = &system.variables[var.index()];
        (variable.ty, column(place, &variable.name))
    });
    let inputs: Vec<(Type, Option<&Json>)> = inputs.collect();
    let cell = |column: Option<&Json>, step: usize| column?[step].as_str().map(str::to_owned);
    let row = |step| inputs.iter().map(|(ty, it)| value(*ty, &cell(*it, step).unwrap_or_default())).collect();
    (0..steps).map(row).collect()
}

fn value(ty: Type, text: &str) -> Value {
    let text = text.trim().trim_start_matches("(real").trim_end_matches(')').trim();
    let found = match text {
        "true" => RBig::ONE,
        _ => number(text).unwrap_or(RBig::ZERO),
    };
    match ty {
        Type::Bool => Value::Bool(found != RBig::ZERO),
        Type::Int => Value::Int(found.floor()),
        Type::Machine(width) => Value::Machine(width.wrap(i128::try_from(found.floor()).unwrap_or(0))),
        Type::Real => Value::Real(found),
        Type::Enum(_) => Value::Undefined,
    }
}
