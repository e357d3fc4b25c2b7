//! The meanings of a requirement, each defined independently: by the [`oracle`], as [`past()`] and [`future()`] formulas, and, with
//! the feature `testing`, as first-order `definitions`. Games use a third form: [`parts()`].
//!
//! The formula generators share what they demand from a trigger: a timing and a response, after the denial for `only` scopes. Denial
//! is not negation: it is as lenient about the end of an interval as the timing.

#[cfg(feature = "testing")]
pub mod definitions;
mod future;
mod moments;
pub mod oracle;
mod parts;
mod past;
mod watch;

use crate::{Requirement, Timing};
use logic::{Formula, Store};
use std::fmt;

pub use future::{Ending, LAST, future};
pub use moments::{Deciding, Decision, Moment, decisions, moments};
pub use parts::{Parts, Reading, parts};
pub use past::past;
pub(crate) use past::{Cut, fill, fill_term};
pub use watch::{Watch, watch};

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

impl std::error::Error for Refusal {}

/// A demand of each trigger.
#[derive(Debug, Clone, Copy)]
enum Demand {
    /// The response, at the time the timing requires.
    Meet(Timing, Formula),
    /// The denial of `after n`: a response too early, or none at the point itself.
    Avoid(u64, Formula),
}

/// The demand of a requirement whose response and stop have been filled in.
fn demand(store: &mut Store, requirement: &Requirement, timing: Timing, response: Formula) -> Demand {
    if !requirement.scope.denies() {
        return match timing {
            Timing::Never => Demand::Meet(Timing::Always, store.not(response)),
            other => Demand::Meet(other, response),
        };
    }
    let absent = store.not(response);
    match timing {
        Timing::Immediately => Demand::Meet(Timing::Immediately, absent),
        Timing::Next => Demand::Meet(Timing::Next, absent),
        Timing::Finally => Demand::Meet(Timing::Finally, absent),
        Timing::Always => Demand::Meet(Timing::Eventually, absent),
        Timing::Never => Demand::Meet(Timing::Eventually, response),
        Timing::Eventually => Demand::Meet(Timing::Always, absent),
        Timing::Within(steps) => Demand::Meet(Timing::For(steps), absent),
        Timing::For(steps) => Demand::Meet(Timing::Within(steps), absent),
        Timing::After(steps) => Demand::Avoid(steps, response),
        Timing::Until(stop) => Demand::Meet(Timing::Before(stop), absent),
        Timing::Before(stop) => Demand::Meet(Timing::Until(stop), absent),
    }
}
