//! Controllers of realizable requirements, written as Lustre and read back: the requirements, observed anew, are valid.

// The module below knows the crate by the name that it has in its own tests.
extern crate realize as shall_realize;

#[path = "../../realize/tests/common/infinite.rs"]
mod infinite;
#[path = "../../realize/tests/common/text.rs"]
mod text;

use engine::{Answer, Certificate, Config, NoSolver, verify};
use infinite::{cinderella, games};
use logic::Formula;
use lustre::{Options, read};
use realize::{Budget, Component, Game, Order, Outcome, Strategy, synthesize};
use requirement::{Reading, parts};
use shall_export::system::{Text as Written, lustre};
use std::time::Duration;
use system::{Expr, Origin, System, add_formulas};
use text::Text;

/// Sets of requirements.
const SETS: [&str; 8] = [
    "in p: bool\nout q: bool\nwhenever p the sw shall immediately satisfy q",
    "in p: bool\nout q: bool\nwhen p the sw shall within 3 ticks satisfy q\nthe sw shall always satisfy preBool(false, q) => !q",
    "in p: bool\nout q: bool\nwhen p the sw shall for 2 ticks satisfy q\nwhenever !p & preBool(false, !p) & preBool(false, preBool(false, !p)) the sw shall eventually satisfy !q",
    "in p: bool\nout q r: bool\nwhenever p the sw shall eventually satisfy q\nthe sw shall eventually satisfy !q\nthe sw shall always satisfy q => r",
    "in p: bool\nout s: enum(idle, run, stop)\nwhen p the sw shall at the next timepoint satisfy s = run\nwhenever preBool(false, s = run) the sw shall immediately satisfy s != idle\nthe sw shall always satisfy s = stop => preBool(false, s = run)",
    "in a b: bool\nout x y: bool\nassume the env shall never satisfy a & b\nwhenever a the sw shall immediately satisfy x\nwhenever b the sw shall immediately satisfy y\nthe sw shall never satisfy x & y",
    "in p: bool\nout q: bool\nin p the sw shall always satisfy q\nonly in p the sw shall immediately satisfy q",
    "in p m: bool\nout q: bool\nin m the sw shall after 4 ticks satisfy q\nwhenever !m the sw shall immediately satisfy q",
];

#[test]
fn controllers_are_valid_when_read_back() {
    SETS.iter().for_each(|text| check(text));
}

/// Games with numbers in the memory. Where they are won is an invariant of what is read back, and it implies all requirements.
#[test]
fn controllers_of_games_are_valid_when_read_back() {
    let realizable = games().into_iter().filter(|it| it.1).map(|it| it.0);
    for text in realizable.chain([cinderella("3")]) {
        for (_, strategy) in controllers(&Text::read(&text).set(Reading::Endless).game) {
            let (written, mut system) = read_back(&strategy);
            let mut region = strategy.system.clone();
            region.inputs = region.state.drain(..).map(|it| it.var).collect();
            region.assumptions.clear();
            region.properties.clear();
            region.outputs.clear();
            region.lemmas = vec![strategy.certificate.invariant];
            let names =
                written.names.iter().filter_map(|(name, own)| Some((own.clone(), system.named(name)?)));
            let names = names.collect();
            system.lemmas.clear();
            system.include(&region, "", &names);
            let invariant = system.lemmas[0];
            let pool = system.pool.clone();
            let certificate = Certificate { pool, invariant, ..strategy.certificate.clone() };
            assert!(!system.properties.is_empty(), "{text}");
            for property in 0..system.properties.len() {
                let valid = engine::check(&system, property, &certificate, &NoSolver, &|| false);
                assert_eq!(valid, Ok(true), "{text}\n{}", written.text);
            }
        }
    }
}

/// The groups of a realizable game with their controllers.
fn controllers(game: &Game) -> Vec<(Component, Strategy)> {
    let controller = |component: Component| {
        let judged = synthesize(&game.part(&component.guarantees), Order::Mealy, Budget::DEFAULT);
        assert_eq!(judged.outcome, Outcome::Realizable);
        (component, judged.strategy.expect("decided").expect("a strategy"))
    };
    game.components().into_iter().map(controller).collect()
}

fn read_back(strategy: &Strategy) -> (Written, System) {
    let written = lustre(&strategy.controller(), "controller", &[]).expect("it can be written");
    let program = read(&written.text, &|_| None);
    let system = program.system("controller", &Options::default()).expect("it can be read");
    (written, system)
}

/// Writes the controller of each group, reads it back, and proves that it keeps the requirements, which are observed anew.
fn check(text: &str) {
    let mut set = Text::read(text);
    let played = set.set(Reading::Endless);
    for (component, strategy) in controllers(&played.game) {
        let (written, mut system) = read_back(&strategy);
        let names: Vec<String> = set.variables.iter().map(|it| it.name.clone()).collect();
        let known: Vec<(String, Option<Expr>)> =
            names.into_iter().map(|it| (it.clone(), system.named(&it))).collect();
        let binding = |name: &str| known.iter().find(|it| it.0 == name).and_then(|it| it.1);
        let mine: Vec<usize> = component.guarantees.iter().map(|it| played.members[*it]).collect();
        let mut formulas = Vec::new();
        for (place, (requirement, assumption)) in set.requirements.iter().enumerate() {
            if *assumption || mine.contains(&place) {
                let parts = parts(&mut set.store, requirement, Reading::Endless).expect("it has a meaning");
                formulas.push((parts.safety, *assumption));
            }
        }
        let asked: Vec<Formula> = formulas.iter().map(|it| it.0).collect();
        let values = add_formulas(&mut system, &set.store, &asked, &binding);
        system.properties.clear();
        system.assumptions.clear();
        for (value, (_, assumption)) in values.into_iter().zip(&formulas) {
            let value = value.expect("it can be observed");
            if *assumption {
                system.assumptions.push(value);
            } else {
                system.add_property("requirement", Origin::Unknown, value);
            }
        }
        let all: Vec<usize> = (0..system.properties.len()).collect();
        let left = || Duration::from_secs(60);
        for verdict in verify(&system, &all, &Config::new(&left, &NoSolver)) {
            assert!(
                matches!(verdict.answer, Answer::Valid(_)),
                "{text}: {:?}\n{}",
                verdict.answer,
                written.text
            );
        }
    }
}
