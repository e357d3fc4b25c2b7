//! Strategy tests against correct systems: the synthesized one, and random ones.

// The shared module knows the crate by the name that it has in its own tests.
extern crate realize as shall_realize;

mod common;

use base::SplitMix;
use common::Text;
use logic::Value;
use realize::{Budget, Game, Member, Memory, Order, Outcome, Walks, game, judge, walk};
use requirement::Reading;
use requirement::specification::Kind;
use shall_suite::{Broken, Config, Criterion, Status, Subject, Verdict, force};
use std::time::Duration;
use system::{System, Type, Var, simulate};

/// A controller, simulated.
struct Controller {
    system: System,
    rows: Vec<Vec<system::Value>>,
}

impl Subject for Controller {
    fn restart(&mut self) -> Result<(), Broken> {
        self.rows.clear();
        Ok(())
    }

    fn step(&mut self, inputs: &[(String, Value)]) -> Result<Vec<(String, Value)>, Broken> {
        let value = |var: &Var| {
            let name = &self.system.variables[var.index()].name;
            match inputs.iter().find(|it| it.0 == *name) {
                Some((_, Value::Bool(it))) => system::Value::Bool(*it),
                _ => system::Value::Bool(false),
            }
        };
        let row = self.system.inputs.iter().map(value).collect();
        self.rows.push(row);
        let run = simulate(&self.system, &[], &self.rows);
        let trace = run.trace(&self.system).ok_or_else(|| Broken("no step".to_owned()))?;
        let last = trace.len() - 1;
        let names = trace.names().iter().enumerate();
        Ok(names.map(|(at, name)| (name.clone(), trace.value(at, last).clone())).collect())
    }
}

/// A system that chooses at random among all correct outputs.
struct Anything<'a, 'g, 'b> {
    game: &'a Game,
    walks: &'a mut Walks<'g, 'b>,
    memory: Memory,
    random: SplitMix,
}

impl Subject for Anything<'_, '_, '_> {
    fn restart(&mut self) -> Result<(), Broken> {
        self.memory = self.walks.start();
        Ok(())
    }

    fn step(&mut self, inputs: &[(String, Value)]) -> Result<Vec<(String, Value)>, Broken> {
        let variables = &self.game.system.variables;
        let given = |var: &Var| {
            let (_, value) = inputs.iter().find(|it| it.0 == variables[var.index()].name)?;
            Some((*var, self.game.value(*var, value)?))
        };
        let given: Vec<(Var, system::Value)> = self.game.system.inputs.iter().filter_map(given).collect();
        for _ in 0..10_000 {
            let mut step = given.clone();
            for var in &self.game.outputs {
                let value = match variables[var.index()].ty {
                    Type::Bool => system::Value::Bool(self.random.bits() % 2 == 1),
                    Type::Int => system::Value::Int((self.random.bits() % 6).into()),
                    other => panic!("{other:?} is not among the tests"),
                };
                step.push((*var, value));
            }
            if self.walks.is_correct(&self.memory, &step) {
                self.memory = self.walks.after(&self.memory, &step);
                let outputs = step[given.len()..].iter();
                return Ok(outputs
                    .filter_map(|(var, value)| {
                        Some((variables[var.index()].name.clone(), self.game.shown(*var, value)?))
                    })
                    .collect());
            }
        }
        Err(Broken("no correct outputs were found".to_owned()))
    }
}

/// Runs every strategy test of a set against the synthesized and against random systems; returns the number of strategies.
fn check(text: &str, order: Order) -> usize {
    let mut set = Text::read(text);
    let left = || Duration::from_secs(60);
    let config = Config {
        criteria: &[Criterion::Moments, Criterion::Causes, Criterion::Decisions],
        reading: Reading::Endless,
        order,
        budget: Budget::DEFAULT,
        left: &left,
    };
    let made = set.suite_in(config.criteria, order);
    let Text { mut store, variables, requirements } = set;
    let members: Vec<Member> = requirements
        .iter()
        .map(|(requirement, assumption)| Member { id: "R", requirement, assumption: *assumption })
        .collect();
    let whole = game(&mut store, &variables, &members, Reading::Endless).game;
    let judged = judge(&whole, order, Budget::DEFAULT);
    assert_eq!(judged.outcome, Outcome::Realizable, "{text}");
    let controller = judged.strategy.expect("is decided").expect("has a strategy").controller();
    // Inputs that a strategy does not care about.
    let inputs = variables.iter().filter(|it| it.kind == Kind::Input);
    let others: Vec<(String, Value)> = inputs.map(|it| (it.name.clone(), Value::Bool(false))).collect();
    let mut forced = 0;
    for (obligation, status) in &made.obligations {
        if !matches!(status, Status::Covered { forced: Some(true), .. }) {
            continue;
        }
        forced += 1;
        let mut shown = |subject: &mut dyn Subject| {
            let done =
                force(&mut store, &variables, &members, obligation.formula, config, (&others, subject));
            let done = done.expect("is within limits").expect("can be forced").attempt;
            assert_eq!(done.verdict, Verdict::Passed, "{text}: {}: {:?}", obligation.text, done.trace);
            assert_eq!(done.shown, [0]);
        };
        shown(&mut Controller { system: controller.clone(), rows: Vec::new() });
        // With all guarantees as goals, all of them decide whether a step is correct.
        let all: Vec<system::Expr> = whole.guarantees.iter().map(|it| it.safety).collect();
        walk(&whole, &all, order, Budget::DEFAULT, |walks| {
            for seed in 0..20 {
                let memory = walks.start();
                shown(&mut Anything { game: &whole, walks, memory, random: SplitMix::new(seed) });
            }
        })
        .expect("is within limits");
    }
    forced
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
