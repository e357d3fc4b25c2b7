//! The machine of a formula, and the search backwards from a goal.

use super::memory::{Effect, Memory, check_direction, is_atom};
use super::{Asked, Letter, MAX_NODES, Undecided};
use crate::bdd::{Bdd, Manager};
use crate::print::adapt::adapt;
use crate::print::dialect::SMV;
use crate::store::{Formula, Id, Store};
use rustc_hash::FxHashMap;

/// The condition on the output after the last letter, for the companion's state after it.
pub(super) type Goal<'a> = &'a dyn Fn(&mut Manager, Bdd, u32) -> Bdd;

/// A step of the companion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) source: u32,
    pub(super) letter: usize,
    pub(super) target: u32,
}

/// An automaton, deterministic or not, that runs in parallel with the machine.
pub(super) struct Companion {
    pub(super) states: usize,
    pub(super) edges: Vec<Edge>,
    pub(super) starts: Vec<u32>,
}

/// A machine that reads letters and outputs after each whether the formula holds.
pub(super) struct Machine {
    manager: Manager,
    letters: Vec<Letter>,
    /// Whether it reads a trace from its end.
    backwards: bool,
    /// The bits before the first letter; `None` if they are arbitrary.
    initial: Option<Vec<bool>>,
    bits: usize,
    /// The effect of each letter.
    steps: Vec<Effect>,
    /// The same for the first letter, if that is special.
    first_steps: Option<Vec<Effect>>,
}

impl Machine {
    pub(super) fn new(
        store: &mut Store,
        formula: Formula,
        atoms: &[Id],
        letters: &[Letter],
        asked: Asked,
    ) -> Result<Machine, Undecided> {
        let formula = adapt(store, formula, &SMV);
        let ids = store.reachable_until([formula.id()], is_atom);
        check_direction(store, &ids, asked)?;
        let memory = Memory::new(store, &ids)?;
        let mut machine = Machine {
            manager: Manager::with_limit(MAX_NODES),
            letters: letters.to_vec(),
            backwards: asked != Asked::AtEnd,
            initial: Some(memory.initial.clone()),
            bits: memory.initial.len(),
            steps: Vec::new(),
            first_steps: None,
        };
        let with = |manager: &mut Manager, extra: Option<(Id, bool)>| {
            let steps = letters.iter().map(|letter| {
                let mut truth: FxHashMap<Id, bool> =
                    atoms.iter().copied().zip(letter.iter().copied()).collect();
                truth.extend(extra);
                memory.step(store, &ids, formula, manager, &truth)
            });
            steps.collect::<Vec<_>>()
        };
        match asked {
            Asked::AtEnd | Asked::AtStart => machine.steps = with(&mut machine.manager, None),
            Asked::AtStartOf(last) => {
                machine.steps = with(&mut machine.manager, Some((last, false)));
                machine.first_steps = Some(with(&mut machine.manager, Some((last, true))));
                machine.initial = None;
            }
        }
        Ok(machine)
    }

    /// A shortest word that leads the machine and a companion from a start to a goal.
    pub(super) fn search(
        mut self,
        companion: &Companion,
        goal: Goal,
    ) -> Result<Option<Vec<Letter>>, Undecided> {
        // Layer k: the bits, for each state of the companion, from which a goal is k + 1 letters away.
        let mut layers: Vec<Vec<Bdd>> = Vec::new();
        let mut seen = vec![Bdd::FALSE; companion.states];
        let mut moved: FxHashMap<(Bdd, usize), Bdd> = FxHashMap::default();
        loop {
            if let Some((start, edge)) = self.first_edge(companion, layers.last().map(Vec::as_slice), goal) {
                return Ok(Some(self.word(start, edge, &layers, companion, goal)));
            }
            let mut layer = vec![Bdd::FALSE; companion.states];
            for edge in &companion.edges {
                let reaches = match layers.last() {
                    None => goal(&mut self.manager, self.steps[edge.letter].output, edge.target),
                    Some(layer) => {
                        let set = layer[edge.target as usize];
                        let Machine { manager, steps, .. } = &mut self;
                        *moved
                            .entry((set, edge.letter))
                            .or_insert_with(|| manager.compose(set, &steps[edge.letter].next))
                    }
                };
                let any = &mut layer[edge.source as usize];
                *any = self.manager.or(*any, reaches);
                if self.manager.is_full() {
                    return Err(Undecided::TooLarge);
                }
            }
            let mut fresh = false;
            for (seen, &now) in seen.iter_mut().zip(&layer) {
                let all = self.manager.or(*seen, now);
                fresh |= all != *seen;
                *seen = all;
            }
            if !fresh {
                return Ok(None);
            }
            layers.push(layer);
        }
    }

    /// A start from which one letter leads to a layer, or to the goal if there is no layer.
    fn first_edge(
        &mut self,
        companion: &Companion,
        layer: Option<&[Bdd]>,
        goal: Goal,
    ) -> Option<(Vec<bool>, Edge)> {
        let Machine { manager, steps, first_steps, initial, bits, .. } = self;
        let steps = first_steps.as_ref().unwrap_or(steps);
        companion.edges.iter().filter(|edge| companion.starts.contains(&edge.source)).find_map(|&edge| {
            let Effect { next, output, .. } = &steps[edge.letter];
            let reaches = match layer {
                None => goal(manager, *output, edge.target),
                Some(layer) => manager.compose(layer[edge.target as usize], next),
            };
            let start = match initial {
                Some(initial) => manager.value(reaches, initial).then(|| initial.clone()),
                None => manager.example(reaches, *bits),
            };
            start.map(|start| (start, edge))
        })
    }

    /// The word from a start whose first edge is known, along the layers.
    fn word(
        &mut self,
        mut bits: Vec<bool>,
        mut edge: Edge,
        layers: &[Vec<Bdd>],
        companion: &Companion,
        goal: Goal,
    ) -> Vec<Letter> {
        let mut word = Vec::new();
        for remaining in (0..=layers.len()).rev() {
            let steps = self.first_steps.as_ref().filter(|_| word.is_empty()).unwrap_or(&self.steps);
            word.push(self.letters[edge.letter].clone());
            bits = steps[edge.letter].next.iter().map(|&bit| self.manager.value(bit, &bits)).collect();
            let Some(remaining) = remaining.checked_sub(1) else { break };
            let reaches = |machine: &mut Machine, edge: &Edge| {
                let Machine { manager, steps, .. } = machine;
                let Effect { next, output, .. } = &steps[edge.letter];
                let set = match remaining.checked_sub(1) {
                    None => goal(manager, *output, edge.target),
                    Some(layer) => manager.compose(layers[layer][edge.target as usize], next),
                };
                manager.value(set, &bits)
            };
            let state = edge.target;
            let onward =
                companion.edges.iter().filter(|edge| edge.source == state).find(|edge| reaches(self, edge));
            edge = *onward.expect("a layer leads to the one before it");
        }
        if self.backwards {
            word.reverse();
        }
        word
    }
}
