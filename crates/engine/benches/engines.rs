//! How long engines take on systems of our own, each decided by the built-in solver: `cargo bench -p shall-engine`.
//!
//! Times on the recorded models, beside those of Kind 2, are printed by `cargo xtask conformance DIR verdicts`.

#![allow(missing_docs, reason = "the macros of criterion make public functions")]

#[path = "../tests/support/made.rs"]
#[allow(dead_code, reason = "tests use the others")]
mod made;

use criterion::{Criterion, criterion_group, criterion_main};
use shall_engine::{Config, Engine, NoSolver, verify};
use std::hint::black_box;
use std::time::Duration;
use system::System;

fn decided(system: &System, engines: &[Engine]) {
    let left = || Duration::from_secs(20);
    let config = Config { engines, ..Config::new(&left, &NoSolver) };
    let verdict = verify(black_box(system), &[0], &config).remove(0);
    assert!(!verdict.answer.is_unknown(), "{:?}", verdict.answer);
}

fn engines(criterion: &mut Criterion) {
    let cases: [(&str, System, &[Engine]); 5] = [
        ("induction, a counter that stops", made::saturating(5, 5), &[Engine::Induction]),
        ("ic3, a chain of 12 latches", made::chain(12), &[Engine::Ic3]),
        ("bmc, a violation after 40 steps", made::saturating(40, 39), &[Engine::Bmc]),
        ("explicit, a violation after 300 steps", made::saturating(300, 299), &[Engine::Explicit]),
        ("all, a counter that stops", made::saturating(5, 5), &Engine::ALL),
    ];
    for (name, system, engines) in &cases {
        criterion.bench_function(name, |bencher| bencher.iter(|| decided(system, engines)));
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
