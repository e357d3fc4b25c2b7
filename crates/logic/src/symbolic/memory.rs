//! The memory of a formula: what must be stored about one side of a letter to know its value on the other.
//!
//! This encoding is deliberately not the plan of [`crate::memory`]: it stores the operands of the last steps bit by bit, for
//! past-time formulas and, mirrored, for future-time ones. The proofs that formulas are equal to their definitions use it, so they
//! are independent of the counters that monitors, automata and exports share.

use super::{Asked, MAX_BITS, Undecided};
use crate::bdd::{Bdd, Manager};
use crate::store::{Binary, Bound, Formula, Id, Node, Store, Unary};
use rustc_hash::FxHashMap;

pub(super) fn is_atom(node: &Node) -> bool {
    !node.is_operator()
}

/// A formula that is evaluated at the end must not refer to the future, and vice versa.
pub(super) fn check_direction(store: &Store, ids: &[Id], asked: Asked) -> Result<(), Undecided> {
    let speaks_of_future = |id: &Id| match store.node(*id) {
        Node::Unary(op, ..) => Some(op.is_future()),
        Node::Binary(op, ..) => Some(op.window().is_future()),
        _ => None,
    };
    let fits = ids.iter().filter_map(speaks_of_future).all(|future| future == (asked != Asked::AtEnd));
    fits.then_some(()).ok_or(Undecided::WrongDirection)
}

/// The effect of a letter, as functions of the bits on the side that was read before it.
pub(super) struct Effect {
    /// The bits on its other side.
    pub(super) next: Vec<Bdd>,
    /// Whether the formula holds at the letter.
    pub(super) output: Bdd,
    /// For each unbounded operator, whether its value does not depend only on later letters: on an infinite trace, that is the case
    /// infinitely often.
    pub(super) settled: Vec<Bdd>,
}

/// The assignment of bits. Bits of the same age are adjacent, because they describe the same step.
pub(super) struct Memory {
    /// The bits of each operator: the latch, or the values of the operand 1, 2, … steps ago.
    places: FxHashMap<Id, Vec<u32>>,
    pub(super) initial: Vec<bool>,
}

impl Memory {
    pub(super) fn new(store: &Store, ids: &[Id]) -> Result<Memory, Undecided> {
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
                        // An unbounded window that begins later: the latch first, then its delay.
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

    /// The effect of one letter.
    pub(super) fn step(
        &self,
        store: &Store,
        ids: &[Id],
        formula: Formula,
        m: &mut Manager,
        truth: &FxHashMap<Id, bool>,
    ) -> Effect {
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
        let mut settled = Vec::new();
        for &id in ids {
            let (existential, now) = match *store.node(id) {
                Node::Unary(op, bound, f) if bound.hi.is_none() => (op.is_existential(), values[&f.id()]),
                Node::Binary(op, _, _, b) => (op.window().is_existential(), values[&b.id()]),
                _ => continue,
            };
            let value = next[self.places[&id][0] as usize];
            settled.push(match existential {
                true => m.choose(value, now, Bdd::TRUE),
                false => m.choose(now, value, Bdd::TRUE),
            });
        }
        Effect { next, output: values[&formula.id()], settled }
    }

    fn window(&self, m: &mut Manager, next: &mut [Bdd], id: Id, op: Unary, bound: Bound, now: Bdd) -> Bdd {
        let places = self.places.get(&id).map_or(&[][..], Vec::as_slice);
        let join =
            |m: &mut Manager, a: Bdd, b: Bdd| if op.is_existential() { m.or(a, b) } else { m.and(a, b) };
        let Some(hi) = bound.hi else {
            let latch = m.variable(places[0]);
            let so_far = join(m, now, latch);
            next[places[0] as usize] = so_far;
            // Age 1 of the delay is the latch before this step.
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
