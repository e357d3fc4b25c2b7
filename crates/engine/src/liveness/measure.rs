//! Why a condition must recur, as a safety property: what is measured while it fails cannot go on for ever.
//!
//! A counter bounds the number of steps in a row at which the condition fails (K. Claessen and N. Sörensson, "A liveness checking
//! algorithm that counts", FMCAD 2012; here the counter restarts whenever the condition holds). In a system with finitely many
//! states such a bound exists exactly if the condition recurs. Where there are infinitely many, an integer that falls at every such
//! step and stays above zero does as well (a ranking function).

use system::{Expr, Node, Origin, Pool, System, Type};

/// What is measured while a condition fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// It fails at most this number of steps in a row.
    Steps(usize),
    /// An integer of the system, or how much it exceeds another, falls from each such step to the next, and is positive before it does.
    Falls(Expr, Option<Expr>),
}

/// The system with the measure as its only property. `None` if the property demands no condition to recur, or the measure is not one
/// of integers.
///
/// The result depends on nothing but the arguments, so that the checker of certificates builds the same one.
pub(crate) fn measured(system: &System, property: usize, measure: Measure) -> Option<System> {
    let asked = system.properties.get(property)?;
    let (name, condition) = (asked.name.clone(), asked.recurs?);
    let mut measured = system.clone();
    measured.properties.clear();
    let good = match measure {
        Measure::Steps(most) => counted(&mut measured, condition, most),
        Measure::Falls(a, b) => {
            let is_integer =
                |it: &Expr| it.index() < system.pool.len() && system.pool.type_of(*it) == Type::Int;
            if !std::iter::once(a).chain(b).all(|it| is_integer(&it)) {
                return None;
            }
            falling(&mut measured, condition, a, b)
        }
    };
    measured.add_property(&name, Origin::Unknown, good);
    Some(measured)
}

/// The condition holds, or has failed fewer than `most` times in a row before.
fn counted(system: &mut System, condition: Expr, most: usize) -> Expr {
    let name = system.fresh_name("steps without");
    let (zero, top) = (system.pool.int(0), system.pool.int(most as u64));
    let var = system.add_state(&name, Type::Int, Some(zero));
    let before = system.expr(var);
    let pool = &mut system.pool;
    let one = pool.int(1);
    let below = pool.lt(before, top);
    let more = pool.add(before, one);
    let more = pool.ite(below, more, top);
    let next = pool.ite(condition, zero, more);
    let bounds = [pool.le(zero, before), pool.le(before, top)];
    let good = pool.or([condition, below]);
    system.set_next(var, next);
    system.lemmas.extend(bounds);
    good
}

/// If the condition fails now and failed before, the measure is less than it was then, and was positive.
fn falling(system: &mut System, condition: Expr, a: Expr, b: Option<Expr>) -> Expr {
    let zero = system.pool.int(0);
    let failed = system.fresh_name("failed");
    let failed = system.add_state(&failed, Type::Bool, Some(Pool::FALSE));
    let before = system.fresh_name("measure before");
    let before = system.add_state(&before, Type::Int, Some(zero));
    let (was_failing, last) = (system.expr(failed), system.expr(before));
    let pool = &mut system.pool;
    let fails = pool.not(condition);
    let now = b.map_or(a, |b| pool.sub(a, b));
    let falls = pool.lt(now, last);
    let positive = pool.lt(zero, last);
    let fell = pool.and([falls, positive]);
    let twice = pool.and([was_failing, fails]);
    let good = pool.implies(twice, fell);
    system.set_next(failed, fails);
    system.set_next(before, now);
    good
}

/// The integers of the system that may fall while the condition fails, and the differences of those that it compares; those that the
/// condition itself compares come first.
pub(crate) fn candidates(system: &System, condition: Expr) -> Vec<Measure> {
    let pool = &system.pool;
    let is_integer = |it: &Expr| pool.type_of(*it) == Type::Int;
    let (mut states, mut differences) = (Vec::new(), Vec::new());
    let next = system.state.iter().map(|it| it.next);
    // Nearer to the condition first.
    let order = pool.reachable([condition]).into_iter().rev().chain(pool.reachable(next));
    for expr in order {
        match *pool.node(expr) {
            Node::Var(var) if is_integer(&expr) && system.state_of(var).is_some() => {
                states.push(Measure::Falls(expr, None));
            }
            Node::Lt(a, b) | Node::Le(a, b) | Node::Eq(a, b) if is_integer(&a) => {
                differences.extend([Measure::Falls(a, Some(b)), Measure::Falls(b, Some(a))]);
            }
            _ => {}
        }
    }
    let own = differences.len().min(OWN_CANDIDATES);
    let rest = differences.split_off(own);
    let mut found: Vec<Measure> = Vec::new();
    for measure in differences.into_iter().chain(states).chain(rest) {
        if found.len() < MOST_CANDIDATES && !found.contains(&measure) {
            found.push(measure);
        }
    }
    found
}

/// The number of differences that are tried before the integers themselves.
const OWN_CANDIDATES: usize = 4;

/// The maximum number of candidates.
const MOST_CANDIDATES: usize = 24;
