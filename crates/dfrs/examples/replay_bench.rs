//! How many test vectors run in a second: reads CSV files of vectors, as often as it is told, and runs them.
//!
//! `replay_bench <folder with vm_vectors.csv, pc_vectors.csv, tis_vectors.csv> [times]`

#[path = "../tests/support/mod.rs"]
mod support;

use dfrs::replay::{Verdict, replay};
use dfrs::vectors::read_vectors;
use dfrs::{Reading, Semantics};
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".to_owned());
    let times: usize = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(20);
    let systems = [
        ("vm", support::system(support::VM5)),
        ("pc", support::system(support::PC)),
        ("tis", support::tis(17, 11)),
    ];
    for (name, dfrs) in systems {
        let path = format!("{folder}/{name}_vectors.csv");
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("cannot read {path}");
            continue;
        };
        for reading in Reading::ALL {
            let (mut rows, mut wrong, mut sure) = (0, Vec::new(), 0);
            let mut reading_time = 0.0;
            let start = Instant::now();
            for _ in 0..times {
                let begin = Instant::now();
                let vectors = match read_vectors(&dfrs, &text) {
                    Ok(vectors) => vectors,
                    Err(problem) => return eprintln!("{path}: {problem:?}"),
                };
                reading_time += begin.elapsed().as_secs_f64();
                let reports = replay(&dfrs, Semantics::discrete(reading), &vectors);
                rows += vectors.lines.len();
                sure = reports.iter().filter(|it| it.verdict == Verdict::Deterministic).count();
                wrong = reports
                    .iter()
                    .filter_map(|it| match &it.verdict {
                        Verdict::Wrong(wrong) => Some(format!("{} {}", it.name, wrong.words(&dfrs))),
                        Verdict::Deterministic | Verdict::Possible { .. } => None,
                    })
                    .collect();
            }
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{name} {reading:?}: {rows} rows, {:.2} million/s with reading ({:.2} without), {sure} deterministic, wrong: {wrong:?}",
                rows as f64 / seconds / 1e6,
                rows as f64 / (seconds - reading_time) / 1e6
            );
        }
    }
}
