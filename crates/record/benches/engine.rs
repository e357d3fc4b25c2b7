//! How fast the engine is on bits in memory: steps per second for each formula, and for many formulas at once.
//!
//! Run with `cargo bench -p shall-record`. P1 to P4 are the patterns of everyday requirements; the cost must not grow with the bound.

use base::Random;
use criterion::{Criterion, Throughput};
use logic::{Store, Trace, Value};
use requirement::{Context, sentence, watch};
use shall_record::{BLOCK, Block, Check, Kind};
use std::hint::black_box;

const SENTENCES: &[(&str, &str)] = &[
    ("P1, bound 10", "the sys shall always satisfy p => occurred(10, q)"),
    ("P1, bound 1000", "the sys shall always satisfy p => occurred(1000, q)"),
    ("P2, bound 10", "whenever p the sys shall within 10 ticks satisfy q"),
    ("P2, bound 1000", "whenever p the sys shall within 1000 ticks satisfy q"),
    ("P3", "in m mode when c the sys shall until s satisfy r"),
    ("P4, bound 10", "the sys shall always satisfy r => persisted(10, m)"),
    ("P4, bound 1000", "the sys shall always satisfy r => persisted(1000, m)"),
];

fn bench(criterion: &mut Criterion, name: &str, sentences: &[&str]) {
    let mut store = Store::default();
    let mut watches = Vec::new();
    for text in sentences {
        let lowered = sentence::read(&mut store, text, &Context::default());
        let requirement = lowered.requirement.expect("a sentence");
        watches.push(watch(&mut store, &requirement).expect("looks back only"));
    }
    let mut check = Check::new(&store, &watches, |_| Kind::Truth).expect("past-time formulas");
    let mut random = Random::new(1);
    let inputs = check.inputs().to_vec();
    // Mostly quiet, so that few runs are listed.
    let mut column =
        |often: u64| (0..BLOCK).map(|_| Value::Bool(random.below(often) != 0)).collect::<Vec<_>>();
    let columns: Vec<(&str, Vec<Value>)> = inputs.iter().map(|it| (it.name.as_str(), column(50))).collect();
    let trace = Trace::of(columns).expect("columns of one length");
    let mut block = Block::new(&inputs);
    block.fill(&inputs, &trace);
    let mut group = criterion.benchmark_group("engine");
    group.throughput(Throughput::Elements(BLOCK as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            check.block(&store, black_box(&block));
            block.start += BLOCK as u64;
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (name, text) in SENTENCES {
        bench(&mut criterion, name, &[text]);
    }
    let all: Vec<&str> = SENTENCES.iter().map(|(_, text)| *text).collect();
    bench(&mut criterion, "all of them at once", &all);
    criterion.final_summary();
}
