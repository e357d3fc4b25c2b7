//! Data files of MATLAB as recorded traces: vectors of one length, and structures with time as Simulink saves them.

use record::{Table, Values};
use simulink::mat::{Limits, read};
use simulink::value::{Class, Matrix, Value};
use std::fmt::Display;

/// The most bytes of decompressed elements: what a trace in memory may have.
const MAX_INFLATED: usize = 2 << 30;

/// The columns of a file.
pub(super) fn table(bytes: &[u8]) -> Result<Table, String> {
    let shown = |error: &dyn Display| error.to_string();
    let limits = Limits { inflated: MAX_INFLATED, ..Limits::default() };
    let data = read(bytes, limits).map_err(|error| shown(&error))?;
    let mut columns = Vec::new();
    for (name, value) in data.variables {
        add(&mut columns, &name, value);
    }
    // What is not as long as the time, or as most others, is a parameter.
    let is_time = |name: &str| ["time", "t", "tout"].contains(&name.to_ascii_lowercase().as_str());
    let length =
        columns.iter().find(|(name, _)| is_time(name)).or(columns.iter().max_by_key(|(_, it)| it.len()));
    let length = length.map_or(0, |(_, values)| values.len());
    columns.retain(|(_, values)| values.len() == length);
    if length < 2 {
        let hint = "save vectors of one length, one of them called `time`, or a structure with time";
        return Err(format!("the file has no signals; {hint}"));
    }
    Table::new(columns).map_err(|error| shown(&error))
}

/// Adds the vectors of a variable.
fn add(columns: &mut Vec<(String, Values)>, name: &str, value: Value) {
    match value {
        Value::Matrix(matrix) => columns.extend(vectors(name, &matrix)),
        Value::Struct(fields) => structure(columns, name, fields),
        Value::Complex(_) | Value::Text(_) | Value::Cell(_) | Value::Function(_) => {}
    }
}

/// A structure with time: `time`, and `signals` with `values` and perhaps a `label`. Any other structure is a group of its fields.
fn structure(columns: &mut Vec<(String, Values)>, name: &str, fields: Vec<(String, Value)>) {
    let is_with_time = fields.iter().any(|(field, _)| field == "signals");
    for (field, value) in fields {
        match (field.as_str(), value) {
            ("time", Value::Matrix(matrix))
                if is_with_time && columns.iter().all(|(known, _)| known != "time") =>
            {
                columns.extend(vectors("time", &matrix));
            }
            ("signals", Value::Cell(signals)) => {
                signals.into_iter().enumerate().for_each(|(at, it)| signal(columns, name, at, it));
            }
            ("signals", one @ Value::Struct(_)) => signal(columns, name, 0, one),
            (_, Value::Matrix(matrix)) if !is_with_time => {
                columns.extend(vectors(&format!("{name}.{field}"), &matrix));
            }
            _ => {}
        }
    }
}

fn signal(columns: &mut Vec<(String, Values)>, parent: &str, at: usize, value: Value) {
    let Value::Struct(fields) = value else { return };
    let text = |wanted: &str| {
        let found = fields.iter().find(|(field, _)| field == wanted);
        found.and_then(|(_, value)| if let Value::Text(text) = value { Some(text.clone()) } else { None })
    };
    let label = text("label").filter(|label| !label.is_empty());
    let name = label.unwrap_or_else(|| format!("{parent}_{}", at + 1));
    if let Some((_, Value::Matrix(values))) = fields.iter().find(|(field, _)| field == "values") {
        columns.extend(vectors(&name, values));
    }
}

/// The columns of a matrix: one for a vector, otherwise one for each column, numbered from 1.
fn vectors(name: &str, matrix: &Matrix) -> Vec<(String, Values)> {
    let [rows, columns] = matrix.dimensions[..] else { return Vec::new() };
    if rows.min(columns) == 1 {
        return vec![(name.to_owned(), values(matrix.class, &matrix.entries))];
    }
    if rows == 0 {
        return Vec::new();
    }
    let column =
        |(at, entries): (usize, &[f64])| (format!("{name}_{}", at + 1), values(matrix.class, entries));
    matrix.entries.chunks(rows).enumerate().map(column).collect()
}

fn values(class: Class, entries: &[f64]) -> Values {
    match class {
        Class::Boolean => Values::Truths(entries.iter().map(|it| *it != 0.0).collect()),
        Class::Single => Values::Singles(entries.iter().map(|it| *it as f32).collect()),
        Class::Double | Class::Integer(..) => Values::Doubles(entries.to_vec()),
    }
}
