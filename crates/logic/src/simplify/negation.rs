//! Negation rules: a negation moves inwards where that saves nodes or costs none.

use crate::store::{Formula, Junction, Node, Store};

/// `!(a < b)` is `a >= b`.
pub(super) fn relation(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Rel(rel, a, b) = *store.node(negated(store, f)?) else { return None };
    Some(store.rel(rel.complement(), a, b))
}

/// `!(a <-> b)` is `a xor b`, and vice versa.
pub(super) fn equivalence(store: &mut Store, f: Formula) -> Option<Formula> {
    let inner = negated(store, f)?;
    complement_of_equivalence(store, inner)
}

/// `!a <-> b` is `a xor b`, and so on.
pub(super) fn of_operands(store: &mut Store, f: Formula) -> Option<Formula> {
    let (mut equal, a, b) = match *store.node(f) {
        Node::Iff(a, b) => (true, a, b),
        Node::Xor(a, b) => (false, a, b),
        _ => return None,
    };
    let mut bare = |f: Formula| match negated(store, f) {
        Some(inner) => {
            equal = !equal;
            inner
        }
        None => f,
    };
    let (a, b) = (bare(a), bare(b));
    Some(if equal { store.iff(a, b) } else { store.xor(a, b) })
}

/// `!(a -> b)` is `a & !b`.
pub(super) fn implication(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Implies(a, b) = *store.node(negated(store, f)?) else { return None };
    let b = store.not(b);
    Some(store.and2(a, b))
}

/// `!(a & !b)` is `a -> b`, and `!(a | !b)` is `!a & b`.
pub(super) fn junction(store: &mut Store, f: Formula) -> Option<Formula> {
    let inner = negated(store, f)?;
    let (kind, operands) = operands(store, inner)?;
    let (negative, positive): (Vec<_>, Vec<_>) =
        operands.into_iter().partition(|&f| negated(store, f).is_some());
    if negative.is_empty() {
        return None;
    }
    let negative: Vec<_> = negative.into_iter().map(|f| store.not(f)).collect();
    let rest = store.junction(kind, positive);
    Some(match kind {
        Junction::And => {
            let goal = store.or(negative);
            store.implies(rest, goal)
        }
        Junction::Or => {
            let rest = store.not(rest);
            store.and([rest].into_iter().chain(negative))
        }
    })
}

/// `!F !p` is `G p`, and so on.
pub(super) fn window(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Unary(op, bound, p) = *store.node(negated(store, f)?) else { return None };
    let p = cheap_negation(store, p)?;
    Some(store.unary(op.dual(), bound, p))
}

/// `!(!a U !b)` is `a R b`, and so on.
pub(super) fn way(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Binary(op, bound, a, b) = *store.node(negated(store, f)?) else { return None };
    let (a, b) = (cheap_negation(store, a)?, cheap_negation(store, b)?);
    Some(store.binary(op.dual(), bound, a, b))
}

/// The operand of a negation.
pub(super) fn negated(store: &Store, f: Formula) -> Option<Formula> {
    let Node::Not(inner) = store.node(f) else { return None };
    Some(*inner)
}

/// The operands of a conjunction or disjunction.
pub(super) fn operands(store: &Store, f: Formula) -> Option<(Junction, Vec<Formula>)> {
    let node = store.node(f);
    [Junction::And, Junction::Or].into_iter().find_map(|kind| Some((kind, kind.operands(node)?.to_vec())))
}

/// The negation of a formula, if it is not larger than the formula.
fn cheap_negation(store: &mut Store, f: Formula) -> Option<Formula> {
    match *store.node(f) {
        Node::True | Node::False | Node::Not(_) => Some(store.not(f)),
        Node::Rel(rel, a, b) => Some(store.rel(rel.complement(), a, b)),
        _ => complement_of_equivalence(store, f),
    }
}

fn complement_of_equivalence(store: &mut Store, f: Formula) -> Option<Formula> {
    match *store.node(f) {
        Node::Iff(a, b) => Some(store.xor(a, b)),
        Node::Xor(a, b) => Some(store.iff(a, b)),
        _ => None,
    }
}
