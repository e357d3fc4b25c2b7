//! The part of MATLAB that models need: constant expressions of parameters, and code of masks, callbacks and scripts.
//!
//! - [`evaluate`]: text → value, with variables given by a function; [`run`]: a script as far as its values are known;
//!   [`evaluate_among`] and [`run_among`]: those that use other files
//! - both count the size of every value against a budget ([`FUEL`]) that all texts of a model share
//!
//! Numbers are doubles; integers round and saturate. Depth, size and work are limited, and every error has a position.

mod call;
mod complex;
mod design;
mod enumeration;
mod eval;
mod handle;
mod lex;
mod linear;
mod matrix;
mod numeric;
mod object;
mod parse;
mod program;
mod run;

use crate::value::Value;
pub(crate) use enumeration::class_of as class_of_enumeration;
pub use handle::Handle;
pub(crate) use linear::{Form, system};
pub(crate) use object::field;
pub(crate) use parse::{Binary, Expression, Index, Kind, Unary, expression};
pub(crate) use program::{Function, Statement, functions};
pub use run::{Around, File, Files, Wanted, run, run_among};
use std::cell::Cell;
use std::rc::Rc;

/// Why an expression has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The byte in the text.
    pub at: usize,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What could be done instead.
    pub hint: Option<String>,
    /// The name that neither a variable nor a function has, if that is what is wrong.
    pub missing: Option<String>,
}

/// The maximum number of entries of all values that a model computes, including intermediate ones.
pub const FUEL: usize = 1 << 26;

/// A variable: its value, or none if it was set to something unknown.
pub type Variable = Option<Rc<Value>>;

/// Where variables come from.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<Variable>;

/// The value of an expression.
///
/// # Errors
/// If the text is not an expression, or if it has no value: an unknown variable, sizes that do not match.
pub fn evaluate(text: &str, lookup: Lookup<'_>, fuel: &Cell<usize>) -> Result<Value, Error> {
    evaluate_among(text, lookup, Around::NOTHING, fuel)
}

/// The value of an expression that may call functions of other files.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_among(
    text: &str,
    lookup: Lookup<'_>,
    around: Around<'_>,
    fuel: &Cell<usize>,
) -> Result<Value, Error> {
    run::value(&expression(text)?, lookup, around, fuel).map(object::plain)
}

/// The first result of a function of constants; none if there is no function of that name.
pub(crate) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Error>> {
    call::function(name, arguments)
}

impl Error {
    fn new(at: usize, message: impl Into<String>) -> Error {
        Error { at, message: message.into(), hint: None, missing: None }
    }

    fn hint(self, hint: impl Into<String>) -> Error {
        Error { hint: Some(hint.into()), ..self }
    }

    /// The same error at a position in the text.
    fn placed(self, at: usize) -> Error {
        Error { at, ..self }
    }
}

/// An error of an operation, which does not know its position in the text.
impl<T: Into<String>> From<T> for Error {
    fn from(message: T) -> Error {
        Error::new(0, message)
    }
}

impl std::error::Error for Error {}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (at {})", self.message, self.at + 1)
    }
}

#[cfg(test)]
mod tests;
