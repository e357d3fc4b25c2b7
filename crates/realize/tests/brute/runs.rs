//! Runs of a set of requirements, listed one position after the other: is there one that keeps all but one of them?

use super::monitor::Memory;
use super::parity::Play;
use base::components;
use std::collections::HashMap;

/// The largest number of positions.
const LIMIT: usize = 20_000;

/// What is remembered of the others, of the assumptions, and of the one that is to be violated, as long as it is not.
type State = (Vec<Memory>, Vec<Memory>, Option<Memory>);

/// A step between two positions.
struct Edge {
    from: u32,
    to: u32,
    /// For the others and the assumptions, whether nothing is owed.
    met: u32,
    /// Whether the one that is to be violated waits.
    waits: bool,
}

/// Whether every run that keeps the other guarantees and the assumptions keeps this one; `None` if there are too many positions.
pub(crate) fn is_redundant(play: &Play, denied: usize) -> Option<bool> {
    let others: Vec<usize> = (0..play.guarantees.len()).filter(|it| *it != denied).collect();
    let start: State = (
        vec![Memory::default(); others.len()],
        vec![Memory::default(); play.assumptions.len()],
        Some(Memory::default()),
    );
    let mut places: HashMap<State, u32> = HashMap::from([(start.clone(), 0)]);
    let mut violated = vec![false];
    let mut edges: Vec<Edge> = Vec::new();
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let from = places[&state];
        for letter in 0..16u8 {
            let mut met = 0;
            let kept = others.iter().map(|it| &play.guarantees[*it]).zip(&state.0);
            let mut memories = Vec::new();
            for (sentence, memory) in kept.chain(play.assumptions.iter().zip(&state.1)) {
                let shown = sentence.step(memory, letter);
                if shown.violated || play.any_end && shown.unfinished {
                    break;
                }
                met |= u32::from(!shown.owed) << memories.len();
                memories.push(shown.memory);
            }
            if memories.len() < others.len() + play.assumptions.len() {
                continue;
            }
            let assumed = memories.split_off(others.len());
            let shown = state.2.as_ref().map(|it| play.guarantees[denied].step(it, letter));
            let waits = shown.as_ref().is_some_and(|it| it.owed);
            let kept = shown.filter(|it| !(it.violated || play.any_end && it.unfinished)).map(|it| it.memory);
            let next: State = (memories, assumed, kept);
            let count = places.len() as u32;
            let to = *places.entry(next.clone()).or_insert(count);
            if to == count {
                violated.push(next.2.is_none());
                open.push(next);
            }
            edges.push(Edge { from, to, met, waits });
        }
        if places.len() > LIMIT {
            return None;
        }
    }
    let all = (1u32 << (others.len() + play.assumptions.len())) - 1;
    let is_denied = |edge: &Edge| match (violated[edge.from as usize], violated[edge.to as usize]) {
        (true, true) => true,
        (false, false) => edge.waits && !play.any_end,
        _ => false,
    };
    let chosen: Vec<&Edge> = edges.iter().filter(|it| is_denied(it)).collect();
    let mut targets: Vec<Vec<u32>> = vec![Vec::new(); violated.len()];
    chosen.iter().for_each(|it| targets[it.from as usize].push(it.to));
    let found = components(violated.len(), |node| targets[node as usize].iter().copied());
    let mut met = vec![None; violated.len()];
    for edge in chosen {
        let class = found.of[edge.from as usize];
        if class == found.of[edge.to as usize] {
            *met[class as usize].get_or_insert(0) |= edge.met;
        }
    }
    Some(!met.contains(&Some(all)))
}
