//! Data-flow reactive systems for other tools.
//!
//! - [`uppaal()`], [`smv()`], [`csp_sharp()`], [`cspm()`]: models for checkers, step by step what [`::dfrs::step`] says
//! - [`scr_tables`], [`scr_csv`]: the requirements as event, mode and condition tables
//! - [`system_graph`], [`transition_graph`], [`aldebaran`]: the system and its transition system as graphs
//!
//! Invariants: names are made legal in the same way every time; what a target cannot say is refused by name, never dropped.

mod aut;
mod csp;
mod csp_sharp;
mod cspm;
mod expr;
mod graph;
mod names;
mod plan;
mod scr;
mod smv;
mod uppaal;

pub use aut::aldebaran;
pub use csp_sharp::csp_sharp;
pub use cspm::cspm;
pub use graph::{system_graph, transition_graph};
pub use scr::{scr_csv, scr_tables};
pub use smv::smv;
pub use uppaal::uppaal;

use ::dfrs::Dfrs;
use ::dfrs::machine::Infinite;

/// Why a system or a run cannot be written for a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The values of a variable or the bounds of a timer are not finitely many classes.
    Infinite(Infinite),
    /// The target counts time in steps, and the system is to be read in dense time.
    DenseTime {
        /// The language.
        target: &'static str,
    },
    /// A number or a bound has no place in the whole numbers of 32 bits of the target.
    TooLarge {
        /// The number of the variable.
        variable: usize,
    },
    /// The initial value, or one that is compared or assigned, is none that the variable has.
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
    /// How long a requirement may wait depends on several timers at once.
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
                format!("a number of `{}` does not fit into 32 bits, or is too fine", name(variable))
            }
            Refusal::UnknownValue { variable } => {
                format!(
                    "`{}` starts with, gets or is compared with a value that is not one of its own",
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

/// The requirements as lines of a comment, each behind the mark.
fn trace(dfrs: &Dfrs, mark: &str) -> String {
    let requirements = dfrs.requirements.iter();
    let restrictions = dfrs.restrictions.iter().map(|it| &it.origin);
    let line = |origin: &::dfrs::Origin| {
        format!("{mark} {}: {}\n", draw::terminal::plain(&origin.id), draw::terminal::plain(&origin.text))
    };
    requirements.chain(restrictions).map(line).collect()
}
