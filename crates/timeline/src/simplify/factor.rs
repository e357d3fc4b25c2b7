//! Factoring of unions: `r s + r t = r (s + t)` and `s r + t r = (s + t) r`, the largest saving first.

use crate::expression::{Expr, Expressions, Node};
use rustc_hash::FxHashMap;

/// The side at which parts are shared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Back,
}

struct Shared {
    side: Side,
    members: Vec<usize>,
    parts: Vec<Expr>,
    saved: u64,
}

/// One factoring of a union, if two of its alternatives share a prefix or suffix.
pub(crate) fn factor(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let Node::Union(alternatives) = arena.node(expr).clone() else { return None };
    let best = [Side::Front, Side::Back]
        .into_iter()
        .flat_map(|side| groups(arena, &alternatives, side))
        .filter(|shared| shared.saved > 0)
        .reduce(|best, shared| if shared.saved > best.saved { shared } else { best })?;
    let count = best.parts.len();
    let rests: Vec<Expr> = best
        .members
        .iter()
        .map(|&member| {
            let parts = arena.parts(&alternatives[member]).to_vec();
            match best.side {
                Side::Front => arena.sequence(parts[count..].iter().copied()),
                Side::Back => arena.sequence(parts[..parts.len() - count].iter().copied()),
            }
        })
        .collect();
    let rest = arena.union(rests);
    let joined = match best.side {
        Side::Front => arena.sequence(best.parts.into_iter().chain([rest])),
        Side::Back => arena.sequence([rest].into_iter().chain(best.parts)),
    };
    let others =
        alternatives.iter().enumerate().filter(|(k, _)| !best.members.contains(k)).map(|(_, &part)| part);
    let others: Vec<Expr> = others.collect();
    Some(arena.union(others.into_iter().chain([joined])))
}

/// The groups of alternatives that share their first or last part, with everything they share.
fn groups(arena: &Expressions, alternatives: &[Expr], side: Side) -> Vec<Shared> {
    let mut order: Vec<Expr> = Vec::new();
    let mut members: FxHashMap<Expr, Vec<usize>> = FxHashMap::default();
    for (k, alternative) in alternatives.iter().enumerate() {
        let parts = arena.parts(alternative);
        let end = match side {
            Side::Front => parts.first(),
            Side::Back => parts.last(),
        };
        if let Some(&end) = end {
            let group = members.entry(end).or_default();
            if group.is_empty() {
                order.push(end);
            }
            group.push(k);
        }
    }
    let mut found = Vec::new();
    for end in order {
        let group = members.remove(&end).unwrap_or_default();
        if group.len() < 2 {
            continue;
        }
        let first = arena.parts(&alternatives[group[0]]);
        let mut common = first.len();
        for &member in &group[1..] {
            let parts = arena.parts(&alternatives[member]);
            common = match side {
                Side::Front => first.iter().zip(parts).take(common).take_while(|(a, b)| a == b).count(),
                Side::Back => first
                    .iter()
                    .rev()
                    .zip(parts.iter().rev())
                    .take(common)
                    .take_while(|(a, b)| a == b)
                    .count(),
            };
        }
        // Finite and infinite remainders cannot be joined, and an infinite alternative has no empty remainder.
        let shortest =
            group.iter().map(|&member| arena.parts(&alternatives[member]).len()).min().unwrap_or(0);
        if side == Side::Front && shortest == common && arena.infinite(alternatives[group[0]]) {
            common -= 1;
        }
        let parts = match side {
            Side::Front => first[..common].to_vec(),
            Side::Back => first[first.len() - common..].to_vec(),
        };
        let steps: u64 =
            parts.iter().map(|&part| arena.measure(part).steps.max(1)).fold(0, u64::saturating_add);
        found.push(Shared {
            side,
            saved: steps.saturating_mul(group.len() as u64 - 1),
            members: group,
            parts,
        });
    }
    found
}
