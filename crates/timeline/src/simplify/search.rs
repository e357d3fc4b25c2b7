//! Semantic simplification: small changes that make an expression smaller and preserve its language.
//!
//! A change is first tested on words that refuted earlier ones, and only then proved: every word of the reference is a word of the
//! changed expression and vice versa. Each accepted change makes the expression cheaper, so the search ends.

use crate::eliminate::Words;
use crate::expression::guard::weight;
use crate::expression::{Expr, Expressions, Node};
use crate::language::inclusion::{Lasso, accepts, difference};
use crate::language::machine::{Letters, Machine};
use crate::limit::{Fuel, Limit};
use crate::simplify::variants::variants;
use crate::simplify::{Simplified, simplify};
use omega::{Buchi, Guard};
use rustc_hash::{FxHashMap, FxHashSet};

/// A reference language, and the words that refuted earlier candidates.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    machine: Machine,
    letters: Letters,
    words: Vec<(Lasso, bool)>,
    weights: FxHashMap<Guard, u64>,
    refused: FxHashSet<Expr>,
    proved: FxHashSet<Expr>,
}

/// The maximum size of an expression to change.
const LARGEST: u64 = 300;

/// The work limit of one proof.
const PROOF: u64 = 300_000;

impl Reference {
    /// The language of an automaton with guards of the arena.
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
            proved: FxHashSet::default(),
        })
    }

    /// Whether an expression is proved to have the language.
    pub(crate) fn is(&mut self, arena: &mut Expressions, expr: Expr, fuel: &mut Fuel) -> Result<bool, Limit> {
        let leaves = arena.measure(expr).leaves;
        fuel.burn(leaves.saturating_mul(leaves + self.letters.classes.len() as u64))?;
        let machine = Machine::of(arena, &mut self.letters, expr)?;
        for k in 0..self.words.len() {
            let (word, inside) = &self.words[k];
            fuel.burn((machine.states * (4 * word.cycle.len() + 4)) as u64)?;
            if accepts(&machine, word) != *inside {
                // A word that refuted one candidate is likely to refute others.
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

    /// Whether an expression has the language; those that do not, or cannot be compared, are cached and not tried again.
    fn accepts(&mut self, arena: &mut Expressions, expr: Expr, fuel: &mut Fuel) -> bool {
        if fuel.left() == 0 || self.refused.contains(&expr) {
            return false;
        }
        let same = self.proved.contains(&expr) || self.is(arena, expr, fuel) == Ok(true);
        if same {
            self.proved.insert(expr)
        } else {
            self.refused.insert(expr)
        };
        same
    }

    /// The cost to minimize: the picture first, then its labels.
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

/// The maximum extra cost of a detour over the best.
const DETOUR: u64 = 6;

/// The maximum number of detours from one expression.
const DETOURS: usize = 12;

/// The smallest expression of the reference language that small changes reach from one that has it. If no change helps, detours over
/// slightly larger expressions are tried.
pub(crate) fn search(
    arena: &mut Expressions,
    known: &mut Simplified,
    reference: &mut Reference,
    start: Expr,
    fuel: &mut Fuel,
) -> Expr {
    let mut best = descend(arena, known, reference, start, fuel);
    let mut passed: FxHashSet<Expr> = FxHashSet::default();
    'again: loop {
        let cost = reference.cost(arena, best);
        let around = neighbours(arena, known, reference, best, (cost.0 + DETOUR, u64::MAX), fuel);
        let mut taken = 0;
        for expr in around {
            if taken == DETOURS || fuel.left() == 0 {
                break;
            }
            if expr != best && passed.insert(expr) && reference.accepts(arena, expr, fuel) {
                taken += 1;
                let end = descend(arena, known, reference, expr, fuel);
                if reference.cost(arena, end) < cost {
                    best = end;
                    continue 'again;
                }
            }
        }
        return best;
    }
}

/// Moves to cheaper neighbours, cheapest first, as long as there are any.
fn descend(
    arena: &mut Expressions,
    known: &mut Simplified,
    reference: &mut Reference,
    start: Expr,
    fuel: &mut Fuel,
) -> Expr {
    let mut best = start;
    loop {
        let cost = reference.cost(arena, best);
        let cheaper = neighbours(arena, known, reference, best, cost, fuel);
        match cheaper.into_iter().find(|&expr| reference.accepts(arena, expr, fuel)) {
            Some(expr) => best = expr,
            None => return best,
        }
    }
}

/// The simplified variants of an expression that cost less than a bound and are not rejected yet, cheapest first.
fn neighbours(
    arena: &mut Expressions,
    known: &mut Simplified,
    reference: &mut Reference,
    of: Expr,
    bound: (u64, u64),
    fuel: &mut Fuel,
) -> Vec<Expr> {
    let size = arena.measure(of).size;
    if size > LARGEST {
        return Vec::new();
    }
    let pool: Vec<Guard> = guards_of(arena, of);
    let Ok(mut found) = variants(arena, of, &pool) else { return Vec::new() };
    if fuel.burn((found.len() as u64).saturating_mul(50 + 10 * size)).is_err() {
        return Vec::new();
    }
    let mut cheap: Vec<((u64, u64), Expr)> = Vec::new();
    found.retain(|expr| !reference.refused.contains(expr));
    for expr in found {
        // Simplification rarely saves more than this.
        if arena.measure(expr).cost() <= bound.0 + DETOUR {
            let simple = simplify(arena, known, expr);
            let cost = reference.cost(arena, simple);
            if cost < bound && !reference.refused.contains(&simple) {
                cheap.push((cost, simple));
            }
        }
    }
    cheap.sort_unstable();
    cheap.dedup();
    cheap.into_iter().map(|(_, expr)| expr).collect()
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
