//! What the analyses say about the example systems, and how long they take:
//! under each reading, with a free environment and with one that changes one input at a time.

#[path = "../tests/support/mod.rs"]
mod support;

use dfrs::explore::{Budget, Environment};
use dfrs::findings::analyse;
use dfrs::{Reading, Semantics};
use std::time::Instant;

fn main() {
    for (name, dfrs) in support::examples() {
        for reading in Reading::ALL {
            for environment in [Environment::Free, Environment::OneAtATime] {
                let start = Instant::now();
                match analyse(&dfrs, Semantics::discrete(reading), environment, Budget::default()) {
                    Ok(analysis) => {
                        println!(
                            "{name} {reading:?} {environment:?}: {} states, {} situations, {} silent, plainly consistent {}, {:.1} ms",
                            analysis.states,
                            analysis.situations,
                            analysis.coverage.silent,
                            analysis.plainly_consistent,
                            start.elapsed().as_secs_f64() * 1e3
                        );
                        for finding in &analysis.findings {
                            println!("  {}", support::line(&dfrs, finding));
                        }
                    }
                    Err(reason) => println!("{name}: {}", reason.reason(&dfrs)),
                }
            }
        }
    }
}
