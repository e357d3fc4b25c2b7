//! Direct simulation, forwards and backwards: quotients and redundant arcs (Somenzi and Bloem 2000; Etessami, Wilke and Schuller
//! 2005; for marks on arcs Babiak, Badie, Duret-Lutz, Křetínský and Strejček 2013).
//!
//! A state is simulated by another if, for each letter and marks that it can take, the other can take the letter with at least these
//! marks to a state that simulates the target. Backward simulation is the same for incoming arcs.

use crate::automaton::graph::{Arc, Graph, Letters};
use crate::limits::{Limit, Limits};

/// A relation between states as rows of bits.
#[derive(Debug, Clone)]
pub(crate) struct Relation {
    words: usize,
    bits: Vec<u64>,
}

impl Relation {
    fn new(n: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
        let words = n.div_ceil(64);
        let mut relation = Relation { words, bits: vec![0; n * words] };
        for p in 0..n {
            for q in 0..n {
                if holds(p, q) {
                    relation.bits[p * words + q / 64] |= 1 << (q % 64);
                }
            }
        }
        relation
    }

    pub(crate) fn holds(&self, p: usize, q: usize) -> bool {
        self.bits[p * self.words + q / 64] >> (q % 64) & 1 == 1
    }

    fn remove(&mut self, p: usize, q: usize) {
        self.bits[p * self.words + q / 64] &= !(1 << (q % 64));
    }
}

/// The maximum number of states that are compared with each other.
const COMPARED: usize = 1_500;

/// The greatest simulation along the given arcs that lies within `start`: `(p, q)` means that q simulates p.
fn simulation<const W: usize>(
    arcs: &[Vec<Arc<W>>],
    start: impl Fn(usize, usize) -> bool,
    limits: &mut Limits,
) -> Result<Relation, Limit> {
    let n = arcs.len();
    let reads: Vec<Letters<W>> =
        arcs.iter().map(|out| out.iter().fold(Letters::NONE, |all, arc| all.or(arc.letters))).collect();
    let mut relation =
        Relation::new(n, |p, q| p == q || (reads[p].without(reads[q]).is_empty() && start(p, q)));
    // The predecessors of each state; its pairs are re-examined when its simulators change.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (state, out) in arcs.iter().enumerate() {
        for arc in out {
            if before[arc.target as usize].last() != Some(&state) {
                before[arc.target as usize].push(state);
            }
        }
    }
    let mut waiting = vec![true; n];
    let mut queue: Vec<usize> = (0..n).rev().collect();
    while let Some(p) = queue.pop() {
        waiting[p] = false;
        let mut changed = false;
        for q in 0..n {
            if q == p || !relation.holds(p, q) {
                continue;
            }
            limits.spend(arcs[p].len() * arcs[q].len() + 1)?;
            let matched = arcs[p].iter().all(|arc| {
                let mut left = arc.letters;
                for other in &arcs[q] {
                    if arc.marks & !other.marks == 0
                        && relation.holds(arc.target as usize, other.target as usize)
                    {
                        left = left.without(other.letters);
                        if left.is_empty() {
                            return true;
                        }
                    }
                }
                left.is_empty()
            });
            if !matched {
                relation.remove(p, q);
                changed = true;
            }
        }
        if changed {
            for &earlier in &before[p] {
                if !waiting[earlier] {
                    waiting[earlier] = true;
                    queue.push(earlier);
                }
            }
        }
    }
    Ok(relation)
}

/// Uses at most a quarter of the remaining steps: a reduction that takes too long is skipped without loss.
fn within<T>(limits: &mut Limits, work: impl FnOnce(&mut Limits) -> Result<T, Limit>) -> Option<T> {
    let share = limits.steps / 4;
    let mut rest = Limits { steps: share, ..*limits };
    let result = work(&mut rest).ok();
    limits.steps -= if result.is_some() { share - rest.steps } else { share };
    result
}

/// The quotient of a graph by direct simulation, without arcs that a better one makes redundant.
pub(crate) fn forward<const W: usize>(graph: &Graph<W>, limits: &mut Limits) -> Result<Graph<W>, Limit> {
    if graph.len() > COMPARED {
        return Ok(graph.clone());
    }
    Ok(match within(limits, |limits| simulation(&graph.arcs, |_, _| true, limits)) {
        Some(relation) => forward_quotient(graph, &relation),
        None => graph.clone(),
    })
}

fn representatives(n: usize, relation: &Relation) -> Vec<u32> {
    (0..n)
        .map(|p| (0..p).find(|&q| relation.holds(p, q) && relation.holds(q, p)).unwrap_or(p) as u32)
        .collect()
}

fn forward_quotient<const W: usize>(graph: &Graph<W>, relation: &Relation) -> Graph<W> {
    let representative = representatives(graph.len(), relation);
    let arcs = graph.arcs.iter().enumerate().map(|(state, out)| {
        if representative[state] as usize != state {
            return Vec::new();
        }
        let to = |arc: &Arc<W>| Arc { target: representative[arc.target as usize], ..*arc };
        let mut out = crate::automaton::graph::merged(&out.iter().map(to).collect::<Vec<_>>());
        let better = |a: &Arc<W>, b: &Arc<W>| {
            a.marks & !b.marks == 0 && relation.holds(a.target as usize, b.target as usize)
        };
        for i in 0..out.len() {
            for j in 0..out.len() {
                // Of equally good arcs, the first stays.
                if i != j && better(&out[i], &out[j]) && (!better(&out[j], &out[i]) || j < i) {
                    out[i].letters = out[i].letters.without(out[j].letters);
                }
            }
        }
        out
    });
    let initial = representative[graph.initial as usize];
    Graph { initial, arcs: arcs.collect(), full: graph.full }.trimmed(|_| true)
}

/// The quotient of a graph by reverse simulation. With `state_based`, marks stay on their states.
pub(crate) fn backward<const W: usize>(
    graph: &Graph<W>,
    state_based: bool,
    limits: &mut Limits,
) -> Result<Graph<W>, Limit> {
    let n = graph.len();
    if n > COMPARED {
        return Ok(graph.clone());
    }
    let mut incoming: Vec<Vec<Arc<W>>> = vec![Vec::new(); n];
    for (state, out) in graph.arcs.iter().enumerate() {
        for arc in out {
            incoming[arc.target as usize].push(Arc { target: state as u32, ..*arc });
        }
    }
    let accepting = graph.accepting();
    let initial = graph.initial as usize;
    let start = |p: usize, q: usize| {
        (p != initial || q == initial) && (!state_based || !accepting[p] || accepting[q])
    };
    let Some(relation) = within(limits, |limits| simulation(&incoming, start, limits)) else {
        return Ok(graph.clone());
    };
    let representative = representatives(n, &relation);
    let mut arcs: Vec<Vec<Arc<W>>> = vec![Vec::new(); n];
    for (state, out) in graph.arcs.iter().enumerate() {
        let to = |arc: &Arc<W>| Arc { target: representative[arc.target as usize], ..*arc };
        arcs[representative[state] as usize].extend(out.iter().map(to));
    }
    for out in &mut arcs {
        *out = crate::automaton::graph::merged(out);
    }
    // Of two arcs to one state, the one from the state with more paths to it is enough.
    let states: Vec<usize> = (0..n).filter(|&p| representative[p] as usize == p).collect();
    for &p in &states {
        for &q in &states {
            if p == q || !relation.holds(p, q) {
                continue;
            }
            for i in 0..arcs[p].len() {
                let arc = arcs[p][i];
                let covered = arcs[q]
                    .iter()
                    .filter(|other| other.target == arc.target && arc.marks & !other.marks == 0)
                    .fold(Letters::NONE, |all, other| all.or(other.letters));
                arcs[p][i].letters = arc.letters.without(covered);
            }
        }
    }
    Ok(Graph { initial: representative[initial], arcs, full: graph.full }.trimmed(|_| true))
}
