//! The inputs of a model from a file: every input has a column, every column a meaning, every value its type.

use crate::Error;
use crate::trace_file::TraceFile;
use dashu_ratio::RBig;
use logic::Value as Cell;
use system::{Real, System, Type, Value, Var};

/// First values of memory that has no other, and a row for each step.
type Inputs<R> = (Vec<(Var, Value<R>)>, Vec<Vec<Value<R>>>);

/// The inputs of a system; what is missing, unknown or of a wrong type is an error with a hint.
pub(crate) fn of<R: Real>(system: &System, node: &str, file: &TraceFile) -> Result<Inputs<R>, Error> {
    let name = |var: &Var| system.variables[var.index()].name.as_str();
    let inputs: Vec<&str> = system.inputs.iter().map(name).collect();
    let missing: Vec<&str> =
        inputs.iter().copied().filter(|it| !file.names().any(|name| name == *it)).collect();
    let mut unknown: Vec<&str> = file.names().filter(|it| !known(system, it)).collect();
    unknown.sort_unstable();
    if let Some(column) = unknown.first() {
        let wanted = if missing.is_empty() { &inputs } else { &missing };
        let hint = match syntax::nearest(column, wanted.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the inputs are {}", list(&inputs)),
        };
        return Err(Error::Refused(format!(
            "the trace has a column `{column}`, but `{node}` has no such name; {hint}"
        )));
    }
    if !missing.is_empty() {
        let typed: Vec<String> = missing
            .iter()
            .filter_map(|it| system.variable(it))
            .map(|var| {
                let variable = &system.variables[var.index()];
                format!("`{}: {}`", variable.name, system.pool.show_type(variable.ty))
            })
            .collect();
        return Err(Error::Refused(format!(
            "the trace has no column for {}; add one for each input of `{node}`",
            typed.join(", ")
        )));
    }
    let mut columns = Vec::new();
    for var in &system.inputs {
        columns.push(column::<R>(system, *var, file)?.unwrap_or_default());
    }
    let mut start = Vec::new();
    for state in system.state.iter().filter(|it| it.init.is_none()) {
        let values = column::<R>(system, state.var, file)?;
        start.extend(values.and_then(|it| it.into_iter().next()).map(|value| (state.var, value)));
    }
    let rows = (0..file.rows()).map(|row| columns.iter().filter_map(|it| it.get(row).cloned()).collect());
    Ok((start, rows.collect()))
}

fn known(system: &System, name: &str) -> bool {
    system.variable(name).is_some() || system.outputs.iter().any(|it| it.name == name)
}

/// The values of a variable; `None` if there is no such column.
fn column<R: Real>(system: &System, var: Var, file: &TraceFile) -> Result<Option<Vec<Value<R>>>, Error> {
    let variable = &system.variables[var.index()];
    let Some(cells) = file.column(&variable.name, variable.ty.sort())? else { return Ok(None) };
    let value = |(step, cell): (usize, &Cell)| {
        value(system, variable.ty, cell).ok_or_else(|| {
            let (name, cell, wanted) = (&variable.name, shown(cell), wanted(system, variable.ty));
            Error::Refused(format!("step {step}: `{name}` is {cell}, but must be {wanted}"))
        })
    };
    cells.iter().enumerate().map(value).collect::<Result<Vec<_>, Error>>().map(Some)
}

/// A cell as a value of a type; nothing if it is of another type.
pub(in crate::commands) fn value<R: Real>(system: &System, ty: Type, cell: &Cell) -> Option<Value<R>> {
    let whole = |number: &RBig| number.is_int().then(|| number.numerator().clone());
    match (ty, cell) {
        (Type::Bool, Cell::Bool(truth)) => Some(Value::Bool(*truth)),
        (Type::Int, Cell::Num(number)) => whole(number).map(Value::Int),
        (Type::Real, Cell::Num(number)) => Some(Value::Real(R::from_exact(number))),
        (Type::Machine(width), Cell::Num(number)) => {
            let number = whole(number).and_then(|it| i128::try_from(it).ok());
            number.filter(|it| width.wrap(*it) == *it).map(Value::Machine)
        }
        (Type::Enum(id), Cell::Name(name)) => {
            let place = system.pool.enumeration(id).literals.iter().position(|it| it == name)?;
            u32::try_from(place).ok().map(Value::Enum)
        }
        (Type::Bool | Type::Int | Type::Real | Type::Machine(_) | Type::Enum(_), _) => None,
    }
}

/// What a cell of a type must be.
fn wanted(system: &System, ty: Type) -> String {
    match ty {
        Type::Bool => "a Boolean: `true`, `false`, 0 or 1".into(),
        Type::Int => "an integer".into(),
        Type::Real => "a number".into(),
        Type::Machine(width) => format!("an integer from {} to {}", width.least(), width.greatest()),
        Type::Enum(id) => {
            let names = system.pool.enumeration(id).literals.iter().map(String::as_str);
            format!("one of {}", list(&names.collect::<Vec<_>>()))
        }
    }
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Bool(truth) => truth.to_string(),
        Cell::Num(number) => logic::format_decimal(number).unwrap_or_else(|| number.to_string()),
        Cell::Name(name) => format!("`{name}`"),
    }
}

/// Names in a row, the first ones if there are many.
fn list(names: &[&str]) -> String {
    const MOST: usize = 12;
    let mut shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST {
        shown.push(format!("{} more", names.len() - MOST));
    }
    if shown.is_empty() { "none".into() } else { shown.join(", ") }
}
