//! The explicit search agrees with a naive one that tries every small number, on random systems; and what it cannot decide it says.

#[path = "../../system/tests/support/mod.rs"]
mod support;
#[path = "../../engine/tests/support/systems.rs"]
mod systems;

use base::Random;
use shall_engine::explicit::{Answer, Budget, Reason, explicit, explicit_until};
use std::collections::BTreeSet;
use support::Stepper;
use system::Expr;
use system::Origin;
use system::Pool;
use system::System;
use system::Type;
use system::Value;
use systems::assume;
use systems::constant;
use systems::truth;

/// Two inputs of each kind, states that copy and count, and a random property.
fn random(rng: &mut Random) -> System {
    let mut system = System::default();
    let colour = system.pool.declare_enum("Colour", &["red", "green", "blue"]);
    let inputs = [("b", Type::Bool), ("e", Type::Enum(colour)), ("n", Type::Int), ("r", Type::Real)];
    let inputs: Vec<Expr> = inputs
        .into_iter()
        .map(|(name, ty)| {
            let var = system.add_input(name, ty);
            system.expr(var)
        })
        .collect();
    let mut states = Vec::new();
    for (name, ty) in
        [("p", Type::Bool), ("f", Type::Enum(colour)), ("m", Type::Int), ("c", Type::Int), ("s", Type::Real)]
    {
        let init = constant(&mut system.pool, rng, ty);
        // A counter starts somewhere; the others may start anywhere.
        let init = (name == "c" || rng.below(3) > 0).then_some(init);
        let var = system.add_state(name, ty, init);
        states.push((var, system.expr(var)));
    }
    let all: Vec<Expr> = inputs.iter().copied().chain(states.iter().map(|it| it.1)).collect();
    for (place, (var, now)) in states.into_iter().enumerate() {
        let guard = truth(&mut system.pool, rng, &all, 2);
        let pool = &mut system.pool;
        let new = match place {
            0 => truth(pool, rng, &all, 2),
            3 => {
                let (one, top, zero) = (pool.int(1), pool.int(3), pool.int(0));
                let more = pool.add(now, one);
                let full = pool.ge(now, top);
                pool.ite(full, zero, more)
            }
            _ => {
                let ty = pool.type_of(now);
                let source = all.iter().copied().find(|it| pool.type_of(*it) == ty).expect("an input");
                if rng.below(3) == 0 { constant(pool, rng, ty) } else { source }
            }
        };
        let next = pool.ite(guard, new, now);
        system.set_next(var, next);
    }
    assume(&mut system, rng, &all, 2);
    // Most properties of many parts fail at once, so a junction of two is asked to fail.
    let (x, y) = (truth(&mut system.pool, rng, &all, 3), truth(&mut system.pool, rng, &all[4..], 2));
    let property = system.pool.or([x, y]);
    system.add_property("random", Origin::Unknown, property);
    system
}

fn values(system: &System, ty: Type) -> Vec<Value> {
    match ty {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Enum(id) => {
            (0..system.pool.enumeration(id).literals.len()).map(|it| Value::Enum(it as u32)).collect()
        }
        Type::Int => (-2..=2).map(|it| Value::Int(it.into())).collect(),
        Type::Real => {
            (-4..=4).map(|it| Value::Real(logic::RBig::from_parts(it.into(), 2u8.into()))).collect()
        }
        Type::Machine(_) => Vec::new(),
    }
}

fn product(domains: &[Vec<Value>]) -> Vec<Vec<Value>> {
    domains.iter().fold(vec![Vec::new()], |rows, domain| {
        let longer = |row: &Vec<Value>| -> Vec<Vec<Value>> {
            domain.iter().map(|it| row.iter().cloned().chain([it.clone()]).collect()).collect()
        };
        rows.iter().flat_map(longer).collect()
    })
}

/// The number of steps of a shortest counterexample, searched through all small values.
fn naive(system: &System) -> Option<usize> {
    let mut read: Vec<Expr> = vec![system.properties[0].value];
    read.extend(&system.assumptions);
    let always = read.len();
    read.extend(&system.initial);
    let stepper = Stepper::new(system, &read);
    let types = system.inputs.iter().map(|var| system.variables[var.index()].ty);
    let rows = product(&types.map(|ty| values(system, ty)).collect::<Vec<_>>());
    let start: Vec<Vec<Value>> = system
        .state
        .iter()
        .map(|it| match it.init {
            Some(init) => vec![system::evaluate(&system.pool, init, |_| Value::Undefined)],
            None => values(system, system.variables[it.var.index()].ty),
        })
        .collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut layer = product(&start);
    let mut depth = 0;
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for state in &layer {
            for row in &rows {
                let (read, after) = stepper.step(state, row);
                let constraints = if depth == 1 { &read[1..] } else { &read[1..always] };
                if constraints.iter().any(|it| *it != Value::Bool(true)) {
                    continue;
                }
                if read[0] == Value::Bool(false) {
                    return Some(depth);
                }
                if seen.insert(format!("{after:?}")) {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    None
}

#[test]
fn agrees_with_a_naive_search() {
    let mut rng = Random::new(5);
    let (mut valid, mut longest) = (0, 0);
    for round in 0..150 {
        let system = random(&mut rng).slice(&[0]);
        assert_eq!(system.check(), Vec::<String>::new());
        let answer = explicit(&system, &[0], Budget::default()).remove(0);
        match (naive(&system), answer) {
            (None, Answer::Valid) => valid += 1,
            (Some(length), Answer::Invalid(run)) => {
                assert_eq!(run.steps.len(), length, "round {round}\n{system}");
                longest = longest.max(length);
            }
            (expected, answer) => panic!("round {round}: {expected:?} {answer:?}\n{system}"),
        }
    }
    assert!(valid > 20 && longest > 3, "{valid} valid, longest counterexample {longest}");
}

/// A system with `x: int` that counts as `next` says, and `n` an input.
fn counting(next: impl Fn(&mut Pool, Expr, Expr) -> Expr, good: impl Fn(&mut Pool, Expr) -> Expr) -> System {
    let mut system = System::default();
    let n = system.add_input("n", Type::Int);
    let n = system.expr(n);
    let zero = system.pool.int(0);
    let x = system.add_state("x", Type::Int, Some(zero));
    let now = system.expr(x);
    let next = next(&mut system.pool, now, n);
    system.set_next(x, next);
    let good = good(&mut system.pool, now);
    system.add_property("good", Origin::Unknown, good);
    system
}

fn below(limit: i64) -> impl Fn(&mut Pool, Expr) -> Expr {
    move |pool, x| {
        let limit = pool.int(limit);
        pool.lt(x, limit)
    }
}

#[test]
fn says_what_it_cannot_decide() {
    let ask = |system: &System, budget| explicit(system, &[0], budget).remove(0);
    let sum = counting(Pool::add, below(10));
    let unbounded = Answer::Unknown(Reason::Unbounded { variable: "n".to_owned() });
    assert_eq!(ask(&sum, Budget::default()), unbounded);

    // With bounds on the input it is decided: 9 steps of one are not enough, so a tenth follows.
    let mut bounded = sum.clone();
    let n = bounded.named("n").expect("an input");
    let (low, high) = (bounded.pool.int(-1), bounded.pool.int(1));
    let range = [bounded.pool.le(low, n), bounded.pool.le(n, high)];
    bounded.assumptions.extend(range);
    match ask(&bounded, Budget::default()) {
        Answer::Invalid(run) => assert_eq!(run.steps.len(), 11),
        other => panic!("{other:?}"),
    }

    let up = |pool: &mut Pool, x, _| {
        let one = pool.int(1);
        pool.add(x, one)
    };
    let endless = counting(up, |pool, x| {
        let zero = pool.int(0);
        pool.ge(x, zero)
    });
    let few = Budget { states: 100, ..Budget::default() };
    assert_eq!(ask(&endless, few), Answer::Unknown(Reason::Budget { depth: 99, states: 100 }));

    let divided = counting(
        |pool, x, _| {
            let zero = pool.int(0);
            pool.int_div(x, zero)
        },
        below(10),
    );
    assert_eq!(ask(&divided, Budget::default()), Answer::Unknown(Reason::Undefined));
    assert_eq!(explicit(&divided, &[7], few), [Answer::Unknown(Reason::NoSuchProperty)]);
}

/// Only one of 2^40 choices of the inputs is allowed, and that shows at the last one.
#[test]
fn what_constraints_cut_off_counts_as_work() {
    let mut system = counting(|_, x, _| x, below(10));
    let (mut sum, one, most) = (system.pool.int(0), system.pool.int(1), system.pool.int(40));
    let zero = sum;
    for place in 0..40 {
        let input = system.add_input(&format!("a{place}"), Type::Bool);
        let input = system.expr(input);
        let part = system.pool.ite(input, one, zero);
        sum = system.pool.add(sum, part);
    }
    let all = system.pool.le(most, sum);
    system.assumptions.push(all);
    let used_up = Answer::Unknown(Reason::Budget { depth: 0, states: 1 });
    let few = Budget { steps: 1000, ..Budget::default() };
    assert_eq!(explicit(&system, &[0], few), std::slice::from_ref(&used_up));
    assert_eq!(explicit_until(&system, 0, Budget { steps: u64::MAX, ..few }, &|| true), used_up);
}

#[test]
fn a_long_counter_is_fast() {
    let up = |pool: &mut Pool, x, n| {
        let (one, top, zero) = (pool.int(1), pool.int(5000), pool.int(0));
        let more = pool.add(x, one);
        let below = pool.lt(x, top);
        let counted = pool.ite(below, more, top);
        let positive = pool.gt(n, zero);
        pool.ite(positive, counted, zero)
    };
    match &explicit(&counting(up, below(5000)), &[0], Budget::default())[..] {
        [Answer::Invalid(run)] => assert_eq!(run.steps.len(), 5001),
        other => panic!("{other:?}"),
    }
    assert_eq!(explicit(&counting(up, below(5001)), &[0], Budget::default()), [Answer::Valid]);
}
