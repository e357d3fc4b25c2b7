//! The neighbours of an expression: the results of one small change. Most have a different language; [`search`](mod@crate::search)
//! decides which are kept.

use crate::expression::guard::{Cube, cover};
use crate::expression::{Expr, Expressions, Node};
use crate::limit::Limit;
use omega::{Guard, Guards};

/// The maximum nesting depth of an expression to vary.
const DEPTH: u32 = 60;

/// All results of one change to an expression.
pub(crate) fn variants(arena: &mut Expressions, root: Expr, pool: &[Guard]) -> Result<Vec<Expr>, Limit> {
    if arena.measure(root).depth > DEPTH {
        return Err(Limit::Depth);
    }
    let mut found = Vec::new();
    below(arena, root, pool, &mut found);
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The recursion is as deep as the expression, which is limited.
fn below(arena: &mut Expressions, expr: Expr, pool: &[Guard], found: &mut Vec<Expr>) {
    here(arena, expr, pool, found);
    let operands = arena.operands(expr).to_vec();
    for (k, &operand) in operands.iter().enumerate() {
        let mut inner = Vec::new();
        below(arena, operand, pool, &mut inner);
        for other in inner {
            let mut changed = operands.clone();
            changed[k] = other;
            found.push(arena.with_operands(expr, changed));
        }
    }
}

/// The results of one change at the root.
fn here(arena: &mut Expressions, expr: Expr, pool: &[Guard], found: &mut Vec<Expr>) {
    let any = arena.step(Guard::TRUE);
    match arena.node(expr).clone() {
        Node::Empty | Node::Epsilon => {}
        Node::Step(guard) => {
            for other in simpler(&mut arena.guards, guard, pool) {
                let step = arena.step(other);
                found.push(step);
            }
            let star = arena.star(expr);
            found.push(star);
        }
        Node::Sequence(parts) => {
            let infinite = arena.infinite(expr);
            for k in 0..parts.len() {
                if !(infinite && k + 1 == parts.len()) {
                    let rest = parts.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, &part)| part);
                    let rest = arena.sequence(rest.collect::<Vec<_>>());
                    found.push(rest);
                }
            }
            for cut in 2..parts.len() {
                for run in [&parts[cut..], &parts[..cut]] {
                    if arena.infinite(run[run.len() - 1]) == infinite {
                        let run = arena.sequence(run.iter().copied());
                        found.push(run);
                    }
                }
            }
        }
        Node::Union(parts) => {
            for k in 0..parts.len() {
                let rest = parts.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, &part)| part);
                let rest = arena.union(rest.collect::<Vec<_>>());
                found.push(rest);
                found.push(parts[k]);
            }
            joined(arena, &parts, found);
        }
        Node::Star(body) => {
            found.push(body);
            found.push(Expr::EPSILON);
            repeats(arena, &[any, Expr::EPSILON], body, pool, Expressions::star, found);
        }
        Node::Omega(body) => repeats(arena, &[any], body, pool, Expressions::omega, found),
    }
    if !arena.infinite(expr) && arena.measure(expr).steps > 1 {
        let star = arena.star(any);
        found.push(star);
        let longest = arena.measure(expr).length;
        for &guard in pool {
            let step = arena.step(guard);
            found.push(step);
            if (2..=8).contains(&longest) && arena.measure(expr).star_height == 0 {
                let most = upto(arena, step, longest);
                found.push(most);
                let least = upto(arena, step, longest - 1);
                found.push(arena.sequence([step, least]));
            }
        }
    }
}

/// An expression at most `most` times.
fn upto(arena: &mut Expressions, expr: Expr, most: u64) -> Expr {
    (0..most).fold(Expr::EPSILON, |rest, _| {
        let more = arena.sequence([expr, rest]);
        arena.union([Expr::EPSILON, more])
    })
}

/// Repetitions of these, of the operands of a body, and of single steps.
fn repeats(
    arena: &mut Expressions,
    parts: &[Expr],
    body: Expr,
    pool: &[Guard],
    repeat: fn(&mut Expressions, Expr) -> Expr,
    found: &mut Vec<Expr>,
) {
    for part in parts.iter().copied().chain(arena.operands(body).to_vec()) {
        found.push(repeat(arena, part));
    }
    for &guard in pool {
        let step = arena.step(guard);
        found.push(repeat(arena, step));
    }
}

/// Two alternatives as one: with their prefixes joined, or their suffixes.
fn joined(arena: &mut Expressions, parts: &[Expr], found: &mut Vec<Expr>) {
    for i in 0..parts.len() {
        for j in i + 1..parts.len() {
            let rest: Vec<Expr> =
                parts.iter().enumerate().filter(|&(k, _)| k != i && k != j).map(|(_, &part)| part).collect();
            let (a, b) = (arena.parts(&parts[i]).to_vec(), arena.parts(&parts[j]).to_vec());
            let (Some((&a_end, a_front)), Some((&b_end, b_front))) = (a.split_last(), b.split_last()) else {
                continue;
            };
            let end = arena.union([a_end, b_end]);
            for front in one_or_both(arena, a_front, b_front) {
                let one = arena.sequence([front, end]);
                found.push(arena.union(rest.iter().copied().chain([one])));
            }
            if !arena.infinite(parts[i]) {
                let (Some((&a_start, a_back)), Some((&b_start, b_back))) = (a.split_first(), b.split_first())
                else {
                    continue;
                };
                let start = arena.union([a_start, b_start]);
                for back in one_or_both(arena, a_back, b_back) {
                    let one = arena.sequence([start, back]);
                    found.push(arena.union(rest.iter().copied().chain([one])));
                }
            }
        }
    }
}

/// One sequence, the other, and both as alternatives.
fn one_or_both(arena: &mut Expressions, one: &[Expr], other: &[Expr]) -> [Expr; 3] {
    let [one, other] = [one, other].map(|parts| arena.sequence(parts.iter().copied()));
    [one, other, arena.union([one, other])]
}

/// Guards that may be shorter: true, literals, one literal or product less, and those of a pool.
fn simpler(guards: &mut Guards, guard: Guard, pool: &[Guard]) -> Vec<Guard> {
    let mut found = vec![Guard::TRUE];
    let opposite = guards.not(guard);
    for (whole, negated) in [(guard, false), (opposite, true)] {
        let Some(cubes) = cover(guards, whole) else { continue };
        if cubes.len() > 6 {
            continue;
        }
        for k in 0..cubes.len() {
            for literal in 0..cubes[k].len() {
                let mut weaker = cubes.clone();
                weaker[k].remove(literal);
                found.push(build(guards, &weaker, negated));
                found.push(build(guards, &[vec![cubes[k][literal]]], negated));
            }
            let mut fewer = cubes.clone();
            fewer.remove(k);
            found.push(build(guards, &fewer, negated));
        }
    }
    found.extend(pool);
    found.retain(|&other| other != guard && other != Guard::FALSE);
    found.sort_unstable();
    found.dedup();
    found
}

fn build(guards: &mut Guards, cubes: &[Cube], negated: bool) -> Guard {
    let mut sum = Guard::FALSE;
    for cube in cubes {
        let mut product = Guard::TRUE;
        for &(variable, sign) in cube {
            let mut literal = guards.variable(variable);
            if !sign {
                literal = guards.not(literal);
            }
            product = guards.and(product, literal);
        }
        sum = guards.or(sum, product);
    }
    if negated { guards.not(sum) } else { sum }
}
