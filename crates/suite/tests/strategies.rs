//! Strategy tests against correct systems: the synthesized one, and random ones.

// The shared module knows the crate by the name that it has in its own tests.
extern crate realize as shall_realize;

mod common;

use common::Text;
use realize::{Budget, Known, Order, walk_whole};
use requirement::Reading;
use shall_suite::{Config, Criterion, rehearse};
use std::collections::BTreeSet;
use std::time::Duration;
use system::Value;

/// The number of random systems.
const SYSTEMS: usize = 20;

/// Runs every strategy test of a set against the synthesized and against random systems; returns the number of strategies.
fn check(text: &str, order: Order) -> usize {
    let mut set = Text::read(text);
    let left = || Duration::from_secs(60);
    let config = Config {
        criteria: &[Criterion::Moments, Criterion::Causes, Criterion::Decisions],
        reading: Reading::Endless,
        order,
        all_proofs: false,
        budget: Budget::DEFAULT,
        left: &left,
    };
    let made = set.suite_in(config.criteria, order);
    let mut store = std::mem::take(&mut set.store);
    let done = rehearse(&mut store, &set.variables, &set.members(), (&made, SYSTEMS), config);
    assert_eq!(done.not_shown, [], "{text}");
    assert_eq!(done.runs, done.strategies * (SYSTEMS + 1), "{text}");
    done.strategies
}

#[test]
fn a_forced_test_is_never_inconclusive() {
    let all: usize = [
        "in p: bool\nout q: bool\nwhen p the lamp shall immediately satisfy q",
        "in p: bool\nout q: bool\nwhen p the lamp shall within 3 ticks satisfy q",
        "in p m: bool\nout q: bool\nin m mode when p the lamp shall for 2 ticks satisfy q",
        "in p s: bool\nout q r: bool\nwhenever p the lamp shall until s satisfy q\nwhenever r the lamp shall immediately satisfy q",
        "in p: bool\nout q: bool\nwhen p the lamp shall eventually satisfy q",
        "in p: bool\nout n: int 0..5\nwhenever p the lamp shall at the next timepoint satisfy n > 3\nwhenever !p the lamp shall immediately satisfy n < 5",
        "in p: bool\nout x: real\nwhenever p the lamp shall immediately satisfy x > 2.5\nthe lamp shall always satisfy x - preReal(0.0, x) <= 3.0",
    ]
    .into_iter()
    .map(|it| check(it, Order::Mealy))
    .sum();
    assert!(all >= 40, "{all}");
}

#[test]
fn a_forced_test_of_a_moore_system_is_never_inconclusive() {
    let all: usize = [
        "in p: bool\nout q: bool\nwhen p the lamp shall at the next timepoint satisfy q",
        "in p: bool\nout q: bool\nwhen p the lamp shall within 3 ticks satisfy q",
        "in p s: bool\nout q r: bool\nwhenever p the lamp shall at the next timepoint satisfy q | r\nwhenever s the lamp shall at the next timepoint satisfy !r",
        "in p: bool\nout n: int 0..5\nwhenever p the lamp shall at the next timepoint satisfy n > 3",
    ]
    .into_iter()
    .map(|it| check(it, Order::Moore))
    .sum();
    assert!(all >= 20, "{all}");
}

/// Random systems give all correct outputs, and no others.
#[test]
fn random_systems_are_all_correct_systems() {
    let mut set =
        Text::read("in p: bool\nout q r: bool\nwhenever p the lamp shall immediately satisfy q | r");
    let game = set.set(Reading::Endless).game;
    for (order, p, expected) in [(Order::Mealy, true, 3), (Order::Mealy, false, 4), (Order::Moore, false, 3)]
    {
        let mut seen = BTreeSet::new();
        walk_whole(&game, &mut Known::default(), (order, Budget::DEFAULT), |whole, _| {
            for seed in 0..100 {
                let mut system = whole.anything(seed);
                let inputs = [(game.system.inputs[0], Value::Bool(p))];
                let step = whole.answer(&mut system, &inputs).expect("is within limits");
                let outputs: Vec<bool> = step[1..].iter().map(|it| it.1 == Value::Bool(true)).collect();
                assert!(!p || outputs.contains(&true), "{step:?}");
                seen.insert(outputs);
            }
        })
        .expect("is won");
        assert_eq!(seen.len(), expected, "{order:?} {p}: {seen:?}");
    }
}
