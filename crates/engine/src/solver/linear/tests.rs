//! Linear comparisons: a table, and random combinations compared with the evaluation of all points of a grid.

use super::satisfiable;
use base::Random;
use dashu_ratio::RBig;
use system::{Expr, Pool, System, Type, Value, evaluate};

/// Two numbers and a Boolean.
fn plane(ty: Type) -> (System, [Expr; 3]) {
    let mut system = System::default();
    let x = system.add_input("x", ty);
    let y = system.add_input("y", ty);
    let b = system.add_input("b", Type::Bool);
    let all = [x, y, b].map(|it| system.expr(it));
    (system, all)
}

#[test]
fn decided() {
    type Case = (Type, fn(&mut Pool, [Expr; 3]) -> Vec<Expr>, bool);
    let cases: [Case; 9] = [
        (Type::Real, |p, [x, y, _]| vec![p.lt(x, y), p.lt(y, x)], false),
        (Type::Real, |p, [x, y, _]| vec![p.le(x, y), p.le(y, x)], true),
        (Type::Real, |p, [x, y, _]| vec![between(p, x, y)], true),
        (Type::Int, |p, [x, y, _]| vec![between(p, x, y)], false),
        (Type::Int, |p, [x, y, _]| vec![odd_sum(p, x, y)], false),
        (Type::Real, |p, [x, y, _]| vec![odd_sum(p, x, y)], true),
        (Type::Real, |p, [x, y, b]| vec![chosen(p, x, y, b), p.lt(x, y)], true),
        (Type::Real, |p, [x, y, b]| vec![chosen(p, x, y, b), p.lt(x, y), b], false),
        (Type::Real, |p, [x, y, b]| vec![p.ne(x, y), p.le(x, y), p.le(y, x), b], false),
    ];
    for (place, (ty, conditions, expected)) in cases.into_iter().enumerate() {
        let (mut system, all) = plane(ty);
        system.assumptions = conditions(&mut system.pool, all);
        assert_eq!(satisfiable(&system, &|| false), Ok(expected), "{place}");
    }
}

/// y - x is between 1/3 and 2/3.
fn between(pool: &mut Pool, x: Expr, y: Expr) -> Expr {
    let difference = pool.sub(y, x);
    let three = number(pool, difference, 3);
    let times = pool.mul(three, difference);
    let (one, two) = (number(pool, times, 1), number(pool, times, 2));
    let bounds = [pool.ge(times, one), pool.le(times, two)];
    pool.and(bounds)
}

/// 2x + 2y = 1.
fn odd_sum(pool: &mut Pool, x: Expr, y: Expr) -> Expr {
    let sum = pool.add(x, y);
    let two = number(pool, sum, 2);
    let twice = pool.mul(two, sum);
    let one = number(pool, sum, 1);
    pool.eq(twice, one)
}

/// The smaller of both, or x if `b` holds, is y.
fn chosen(pool: &mut Pool, x: Expr, y: Expr, b: Expr) -> Expr {
    let least = pool.min(x, y);
    let not = pool.not(b);
    let flipped = pool.add(least, y);
    let flipped = pool.sub(flipped, x);
    let value = pool.ite(not, flipped, x);
    let same = pool.eq(value, y);
    let is_least = pool.eq(least, x);
    let either = pool.implies(b, same);
    pool.and([either, is_least])
}

fn number(pool: &mut Pool, like: Expr, value: i32) -> Expr {
    match pool.type_of(like) {
        Type::Int => pool.int(value),
        _ => pool.real(RBig::from(value)),
    }
}

/// Random conditions over small coefficients: a system of them has a solution on the grid if it has one at all.
#[test]
fn random_combinations() {
    let mut found = [0, 0];
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let ty = if random.below(2) == 0 { Type::Int } else { Type::Real };
        let (mut system, all) = plane(ty);
        let pool = &mut system.pool;
        for variable in &all[..2] {
            let (low, high) = (number(pool, *variable, -2), number(pool, *variable, 2));
            system.assumptions.extend([pool.ge(*variable, low), pool.le(*variable, high)]);
        }
        for _ in 0..3 {
            let condition = condition(&mut system.pool, all, random, 3);
            system.assumptions.push(condition);
        }
        let expected = on_grid(&system, ty);
        assert_eq!(satisfiable(&system, &|| false), Ok(expected), "{seed}");
        found[usize::from(expected)] += 1;
    }
    assert!(found.iter().all(|it| *it > 100), "{found:?}");
}

fn condition(pool: &mut Pool, all: [Expr; 3], random: &mut Random, depth: usize) -> Expr {
    if depth == 0 || random.below(5) == 0 {
        let a = term(pool, all, random, 2);
        let b = term(pool, all, random, 1);
        return match random.below(4) {
            0 => all[2],
            1 => pool.lt(a, b),
            2 => pool.le(a, b),
            _ => pool.eq(a, b),
        };
    }
    let (a, b) = (condition(pool, all, random, depth - 1), condition(pool, all, random, depth - 1));
    match random.below(4) {
        0 => pool.not(a),
        1 => pool.or([a, b]),
        2 => pool.eq(a, b),
        _ => pool.and([a, b]),
    }
}

fn term(pool: &mut Pool, all: [Expr; 3], random: &mut Random, depth: usize) -> Expr {
    let [x, y, b] = all;
    let small = random.below(4) as i32 - 1;
    match random.below(if depth == 0 { 3 } else { 5 }) {
        0 => x,
        1 => pool.sub(y, x),
        2 => number(pool, x, small),
        3 => {
            let (one, other) = (term(pool, all, random, depth - 1), term(pool, all, random, depth - 1));
            let c = if random.below(2) == 0 { b } else { pool.lt(one, other) };
            pool.ite(c, one, other)
        }
        _ => {
            let small = number(pool, x, small);
            let one = term(pool, all, random, 0);
            pool.add(one, small)
        }
    }
}

fn on_grid(system: &System, ty: Type) -> bool {
    let parts = if ty == Type::Int { 1 } else { 6 };
    let value = |n: i32| match ty {
        Type::Int => Value::Int(n.into()),
        _ => Value::Real(RBig::from(n) / RBig::from(6)),
    };
    let range = || -2 * parts..=2 * parts;
    range().any(|x| {
        range().any(|y| {
            [false, true].into_iter().any(|b| {
                let values = [value(x), value(y), Value::Bool(b)];
                let holds = |it: &Expr| {
                    let value = evaluate(&system.pool, *it, |var| values[var.index()].clone());
                    value == Value::Bool(true)
                };
                system.assumptions.iter().all(holds)
            })
        })
    })
}
