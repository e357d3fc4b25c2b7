//! Contracts attached to models: the variables of an observer are bound to ports of the model.
//!
//! A variable that the mapping does not list is bound to the port of the same name, or to the only port whose name differs just in case and
//! punctuation. Values are converted to the types of the contract: a Boolean becomes 1 or 0, and a number is true if it is not 0.

use crate::plan::Fault;
use crate::plan::Problem;
use std::collections::BTreeMap;
use system::{Expr, Pool, System, Type};

/// A variable of a contract and the port that it is bound to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wire {
    /// The name in the contract.
    pub variable: String,
    /// The path of the port in the model.
    pub path: String,
    /// The scalar of the port, from 1; none if the port has only one.
    pub index: Option<usize>,
}

/// Attaches an observer to the system of a subsystem. Returns the variables that neither the mapping nor the model has: they stay free.
///
/// # Errors
///
/// Ports of the mapping that the subsystem does not have, and types that cannot be converted.
pub fn attach(
    system: &mut System,
    at: &str,
    observer: &System,
    wires: &[Wire],
) -> Result<Vec<String>, Vec<Problem>> {
    let (mut bind, mut free, mut problems) = (BTreeMap::new(), Vec::new(), Vec::new());
    for var in &observer.inputs {
        let variable = &observer.variables[var.index()];
        let wire = wires.iter().find(|wire| wire.variable == variable.name);
        let found = match wire {
            Some(wire) => system.named(&signal(at, wire)),
            None => alike(system, &variable.name).and_then(|name| system.named(&name)),
        };
        let problem = |message: String| {
            let hint = "correct the mapping; `shall model info` lists the ports";
            Problem::new(wire.map_or(at, |wire| &wire.path), "port", Fault::hint(message, hint))
        };
        match (found.map(|expr| converted(&mut system.pool, expr, variable.ty)), wire) {
            (Some(Some(expr)), _) => drop(bind.insert(variable.name.clone(), expr)),
            (Some(None), _) => {
                let wanted = observer.pool.show_type(variable.ty);
                problems.push(problem(format!("`{}` is {wanted}, but the port is not", variable.name)));
            }
            (None, Some(_)) => {
                problems.push(problem(format!("`{}` is not a port of the subsystem", variable.name)));
            }
            (None, None) => free.push(variable.name.clone()),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    system.include(observer, "", &bind);
    Ok(free)
}

/// The port that has a name, or the only one whose name differs just in case and punctuation.
fn alike(system: &System, name: &str) -> Option<String> {
    let inputs = system.inputs.iter().map(|var| &system.variables[var.index()].name);
    let outputs = system.outputs.iter().filter(|it| !it.local).map(|it| &it.name);
    let ports: Vec<&String> = inputs.chain(outputs).collect();
    if ports.iter().any(|it| *it == name) {
        return Some(name.to_owned());
    }
    let plain = |name: &str| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let mut close = ports.iter().filter(|it| plain(it) == plain(name));
    close.next().filter(|_| close.next().is_none()).map(|it| (*it).clone())
}

/// The name of a port in the system of a subsystem.
fn signal(at: &str, wire: &Wire) -> String {
    let name = wire.path.strip_prefix(at).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&wire.path);
    match wire.index {
        Some(index) => format!("{name}_{index}"),
        None => name.to_owned(),
    }
}

/// An expression converted to another type; none if there is no such conversion.
pub fn converted(pool: &mut Pool, expr: Expr, ty: Type) -> Option<Expr> {
    let (zero, one) = match ty {
        Type::Real => (pool.real(0), pool.real(1)),
        Type::Int | Type::Bool | Type::Machine(_) | Type::Enum(_) => (pool.int(0), pool.int(1)),
    };
    match (pool.type_of(expr), ty) {
        (own, wanted) if own == wanted => Some(expr),
        (Type::Bool, Type::Int | Type::Real) => Some(pool.ite(expr, one, zero)),
        (Type::Machine(_), Type::Int) => Some(pool.cast(Type::Int, expr)),
        (Type::Machine(_), Type::Real) => {
            let whole = pool.cast(Type::Int, expr);
            Some(pool.cast(Type::Real, whole))
        }
        (Type::Int, Type::Real) => Some(pool.cast(Type::Real, expr)),
        (Type::Real, Type::Int) => Some(pool.cast(Type::Int, expr)),
        (Type::Int, Type::Bool) => Some(pool.ne(expr, zero)),
        (Type::Real, Type::Bool) => {
            let zero = pool.real(0);
            Some(pool.ne(expr, zero))
        }
        (Type::Machine(width), Type::Bool) => {
            let zero = pool.machine(width, 0);
            Some(pool.ne(expr, zero))
        }
        _ => None,
    }
}
