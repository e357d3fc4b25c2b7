//! Controllers as programs in C and Rust, and as tables: compiled with all warnings, run on random inputs, and compared with the
//! simulation of the controller and with a monitor of the requirements that shares nothing with the product.

// The modules below know the crate by the name that it has in its own tests.
extern crate realize as shall_realize;

#[path = "programs/drivers.rs"]
mod drivers;
#[path = "../../realize/tests/brute/monitor.rs"]
mod monitor;
#[path = "../../realize/tests/common/random.rs"]
mod random;
#[path = "../../realize/tests/common/text.rs"]
mod text;

use base::Random;
use drivers::{Program, Step, run_c, run_rust};
use random::Case;
use realize::{Budget, Game, Order, Outcome, synthesize};
use requirement::Reading;
use shall_export::system::table::table;
use system::{System, Type, Value, evaluate, simulate};
use text::Text;

/// Sets of requirements, with Booleans, enumerations, durations, integers and real numbers.
const SETS: [&str; 9] = [
    "in p: bool\nout q: bool\nwhen p the sw shall within 3 ticks satisfy q\nthe sw shall always satisfy preBool(false, q) => !q",
    "in p: bool\nout q r: bool\nwhenever p the sw shall eventually satisfy q\nthe sw shall eventually satisfy !q\nthe sw shall always satisfy q => r",
    "in p: bool\nout s: enum(idle, run, stop)\nwhen p the sw shall at the next timepoint satisfy s = run\nwhenever preBool(false, s = run) the sw shall immediately satisfy s != idle",
    "in m: enum(off, low, high)\nout level: enum(none, some)\nout double: bool\nwhenever m = high the sw shall immediately satisfy level = some\nwhenever m = off the sw shall for 2 ticks satisfy double",
    "in p m: bool\nout q: bool\nin m the sw shall after 4 ticks satisfy q\nwhenever !m the sw shall immediately satisfy q",
    "in a: int\nout x: int 0..9\nwhenever a > 5 the sw shall immediately satisfy x >= 3\nwhenever a < 2 the sw shall immediately satisfy x <= preInt(0, x) & x < 5",
    "in a b: int\nout x y: int\nthe sw shall always satisfy x >= preInt(0, x) & x > a\nthe sw shall always satisfy y = 2 * a - b",
    "in a b: real\nout x y z: real\nthe sw shall always satisfy x + y = a & x - y = b\nwhenever a > 3 the sw shall immediately satisfy z <= (a + preReal(0, z)) / 3",
    "in speed: real 0..100\nin on: bool\nout valve: bool\nout rate: real 0..2.5\nwhenever speed > 12.1 & on the sw shall immediately satisfy valve & rate > 0.3\nwhenever !on the sw shall within 4 ticks satisfy !valve",
];

/// The controllers of the groups of a game; none if one of them is not realizable.
fn controllers(game: &Game, order: Order) -> Option<Vec<System>> {
    let mut systems = Vec::new();
    for component in game.components() {
        let judged = synthesize(&game.part(&component.guarantees), order, Budget::DEFAULT);
        if judged.outcome != Outcome::Realizable {
            return None;
        }
        // There is no strategy against promises of the environment for infinitely many steps.
        systems.push(judged.strategy.expect("decided").ok()?.controller());
    }
    Some(systems)
}

fn random_value(random: &mut Random, system: &System, ty: Type, huge: bool) -> Value<f64> {
    match ty {
        Type::Bool => Value::Bool(random.below(2) == 0),
        Type::Enum(id) => Value::Enum(random.below(system.pool.enumeration(id).literals.len() as u32)),
        Type::Int if huge && random.below(3) == 0 => {
            let near = [i64::MIN, i64::MIN / 2, i64::MAX / 2, i64::MAX];
            Value::Int(near[random.below(near.len())].into())
        }
        Type::Int | Type::Machine(_) => Value::Int((i64::from(random.below(12u8)) - 4).into()),
        Type::Real => Value::Real(f64::from(random.below(4000u16)) / 37.0 - 20.0),
    }
}

/// A program with random inputs, and what the simulation of its systems gives.
fn program(name: &str, systems: Vec<System>, moore: bool, huge: bool) -> Program {
    let mut random = Random::new(5);
    let steps = 60;
    let mut given: Vec<Step> = vec![Vec::new(); steps];
    for system in &systems {
        for var in &system.inputs {
            let it = &system.variables[var.index()];
            if given[0].iter().all(|known| known.0 != it.name) {
                for row in &mut given {
                    row.push((it.name.clone(), random_value(&mut random, system, it.ty, huge)));
                }
            }
        }
    }
    let mut expected: Vec<Step> = vec![Vec::new(); steps];
    for system in &systems {
        let name = |var: &system::Var| system.variables[var.index()].name.as_str();
        let value = |row: &Step, name: &str| row.iter().find(|it| it.0 == name).map(|it| it.1.clone());
        let rows: Vec<Vec<Value<f64>>> = given
            .iter()
            .map(|row| system.inputs.iter().map(|it| value(row, name(it)).expect("given")).collect())
            .collect();
        let run = simulate(system, &[], &rows);
        for (row, step) in expected.iter_mut().zip(&run.steps) {
            row.extend(system.outputs.iter().map(|it| it.name.clone()).zip(step.outputs.iter().cloned()));
        }
    }
    Program { name: name.to_owned(), systems, moore, given, expected }
}

fn compare(language: &str, programs: &[Program], answers: Option<Vec<Vec<Option<Step>>>>, huge: bool) {
    let Some(answers) = answers else {
        eprintln!("skipped: there is no compiler for {language}");
        return;
    };
    for (program, answers) in programs.iter().zip(answers) {
        assert_eq!(answers.len(), program.expected.len(), "{language} {}", program.name);
        let mut is_reliable = true;
        for (step, (found, expected)) in answers.iter().zip(&program.expected).enumerate() {
            // What is not reliable once is not reliable again.
            assert!(is_reliable || found.is_none(), "{language} {} {step}", program.name);
            is_reliable &= found.is_some();
            assert!(huge || is_reliable, "{language} {} {step}", program.name);
            if let Some(found) = found {
                assert_eq!(found, expected, "{language} {} step {step}", program.name);
            }
        }
    }
}

#[test]
fn programs_do_what_the_controllers_do() {
    let mut programs = Vec::new();
    for (number, text) in SETS.iter().enumerate() {
        for (order, moore) in [(Order::Mealy, false), (Order::Moore, true)] {
            let game = Text::read(text).set(Reading::Endless).game;
            if let Some(systems) = controllers(&game, order) {
                programs.push(program(&format!("set_{number}_{moore}"), systems, moore, false));
            } else {
                assert!(moore, "{text}");
            }
        }
    }
    assert!(programs.iter().any(|it| it.moore), "some are realizable without the inputs of the step");
    compare("C", &programs, run_c("programs_c", &programs), false);
    compare("Rust", &programs, run_rust("programs_rust", &programs), false);
}

/// Integers that do not fit are noticed.
#[test]
fn integers_are_exact_or_refused() {
    let game = Text::read(SETS[6]).set(Reading::Endless).game;
    let systems = controllers(&game, Order::Mealy).expect("realizable");
    let programs = [program("huge", systems, false, true)];
    for (language, answers) in [("C", run_c("huge_c", &programs)), ("Rust", run_rust("huge_rust", &programs))]
    {
        if let Some(answers) = &answers {
            assert!(answers[0][0].is_some() && answers[0].contains(&None), "{language}: {answers:?}");
        }
        compare(language, &programs, answers, true);
    }
}

/// Random sets of all templates, in both readings and orders: the outputs of the programs keep the requirements.
#[test]
fn programs_of_random_sets_keep_the_requirements() {
    let (mut programs, mut cases) = (Vec::new(), Vec::new());
    for seed in 1000..1080 {
        let case = Case::new(seed);
        if let Some(systems) = controllers(&case.game(), case.order()) {
            programs.push(program(&format!("case_{seed}"), systems, case.moore, false));
            cases.push(case);
        }
    }
    assert!(cases.len() > 30, "{}", cases.len());
    for (language, answers) in
        [("C", run_c("random_c", &programs)), ("Rust", run_rust("random_rust", &programs))]
    {
        for ((case, program), answers) in cases.iter().zip(&programs).zip(answers.iter().flatten()) {
            keeps(case, program, answers, language);
        }
        compare(language, &programs, answers, false);
    }
}

/// Judges the run of a program step by step.
fn keeps(case: &Case, program: &Program, answers: &[Option<Step>], language: &str) {
    let mut guarantees: Vec<_> = case.guarantees.iter().map(|it| (it, monitor::Memory::default())).collect();
    let mut assumptions: Vec<_> =
        case.assumptions.iter().map(|it| (it, monitor::Memory::default())).collect();
    for (step, (given, found)) in program.given.iter().zip(answers).enumerate() {
        let found = found.as_ref().expect("Booleans are exact");
        let bit = |(place, name): (usize, &&str)| {
            let value = given.iter().chain(found).find(|it| it.0 == **name).map(|it| &it.1);
            // What a controller does not have is left to others: nothing depends on it.
            u8::from(value == Some(&Value::Bool(true))) << place
        };
        let letter: u8 = random::NAMES.iter().enumerate().map(bit).sum();
        let violated = |list: &mut Vec<(&monitor::Sentence, monitor::Memory)>| {
            let mut any = false;
            for (sentence, memory) in list {
                let shown = sentence.step(memory, letter);
                any |= shown.violated || case.any_end && (shown.owed || shown.unfinished);
                *memory = shown.memory;
            }
            any
        };
        if violated(&mut assumptions) {
            return;
        }
        assert!(!violated(&mut guarantees), "{language} {} step {step}", program.name);
    }
}

#[test]
fn a_table_in_markdown() {
    let text = "in hot window: bool\nout fan: enum(off, slow, fast)
        whenever hot the sw shall immediately satisfy fan != off
        whenever window the sw shall immediately satisfy fan != fast";
    let systems =
        controllers(&Text::read(text).set(Reading::Endless).game, Order::Mealy).expect("realizable");
    let [system] = &systems[..] else { panic!("one group") };
    let shown = table(system, 7).and_then(|it| it.markdown()).expect("it is small");
    assert_eq!(
        shown,
        "\
| memory | at the start | next |
|---|---|---|
| last fan | off | fan |

| memory | inputs | fan |
|---|---|---|
| last fan = fast | hot & window | slow |
| last fan = fast | hot & !window | last fan |
| last fan = fast | !hot & window | off |
| last fan = fast | !hot & !window | last fan |
| last fan != fast & last fan = slow |  | last fan |
| last fan != fast & last fan != slow | hot | slow |
| last fan != fast & last fan != slow | !hot | last fan |
"
    );
    assert!(table(system, 6).is_none());
}

/// Exactly one row of a table applies at each step, and it says what the controller does.
#[test]
fn tables_say_what_the_controllers_do() {
    let mut shown = 0;
    for (number, text) in SETS.iter().enumerate() {
        for order in [Order::Mealy, Order::Moore] {
            let game = Text::read(text).set(Reading::Endless).game;
            for system in controllers(&game, order).into_iter().flatten() {
                let Some(table) = table(&system, 64) else { continue };
                shown += 1;
                assert!(table.rows.len() <= 64 && table.markdown().is_some());
                let own = program(&format!("table_{number}"), vec![system.clone()], false, false);
                let rows: Vec<Vec<Value<f64>>> =
                    own.given.iter().map(|row| row.iter().map(|it| it.1.clone()).collect()).collect();
                let run = simulate(&system, &[], &rows);
                for (now, after) in run.steps.iter().zip(&run.steps[1..]) {
                    let value =
                        |expr| evaluate(&table.system.pool, expr, |var| now.values[var.index()].clone());
                    let applies = |row: &&shall_export::system::table::Row| {
                        row.when.iter().all(|(it, truth)| value(*it) == Value::Bool(*truth))
                    };
                    let matching: Vec<_> = table.rows.iter().filter(applies).collect();
                    let [row] = matching[..] else { panic!("{text}: {} rows apply", matching.len()) };
                    let outputs: Vec<Value<f64>> = row.outputs.iter().map(|it| value(*it)).collect();
                    assert_eq!(outputs, now.outputs, "{text}");
                    for (var, next) in &table.memory {
                        let next = evaluate(&table.system.pool, *next, |it| {
                            let name = &table.system.variables[it.index()].name;
                            let output = system.outputs.iter().position(|it| it.name == *name);
                            output.map_or(now.values[it.index()].clone(), |at| now.outputs[at].clone())
                        });
                        assert_eq!(next, after.values[var.index()], "{text}");
                    }
                }
            }
        }
    }
    assert!(shown > 6, "{shown}");
}
