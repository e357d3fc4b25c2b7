//! Small models as text, for tests: a line for each block and each wire, written as a `.mdl` file, read, planned, lowered and run.
//!
//! A block is `Kind name key=value; key=value`; one inside a subsystem has the path of that before its name (`sub/k`). A wire is
//! `a -> b:2 -> c`. A line `@ key=value; key=value` has settings of the model.

use dashu_ratio::RBig;
use shall_simulink::library;
use shall_simulink::lower::{Options, lower};
use shall_simulink::plan::{Plan, Problem, Shape, plan};
use shall_simulink::value::Value as Variable;
use shall_simulink::{Limits, read};
use std::fmt::Write;
use system::{Real, System, Type, Value, simulate};

/// The text of a model file.
pub(crate) fn mdl(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let mut out = "Model {\n  Name \"m\"\n".to_owned();
    for settings in lines.iter().filter_map(|it| it.strip_prefix("@ ")) {
        entries(settings, &mut out);
    }
    system("", &lines, &mut out);
    out + "}\n"
}

fn entries(text: &str, out: &mut String) {
    for (key, value) in text.split("; ").filter_map(|it| it.split_once('=')) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "{} \"{value}\"", key.trim()).expect("a string");
    }
}

fn system(inside: &str, lines: &[&str], out: &mut String) {
    out.push_str("System {\n");
    let here = |path: &str| path.strip_prefix(inside).filter(|it| !it.contains('/')).map(str::to_owned);
    for line in lines.iter().filter(|it| !it.contains(" -> ") && !it.starts_with("@ ")) {
        let mut words = line.splitn(3, ' ');
        let (kind, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let Some(name) = here(path) else { continue };
        writeln!(out, "Block {{\nBlockType {kind}\nName \"{name}\"").expect("a string");
        entries(words.next().unwrap_or(""), out);
        let prefix = format!("{path}/");
        if lines.iter().any(|it| it.split(' ').nth(1).is_some_and(|it| it.starts_with(&prefix))) {
            system(&prefix, lines, out);
        }
        out.push_str("}\n");
    }
    for line in lines.iter().filter(|it| it.contains(" -> ")) {
        let ends: Vec<&str> = line.split(" -> ").collect();
        for pair in ends.windows(2) {
            let (Some(from), Some(to)) = (here(pair[0]), here(pair[1])) else { continue };
            let end = |text: &str| {
                text.rsplit_once(':').map_or((text.to_owned(), "1".to_owned()), |(a, b)| (a.into(), b.into()))
            };
            let ((from, output), (to, input)) = (end(&from), end(&to));
            writeln!(
                out,
                "Line {{\nSrcBlock \"{from}\"\nSrcPort {output}\nDstBlock \"{to}\"\nDstPort {input}\n}}"
            )
            .expect("a string");
        }
    }
    out.push_str("}\n");
}

/// The plan of a model, with variables.
pub(crate) fn planned(text: &str, workspace: &[(String, Variable)]) -> Plan {
    let reading = read(mdl(text).as_bytes(), &Limits::default());
    assert_eq!(reading.problems, Vec::new(), "{text}");
    let mut diagram = reading.diagram;
    library::expand(&mut diagram);
    plan(&diagram, workspace)
}

/// The system of a model.
pub(crate) fn lowered(text: &str) -> Result<System, Vec<Problem>> {
    lower(&planned(text, &[]), None, &Options::default())
}

/// What a unit of a plan gives: `double`, `uint8[3]`, `double[2x3] boolean`.
pub(crate) fn shapes(plan: &Plan, name: &str) -> String {
    let unit = plan.units.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("no block `{name}`"));
    unit.outputs.iter().map(shown).collect::<Vec<String>>().join(" ")
}

pub(crate) fn shown(shape: &Shape) -> String {
    match shape {
        Shape::Signal { class, dimensions } if dimensions[..] == [1] => class.name().to_owned(),
        Shape::Signal { class, dimensions } => {
            let sizes: Vec<String> = dimensions.iter().map(ToString::to_string).collect();
            format!("{}[{}]", class.name(), sizes.join("x"))
        }
        Shape::Bus(_) => "bus".to_owned(),
    }
}

/// Runs a model in both arithmetics. Each line of steps has the inputs and the outputs: `1 2 | 3`; `_` is not checked. What is not
/// rational has no exact value.
pub(crate) fn check(text: &str, steps: &str) {
    check_near(text, steps, 1e-9);
}

pub(crate) fn check_near(text: &str, steps: &str, tolerance: f64) {
    let system = lowered(text).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"));
    check_system(text, &system, steps, tolerance);
}

pub(crate) fn check_system(text: &str, system: &System, steps: &str, tolerance: f64) {
    assert_eq!(system.check(), Vec::<String>::new(), "{text}");
    let numbers = |text: &str| -> Vec<f64> {
        text.split_whitespace().map(|it| it.parse().unwrap_or(f64::NAN)).collect()
    };
    let steps: Vec<(Vec<f64>, Vec<f64>)> = steps
        .lines()
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .map(|line| {
            let (inputs, outputs) = line.split_once('|').expect(line);
            (numbers(inputs), numbers(outputs))
        })
        .collect();
    let rows: Vec<&[f64]> = steps.iter().map(|it| it.0.as_slice()).collect();
    let doubles = run::<f64>(system, &rows, |it| it, |it| *it);
    let exacts = run::<RBig>(
        system,
        &rows,
        |it| logic::parse_decimal(&it.to_string()).expect("a decimal"),
        |it| it.to_f64().value(),
    );
    for (step, (_, want)) in steps.iter().enumerate() {
        assert_eq!(doubles[step].len(), want.len(), "{text}: number of outputs");
        for (place, want) in want.iter().enumerate().filter(|(_, it)| !it.is_nan()) {
            let near = |it: f64| it == *want || (it - want).abs() <= tolerance * want.abs().max(1.0);
            let (double, exact) = (doubles[step][place], exacts[step][place]);
            assert!(double.is_some_and(near), "{text}: step {step}, output {place}: {double:?}, not {want}");
            assert!(
                exact.is_none_or(near),
                "{text}: step {step}, output {place}: {exact:?} exactly, not {want}"
            );
        }
    }
}

/// The outputs of a system, step by step.
pub(crate) fn run<R: Real>(
    system: &System,
    rows: &[&[f64]],
    from: fn(f64) -> R,
    to: fn(&R) -> f64,
) -> Vec<Vec<Option<f64>>> {
    let typed = |ty: Type, number: f64| match ty {
        Type::Bool => Value::Bool(number != 0.0),
        Type::Machine(_) => Value::Machine(number as i128),
        _ => Value::Real(from(number)),
    };
    let row = |inputs: &&[f64]| {
        let types = system.inputs.iter().map(|it| system.variables[it.index()].ty);
        types.zip(*inputs).map(|(ty, number)| typed(ty, *number)).collect()
    };
    let rows: Vec<Vec<Value<R>>> = rows.iter().map(row).collect();
    let number = |value: &Value<R>| match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Machine(number) => Some(*number as f64),
        Value::Real(number) => Some(to(number)),
        Value::Int(_) | Value::Enum(_) | Value::Undefined => None,
    };
    let outputs = |step: &system::Step<R>| {
        let all = system.outputs.iter().zip(&step.outputs);
        all.filter(|(it, _)| !it.local).map(|(_, value)| number(value)).collect()
    };
    simulate(system, &[], &rows).steps.iter().map(outputs).collect()
}
