//! Emptiness of generalized automata, with a short lasso as witness.
//!
//! A reachable component with all marks contains an accepting run. The lasso takes a shortest path to a state of such a component and
//! from there a shortest cycle that meets all marks; states near the start are tried first.

use crate::automaton::graph::{Arc, Graph, Letters};
use crate::automaton::scc::OfArcs as _;
use crate::automaton::scc::components;
use crate::automaton::{Buchi, Edge, General, Guard, Guards};
use crate::translate::tableau::all_marks;
use logic::Id;
use rustc_hash::FxHashMap;

/// An infinite word: letters, and the position to which it returns forever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasso {
    /// The atoms whose values a letter contains.
    pub atoms: Vec<Id>,
    /// The letters.
    pub letters: Vec<Vec<bool>>,
    /// Where the loop starts.
    pub loop_start: usize,
}

/// More marks than this are met one by one instead of in the best order.
const TOGETHER: u32 = 8;

/// The maximum number of steps in search of a shorter loop.
const SEARCH: usize = 300_000;

/// A short word that the automaton accepts; `None` if it accepts none.
pub fn find_word(general: &General) -> Option<Lasso> {
    let edges = &general.edges;
    let (stem, around) = find_run(edges, general.initial, general.marks)?;
    let letter = |edge: &Edge| general.guards.example(edge.guard, general.atoms.len());
    let loop_start = stem.len();
    let letters = stem.iter().chain(&around).map(letter).collect::<Option<Vec<_>>>()?;
    Some(Lasso { atoms: general.atoms.clone(), letters, loop_start })
}

/// The automaton with its acceptance on edges.
pub fn general_of(buchi: &Buchi) -> General {
    let edges = buchi.steps.iter().zip(&buchi.accepting).map(|(steps, &accepting)| {
        let edge =
            |step: &crate::Step| Edge { guard: step.guard, target: step.target, marks: u64::from(accepting) };
        steps.iter().map(edge).collect()
    });
    General {
        edges: edges.collect(),
        guards: buchi.guards.clone(),
        atoms: buchi.atoms.clone(),
        initial: buchi.initial,
        marks: 1,
    }
}

/// Restricts guards to possible letters.
pub(crate) fn restrict(edges: &mut [Vec<Edge>], guards: &mut Guards, possible: Guard) {
    for out in edges {
        out.iter_mut().for_each(|edge| edge.guard = guards.and(edge.guard, possible));
        out.retain(|edge| edge.guard != Guard::FALSE);
    }
}

type Run = (Vec<Edge>, Vec<Edge>);

/// The edges to a loop, and those of the loop.
fn find_run(edges: &[Vec<Edge>], initial: u32, marks: u32) -> Option<Run> {
    let arc = |edge: &Edge| Arc::<1> { target: edge.target, marks: edge.marks, letters: Letters::NONE };
    let arcs = edges.iter().map(|out| out.iter().map(arc).collect()).collect();
    let full = all_marks(marks);
    let graph = Graph { initial, arcs, full };
    let all = components(&graph, |_, _| true);
    let accepting: Vec<bool> = all.marks(&graph).iter().map(|&seen| seen == Some(full)).collect();
    // The shortest paths to all states.
    let mut parent: Vec<Option<(u32, Edge)>> = vec![None; edges.len()];
    let mut distance: Vec<Option<usize>> = vec![None; edges.len()];
    distance[initial as usize] = Some(0);
    let mut order = vec![initial];
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        at += 1;
        for edge in &edges[state as usize] {
            if edge.guard != Guard::FALSE && distance[edge.target as usize].is_none() {
                distance[edge.target as usize] = distance[state as usize].map(|d| d + 1);
                parent[edge.target as usize] = Some((state, *edge));
                order.push(edge.target);
            }
        }
    }
    let mut best: Option<(usize, u32, Vec<Edge>)> = None;
    let mut budget = SEARCH;
    for &state in order.iter().filter(|&&state| accepting[all.of[state as usize] as usize]) {
        let stem = distance[state as usize].unwrap_or(0);
        if best.as_ref().is_some_and(|(length, ..)| stem + 1 >= *length || budget == 0) {
            break;
        }
        let inside = |from: u32, edge: &Edge| all.of[from as usize] == all.of[edge.target as usize];
        let Some(around) = around(edges, state, marks, inside, &mut budget) else { continue };
        if best.as_ref().is_none_or(|(length, ..)| stem + around.len() < *length) {
            best = Some((stem + around.len(), state, around));
        }
    }
    let (_, mut state, around) = best?;
    let mut stem = Vec::new();
    while let Some((before, edge)) = parent[state as usize] {
        stem.push(edge);
        state = before;
    }
    stem.reverse();
    Some((stem, around))
}

/// A cycle through a state that meets all marks.
fn around(
    edges: &[Vec<Edge>],
    start: u32,
    marks: u32,
    inside: impl Fn(u32, &Edge) -> bool,
    budget: &mut usize,
) -> Option<Vec<Edge>> {
    if marks <= TOGETHER {
        return way(
            edges,
            (start, 0),
            |state, seen| state == start && seen == all_marks(marks),
            inside,
            budget,
        );
    }
    let mut path: Vec<Edge> = Vec::new();
    let (mut state, mut seen) = (start, 0u64);
    for mark in 0..marks {
        if seen >> mark & 1 == 0 {
            // Only this mark is searched for, so few sets of marks occur.
            let more = way(edges, (state, !(1 << mark)), |_, seen| seen == !0, &inside, budget)?;
            seen = more.iter().fold(seen, |seen, edge| seen | edge.marks);
            state = more.last().map_or(state, |edge| edge.target);
            path.extend(more);
        }
    }
    if state != start || path.is_empty() {
        path.extend(way(edges, (state, !0), |state, _| state == start, &inside, budget)?);
    }
    Some(path)
}

/// A shortest path of at least one edge from a state and a set of marks seen to a goal.
fn way(
    edges: &[Vec<Edge>],
    from: (u32, u64),
    goal: impl Fn(u32, u64) -> bool,
    inside: impl Fn(u32, &Edge) -> bool,
    budget: &mut usize,
) -> Option<Vec<Edge>> {
    let mut parent: FxHashMap<(u32, u64), (usize, Edge)> = FxHashMap::default();
    let mut queue = vec![from];
    let mut at = 0;
    while let Some(&(state, seen)) = queue.get(at) {
        for edge in edges[state as usize].iter().filter(|edge| inside(state, edge)) {
            *budget = budget.saturating_sub(1);
            let place = (edge.target, seen | edge.marks);
            if goal(place.0, place.1) {
                let mut path = vec![*edge];
                let mut back = at;
                while back != 0 {
                    let (before, edge) = parent[&queue[back]];
                    path.push(edge);
                    back = before;
                }
                path.reverse();
                return Some(path);
            }
            if place != from && !parent.contains_key(&place) {
                parent.insert(place, (at, *edge));
                queue.push(place);
            }
        }
        at += 1;
    }
    None
}
