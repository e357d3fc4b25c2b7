//! Rules of conjunction, disjunction and implication.

use super::negation::{negated, operands};
use crate::store::{Formula, Node, Store};
use rustc_hash::FxHashMap;

/// `(a & b) | (a & c)` is `a & (b | c)`, and its dual. The factor that most operands share is taken out.
pub(super) fn factoring(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    // Operands are distinct, so a shared factor is inside at least one of them.
    if !list.iter().any(|&operand| kind.dual().operands(store.node(operand)).is_some()) {
        return None;
    }
    let factors: Vec<Vec<Formula>> = list
        .iter()
        .map(|&operand| kind.dual().operands(store.node(operand)).map_or(vec![operand], <[Formula]>::to_vec))
        .collect();
    let mut counts: FxHashMap<Formula, usize> = FxHashMap::default();
    let mut best: Option<(Formula, usize)> = None;
    for &factor in factors.iter().flatten() {
        *counts.entry(factor).or_default() += 1;
    }
    for &factor in factors.iter().flatten() {
        let count = counts[&factor];
        if count > best.map_or(1, |(_, most)| most) {
            best = Some((factor, count));
        }
    }
    let (factor, _) = best?;
    let mut first = None;
    let mut rests = Vec::new();
    let mut result = Vec::new();
    for (operand, factors) in list.iter().zip(factors) {
        if factors.contains(&factor) {
            first.get_or_insert(result.len());
            let rest: Vec<_> = factors.into_iter().filter(|&g| g != factor).collect();
            rests.push(store.junction(kind.dual(), rest));
        } else {
            result.push(*operand);
        }
    }
    let rests = store.junction(kind, rests);
    let factored = store.junction(kind.dual(), [factor, rests]);
    result.insert(first?, factored);
    Some(store.junction(kind, result))
}

/// `(a -> b) & (a -> c)` is `a -> b & c`, and likewise with `|`.
pub(super) fn shared_premise(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    let groups = grouped(&list, |f| implication_parts(store, f))?;
    let merged = groups.into_iter().map(|group| match group {
        Group::Alone(f) => f,
        Group::Shared(premise, conclusions) => {
            let conclusion = store.junction(kind, conclusions);
            store.implies(premise, conclusion)
        }
    });
    let merged: Vec<_> = merged.collect();
    Some(store.junction(kind, merged))
}

/// `(a -> c) & (b -> c)` is `a | b -> c`, and `(a -> c) | (b -> c)` is `a & b -> c`.
pub(super) fn shared_conclusion(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    let groups = grouped(&list, |f| implication_parts(store, f).map(|(a, b)| (b, a)))?;
    let merged = groups.into_iter().map(|group| match group {
        Group::Alone(f) => f,
        Group::Shared(conclusion, premises) => {
            let premise = store.junction(kind.dual(), premises);
            store.implies(premise, conclusion)
        }
    });
    let merged: Vec<_> = merged.collect();
    Some(store.junction(kind, merged))
}

/// `!a & !b` is `!(a | b)`, and its dual; other operands stay.
pub(super) fn de_morgan(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, list) = operands(store, f)?;
    let inner: Vec<Formula> = list.iter().filter_map(|&g| negated(store, g)).collect();
    if inner.len() < 2 {
        return None;
    }
    let first = list.iter().position(|&g| negated(store, g).is_some())?;
    let mut rest: Vec<Formula> = list.into_iter().filter(|&g| negated(store, g).is_none()).collect();
    let together = store.junction(kind.dual(), inner);
    let together = store.not(together);
    rest.insert(first, together);
    Some(store.junction(kind, rest))
}

/// `!a | b` is `a -> b`, if only one operand is negated.
pub(super) fn implication(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Or(list) = store.node(f) else { return None };
    let (negative, positive): (Vec<_>, Vec<_>) = list.iter().partition(|&&g| negated(store, g).is_some());
    let [premise] = negative.as_slice() else { return None };
    let premise = negated(store, *premise)?;
    let conclusion = store.or(positive);
    Some(store.implies(premise, conclusion))
}

/// `!a -> !b` is `b -> a`, and `!a -> b` is `a | b`.
pub(super) fn contraposition(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Implies(a, b) = *store.node(f) else { return None };
    let a = negated(store, a)?;
    Some(match negated(store, b) {
        Some(b) => store.implies(b, a),
        None => store.or2(a, b),
    })
}

/// `a -> (b -> c)` is `a & b -> c`.
pub(super) fn curry(store: &mut Store, f: Formula) -> Option<Formula> {
    let (a, inner) = implication_parts(store, f)?;
    let (b, c) = implication_parts(store, inner)?;
    let premise = store.and2(a, b);
    Some(store.implies(premise, c))
}

fn implication_parts(store: &Store, f: Formula) -> Option<(Formula, Formula)> {
    let Node::Implies(a, b) = store.node(f) else { return None };
    Some((*a, *b))
}

/// Operands after grouping; each group is at the position of its first member.
pub(super) enum Group<K> {
    Alone(Formula),
    Shared(K, Vec<Formula>),
}

/// Groups operands by a key; `None` if no two operands share one. `parts` returns the key and what to merge.
pub(super) fn grouped<K: Copy + Eq + std::hash::Hash>(
    list: &[Formula],
    parts: impl Fn(Formula) -> Option<(K, Formula)>,
) -> Option<Vec<Group<K>>> {
    list.iter().filter(|&&f| parts(f).is_some()).nth(1)?;
    let mut members: FxHashMap<K, Vec<Formula>> = FxHashMap::default();
    for (key, part) in list.iter().filter_map(|&f| parts(f)) {
        members.entry(key).or_default().push(part);
    }
    if members.values().all(|group| group.len() < 2) {
        return None;
    }
    let mut groups = Vec::new();
    for &f in list {
        match parts(f) {
            None => groups.push(Group::Alone(f)),
            // The first member emits the whole group; the others find it gone.
            Some((key, _)) => match members.remove(&key) {
                Some(group) if group.len() > 1 => groups.push(Group::Shared(key, group)),
                Some(_) => groups.push(Group::Alone(f)),
                None => {}
            },
        }
    }
    Some(groups)
}
