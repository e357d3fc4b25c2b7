//! Findings and scenarios in the words of the requirements.

use crate::classes::Interval;
use crate::english;
use crate::findings::{Case, Finding, Grade, Values, What};
use crate::scenario::{Instant, Scenario};
use crate::step::entries;
use crate::system::{Dfrs, Kind, Moment};
use logic::RBig;

impl Grade {
    /// Its name in every output.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Error => "error",
            Grade::Warning => "warning",
            Grade::Note => "note",
        }
    }
}

impl What {
    /// Its name in every output.
    pub fn name(&self) -> &'static str {
        match self {
            What::WriteConflict { .. } => "write-conflict",
            What::OrderMatters => "order-matters",
            What::Simultaneous => "simultaneous",
            What::TimeLock => "time-lock",
            What::PossibleTimeLock => "possible-time-lock",
            What::NeverEnabled => "never-enabled",
            What::Redundant { .. } => "redundant",
            What::NoOutputEffect => "no-output-effect",
            What::ResetDropped { .. } => "reset-dropped",
            What::Uncovered { .. } => "uncovered",
            What::DeadValue { .. } => "dead-value",
            What::NoWayBack { .. } => "no-way-back",
            What::NeverEnds { .. } => "never-ends",
        }
    }
}

/// What was found, as a sentence.
pub fn finding(dfrs: &Dfrs, found: &Finding) -> String {
    let these = ids(dfrs, &found.requirements);
    let of = |variable: usize| english::variable(dfrs, variable);
    match &found.what {
        What::WriteConflict { variable } => {
            format!("{these} assign different values to {} at the same time", of(*variable))
        }
        What::OrderMatters => format!("{these} react at the same time, and their order decides the result"),
        What::Simultaneous => format!("{these} react at the same time and agree"),
        What::TimeLock => format!("{these} keep reacting, so time cannot advance"),
        What::PossibleTimeLock => format!("{these} can keep reacting forever"),
        What::NeverEnabled => format!("{these} can never apply"),
        What::Redundant { like } if like.is_empty() => format!("{these} never changes anything"),
        What::Redundant { like } => format!("{these} changes nothing that {} does not", ids(dfrs, like)),
        What::NoOutputEffect => format!("{these} resets timers, but never changes an output"),
        What::ResetDropped { timers } => {
            let timers: Vec<String> = timers.iter().map(|&timer| of(timer)).collect();
            format!(
                "{these} applies but does not reset {}, because its outputs have their new values already (reading c)",
                timers.join(" and ")
            )
        }
        What::Uncovered { cases } => {
            let cases: Vec<String> = cases.iter().map(|found| case(dfrs, found)).collect();
            match cases.is_empty() {
                true => "no requirement says what to do, whatever happens".to_string(),
                false => format!("no requirement says what to do when {}", cases.join(", and ")),
            }
        }
        What::DeadValue { variable, value } => {
            format!("{} is never {}", of(*variable), english::value(dfrs, *variable, value))
        }
        What::NoWayBack { variable, value } => {
            let value = english::value(dfrs, *variable, value);
            format!("once {} is no longer {value}, it can never be {value} again", of(*variable))
        }
        What::NeverEnds { variable, value } => format!(
            "{these} ends other values of {} after a time, but nothing ends {}",
            of(*variable),
            english::value(dfrs, *variable, value)
        ),
    }
}

/// A condition on a variable: `the voltage is greater than 80`.
pub fn case(dfrs: &Dfrs, case: &Case) -> String {
    let verb = match case.moment {
        Moment::Now => "is",
        Moment::Before => "was",
    };
    let values: Vec<String> = match &case.values {
        Values::Any(values) => {
            values.iter().map(|value| english::value(dfrs, case.variable, value)).collect()
        }
        Values::Intervals(intervals) => intervals.iter().map(interval).collect(),
    };
    format!("{} {verb} {}", english::variable(dfrs, case.variable), values.join(" or "))
}

fn interval(Interval { low, high }: &Interval) -> String {
    let from = |(number, included): &(RBig, bool)| {
        let than = if *included { "greater than or equal to" } else { "greater than" };
        format!("{than} {}", english::number(number))
    };
    let to = |(number, included): &(RBig, bool)| {
        let than = if *included { "lower than or equal to" } else { "lower than" };
        format!("{than} {}", english::number(number))
    };
    match (low, high) {
        (None, None) => "any number".to_string(),
        (Some((low, _)), Some((high, _))) if low == high => english::number(low),
        (Some(low), None) => from(low),
        (None, Some(high)) => to(high),
        (Some(low), Some(high)) => format!("{} and {}", from(low), to(high)),
    }
}

/// A scenario, one line for each moment: what the environment does, which requirements react, what the outputs become.
pub fn scenario(dfrs: &Dfrs, scenario: &Scenario) -> Vec<String> {
    let mut values: Vec<_> = dfrs.variables.iter().map(|variable| variable.initial.clone()).collect();
    scenario
        .instants
        .iter()
        .map(|Instant { time, inputs, fired, outputs }| {
            let mut changes = |list: &[(usize, logic::Value)]| {
                let changed = list.iter().filter(|(variable, value)| {
                    dfrs.variables[*variable].kind != Kind::Timer && values[*variable] != *value
                });
                let changed: Vec<(usize, logic::Value)> = changed.cloned().collect();
                let words = changed
                    .iter()
                    .map(|(variable, value)| english::fact(dfrs, *variable, Moment::Now, value))
                    .collect::<Vec<_>>()
                    .join(", ");
                for (variable, value) in changed {
                    values[variable] = value;
                }
                words
            };
            let happens = changes(inputs);
            let becomes = changes(outputs);
            let by: Vec<&str> = fired
                .iter()
                .filter_map(|&entry| entries(dfrs).nth(entry))
                .map(|entry| dfrs.requirements[entry.requirement].id.as_str())
                .collect();
            let mut line = format!("at {}", english::number(time));
            line.push_str(&match happens.is_empty() {
                true => ": no input changes".to_string(),
                false => format!(": {happens}"),
            });
            if !by.is_empty() {
                let then = if becomes.is_empty() { "nothing changes".to_string() } else { becomes };
                line.push_str(&format!("; then {then} (by {})", by.join(", ")));
            }
            line
        })
        .collect()
}

/// The ids of requirements: `REQ001, REQ002 and REQ003`.
pub fn ids(dfrs: &Dfrs, requirements: &[usize]) -> String {
    let ids: Vec<&str> = requirements.iter().map(|&number| dfrs.requirements[number].id.as_str()).collect();
    match ids.split_last() {
        None => String::new(),
        Some((one, [])) => (*one).to_string(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
