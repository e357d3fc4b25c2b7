//! The declared types of variables, as an assumption: a trace that tells two versions apart counts only if its values are
//! values of the types.

use crate::component::Symbol;
use logic::{Trace, Value};
use requirement::specification::{Range, Type};

/// Variables that have the same declared type in all versions that know them.
pub(super) fn agreed<'v>(old: &[&'v Symbol], new: &[&'v Symbol]) -> Vec<&'v Symbol> {
    let find = |list: &[&'v Symbol], symbol: &Symbol| {
        list.iter().copied().find(|other| other.variable.name == symbol.variable.name)
    };
    let same =
        |symbol: &&Symbol| find(old, symbol).is_none_or(|other| other.variable.ty == symbol.variable.ty);
    let only_old = old.iter().copied().filter(|symbol| find(new, symbol).is_none());
    new.iter().copied().filter(same).chain(only_old).filter(|symbol| !symbol.type_inferred).collect()
}

/// Whether all values of a trace are values of their types.
pub(super) fn fits(trace: &Trace, symbols: &[&Symbol]) -> bool {
    symbols.iter().all(|symbol| {
        let column = trace.names().iter().position(|name| *name == symbol.variable.name);
        column.is_none_or(|column| {
            (0..trace.len()).all(|step| is_of(trace.value(column, step), &symbol.variable.ty))
        })
    })
}

fn is_of(value: &Value, ty: &Type) -> bool {
    match (value, ty) {
        (Value::Bool(_), Type::Bool) => true,
        (Value::Num(number), Type::Int(range)) => number.is_int() && range.contains(number),
        (Value::Num(number), Type::Real(range)) => range.contains(number),
        (Value::Name(name), Type::Enum(names)) => names.contains(name),
        (Value::Bool(_) | Value::Num(_) | Value::Name(_), _) => false,
    }
}

/// That some variables always have values of their types, in the language of formulas; nothing if they allow everything.
pub(super) fn assumption<'n>(symbols: &[&Symbol], used: impl Fn(&str) -> bool + 'n) -> Option<String> {
    let parts: Vec<String> = symbols
        .iter()
        .filter(|symbol| used(&symbol.variable.name) && symbol.number().is_none())
        .flat_map(|symbol| {
            let name = &symbol.variable.name;
            match &symbol.variable.ty {
                Type::Bool => Vec::new(),
                Type::Int(range) | Type::Real(range) => ends(name, range),
                Type::Enum(values) => {
                    let cases: Vec<String> =
                        values.iter().map(|value| format!("\"{name}\" = \"{value}\"")).collect();
                    vec![format!("({})", cases.join(" | "))]
                }
            }
        })
        .collect();
    (!parts.is_empty()).then(|| format!("H ({})", parts.join(" & ")))
}

fn ends(name: &str, range: &Range) -> Vec<String> {
    let end = |sign: &str, end: &Option<logic::RBig>| {
        let number = logic::format_decimal(end.as_ref()?)?;
        Some(format!("\"{name}\" {sign} {number}"))
    };
    end(">=", &range.low).into_iter().chain(end("<=", &range.high)).collect()
}
