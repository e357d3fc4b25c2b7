//! Nonlinear arithmetic without a solver: identities by normal forms, inequalities by branch and bound, violations where bounds point.

mod support;

use shall_engine::{Config, NoSolver, verify};
use std::fmt::Write as _;
use support::{judged, seconds};
use system::System;

/// The system of a node with real inputs `x`, `y`, `z` and the given equations and properties.
fn system(body: &str) -> System {
    let text = format!(
        "include \"lustrec_math.lus\"\n\
         node act(x: real) returns (y: real);\n\
         let y = if x < -0.995 then 0.01 * x - 0.990025 else if x < 0.0 then x * (x + 2.0)\n\
             else if x < 0.995 then x * (2.0 - x) else 0.01 * x + 0.990025; tel\n\
         node clip(x: real) returns (y: real); let y = if x < -2.0 then -2.0 else if x > 2.0 then 2.0 else x; tel\n\
         node f(x, y, z: real; b: bool; n: int) returns (o, p: real); let {body} tel"
    );
    let program = lustre::read(&text, &|_| None);
    program.system("f", &lustre::Options::default()).expect(&text)
}

/// Expects a verdict; a proof must come from the given engine.
fn expect(body: &str, answer: Option<bool>, engine: &str) {
    let system = system(body);
    let left = seconds(if answer.is_none() { 1 } else { 20 });
    let verdict = verify(&system, &[0], &Config::new(&left, &NoSolver)).remove(0);
    assert_eq!(judged(&system, &verdict, &NoSolver), answer, "{body}: {:?}", verdict.answer);
    if answer == Some(true) {
        assert_eq!(verdict.engine, engine, "{body}");
    }
}

#[test]
fn identities() {
    for body in [
        "check (x + y) * (x + y) = x * x + 2.0 * x * y + y * y;",
        "check x * y < y * x + 1.0;",
        "check not (x * y + 1.0 <= y * x);",
        "check x / 2.0 + x / 2.0 = x;",
        // A quotient by something that may be zero is equal to itself.
        "check x / y + x / y = 2.0 * (x / y);",
        "check sin(x) * sin(x) + cos(x) * cos(x) = 1.0;",
        "check sin(x + y) = sin(y + x);",
        "check sin(-x) = -sin(x) and cos(y - x) = cos(x - y);",
        "check real(n) * real(n) = real(n * n);",
        // sin⁴ - cos⁴ = sin² - cos²
        "o = sin(x) * sin(x); p = cos(x) * cos(x); check o * o - p * p = o - p;",
        // A rotation keeps lengths.
        "o = x * cos(z) - y * sin(z); p = x * sin(z) + y * cos(z); check o * o + p * p = x * x + y * y;",
    ] {
        expect(body, Some(true), "constant");
    }
}

#[test]
fn what_is_not_an_identity() {
    for (body, answer) in [
        ("check sin(x) * sin(x) + cos(y) * cos(y) = 1.0;", Some(false)),
        ("check sin(x) + cos(x) < 1.4;", Some(false)),
        ("check x * y = y;", Some(false)),
        // Undefined where it fails.
        ("check x / y * y = x;", None),
    ] {
        expect(body, answer, "");
    }
}

#[test]
fn what_is_too_large_is_left_alone() {
    // Each line squares the one before.
    for (lines, answer) in [(3, Some(true)), (12, None)] {
        let mut body = "o = x + y; p = o * o;".to_owned();
        let mut value = "p".to_owned();
        for _ in 1..lines {
            value = format!("({value} * {value})");
        }
        let _ = write!(body, " check {value} < {value} + 1.0 - p + o * o;");
        expect(&body, answer, "constant");
    }
}

#[test]
fn inequalities() {
    let cases = [
        ("assert -1.0 <= x and x <= 1.0; check x * x <= 1.5;", Some(true)),
        ("assert -1.0 <= x and x <= 1.0; check x * x * x - x < 0.39;", Some(true)),
        ("assert -1.0 <= x and x <= 1.0; check x * x * x - x < 0.38;", Some(false)),
        // Bounds alone forget that both are the same.
        ("o = clip(x); check o * o - o * o * o / 4.0 >= -0.01;", Some(true)),
        ("o = clip(x); p = clip(y); check act(o + p) - act(o + p - 0.1) < 0.3;", Some(true)),
        ("o = clip(x); p = clip(y); check act(o + p) - act(o + p - 0.1) < 0.15;", Some(false)),
        ("check sin(x) * cos(y) <= 1.001;", Some(true)),
        ("o = clip(x); check exp(o) * (if b then 1.0 else 2.0) < 14.9;", Some(true)),
        ("o = clip(x); check exp(o) * (if b then 1.0 else 2.0) < 14.7;", Some(false)),
        ("assert 1.0 <= x and x <= 3.0; check 1.0 / x + x / 3.0 > 1.15;", Some(true)),
        ("assert 0 <= n and n <= 20; check real(n) * (20.0 - real(n)) <= 100.5;", Some(true)),
        // Nothing reaches the last branch, which has no bounds.
        (
            "o = clip(x); p = if o < -0.995 then -1.0 else if o >= -0.995 and o < 0.0 then o
             else if not (o < -0.995 or o < 0.0) then o * o else (0.0 -> pre y); check -1.1 <= p and p <= 4.1;",
            Some(true),
        ),
        // One step decides: the state is bounded by the property.
        ("o = clip(x) -> 0.5 * pre o + 0.2 * clip(x) * clip(x); check -2.1 <= o and o <= 2.1;", Some(true)),
    ];
    for (body, answer) in cases {
        expect(body, answer, "boxes");
    }
}
