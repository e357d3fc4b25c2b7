//! The signals of a model: all scalars that its system has a name for. A path is the name in the system.

use super::{Direction, Signal};
use logic::RBig;
use lustre::Node;
use requirement::specification::{Range, Type};
use system::{Pool, System, Type as Sort};

/// The signals of a node of a Lustre program: its own inputs, outputs and local variables, and those of its callees.
pub fn lustre_signals(system: &System, node: &Node) -> Vec<Signal> {
    // The parts of a record or an array belong to their variable.
    let is_part = |name: &str, of: &String| {
        name.strip_prefix(of.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let direction = |name: &str| {
        if node.inputs.iter().any(|it| is_part(name, it)) {
            Direction::Input
        } else if node.outputs.iter().any(|it| is_part(name, it)) {
            Direction::Output
        } else {
            Direction::Local
        }
    };
    let mut signals = system_signals(system);
    signals.iter_mut().for_each(|it| it.direction = direction(&it.name));
    signals
}

/// The signals of a system.
pub fn system_signals(system: &System) -> Vec<Signal> {
    let inputs = system.inputs.iter().map(|var| &system.variables[var.index()]);
    let inputs = inputs.map(|it| (&it.name, it.ty, Direction::Input));
    let outputs = system.outputs.iter().map(|it| {
        let direction = if it.local { Direction::Local } else { Direction::Output };
        (&it.name, system.pool.type_of(it.value), direction)
    });
    inputs
        .chain(outputs)
        .map(|(name, ty, direction)| Signal {
            name: name.clone(),
            path: name.clone(),
            ty: values(&system.pool, ty),
            direction,
            width: 1,
        })
        .collect()
}

fn values(pool: &Pool, ty: Sort) -> Type {
    match ty {
        Sort::Bool => Type::Bool,
        Sort::Int => Type::Int(Range::default()),
        Sort::Machine(width) => Type::Int(Range {
            low: Some(RBig::from(width.least())),
            high: Some(RBig::from(width.greatest())),
        }),
        Sort::Real => Type::Real(Range::default()),
        Sort::Enum(id) => Type::Enum(pool.enumeration(id).literals.clone()),
    }
}
