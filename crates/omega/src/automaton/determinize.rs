//! Deterministic parity automata (Safra 1988, in the form of Redziejowski 2012 with nested braces).
//!
//! A state maps each state of the Büchi automaton to the braces around it, from the oldest to the youngest. An accepting arc opens a
//! brace. A brace in which every state is in a further brace closes these and is good; a brace without states disappears and is bad.
//! A word is accepted if the oldest brace with infinitely many events is eventually always good.

use crate::automaton::graph::{Graph, Letters};
use crate::limits::{Limit, Limits};
use base::Interned;
use std::collections::BTreeMap;

/// An arc of a parity automaton. A word is accepted if the least colour seen infinitely often is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn<const W: usize> {
    pub(crate) letters: Letters<W>,
    pub(crate) target: u32,
    pub(crate) colour: u32,
}

/// A complete deterministic parity automaton; it starts in state 0.
#[derive(Debug, Clone)]
pub(crate) struct Parity<const W: usize> {
    pub(crate) turns: Vec<Vec<Turn<W>>>,
}

type Braces = BTreeMap<u32, Vec<u32>>;

/// The parity automaton of a graph with at most one mark.
pub(crate) fn determinize<const W: usize>(
    graph: &Graph<W>,
    classes: usize,
    limits: &mut Limits,
) -> Result<Parity<W>, Limit> {
    let first: Braces = BTreeMap::from([(graph.initial, vec![0])]);
    let mut states = Interned::from_iter([first]);
    let mut turns: Vec<Vec<Turn<W>>> = Vec::new();
    // At most twice as many braces as states are open at once, so this colour is never an event. It rejects.
    let bound = 2 * (graph.len() as u32 + 2) * 2;
    while turns.len() < states.len() {
        let state = states[turns.len()].clone();
        let mut out: Vec<Turn<W>> = Vec::new();
        for class in 0..classes {
            let (next, colour) = step(graph, &state, class, bound);
            limits.spend(1 + state.len())?;
            let target = limits.number(&mut states, next)?;
            match out.iter_mut().find(|turn| turn.target == target && turn.colour == colour) {
                Some(turn) => turn.letters = turn.letters.or(Letters::one(class)),
                None => out.push(Turn { letters: Letters::one(class), target, colour }),
            }
        }
        turns.push(out);
    }
    Ok(Parity { turns })
}

fn step<const W: usize>(graph: &Graph<W>, state: &Braces, class: usize, bound: u32) -> (Braces, u32) {
    let mut fresh = state.values().flatten().max().map_or(1, |&top| top + 1);
    let mut next: Braces = BTreeMap::new();
    for (&from, braces) in state {
        for arc in graph.arcs[from as usize].iter().filter(|arc| arc.letters.has(class)) {
            let mut braces = braces.clone();
            if arc.marks == graph.full {
                braces.push(fresh);
                fresh += 1;
            }
            match next.get_mut(&arc.target) {
                // Older braces are better; with the same braces, more of them.
                Some(known) if !better(&braces, known) => {}
                Some(known) => *known = braces,
                None => drop(next.insert(arc.target, braces)),
            }
        }
    }
    let (mut empty, mut shut) = (vec![true; fresh as usize], vec![true; fresh as usize]);
    for braces in next.values() {
        braces.iter().for_each(|&brace| empty[brace as usize] = false);
        if let Some(&last) = braces.last() {
            shut[last as usize] = false;
        }
    }
    let old = state.values().flatten().max().map_or(0, |&top| top as usize + 1).max(1);
    let event = |brace: usize| {
        if empty[brace] { Some(2 * brace as u32) } else { shut[brace].then_some(2 * brace as u32 + 1) }
    };
    let colour =
        (0..fresh as usize).filter(|&brace| brace < old || !empty[brace]).find_map(event).unwrap_or(bound);
    for braces in next.values_mut() {
        if let Some(place) = braces.iter().position(|&brace| shut[brace as usize] && !empty[brace as usize]) {
            braces.truncate(place + 1);
        }
    }
    // Renumbers them without gaps, in order of age.
    let mut used: Vec<u32> = next.values().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    for brace in next.values_mut().flatten() {
        *brace = used.binary_search(brace).map_or(*brace, |place| place as u32);
    }
    (next, colour)
}

fn better(a: &[u32], b: &[u32]) -> bool {
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((x, y)) => x < y,
        None => a.len() > b.len(),
    }
}
