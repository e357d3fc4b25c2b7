//! Data-flow reactive systems for other tools.
//!
//! - [`uppaal()`], [`smv()`], [`csp_sharp()`], [`cspm()`]: models for checkers, with the same runs as [`::dfrs::step`];
//!   they share a `plan` of the system in integers, conditions (`expr`) and legal `names`
//! - [`scr_tables`], [`scr_csv`]: the requirements as event, mode and condition tables
//! - [`system_graph`], [`transition_graph`], [`aldebaran`]: the system and its transition system as graphs
//!
//! Invariants: names are always made legal in the same way; what a target cannot express is refused by name, never dropped.

mod csp;
mod expr;
mod graph;
mod names;
mod plan;
mod scr;
mod smv;
mod uppaal;

pub use csp::{csp_sharp, cspm};
pub use graph::{aldebaran, system_graph, transition_graph};
pub use scr::{scr_csv, scr_tables};
pub use smv::smv;
pub use uppaal::uppaal;

use ::dfrs::machine::Infinite;
use ::dfrs::{Clock, Dfrs};
use draw::terminal::plain;

/// Why a system cannot be written for a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The values of a variable or the bounds of a timer are not finitely many.
    Infinite(Infinite),
    /// The target counts time in steps, but the system is to be read in dense time.
    DenseTime {
        /// The language.
        target: &'static str,
    },
    /// A number or a bound does not fit into the 32-bit integers of the target.
    TooLarge {
        /// The number of the variable.
        variable: usize,
    },
    /// The initial value, or one that is compared or assigned, is not a value of the variable.
    UnknownValue {
        /// The number of the variable.
        variable: usize,
    },
    /// Two variables with different lists of names are compared or copied.
    DifferentNames {
        /// The number of the first.
        left: usize,
        /// The number of the second.
        right: usize,
    },
    /// The deadline of a requirement depends on several timers at once.
    SeveralTimers {
        /// The number of the requirement.
        requirement: usize,
    },
}

impl Refusal {
    /// The reason in words.
    pub fn reason(&self, dfrs: &Dfrs) -> String {
        let name = |variable: &usize| dfrs.variables.get(*variable).map_or("?", |it| it.name.as_str());
        match self {
            Refusal::Infinite(infinite) => infinite.reason(dfrs),
            Refusal::DenseTime { target } => format!("{target} counts time in steps: choose discrete time"),
            Refusal::TooLarge { variable } => {
                format!("a number of `{}` does not fit into 32 bits or has too many decimals", name(variable))
            }
            Refusal::UnknownValue { variable } => {
                format!(
                    "`{}` starts with, is assigned or is compared with a value that it cannot have",
                    name(variable)
                )
            }
            Refusal::DifferentNames { left, right } => {
                format!("`{}` and `{}` have different lists of names", name(left), name(right))
            }
            Refusal::SeveralTimers { requirement } => {
                let id = dfrs.requirements.get(*requirement).map_or("?", |it| it.id.as_str());
                format!("the deadline of {id} depends on several timers at once")
            }
        }
    }
}

/// What the model is and the requirements it is made from, as lines of a comment.
fn heading(plan: &plan::Plan, mark: &str) -> String {
    let clock = match plan.semantics.clock {
        Clock::Discrete => "discrete",
        Clock::Dense => "dense",
    };
    let letter = plan.semantics.reading.letter();
    let requirements = plan.dfrs.requirements.iter();
    let restrictions = plan.dfrs.restrictions.iter().map(|it| &it.origin);
    let line = |origin: &::dfrs::Origin| format!("{mark} {}: {}\n", plain(&origin.id), plain(&origin.text));
    let lines = requirements.chain(restrictions).map(line);
    format!(
        "{mark} A data-flow reactive system, reading {letter}, {clock} time.\n{}",
        lines.collect::<String>()
    )
}

/// A comment on the unit of a signal, unless its unit is 1.
fn unit(signal: &plan::Signal, name: &str, mark: &str) -> String {
    match &signal.domain {
        plan::Domain::Numbers(_, scale) if *scale > 1 => {
            format!("{mark} {name} counts units of 1/{scale}.\n")
        }
        plan::Domain::Numbers(..) | plan::Domain::Bool | plan::Domain::Names(_) => String::new(),
    }
}

/// Numbers as a list.
fn list(values: &[i64]) -> String {
    values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}
