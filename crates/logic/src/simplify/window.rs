//! Rules of the operators over windows: F, G, O, H.
//!
//! F and O distribute over disjunction, G and H over conjunction: there, windows of one formula become one window, and formulas of
//! one window become one formula.

use super::junction::{Group, grouped};
use super::negation::operands;
use crate::store::{Bound, Formula, Junction, Node, Store, Unary};
use rustc_hash::FxHashMap;

/// `F[0,3] p | F[2,7] p` is `F[0,7] p`, `p | X F p` is `F p`, `p & G[1,2] p` is `G[0,2] p`.
pub(super) fn union(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    let windows = windows(store, &list, |op| goes_with(op, kind));
    if windows.is_empty() {
        return None;
    }
    // A formula without an operator counts as window [0,0], if there is another window of it.
    let alone = |p: &Formula| {
        let op = [Unary::Finally, Unary::Globally, Unary::Once, Unary::Historically]
            .into_iter()
            .find(|&op| windows.contains_key(&(op, *p)))?;
        Some(((op, *p), Bound::upto(0)))
    };
    let parts: Vec<_> =
        list.iter().map(|&f| window(store, f, |op| goes_with(op, kind)).or_else(|| alone(&f))).collect();
    let mut bounds: FxHashMap<(Unary, Formula), Vec<Bound>> = FxHashMap::default();
    for &(key, bound) in parts.iter().flatten() {
        bounds.entry(key).or_default().push(bound);
    }
    let before = list.len();
    let mut result = Vec::new();
    for (operand, part) in list.into_iter().zip(parts) {
        match part {
            None => result.push(operand),
            Some((key, _)) => {
                for bound in bounds.remove(&key).map(joined).unwrap_or_default() {
                    result.push(store.unary(key.0, bound, key.1));
                }
            }
        }
    }
    (result.len() < before).then(|| store.junction(kind, result))
}

/// `F[0,5] p & F[2,3] p` is `F[2,3] p`, and `G[0,5] p | G[2,3] p` is `G[2,3] p`.
pub(super) fn narrower(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    let windows = windows(store, &list, |op| !goes_with(op, kind));
    if windows.is_empty() {
        return None;
    }
    let before = list.len();
    let keep = |f: &Formula| match window(store, *f, |op| !goes_with(op, kind)) {
        Some((key, bound)) => !windows[&key].iter().any(|&other| other != bound && includes(bound, other)),
        None => true,
    };
    let kept: Vec<_> = list.into_iter().filter(keep).collect();
    (kept.len() < before).then(|| store.junction(kind, kept))
}

/// `G p & G q` is `G (p & q)`, `F p | F q` is `F (p | q)`; a window of one position merges with both.
pub(super) fn merge(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    let groups = grouped(&list, |f| match *store.node(f) {
        Node::Unary(op, bound, p) if bound.is_point() || goes_with(op, kind) => Some(((op, bound), p)),
        _ => None,
    })?;
    let merged = groups.into_iter().map(|group| match group {
        Group::Alone(f) => f,
        Group::Shared((op, bound), inner) => {
            let inner = store.junction(kind, inner);
            store.unary(op, bound, inner)
        }
    });
    let merged: Vec<_> = merged.collect();
    Some(store.junction(kind, merged))
}

/// `G (a & G b)` is `G (a & b)`: from here on, at every later position and from there on. Similarly for F, O, H.
pub(super) fn nested(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Unary(op, bound, inner) = *store.node(f) else { return None };
    let (kind, list) = operands(store, inner)?;
    if bound.hi.is_some() || !goes_with(op, kind) {
        return None;
    }
    let bare = |f: &Formula| match *store.node(*f) {
        Node::Unary(inner, Bound::ALL, p) if inner == op => p,
        _ => *f,
    };
    let list: Vec<_> = list.iter().map(bare).collect();
    let inner = store.junction(kind, list);
    Some(store.unary(op, bound, inner))
}

/// `G F G p` is `F G p`, and `F G F p` is `G F p`; similarly for H and O. On a trace that ends, or begins, all of them refer to its
/// last, or first, position.
pub(super) fn alternation(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Unary(outer, Bound::ALL, middle) = *store.node(f) else { return None };
    let Node::Unary(between, Bound::ALL, last) = *store.node(middle) else { return None };
    let Node::Unary(inner, Bound::ALL, _) = *store.node(last) else { return None };
    (outer == inner && between == outer.dual()).then_some(middle)
}

/// Whether the operator distributes over this kind of junction.
fn goes_with(op: Unary, kind: Junction) -> bool {
    op.is_existential() == (kind == Junction::Or)
}

type Key = (Unary, Formula);

fn window(store: &Store, f: Formula, wanted: impl Fn(Unary) -> bool) -> Option<(Key, Bound)> {
    match *store.node(f) {
        Node::Unary(op, bound, p) if wanted(op) => Some(((op, p), bound)),
        _ => None,
    }
}

fn windows(
    store: &Store,
    list: &[Formula],
    wanted: impl Fn(Unary) -> bool + Copy,
) -> FxHashMap<Key, Vec<Bound>> {
    let mut windows: FxHashMap<Key, Vec<Bound>> = FxHashMap::default();
    for (key, bound) in list.iter().filter_map(|&f| window(store, f, wanted)) {
        windows.entry(key).or_default().push(bound);
    }
    windows
}

/// The fewest windows that cover the same positions.
fn joined(mut bounds: Vec<Bound>) -> Vec<Bound> {
    bounds.sort_unstable_by_key(|bound| bound.lo);
    let mut result: Vec<Bound> = Vec::new();
    for bound in bounds {
        match result.last_mut() {
            Some(last) if last.hi.is_none_or(|hi| bound.lo <= hi.saturating_add(1)) => {
                last.hi = last.hi.zip(bound.hi).map(|(a, b)| a.max(b));
            }
            Some(_) | None => result.push(bound),
        }
    }
    result
}

fn includes(wide: Bound, narrow: Bound) -> bool {
    wide.lo <= narrow.lo && wide.hi.is_none_or(|wide| narrow.hi.is_some_and(|narrow| narrow <= wide))
}
