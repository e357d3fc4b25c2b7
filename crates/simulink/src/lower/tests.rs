//! Blocks in tables: parameters, then inputs and outputs step by step, run in both arithmetics.
//!
//! A signal is written as a class and a size (`d`, `d3`, `d2x2`, `b`, `i8`, `u16`). Numbers of a step are listed by columns. `NaN` is a
//! value that is not checked.

mod conditional;
mod elements;
mod memories;
mod structure;

use super::{Options, lower};
use crate::diagram::{BlockId, Port, SheetId};
use crate::plan::{Plan, Problem, Shape, Source, Unit, UnitId, exact};
use crate::value::{Class, Matrix, Value};
use std::collections::BTreeMap;
use system::{Real, System, Type, simulate};

/// A plan that grows unit by unit.
struct Builder {
    plan: Plan,
}

impl Builder {
    fn new() -> Builder {
        let plan = Plan { name: "m".to_owned(), step: 0.5, ..Plan::default() };
        Builder { plan }
    }

    /// A unit on a sheet, with its parameters as `Name=value` and its inputs by unit and output.
    fn add(
        &mut self,
        sheet: u32,
        kind: &str,
        name: &str,
        parameters: &str,
        inputs: &[(u32, u32)],
        outputs: &str,
    ) -> u32 {
        let number = self.plan.units.len() as u32;
        let mut unit = Unit {
            block: BlockId { sheet: SheetId(sheet), number },
            path: format!("m/{name}"),
            name: name.rsplit('/').next().unwrap_or(name).to_owned(),
            kind: kind.into(),
            words: BTreeMap::new(),
            values: BTreeMap::new(),
            inputs: inputs.iter().map(|(unit, output)| source(*unit, *output)).collect(),
            controls: Vec::new(),
            outputs: outputs.split_whitespace().map(shape).collect(),
            every: 1,
            offset: 0,
            before: (1, 0),
            continuous: false,
            inside: None,
        };
        for parameter in parameters.split(';').map(str::trim).filter(|it| !it.is_empty()) {
            let (key, text) = parameter.split_once('=').expect(parameter);
            unit.words.insert(key.to_owned(), text.to_owned());
            if let Some(matrix) = number_matrix(text) {
                unit.values.insert(key.to_owned(), Value::Matrix(matrix));
            }
        }
        self.plan.units.push(unit);
        self.plan.sheets.entry(SheetId(sheet)).or_default().push(UnitId(number));
        number
    }

    fn subsystem(
        &mut self,
        sheet: u32,
        name: &str,
        inputs: &[(u32, u32)],
        control: Option<(Port, u32, u32)>,
        outputs: &str,
        inside: u32,
    ) -> u32 {
        let id = self.add(sheet, "SubSystem", name, "", inputs, outputs);
        let unit = &mut self.plan.units[id as usize];
        unit.inside = Some(SheetId(inside));
        unit.controls = control.iter().map(|(port, unit, output)| (*port, source(*unit, *output))).collect();
        id
    }
}

fn source(unit: u32, output: u32) -> Option<Source> {
    (unit != u32::MAX).then_some(Source { unit: UnitId(unit), output })
}

fn shape(text: &str) -> Shape {
    let split = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let (letter, mut rest) = text.split_at(split);
    let class = match letter {
        "d" => Class::Double,
        "s" => Class::Single,
        "b" => Class::Boolean,
        _ => {
            let end = rest.find('_').unwrap_or(rest.len());
            let bits = rest[..end].parse().expect(text);
            rest = rest[end..].trim_start_matches('_');
            Class::Integer(bits, letter == "i")
        }
    };
    let dimensions = rest.split('x').filter_map(|it| it.parse().ok()).collect::<Vec<usize>>();
    Shape::Signal { class, dimensions: if dimensions.is_empty() { vec![1] } else { dimensions } }
}

/// `[1 2/3 4]` is a matrix of two rows; anything else with a number is one row.
fn number_matrix(text: &str) -> Option<Matrix> {
    let rows: Vec<Vec<f64>> = text
        .trim_matches(['[', ']'])
        .split('/')
        .map(|row| row.split_whitespace().map(|it| it.parse::<f64>().ok()).collect::<Option<Vec<f64>>>())
        .collect::<Option<_>>()?;
    let columns = rows[0].len();
    let entries = (0..columns).flat_map(|column| rows.iter().map(move |row| row[column])).collect();
    Some(Matrix { dimensions: vec![rows.len(), columns], class: Class::Double, entries })
}

/// A block between ports, checked over steps.
fn check(kind: &str, parameters: &str, inputs: &str, outputs: &str, steps: &[(&[f64], &[f64])]) {
    let system = single(kind, parameters, inputs, outputs, 1).unwrap_or_else(|it| panic!("{kind}: {it:?}"));
    compare(&format!("{kind} {parameters}"), &system, steps);
}

fn single(
    kind: &str,
    parameters: &str,
    inputs: &str,
    outputs: &str,
    every: u64,
) -> Result<System, Vec<Problem>> {
    let mut builder = Builder::new();
    let mut sources = Vec::new();
    for (place, text) in inputs.split_whitespace().enumerate() {
        let port = format!("Port={}", place + 1);
        sources.push((builder.add(0, "Inport", &format!("in{place}"), &port, &[], text), 0));
    }
    let block = builder.add(0, kind, "block", parameters, &sources, outputs);
    builder.plan.units[block as usize].every = every;
    for place in 0..outputs.split_whitespace().count() {
        let port = format!("Port={}", place + 1);
        builder.add(0, "Outport", &format!("out{place}"), &port, &[(block, place as u32)], "");
    }
    lower(&builder.plan, None, &Options::default())
}

/// Runs a system in both arithmetics.
fn compare(what: &str, system: &System, steps: &[(&[f64], &[f64])]) {
    assert_eq!(system.check(), Vec::<String>::new(), "{what}");
    let doubles = run::<f64>(system, steps, |it| it, |it| Some(*it));
    let exacts = run::<dashu_ratio::RBig>(
        system,
        steps,
        |it| exact(it).expect("a finite input"),
        |it| Some(it.to_f64().value()),
    );
    for (step, (_, want)) in steps.iter().enumerate() {
        assert_eq!(doubles[step].len(), want.len(), "{what}: number of outputs");
        for (place, want) in want.iter().enumerate().filter(|(_, it)| !it.is_nan()) {
            let near = |it: f64| it == *want || (it - want).abs() <= 1e-12 * want.abs().max(1.0);
            let double = doubles[step][place];
            assert!(double.is_some_and(near), "{what}: step {step}, output {place}: {double:?}, not {want}");
            // What is not rational has no exact value.
            let exact = exacts[step][place];
            assert!(
                exact.is_none_or(near),
                "{what}: step {step}, output {place}: {exact:?} exactly, not {want}"
            );
        }
    }
}

fn run<R: Real>(
    system: &System,
    steps: &[(&[f64], &[f64])],
    from: fn(f64) -> R,
    to: fn(&R) -> Option<f64>,
) -> Vec<Vec<Option<f64>>> {
    let typed = |ty: Type, number: f64| match ty {
        Type::Bool => system::Value::Bool(number != 0.0),
        Type::Machine(_) => system::Value::Machine(number as i128),
        _ => system::Value::Real(from(number)),
    };
    let row = |(inputs, _): &(&[f64], &[f64])| {
        let types = system.inputs.iter().map(|it| system.variables[it.index()].ty);
        types.zip(*inputs).map(|(ty, number)| typed(ty, *number)).collect()
    };
    let rows: Vec<Vec<system::Value<R>>> = steps.iter().map(row).collect();
    let run = simulate(system, &[], &rows);
    let number = |value: &system::Value<R>| match value {
        system::Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        system::Value::Machine(number) => Some(*number as f64),
        system::Value::Real(number) => to(number),
        system::Value::Int(_) | system::Value::Enum(_) | system::Value::Undefined => None,
    };
    let outputs = |step: &system::Step<R>| {
        let all = system.outputs.iter().zip(&step.outputs);
        all.filter(|(it, _)| !it.local).map(|(_, value)| number(value)).collect()
    };
    run.steps.iter().map(outputs).collect()
}
