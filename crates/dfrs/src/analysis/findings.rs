//! What is wrong with a system, or worth knowing: each finding is graded, names requirements, and comes with a shortest scenario.
//!
//! All analyses read one [`Exploration`]. It has no bound on time: if its budget sufficed, what is not found is not there.

use super::{consistency, reachability, resets, values};
use crate::classes::Interval;
use crate::completeness::{self, Coverage};
use crate::explore::{Budget, Environment, Exploration, Stop, explore};
use crate::machine::Infinite;
use crate::machine::compile;
use crate::reading::Semantics;
use crate::scenario::Scenario;
use crate::system::{Dfrs, Moment};
use logic::Value;

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was found.
    pub what: What,
    /// How bad it is.
    pub grade: Grade,
    /// The numbers of the requirements it is about, in order.
    pub requirements: Vec<usize>,
    /// How it comes about, if something happens.
    pub scenario: Option<Scenario>,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// The requirements contradict each other or stop time.
    Error,
    /// Very likely not meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Two requirements assign different values to one output at the same time.
    WriteConflict {
        /// The number of the output.
        variable: usize,
    },
    /// The order in which two requirements react decides where the system ends up.
    OrderMatters,
    /// Two requirements react at the same time, and agree.
    Simultaneous,
    /// Reactions go on forever, whatever happens.
    TimeLock,
    /// Reactions can go on forever.
    PossibleTimeLock,
    /// The guard of a requirement never holds.
    NeverEnabled,
    /// A requirement changes nothing that others do not change in the same way.
    Redundant {
        /// The numbers of those others; none if it never changes anything.
        like: Vec<usize>,
    },
    /// A requirement resets timers, but never changes an output.
    NoOutputEffect,
    /// A requirement applies, but does not reset its timers, because its outputs have their new values already.
    ResetDropped {
        /// The numbers of the timers.
        timers: Vec<usize>,
    },
    /// No requirement says what to do: a warning if inputs change in this case, and a note if nothing has to change.
    Uncovered {
        /// In which cases: all of these.
        cases: Vec<Case>,
    },
    /// An output never has a value.
    DeadValue {
        /// The number of the output.
        variable: usize,
        /// The value.
        value: Value,
    },
    /// An output loses a value and can never have it again.
    NoWayBack {
        /// The number of the output.
        variable: usize,
        /// The value.
        value: Value,
    },
    /// A requirement ends all values of an output after a time, but not this one, and no other does.
    NeverEnds {
        /// The number of the output.
        variable: usize,
        /// The value.
        value: Value,
    },
}

/// A condition on a variable, as data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The number of the variable.
    pub variable: usize,
    /// Its current or previous value.
    pub moment: Moment,
    /// The values.
    pub values: Values,
}

/// A set of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// Booleans or names.
    Any(Vec<Value>),
    /// Numbers, or ages of a timer.
    Intervals(Vec<Interval>),
}

/// What an analysis found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The worst first.
    pub findings: Vec<Finding>,
    /// Whether no two guards that assign different values can hold together: consistency without a search.
    pub plainly_consistent: bool,
    /// How many situations have no requirement.
    pub coverage: Coverage,
    /// How many stable states there are, up to values and ages that nothing tells apart.
    pub states: usize,
    /// How many situations.
    pub situations: usize,
    /// Why the search is not complete; `None` if it is.
    pub stopped: Option<Stop>,
}

/// Analyses a system; fails if it does not have finitely many classes of values.
pub fn analyse(
    dfrs: &Dfrs,
    semantics: Semantics,
    environment: Environment,
    budget: Budget,
) -> Result<Analysis, Infinite> {
    let machine = compile(dfrs, semantics)?;
    Ok(examine(&explore(&machine, environment, budget)))
}

/// Analyses what an exploration found.
pub fn examine(found: &Exploration<'_, '_>) -> Analysis {
    let conflicts = consistency::suspects(found.machine);
    let (coverage, gaps) = completeness::gaps(found);
    let mut findings = consistency::conflicts(found, &conflicts);
    findings.extend(consistency::locks(found));
    findings.extend(resets::dropped(found));
    findings.extend(gaps);
    // What was not found may still be there if the search was not complete.
    if found.stopped.is_none() {
        findings.extend(reachability::requirements(found));
        findings.extend(values::values(found));
    }
    findings.sort_by_key(|finding| finding.grade);
    Analysis {
        findings,
        plainly_consistent: conflicts.is_empty(),
        coverage,
        states: found.nodes.len(),
        situations: found.situations.len(),
        stopped: found.stopped,
    }
}
