//! `shall dfrs readings`: where the three readings of the paper differ.

use super::{Loaded, named};
use crate::cli::Output;
use crate::cli::dfrs::Readings as Asked;
use crate::json::Values;
use crate::{Error, Outcome, render};
use dfrs::compare::{Difference, Summary, difference, summaries};
use dfrs::explore::{Budget, Environment};
use dfrs::machine::Infinite;
use dfrs::{Dfrs, Moment, Reading, english};
use logic::Value;
use schemars::JsonSchema;
use serde::Serialize;

/// The most pairs of states that are searched for a difference.
const PAIRS: usize = 20_000;

const PAIRS_OF_READINGS: [(Reading, Reading); 3] = [
    (Reading::Literal, Reading::Current),
    (Reading::Literal, Reading::Synchronous),
    (Reading::Current, Reading::Synchronous),
];

pub(super) fn run(command: &Asked, output: Output) -> Result<Outcome, Error> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let environment = if command.one_input { Environment::OneAtATime } else { Environment::Free };
    let found = compared(system, environment);
    let human = || match &found {
        Ok((summaries, differences)) => render::lines(&human(system, summaries, differences)),
        Err(infinite) => render::lines(&format!("not decided: {}\n", infinite.reason(system))),
    };
    output.show(human, || document(system, found.as_ref()))?;
    Ok(match found {
        Ok((summaries, _)) if summaries.iter().all(|summary| summary.stopped.is_none()) => Outcome::Fine,
        Ok(_) | Err(_) => Outcome::Inconclusive,
    })
}

fn compared(system: &Dfrs, environment: Environment) -> Result<(Vec<Summary>, Vec<Difference>), Infinite> {
    let summaries = summaries(system, environment, Budget::default())?;
    let mut differences = Vec::new();
    for pair in PAIRS_OF_READINGS {
        differences.extend(difference(system, pair, PAIRS)?);
    }
    Ok((summaries, differences))
}

fn rows(summary: &Summary) -> [(&'static str, usize); 6] {
    [
        ("stable states", summary.states),
        ("write conflicts", summary.conflicts),
        ("order matters", summary.order_matters),
        ("time locks", summary.time_locks),
        ("possible time locks", summary.possible_time_locks),
        ("idle requirements", summary.idle_requirements),
    ]
}

fn human(system: &Dfrs, summaries: &[Summary], differences: &[Difference]) -> String {
    let mut out = format!("{:<20}", "");
    for summary in summaries {
        out.push_str(&format!("{:>8}", summary.reading.letter()));
    }
    out.push('\n');
    for row in 0..6 {
        out.push_str(&format!("{:<20}", rows(&summaries[0])[row].0));
        for summary in summaries {
            out.push_str(&format!("{:>8}", rows(summary)[row].1));
        }
        out.push('\n');
    }
    for Difference { readings, steps, first, second } in differences {
        out.push_str(&format!("\n{} and {} differ:\n", readings.0.letter(), readings.1.letter()));
        for (delay, inputs) in steps {
            out.push_str(&format!("    after {delay}: {}\n", facts(system, inputs)));
        }
        for (reading, outcomes) in [(readings.0, first), (readings.1, second)] {
            let outcomes: Vec<String> = outcomes.iter().map(|outputs| facts(system, outputs)).collect();
            let shown =
                if outcomes.is_empty() { "it reacts for ever".into() } else { outcomes.join("; or ") };
            out.push_str(&format!("    {}: {shown}\n", reading.letter()));
        }
    }
    out
}

fn facts(system: &Dfrs, values: &[(usize, Value)]) -> String {
    let fact = |(variable, value): &(usize, Value)| english::fact(system, *variable, Moment::Now, value);
    values.iter().map(fact).collect::<Vec<_>>().join(", ")
}

/// The three readings of a text, and where they differ. If nothing could be decided, only `error` is there.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Readings {
    #[serde(flatten)]
    compared: Option<Compared>,
    /// Why nothing could be decided, or `null`.
    error: Option<String>,
}

/// The readings.
#[derive(Serialize, JsonSchema)]
struct Compared {
    /// Each reading.
    readings: Vec<ReadingCounts>,
    /// For each pair of readings that differ, a shortest difference.
    differences: Vec<ReadingDifference>,
}

/// What is found under a reading.
#[derive(Serialize, JsonSchema)]
struct ReadingCounts {
    /// Its letter.
    reading: String,
    /// The number of stable states.
    stable_states: usize,
    /// The number of write conflicts.
    write_conflicts: usize,
    /// The number of states in which the order of reactions matters.
    order_matters: usize,
    /// The number of time locks.
    time_locks: usize,
    /// The number of possible time locks.
    possible_time_locks: usize,
    /// The number of requirements that never react.
    idle_requirements: usize,
    /// Whether everything was searched.
    complete: bool,
}

/// A difference between two readings.
#[derive(Serialize, JsonSchema)]
struct ReadingDifference {
    /// The letters of the two readings.
    readings: [String; 2],
    /// What leads to the difference.
    steps: Vec<Wait>,
    /// The outputs that are possible under the first.
    first: Vec<Values>,
    /// The outputs that are possible under the second.
    second: Vec<Values>,
}

/// A delay, then new inputs.
#[derive(Serialize, JsonSchema)]
struct Wait {
    /// The delay.
    delay: i64,
    /// The inputs that change.
    inputs: Values,
}

fn document(system: &Dfrs, found: Result<&(Vec<Summary>, Vec<Difference>), &Infinite>) -> Readings {
    let (summaries, differences) = match found {
        Ok((summaries, differences)) => (summaries, differences),
        Err(infinite) => return Readings { compared: None, error: Some(infinite.reason(system)) },
    };
    let row = |summary: &Summary| ReadingCounts {
        reading: summary.reading.letter().to_string(),
        stable_states: summary.states,
        write_conflicts: summary.conflicts,
        order_matters: summary.order_matters,
        time_locks: summary.time_locks,
        possible_time_locks: summary.possible_time_locks,
        idle_requirements: summary.idle_requirements,
        complete: summary.stopped.is_none(),
    };
    let values = |list: &[(usize, Value)]| named(system, list.iter().map(|(place, value)| (*place, value)));
    let apart = |Difference { readings, steps, first, second }: &Difference| ReadingDifference {
        readings: [readings.0.letter().to_string(), readings.1.letter().to_string()],
        steps: steps.iter().map(|(delay, inputs)| Wait { delay: *delay, inputs: values(inputs) }).collect(),
        first: first.iter().map(|it| values(it)).collect(),
        second: second.iter().map(|it| values(it)).collect(),
    };
    let readings = summaries.iter().map(row).collect();
    let differences = differences.iter().map(apart).collect();
    Readings { compared: Some(Compared { readings, differences }), error: None }
}
