//! Makes the suites of the example systems and prints what is in them: `cargo run --release --example suite [name]`.

use dfrs::suite::{Fate, Obligation, Options, Status, csv, generate};
use dfrs::{lower, read};
use std::path::Path;
use std::time::Instant;

const EXAMPLES: [&str; 5] =
    ["vending_machine_5", "vending_machine_6", "safety_injection", "priority_command", "turn_indicator"];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let names = if wanted.is_empty() { EXAMPLES.map(str::to_owned).to_vec() } else { wanted.clone() };
    for name in names {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/dfrs/{name}.req"));
        let Some(dfrs) = std::fs::read_to_string(path).ok().and_then(|text| lower(&read(&text)).system)
        else {
            eprintln!("{name}: no system");
            continue;
        };
        let start = Instant::now();
        let covering = generate(&dfrs, Options { mutants: false, ..Options::default() });
        let covered = start.elapsed();
        let start = Instant::now();
        let suite = match generate(&dfrs, Options::default()) {
            Ok(suite) => suite,
            Err(infinite) => {
                eprintln!("{name}: {}", infinite.reason(&dfrs));
                continue;
            }
        };
        let all = start.elapsed();
        let vectors = suite.vectors();
        println!(
            "{name}: {} cases, {vectors} vectors, {:.1} per requirement",
            suite.cases.len(),
            vectors as f64 / dfrs.requirements.len() as f64
        );
        println!(
            "  without mutants {:?} vectors in {covered:?}, all in {all:?}, ambiguous situations {}",
            covering.map(|it| it.vectors()),
            suite.ambiguous
        );
        println!("  fires   {:?}", suite.tally(Obligation::fires));
        println!("  decides {:?}", suite.tally(Obligation::decides));
        println!("  bound   {:?}", suite.tally(Obligation::bound));
        println!("  pair    {:?}", suite.tally(Obligation::pair));
        println!("  mutants {} {:?}", suite.mutants.len(), suite.score());
        if !wanted.is_empty() {
            print!("{}", csv(&dfrs, &suite.cases));
            for (obligation, status) in
                suite.obligations.iter().filter(|it| !it.0.pair() && !matches!(it.1, Status::Covered(_)))
            {
                println!("{status:?}: {}", obligation.words(&dfrs));
            }
            for (mutant, fate) in suite.mutants.iter().filter(|it| !matches!(it.1, Fate::Killed(_))) {
                println!("{fate:?}: {} {}", dfrs.requirements[mutant.requirement].id, mutant.words);
            }
        }
    }
}
