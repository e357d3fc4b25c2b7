//! How long a sentence takes: parsing, all three formulas, and printing them for NuSMV.
//!
//! Run with `cargo bench -p shall-requirement`. The sentences are those of the public file if `SHALL_SENTENCES` names it
//! (tab-separated, third column, those with the status `nasa`), otherwise our own. FRET 3.1 takes 3.4 ms a sentence; the
//! limit is a hundredth of that, and the last line says how far we are from it.

use criterion::Criterion;
use logic::{Formula, SMV, Store};
use shall_requirement::{Context, Ending, future, lower, past};
use std::hint::black_box;
use std::time::{Duration, Instant};

const OWN: &[&str] = &[
    "in roll_hold mode RollAP shall immediately satisfy abs(roll_angle) < 6 => reference = 0",
    "whenever pressure > 3.5 & !override the pump shall within 3 ticks satisfy valve_open",
    "when door_open or upon alarm the lift shall until reset satisfy speed = 0",
    "only after boot mode shall the radio eventually satisfy transmitting",
    "the monitor shall always satisfy if persisted(4, hot) then fan_on",
    "before takeoff, unless maintenance, the crew shall for 10 ticks satisfy checklist_done",
];

/// FRET's time for one sentence.
const FRET: Duration = Duration::from_micros(3_400);

fn sentences() -> Vec<String> {
    match std::env::var("SHALL_SENTENCES") {
        Ok(path) => {
            let text = std::fs::read_to_string(path).expect("SHALL_SENTENCES names a readable file");
            let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
            rows.filter(|row| row[3] == "nasa").map(|row| row[2].to_string()).collect()
        }
        Err(_) => OWN.iter().map(ToString::to_string).collect(),
    }
}

/// The length of all text made from a sentence, so that nothing can be left out.
fn formalize(sentence: &str) -> usize {
    let mut store = Store::default();
    let parse = syntax::fretish::parse(sentence);
    let lowered = lower(&mut store, &parse, &Context::default());
    let Some(requirement) = lowered.requirement else { return 0 };
    let formulas = [
        past(&mut store, &requirement),
        future(&mut store, &requirement, Ending::Last),
        future(&mut store, &requirement, Ending::Infinite),
    ];
    let formulas: Vec<Formula> =
        formulas.into_iter().flatten().map(|formula| logic::adapt(&mut store, formula, &SMV)).collect();
    let names = logic::rename_all(&store, &formulas, &SMV);
    let length =
        |&formula: &Formula| logic::print_with(&store, formula, &SMV, &names).map_or(0, |text| text.len());
    formulas.iter().map(length).sum()
}

fn main() {
    let sentences = sentences();
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function(&format!("formalize {} sentences", sentences.len()), |bencher| {
        bencher.iter(|| sentences.iter().map(|sentence| formalize(black_box(sentence))).sum::<usize>());
    });
    let (rounds, start) = (20, Instant::now());
    for sentence in (0..rounds).flat_map(|_| &sentences) {
        black_box(formalize(black_box(sentence)));
    }
    let each = start.elapsed() / (rounds * sentences.len() as u32);
    let ratio = FRET.as_secs_f64() / each.as_secs_f64();
    println!(
        "{:.1} µs a sentence: {ratio:.0} times as fast as FRET (the limit is 100 times)",
        each.as_secs_f64() * 1e6
    );
    criterion.final_summary();
}
