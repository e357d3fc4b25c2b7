//! The brute-force solver: every position of the game is listed, and the parity game is solved by Zielonka's recursion.

use super::monitor::{Memory, Sentence};
use std::collections::HashMap;

/// What is played.
pub(crate) struct Play<'a> {
    pub(crate) guarantees: &'a [Sentence],
    pub(crate) assumptions: &'a [Sentence],
    pub(crate) any_end: bool,
    pub(crate) moore: bool,
}

/// The largest number of positions.
const LIMIT: usize = 60_000;

/// A position: who moves, its priority, and where it leads.
struct Node {
    by_system: bool,
    priority: u8,
    to: Vec<usize>,
}

type State = (Vec<Memory>, Vec<Memory>, u8, u8, u8);

/// Whether the system wins; `None` if the game is too large. Letters have the inputs in bits 0 and 1, the outputs in bits 2 and 3.
pub(crate) fn system_wins(play: &Play) -> Option<bool> {
    // Node 0: the system has won; node 1: it has lost.
    let sink = |priority: u8, me: usize| Node { by_system: true, priority, to: vec![me] };
    let mut nodes = vec![sink(2, 0), sink(1, 1)];
    let start: State = (
        vec![Memory::default(); play.guarantees.len()],
        vec![Memory::default(); play.assumptions.len()],
        0,
        0,
        0,
    );
    let mut places: HashMap<State, usize> = HashMap::from([(start.clone(), 2)]);
    nodes.push(Node { by_system: play.moore, priority: 0, to: Vec::new() });
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let place = places[&state];
        nodes[place].priority = state.4;
        for first in 0..4u8 {
            let mut second_to = Vec::new();
            // The environment may choose only what keeps the assumptions, which mention inputs only.
            for second in 0..4u8 {
                let letter = if play.moore { second | first << 2 } else { first | second << 2 };
                match step(play, &state, letter) {
                    Step::Illegal => {}
                    Step::Lost => second_to.push(1),
                    Step::To(next) => {
                        second_to.push(match places.get(&next) {
                            Some(place) => *place,
                            None => {
                                nodes.push(Node { by_system: play.moore, priority: 0, to: Vec::new() });
                                places.insert(next.clone(), nodes.len() - 1);
                                open.push(next);
                                nodes.len() - 1
                            }
                        });
                    }
                }
            }
            if second_to.is_empty() {
                // Moore: the environment has no legal answer, so the system has won. Mealy: the input is illegal.
                if play.moore {
                    nodes[place].to.push(0);
                }
                continue;
            }
            nodes.push(Node { by_system: !play.moore, priority: 0, to: second_to });
            let middle = nodes.len() - 1;
            nodes[place].to.push(middle);
        }
        if nodes[place].to.is_empty() {
            nodes[place].to.push(0);
        }
        if nodes.len() > LIMIT {
            return None;
        }
    }
    let all: Vec<bool> = vec![true; nodes.len()];
    Some(zielonka(&nodes, &all)[2])
}

enum Step {
    Illegal,
    Lost,
    To(State),
}

fn step(play: &Play, state: &State, letter: u8) -> Step {
    let (guarantees, assumptions, goal, promise, _) = state;
    let mut promised = Vec::new();
    let mut owed_by_environment = Vec::new();
    for (sentence, memory) in play.assumptions.iter().zip(assumptions) {
        let shown = sentence.step(memory, letter);
        if shown.violated || play.any_end && shown.unfinished {
            return Step::Illegal;
        }
        promised.push(shown.memory);
        owed_by_environment.push(shown.owed);
    }
    let mut kept = Vec::new();
    let mut owed = Vec::new();
    for (sentence, memory) in play.guarantees.iter().zip(guarantees) {
        let shown = sentence.step(memory, letter);
        if shown.violated || play.any_end && shown.unfinished {
            return Step::Lost;
        }
        kept.push(shown.memory);
        owed.push(shown.owed);
    }
    // Goals and promises are awaited one after the other; a full round is what the priorities show.
    let advance = |from: u8, owed: &[bool]| {
        let mut place = usize::from(from);
        while place < owed.len() && !owed[place] {
            place += 1;
        }
        if place == owed.len() { (0, true) } else { (place as u8, false) }
    };
    let (goal, goal_round) = advance(*goal, &owed);
    let (promise, promise_round) = advance(*promise, &owed_by_environment);
    let priority = if goal_round { 2 } else { u8::from(promise_round) };
    Step::To((kept, promised, goal, promise, priority))
}

/// The positions from which a player can force the game into a set, within the alive positions.
fn attractor(nodes: &[Node], alive: &[bool], mut set: Vec<bool>, for_system: bool) -> Vec<bool> {
    loop {
        let mut changed = false;
        for (place, node) in nodes.iter().enumerate() {
            if !alive[place] || set[place] {
                continue;
            }
            let mut to = node.to.iter().filter(|it| alive[**it]);
            let pulled =
                if node.by_system == for_system { to.any(|it| set[*it]) } else { to.all(|it| set[*it]) };
            if pulled {
                set[place] = true;
                changed = true;
            }
        }
        if !changed {
            return set;
        }
    }
}

/// The positions from which the system wins: the largest priority that occurs infinitely often is even.
fn zielonka(nodes: &[Node], alive: &[bool]) -> Vec<bool> {
    let mut alive = alive.to_vec();
    let mut won = vec![false; nodes.len()];
    loop {
        let Some(top) = (0..nodes.len()).filter(|it| alive[*it]).map(|it| nodes[it].priority).max() else {
            return won;
        };
        let for_system = top % 2 == 0;
        let target: Vec<bool> = (0..nodes.len()).map(|it| alive[it] && nodes[it].priority == top).collect();
        let pulled = attractor(nodes, &alive, target, for_system);
        let rest: Vec<bool> = (0..nodes.len()).map(|it| alive[it] && !pulled[it]).collect();
        let below = zielonka(nodes, &rest);
        let lost: Vec<bool> = (0..nodes.len()).map(|it| rest[it] && below[it] != for_system).collect();
        if !lost.contains(&true) {
            if for_system {
                (0..nodes.len()).filter(|it| alive[*it]).for_each(|it| won[it] = true);
            }
            return won;
        }
        // The opponent wins at least here; the rest is decided again.
        let lost = attractor(nodes, &alive, lost, !for_system);
        for place in 0..nodes.len() {
            if lost[place] {
                alive[place] = false;
                won[place] = !for_system;
            }
        }
    }
}
