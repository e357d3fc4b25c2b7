//! Function handles: the name of a function, or an expression with parameters and the variables that it saw when it was made.

use super::parse::{Expression, Kind};
use super::{Lookup, Variable};
use crate::value::Value;
use std::collections::BTreeMap;

/// A function as a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Handle {
    /// The parameters; none if the body is the name of a function.
    pub(super) parameters: Option<Vec<String>>,
    pub(super) body: Expression,
    /// The variables of the body that had a value where the handle was made; none for one whose value was not known.
    pub(super) captured: BTreeMap<String, Variable>,
}

impl Handle {
    pub(super) fn new(parameters: Option<&[String]>, body: &Expression, lookup: Lookup<'_>) -> Handle {
        let mut names = Vec::new();
        if let Some(parameters) = parameters {
            body.names(&mut names);
            names.retain(|name| !parameters.iter().any(|it| it == name));
        }
        let captured = names.into_iter().filter_map(|name| Some((name.to_owned(), lookup(name)?)));
        Handle {
            parameters: parameters.map(<[String]>::to_vec),
            body: body.clone(),
            captured: captured.collect(),
        }
    }

    /// The function that it names.
    pub(super) fn named(&self) -> Option<&str> {
        match (&self.parameters, &self.body.kind) {
            (None, Kind::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// The values that it holds.
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.captured.values().flatten().map(|it| &**it)
    }
}
