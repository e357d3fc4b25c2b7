//! The memory of past-time operators (`logic::memory`) as state of a system: latches, and counters with their range as a lemma.

use super::MonitorError;
use crate::expr::{Expr, Pool, Type, Var};
use crate::system::System;
use logic::Bound;
use logic::memory::{Cell, Line, Memory, Room, plan};

/// The largest memory, in latches or pairs of counters.
const ROOM: Room = Room { bits: 4096, stages: 2048, worth: 8 };

/// `way` since `target`, over a window.
pub(super) fn since(
    system: &mut System,
    bound: Bound,
    way: Expr,
    target: Expr,
) -> Result<Expr, MonitorError> {
    if target == Pool::FALSE {
        return Ok(Pool::FALSE);
    }
    Ok(match plan(bound, ROOM).map_err(MonitorError::TooLong)? {
        Memory::Never => Pool::FALSE,
        Memory::Cell(it) => cell(system, it, way, target),
        Memory::Delayed { near, steps, line } => {
            let near = cell(system, near, way, target);
            match line {
                Line::Bits => bits(system, steps, way, near),
                Line::Stages { length } => stages(system, steps, length, way, near),
            }
        }
    })
}

/// A cell as state; returns whether the operator holds now. It stores the number of [`Cell::step`].
pub(super) fn cell(system: &mut System, cell: Cell, way: Expr, target: Expr) -> Expr {
    match cell {
        Cell::Now => target,
        Cell::Latch | Cell::Oldest { steps: 1 } => {
            let (latch, before) = add_latch(system, "since");
            let on = system.pool.and([way, before]);
            let now = system.pool.or([target, on]);
            system.set_next(latch, now);
            if cell == Cell::Latch { now } else { on }
        }
        Cell::Recent { steps: 1 } => {
            let (latch, before) = add_latch(system, "was");
            system.set_next(latch, target);
            let on = system.pool.and([way, before]);
            system.pool.or([target, on])
        }
        Cell::Recent { steps } => {
            let (var, left) = add_counter(system, "left", steps);
            let pool = &mut system.pool;
            let (zero, one, all) = (pool.int(0), pool.int(1), pool.int(steps));
            let some = pool.gt(left, zero);
            let on = pool.and([way, some]);
            let less = pool.sub(left, one);
            let kept = pool.ite(on, less, zero);
            let next = pool.ite(target, all, kept);
            let now = pool.or([target, on]);
            system.set_next(var, next);
            now
        }
        Cell::Oldest { steps } => {
            let top = steps.saturating_add(1);
            let (var, before) = add_counter(system, "oldest", top);
            let more = counted(system, before, top);
            let pool = &mut system.pool;
            let (zero, one, nearly) = (pool.int(0), pool.int(1), pool.int(steps));
            let some = pool.gt(before, zero);
            let on = pool.and([way, some]);
            let fresh = pool.ite(target, one, zero);
            let now = pool.ite(on, more, fresh);
            // The counter is full now if it continues and was at most one short before.
            let enough = pool.ge(before, nearly);
            let due = pool.and([on, enough]);
            system.set_next(var, now);
            due
        }
        Cell::Clock { bound } => {
            let top = bound.hi.map_or(bound.lo, |hi| hi.saturating_add(1));
            let (var, age) = add_counter(system, "age", top);
            let more = counted(system, age, top);
            system.set_next(var, more);
            let (lo, hi) = (system.pool.int(bound.lo), bound.hi.map(|hi| system.pool.int(hi)));
            let enough = system.pool.ge(age, lo);
            let not_too_much = hi.map_or(Pool::TRUE, |hi| system.pool.le(age, hi));
            system.pool.and([enough, not_too_much])
        }
    }
}

/// A signal as it was `steps` steps ago, false if `way` has failed since: one latch per step.
fn bits(system: &mut System, steps: u64, way: Expr, signal: Expr) -> Expr {
    let mut value = signal;
    for place in 0..steps {
        let (latch, before) = add_latch(system, "was");
        // What is stored is cleared when `way` fails, except that the signal is new at this very step.
        let stored = if place == 0 { value } else { system.pool.and([way, value]) };
        system.set_next(latch, stored);
        value = before;
    }
    system.pool.and([way, value])
}

/// The same as a chain of stages. A stage restarts where `way` fails.
fn stages(system: &mut System, steps: u64, length: u64, way: Expr, signal: Expr) -> Expr {
    let mut value = signal;
    let mut rest = steps;
    while rest > 0 {
        let part = rest.min(length);
        value = stage(system, part, way, value);
        rest -= part;
    }
    value
}

/// Two counters with the number of steps until the last rise and the last fall of the signal arrive, 0 if they have.
fn stage(system: &mut System, steps: u64, way: Expr, signal: Expr) -> Expr {
    let (sent, sent_before) = add_latch(system, "sent");
    let (shown, shown_before) = add_latch(system, "arrived");
    let sent_before = system.pool.and([way, sent_before]);
    let [rises, falls] = [(sent_before, signal), (signal, sent_before)].map(|(old, new)| {
        let (var, left) = add_counter(system, "change", steps);
        let pool = &mut system.pool;
        let (zero, one, all) = (pool.int(0), pool.int(1), pool.int(steps));
        let was_not = pool.not(old);
        let changes = pool.and([new, was_not]);
        let some = pool.gt(left, zero);
        let on = pool.and([way, some]);
        let less = pool.sub(left, one);
        let kept = pool.ite(on, less, zero);
        let next = pool.ite(changes, all, kept);
        let arrives = pool.eq(left, one);
        system.set_next(var, next);
        arrives
    });
    let pool = &mut system.pool;
    let stays = pool.not(falls);
    let still = pool.and([shown_before, stays]);
    let either = pool.or([rises, still]);
    let now = pool.and([way, either]);
    system.set_next(sent, signal);
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

/// A counter from 0 to `top`, initially 0.
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

/// One more, but at most `top`.
fn counted(system: &mut System, now: Expr, top: u64) -> Expr {
    let pool = &mut system.pool;
    let (one, top) = (pool.int(1), pool.int(top));
    let below = pool.lt(now, top);
    let more = pool.add(now, one);
    pool.ite(below, more, top)
}
