//! What the three readings make of the example systems, as a table,
//! and the shortest runs that tell them apart.

#[path = "../tests/support/mod.rs"]
mod support;

use dfrs::Reading::{Current, Literal, Synchronous};
use dfrs::compare::{difference, summaries};
use dfrs::explore::{Budget, Environment};

fn main() {
    for (name, dfrs) in support::examples() {
        for environment in [Environment::Free, Environment::OneAtATime] {
            for row in summaries(&dfrs, environment, Budget::default()).unwrap_or_default() {
                println!(
                    "{name} {environment:?} {}: {} states, {} conflicts, {} orders matter, {} + {} time locks, {} idle requirements",
                    row.reading.letter(),
                    row.states,
                    row.conflicts,
                    row.order_matters,
                    row.time_locks,
                    row.possible_time_locks,
                    row.idle_requirements
                );
            }
        }
        for readings in [(Literal, Synchronous), (Current, Synchronous), (Literal, Current)] {
            if let Ok(Some(found)) = difference(&dfrs, readings, 10_000) {
                let show = |values: &[(usize, logic::Value)]| {
                    let shown = values.iter().map(|(variable, value)| {
                        format!(
                            "{}={}",
                            dfrs.variables[*variable].name,
                            dfrs::replay::show(&dfrs, *variable, value)
                        )
                    });
                    shown.collect::<Vec<_>>().join(" ")
                };
                let all = |sets: &[Vec<(usize, logic::Value)>]| {
                    sets.iter().map(|it| show(it)).collect::<Vec<_>>().join(" or ")
                };
                println!("  {} and {} differ:", readings.0.letter(), readings.1.letter());
                for (by, inputs) in &found.steps {
                    println!("    after {by}: {}", show(inputs));
                }
                println!("    {}: {}", readings.0.letter(), all(&found.first));
                println!("    {}: {}", readings.1.letter(), all(&found.second));
            }
        }
    }
}
