//! The machine of a formula, and the search backwards from a goal.

use super::{Asked, Letter, MAX_BITS, MAX_NODES, Undecided};
use crate::adapt::adapt;
use crate::bdd::{Bdd, Manager};
use crate::dialect::SMV;
use crate::node::{Binary, Bound, Formula, Id, Node, Unary};
use crate::store::Store;
use rustc_hash::FxHashMap;

/// The condition on the output after the last letter, for the companion's state behind it.
pub(super) type Goal<'a> = &'a dyn Fn(&mut Manager, Bdd, u32) -> Bdd;

/// A step of the companion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) source: u32,
    pub(super) letter: usize,
    pub(super) target: u32,
}

/// An automaton, deterministic or not, that walks beside the machine.
pub(super) struct Companion {
    pub(super) states: usize,
    pub(super) edges: Vec<Edge>,
    pub(super) starts: Vec<u32>,
}

/// A machine that reads letters and says after each whether the formula holds.
pub(super) struct Machine {
    manager: Manager,
    letters: Vec<Letter>,
    /// Whether it reads a trace from its end.
    backwards: bool,
    /// The bits before the first letter; `None` if they may be anything.
    initial: Option<Vec<bool>>,
    bits: usize,
    /// For each letter, the next bits and the output.
    steps: Vec<(Vec<Bdd>, Bdd)>,
    /// The same for the first letter, where that is special.
    first_steps: Option<Vec<(Vec<Bdd>, Bdd)>>,
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
            manager: Manager::default(),
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
        // Layer k: from which bits, for each state of the companion, a goal is k + 1 letters away.
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
                    None => goal(&mut self.manager, self.steps[edge.letter].1, edge.target),
                    Some(layer) => {
                        let set = layer[edge.target as usize];
                        let Machine { manager, steps, .. } = &mut self;
                        *moved
                            .entry((set, edge.letter))
                            .or_insert_with(|| manager.compose(set, &steps[edge.letter].0))
                    }
                };
                let any = &mut layer[edge.source as usize];
                *any = self.manager.or(*any, reaches);
                if self.manager.size() > MAX_NODES {
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
            let (next, output) = &steps[edge.letter];
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
            bits = steps[edge.letter].0.iter().map(|&bit| self.manager.value(bit, &bits)).collect();
            let Some(remaining) = remaining.checked_sub(1) else { break };
            let reaches = |machine: &mut Machine, edge: &Edge| {
                let (next, output) = machine.steps[edge.letter].clone();
                let set = match remaining.checked_sub(1) {
                    None => goal(&mut machine.manager, output, edge.target),
                    Some(layer) => machine.manager.compose(layers[layer][edge.target as usize], &next),
                };
                machine.manager.value(set, &bits)
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

fn is_atom(node: &Node) -> bool {
    !crate::rewrite::is_operator(node)
}

/// A formula that is asked at the end must not speak of the future, and the other way round.
fn check_direction(store: &Store, ids: &[Id], asked: Asked) -> Result<(), Undecided> {
    let speaks_of_future = |id: &Id| match store.node(*id) {
        Node::Unary(op, ..) => Some(op.is_future()),
        Node::Binary(op, ..) => Some(op.window().is_future()),
        _ => None,
    };
    let fits = ids.iter().filter_map(speaks_of_future).all(|future| future == (asked != Asked::AtEnd));
    fits.then_some(()).ok_or(Undecided::WrongDirection)
}

/// Which bits remember what. Bits of one age stand side by side, because they are about one moment.
struct Memory {
    /// For each operator, its bits: the latch, or the truths of the operand 1, 2, … steps ago.
    places: FxHashMap<Id, Vec<u32>>,
    initial: Vec<bool>,
}

impl Memory {
    fn new(store: &Store, ids: &[Id]) -> Result<Memory, Undecided> {
        let mut wanted: Vec<(u64, Id, bool)> = Vec::new();
        for &id in ids {
            if let Node::Unary(_, bound, _) = *store.node(id)
                && bound.hi.unwrap_or(bound.lo) > MAX_BITS as u64
            {
                return Err(Undecided::TooLarge);
            }
            match *store.node(id) {
                Node::Unary(op, bound, _) => {
                    let empty = !op.is_existential();
                    match bound.hi {
                        Some(hi) => wanted.extend((1..=hi).map(|age| (age, id, empty))),
                        // An endless window that begins later: the latch first, then its delay.
                        None => wanted.extend((0..=bound.lo).map(|age| (age, id, empty))),
                    }
                }
                Node::Binary(op, _, _, _) => wanted.push((0, id, !op.window().is_existential())),
                _ => {}
            }
        }
        if wanted.len() > MAX_BITS {
            return Err(Undecided::TooLarge);
        }
        wanted.sort_unstable_by_key(|&(age, id, _)| (age, id));
        let mut places: FxHashMap<Id, Vec<u32>> = FxHashMap::default();
        for (place, &(_, id, _)) in wanted.iter().enumerate() {
            places.entry(id).or_default().push(place as u32);
        }
        Ok(Memory { places, initial: wanted.into_iter().map(|(_, _, empty)| empty).collect() })
    }

    /// The next bits and the output for one letter, as functions of the bits.
    fn step(
        &self,
        store: &Store,
        ids: &[Id],
        formula: Formula,
        m: &mut Manager,
        truth: &FxHashMap<Id, bool>,
    ) -> (Vec<Bdd>, Bdd) {
        let mut values: FxHashMap<Id, Bdd> = FxHashMap::default();
        let mut next = vec![Bdd::FALSE; self.initial.len()];
        for &id in ids {
            let get = |f: Formula| values[&f.id()];
            let value = match *store.node(id) {
                Node::True => Bdd::TRUE,
                Node::False => Bdd::FALSE,
                Node::Not(f) => m.not(get(f)),
                Node::And(ref list) => list.iter().fold(Bdd::TRUE, |all, &f| m.and(all, get(f))),
                Node::Or(ref list) => list.iter().fold(Bdd::FALSE, |any, &f| m.or(any, get(f))),
                Node::Implies(a, b) => m.choose(get(a), get(b), Bdd::TRUE),
                Node::Iff(a, b) => m.iff(get(a), get(b)),
                Node::Xor(a, b) => {
                    let same = m.iff(get(a), get(b));
                    m.not(same)
                }
                Node::Unary(op, bound, f) => self.window(m, &mut next, id, op, bound, get(f)),
                Node::Binary(op, _, a, b) => {
                    let place = self.places[&id][0];
                    let latch = m.variable(place);
                    let value = way(m, op, get(a), get(b), latch);
                    next[place as usize] = value;
                    value
                }
                _ => Bdd::constant(truth.get(&id).copied().unwrap_or(false)),
            };
            values.insert(id, value);
        }
        (next, values[&formula.id()])
    }

    fn window(&self, m: &mut Manager, next: &mut [Bdd], id: Id, op: Unary, bound: Bound, now: Bdd) -> Bdd {
        let places = self.places.get(&id).map_or(&[][..], Vec::as_slice);
        let join =
            |m: &mut Manager, a: Bdd, b: Bdd| if op.is_existential() { m.or(a, b) } else { m.and(a, b) };
        let Some(hi) = bound.hi else {
            let latch = m.variable(places[0]);
            let so_far = join(m, now, latch);
            next[places[0] as usize] = so_far;
            // Age 1 of the delay is what the latch was before this step.
            for pair in places.windows(2) {
                next[pair[1] as usize] = m.variable(pair[0]);
            }
            return match bound.lo {
                0 => so_far,
                lo => m.variable(places[lo as usize - 1]),
            };
        };
        let mut value = Bdd::constant(!op.is_existential());
        for age in bound.lo..=hi {
            let then = if age == 0 { now } else { m.variable(places[age as usize - 1]) };
            value = join(m, value, then);
        }
        let mut newer = now;
        for &place in places {
            next[place as usize] = newer;
            newer = m.variable(place);
        }
        value
    }
}

fn way(m: &mut Manager, op: Binary, a: Bdd, b: Bdd, latch: Bdd) -> Bdd {
    match op {
        Binary::Since | Binary::Until => {
            let continued = m.and(a, latch);
            m.or(b, continued)
        }
        Binary::Triggered | Binary::Release => {
            let continued = m.or(a, latch);
            m.and(b, continued)
        }
    }
}
