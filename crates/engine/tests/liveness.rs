//! What must recur on infinite behaviours: hand-made systems, one for each way to prove or refute it.

mod support;

use shall_engine::{
    Answer, Certificate, Config, Connect, Measure, NoSolver, Recurrence, Verdict, check, verify,
};
use std::time::{Duration, Instant};
use support::z3;
use system::{Expr, Origin, Pool, System, Type};

/// The verdict about a system's first property within some seconds.
fn decided(system: &System, solver: &dyn Connect, seconds: u64) -> Verdict {
    assert_eq!(system.check(), Vec::<String>::new());
    let begun = Instant::now();
    let left = || Duration::from_secs(seconds).saturating_sub(begun.elapsed());
    verify(system, &[0], &Config::new(&left, solver)).remove(0)
}

/// The measure of a valid verdict, whose certificate is checked again.
fn measure(system: &System, solver: &dyn Connect, verdict: &Verdict) -> Measure {
    let Answer::Valid(certificate) = &verdict.answer else { panic!("{verdict:?}") };
    assert_eq!(check(system, 0, certificate, solver, &|| false), Ok(true), "{system}");
    certificate.recurrence.as_ref().expect("it demands something to recur").measure
}

/// The first step of the loop, the number of steps, and what does not repeat.
fn lasso(verdict: &Verdict) -> (usize, usize, Vec<String>) {
    let Answer::Invalid(found) = &verdict.answer else { panic!("{verdict:?}") };
    let repeats = found.repeats.clone().expect("no step violates it");
    (repeats.start, found.run.steps.len(), repeats.drifting)
}

fn demand(system: &mut System, condition: Expr) {
    let property = system.add_property("recurs", Origin::Unknown, Pool::TRUE);
    system.set_recurs(property, condition);
}

/// An integer from 0 on, with its next value; a condition on it must recur.
fn counting(
    next: impl Fn(&mut Pool, Expr, Expr) -> Expr,
    condition: impl Fn(&mut Pool, Expr, Expr) -> Expr,
) -> System {
    let mut system = System::default();
    let n = system.add_input("n", Type::Int);
    let zero = system.pool.int(0);
    let x = system.add_state("x", Type::Int, Some(zero));
    let (n, now) = (system.expr(n), system.expr(x));
    let next = next(&mut system.pool, now, n);
    system.set_next(x, next);
    let condition = condition(&mut system.pool, now, n);
    demand(&mut system, condition);
    system
}

/// Counts to `top` and starts again; it is 0 again and again.
fn wheel(top: i64) -> System {
    counting(
        |pool, x, _| {
            let (zero, one, top) = (pool.int(0), pool.int(1), pool.int(top));
            let (full, more) = (pool.ge(x, top), pool.add(x, one));
            pool.ite(full, zero, more)
        },
        |pool, x, _| {
            let zero = pool.int(0);
            pool.eq(x, zero)
        },
    )
}

/// Counts down from any input; it is 0 or less again and again, but nobody knows when.
fn countdown() -> System {
    counting(
        |pool, x, n| {
            let (zero, one) = (pool.int(0), pool.int(1));
            let (some, less) = (pool.gt(x, zero), pool.sub(x, one));
            pool.ite(some, less, n)
        },
        |pool, x, _| {
            let zero = pool.int(0);
            pool.le(x, zero)
        },
    )
}

#[test]
fn bounds_are_proved_and_checked() {
    for top in [1, 3, 8] {
        let system = wheel(top);
        let verdict = decided(&system, &NoSolver, 20);
        assert_eq!(measure(&system, &NoSolver, &verdict), Measure::Steps(top as usize));
        let Answer::Valid(certificate) = verdict.answer else { unreachable!() };
        let recurrence = certificate.recurrence.clone().expect("a measure");
        // Neither a smaller bound nor a certificate without one is accepted.
        let smaller = Recurrence { measure: Measure::Steps(top as usize - 1), ..*recurrence };
        for recurrence in [None, Some(Box::new(smaller))] {
            let wrong = Certificate { recurrence, ..certificate.clone() };
            assert_eq!(check(&system, 0, &wrong, &NoSolver, &|| false), Ok(false), "{top}");
        }
    }
}

#[test]
fn loops_are_found_and_replayed() {
    let mut latch = System::default();
    let on = latch.add_input("on", Type::Bool);
    let x = latch.add_state("x", Type::Bool, Some(Pool::FALSE));
    let (on, now) = (latch.expr(on), latch.expr(x));
    let next = latch.pool.or([now, on]);
    latch.set_next(x, next);
    demand(&mut latch, now);
    assert_eq!(lasso(&decided(&latch, &NoSolver, 20)), (0, 1, vec![]));
    // Once it is on, it must be off again and again.
    let off = latch.pool.not(now);
    latch.properties[0].recurs = Some(off);
    assert_eq!(lasso(&decided(&latch, &NoSolver, 20)), (1, 2, vec![]));
}

#[test]
fn what_only_grows_does_not_hide_a_loop() {
    let system = counting(
        |pool, x, _| {
            let one = pool.int(1);
            pool.add(x, one)
        },
        |pool, x, _| {
            let three = pool.int(3);
            pool.lt(x, three)
        },
    );
    let (start, steps, drifting) = lasso(&decided(&system, &NoSolver, 20));
    assert_eq!((steps - start, drifting), (1, vec!["x".to_owned()]));
}

#[test]
fn behaviours_that_end_demand_nothing() {
    let mut system = counting(
        |pool, x, _| {
            let one = pool.int(1);
            pool.add(x, one)
        },
        |_, _, _| Pool::FALSE,
    );
    let x = system.named("x").expect("a state");
    let five = system.pool.int(5);
    let early = system.pool.lt(x, five);
    system.assumptions.push(early);
    let verdict = decided(&system, &NoSolver, 20);
    assert_eq!(measure(&system, &NoSolver, &verdict), Measure::Steps(5));
}

#[test]
fn the_rest_of_a_property_counts_too() {
    let mut system = wheel(3);
    let x = system.named("x").expect("a state");
    let two = system.pool.int(2);
    system.properties[0].value = system.pool.le(x, two);
    let Answer::Invalid(found) = decided(&system, &NoSolver, 20).answer else { panic!("{system}") };
    assert_eq!((found.run.steps.len(), found.repeats), (4, None));
}

#[test]
fn integers_that_fall() {
    let Some(z3) = z3() else { return };
    let system = countdown();
    let verdict = decided(&system, &z3, 60);
    assert!(matches!(measure(&system, &z3, &verdict), Measure::Falls(..)), "{verdict:?}");
}

/// A number that is halved for ever is never 0, and never repeats: neither a loop nor a measure exists.
#[test]
fn what_is_not_known_is_not_decided() {
    let mut system = System::default();
    let one = system.pool.real(1);
    let x = system.add_state("x", Type::Real, Some(one));
    let now = system.expr(x);
    let (zero, two) = (system.pool.real(0), system.pool.real(2));
    let half = system.pool.div(now, two);
    system.set_next(x, half);
    let gone = system.pool.le(now, zero);
    demand(&mut system, gone);
    let verdict = decided(&system, &NoSolver, 3);
    assert!(verdict.answer.is_unknown(), "{verdict:?}");
    if let Some(z3) = z3() {
        let verdict = decided(&system, &z3, 3);
        assert!(verdict.answer.is_unknown(), "{verdict:?}");
    }
}
