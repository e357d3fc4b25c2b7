//! Verdicts with their evidence, and the reasons why a property is not decided.

use crate::liveness::Measure;
use crate::solver::session::SolverError;
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
    /// The callees among them whose contracts are not proved: `valid` holds only if they satisfy them.
    pub assumes: Vec<String>,
}

/// The verdict about one property.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Its index in the system.
    pub property: usize,
    /// Valid, invalid or unknown, with evidence.
    pub answer: Answer,
    /// The engine that found it.
    pub engine: &'static str,
    /// The number of initial steps in which the property was shown not to fail.
    pub depth: usize,
    /// No behaviour satisfies the assumptions at its first step, so the property holds vacuously.
    pub vacuous: bool,
    /// The time spent on it, by the clock of the budget.
    pub spent: std::time::Duration,
}

/// Whether a property holds at every step of every behaviour, and what it demands to recur does on every infinite one.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It does, and the certificate was checked.
    Valid(Certificate),
    /// It does not, and the counterexample was replayed.
    Invalid(Counterexample),
    /// Not decided, for this reason.
    Unknown(Why),
}

/// A trace of the system that ends with a violation, or repeats for ever without what must recur.
#[derive(Clone, PartialEq, Debug)]
pub struct Counterexample {
    /// The trace in exact numbers. If the system has functions such as sine, values that depend on them are undefined here.
    pub run: Run,
    /// In that case, the same trace in doubles. The violation was confirmed with bounds on every value, so it does not depend on
    /// rounding.
    pub rounded: Option<Run<f64>>,
    /// If no step violates the property, but all of them together: the loop that repeats for ever, up to the last step.
    pub repeats: Option<Loop>,
}

/// The end of a trace that repeats for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Its first step.
    pub start: usize,
    /// The variables and outputs that do not repeat, such as a counter that only grows. The violation does not depend on what makes
    /// them differ.
    pub drifting: Vec<String>,
}

/// Why a property holds. `pool` begins with the expressions of the system; those of the invariant follow.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The system's expressions, and those of the invariant.
    pub pool: Pool,
    /// Holds at every step of every behaviour: with the property it is k-inductive.
    pub invariant: Expr,
    /// The kind of argument.
    pub proof: Proof,
    /// Why what the property demands to recur does so, if there is such a condition.
    pub recurrence: Option<Box<Recurrence>>,
}

/// Why a condition recurs on every infinite behaviour.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// What is measured while it fails.
    pub measure: Measure,
    /// Why the measure holds: about the system together with what the measure needs.
    pub certificate: Certificate,
}

/// The kinds of argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Property and invariant hold in the first `k` steps of every behaviour, and wherever they hold in `k` consecutive steps they
    /// hold in the next one.
    Induction {
        /// The number of steps, at least one.
        k: usize,
        /// Whether the `k + 1` states are assumed to be pairwise different. That is enough: a shortest violation repeats no state.
        distinct: bool,
    },
    /// The assumptions admit no behaviour of `length` steps, and the property holds in all shorter ones.
    Ends {
        /// The number of steps.
        length: usize,
    },
    /// A search visited every state. No inductive argument confirms it.
    Explored,
}

/// Why a property is not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The timeout was reached.
    Time,
    /// The solver failed; the text says how.
    Solver(String),
    /// The solver gave up on a query.
    Undecided,
    /// A violation was found, but only with values that are undefined (a division by zero), inexact, or not values of the function.
    NotReplayed,
    /// The built-in solver does not support this, and no other solver is available.
    Unsupported(&'static str),
    /// A limit of an engine was reached.
    Limit(&'static str),
    /// A proof failed its re-check: a bug in the tool or in the solver.
    BadCertificate,
    /// A violation was found only with contracts in place of the callees' bodies.
    OnlyAbstract,
    /// There is no such property.
    NoSuchProperty,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Time => f.write_str("timeout"),
            Why::Solver(words) => write!(f, "the solver failed: {words}"),
            Why::Undecided => f.write_str("the solver gave up"),
            Why::NotReplayed => f.write_str(
                "the only violation found has undefined or inexact values, or values that a function does not return",
            ),
            Why::Unsupported(what) => write!(f, "{what} need an SMT solver, and none is available"),
            Why::Limit(what) => write!(f, "too many {what}"),
            Why::BadCertificate => f.write_str("a proof failed its re-check; please report this"),
            Why::OnlyAbstract => {
                f.write_str("a violation was found only with contracts in place of callees; with their bodies the property is not decided")
            }
            Why::NoSuchProperty => f.write_str("there is no such property"),
        }
    }
}

impl From<SolverError> for Why {
    fn from(error: SolverError) -> Why {
        match error {
            SolverError::Stopped => Why::Time,
            SolverError::Broken(how) => Why::Solver(how),
        }
    }
}

impl Answer {
    /// Whether the property is not decided.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}
