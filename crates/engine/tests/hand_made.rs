//! Hand-made systems with known answers, with and without a solver; solvers that fail.

mod support;

use shall_engine::{
    Answer, Config, Connect, Engine, NoSolver, Proof, Session, SolverError, Verdict, Why, verify,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::{Program, judged, made, seconds, z3};
use system::System;

fn ask(system: &System, solver: &dyn Connect, time: u64) -> Verdict {
    assert_eq!(system.check(), Vec::<String>::new());
    let left = seconds(time);
    verify(system, &[0], &Config::new(&left, solver)).remove(0)
}

fn expect(name: &str, system: &System, solver: &dyn Connect, answer: Option<bool>) {
    let verdict = ask(system, solver, if answer.is_none() { 1 } else { 20 });
    assert_eq!(judged(system, &verdict, solver), answer, "{name}: {:?}", verdict.answer);
}

#[test]
fn without_a_solver() {
    let cases = [
        ("saturation", made::saturating(5, 5), Some(true)),
        ("saturation, too low", made::saturating(5, 4), Some(false)),
        ("a long way", made::saturating(300, 299), Some(false)),
        ("chain", made::chain(12), Some(true)),
        ("contradiction", made::contradictory(), Some(true)),
        ("without bounds", made::twins(), None),
    ];
    for (name, system, answer) in cases {
        expect(name, &system, &NoSolver, answer);
    }
}

#[test]
fn programs_without_a_solver() {
    const LEAST: &str = "-170141183460469231731687303715884105728";
    const MOST: &str = "170141183460469231731687303715884105727";
    let cases = [
        // Bounds that no machine word holds.
        (format!("assert x <= {LEAST} and x >= {LEAST}; check x + x = 0;"), Some(false)),
        (format!("assert x < {LEAST}; check x > 0;"), Some(false)),
        (format!("assert not (x <= {MOST}); check x < 0;"), Some(false)),
        (format!("y = 0 -> if x > 0 then {MOST} else pre y; check y < 5;"), Some(false)),
        // Definitions that need others, in any order.
        ("assert 0 <= x and x < 60; assert y = x + 1; assert z = y + y; check z < 100;".into(), Some(false)),
        ("assert z = y + y; assert 0 <= x and x < 60; assert y = x + 1; check z < 100;".into(), Some(false)),
        ("assert 0 <= x and x < 60; assert y = x + 1; assert z = y + y; check z < 121;".into(), Some(true)),
        (
            "assert 0 <= x and x < 9; assert y = z; assert z = x; assert x = y; check y < 8;".into(),
            Some(false),
        ),
        // Definitions that show only when others are in their place.
        (
            "assert 0 <= x and x < 60; assert y = 2; assert if y = 2 then z = x else z = 0; check z < 50;"
                .into(),
            Some(false),
        ),
    ];
    for (body, answer) in cases {
        let text = format!("node f(x: int) returns (y, z: int); let {body} tel");
        let program = lustre::read(&text, &|_| None);
        let system = program.system("f", &lustre::Options::default()).expect(&text);
        expect(&text, &system, &NoSolver, answer);
    }
}

#[test]
fn words_do_not_grow_with_the_steps() {
    let (system, left) = (made::saturating(132, 131), seconds(20));
    let config = Config { engines: &[Engine::Bmc], ..Config::new(&left, &NoSolver) };
    let verdict = verify(&system, &[0], &config).remove(0);
    assert_eq!(judged(&system, &verdict, &NoSolver), Some(false), "{:?}", verdict.answer);
}

#[test]
fn with_a_solver() {
    let Some(z3) = z3() else { return };
    let cases = [
        ("even", made::even(), Some(true)),
        ("twins", made::twins(), Some(true)),
        ("square", made::square(4), Some(true)),
        ("square, too low", made::square(3), Some(false)),
        ("sine", made::sine(1), Some(true)),
        ("sine, too low", made::sine(0), Some(false)),
    ];
    for (name, system, answer) in cases {
        expect(name, &system, &z3, answer);
    }
    // The same by the solver, where bits would do.
    let left = seconds(20);
    let system = made::saturating(5, 5);
    let verdict = verify(&system, &[0], &Config { built_in: false, ..Config::new(&left, &z3) }).remove(0);
    assert_eq!(judged(&system, &verdict, &z3), Some(true));
}

/// Programs that need linear relations between their variables, which no single condition of the model states.
#[test]
fn relations_are_found() {
    let Some(z3) = z3() else { return };
    let cases = [
        // y = 2x + 1
        "x = 0 -> if r then 0 else if pre x < 1000 then pre x + 1 else pre x;
         y = 1 -> if r then 1 else if pre x < 1000 then pre y + 2 else pre y;
         z = 0; check y <= 2001;",
        // x - y <= 1 and y - z <= 1
        "x = 0 -> if a and pre x <= pre y then pre x + 1 else pre x;
         y = 0 -> if b and pre y <= pre z then pre y + 1 else pre y;
         z = 0 -> if r then pre z + 1 else pre z; check x - z <= 2;",
        // A cache protocol with n caches: x are invalid, y valid, z dirty; x + y + z = n.
        "x = n -> if a and pre x >= 1 then pre x + pre z - 1 else if b and pre y >= 1 then pre x + pre y + pre z - 1 else pre x;
         y = 0 -> if a and pre x >= 1 then pre y + 1 else if b and pre y >= 1 then 0 else pre y;
         z = 0 -> if a and pre x >= 1 then 0 else if b and pre y >= 1 then 1 else pre z;
         assert n >= 0; check x <= n and x >= 0;",
    ];
    for body in cases {
        let text = format!("node f(a, b, r: bool; const n: int) returns (x, y, z: int); let {body} tel");
        let program = lustre::read(&text, &|_| None);
        let system = program.system("f", &lustre::Options::default()).expect(&text);
        expect(&text, &system, &z3, Some(true));
    }
}

#[test]
fn what_is_undefined_is_not_reported() {
    let Some(z3) = z3() else { return };
    let verdict = ask(&made::division_by_zero(), &z3, 3);
    assert!(matches!(verdict.answer, Answer::Unknown(Why::NotReplayed)), "{:?}", verdict.answer);
}

#[test]
fn a_contradiction_is_vacuous() {
    let verdict = ask(&made::contradictory(), &NoSolver, 5);
    assert!(verdict.vacuous, "{verdict:?}");
    assert!(matches!(verdict.answer, Answer::Valid(_)));
    assert!(!ask(&made::saturating(5, 5), &NoSolver, 5).vacuous);
}

#[test]
fn a_wrong_certificate_is_refused() {
    let system = made::saturating(5, 4);
    let mut pool = system.pool.clone();
    for proof in [
        Proof::Induction { k: 1, distinct: false },
        Proof::Induction { k: 9, distinct: true },
        Proof::Induction { k: 0, distinct: false },
        Proof::Ends { length: 1 },
        Proof::Explored,
    ] {
        for invariant in [pool.bool(true), pool.bool(false)] {
            let certificate =
                shall_engine::Certificate { pool: pool.clone(), invariant, proof, recurrence: None };
            let mut bounded = system.clone();
            // With bounds on everything the built-in solver decides.
            let (n, x) = (bounded.named("n").expect("n"), bounded.named("x").expect("x"));
            let (low, high) = (bounded.pool.int(0), bounded.pool.int(9));
            for it in [n, x] {
                let range = [bounded.pool.le(low, it), bounded.pool.le(it, high)];
                bounded.assumptions.extend(range);
            }
            let certificate = shall_engine::Certificate { pool: bounded.pool.clone(), ..certificate };
            let checked = shall_engine::check(&bounded, 0, &certificate, &NoSolver, &|| false);
            assert_eq!(checked, Ok(false), "{proof:?}");
        }
    }
}

/// Says `unsat` in the first sessions, which engines have, and `sat` in those behind, which check what they found.
struct Liar(AtomicUsize);

impl Connect for Liar {
    fn open(&self) -> Result<Box<dyn Session>, SolverError> {
        let before = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(Parrot(if before < 2 { "unsat" } else { "sat" })))
    }
}

#[test]
fn a_search_does_not_outweigh_a_refuted_proof() {
    let system = made::tenths();
    let left = seconds(20);
    let ask = |solver: &dyn Connect| {
        let engines = &[Engine::Induction, Engine::Explicit];
        verify(&system, &[0], &Config { engines, ..Config::new(&left, solver) }).remove(0).answer
    };
    let refuted = ask(&Liar(AtomicUsize::new(0)));
    assert!(matches!(refuted, Answer::Unknown(Why::BadCertificate)), "{refuted:?}");
    // The search alone is believed.
    assert!(matches!(ask(&NoSolver), Answer::Valid(it) if it.proof == Proof::Explored));
}

/// A session that answers everything with one text.
struct Parrot(&'static str);

impl Connect for Parrot {
    fn open(&self) -> Result<Box<dyn Session>, SolverError> {
        Ok(Box::new(Parrot(self.0)))
    }
}

impl Session for Parrot {
    fn send(&mut self, _commands: &str) -> Result<(), SolverError> {
        Ok(())
    }

    fn answer(&mut self, stop: &dyn Fn() -> bool) -> Result<String, SolverError> {
        while self.0.is_empty() && !stop() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if self.0.is_empty() { Err(SolverError::Stopped) } else { Ok(self.0.to_owned()) }
    }

    fn limit(&self, _milliseconds: u32) -> Option<String> {
        None
    }
}

#[test]
fn solvers_that_fail_are_a_reason() {
    let system = made::twins();
    let failed = |verdict: &Verdict| matches!(&verdict.answer, Answer::Unknown(Why::Solver(_)));
    assert!(failed(&ask(&system, &NoSolver, 1)));
    for nonsense in ["((", "(error \"out of memory\")", "perhaps", "(sat)", "sat unsat"] {
        let verdict = ask(&system, &Parrot(nonsense), 1);
        assert!(failed(&verdict), "{nonsense}: {:?}", verdict.answer);
    }
    // Whatever it says, nothing is invalid without a run, and a solver that says `unsat` to everything is believed only about proofs.
    assert!(ask(&system, &Parrot("sat"), 1).answer.is_unknown());
    let hangs = ask(&system, &Parrot(""), 1);
    assert!(matches!(hangs.answer, Answer::Unknown(Why::Time)), "{:?}", hangs.answer);
    let unsure = ask(&system, &Parrot("unknown"), 1);
    assert!(matches!(unsure.answer, Answer::Unknown(Why::Undecided | Why::Time)), "{:?}", unsure.answer);
    for command in [vec!["false"], vec!["no-such-program-anywhere"]] {
        let program = Program(command.iter().map(|it| (*it).to_owned()).collect());
        assert!(failed(&ask(&system, &program, 1)), "{command:?}");
    }
    // What needs no solver is decided all the same.
    expect("saturation", &made::saturating(5, 5), &Parrot("perhaps"), Some(true));
}

#[test]
fn there_is_no_such_property() {
    let left = seconds(1);
    let verdict = verify(&made::even(), &[3], &Config::new(&left, &NoSolver)).remove(0);
    assert!(matches!(verdict.answer, Answer::Unknown(Why::NoSuchProperty)));
}
