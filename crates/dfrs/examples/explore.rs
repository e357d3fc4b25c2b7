//! How large the example systems are, and how long it takes to search them:
//! under each reading, in discrete and in dense time.

#[path = "../tests/support/mod.rs"]
mod support;

use dfrs::explore::{Budget, Environment, explore};
use dfrs::{Clock, Reading, Semantics, compile};
use std::time::Instant;

fn main() {
    for (name, dfrs) in support::examples() {
        for clock in [Clock::Discrete, Clock::Dense] {
            for reading in Reading::ALL {
                let start = Instant::now();
                let machine = compile(&dfrs, Semantics { reading, clock }).expect("finite");
                let found = explore(&machine, Environment::Free, Budget::default());
                println!(
                    "{name} {reading:?} {clock:?}: {} nodes, {} situations, {} edges, {} steps, {:?}, {:.1} ms",
                    found.nodes.len(),
                    found.situations.len(),
                    found.edges.len(),
                    found.steps,
                    found.stopped,
                    start.elapsed().as_secs_f64() * 1e3
                );
            }
        }
    }
}
