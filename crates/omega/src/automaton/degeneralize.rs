//! From marks on edges to accepting states: each state stores the mark that it waits for.
//!
//! A level counts the marks seen in a fixed order; the last level accepts and starts over. One arc may pass several levels. The level
//! matters only inside an accepting component, so each component is entered at the level at which a copy of the state already exists,
//! or at a chosen one (Babiak, Badie, Duret-Lutz, Křetínský and Strejček 2013, section 4).

use crate::automaton::graph::{Arc, Graph};
use crate::automaton::scc::OfArcs as _;
use crate::automaton::scc::components;
use crate::limits::{Limit, Limits};
use base::Interned;
use rustc_hash::FxHashMap;

/// How levels are chosen.
#[derive(Debug, Clone)]
pub(crate) struct Levels {
    /// The order in which marks are waited for.
    pub(crate) order: Vec<u32>,
    /// The level at which a component is entered.
    pub(crate) enter: usize,
    /// Whether the marks of the entering arc count.
    pub(crate) count_entry: bool,
}

/// A graph with one mark, which is on all arcs of accepting states.
pub(crate) fn degeneralize<const W: usize>(
    graph: &Graph<W>,
    levels: &Levels,
    limits: &mut Limits,
) -> Result<Graph<W>, Limit> {
    let all = components(graph, |_, _| true);
    let accepting: Vec<bool> =
        all.marks(graph).iter().map(|&marks| marks.is_some_and(|seen| seen == graph.full)).collect();
    let last = levels.order.len();
    let advance = |mut level: usize, marks: u64| {
        while level < last && marks >> levels.order[level] & 1 == 1 {
            level += 1;
        }
        level
    };
    // Where nothing can be accepted there is one level, which does not accept; without marks, everything else accepts.
    let enter = |state: u32, marks: u64| {
        let live = accepting[all.of[state as usize] as usize];
        let level = if levels.count_entry { advance(levels.enter, marks) } else { levels.enter };
        if !live { None } else { Some(level.min(last)) }
    };
    let initial = (graph.initial, enter(graph.initial, 0));
    let mut states = Interned::from_iter([initial]);
    let mut first: FxHashMap<u32, Option<usize>> = FxHashMap::from_iter([initial]);
    let mut arcs: Vec<Vec<Arc<W>>> = Vec::new();
    while arcs.len() < states.len() {
        let (state, level) = states[arcs.len()];
        let mut out = Vec::new();
        for arc in &graph.arcs[state as usize] {
            let place = if all.inside(state as usize, arc) {
                // The last level accepts and starts over.
                let to = level.map(|level| advance(if level == last { 0 } else { level }, arc.marks));
                (arc.target, to)
            } else {
                let to = first.get(&arc.target).copied().unwrap_or_else(|| enter(arc.target, arc.marks));
                (arc.target, to)
            };
            let target = limits.number(&mut states, place)?;
            first.entry(place.0).or_insert(place.1);
            limits.spend(1)?;
            out.push(Arc { target, marks: u64::from(level == Some(last)), letters: arc.letters });
        }
        arcs.push(out);
    }
    Ok(redirected(Graph { initial: 0, arcs, full: 1 }, |state| states[state].0))
}

/// All copies of a state accept the same words, so an arc may lead to the copy in the last component, as long as it cannot lead back:
/// the components along the way only decrease, so no run takes such an arc forever.
fn redirected<const W: usize>(mut graph: Graph<W>, original: impl Fn(usize) -> u32) -> Graph<W> {
    let all = components(&graph, |_, _| true);
    let mut last: FxHashMap<u32, u32> = FxHashMap::default();
    for state in 0..graph.len() {
        let best = last.entry(original(state)).or_insert(state as u32);
        if all.of[state] < all.of[*best as usize] {
            *best = state as u32;
        }
    }
    let to = |target: u32| {
        let best = last[&original(target as usize)];
        if all.of[best as usize] < all.of[target as usize] { best } else { target }
    };
    graph.arcs.iter_mut().flatten().for_each(|arc| arc.target = to(arc.target));
    graph.initial = to(graph.initial);
    graph
}
