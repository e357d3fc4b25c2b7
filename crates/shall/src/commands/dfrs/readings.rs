//! `shall dfrs readings`: where the three readings of the paper differ.

use super::{Loaded, named};
use crate::cli::Output;
use crate::cli::dfrs::Readings;
use crate::{Outcome, json, print, render};
use dfrs::compare::{Difference, Summary, difference, summaries};
use dfrs::explore::{Budget, Environment};
use dfrs::machine::Infinite;
use dfrs::{Dfrs, Moment, Reading, english};
use logic::Value;
use serde_json::{Value as Json, json};

/// So many pairs of states are searched for a difference.
const PAIRS: usize = 20_000;

const PAIRS_OF_READINGS: [(Reading, Reading); 3] = [
    (Reading::Literal, Reading::Current),
    (Reading::Literal, Reading::Synchronous),
    (Reading::Current, Reading::Synchronous),
];

pub(super) fn run(command: &Readings, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let environment = if command.one_input { Environment::OneAtATime } else { Environment::Free };
    let found = compared(system, environment);
    match output {
        Output::Human => {
            let text = match &found {
                Ok((summaries, differences)) => human(system, summaries, differences),
                Err(infinite) => format!("not decided: {}\n", infinite.reason(system)),
            };
            print(render::lines(&text))?;
        }
        Output::Json | Output::JsonLines => {
            let twin = match &found {
                Ok((summaries, differences)) => document(system, summaries, differences),
                Err(infinite) => json!({ "error": infinite.reason(system) }),
            };
            json::write(&[twin], output, false)?;
        }
    }
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

fn document(system: &Dfrs, summaries: &[Summary], differences: &[Difference]) -> Json {
    let readings: Vec<Json> = summaries
        .iter()
        .map(|summary| {
            let mut twin = json!({ "reading": summary.reading.letter().to_string() });
            for (name, count) in rows(summary) {
                twin[name.replace(' ', "_")] = json!(count);
            }
            twin["complete"] = json!(summary.stopped.is_none());
            twin
        })
        .collect();
    let values =
        |list: &[(usize, Value)]| named(system, list.iter().map(|(variable, value)| (*variable, value)));
    let differences: Vec<Json> = differences
        .iter()
        .map(|Difference { readings, steps, first, second }| {
            let steps: Vec<Json> = steps
                .iter()
                .map(|(delay, inputs)| json!({ "delay": delay, "inputs": values(inputs) }))
                .collect();
            let outcomes =
                |list: &[Vec<(usize, Value)>]| list.iter().map(|it| values(it)).collect::<Vec<_>>();
            json!({
                "readings": [readings.0.letter().to_string(), readings.1.letter().to_string()],
                "steps": steps,
                "first": outcomes(first),
                "second": outcomes(second),
            })
        })
        .collect();
    json!({ "readings": readings, "differences": differences, "error": null })
}
