//! Simplification by the rules of [`RULES`], bottom-up, until none applies.

pub mod rules;
pub mod within;

mod factor;
pub(crate) mod search;
mod variants;

use crate::expression::{Expr, Expressions};
use crate::simplify::rules::RULES;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of rewrites of one node: the rules shrink, so this is not reached in practice.
const ROUNDS: usize = 100;

/// A cache of simplifications; keep one with each arena.
#[derive(Debug, Clone, Default)]
pub struct Simplified {
    results: FxHashMap<Expr, Expr>,
    simple: FxHashSet<Expr>,
}

/// An expression with the same language to which no rule applies.
pub fn simplify(arena: &mut Expressions, known: &mut Simplified, root: Expr) -> Expr {
    if let Some(&result) = known.results.get(&root) {
        return result;
    }
    let mut result = root;
    for _ in 0..ROUNDS {
        let next = pass(arena, known, result);
        if next == result {
            known.simple.insert(result);
            break;
        }
        result = next;
    }
    known.results.insert(root, result);
    result
}

/// One pass from the leaves to the root.
fn pass(arena: &mut Expressions, known: &Simplified, root: Expr) -> Expr {
    let mut made: FxHashMap<Expr, Expr> = FxHashMap::default();
    for expr in arena.reachable_until(root, |expr| known.simple.contains(&expr)) {
        let operands: Vec<Expr> = arena
            .operands(expr)
            .iter()
            .map(|operand| made.get(operand).copied().unwrap_or(*operand))
            .collect();
        let mut result =
            if operands == arena.operands(expr) { expr } else { arena.with_operands(expr, operands) };
        for rule in RULES {
            if let Some(rewritten) = (rule.apply)(arena, result) {
                result = rewritten;
            }
        }
        made.insert(expr, result);
    }
    made.get(&root).copied().unwrap_or(root)
}
