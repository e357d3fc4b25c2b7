//! A smaller system with the same answers: inputs that assumptions define are replaced, comparisons that algebra decides and choices
//! that bounds decide are removed, and counters that only grow are capped.
//!
//! A number that only grows (by non-negative constants, apart from resets) and is only compared with constants may stop beyond the
//! greatest of them: from there on, no comparison changes. So step counters and clocks become bounded. The two systems are related on
//! all states, so an inductive argument about one is also one about the other, with `x` read as `min(x, cap)`; a counterexample stays
//! a counterexample once its defined inputs are computed.

use crate::prepare::ranges::Ranges;
use crate::solver::algebra;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use system::places::with_constant;
use system::places::{Union, number};
use system::{Expr, Node, Pool, System, Type, Var};

/// The system, and the capped states in terms of the original: `x` is `min(x, cap)`.
pub(crate) struct Simple {
    pub(crate) system: System,
    pub(crate) back: FxHashMap<Var, Expr>,
    /// The bounds that it relies on: an inductive invariant that certificates must include.
    pub(crate) bounds: Vec<Expr>,
}

/// Simplifies a sliced system.
pub(crate) fn simplify(mut system: System) -> Simple {
    system.outputs.clear();
    system.inline();
    algebra::decide(&mut system);
    let mut back = FxHashMap::default();
    let caps = caps(&system);
    let ranges = Ranges::new(&system);
    for place in 0..system.state.len() {
        let state = system.state[place];
        // A number that stops by itself is left alone: its bounds follow from the model.
        let Some(cap) = caps.get(&state.var).filter(|_| ranges.of(state.var).both().is_none()) else {
            continue;
        };
        let now = system.expr(state.var);
        let pool = &mut system.pool;
        let cap = match pool.type_of(now) {
            Type::Real => pool.real(cap.clone()),
            _ => pool.int(cap.floor()),
        };
        back.insert(state.var, least(pool, now, cap));
        system.state[place].next = least(pool, state.next, cap);
    }
    let ranges = Ranges::new(&system);
    // Twice, because a simplified choice has conditions of its own.
    tidy(&mut system, &ranges);
    tidy(&mut system, &ranges);
    // Bounds may be tighter now, and the built-in solver relies on these.
    let mut bounds = ranges.invariants(&mut system);
    bounds.extend(Ranges::new(&system).invariants(&mut system));
    bounds.sort();
    bounds.dedup();
    Simple { system, back, bounds }
}

/// The number of nodes visited for all choices.
const FUEL: usize = 200_000;

/// Removes decided choices from next states and properties. Constraints stay as they are, because bounds come from them.
fn tidy(system: &mut System, ranges: &Ranges) {
    let System { pool, state, properties, .. } = system;
    let roots: Vec<&mut Expr> = state
        .iter_mut()
        .map(|it| &mut it.next)
        .chain(properties.iter_mut().map(|it| &mut it.value))
        .collect();
    let old: Vec<Expr> = roots.iter().map(|it| **it).collect();
    let order = pool.reachable(old.iter().copied());
    let mut inner = vec![false; pool.len()];
    let number = |pool: &Pool, expr: Expr| {
        pool.type_of(expr) == Type::Int && matches!(pool.node(expr), Node::Ite(..) | Node::Add(..))
    };
    for expr in order.iter().filter(|it| number(pool, **it)) {
        pool.node(*expr).children().for_each(|child| inner[child.index()] = true);
    }
    let fuel = Cell::new(FUEL);
    let mut new: FxHashMap<Expr, Expr> = FxHashMap::default();
    for expr in order {
        if !number(pool, expr) || inner[expr.index()] {
            continue;
        }
        let tidied = ranges.tidied(pool, expr, &FxHashMap::default(), 0, &fuel);
        if tidied != expr {
            new.insert(expr, tidied);
        }
    }
    let found = pool.replace(&old, &|expr, _| new.get(&expr).copied());
    roots.into_iter().zip(found).for_each(|(root, found)| *root = found);
}

fn least(pool: &mut Pool, a: Expr, b: Expr) -> Expr {
    let small = pool.le(a, b);
    pool.ite(small, a, b)
}

/// The states that only grow, each with a number greater than everything it is compared with.
fn caps(system: &System) -> FxHashMap<Var, RBig> {
    let pool = &system.pool;
    let next = system.state.iter().map(|it| it.next);
    let conditions = system.assumptions.iter().chain(&system.initial).chain(&system.lemmas).copied();
    let order = pool.reachable(next.chain(conditions).chain(system.properties.iter().map(|it| it.value)));
    let mut groups = Union::new(pool.len());
    let counts = |expr: Expr| matches!(pool.type_of(expr), Type::Int | Type::Real);
    let mut computed: Vec<Expr> = Vec::new();
    let mut grown: Vec<Expr> = Vec::new();
    let mut compared: Vec<(Expr, RBig)> = Vec::new();
    let mut variables: FxHashMap<Var, Expr> = FxHashMap::default();
    for &expr in &order {
        match pool.node(expr) {
            Node::Var(var) => {
                variables.insert(*var, expr);
            }
            Node::Ite(_, a, b) if counts(expr) => {
                join(&mut groups, expr, *a, pool);
                join(&mut groups, expr, *b, pool);
            }
            Node::Add(a, b) if counts(expr) => {
                let (small, large) = if never_negative(pool, *b) { (*b, *a) } else { (*a, *b) };
                if never_negative(pool, small) {
                    join(&mut groups, expr, large, pool);
                    grown.push(expr);
                } else {
                    computed.extend([expr, *a, *b]);
                }
            }
            Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b) if counts(*a) => {
                let with = with_constant(pool, *a, *b);
                computed.extend(if with.is_empty() { vec![*a, *b] } else { vec![] });
                compared.extend(with);
            }
            Node::Ite(..) | Node::Eq(..) | Node::Not(_) | Node::And(_) | Node::Or(_) => {}
            node => computed.extend(node.children().chain([expr])),
        }
    }
    for state in &system.state {
        if let Some(expr) = variables.get(&state.var).filter(|it| counts(**it)) {
            join(&mut groups, *expr, state.next, pool);
        }
    }
    let mut caps: FxHashMap<usize, Option<RBig>> = FxHashMap::default();
    grown.iter().for_each(|expr| drop(caps.insert(groups.find(expr.index()), Some(RBig::ZERO))));
    for (expr, constant) in compared {
        if let Some(Some(cap)) = caps.get_mut(&groups.find(expr.index())) {
            *cap = cap.clone().max(constant);
        }
    }
    for expr in computed {
        caps.insert(groups.find(expr.index()), None);
    }
    let mut found = FxHashMap::default();
    for state in &system.state {
        if let Some(expr) = variables.get(&state.var)
            && let Some(Some(cap)) = caps.get(&groups.find(expr.index()))
        {
            found.insert(state.var, RBig::from(cap.floor()) + RBig::ONE);
        }
    }
    found
}

/// Whether an expression only chooses among non-negative constants.
fn never_negative(pool: &Pool, expr: Expr) -> bool {
    let mut open = vec![expr];
    let mut fuel = 64;
    while let Some(expr) = open.pop() {
        fuel -= 1;
        match (pool.node(expr), number(pool, expr)) {
            (_, Some(number)) if number >= RBig::ZERO => {}
            (Node::Ite(_, a, b), _) if fuel > 0 => open.extend([*a, *b]),
            (_, _) => return false,
        }
    }
    true
}

/// Merges the groups of two numbers; constants have no group.
fn join(groups: &mut Union, a: Expr, b: Expr, pool: &Pool) {
    if !pool.node(b).is_constant() {
        groups.join(a.index(), b.index());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::Origin;

    #[test]
    fn clocks_stop_and_overflows_are_gone() {
        let mut system = System::default();
        let n = system.add_input("n", Type::Int);
        let zero = system.pool.int(0);
        let last = system.add_state("last", Type::Int, Some(zero));
        let calm = system.add_state("calm", Type::Int, Some(zero));
        let (n_now, last_now, calm_now) = (system.expr(n), system.expr(last), system.expr(calm));
        system.set_next(last, n_now);
        let pool = &mut system.pool;
        let (one, top, large) = (pool.int(1), pool.int(5), pool.int(1000));
        let tick = pool.add(last_now, one);
        let clock = pool.eq(n_now, tick);
        // `calm` is at most 5, so that it never exceeds 1000.
        let more = pool.add(calm_now, one);
        let (full, over) = (pool.lt(top, more), pool.lt(large, more));
        let wrapped = pool.ite(over, zero, more);
        let next = pool.ite(full, top, wrapped);
        system.set_next(calm, next);
        system.assumptions.push(clock);
        let three = system.pool.int(3);
        let early = system.pool.lt(n_now, three);
        let good = system.pool.le(calm_now, top);
        let good = system.pool.or([early, good]);
        system.add_property("good", Origin::Unknown, good);
        let simple = simplify(system.slice(&[0]));
        assert_eq!(
            simple.system.to_string(),
            "state last: int := 0, then ite(((last + 1) <= 4), (last + 1), 4)\n\
             state calm: int := 0, then ite((5 < (calm + 1)), 5, (calm + 1))\n\
             check \"good\": ((calm <= 5) | ((last + 1) < 3))\n"
        );
        assert!(simple.back.contains_key(&last));
        assert!(!simple.bounds.is_empty());
    }
}
