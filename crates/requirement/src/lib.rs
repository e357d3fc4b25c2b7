//! What requirements mean: from FRETish sentences to verdicts and formulas.
//!
//! ```
//! use shall_requirement::{Sentence, Trace};
//!
//! let mut sentence = Sentence::read("when pressed the lamp shall within 2 ticks satisfy lit")?;
//! let past = sentence.past()?;
//! assert_eq!(sentence.print(past), "H (O[=2] (pressed & Z !pressed) -> O[<=2] lit)");
//! let trace = Trace::of([("pressed", [true, false, false]), ("lit", [false, false, true])])?;
//! assert!(sentence.holds_on(&trace)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Sentence`]: one parsed sentence; [`read`](sentence::read) for many sentences in one store
//! - [`Requirement`]: what every language is lowered to ([`lower`]); [`template`], [`specification`]: requirements as they are
//!   enumerated and collected
//! - [`meaning`]: defined several times, independently: by the interval [`oracle`], as a [`past()`] formula and as [`future()`] formulas
//! - [`explain`]: a requirement in English, why it fails, and as a scene ([`diagram`])
//! - [`witness`], [`vectors`]: example traces and test traces, with verdicts
//!
//! Invariants: lowering never fails and never panics, errors in a sentence are a list of diagnostics; the oracle shares no code with
//! the formula generators.

pub mod codes;
pub mod explain;
mod lower;
pub mod meaning;
mod requirement;
pub mod sentence;
pub mod specification;
pub mod template;
#[cfg(feature = "testing")]
pub mod testing;
pub mod vectors;
pub mod witness;

pub use explain::diagram;
pub use explain::reason::{Missing, failure, missing, reason};
pub use logic::{Trace, Value};
pub use lower::{
    Context, Field, Fields, Lowered, Occurrence, Sorts, Step, StepError, is_predefined, lower, lower_formula,
    occurrences, result,
};
#[cfg(feature = "testing")]
pub use meaning::definitions;
pub use meaning::{
    Deciding, Decision, Ending, LAST, Moment, Parts, Reading, Refusal, Watch, decisions, future, moments,
    oracle, parts, past, watch,
};
pub use requirement::{Condition, Key, Predicate, Requirement, Scope, Timing};
pub use sentence::{ReadError, Sentence};
#[cfg(feature = "testing")]
pub use testing::agreement;
