//! Simplification by meaning: small changes that make an expression smaller and leave its language as it is.
//!
//! A change is tried against words that told earlier ones apart, and only then proved: every word of the reference is a word of the
//! changed expression and the other way round. Each change kept makes the expression cheaper, so the search ends.

use crate::eliminate::Words;
use crate::expression::{Expr, Expressions, Node};
use crate::guard::weight;
use crate::inclusion::{Lasso, accepts, difference};
use crate::limit::{Fuel, Limit};
use crate::machine::{Letters, Machine};
use crate::simplify::{Simplified, simplify};
use crate::variants::variants;
use omega::{Buchi, Guard};
use rustc_hash::{FxHashMap, FxHashSet};

/// A language to compare with, and the words that told something apart from it.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    machine: Machine,
    letters: Letters,
    words: Vec<(Lasso, bool)>,
    weights: FxHashMap<Guard, u64>,
    refused: FxHashSet<Expr>,
}

/// How much one proof may cost.
const PROOF: u64 = 300_000;

impl Reference {
    /// The language of an automaton whose guards are those of the arena.
    pub(crate) fn new(
        arena: &mut Expressions,
        automaton: &Buchi,
        words: Words,
        others: &[Expr],
    ) -> Result<Reference, Limit> {
        let mut needed: Vec<Guard> =
            automaton.steps.iter().flat_map(|steps| steps.iter().map(|step| step.guard)).collect();
        others.iter().for_each(|&expr| needed.extend(guards_of(arena, expr)));
        needed.sort_unstable();
        needed.dedup();
        let mut letters = Letters::new(&mut arena.guards, &needed, automaton.atoms.len() as u32)?;
        let machine = Machine::of_automaton(&mut arena.guards, &mut letters, automaton, words)?;
        Ok(Reference {
            machine,
            letters,
            words: Vec::new(),
            weights: FxHashMap::default(),
            refused: FxHashSet::default(),
        })
    }

    /// Whether an expression has the language, for certain.
    pub(crate) fn is(&mut self, arena: &mut Expressions, expr: Expr, fuel: &mut Fuel) -> Result<bool, Limit> {
        let machine = Machine::of(arena, &mut self.letters, expr)?;
        for k in 0..self.words.len() {
            let (word, inside) = &self.words[k];
            fuel.burn((machine.states * (word.cycle.len() + 2)) as u64)?;
            if accepts(&machine, word) != *inside {
                // What told two apart will tell others apart.
                if k > 0 {
                    self.words.swap(k, k / 2);
                }
                return Ok(false);
            }
        }
        for (small, big, inside) in [(&machine, &self.machine, false), (&self.machine, &machine, true)] {
            let mut part = fuel.part(PROOF);
            let found = difference(small, big, &mut part);
            fuel.give(part);
            if let Some(word) = found? {
                self.words.push((word, inside));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is to be made small: the picture first, then its labels.
    fn cost(&mut self, arena: &mut Expressions, expr: Expr) -> (u64, u64) {
        let mut labels = 0;
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            match *arena.node(expr) {
                Node::Step(guard) => {
                    labels += *self.weights.entry(guard).or_insert_with(|| weight(&mut arena.guards, guard))
                }
                _ => stack.extend(arena.operands(expr)),
            }
        }
        (arena.measure(expr).cost(), labels)
    }
}

/// The smallest expression of the language of the reference that small changes lead to from one that has it.
pub(crate) fn search(
    arena: &mut Expressions,
    known: &mut Simplified,
    reference: &mut Reference,
    start: Expr,
    fuel: &mut Fuel,
) -> Expr {
    let mut best = start;
    let mut best_cost = reference.cost(arena, best);
    loop {
        if arena.measure(best).size > 300 {
            return best;
        }
        let pool: Vec<Guard> = guards_of(arena, best);
        let Ok(mut found) = variants(arena, best, &pool) else { return best };
        if fuel.burn(found.len() as u64 * 20).is_err() {
            return best;
        }
        let mut candidates: Vec<((u64, u64), Expr)> = Vec::new();
        found.retain(|expr| !reference.refused.contains(expr));
        for expr in found {
            if arena.measure(expr).cost() > best_cost.0 + 6 {
                continue;
            }
            let simple = simplify(arena, known, expr);
            let cost = reference.cost(arena, simple);
            if cost < best_cost && !reference.refused.contains(&simple) {
                candidates.push((cost, simple));
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        let mut improved = None;
        for (cost, expr) in candidates {
            match reference.is(arena, expr, fuel) {
                Ok(true) => {
                    improved = Some((cost, expr));
                    break;
                }
                Ok(false)
                | Err(Limit::Letters | Limit::States | Limit::Depth | Limit::Size | Limit::Translation) => {
                    reference.refused.insert(expr);
                }
                Err(Limit::Work) if fuel.left() == 0 => return best,
                Err(Limit::Work) => {
                    reference.refused.insert(expr);
                }
            }
        }
        match improved {
            Some((cost, expr)) => (best_cost, best) = (cost, expr),
            None => return best,
        }
    }
}

/// The guards of the steps of an expression.
fn guards_of(arena: &Expressions, expr: Expr) -> Vec<Guard> {
    let guard = |expr: Expr| match arena.node(expr) {
        Node::Step(guard) => Some(*guard),
        _ => None,
    };
    let mut guards: Vec<Guard> = arena.reachable(expr).into_iter().filter_map(guard).collect();
    guards.sort_unstable();
    guards.dedup();
    guards
}
