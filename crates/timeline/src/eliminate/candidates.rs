//! Several expressions of one automaton, from which the smallest is chosen.
//!
//! One method solves the equations of all states together and shares common suffixes; another takes a smallest set of states that every
//! accepting run visits infinitely often, and for each of them the paths to it and the loops at it: larger, but with fewer nested stars.

use crate::eliminate::{Elimination, Order, Words};
use crate::expression::{Expr, Expressions};
use crate::limit::{Fuel, Limit};
use crate::simplify::search::{Reference, search};
use crate::simplify::{Simplified, simplify};
use omega::Buchi;

/// The number of hitting sets to try.
const SETS: usize = 4;

/// The work limit of the final proof.
const PROOF: u64 = 2_000_000;

/// The number of expressions that are simplified semantically.
const SEARCHED: usize = 4;

/// Different expressions for the language of an automaton, best first.
pub(crate) fn eliminated(
    arena: &mut Expressions,
    known: &mut Simplified,
    automaton: &Buchi,
    words: Words,
    size: u64,
    fuel: &mut Fuel,
) -> Result<Vec<Expr>, Limit> {
    let elimination = Elimination::new(arena, automaton, words);
    let mut found = Vec::new();
    let mut failed = Limit::Work;
    for order in orders(elimination.states()) {
        match elimination.run(arena, known, order, size, fuel) {
            Ok(expr) => found.push(expr),
            Err(limit) => failed = limit,
        }
    }
    if words == Words::Infinite && (2..=40).contains(&elimination.states()) {
        for set in elimination.hitting_sets().into_iter().take(SETS) {
            for apart in [false, true] {
                found.extend(by_targets(arena, known, &elimination, &set, apart, size, fuel).ok());
            }
        }
    }
    found.sort_unstable_by_key(|&expr| (arena.measure(expr).cost(), expr));
    found.dedup();
    if found.is_empty() { Err(failed) } else { Ok(found) }
}

fn orders(states: usize) -> Vec<Order> {
    match states {
        0 | 1 => vec![Order::Least],
        2..=4 => (0..(1..=states as u64).product()).map(Order::Permutation).collect(),
        5..=40 => [Order::Least].into_iter().chain((1..20).map(Order::Varied)).collect(),
        _ => vec![Order::Least],
    }
}

/// For each state of a hitting set, the paths to it and its loops forever: the first-time paths and all loops, or, if `apart`, all
/// paths and only the loops that avoid the states before it in the set.
fn by_targets(
    arena: &mut Expressions,
    known: &mut Simplified,
    elimination: &Elimination,
    set: &[u32],
    apart: bool,
    size: u64,
    fuel: &mut Fuel,
) -> Result<Expr, Limit> {
    let mut terms = Vec::new();
    for (k, &state) in set.iter().enumerate() {
        let mut best: [Option<Expr>; 2] = [None, None];
        for order in orders(elimination.states() - 1) {
            let (mut way, mut cycle) =
                elimination.around_state(arena, known, (state, &[]), order, size, fuel)?;
            if apart && k > 0 {
                let before = arena.star(cycle);
                way = arena.sequence([way, before]);
                way = simplify(arena, known, way);
                (_, cycle) = elimination.around_state(arena, known, (state, &set[..k]), order, size, fuel)?;
            }
            for (best, now) in best.iter_mut().zip([way, cycle]) {
                if best.is_none_or(|best| arena.measure(now).cost() < arena.measure(best).cost()) {
                    *best = Some(now);
                }
            }
        }
        let [Some(way), Some(cycle)] = best else { continue };
        let forever = arena.omega(cycle);
        terms.push(arena.sequence([way, forever]));
    }
    let union = arena.union(terms);
    Ok(simplify(arena, known, union))
}

/// The smallest expression found from some that have the language of an automaton, and whether that was proved again.
pub(crate) fn smallest(
    arena: &mut Expressions,
    known: &mut Simplified,
    automaton: &Buchi,
    words: Words,
    mut candidates: Vec<Expr>,
    fuel: &mut Fuel,
) -> (Expr, bool) {
    candidates.sort_by_key(|&expr| (arena.measure(expr).cost(), expr));
    candidates.dedup();
    candidates.truncate(SEARCHED);
    let mut reference = Reference::new(arena, automaton, words, &candidates);
    if let Ok(reference) = &mut reference {
        for candidate in &mut candidates {
            *candidate = search(arena, known, reference, *candidate, fuel);
        }
    }
    candidates.sort_by_key(|&expr| (arena.measure(expr).cost(), expr));
    let best = candidates.first().copied().unwrap_or(Expr::EMPTY);
    let proof = reference.and_then(|mut reference| reference.is(arena, best, &mut Fuel::new(PROOF)));
    debug_assert_ne!(proof, Ok(false), "elimination and rewriting keep the language");
    (best, proof == Ok(true))
}
