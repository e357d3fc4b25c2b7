//! Temporal operators as state. All of them are `since` over a window: `O[l,u] b` is `true S[l,u] b`, the others are duals.
//!
//! | window | state |
//! |---|---|
//! | `[0,∞)`, `[1,∞)` | one latch |
//! | `[0,n]` | how many more steps the latest `b` counts: one counter up to n |
//! | `[l,∞)` | how old the oldest `b` is, with `a` since: one counter up to l |
//! | `[l,u]` | `a S[0,u-l] b` delayed by l steps and forgotten when `a` fails |
//!
//! The delayed signal stays true for at least w = u-l+1 steps, so it changes at most about 2l/(w+1) times in l steps. If that is
//! few, the memory is a queue of counters, one for each change; otherwise it is l latches, and no exact memory is much smaller.

use super::MonitorError;
use crate::expr::{Expr, Pool, Type, Var};
use crate::system::System;
use logic::Bound;

/// The longest memory, in latches or counters.
const MAX_MEMORY: u64 = 4096;

/// `a` since `b`, over a window.
pub(super) fn since(system: &mut System, bound: Bound, a: Expr, b: Expr) -> Result<Expr, MonitorError> {
    if bound.is_empty() || b == Pool::FALSE {
        return Ok(Pool::FALSE);
    }
    match (bound.lo, bound.hi) {
        (lo @ (0 | 1), None) => {
            let (latch, before) = add_latch(system, "since");
            let on = system.pool.and([a, before]);
            let now = system.pool.or([b, on]);
            system.set_next(latch, now);
            Ok(if lo == 0 { now } else { on })
        }
        (0, Some(0)) => Ok(b),
        (0, Some(n)) => Ok(recent(system, n, a, b)),
        (lo, None) => Ok(oldest(system, lo, a, b)),
        (lo, Some(hi)) => {
            let near = since(system, Bound::upto(hi - lo), a, b)?;
            delayed(system, lo, hi - lo + 1, a, near)
        }
    }
}

/// Whether the number of steps since the start is in a window.
pub(super) fn at_age(system: &mut System, bound: Bound) -> Expr {
    if bound.is_empty() {
        return Pool::FALSE;
    }
    let top = bound.hi.map_or(bound.lo, |hi| hi.saturating_add(1));
    let (var, age) = add_counter(system, "age", top);
    let more = counted(system, age, top);
    system.set_next(var, more);
    let (lo, hi) = (system.pool.int(bound.lo), bound.hi.map(|hi| system.pool.int(hi)));
    let enough = system.pool.ge(age, lo);
    let not_too_much = hi.map_or(Pool::TRUE, |hi| system.pool.le(age, hi));
    system.pool.and([enough, not_too_much])
}

fn recent(system: &mut System, n: u64, a: Expr, b: Expr) -> Expr {
    if n == 1 {
        let (latch, before) = add_latch(system, "was");
        system.set_next(latch, b);
        let on = system.pool.and([a, before]);
        return system.pool.or([b, on]);
    }
    let (var, left) = add_counter(system, "left", n);
    let pool = &mut system.pool;
    let (zero, one, all) = (pool.int(0), pool.int(1), pool.int(n));
    let some = pool.gt(left, zero);
    let on = pool.and([a, some]);
    let less = pool.sub(left, one);
    let kept = pool.ite(on, less, zero);
    let next = pool.ite(b, all, kept);
    let now = pool.or([b, on]);
    system.set_next(var, next);
    now
}

/// The counter is 0 if there is no `b` with `a` since, otherwise one more than the age of the oldest.
fn oldest(system: &mut System, lo: u64, a: Expr, b: Expr) -> Expr {
    let top = lo.saturating_add(1);
    let (var, before) = add_counter(system, "oldest", top);
    let more = counted(system, before, top);
    let pool = &mut system.pool;
    let (zero, one, nearly) = (pool.int(0), pool.int(1), pool.int(lo));
    let some = pool.gt(before, zero);
    let on = pool.and([a, some]);
    let fresh = pool.ite(b, one, zero);
    let now = pool.ite(on, more, fresh);
    // The counter is full now if it goes on and was at least one short of that before.
    let enough = pool.ge(before, nearly);
    let due = pool.and([on, enough]);
    system.set_next(var, now);
    due
}

/// A signal as it was `steps` ago, false if `a` failed since then. Its true stretches have at least `width` steps.
fn delayed(system: &mut System, steps: u64, width: u64, a: Expr, signal: Expr) -> Result<Expr, MonitorError> {
    // In any `steps` steps there are so many changes at most.
    let changes = ((steps - 1) / width.saturating_add(1)).saturating_add(1).saturating_mul(2);
    if changes.saturating_mul(4) <= steps && changes <= MAX_MEMORY {
        return Ok(queue(system, steps, changes, a, signal));
    }
    if steps > MAX_MEMORY {
        return Err(MonitorError::TooLong { steps });
    }
    let mut value = signal;
    for place in 0..steps {
        let (latch, before) = add_latch(system, "was");
        // What is stored is forgotten when `a` fails, except that the signal is new at this very step.
        let stored = if place == 0 { value } else { system.pool.and([a, value]) };
        system.set_next(latch, stored);
        value = before;
    }
    Ok(system.pool.and([a, value]))
}

/// A delay as a queue of changes on the way: each counter says in how many steps a change arrives, 0 if there is none; the first is the
/// next to arrive.
fn queue(system: &mut System, steps: u64, changes: u64, a: Expr, signal: Expr) -> Expr {
    let (last, last_seen) = add_latch(system, "sent");
    let (shown, shown_before) = add_latch(system, "arrived");
    let slots: Vec<(Var, Expr)> = (0..changes).map(|_| add_counter(system, "change", steps)).collect();
    let pool = &mut system.pool;
    let (zero, one, far) = (pool.int(0), pool.int(1), pool.int(steps));
    let last_seen = pool.and([a, last_seen]);
    let shown_before = pool.and([a, shown_before]);
    let arrives = pool.eq(slots[0].1, one);
    let arrives = pool.and([a, arrives]);
    let now = pool.xor(shown_before, arrives);
    let changed = pool.xor(signal, last_seen);
    // One step later, without what arrived and without what was forgotten.
    let mut moved: Vec<Expr> = Vec::with_capacity(slots.len());
    for place in 0..slots.len() {
        let own = slots[place].1;
        let behind = slots.get(place + 1).map_or(zero, |it| it.1);
        let source = pool.ite(arrives, behind, own);
        let some = pool.gt(source, zero);
        let on = pool.and([a, some]);
        let less = pool.sub(source, one);
        moved.push(pool.ite(on, less, zero));
    }
    let mut ahead_is_full = Pool::TRUE;
    for (place, (var, _)) in slots.iter().enumerate() {
        let pool = &mut system.pool;
        let empty = pool.eq(moved[place], zero);
        let joins = pool.and([changed, empty, ahead_is_full]);
        let next = pool.ite(joins, far, moved[place]);
        ahead_is_full = pool.not(empty);
        system.set_next(*var, next);
    }
    system.set_next(last, signal);
    system.set_next(shown, now);
    now
}

/// A latch that is false at the start.
pub(super) fn add_latch(system: &mut System, like: &str) -> (Var, Expr) {
    let name = fresh(system, like);
    let var = system.add_state(&name, Type::Bool, Some(Pool::FALSE));
    (var, system.expr(var))
}

pub(super) fn fresh(system: &System, like: &str) -> String {
    system.fresh_name(&format!("{like}#{}", system.variables.len()))
}

/// A counter from 0 to `top`, which is 0 at the start.
fn add_counter(system: &mut System, like: &str, top: u64) -> (Var, Expr) {
    let name = fresh(system, like);
    let (zero, top) = (system.pool.int(0), system.pool.int(top));
    let var = system.add_state(&name, Type::Int, Some(zero));
    let now = system.expr(var);
    for bound in [system.pool.ge(now, zero), system.pool.le(now, top)] {
        system.lemmas.push(bound);
    }
    (var, now)
}

/// One more, but not more than `top`.
fn counted(system: &mut System, now: Expr, top: u64) -> Expr {
    let pool = &mut system.pool;
    let (one, top) = (pool.int(1), pool.int(top));
    let below = pool.lt(now, top);
    let more = pool.add(now, one);
    pool.ite(below, more, top)
}
