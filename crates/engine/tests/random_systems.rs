//! Engines against each other and against a search through all states, on random systems: no disagreement, and all evidence holds.

mod support;

use base::Random;
use shall_engine::explicit::{Answer, Budget, explicit};
use shall_engine::{Config, Connect, Engine, NoSolver, verify};
use support::systems::{Kind, random};
use support::{judged, z3};
use system::System;

const ALONE: [&[Engine]; 4] =
    [&[Engine::Bmc], &[Engine::Induction], &[Engine::Ic3], &[Engine::Invariants, Engine::Induction]];

/// How many verdicts there were of each kind, for one set of engines.
#[derive(Default, Debug)]
struct Tally {
    valid: usize,
    invalid: usize,
    unknown: usize,
}

fn compare(kind: Kind, rounds: u64, solver: &dyn Connect, built_in: bool) -> Vec<Tally> {
    let mut rng = Random::new(7 + kind as u64);
    let mut tallies: Vec<Tally> = ALONE.iter().map(|_| Tally::default()).collect();
    for round in 0..rounds {
        let system = random(&mut rng, kind);
        assert_eq!(system.check(), Vec::<String>::new());
        let expected = match explicit(&system, &[0], Budget::default()).pop() {
            Some(Answer::Valid) => Some(true),
            Some(Answer::Invalid(_)) => Some(false),
            Some(Answer::Unknown(_)) | None => None,
        };
        let mut seen: Option<bool> = expected;
        for (engines, tally) in ALONE.iter().zip(&mut tallies) {
            let answer = one(&system, engines, solver, built_in);
            match answer {
                Some(true) => tally.valid += 1,
                Some(false) => tally.invalid += 1,
                None => tally.unknown += 1,
            }
            if let (Some(before), Some(now)) = (seen, answer) {
                assert_eq!(before, now, "round {round}, {engines:?}\n{system}");
            }
            seen = seen.or(answer);
        }
    }
    tallies
}

fn one(system: &System, engines: &[Engine], solver: &dyn Connect, built_in: bool) -> Option<bool> {
    // Steps instead of time: an engine that finds nothing in them is done.
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let limit = match (engines, built_in) {
        ([Engine::Bmc], _) => 200,
        // Unrolls further and further where states cannot be told apart.
        ([.., Engine::Induction], true) => 600,
        (_, true) => 6000,
        (_, false) => 400,
    };
    let left = || {
        let used = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        std::time::Duration::from_secs(if used < limit { 100 } else { 0 })
    };
    let config = Config { engines, built_in, ..Config::new(&left, solver) };
    let verdicts = verify(system, &[0], &config);
    judged(system, &verdicts[0], solver)
}

#[test]
fn truth_values_and_enumerations() {
    let tallies = compare(Kind::Finite, 800, &NoSolver, true);
    assert!(tallies[2].unknown < 10, "{tallies:?}");
    assert!(tallies[2].valid > 100 && tallies[2].invalid > 100, "{tallies:?}");
}

#[test]
fn counters() {
    let tallies = compare(Kind::Counters, 700, &NoSolver, true);
    assert!(tallies[2].unknown < 60, "{tallies:?}");
    assert!(tallies[2].valid > 100 && tallies[2].invalid > 100, "{tallies:?}");
}

#[test]
fn machine_integers() {
    let tallies = compare(Kind::Machine, 500, &NoSolver, true);
    assert!(tallies[2].unknown < 50, "{tallies:?}");
}

#[test]
fn with_a_solver() {
    let Some(z3) = z3() else { return };
    for kind in [Kind::Finite, Kind::Counters, Kind::Machine, Kind::Copies, Kind::Linear] {
        let tallies = compare(kind, 12, &z3, false);
        assert!(tallies[2].valid + tallies[2].invalid >= 9, "{kind:?} {tallies:?}");
    }
}
