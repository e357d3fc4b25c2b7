//! Questions about requirements and formulas, and their answers.
//!
//! - [`compare()`]: is one stronger than the other, and which trace distinguishes them?
//! - [`examples()`]: on which traces does it hold, and on which not?
//! - [`lint()`]: can a requirement ever be violated, ever hold, does its condition matter? [`Linter`] does this for many
//!
//! Answers are exact, for finite traces of every length or for infinite traces; if a limit is reached the answer is [`Undecided`].
//! Every trace is replayed by evaluators that are independent of the search before it is returned.

mod abstraction;
mod canonical;
mod compare;
mod examples;
pub mod lint;
mod linter;
mod question;
mod sampling;
mod short_lassos;

pub use compare::{Comparison, Relation, compare};
pub use examples::{Examples, examples};
pub use lint::{Finding, lint};
pub use linter::{Answer, Linter};
pub use question::{Subject, Traces, Undecided};
