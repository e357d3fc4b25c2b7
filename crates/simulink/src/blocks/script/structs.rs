//! Structs of MATLAB code: each field is a variable of its own, whose name has dots (`s.a.b`). A bus at an input is a struct.

use super::{Array, Kept, Machine};
use crate::lower::{Signal, Work};
use crate::matlab::{Expression, Function, Index, Kind};
use crate::plan::{Fault, Outcome, Shape};
use crate::value::Value;
use std::collections::BTreeMap;
use system::{Expr, Pool};

/// What an expression or a function gives.
#[derive(Clone, Debug)]
pub(in crate::blocks) enum Given {
    /// Numbers.
    Array(Array),
    /// The fields of a struct, in any depth.
    Struct(Vec<(String, Array)>),
}

impl Given {
    pub(in crate::blocks) fn array(self) -> Outcome<Array> {
        match self {
            Given::Array(array) => Ok(array),
            Given::Struct(_) => Err(Fault::new("a struct is used where numbers are wanted")),
        }
    }

    /// The scalars in the order of the elements of a bus, each in its own class; a plain signal has those of the array.
    pub(super) fn scalars(self, name: &str, shape: &Shape) -> Outcome<Vec<Expr>> {
        let fields = match (self, shape) {
            (Given::Array(array), Shape::Signal { .. }) => return Ok(array.scalars),
            (Given::Struct(fields), Shape::Bus(_)) => fields,
            _ => {
                let message = format!("its code and its port do not agree whether `{name}` is a struct");
                return Err(Fault::hint(message, "give the port the type of a bus"));
            }
        };
        let mut fields: BTreeMap<String, Array> = fields.into_iter().collect();
        let (mut scalars, mut open) = (Vec::new(), vec![(String::new(), shape)]);
        while let Some((path, shape)) = open.pop() {
            let (class, width) = match shape {
                Shape::Bus(elements) => {
                    let below =
                        |own: &str| if path.is_empty() { own.to_owned() } else { format!("{path}.{own}") };
                    open.extend(elements.iter().rev().map(|(own, shape)| (below(own), shape)));
                    continue;
                }
                Shape::Signal { class, .. } => (*class, shape.width()),
            };
            match fields.remove(&path) {
                Some(it) if it.class == class && it.scalars.len() == width => scalars.extend(it.scalars),
                Some(_) => {
                    let message = format!("the field `{name}.{path}` has another type or size than its bus");
                    return Err(Fault::new(message));
                }
                None => return Err(Fault::new(format!("its code does not set the field `{name}.{path}`"))),
            }
        }
        match fields.keys().next() {
            Some(extra) => Err(Fault::new(format!("its bus has no element for the field `{name}.{extra}`"))),
            None => Ok(scalars),
        }
    }
}

/// The name of a variable or of a field: `s`, `s.a.b`.
pub(super) fn dotted(expression: &Expression) -> Option<String> {
    match &expression.kind {
        Kind::Name(name) => Some(name.clone()),
        Kind::At(inner, Index::Field(field)) => Some(format!("{}.{field}", dotted(inner)?)),
        _ => None,
    }
}

/// The fields of a bus as variables.
pub(super) fn bus(name: &str, shape: &Shape, signal: &Signal) -> BTreeMap<String, Array> {
    let mut found = BTreeMap::new();
    let (mut open, mut from) = (vec![(name.to_owned(), shape)], 0);
    while let Some((name, shape)) = open.pop() {
        match shape {
            Shape::Bus(elements) => {
                open.extend(elements.iter().rev().map(|(own, shape)| (format!("{name}.{own}"), shape)));
            }
            Shape::Signal { class, dimensions } => {
                let scalars = signal.scalars.get(from..from + shape.width()).unwrap_or_default().to_vec();
                from += shape.width();
                let (rows, columns) =
                    Signal { dimensions: dimensions.clone(), scalars: scalars.clone() }.size();
                found.insert(name, Array { class: *class, rows, columns, scalars });
            }
        }
    }
    found
}

/// A parameter as a variable, or as one for each of its fields.
pub(super) fn parameter(work: &mut Work<'_>, name: &str, value: &Value) -> Outcome<BTreeMap<String, Array>> {
    let mut found = BTreeMap::new();
    let mut open = vec![(name.to_owned(), value)];
    while let Some((name, value)) = open.pop() {
        match value {
            Value::Matrix(matrix) => {
                let (rows, columns, class) = (matrix.rows(), matrix.columns(), matrix.class);
                let scalars = matrix.entries.iter().map(|it| work.constant(*it, class));
                let scalars = scalars.collect::<Outcome<_>>()?;
                found.insert(name, Array { class, rows, columns, scalars });
            }
            Value::Struct(fields) => {
                open.extend(fields.iter().map(|(own, value)| (format!("{name}.{own}"), value)));
            }
            Value::Complex(_) | Value::Text(_) | Value::Cell(_) | Value::Function(_) => {
                return Err(Fault::new(format!(
                    "the parameter `{name}` is not a number or a struct of numbers"
                )));
            }
        }
    }
    Ok(found)
}

impl Machine<'_, '_, '_> {
    /// The state of a persistent variable, or of a field of one.
    pub(super) fn state_of(&mut self, name: &str) -> Option<String> {
        let (base, field) = name.split_once('.').map_or((name, ""), |it| it);
        let state = self.frame().persistent.get(base)?.clone();
        Some(if field.is_empty() { state } else { format!("{state}.{field}") })
    }

    /// Prepares a field of a persistent struct that is set under a guard; then the struct is set too.
    pub(super) fn open_field(&mut self, name: &str, state: &str, guard: Expr) {
        if !self.persistent.contains_key(state) {
            let set = self.work.state(self.block.id, &format!("{state} is set"), Pool::FALSE);
            self.persistent.insert(state.to_owned(), Kept { set: Some(set), is_set: set.seen, value: None });
        }
        let base = name.split_once('.').and_then(|(base, _)| self.state_of(base));
        if let Some(before) = base.as_ref().and_then(|it| self.persistent.get(it)).map(|it| it.is_set) {
            let set = self.pool().or([before, guard]);
            if let Some(kept) = base.and_then(|it| self.persistent.get_mut(&it)) {
                kept.is_set = set;
            }
        }
    }

    /// The fields of a struct, each with what follows the name of the struct; none if it is not one.
    pub(super) fn fields(&mut self, name: &str) -> Vec<(String, Array)> {
        let prefix = format!("{name}.");
        let state = self.state_of(name).map(|it| format!("{it}."));
        let own = self.frame().variables.iter();
        let own = own.filter_map(|(key, value)| Some((key.strip_prefix(&prefix)?.to_owned(), value.clone())));
        let mut found: Vec<(String, Array)> = own.collect();
        if let Some(state) = state {
            let kept = self.persistent.iter().filter_map(|(key, kept)| {
                Some((key.strip_prefix(&state)?.to_owned(), kept.value.as_ref()?.0.clone()))
            });
            found.extend(kept);
        }
        found
    }

    /// The value of an expression, which may be a struct: `struct('a', 1)`, a variable that is one, or what a function gives.
    pub(super) fn given(&mut self, value: &Expression, guard: Expr) -> Outcome<Given> {
        let fields = dotted(value).map_or(Vec::new(), |name| self.fields(&name));
        if !fields.is_empty() {
            return Ok(Given::Struct(fields));
        }
        let (function, arguments) = match &value.kind {
            Kind::At(function, Index::Call(arguments)) => (function.name(), &arguments[..]),
            Kind::Name(name) => (Some(name.as_str()), &[][..]),
            _ => (None, &[][..]),
        };
        let function = function.filter(|name| !self.is_variable(name)).unwrap_or_default();
        if function == "struct" {
            return self.structure(arguments, guard).map(Given::Struct);
        }
        let functions = self.functions;
        match functions.iter().find(|it| it.name == function) {
            Some(function) => self.first_output(function, arguments, guard),
            None => self.value(value, guard).map(Given::Array),
        }
    }

    /// The first output of a function of the block.
    pub(super) fn first_output(
        &mut self,
        function: &Function,
        arguments: &[Expression],
        guard: Expr,
    ) -> Outcome<Given> {
        let variables = self.arguments(function, arguments, guard)?;
        let first = self.call(function, variables, guard)?.into_iter().next();
        first.ok_or_else(|| Fault::new(format!("the function `{}` has no output", function.name)))
    }

    /// The fields that `struct` makes of its arguments.
    fn structure(&mut self, arguments: &[Expression], guard: Expr) -> Outcome<Vec<(String, Array)>> {
        let mut found = Vec::new();
        for pair in arguments.chunks(2) {
            let [Expression { kind: Kind::Text(field), .. }, value] = pair else {
                return Err(Fault::new("`struct` has the names and values of its fields"));
            };
            found.extend(named(field, self.given(value, guard)?));
        }
        Ok(found)
    }

    /// The variables of a function that is called with arguments.
    pub(super) fn arguments(
        &mut self,
        function: &Function,
        arguments: &[Expression],
        guard: Expr,
    ) -> Outcome<BTreeMap<String, Array>> {
        if arguments.len() > function.inputs.len() {
            let count = function.inputs.len();
            return Err(Fault::new(format!("the function `{}` takes {count} arguments", function.name)));
        }
        let mut variables = BTreeMap::new();
        for (name, argument) in function.inputs.iter().zip(arguments) {
            variables.extend(named(name, self.given(argument, guard)?));
        }
        Ok(variables)
    }
}

/// The variables of a value that has a name.
pub(super) fn named(name: &str, given: Given) -> Vec<(String, Array)> {
    match given {
        Given::Array(array) => vec![(name.to_owned(), array)],
        Given::Struct(fields) => {
            fields.into_iter().map(|(field, value)| (format!("{name}.{field}"), value)).collect()
        }
    }
}
