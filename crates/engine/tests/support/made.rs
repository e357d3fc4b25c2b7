//! Hand-made systems: what each engine is for.

use system::{Expr, Function, Origin, Pool, System, Type};

/// A state of integers from 0 on, with its next value and the property made by functions of it.
pub(crate) fn counting(
    next: impl Fn(&mut Pool, Expr, Expr) -> Expr,
    good: impl Fn(&mut Pool, Expr, Expr) -> Expr,
) -> System {
    let mut system = System::default();
    let n = system.add_input("n", Type::Int);
    let zero = system.pool.int(0);
    let x = system.add_state("x", Type::Int, Some(zero));
    let (now, n) = (system.expr(x), system.expr(n));
    let next = next(&mut system.pool, now, n);
    system.set_next(x, next);
    let good = good(&mut system.pool, now, n);
    system.add_property("good", Origin::Unknown, good);
    system
}

/// Stops at `top`; never above `limit`.
pub(crate) fn saturating(top: i64, limit: i64) -> System {
    counting(
        |pool, x, n| {
            let (one, top, zero) = (pool.int(1), pool.int(top), pool.int(0));
            let more = pool.add(x, one);
            let less = pool.min(more, top);
            let on = pool.gt(n, zero);
            pool.ite(on, less, zero)
        },
        |pool, x, _| {
            let limit = pool.int(limit);
            pool.le(x, limit)
        },
    )
}

/// `x` counts by two from 0 on, so it is never seven. No bound helps.
pub(crate) fn even() -> System {
    counting(
        |pool, x, _| {
            let two = pool.int(2);
            pool.add(x, two)
        },
        |pool, x, _| {
            let (two, one) = (pool.int(2), pool.int(1));
            let rest = pool.modulo(x, two);
            pool.ne(rest, one)
        },
    )
}

/// Two numbers that grow by the same input; the invariant is that they are equal.
pub(crate) fn twins() -> System {
    let mut system = counting(Pool::add, |_, _, _| Pool::TRUE);
    let zero = system.pool.int(0);
    let y = system.add_state("y", Type::Int, Some(zero));
    let (n, x, now) = (system.named("n"), system.named("x"), system.expr(y));
    let (n, x) = (n.expect("an input"), x.expect("a state"));
    let next = system.pool.add(now, n);
    system.set_next(y, next);
    let five = system.pool.int(5);
    let (big, small) = (system.pool.gt(x, five), system.pool.ge(now, zero));
    let good = system.pool.implies(big, small);
    system.properties[0].value = good;
    system
}

/// A chain of `length` copies of an input that is assumed to be true: it takes `length` steps to know.
pub(crate) fn chain(length: usize) -> System {
    let mut system = System::default();
    let b = system.add_input("b", Type::Bool);
    let mut before = system.expr(b);
    system.assumptions.push(before);
    for place in 0..length {
        let yes = system.pool.bool(true);
        let state = system.add_state(&format!("s{place}"), Type::Bool, Some(yes));
        system.set_next(state, before);
        before = system.expr(state);
    }
    system.add_property("last", Origin::Unknown, before);
    system
}

/// `x` is halved towards the square of an input between 0 and 2, so it stays below `limit`.
pub(crate) fn square(limit: i64) -> System {
    let mut system = System::default();
    let u = system.add_input("u", Type::Real);
    let zero = system.pool.real(0);
    let x = system.add_state("x", Type::Real, Some(zero));
    let (u, now) = (system.expr(u), system.expr(x));
    let pool = &mut system.pool;
    let (two, limit) = (pool.real(2), pool.real(limit));
    let range = [pool.le(zero, u), pool.le(u, two)];
    let square = pool.mul(u, u);
    let sum = pool.add(now, square);
    let next = pool.div(sum, two);
    let good = pool.le(now, limit);
    system.assumptions.extend(range);
    system.set_next(x, next);
    system.add_property("below", Origin::Unknown, good);
    system
}

/// Tenths are added up to one and from zero again, so the sum is at most one. That is too much for bits, but not for a search.
pub(crate) fn tenths() -> System {
    let mut system = System::default();
    let zero = system.pool.real(0);
    let x = system.add_state("x", Type::Real, Some(zero));
    let now = system.expr(x);
    let pool = &mut system.pool;
    let (one, ten) = (pool.real(1), pool.real(10));
    let tenth = pool.div(one, ten);
    let more = pool.add(now, tenth);
    let (full, good) = (pool.le(one, now), pool.le(now, one));
    let next = pool.ite(full, zero, more);
    system.set_next(x, next);
    system.add_property("below", Origin::Unknown, good);
    system
}

/// The sine of an input is at most `limit`.
pub(crate) fn sine(limit: i64) -> System {
    let mut system = System::default();
    let u = system.add_input("u", Type::Real);
    let u = system.expr(u);
    let value = system.pool.apply(Function::Sin, &[u]);
    let limit = system.pool.real(limit);
    let good = system.pool.le(value, limit);
    system.add_property("sine", Origin::Unknown, good);
    system
}

/// One over an input is not 5 where the input is 0: true or false, as one likes.
pub(crate) fn division_by_zero() -> System {
    let mut system = System::default();
    let u = system.add_input("u", Type::Real);
    let u = system.expr(u);
    let pool = &mut system.pool;
    let (zero, one, five) = (pool.real(0), pool.real(1), pool.real(5));
    let quotient = pool.div(one, u);
    let (at, other) = (pool.eq(u, zero), pool.ne(quotient, five));
    let good = pool.implies(at, other);
    system.add_property("undefined", Origin::Unknown, good);
    system
}

/// An assumption that nothing meets.
pub(crate) fn contradictory() -> System {
    let mut system = saturating(3, 2);
    let x = system.named("x").expect("a state");
    let zero = system.pool.int(0);
    let never = system.pool.lt(x, zero);
    system.assumptions.push(never);
    system
}
