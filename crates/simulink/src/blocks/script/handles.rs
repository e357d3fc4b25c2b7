//! Function handles: a variable that is set once, to a function or to an expression with parameters, and that is called.

use super::arrays::Array;
use super::{Frame, Machine};
use crate::matlab::{Expression, Kind};
use crate::plan::{Fault, Outcome};
use std::collections::BTreeMap;
use system::Expr;

/// A function handle with the variables and handles that it saw when it was made.
#[derive(Clone)]
pub(super) struct Handle {
    /// The parameters; none if the body is the name of a function.
    parameters: Option<Vec<String>>,
    body: Expression,
    variables: BTreeMap<String, Array>,
    handles: BTreeMap<String, Handle>,
}

impl Machine<'_, '_, '_> {
    /// Makes a variable a function handle.
    pub(super) fn set_handle(
        &mut self,
        target: &Expression,
        parameters: Option<&[String]>,
        body: &Expression,
    ) -> Outcome<()> {
        let Some(name) = target.name() else {
            return Err(Fault::new("a function handle in an array or a struct is not supported"));
        };
        let mut names = Vec::new();
        body.names(&mut names);
        let mut variables = BTreeMap::new();
        for seen in names.iter().filter(|_| parameters.is_some()) {
            if self.is_variable(seen) {
                variables.insert((*seen).to_owned(), self.variable(seen)?);
            }
        }
        let handles = self.frame().handles.iter().filter(|(name, _)| names.contains(&name.as_str()));
        let handles = handles.map(|(name, it)| (name.clone(), it.clone())).collect();
        let parameters = parameters.map(<[String]>::to_vec);
        let handle = Handle { parameters, body: body.clone(), variables, handles };
        if self.is_variable(name) || self.frame().handles.insert(name.to_owned(), handle).is_some() {
            let message = format!("the function handle `{name}` changes, which is not supported");
            return Err(Fault::hint(message, "use another variable"));
        }
        Ok(())
    }

    /// The value of a function handle; none if there is none of this name.
    pub(super) fn call_handle(
        &mut self,
        name: &str,
        arguments: &[Expression],
        guard: Expr,
    ) -> Outcome<Option<Array>> {
        let Some(Handle { parameters, body, mut variables, handles }) =
            self.frame().handles.get(name).cloned()
        else {
            return Ok(None);
        };
        let Some(parameters) = parameters else {
            let Kind::Name(function) = &body.kind else { return Ok(None) };
            return self.function(function, arguments, guard).map(Some);
        };
        if arguments.len() > parameters.len() {
            return Err(Fault::new(format!("the function handle `{name}` has fewer parameters")));
        }
        for (parameter, argument) in parameters.iter().zip(arguments) {
            variables.insert(parameter.clone(), self.value(argument, guard)?);
        }
        self.frames.push(Frame { variables, handles, ..Frame::default() });
        let found = self.value(&body, guard);
        self.frames.pop();
        found.map(Some)
    }
}
