//! `shall model harness`: a trace as the inputs of a simulation.

use super::Made;
use super::part::Part;
use crate::Error;
use crate::cli::model::Harness;
use crate::files::{is_standard, write_file};
use crate::trace_file::TraceFile;
use base::names::identifier;
use base::names::unique;
use logic::Value;
use simulink::mat;
use simulink::value::{Class, Matrix};

pub(super) fn run(command: &Harness) -> Result<Made, Error> {
    let part = Part::open(&command.model)?;
    let file = TraceFile::read(&command.trace)?;
    let mut columns = Vec::new();
    for var in &part.system.inputs {
        let variable = &part.system.variables[var.index()];
        let cells = file.column(&variable.name, variable.ty.sort())?;
        let cells = cells.ok_or_else(|| {
            let name = &variable.name;
            let hint = "add one for each input of the model";
            Error::file(&command.trace, format_args!("there is no column for `{name}`; {hint}"))
        })?;
        let numbers = cells.iter().map(number).collect::<Option<Vec<f64>>>();
        let numbers = numbers.ok_or_else(|| {
            Error::file(&command.trace, format_args!("`{}` is not a number at every step", variable.name))
        })?;
        columns.push((variable.name.clone(), numbers));
    }
    let times = times(part.step, file.rows());
    let bytes = match command.into.extension().and_then(|it| it.to_str()) {
        Some("csv") => table(&times, &columns).into_bytes(),
        Some("mat") => data(&times, &columns)?,
        None if is_standard(&command.into) => table(&times, &columns).into_bytes(),
        _ => return Err(Error::file(&command.into, "the name must end in .csv or .mat")),
    };
    write_file(&command.into, &bytes)?;
    Ok(Made { files: vec![command.into.clone()], left_out: Vec::new() })
}

/// The time of each step, rounded, so that 7 steps of 0.01 s are 0.07 s.
pub(crate) fn times(step: f64, count: usize) -> Vec<f64> {
    (0..count).map(|at| (at as f64 * step * 1e12).round() / 1e12).collect()
}

/// A Boolean is 1 or 0.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Num(number) => Some(number.to_f64().value()),
        Value::Name(_) => None,
    }
}

/// Time and signals as CSV.
pub(crate) fn table(times: &[f64], columns: &[(String, Vec<f64>)]) -> String {
    let quoted = |name: &String| match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    let names: Vec<String> =
        std::iter::once("time".to_owned()).chain(columns.iter().map(|it| quoted(&it.0))).collect();
    let mut text = format!("{}\n", names.join(","));
    for (step, time) in times.iter().enumerate() {
        let cells = columns.iter().filter_map(|(_, cells)| cells.get(step));
        let row: Vec<String> = std::iter::once(time).chain(cells).map(f64::to_string).collect();
        text += &format!("{}\n", row.join(","));
    }
    text
}

/// The matrix of all inputs, and one of time and value for each.
pub(crate) fn data(times: &[f64], columns: &[(String, Vec<f64>)]) -> Result<Vec<u8>, Error> {
    let matrix = |columns: &[&[f64]]| Matrix {
        dimensions: vec![times.len(), columns.len() + 1],
        class: Class::Double,
        entries: times.iter().chain(columns.iter().copied().flatten()).copied().collect(),
    };
    let all: Vec<&[f64]> = columns.iter().map(|(_, cells)| cells.as_slice()).collect();
    let mut variables = vec![("inputs".to_owned(), matrix(&all))];
    for (name, cells) in columns {
        let name: String = identifier(name, "x").chars().take(50).collect();
        let name = unique(&name, "_", |name| variables.iter().all(|(other, _)| other != name));
        variables.push((name, matrix(&[cells])));
    }
    mat::write(&variables).map_err(Error::refused)
}
