//! The evidence for suites: what they cover, the mutants of the systems, and the mutants of C programs, as a table. With `list`, all
//! mutants of C programs that survive: `cargo run --release -p shall-dfrs --example mutants [list]`.

#[path = "../tests/suite_c/mutate.rs"]
mod mutate;
#[path = "../tests/suite_c/run.rs"]
mod run;
#[path = "../tests/suite_c/walks.rs"]
mod walks;

use shall_dfrs::Semantics;
use shall_dfrs::suite::{Obligation, Options, Tally, generate};
use std::time::Instant;

const EXAMPLES: [&str; 5] =
    ["vending_machine_5", "vending_machine_6", "safety_injection", "priority_command", "turn_indicator"];

fn main() {
    let list = std::env::args().any(|it| it == "list");
    let compiler = run::has_compiler();
    println!(
        "system | fires | decides | bounds | pairs | cases | vectors | per req. | killed | equivalent | unknown | C killed | C missed | C alike | score | s cover | s all | s C"
    );
    for name in EXAMPLES {
        let dfrs = run::system(name);
        let start = Instant::now();
        let covering = generate(&dfrs, Options { mutants: false, ..Options::default() });
        let cover = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let (Ok(_), Ok(suite)) = (covering, generate(&dfrs, Options::default())) else { continue };
        let all = start.elapsed().as_secs_f64();
        let tally = |kind: fn(&Obligation) -> bool| show(suite.tally(kind));
        let score = suite.score();
        let vectors = suite.vectors();
        print!(
            "{name} | {} | {} | {} | {} | {} | {vectors} | {:.1} | {} | {} | {}",
            tally(Obligation::fires),
            tally(Obligation::decides),
            tally(Obligation::bound),
            tally(Obligation::pair),
            suite.cases.len(),
            vectors as f64 / dfrs.requirements.len() as f64,
            score.killed,
            score.equivalent,
            score.unknown,
        );
        if !compiler {
            println!(" | no C compiler `cc`");
            continue;
        }
        if let Err(why) = run::passes(name, &dfrs, &suite) {
            println!(" | the program fails: {why}");
            continue;
        }
        let start = Instant::now();
        let found = run::mutants(name, &dfrs, Semantics::default(), &suite, 2_000, 400);
        let counted = found.killed + found.missed.len();
        println!(
            " | {} of {} | {} | {} | {:.1} % | {cover:.2} | {all:.2} | {:.2}",
            found.killed,
            found.mutants,
            found.missed.len(),
            found.alike.len(),
            100.0 * found.killed as f64 / counted as f64,
            start.elapsed().as_secs_f64(),
        );
        if list {
            found.missed.iter().for_each(|words| println!("  missed: {words}"));
            found.alike.iter().for_each(|words| println!("  alike: {words}"));
        }
    }
}

/// Covered, and of the others those proved out of reach (`-`), only met where there is a choice (`~`), and open (`?`).
fn show(tally: Tally) -> String {
    let mut text = tally.covered.to_string();
    for (count, mark) in [(tally.unreachable, '-'), (tally.ambiguous, '~'), (tally.unknown, '?')] {
        if count > 0 {
            text.push_str(&format!(" {mark}{count}"));
        }
    }
    text
}
