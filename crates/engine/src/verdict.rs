//! What comes out: verdicts with their evidence, and the reasons for having none.

use std::fmt;
use system::{Expr, Pool, Run, System};

/// The verdicts about the system of one part of a model.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name of the part: a node or a subsystem.
    pub node: String,
    /// Its system.
    pub system: System,
    /// The callees whose contracts replace their bodies.
    pub replaced: Vec<String>,
    /// The verdicts.
    pub verdicts: Vec<Verdict>,
    /// The callees among them whose contracts are not proved: `valid` holds only if they keep them.
    pub assumes: Vec<String>,
}

/// What is known about one property.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Its place in the system.
    pub property: usize,
    /// Valid, invalid or unknown, with evidence.
    pub answer: Answer,
    /// The engine that found it.
    pub engine: &'static str,
    /// In so many first steps the property does not fail, as far as was shown.
    pub depth: usize,
    /// No behaviour meets the assumptions at its first step, so that the property says nothing.
    pub vacuous: bool,
    /// The time that was spent on it, by the clock of the budget.
    pub spent: std::time::Duration,
}

/// The answer to the question whether a property holds at every step of every behaviour.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It does; the certificate was checked.
    Valid(Certificate),
    /// It does not; the run was replayed.
    Invalid(Counterexample),
    /// Not decided, for this reason.
    Unknown(Why),
}

/// A run that ends with a violation.
#[derive(Clone, PartialEq, Debug)]
pub struct Counterexample {
    /// The run in exact numbers. If the system has functions such as sine, values that depend on them are undefined here.
    pub run: Run,
    /// Then this is the same run in doubles. The violation was confirmed with bounds on every value, so that it does not
    /// depend on rounding.
    pub rounded: Option<Run<f64>>,
}

/// Why a property holds. Expressions are those of the system, and further ones in `pool`, which begins with the system's own.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The system's expressions, and those of the invariant.
    pub pool: Pool,
    /// Holds at every step of every behaviour: with the property it is k-inductive.
    pub invariant: Expr,
    /// The kind of argument.
    pub proof: Proof,
}

/// The kinds of argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Property and invariant hold in the first `k` steps of every behaviour, and wherever they hold in `k` steps that follow each
    /// other they hold in the next one.
    Induction {
        /// How many steps, at least one.
        k: usize,
        /// The `k + 1` states are taken to be pairwise different, which suffices (a shortest violation repeats no state).
        distinct: bool,
    },
    /// The assumptions admit no behaviour of so many steps, and in all shorter ones the property holds.
    Ends {
        /// Steps.
        length: usize,
    },
    /// A search met every state. It was not confirmed by an inductive argument.
    Explored,
}

/// Why a property is not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The time was up.
    Time,
    /// The solver failed, in words.
    Solver(String),
    /// The solver gave up on a question.
    Undecided,
    /// A violation was found, but only with values that are undefined (a division by zero), not exact, or that a function does not have.
    NotReplayed,
    /// Something that the built-in engine does not represent, and there is no solver.
    Unsupported(&'static str),
    /// A limit of an engine was reached.
    Limit(&'static str),
    /// A proof did not stand the check. This is a fault in the tool or in the solver.
    BadCertificate,
    /// A violation was found only with contracts in the place of the bodies of callees.
    OnlyAbstract,
    /// There is no such property.
    NoSuchProperty,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Time => f.write_str("the time was up"),
            Why::Solver(words) => write!(f, "the solver failed: {words}"),
            Why::Undecided => f.write_str("the solver gave up"),
            Why::NotReplayed => f.write_str(
                "a violation was found only with values that are undefined, inexact or not those of a function",
            ),
            Why::Unsupported(what) => write!(f, "{what} need a solver"),
            Why::Limit(what) => write!(f, "too many {what}"),
            Why::BadCertificate => f.write_str("a proof did not stand the check; this is a fault in the tool"),
            Why::OnlyAbstract => {
                f.write_str("a violation was found only with contracts in the place of callees, and not decided with their bodies")
            }
            Why::NoSuchProperty => f.write_str("there is no such property"),
        }
    }
}

impl Answer {
    /// Whether it is neither valid nor invalid.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}
