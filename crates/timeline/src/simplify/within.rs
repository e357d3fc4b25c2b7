//! Language inclusion by the shape of expressions: quick, sound, incomplete (in the manner of Antimirov 1995, without letters).
//!
//! The query is about two lists of parts, read as sequences. Every step uses fuel; without an answer in time, the result is no.

use crate::expression::{Expr, Expressions, Node};
use omega::Guard;

/// The maximum number of steps of one query.
const FUEL: u32 = 600;

/// Whether every word of one is a word of the other, as far as their shapes show.
pub fn within(arena: &mut Expressions, small: Expr, big: Expr) -> bool {
    small == big || {
        let (small, big) = (arena.parts(&small).to_vec(), arena.parts(&big).to_vec());
        sequence_within(arena, &small, &big, &mut FUEL.clone(), 0)
    }
}

/// Whether one guard allows no more letters than another.
pub(crate) fn implies(arena: &mut Expressions, small: Guard, big: Guard) -> bool {
    arena.guards.choose(small, big, Guard::TRUE) == Guard::TRUE
}

fn sequence_within(
    arena: &mut Expressions,
    small: &[Expr],
    big: &[Expr],
    fuel: &mut u32,
    depth: u32,
) -> bool {
    if *fuel == 0 || depth > 60 {
        return false;
    }
    *fuel -= 1;
    let depth = depth + 1;
    let Some((&s, small_rest)) = small.split_first() else {
        return big.iter().all(|&part| arena.nullable(part));
    };
    let after = |arena: &Expressions, first: Expr, rest: &[Expr]| -> Vec<Expr> {
        arena.parts(&first).iter().chain(rest).copied().collect()
    };
    match arena.node(s).clone() {
        Node::Empty => return true,
        Node::Union(alternatives) => {
            return alternatives.iter().all(|&alternative| {
                let small = after(arena, alternative, small_rest);
                sequence_within(arena, &small, big, fuel, depth)
            });
        }
        Node::Epsilon | Node::Step(_) | Node::Sequence(_) | Node::Star(_) | Node::Omega(_) => {}
    }
    let Some((&b, big_rest)) = big.split_first() else { return false };
    if s == b && sequence_within(arena, small_rest, big_rest, fuel, depth) {
        return true;
    }
    if let (Node::Star(inner), Node::Star(_)) = (arena.node(s).clone(), arena.node(b)) {
        let inner = arena.parts(&inner).to_vec();
        if sequence_within(arena, &inner, &[b], fuel, depth)
            && sequence_within(arena, small_rest, big, fuel, depth)
        {
            return true;
        }
    }
    if arena.nullable(b) && sequence_within(arena, small, big_rest, fuel, depth) {
        return true;
    }
    match (arena.node(b).clone(), arena.node(s).clone()) {
        (Node::Union(alternatives), _) => alternatives.iter().any(|&alternative| {
            let big = after(arena, alternative, big_rest);
            alternative != Expr::EPSILON && sequence_within(arena, small, &big, fuel, depth)
        }),
        (Node::Step(allowed), Node::Step(guard)) => {
            implies(arena, guard, allowed) && sequence_within(arena, small_rest, big_rest, fuel, depth)
        }
        (Node::Omega(big), Node::Omega(small)) => {
            let (small, big) = (arena.parts(&small).to_vec(), arena.parts(&big).to_vec());
            sequence_within(arena, &small, &big, fuel, depth)
        }
        (Node::Star(body) | Node::Omega(body), Node::Step(_) | Node::Star(_)) => {
            let big = after(arena, body, big);
            sequence_within(arena, small, &big, fuel, depth)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Fuel;
    use crate::testing::check::same_language;
    use crate::testing::small_expressions;

    /// If the shapes imply inclusion, the languages satisfy it.
    #[test]
    fn yes_is_yes() {
        let (mut arena, finite, infinite) = small_expressions();
        let mut said = 0;
        for list in [finite, infinite] {
            for (k, &small) in list.iter().enumerate().step_by(7) {
                for &big in list.iter().skip(k % 5).step_by(29) {
                    if small != big && within(&mut arena, small, big) {
                        said += 1;
                        let both = arena.union([small, big]);
                        let same = same_language(&mut arena, both, big, &mut Fuel::new(1_000_000));
                        assert_eq!(same, Ok(true), "{:?} in {:?}", arena.node(small), arena.node(big));
                    }
                }
            }
        }
        assert!(said > 100, "{said}");
    }
}
