//! Generated monitors are compiled and run against the engine, the oracle and the past-time formulas: verdicts and every violating step, on
//! all templates and on random nested formulas.

mod component;
mod monitors {
    pub(crate) mod drivers;
}

use base::Random;
use component::{component, variable};
use logic::testing::past_formula;
use logic::{Formula, Store, Trace, Value};
use monitors::drivers::{Answers, Found, Program, Typed, run_c, run_python, run_rust, run_sql, run_typed};
use record::{Block, Check, Kind as Read};
use requirement::specification::{Component, Kind};
use requirement::template::{ATOMS, templates};
use requirement::vectors::{Setting, random};
use requirement::{Watch, oracle, past, watch};
use shall_export::specification::monitor::{self, Language, Monitor, NoMonitor, Options};
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
        random(length, Some(steps), 110, 40 + steps).iter().map(Setting::trace).collect();
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

/// The least bounds of random formulas, and the widths of their intervals.
const BOUNDS: (&[u64], &[u64]) = (&[0, 0, 0, 1, 2, 5, 8, 63, 64, 65, 100, 300], &[0, 1, 7, 64, 300, 70_000]);

/// Random formulas, and at which steps they hold.
fn formula_program(number: u64) -> Program {
    let mut random = Random::new(100 + number);
    let mut store = Store::default();
    let no = store.bottom();
    let formulas: Vec<Formula> = (0..25).map(|_| past_formula(&mut store, &mut random, 4, BOUNDS)).collect();
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
    let named = std::env::var("SHALL_SQL_ENGINES").unwrap_or_default();
    for (engine, package) in [
        (Engine::Sqlite, "sqlite3"),
        (Engine::DuckDb, "duckdb"),
        (Engine::DataFusion, "datafusion"),
        (Engine::Spark, "pyspark"),
    ] {
        // These take minutes.
        let is_slow = matches!(engine, Engine::DataFusion | Engine::Spark);
        let is_named = named.split(' ').any(|it| it == package);
        if !is_slow || is_named {
            let found = run_sql(engine, package, &programs);
            assert!(!is_named || found.is_some(), "{package} is not installed");
            compare(package, &programs, found, false);
        }
    }
}

#[test]
fn c_rust_and_python_agree_with_engine_oracle_and_formulas() {
    let programs = programs();
    compare("a C compiler", &programs, run_c(&programs), true);
    compare("rustc", &programs, run_rust(&programs), true);
    compare("Python", &programs, run_python(&programs), true);
}

/// Numbers, enumerations and definitions; names that are keywords; and what cannot be watched.
fn valve(store: &mut Store) -> Component {
    let variables = vec![
        variable("mode", Kind::Input, "enum(idle, open)", None),
        variable("p.in", Kind::Input, "real 0..16", None),
        variable("int", Kind::Input, "int", None),
        variable("far", Kind::Input, "int 0..9000000000", None),
        variable("for", Kind::Output, "bool", None),
        variable("limit", Kind::Constant, "real", Some("4")),
        variable("high", Kind::Internal, "bool", Some("p.in > limit & int >= 2")),
    ];
    component(
        store,
        "Valve",
        variables,
        &[
            ("V-1", "in mode = open Valve shall always satisfy p.in <= 12.1"),
            ("V-2", "when high Valve shall within 3 steps satisfy for"),
            ("V-3", "Valve shall always satisfy if mode = idle then int mod 3 != 1"),
            ("V-4", "Valve shall always satisfy p.in + 0.5 * int < 9"),
            ("V-5", "Valve shall always satisfy abs(int) + 2 <= max(far, 3) "),
            ("V-6", "whenever for Valve shall immediately satisfy preInt(0, int) = int | int > 0"),
            ("V-7", "Valve shall always satisfy if for then persists(2, high)"),
            ("V-8", "Valve shall always satisfy p.in / int < 3"),
            ("V-9", "Valve shall always satisfy far * far * far > 3"),
        ],
    )
}

fn monitor_of(language: Language, single: bool) -> Monitor {
    let mut store = Store::default();
    let valve = valve(&mut store);
    let options = Options { name: "valve".into(), single };
    monitor::write(&mut store, &[valve], language, &options).expect("there is a monitor")
}

#[test]
fn what_cannot_be_watched_is_left_out_with_its_reason() {
    let reasons = |left_out: &[shall_export::specification::LeftOut]| -> Vec<String> {
        left_out.iter().map(ToString::to_string).collect()
    };
    let left_out = reasons(&monitor_of(Language::C, false).left_out);
    assert_eq!(
        left_out,
        [
            "V-7: `persists` looks into the future",
            "V-8: it divides by something that is not a positive constant",
            "V-9: its arithmetic can leave 64 bits",
        ]
    );
    let python = monitor_of(Language::Python, false);
    assert_eq!(reasons(&python.left_out), left_out[..2]);
    let rounded = |monitor: &Monitor| -> Vec<String> {
        monitor.watched.iter().filter(|it| it.is_rounded).map(|it| it.id.clone()).collect()
    };
    assert_eq!(rounded(&monitor_of(Language::Rust, false)), ["V-4"]);
    assert_eq!(rounded(&python), [""; 0]);
    let mut store = Store::default();
    let valve = valve(&mut store);
    let options = Options { name: "1".into(), single: false };
    let refused = monitor::write(&mut store, &[valve], Language::C, &options);
    assert_eq!(refused, Err(NoMonitor::Name("1".into())));
    let options = Options { name: "m".into(), single: false };
    assert_eq!(monitor::write(&mut store, &[], Language::C, &options), Err(NoMonitor::Nothing(None)));
}

#[test]
fn numbers_and_enumerations_are_judged_as_the_oracle_does() {
    let mut store = Store::default();
    let component = valve(&mut store);
    let mut random = Random::new(8);
    // Values for each input as C, Rust and Python write them; the last one of a list has no legal value.
    let values: [(&str, &[[&str; 4]]); 5] = [
        (
            "mode",
            &[
                ["idle", "valve_mode_type_idle", "m::mode_type::idle", "'idle'"],
                ["open", "valve_mode_type_open", "m::mode_type::open", "'open'"],
            ],
        ),
        (
            "p.in",
            &[
                ["4", "4.0", "4.0", "4.0"],
                ["12.1", "12.1", "12.1", "12.1"],
                ["12.11", "12.11", "12.11", "12.11"],
                ["", "0.0 / zero", "f64::NAN", "float('nan')"],
            ],
        ),
        ("int", &[["-2", "-2", "-2", "-2"], ["1", "1", "1", "1"], ["7", "7", "7", "7"]]),
        (
            "far",
            &[
                ["0", "0", "0", "0"],
                ["9000000000", "9000000000", "9000000000", "9000000000"],
                ["", "-1", "-1", "None"],
            ],
        ),
        ("for", &[["0", "false", "false", "False"], ["1", "true", "true", "1"]]),
    ];
    let fields = ["mode", "p_in", "int_2", "far", "for_2"];
    let mut traces: Vec<Vec<[usize; 5]>> = Vec::new();
    for number in 0..60 {
        // Values that are not legal are rare.
        let mut cell = |at: usize| loop {
            let index = random.below(values[at].1.len());
            if !values[at].1[index][0].is_empty() || (number % 3 == 0 && random.below(4) == 0) {
                return index;
            }
        };
        let row = |_| [0, 1, 2, 3, 4].map(&mut cell);
        traces.push((0..12).map(row).collect());
    }
    let typed = Typed { values: values.map(|(name, list)| (name, list.to_vec())), fields, traces };
    let mut seen = std::collections::BTreeSet::new();
    for language in [Language::C, Language::Rust, Language::Python] {
        let monitor = monitor_of(language, false);
        let Some(found) = run_typed(&typed, language, &monitor) else {
            eprintln!("skipped: there is no tool for {language:?}");
            continue;
        };
        for (rows, found) in typed.traces.iter().zip(found) {
            assert_eq!(found.len(), monitor.watched.len());
            for (watched, found) in monitor.watched.iter().zip(found) {
                let item = component.items.iter().find(|item| item.id == watched.id).expect("an item");
                let expected = typed.expected(&mut store, &component, item, rows);
                assert_eq!(found, expected, "{language:?} {} {rows:?}", watched.id);
                seen.insert(expected);
            }
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn code_and_state_do_not_grow_with_bounds() {
    let monitor = |bound: u64| {
        let mut store = Store::default();
        let variables = ["p", "q"].map(|name| variable(name, Kind::Input, "bool", None)).to_vec();
        let sentences = [
            format!("the sys shall always satisfy p => occurred({bound}, q)"),
            format!("the sys shall always satisfy p => persisted({bound}, q)"),
            format!("the sys shall for {bound} ticks satisfy p"),
        ];
        let sentences: Vec<(&str, &str)> =
            ["A", "B", "C"].into_iter().zip(sentences.iter().map(String::as_str)).collect();
        let sys = component(&mut store, "sys", variables, &sentences);
        let options = Options { name: "m".into(), single: false };
        monitor::write(&mut store, &[sys], Language::C, &options).expect("there is a monitor")
    };
    let (near, far) = (monitor(10), monitor(4_000_000_000));
    assert_eq!(near.text.lines().count(), far.text.lines().count());
    for watched in &far.watched {
        assert!(watched.bytes <= 8, "{watched:?}");
    }
}

#[test]
fn a_very_long_delay_is_a_counter_that_finds_the_first_violation() {
    let mut store = Store::default();
    let variables = ["p", "q"].map(|name| variable(name, Kind::Input, "bool", None)).to_vec();
    let sentence = "whenever p the sys shall within 70000 ticks satisfy q";
    let sys = component(&mut store, "sys", variables, &[("L", sentence)]);
    let watch = watch(&mut store, &sys.items[0].requirement).expect("looks back only");
    let options = Options { name: "m".into(), single: false };
    let monitor = monitor::write(&mut store, &[sys], Language::C, &options).expect("there is a monitor");
    assert!(monitor.bytes <= 11, "{}", monitor.bytes);
    let trace = |triggers: &[usize], responses: &[usize]| {
        let column =
            |steps: &[usize]| (0..150_000).map(|step| Value::Bool(steps.contains(&step))).collect::<Vec<_>>();
        Trace::of([("p", column(triggers)), ("q", column(responses))]).expect("a trace")
    };
    let traces = [
        trace(&[10, 60_000, 79_000], &[70_010]),
        trace(&[10, 60_000], &[70_011]),
        trace(&[10, 60_000, 70_011], &[70_010, 140_011]),
        trace(&[10, 60_000, 70_011], &[70_010, 140_012]),
    ];
    let expected: Vec<Option<u64>> =
        engine(&store, &[watch], &traces).into_iter().map(|found| found[0].first).collect();
    assert_eq!(expected, [Some(149_000), Some(70_010), None, Some(140_011)]);
    match monitors::drivers::first_violations(&monitor, &traces) {
        Some(found) => assert_eq!(found, expected),
        None => eprintln!("skipped: a C compiler is not installed"),
    }
}

#[test]
#[ignore = "measures time; run it with --ignored on a quiet machine"]
fn a_step_in_c_takes_at_most_15_ns() {
    let mut store = Store::default();
    let mut variables: Vec<_> =
        ["p", "q", "r", "m", "c", "s"].iter().map(|name| variable(name, Kind::Input, "bool", None)).collect();
    variables.push(variable("x", Kind::Input, "real", None));
    let sentences = [
        ("P1", "the sys shall always satisfy p => occurred(10, q)"),
        ("P2", "whenever p the sys shall within 10 ticks satisfy q"),
        ("P3", "in m mode when c the sys shall until s satisfy x > 3"),
        ("P4", "the sys shall always satisfy r => persisted(1000, m)"),
    ];
    for sentence in sentences {
        let sys = component(&mut store, "sys", variables.clone(), &[sentence]);
        let options = Options { name: "m".into(), single: false };
        let monitor = monitor::write(&mut store, &[sys], Language::C, &options).expect("there is a monitor");
        let nanoseconds = monitors::drivers::measure(&monitor);
        println!("{}: {nanoseconds:.1} ns a step, {} bytes of state", sentence.0, monitor.bytes);
        assert!(nanoseconds <= 15.0, "{}", sentence.0);
    }
}
