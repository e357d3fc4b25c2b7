//! A system as readable text with symbols, one line for each variable, entry and restriction; for tests and for people.
//!
//! `prev(x)` is the previous value, `t` of a timer the time since its reset, `:= now` a reset.

use crate::english;
use crate::system::{Condition, Dfrs, Effect, Kind, Moment, Operand, Sort, Timed};
use logic::{RBig, Value};
use std::fmt::Write;

/// The whole system.
pub fn dump(dfrs: &Dfrs) -> String {
    let mut out = String::new();
    for variable in &dfrs.variables {
        let kind = match variable.kind {
            Kind::Input => "input",
            Kind::Output => "output",
            Kind::Timer => "timer",
        };
        let default = if variable.initial_given || variable.kind == Kind::Timer { "" } else { " (default)" };
        let initial = english::plain(&variable.initial);
        let _ = writeln!(out, "{kind} {}: {} = {initial}{default}", variable.name, sort(&variable.sort));
    }
    for function in &dfrs.functions {
        let _ = writeln!(out, "{}", function.component);
        for entry in &function.entries {
            let statics = entry.guard.iter().map(|list| any(list.iter().map(|found| condition(dfrs, found))));
            let timed = entry.timed.iter().map(|list| any(list.iter().map(|found| self::timed(dfrs, found))));
            let guard: Vec<String> = statics.chain(timed).collect();
            let effect: Vec<String> = entry
                .effect
                .iter()
                .map(|found| {
                    let value = match &found.effect {
                        Effect::Assign(value) => operand(dfrs, found.variable, value),
                        Effect::Reset => "now".into(),
                    };
                    format!("{} := {value}", dfrs.variables[found.variable].name)
                })
                .collect();
            let id = dfrs.requirements.get(entry.requirement).map_or("?", |origin| &origin.id);
            let _ = writeln!(out, "  {id}: {} -> {}", guard.join(" & "), effect.join(", "));
        }
    }
    for restriction in &dfrs.restrictions {
        let never: Vec<String> = restriction.never.iter().map(|found| condition(dfrs, found)).collect();
        let _ = writeln!(out, "never {}: {}", restriction.origin.id, never.join(" & "));
    }
    out
}

fn any(list: impl Iterator<Item = String>) -> String {
    let list: Vec<String> = list.collect();
    if list.len() == 1 { list.concat() } else { format!("({})", list.join(" | ")) }
}

fn sort(sort: &Sort) -> String {
    match sort {
        Sort::Bool { word: None } => "bool".into(),
        Sort::Bool { word: Some(word) } => format!("bool ({word})"),
        Sort::Int => "int".into(),
        Sort::Real => "real".into(),
        Sort::Names(names) => {
            let list: Vec<String> =
                names.iter().enumerate().map(|(index, name)| format!("{index} {name}")).collect();
            format!("{{{}}}", list.join(", "))
        }
    }
}

fn at(dfrs: &Dfrs, moment: Moment, variable: usize) -> String {
    let name = &dfrs.variables[variable].name;
    match moment {
        Moment::Now => name.clone(),
        Moment::Before => format!("prev({name})"),
    }
}

fn condition(dfrs: &Dfrs, found: &Condition) -> String {
    let left = at(dfrs, found.moment, found.variable);
    format!("{left} {} {}", found.relation.symbol(), operand(dfrs, found.variable, &found.operand))
}

fn timed(dfrs: &Dfrs, found: &Timed) -> String {
    let name = &dfrs.variables[found.timer].name;
    format!("{name} {} {}", found.relation.symbol(), english::number(&found.bound))
}

fn operand(dfrs: &Dfrs, variable: usize, operand: &Operand) -> String {
    match operand {
        Operand::Constant(Value::Name(name)) => match &dfrs.variables[variable].sort {
            Sort::Names(names) => match names.binary_search(name) {
                Ok(index) => format!("{index}"),
                Err(_) => format!("'{name}'"),
            },
            Sort::Bool { .. } | Sort::Int | Sort::Real => format!("'{name}'"),
        },
        Operand::Constant(value) => english::plain(value),
        Operand::Variable(moment, other) => at(dfrs, *moment, *other),
        Operand::Sum(terms, constant) => {
            let mut parts: Vec<String> = terms
                .iter()
                .map(|(factor, moment, other)| {
                    let name = at(dfrs, *moment, *other);
                    if *factor == RBig::ONE { name } else { format!("{} * {name}", english::number(factor)) }
                })
                .collect();
            parts.push(english::number(constant));
            parts.join(" + ")
        }
    }
}
