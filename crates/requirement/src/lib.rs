//! From sentences to meanings.
//!
//! [`lower`] turns a parsed sentence into a [`Requirement`]; from there the meaning is given several times,
//! independently: by the interval [`oracle`], as a [`past()`] formula and as [`future()`] formulas, and in
//! words by [`explain`]. Tests compare them on all short traces.
//!
//! Invariants: lowering never fails and never panics, what is wrong with a sentence is a list of diagnostics; the
//! oracle shares no code with the formula generators.

#[cfg(feature = "testing")]
pub mod agreement;
pub mod codes;
#[cfg(feature = "testing")]
pub mod definitions;
mod denial;
pub mod diagram;
pub mod explain;
mod future;
mod lower;
pub mod oracle;
mod past;
mod past_predicates;
mod reason;
mod requirement;
pub mod specification;
pub mod template;
pub mod vectors;
pub mod witness;

pub use future::{Ending, LAST, future};
pub use lower::{
    Context, Field, Fields, Lowered, Occurrence, Step, is_predefined, lower, lower_formula, occurrences,
};
pub use past::past;
pub use reason::{Missing, failure, missing, reason};
pub use requirement::{Condition, Key, Predicate, Requirement, Scope, Timing};
use std::fmt;

/// Why a requirement has no formula of some kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It uses this predicate, which looks ahead.
    LooksAhead(&'static str),
    /// It uses this predicate, which looks back.
    LooksBack(&'static str),
    /// It takes the previous value of a term that depends on a temporal predicate.
    ValueOfPredicate,
    /// One of its variables is called `LAST`, like the proposition that marks the end.
    LastIsTaken,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::LooksAhead(name) => write!(f, "`{name}` looks into the future"),
            Refusal::LooksBack(name) => write!(f, "`{name}` looks into the past"),
            Refusal::LastIsTaken => {
                write!(f, "a variable is called `{LAST}`, which marks the end of the trace")
            }
            Refusal::ValueOfPredicate => {
                write!(f, "it takes the previous value of a term with a temporal predicate inside")
            }
        }
    }
}
