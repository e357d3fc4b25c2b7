//! The declared types of variables, as an assumption: a trace that tells two versions apart counts only if its values are
//! values of the types.

use crate::component::Symbol;
use logic::{Bound, Formula, Numeral, Rel, Store, Trace, Value};
use requirement::specification::Type;

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

/// That some variables always have values of their types, as far as they are used.
pub(super) fn assumption(store: &mut Store, symbols: &[&Symbol], used: impl Fn(&str) -> bool) -> Formula {
    let parts: Vec<Formula> = symbols
        .iter()
        .filter(|symbol| used(&symbol.variable.name) && symbol.number().is_none())
        .map(|symbol| within(store, &symbol.variable.name, &symbol.variable.ty))
        .collect();
    let all = store.and(parts);
    store.historically(Bound::ALL, all)
}

/// That a variable has a value of a type now.
pub(crate) fn within(store: &mut Store, name: &str, ty: &Type) -> Formula {
    let symbol = store.symbol(name);
    let variable = store.term_var(symbol);
    match ty {
        Type::Bool => store.top(),
        Type::Int(range) | Type::Real(range) => {
            let mut ends = Vec::new();
            for (rel, end) in [(Rel::Ge, &range.low), (Rel::Le, &range.high)] {
                let Some(end) = end else { continue };
                let numeral = if end.is_int() { Numeral::Int } else { Numeral::Real };
                let number = store.num(end.clone(), numeral);
                ends.push(store.rel(rel, variable, number));
            }
            store.and(ends)
        }
        Type::Enum(values) => {
            let mut is = |value: &String| {
                let symbol = store.symbol(value);
                let value = store.value(symbol);
                store.rel(Rel::Eq, variable, value)
            };
            let cases: Vec<Formula> = values.iter().map(&mut is).collect();
            store.or(cases)
        }
    }
}
