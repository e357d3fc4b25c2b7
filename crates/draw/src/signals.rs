//! A scenario of a data-flow reactive system as signals over time (Fig. 3 of the paper): a lane for each input, output and
//! timer, and a mark where requirements react.
//!
//! Signals are lines in steps between their values, timers lines that rise from each reset. This module computes what is
//! drawn; `svg` and `text` only place it.

mod svg;
mod text;

pub use svg::signals_svg;
pub use text::signals_text;

use ::dfrs::replay::show;
use ::dfrs::scenario::Scenario;
use ::dfrs::{Dfrs, Effect, Kind, Moment, Sort, english, step};
use logic::{RBig, Value};
use std::fmt;

/// Why a scenario cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It names a variable, an entry or a time that the system does not have.
    BadRun {
        /// The number of the instant.
        instant: usize,
    },
    /// It has no instants.
    EmptyRun,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::BadRun { instant } => {
                write!(f, "step {instant} of the scenario does not belong to this system")
            }
            Refusal::EmptyRun => write!(f, "the scenario is empty"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Enumerations with more values than this show only the values of the run.
const MOST_LEVELS: usize = 6;

/// A scenario, ready to be drawn.
struct Run {
    times: Vec<RBig>,
    /// For each instant, the ids of the requirements that react, in order.
    reacts: Vec<Vec<String>>,
    lanes: Vec<Lane>,
    /// For each instant, what changes, in words.
    words: Vec<String>,
}

struct Lane {
    name: String,
    kind: Kind,
    track: Track,
}

enum Track {
    /// The values from bottom to top, and for each instant the index of its value.
    Levels { labels: Vec<String>, at: Vec<usize> },
    /// For each instant, the age before and after the reactions.
    Ages { before: Vec<RBig>, after: Vec<RBig> },
}

impl Run {
    fn of(dfrs: &Dfrs, scenario: &Scenario) -> Result<Run, Refusal> {
        if scenario.instants.is_empty() {
            return Err(Refusal::EmptyRun);
        }
        let entries: Vec<&::dfrs::Entry> = step::entries(dfrs).collect();
        let mut run = Run { times: Vec::new(), reacts: Vec::new(), lanes: Vec::new(), words: Vec::new() };
        for (number, instant) in scenario.instants.iter().enumerate() {
            let ordered =
                run.times.last().is_none_or(|last| *last < instant.time) && instant.time >= RBig::ZERO;
            let known = instant.fired.iter().all(|&entry| entry < entries.len());
            if !ordered || !known {
                return Err(Refusal::BadRun { instant: number });
            }
            run.times.push(instant.time.clone());
            let id =
                |&entry: &usize| dfrs.requirements.get(entries[entry].requirement).map(|it| it.id.clone());
            let mut ids: Vec<String> = instant.fired.iter().filter_map(id).collect();
            ids.dedup();
            run.reacts.push(ids);
        }
        for (variable, it) in dfrs.variables.iter().enumerate() {
            let track = match it.kind {
                Kind::Input | Kind::Output => levels(dfrs, variable, scenario)?,
                Kind::Timer => ages(&entries, variable, scenario),
            };
            run.lanes.push(Lane { name: it.name.replace('_', " "), kind: it.kind, track });
        }
        for number in 0..run.times.len() {
            let words = run.instant(dfrs, scenario, number);
            run.words.push(words);
        }
        Ok(run)
    }

    /// What changes at an instant, as a sentence.
    fn instant(&self, dfrs: &Dfrs, scenario: &Scenario, number: usize) -> String {
        let instant = &scenario.instants[number];
        let old = number.checked_sub(1).map(|before| &scenario.instants[before]);
        let facts = |values: &[(usize, Value)], old: Option<&Vec<(usize, Value)>>| -> Vec<String> {
            let new = values.iter().filter(|value| old.is_none_or(|old| !old.contains(value)));
            new.map(|(variable, value)| english::fact(dfrs, *variable, Moment::Now, value)).collect()
        };
        let mut parts = facts(&instant.inputs, old.map(|old| &old.inputs));
        if !self.reacts[number].is_empty() {
            parts.push(format!("{} reacts", self.reacts[number].join(", then ")));
        }
        parts.extend(facts(&instant.outputs, old.map(|old| &old.outputs)));
        let what = if parts.is_empty() { "nothing new".to_owned() } else { parts.join(", ") };
        format!("At time {}: {what}.", english::number(&instant.time))
    }
}

fn levels(dfrs: &Dfrs, variable: usize, scenario: &Scenario) -> Result<Track, Refusal> {
    let mut values: Vec<&Value> = Vec::new();
    for (number, instant) in scenario.instants.iter().enumerate() {
        let found = instant.inputs.iter().chain(&instant.outputs).find(|(other, _)| *other == variable);
        values.push(found.map(|(_, value)| value).ok_or(Refusal::BadRun { instant: number })?);
    }
    let mut known: Vec<Value> = match &dfrs.variables[variable].sort {
        Sort::Bool { .. } => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Names(names) if names.len() <= MOST_LEVELS => names.iter().cloned().map(Value::Name).collect(),
        Sort::Names(_) | Sort::Int | Sort::Real => Vec::new(),
    };
    let mut others: Vec<&Value> = values.iter().copied().filter(|value| !known.contains(value)).collect();
    others.sort_by(|left, right| match (left, right) {
        (Value::Num(left), Value::Num(right)) => left.cmp(right),
        (left, right) => english::plain(left).cmp(&english::plain(right)),
    });
    others.dedup();
    known.extend(others.into_iter().cloned());
    let at = values.iter().map(|value| known.iter().position(|it| it == *value).unwrap_or(0)).collect();
    let labels = known.iter().map(|value| crate::terminal::plain(&show(dfrs, variable, value))).collect();
    Ok(Track::Levels { labels, at })
}

fn ages(entries: &[&::dfrs::Entry], timer: usize, scenario: &Scenario) -> Track {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut reset = RBig::ZERO;
    for instant in &scenario.instants {
        before.push(&instant.time - &reset);
        let resets = instant.fired.iter().any(|&entry| {
            let effect = &entries[entry].effect;
            effect.iter().any(|it| it.variable == timer && it.effect == Effect::Reset)
        });
        if resets {
            reset = instant.time.clone();
        }
        after.push(&instant.time - &reset);
    }
    Track::Ages { before, after }
}

/// The word for what a lane shows.
fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Input => "input",
        Kind::Output => "output",
        Kind::Timer => "timer",
    }
}
