//! Choices without the branches that the choices around them exclude.
//!
//! In `ite(p, a, ite(!p & q, b, ite(!p & !q, c, d)))` nothing reaches `d`, and `b` depends on `q` alone. Where each condition is
//! evaluated by itself, as bounds are, `d` would count. Only the Boolean structure of conditions is used here, not what they compare.

use rustc_hash::FxHashMap;
use system::{Expr, Node, Pool};

/// The depth to which nested choices are followed.
const DEEP: usize = 40;
/// The depth to which conditions are followed.
const NESTED: usize = 6;
/// The number of conditions and choices visited.
const FUEL: usize = 1_000_000;

/// Equivalent expressions.
pub(crate) fn pruned(pool: &mut Pool, roots: &[Expr]) -> Vec<Expr> {
    let mut now: FxHashMap<Expr, Expr> = FxHashMap::default();
    let mut known = Known { fuel: FUEL, ..Known::default() };
    for expr in pool.reachable(roots.iter().copied()) {
        let node = pool.node(expr).clone();
        let new = pool.rebuilt(&node, &|child| now[&child]).unwrap_or(expr);
        let new = known.pruned(pool, new, 0);
        now.insert(expr, new);
    }
    roots.iter().map(|root| now[root]).collect()
}

/// The truth values of conditions on the way to a branch.
#[derive(Default)]
struct Known {
    truths: FxHashMap<Expr, bool>,
    /// In the order in which they became known.
    order: Vec<Expr>,
    fuel: usize,
}

impl Known {
    fn pruned(&mut self, pool: &mut Pool, expr: Expr, depth: usize) -> Expr {
        let Node::Ite(c, a, b) = *pool.node(expr) else { return expr };
        if depth > DEEP || self.fuel == 0 {
            return expr;
        }
        self.fuel -= 1;
        match self.truth(pool, c, 0) {
            Some(true) => self.pruned(pool, a, depth + 1),
            Some(false) => self.pruned(pool, b, depth + 1),
            None => {
                let [a, b] = [(a, true), (b, false)].map(|(branch, holds)| {
                    let before = self.order.len();
                    self.learn(pool, c, holds);
                    let branch = self.pruned(pool, branch, depth + 1);
                    for expr in self.order.drain(before..) {
                        self.truths.remove(&expr);
                    }
                    branch
                });
                let c = self.restricted(pool, c);
                pool.ite(c, a, b)
            }
        }
    }

    /// A condition without the parts that are known to hold or fail anyway.
    fn restricted(&mut self, pool: &mut Pool, expr: Expr) -> Expr {
        let (mut operands, neutral) = match pool.node(expr) {
            Node::And(operands) => (operands.to_vec(), true),
            Node::Or(operands) => (operands.to_vec(), false),
            _ => return expr,
        };
        operands.retain(|it| self.truth(pool, *it, 0) != Some(neutral));
        if neutral { pool.and(operands) } else { pool.or(operands) }
    }

    /// The truth value of a condition, if it follows.
    fn truth(&mut self, pool: &Pool, expr: Expr, depth: usize) -> Option<bool> {
        let known = self.truths.get(&expr).copied();
        self.fuel = self.fuel.saturating_sub(1);
        if known.is_some() || depth > NESTED || self.fuel == 0 {
            return known;
        }
        match pool.node(expr) {
            Node::Bool(value) => Some(*value),
            Node::Not(inner) => self.truth(pool, *inner, depth + 1).map(|it| !it),
            Node::And(operands) | Node::Or(operands) => {
                let neutral = matches!(pool.node(expr), Node::And(_));
                let found: Vec<Option<bool>> =
                    operands.iter().map(|it| self.truth(pool, *it, depth + 1)).collect();
                match found.contains(&Some(!neutral)) {
                    true => Some(!neutral),
                    false => (!found.contains(&None)).then_some(neutral),
                }
            }
            _ => None,
        }
    }

    /// Adds a condition and what follows from it.
    fn learn(&mut self, pool: &mut Pool, expr: Expr, truth: bool) {
        let mut open = vec![(expr, truth)];
        while let Some((expr, truth)) = open.pop() {
            if self.truths.contains_key(&expr) {
                continue;
            }
            self.truths.insert(expr, truth);
            self.order.push(expr);
            open.push((pool.not(expr), !truth));
            match (pool.node(expr), truth) {
                (Node::And(operands), true) | (Node::Or(operands), false) => {
                    open.extend(operands.iter().map(|it| (*it, truth)));
                }
                // If all others hold, the only one that is left fails.
                (Node::And(operands), false) | (Node::Or(operands), true) => {
                    let mut left = operands.to_vec();
                    left.retain(|it| self.truth(pool, *it, 0) != Some(!truth));
                    open.extend((left.len() == 1).then(|| (left[0], truth)));
                }
                _ => {}
            }
        }
    }
}
