//! Where behaviour may change: comparisons of an input with something else.
//!
//! Random values rarely make two things equal, but much of a model is reachable only through such conditions. A compared input can be
//! moved to what it is compared with, or next to it.

use dashu_ratio::RBig;
use system::{Expr, Node, System, Type, Value};

/// A comparison of an input, given by its index, with something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) input: usize,
    pub(crate) ty: Type,
    pub(crate) other: Expr,
}

/// All comparisons of inputs, including converted ones, that the behaviour of a system depends on.
pub(crate) fn edges(system: &System) -> Vec<Edge> {
    let next = system.state.iter().map(|it| it.next);
    let conditions = system.assumptions.iter().chain(&system.initial).copied();
    let roots = next.chain(conditions).chain(system.properties.iter().map(|it| it.value));
    let input = |expr: Expr| {
        let expr = match system.pool.node(expr) {
            Node::Cast(_, inner) => *inner,
            _ => expr,
        };
        let Node::Var(var) = system.pool.node(expr) else { return None };
        Some((system.inputs.iter().position(|it| it == var)?, system.variables[var.index()].ty))
    };
    let mut found = Vec::new();
    for expr in system.pool.reachable(roots) {
        if let Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b) = system.pool.node(expr) {
            for (one, other) in [(*a, *b), (*b, *a)] {
                found.extend(input(one).map(|(input, ty)| Edge { input, ty, other }));
            }
        }
    }
    found
}

/// The value of a type that equals a number, or differs from it by `by`.
pub(crate) fn at_edge(ty: Type, other: &Value<f64>, by: i32) -> Option<Value> {
    let number = match other {
        Value::Bool(it) if ty == Type::Bool => return Some(Value::Bool(*it != (by != 0))),
        Value::Enum(it) if matches!(ty, Type::Enum(_)) => return Some(Value::Enum(*it)),
        Value::Int(it) => RBig::from(it.clone()),
        Value::Machine(it) => RBig::from(*it),
        Value::Real(it) => RBig::try_from(*it).ok()?,
        Value::Bool(_) | Value::Enum(_) | Value::Undefined => return None,
    } + RBig::from(by);
    match ty {
        Type::Real => Some(Value::Real(number)),
        Type::Int => Some(Value::Int(number.floor())),
        Type::Machine(width) => {
            let number = i128::try_from(number.floor()).ok()?;
            Some(Value::Machine(width.wrap(number)))
        }
        Type::Bool | Type::Enum(_) => None,
    }
}
