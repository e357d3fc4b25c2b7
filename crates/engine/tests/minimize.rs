//! Counterexamples after they were made smaller: what they look like, and that they still refute.

use lustre::{Options, read};
use shall_engine::{Counterexample, minimize};
use system::{System, Type, Value, Var, refutes, simulate};

fn system(text: &str) -> System {
    let program = read(text, &|_| None);
    program
        .system("f", &Options::default())
        .unwrap_or_else(|found| panic!("{text}: {found:?} {:?}", program.diagnostics))
}

/// A value from its text.
fn value(system: &System, var: Var, text: &str) -> Value {
    let number = || logic::parse_number(text).expect("a number");
    match system.variables[var.index()].ty {
        Type::Bool => Value::Bool(text == "1"),
        Type::Int => Value::Int(number().numerator().clone()),
        Type::Machine(_) => Value::Machine(text.parse().expect("an integer")),
        Type::Real => Value::Real(number()),
        Type::Enum(id) => {
            let place =
                system.pool.enumeration(id).literals.iter().position(|it| it == text).expect("a literal");
            Value::Enum(place as u32)
        }
    }
}

/// Each line has the values of an input, one for each step.
fn check(text: &str, given: &[&str], expected: &[&str]) {
    let system = system(text);
    let columns: Vec<Vec<&str>> = given.iter().map(|it| it.split(' ').collect()).collect();
    let length = columns.first().map_or(1, Vec::len);
    let rows: Vec<Vec<Value>> = (0..length)
        .map(|step| {
            system
                .inputs
                .iter()
                .zip(&columns)
                .map(|(var, column)| value(&system, *var, column[step]))
                .collect()
        })
        .collect();
    let start: Vec<(Var, Value)> = system
        .state
        .iter()
        .filter(|it| it.init.is_none())
        .map(|it| (it.var, Value::Int(77.into())))
        .collect();
    let mut run = simulate(&system, &start, &rows);
    let last = run.steps.iter().position(|it| it.properties[0] == Some(false)).expect("a violation");
    run.steps.truncate(last + 1);
    assert!(refutes(&system, &run, 0), "{text}");
    let found = minimize(&system, 0, &Counterexample { run, rounded: None, repeats: None }, &|| false);
    assert_eq!(found, minimize(&system, 0, &found, &|| false), "{text}: twice is once");
    assert!(refutes(&system, &found.run, 0), "{text}");
    let shown: Vec<String> = system
        .inputs
        .iter()
        .chain(system.state.iter().filter(|it| it.init.is_none()).map(|it| &it.var))
        .map(|var| {
            let ty = system.variables[var.index()].ty;
            let cell = |step: &system::Step| match &step.values[var.index()] {
                Value::Bool(truth) => u8::from(*truth).to_string(),
                Value::Real(number) => logic::format_decimal(number).unwrap_or_else(|| number.to_string()),
                other => system.pool.show_value(ty, other),
            };
            found.run.steps.iter().map(cell).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let free = system.state.iter().filter(|it| it.init.is_none()).count();
    assert_eq!(shown[..shown.len() - free], *expected, "{text}");
}

#[test]
fn table() {
    // Not more steps than needed.
    let count =
        "node f(on: bool) returns (n: int); let n = (if on then 1 else 0) + (0 -> pre n); check n < 3; tel";
    check(count, &["1 0 0 1 0 0 0 0 1"], &["1 1 1"]);
    // Inputs that do not matter are as simple as can be, and do not change.
    let one = "node f(a: bool; x: int; r: real; u: uint8) returns (y: bool); let y = a; check not y; tel";
    check(one, &["0 1", "7 -300", "1/3 2.5", "3 200"], &["1", "0", "0", "0"]);
    // Few changes come before simple values.
    let held =
        "node f(a: bool; x: int) returns (y: bool); let y = false -> pre (x > 10) and a; check not y; tel";
    check(held, &["0 1 1", "50 12 99"], &["1 1", "11 11"]);
    // A change that is needed stays.
    let edge = "node f(a: bool) returns (y: bool); let y = false -> a and not pre a; check not y; tel";
    check(edge, &["1 0 0 1"], &["0 1"]);
    // A first value may be changed for the sake of few changes.
    let late =
        "node f(a: bool) returns (n: int); let n = 0 -> (if a then 1 else 0) + pre n; check n < 2 or a; tel";
    check(late, &["0 1 1 0"], &["1 1 1 0"]);
    // Small integers, short decimals.
    let real = "node f(x: real) returns (y: bool); let y = x > 2.44 and x < 2.46; check not y; tel";
    check(real, &["2.4512345"], &["2.45"]);
    let third = "node f(x: real) returns (y: bool); let y = x > 100.0; check not y; tel";
    check(third, &["1234567/3"], &["101"]);
    let negative = "node f(x: int) returns (y: bool); let y = x < -5 or x > 70; check not y; tel";
    check(negative, &["-123456789"], &["-6"]);
    let machine = "node f(x: int8) returns (y: bool); let y = x < (int8 -100); check not y; tel";
    check(machine, &["-128"], &["-101"]);
    // The first literal that will do.
    let named = "type t = enum { A, B, C, D }; node f(x: t) returns (y: bool); let y = x = C or x = D; check not y; tel";
    check(named, &["D"], &["C"]);
    // Assumptions hold.
    let assumed =
        "node f(x: int) returns (y: int); (*@contract assume x >= 5; guarantee y < 9; *) let y = x + 1; tel";
    check(assumed, &["1000"], &["8"]);
    // First values of memory are simple too.
    let memory = "node f(a: bool) returns (y: int); let y = pre y; check y < 3 or not a; tel";
    check(memory, &["0 0 1"], &["1"]);
}

#[test]
fn work_is_bounded() {
    let text = "node f(x: int) returns (n: int); let n = x + (0 -> pre n); check n < 1000000; tel";
    let system = system(text);
    let rows = vec![vec![Value::Int(1.into())]; 20_000];
    let mut rows = rows;
    rows.push(vec![Value::Int(1_000_000.into())]);
    let run = simulate(&system, &[], &rows);
    let found = minimize(&system, 0, &Counterexample { run, rounded: None, repeats: None }, &|| false);
    assert!(refutes(&system, &found.run, 0));
    assert_eq!(found.run.steps.len(), 1);
}
