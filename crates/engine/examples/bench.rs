//! The time of each engine on hand-made systems: `cargo run --release -p shall-engine --example bench`.
//!
//! One row for each system, one column for each engine alone and for all together, in milliseconds.

#[path = "../tests/support/mod.rs"]
mod support;

use engine::{Answer, Config, Connect, Engine, NoSolver, verify};
use std::time::Instant;
use support::{made, seconds, z3};

fn main() {
    let systems = [
        ("saturating 5", made::saturating(5, 5)),
        ("saturating 1000", made::saturating(1000, 1000)),
        ("saturating 50, fails", made::saturating(50, 49)),
        ("chain 40", made::chain(40)),
        ("even", made::even()),
        ("twins", made::twins()),
        ("square", made::square(4)),
        ("sine", made::sine(1)),
    ];
    let alone: Vec<Vec<Engine>> = vec![
        vec![Engine::Bmc],
        vec![Engine::Induction],
        vec![Engine::Ic3],
        vec![Engine::Invariants, Engine::Induction],
        vec![Engine::Explicit],
        vec![Engine::Random],
        Engine::ALL.to_vec(),
    ];
    let z3 = z3();
    let solver: &dyn Connect = match &z3 {
        Some(z3) => z3,
        None => &NoSolver,
    };
    println!(
        "{:22}{:>13}{:>13}{:>13}{:>13}{:>13}{:>13}{:>13}",
        "", "bmc", "induction", "ic3", "invariants", "explicit", "random", "all"
    );
    for (name, system) in &systems {
        print!("{name:22}");
        for engines in &alone {
            let left = seconds(2);
            let begun = Instant::now();
            let verdict = verify(system, &[0], &Config { engines, ..Config::new(&left, solver) }).remove(0);
            let mark = match verdict.answer {
                Answer::Valid(_) => "valid",
                Answer::Invalid(_) => "fails",
                Answer::Unknown(_) => "?",
            };
            print!("{:>7.0} {mark:5}", begun.elapsed().as_secs_f64() * 1000.0);
        }
        println!();
    }
}
