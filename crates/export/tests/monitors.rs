//! Generated monitors are compiled and run against the engine, the oracle and the past-time formulas: verdicts and every violating step, on
//! all templates and on random nested formulas.

mod monitors {
    pub(crate) mod drivers;
}

use base::Random;
use logic::{Binary, Bound, Formula, Store, Trace, Unary, Value};
use monitors::drivers::{Answers, Found, Program, run_c, run_python, run_rust, run_sql};
use record::{Block, Check, Kind as Read};
use requirement::template::{ATOMS, templates};
use requirement::vectors::random;
use requirement::{Watch, oracle, past, watch};
use shall_export::specification::sql::Engine;

/// What the engine finds on each trace, for each formula.
fn engine(store: &Store, watches: &[Watch], traces: &[Trace]) -> Vec<Vec<Found>> {
    let check = Check::new(store, watches, |_| Read::Truth).expect("past-time formulas");
    let one = |trace: &Trace| {
        let mut check = check.clone();
        let inputs = check.inputs().to_vec();
        let mut block = Block::new(&inputs);
        while block.fill(&inputs, trace) > 0 {
            check.block(store, &block);
        }
        let findings = check.finish();
        let steps = findings.into_iter().map(|it| (it.triggered, it.runs));
        steps.map(|(triggered, runs)| Found::new(triggered, runs.iter().flat_map(|run| run.first..=run.last)))
    };
    traces.iter().map(|trace| one(trace).collect()).collect()
}

/// All templates with one duration, and what is expected on random settings.
fn template_program(steps: u64, length: usize) -> Program {
    let mut store = Store::default();
    let requirements = templates(&mut store, steps);
    let watches: Vec<Watch> =
        requirements.iter().map(|it| watch(&mut store, it).expect("looks back only")).collect();
    let pasts: Vec<Formula> =
        requirements.iter().map(|it| past(&mut store, it).expect("looks back only")).collect();
    let traces: Vec<Trace> =
        random(length, Some(steps), 110, 40 + steps).iter().map(|it| it.trace()).collect();
    let expected = engine(&store, &watches, &traces);
    for (trace, found) in traces.iter().zip(&expected) {
        for ((requirement, past), found) in requirements.iter().zip(&pasts).zip(found) {
            let verdict = oracle::judge(&store, requirement, trace).expect("all columns are there");
            let key = requirement.key();
            assert_eq!(found.first, verdict.violation.map(|it| it.step as u64), "{key} {trace:?}");
            let holds = logic::holds_at(&store, *past, trace, trace.len() - 1);
            assert_eq!(holds, Ok(found.first.is_none()), "{key} {trace:?}");
        }
    }
    let ids = requirements.iter().map(|it| it.key().to_string());
    Program::new(&format!("t{steps}"), store, &ATOMS, ids.zip(watches).collect(), traces, expected)
}

/// A random past-time formula over a, b and c.
fn formula(store: &mut Store, random: &mut Random, depth: usize) -> Formula {
    if depth == 0 || random.below(6) == 0 {
        let symbol = store.symbol(random.pick(&["a", "b", "c"]));
        return store.var(symbol);
    }
    let one = formula(store, random, depth - 1);
    let lo = random.pick(&[0, 0, 0, 1, 2, 5, 8, 63, 64, 65, 100, 300]);
    let hi = [None, Some(lo), Some(lo + 1), Some(lo + 7), Some(lo + 64), Some(lo + 300), Some(lo + 70_000)];
    let bound = Bound::new(lo, random.pick(&hi));
    match random.below(8) {
        0 => store.not(one),
        1 => store.unary(Unary::Once, bound, one),
        2 => store.unary(Unary::Historically, bound, one),
        which => {
            let other = formula(store, random, depth - 1);
            match which {
                3 => store.and2(one, other),
                4 => store.or2(one, other),
                5 => store.xor(one, other),
                6 => store.binary(Binary::Since, bound, one, other),
                _ => store.binary(Binary::Triggered, bound, one, other),
            }
        }
    }
}

/// Random formulas, and at which steps they hold.
fn formula_program(number: u64) -> Program {
    let mut random = Random::new(100 + number);
    let mut store = Store::default();
    let no = store.bottom();
    let formulas: Vec<Formula> = (0..25).map(|_| formula(&mut store, &mut random, 4)).collect();
    let watches = formulas
        .iter()
        .map(|&bad| Watch { bad, bad_at_end: no, left: no, trigger: no, scope: no, active: None })
        .collect::<Vec<_>>();
    let traces: Vec<Trace> = [1, 2, 9, 63, 64, 65, 130, 400, 1500]
        .into_iter()
        .map(|length| {
            let often = random.pick(&[2, 2, 20, 100]);
            let mut column =
                || (0..length).map(|_| Value::Bool(random.below(often) == 0)).collect::<Vec<_>>();
            Trace::of(["a", "b", "c"].map(|name| (name, column()))).expect("columns of one length")
        })
        .collect();
    let expected = engine(&store, &watches, &traces);
    for (trace, found) in traces.iter().zip(&expected) {
        for (&formula, found) in formulas.iter().zip(found) {
            let holds = logic::values(&store, formula, trace).expect("all columns are there");
            let steps = (0..trace.len() as u64).filter(|&step| holds[step as usize]);
            assert_eq!(
                *found,
                Found::new(false, steps),
                "{:?}",
                logic::print(&store, formula, &logic::SHALL)
            );
        }
    }
    let ids = (0..formulas.len()).map(|at| format!("F{at}"));
    Program::new(&format!("r{number}"), store, &["a", "b", "c"], ids.zip(watches).collect(), traces, expected)
}

fn programs() -> Vec<Program> {
    let mut programs: Vec<Program> =
        [(0, 5), (1, 12), (3, 12), (5, 24)].map(|(steps, length)| template_program(steps, length)).into();
    let vectors: usize = programs.iter().map(|it| it.traces.len()).sum();
    assert!(vectors >= 400, "{vectors}");
    programs.extend((0..8).map(formula_program));
    let violated = programs.iter().flat_map(|it| it.expected.iter().flatten());
    assert!(violated.filter(|it| it.first.is_some()).count() > 10_000);
    programs
}

/// Compares what was found, or says that it could not be.
fn compare(language: &str, programs: &[Program], found: Option<Answers>, has_sums: bool) {
    let Some(found) = found else {
        eprintln!("skipped: {language} is not installed");
        return;
    };
    for (program, found) in programs.iter().zip(found) {
        assert_eq!(found.len(), program.expected.len());
        for (at, (found, expected)) in found.iter().zip(&program.expected).enumerate() {
            assert_eq!(found.len(), expected.len());
            for ((found, expected), (id, _)) in found.iter().zip(expected).zip(&program.watches) {
                let sum = if has_sums { expected.sum } else { 0 };
                let expected = Found { sum, ..expected.clone() };
                assert_eq!(*found, expected, "{language} {} {id} on trace {at}", program.name);
            }
        }
    }
}

#[test]
fn sql_agrees_with_engine_oracle_and_formulas() {
    let programs = programs();
    for (engine, package) in [
        (Engine::Sqlite, "sqlite3"),
        (Engine::DuckDb, "duckdb"),
        (Engine::DataFusion, "datafusion"),
        (Engine::Spark, "pyspark"),
    ] {
        compare(package, &programs, run_sql(engine, package, &programs), false);
    }
}

#[test]
fn c_rust_and_python_agree_with_engine_oracle_and_formulas() {
    let programs = programs();
    compare("a C compiler", &programs, run_c(&programs), true);
    compare("rustc", &programs, run_rust(&programs), true);
    compare("Python", &programs, run_python(&programs), true);
}
