//! The simplification rules as data: a name, the identity, and a function that applies it at the root of an expression.
//!
//! `r`, `s` are any expressions of finite words, `x?` is one that contains the empty word. Side conditions "r in s" are decided by
//! [`within`], whose positive answers are always right. Every rule preserves the language: the tests prove it on all small instances.

use crate::expression::{Expr, Expressions, Node};
use crate::simplify::factor::factor;
use crate::simplify::within::within;

/// A named rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// The identity, left and right.
    pub says: &'static str,
    /// The rewritten expression, if the rule applies at the root.
    pub apply: fn(&mut Expressions, Expr) -> Option<Expr>,
}

/// All rules, in the order in which they are tried.
pub const RULES: &[Rule] = &[
    Rule { name: "more", says: "ε + r r* = ε + r* r = r*", apply: more },
    Rule { name: "included", says: "r + s = s if r in s", apply: included },
    Rule {
        name: "for-ever-or-finally",
        says: "(r* s)^ω + (r* s)* r^ω = (r + s)^ω",
        apply: for_ever_or_finally,
    },
    Rule { name: "factor", says: "r s + r t = r (s + t), s r + t r = (s + t) r", apply: factor },
    Rule {
        name: "loop-of-loops",
        says: "(r + s*)* = (r + s)*, (r + x? y?)* = (r + x? + y?)*",
        apply: loop_of_loops,
    },
    Rule { name: "loop-part", says: "(r + s)* = s* if r in s*; the same for ω", apply: loop_part },
    Rule {
        name: "loop-end",
        says: "(r + s x?)* = (r + s)* if x? in (r + s)*; the same for ω",
        apply: loop_end,
    },
    Rule {
        name: "loop-neighbour",
        says: "x? s* = s* x? = s* if x? in s*; x? s^ω = s^ω",
        apply: loop_neighbour,
    },
    Rule { name: "loops-joined", says: "(r* s)* r* = r* (s r*)* = (r + s)*", apply: loops_joined },
    Rule { name: "unroll", says: "r r^ω = r^ω", apply: unroll },
    Rule { name: "rotate", says: "r (s r)^ω = (r s)^ω", apply: rotate },
];

fn more(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let parts = arena.alternatives(&expr);
    if parts.len() < 2 || parts[0] != Expr::EPSILON {
        return None;
    }
    let plus = |part: &Expr| {
        let parts = arena.parts(part);
        let star_of = |star: Expr, rest: &[Expr]| match arena.node(star) {
            Node::Star(body) if arena.parts(body) == rest => Some(star),
            _ => None,
        };
        let (&first, rest) = parts.split_first()?;
        let (&last, front) = parts.split_last()?;
        star_of(last, front).or_else(|| star_of(first, rest))
    };
    let found = parts[1..].iter().position(|part| plus(part).is_some())? + 1;
    let star = plus(&parts[found])?;
    let others: Vec<Expr> =
        parts.iter().enumerate().filter(|&(k, _)| k != found).map(|(_, &part)| part).collect();
    Some(arena.union(others.into_iter().chain([star])))
}

fn included(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let Node::Union(parts) = arena.node(expr).clone() else { return None };
    if parts.len() > 40 {
        return None;
    }
    let mut kept: Vec<Expr> = parts.to_vec();
    let mut k = 0;
    while k < kept.len() {
        let rest: Vec<Expr> =
            kept.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, &part)| part).collect();
        let others = arena.union(rest.iter().copied());
        if kept.len() > 1 && within(arena, kept[k], others) {
            kept = rest;
        } else {
            k += 1;
        }
    }
    (kept.len() < parts.len()).then(|| arena.union(kept))
}

fn for_ever_or_finally(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let Node::Union(parts) = arena.node(expr).clone() else { return None };
    for (i, &forever) in parts.iter().enumerate() {
        let Node::Omega(cycle) = *arena.node(forever) else { continue };
        let Some((&first, rest)) = arena.parts(&cycle).split_first() else { continue };
        let Node::Star(wait) = *arena.node(first) else { continue };
        let (rest, again, end) = (rest.to_vec(), arena.star(cycle), arena.omega(wait));
        let finally = arena.sequence([again, end]);
        if let Some(j) = parts.iter().position(|&part| part == finally) {
            let step = arena.sequence(rest);
            let both = arena.union([wait, step]);
            let whole = arena.omega(both);
            let others = parts.iter().enumerate().filter(|&(k, _)| k != i && k != j).map(|(_, &part)| part);
            let others: Vec<Expr> = others.collect();
            return Some(arena.union(others.into_iter().chain([whole])));
        }
    }
    None
}

/// The constructor of a star or ω.
type Make = fn(&mut Expressions, Expr) -> Expr;

/// The body of a star or ω, and its constructor.
fn cycle(arena: &Expressions, expr: Expr) -> Option<(Expr, Make)> {
    match arena.node(expr) {
        Node::Star(body) => Some((*body, Expressions::star)),
        Node::Omega(body) => Some((*body, Expressions::omega)),
        Node::Empty | Node::Epsilon | Node::Step(_) | Node::Sequence(_) | Node::Union(_) => None,
    }
}

fn loop_of_loops(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let (body, make) = cycle(arena, expr)?;
    let mut alternatives: Vec<Expr> = Vec::new();
    for &part in arena.alternatives(&body) {
        match arena.node(part) {
            Node::Star(inner) => alternatives.push(*inner),
            Node::Sequence(parts) if arena.nullable(part) => alternatives.extend(parts.iter()),
            _ => alternatives.push(part),
        }
    }
    if alternatives == arena.alternatives(&body) {
        return None;
    }
    let body = arena.union(alternatives);
    Some(make(arena, body))
}

fn loop_part(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let (body, make) = cycle(arena, expr)?;
    let parts = arena.alternatives(&body).to_vec();
    if !(2..=40).contains(&parts.len()) {
        return None;
    }
    for k in 0..parts.len() {
        let rest = parts.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, &part)| part);
        let rest = arena.union(rest.collect::<Vec<_>>());
        let star = arena.star(rest);
        if within(arena, parts[k], star) {
            return Some(make(arena, rest));
        }
    }
    None
}

fn loop_end(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let (body, make) = cycle(arena, expr)?;
    let alternatives = arena.alternatives(&body).to_vec();
    for k in 0..alternatives.len().min(40) {
        let parts = arena.parts(&alternatives[k]).to_vec();
        if parts.len() < 2 || parts.len() > 40 {
            continue;
        }
        for (cut, kept) in [(parts[parts.len() - 1], &parts[..parts.len() - 1]), (parts[0], &parts[1..])] {
            if !arena.nullable(cut) {
                continue;
            }
            let mut shorter = alternatives.clone();
            shorter[k] = arena.sequence(kept.iter().copied());
            let body = arena.union(shorter);
            let star = arena.star(body);
            if within(arena, cut, star) {
                return Some(make(arena, body));
            }
        }
    }
    None
}

fn loop_neighbour(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let Node::Sequence(parts) = arena.node(expr).clone() else { return None };
    for k in 0..parts.len() {
        let Some((body, _)) = cycle(arena, parts[k]) else { continue };
        let neighbours = [k.checked_sub(1), (k + 1 < parts.len()).then_some(k + 1)];
        for neighbour in neighbours.into_iter().flatten() {
            if arena.nullable(parts[neighbour]) {
                let star = arena.star(body);
                if within(arena, parts[neighbour], star) {
                    let rest =
                        parts.iter().enumerate().filter(|&(j, _)| j != neighbour).map(|(_, &part)| part);
                    return Some(arena.sequence(rest.collect::<Vec<_>>()));
                }
            }
        }
    }
    None
}

fn loops_joined(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let Node::Sequence(parts) = arena.node(expr).clone() else { return None };
    for k in 1..parts.len() {
        let (Node::Star(left), Node::Star(right)) = (arena.node(parts[k - 1]), arena.node(parts[k])) else {
            continue;
        };
        let (before, after) = (arena.parts(left), arena.parts(right));
        let joined = match (before.split_first(), after.split_last()) {
            (Some((&wait, rest)), _) if wait == parts[k] && !rest.is_empty() => (*right, rest.to_vec()),
            (_, Some((&wait, rest))) if wait == parts[k - 1] && !rest.is_empty() => (*left, rest.to_vec()),
            _ => continue,
        };
        let step = arena.sequence(joined.1);
        let body = arena.union([joined.0, step]);
        let star = arena.star(body);
        let whole = parts[..k - 1].iter().copied().chain([star]).chain(parts[k + 1..].iter().copied());
        return Some(arena.sequence(whole.collect::<Vec<_>>()));
    }
    None
}

fn unroll(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let Node::Sequence(parts) = arena.node(expr).clone() else { return None };
    let (&last, front) = parts.split_last()?;
    let Node::Omega(body) = arena.node(last) else { return None };
    let rest = front.strip_suffix(arena.parts(body))?.to_vec();
    Some(arena.sequence(rest.into_iter().chain([last])))
}

fn rotate(arena: &mut Expressions, expr: Expr) -> Option<Expr> {
    let Node::Sequence(parts) = arena.node(expr).clone() else { return None };
    let (&last, front) = parts.split_last()?;
    let Node::Omega(body) = arena.node(last) else { return None };
    let body = arena.parts(body).to_vec();
    let turned = front.iter().rev().zip(body.iter().rev()).take_while(|(a, b)| a == b).count();
    if turned == 0 || turned == body.len() {
        return None;
    }
    let (keep, moved) = body.split_at(body.len() - turned);
    let body = arena.sequence(moved.iter().chain(keep).copied());
    let last = arena.omega(body);
    Some(arena.sequence(front[..front.len() - turned].iter().copied().chain([last])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Fuel;
    use crate::simplify::{Simplified, simplify};
    use crate::testing::check::same_language;
    use crate::testing::{World, small_expressions};

    /// Every rule on every small expression to which it applies: the language stays the same, and the cost does not grow.
    #[test]
    fn rules_keep_the_language() {
        let (mut arena, finite, infinite) = small_expressions();
        let mut used = vec![0; RULES.len()];
        for &expr in finite.iter().chain(&infinite) {
            for (rule, used) in RULES.iter().zip(&mut used) {
                if let Some(result) = (rule.apply)(&mut arena, expr) {
                    *used += 1;
                    if *used > 400 {
                        continue;
                    }
                    let same = same_language(&mut arena, expr, result, &mut Fuel::new(1_000_000));
                    assert_eq!(
                        same,
                        Ok(true),
                        "{}: {:?} to {:?}",
                        rule.name,
                        arena.node(expr),
                        arena.node(result)
                    );
                }
            }
        }
        for (rule, used) in RULES.iter().zip(used) {
            assert!(used > 0, "{} is never used", rule.name);
        }
    }

    #[test]
    fn simplified() {
        for (from, to) in [
            ("ε + [a] [a]*", "[a]*"),
            ("[a] + [a] [b]*", "[a] [b]*"),
            ("([a]*)^ω", "[a]^ω"),
            ("[a]* [a]^ω", "[a]^ω"),
            ("[a] [a]^ω", "[a]^ω"),
            ("[c] [a] [b] ([a] [b])^ω", "[c] ([a] [b])^ω"),
            ("[b] ([a] [b])^ω", "([b] [a])^ω"),
            ("([a] + ([b] [c])*)*", "([a] + [b] [c])*"),
            ("([a]* [b])* [a]*", "[a | b]*"),
            ("[a]* ([b] [a]*)*", "[a | b]*"),
            ("([a]* [b])^ω + ([a]* [b])* [a]^ω", "[a | b]^ω"),
            ("[a] [b] + [a] [c]", "[a] [b | c]"),
            ("[a] [b] [c] + [b] [c]", "(ε + [a]) [b] [c]"),
            ("([a] + [a] [a])*", "[a]*"),
            ("([b] + [a] [b]*)^ω", "[a | b]^ω"),
            ("(ε + [a]) [a]* [b]", "[a]* [b]"),
        ] {
            let mut world = World::new();
            let (start, expected) = (world.read(from), world.read(to));
            let found = simplify(&mut world.arena, &mut Simplified::default(), start);
            assert_eq!(found, expected, "{from} becomes {}", world.show(found));
        }
    }
}
