//! What one part of a formula implies about another: absorption, resolution and related rules.
//!
//! Facts are learned from a formula that is assumed to be true or false here, and then used in its neighbours: in `a & (!a | b)` the
//! second operand matters only where a holds. Temporal operators also yield facts about this position: `G p` implies p, and `!F p`
//! implies not p.

use super::negation::operands;
use crate::store::{Formula, Junction, Node, Store};
use rustc_hash::FxHashMap;

/// The depth to which facts are used inside a neighbour.
const DEPTH: u32 = 3;

/// `a & (a | b)` is `a`, `a & (!a | b)` is `a & b`, `H a & a` is `H a`, and so on.
///
/// Facts flow from left to right and then from right to left. Within one direction each operand relies only on operands processed
/// before it, so no two of them can justify removing each other.
pub(super) fn in_junction(store: &mut Store, f: Formula) -> Option<Formula> {
    let (kind, mut list) = operands(store, f)?;
    if list.iter().all(|&operand| is_literal(store, operand)) {
        return None;
    }
    for _direction in 0..2 {
        let mut facts = Facts::default();
        for operand in &mut list {
            *operand = facts.use_in(store, *operand, DEPTH);
            facts.learn(store, *operand, kind == Junction::And);
        }
        list.reverse();
    }
    Some(store.junction(kind, list))
}

/// `a -> a & b` is `a -> b`, and `a | b -> b` is `a -> b`.
pub(super) fn in_implication(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Implies(a, b) = *store.node(f) else { return None };
    if is_literal(store, a) && is_literal(store, b) {
        return None;
    }
    let conclusion = Facts::of(store, a, true).use_in(store, b, DEPTH);
    let premise = Facts::of(store, conclusion, false).use_in(store, a, DEPTH);
    Some(store.implies(premise, conclusion))
}

/// `(a | b) U b` is `a U b`: before the first b, b does not hold. For release: up to the first failure of b, it holds.
pub(super) fn before_the_goal(store: &mut Store, f: Formula) -> Option<Formula> {
    let Node::Binary(op, bound, a, b) = *store.node(f) else { return None };
    if bound.lo > 0 {
        return None;
    }
    let way = Facts::of(store, b, !op.window().is_existential()).use_in(store, a, DEPTH);
    Some(store.binary(op, bound, way, b))
}

/// An atom or its negation: the constructors already handle literals.
fn is_literal(store: &Store, f: Formula) -> bool {
    match *store.node(f) {
        Node::Not(g) => !store.node(g).is_operator(),
        ref node => !node.is_operator(),
    }
}

/// Formulas with a known value here: a short list, until it is long enough for a map.
#[derive(Default)]
struct Facts {
    few: Vec<(Formula, bool)>,
    many: FxHashMap<Formula, bool>,
}

/// The maximum number of facts searched linearly.
const FEW: usize = 16;

impl Facts {
    fn get(&self, f: Formula) -> Option<bool> {
        let few = self.few.iter().rev().find(|(known, _)| *known == f).map(|&(_, value)| value);
        few.or_else(|| self.many.get(&f).copied())
    }

    /// Adds a fact; returns whether it was known before.
    fn insert(&mut self, f: Formula, value: bool) -> bool {
        if self.get(f) == Some(value) {
            return true;
        }
        if self.few.len() < FEW {
            self.few.push((f, value));
        } else {
            self.many.insert(f, value);
        }
        false
    }

    fn of(store: &Store, f: Formula, value: bool) -> Facts {
        let mut facts = Facts::default();
        facts.learn(store, f, value);
        facts
    }

    /// Adds what follows if `f` has the given value.
    fn learn(&mut self, store: &Store, f: Formula, value: bool) {
        let mut stack = vec![(f, value)];
        while let Some((f, value)) = stack.pop() {
            if self.insert(f, value) {
                continue;
            }
            match store.node(f) {
                Node::Not(g) => stack.push((*g, !value)),
                Node::And(all) if value => stack.extend(all.iter().map(|&g| (g, true))),
                Node::Or(all) if !value => stack.extend(all.iter().map(|&g| (g, false))),
                Node::Implies(a, b) if !value => stack.extend([(*a, true), (*b, false)]),
                // The window of G contains this position: if G holds then so does its operand; similarly for F and the binary
                // operators.
                Node::Unary(op, bound, g) if bound.lo == 0 && op.is_existential() != value => {
                    stack.push((*g, value));
                }
                Node::Binary(op, bound, _, g) if bound.lo == 0 && op.window().is_existential() != value => {
                    stack.push((*g, value));
                }
                _ => {}
            }
        }
    }

    fn value(&self, store: &Store, f: Formula) -> Option<bool> {
        let known = |g: &Formula| self.get(*g);
        known(&f).or_else(|| match store.node(f) {
            Node::Not(g) => known(g).map(|value| !value),
            Node::Unary(op, bound, g) if bound.lo == 0 => {
                known(g).filter(|&value| value == op.is_existential())
            }
            Node::Binary(op, bound, _, g) if bound.lo == 0 => {
                known(g).filter(|&value| value == op.window().is_existential())
            }
            _ => None,
        })
    }

    /// Simplifies the formula under the facts.
    fn use_in(&self, store: &mut Store, f: Formula, depth: u32) -> Formula {
        if let Some(value) = self.value(store, f) {
            return store.bool(value);
        }
        if depth == 0 {
            return f;
        }
        match *store.node(f) {
            Node::Not(g) => {
                let g = self.use_in(store, g, depth - 1);
                store.not(g)
            }
            Node::And(_) | Node::Or(_) => {
                let Some((kind, list)) = operands(store, f) else { return f };
                let used: Vec<_> = list.iter().map(|&g| self.use_in(store, g, depth - 1)).collect();
                if used == list { f } else { store.junction(kind, used) }
            }
            Node::Implies(a, b) => {
                let (a, b) = (self.use_in(store, a, depth - 1), self.use_in(store, b, depth - 1));
                store.implies(a, b)
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.use_in(store, a, depth - 1), self.use_in(store, b, depth - 1));
                store.iff(a, b)
            }
            Node::Xor(a, b) => {
                let (a, b) = (self.use_in(store, a, depth - 1), self.use_in(store, b, depth - 1));
                store.xor(a, b)
            }
            _ => f,
        }
    }
}
