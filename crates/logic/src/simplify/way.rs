//! Rules of the binary temporal operators: U, R, S, T.
//!
//! Each rule is written once: for until it can be read literally, release is its dual, since and triggered are their mirror images.

use super::junction::{Group, grouped};
use super::negation::operands;
use crate::store::{Binary, Bound, Formula, Junction, Node, Store, Unary};

/// `F (a U b)` is `F b`: where b holds, so does `a U b`.
pub(super) fn window_of_way(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Unary(op, bound, inner) = *store.node(f) else { return None };
    let Node::Binary(way, inner_bound, _, b) = *store.node(inner) else { return None };
    let fits = way.window() == op && bound.hi.is_none() && inner_bound.lo == 0;
    fits.then(|| store.unary(op, bound, b))
}

/// `a U F b` is `F b`: if b follows after a, it follows.
pub(super) fn way_to_window(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Binary(way, bound, _, goal) = *store.node(f) else { return None };
    let Node::Unary(op, goal_bound, _) = *store.node(goal) else { return None };
    (way.window() == op && bound.lo == 0 && goal_bound.hi.is_none()).then_some(goal)
}

/// `a U[0,2] (a U[1,3] b)` is `a U[1,5] b`: one way after the other is one way.
pub(super) fn nested(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Binary(op, bound, a, goal) = *store.node(f) else { return None };
    let Node::Binary(inner, inner_bound, c, b) = *store.node(goal) else { return None };
    if inner != op || c != a {
        return None;
    }
    let sum = bound.plus(inner_bound)?;
    Some(store.binary(op, sum, a, b))
}

/// `(a U b) | (a U c)` is `a U (b | c)`, and `(a U c) & (b U c)` is `(a & b) U c`: the nearer goal ends both.
pub(super) fn merge(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    let goals_merge = |op: Binary| op.window().is_existential() == (kind == Junction::Or);
    let groups = grouped(&list, |f| match *store.node(f) {
        Node::Binary(op, bound, a, b) if goals_merge(op) => Some(((op, bound, a), b)),
        Node::Binary(op, bound, a, b) => Some(((op, bound, b), a)),
        _ => None,
    })?;
    let merged = groups.into_iter().map(|group| match group {
        Group::Alone(f) => f,
        Group::Shared((op, bound, shared), others) => {
            let others = store.junction(kind, others);
            let (a, b) = if goals_merge(op) { (shared, others) } else { (others, shared) };
            store.binary(op, bound, a, b)
        }
    });
    let merged: Vec<_> = merged.collect();
    Some(store.junction(kind, merged))
}

/// `(X a) U (X b)` is `X (a U b)`, for any number of steps.
pub(super) fn steps_outside(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Binary(op, bound, a, b) = *store.node(f) else { return None };
    let Node::Unary(step_a, steps_a, a) = *store.node(a) else { return None };
    let Node::Unary(step_b, steps_b, b) = *store.node(b) else { return None };
    if step_a != op.window() || step_b != op.window() || steps_a != steps_b || !steps_a.is_point() {
        return None;
    }
    let inner = store.binary(op, bound, a, b);
    Some(store.unary(op.window(), steps_a, inner))
}

/// `b | (a & X (a U b))` is `a U b`, and `b & (a | N (a R b))` is `a R b`.
pub(super) fn fold(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    let (unfolded, way) =
        list.iter().find_map(|&operand| Some((operand, unfolded_way(store, kind, operand)?)))?;
    let Node::Binary(_, _, _, goal) = *store.node(way) else { return None };
    let goals = kind.operands(store.node(goal)).map_or(vec![goal], <[Formula]>::to_vec);
    if !goals.iter().all(|goal| list.contains(goal)) {
        return None;
    }
    let rest = list.into_iter().filter(|f| *f != unfolded && !goals.contains(f));
    let folded: Vec<_> = [way].into_iter().chain(rest).collect();
    Some(store.junction(kind, folded))
}

/// `a S (a & FTP)` is `H a`, and `a T (a | Y true)` is `O a`: since the first position.
pub(super) fn since_start(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Binary(op, Bound::ALL, a, goal) = *store.node(f) else { return None };
    let (kind, edge) = match op {
        Binary::Since => (Junction::And, Node::Unary(Unary::Historically, Bound::NEXT, store.bottom())),
        Binary::Triggered => (Junction::Or, Node::Unary(Unary::Once, Bound::NEXT, store.top())),
        Binary::Until | Binary::Release => return None,
    };
    let [x, y] = *kind.operands(store.node(goal))? else { return None };
    let at_start = (x == a && *store.node(y) == edge) || (y == a && *store.node(x) == edge);
    at_start.then(|| store.unary(op.window().dual(), Bound::ALL, a))
}

/// For `a & X (a U b)`, the formula `a U b`.
fn unfolded_way(store: &mut Store, kind: Junction, f: Formula) -> Option<Formula> {
    let list = kind.dual().operands(store.node(f))?.to_vec();
    list.iter().find_map(|&step| {
        let Node::Unary(op, Bound::NEXT, way) = *store.node(step) else { return None };
        let Node::Binary(binary, Bound::ALL, a, _) = *store.node(way) else { return None };
        let fits = binary.window() == op && op.is_existential() == (kind == Junction::Or);
        let rest = list.iter().copied().filter(|&f| f != step);
        (fits && store.junction(kind.dual(), rest) == a).then_some(way)
    })
}
