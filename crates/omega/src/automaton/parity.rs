//! Queries on deterministic parity automata: words that they reject, and the class of their language in the hierarchy.
//!
//! In a loop the least colour decides: odd accepts. The language is a recurrence (some deterministic Büchi automaton accepts it) if
//! no rejecting loop contains an accepting one, and a persistence if no accepting loop contains a rejecting one (Landweber 1969;
//! Wagner 1979; the classes are those of Manna and Pnueli 1990).

use crate::automaton::determinize::{Parity, Turn};
use crate::automaton::graph::{Arc, Graph};
use crate::automaton::scc::OfArcs as _;
use crate::automaton::scc::{Components, components};
use crate::automaton::weak::together;
use crate::limits::{Limit, Limits};
use rustc_hash::FxHashMap;

/// The letter classes of a stem and of a loop.
pub(crate) type Word = (Vec<usize>, Vec<usize>);

/// A graph whose marks are the colours of the turns.
pub(crate) fn coloured<const W: usize>(parity: &Parity<W>) -> Graph<W> {
    let arc =
        |turn: &Turn<W>| Arc { target: turn.target, marks: u64::from(turn.colour), letters: turn.letters };
    let arcs = parity.turns.iter().map(|out| out.iter().map(arc).collect()).collect();
    Graph { initial: 0, arcs, full: 0 }
}

/// Whether no loop whose least colour has the given parity contains a loop whose least colour has the other.
pub(crate) fn no_loop_in_loop<const W: usize>(parity: &Parity<W>, outer_odd: bool) -> bool {
    let graph = coloured(parity);
    let mut colours: Vec<u64> = graph.arcs.iter().flatten().map(|arc| arc.marks).collect();
    colours.sort_unstable();
    colours.dedup();
    let is_odd = |colour: u64| colour % 2 == 1;
    for &outer in colours.iter().filter(|&&colour| is_odd(colour) == outer_odd) {
        let above = components(&graph, |_, arc| arc.marks >= outer);
        let with_outer = with_colour(&graph, &above, outer, |_| true);
        for &inner in colours.iter().filter(|&&colour| is_odd(colour) != outer_odd && colour > outer) {
            let within = components(&graph, |state, arc| arc.marks >= inner && above.inside(state, arc));
            let inside_outer = |state: usize| with_outer[above.of[state] as usize];
            if with_colour(&graph, &within, inner, inside_outer).contains(&true) {
                return false;
            }
        }
    }
    true
}

/// For each component, whether it has an inner arc of the colour, from one of the chosen states.
fn with_colour<const W: usize>(
    graph: &Graph<W>,
    parts: &Components,
    colour: u64,
    chosen: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut has = vec![false; parts.count];
    for (state, arcs) in graph.arcs.iter().enumerate().filter(|(state, _)| chosen(*state)) {
        has[parts.of[state] as usize] |=
            arcs.iter().any(|arc| arc.marks == colour && parts.inside(state, arc));
    }
    has
}

/// A word that `graph` accepts and the parity automaton rejects, if there is one: a stem and a loop of letter classes.
pub(crate) fn missed<const W: usize>(
    graph: &Graph<W>,
    parity: &Parity<W>,
    limits: &mut Limits,
) -> Result<Option<Word>, Limit> {
    // The colours replace the marks.
    let arc = |turn: &Turn<W>| Arc { target: turn.target, marks: turn.colour.into(), letters: turn.letters };
    let turns = parity.turns.iter().map(|turns| turns.iter().map(arc).collect()).collect();
    let (_, pairs) = together(graph, &Graph { initial: 0, arcs: turns, full: 0 }, limits)?;
    let arcs: Vec<Vec<Arc<W>>> = pairs.iter().map(|out| out.iter().map(|&(arc, _)| arc).collect()).collect();
    let colours: Vec<Vec<u32>> =
        pairs.iter().map(|out| out.iter().map(|&(_, colour)| colour as u32).collect()).collect();
    let mut rejecting: Vec<u32> =
        colours.iter().flatten().copied().filter(|colour| colour % 2 == 0).collect();
    rejecting.sort_unstable();
    rejecting.dedup();
    for least in rejecting {
        // An extra mark for the least colour; arcs with smaller ones are not taken on the loop.
        let mark = graph.full.count_ones();
        let limit = |state: usize, k: usize| colours[state][k] >= least;
        let product = |keep: bool| {
            let rows = arcs.iter().enumerate().map(|(state, out)| {
                let row = out.iter().enumerate().filter(|(k, _)| keep || limit(state, *k));
                row.map(|(k, arc)| Arc {
                    marks: arc.marks | u64::from(colours[state][k] == least) << mark,
                    ..*arc
                })
                .collect()
            });
            Graph { initial: 0, arcs: rows.collect(), full: graph.full | 1 << mark }
        };
        if let Some(found) = lasso(&product(true), &product(false)) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// A word to a loop with all marks: the stem in the whole graph, the loop in a part of it.
fn lasso<const W: usize>(whole: &Graph<W>, part: &Graph<W>) -> Option<Word> {
    let all = components(part, |_, _| true);
    let marks = all.marks(part);
    let goal = |state: u32| marks[all.of[state as usize] as usize] == Some(part.full);
    let (stem, mut state) = walk(whole, whole.initial, |_, state| goal(state), false, |_, _| true)?;
    let start = state;
    let mut around = Vec::new();
    for mark in (0..64).map(|k| 1u64 << k).filter(|mark| part.full & mark != 0) {
        let (more, to) = walk(part, state, |marks, _| marks & mark != 0, true, |s, arc| all.inside(s, arc))?;
        around.extend(more);
        state = to;
    }
    if state != start || around.is_empty() {
        around.extend(walk(part, state, |_, state| state == start, true, |s, arc| all.inside(s, arc))?.0);
    }
    Some((stem, around))
}

/// The letters of a shortest path to a matching arc or state, and where it ends.
fn walk<const W: usize>(
    graph: &Graph<W>,
    from: u32,
    sought: impl Fn(u64, u32) -> bool,
    at_least_one: bool,
    inside: impl Fn(usize, &Arc<W>) -> bool,
) -> Option<(Vec<usize>, u32)> {
    if !at_least_one && sought(0, from) {
        return Some((Vec::new(), from));
    }
    let mut parent: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
    let mut queue = vec![from];
    let mut at = 0;
    while let Some(&state) = queue.get(at) {
        at += 1;
        for arc in graph.arcs[state as usize].iter().filter(|arc| inside(state as usize, arc)) {
            let letter = arc.letters.first()?;
            if sought(arc.marks, arc.target) {
                let mut word = vec![letter];
                let mut back = state;
                while back != from {
                    let (before, letter) = parent[&back];
                    word.push(letter);
                    back = before;
                }
                word.reverse();
                return Some((word, arc.target));
            }
            if arc.target != from && !parent.contains_key(&arc.target) {
                parent.insert(arc.target, (state, letter));
                queue.push(arc.target);
            }
        }
    }
    None
}
