//! The memory of past-time operators: one plan, which each target renders in its own language.
//!
//! Every past-time operator is `way S target` over a window: `O[l,u] b` is `true S[l,u] b`, and H and T are the negations of O and S
//! of negated operands.
//!
//! | window | memory |
//! |---|---|
//! | `[0,0]` | nothing |
//! | `[0,∞)` | one latch |
//! | `[0,n]` | a counter of the steps since the latest target, up to n + 1 |
//! | `[n,∞)` | a counter of the steps since the oldest target with the way since, up to n + 1 |
//! | `[l,u]` | `way S[0,u-l] target`, delayed by l steps and cleared when the way fails |
//!
//! [`Cell::step`] defines the cells; systems, automata on infinite words and Lustre render them. `symbolic` does not: it stores the
//! operands of the last steps, so that the proofs about formulas do not depend on this plan.

use crate::store::{Bound, Formula, Node, Store, Unary};
use std::fmt;

/// The memory of `way S target` over a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// The window is empty: the operator is false.
    Never,
    /// One cell.
    Cell(Cell),
    /// The output of a cell some steps ago, and false if the way has failed since.
    Delayed {
        /// The cell.
        near: Cell,
        /// The delay, at least one step.
        steps: u64,
        /// How the delayed values are stored.
        line: Line,
    },
}

/// A cell reads the way and the target at each step and returns whether the operator holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// Stores nothing: the target itself.
    Now,
    /// `way S target`: one bit.
    Latch,
    /// `way S[0,n] target`: a counter.
    Recent {
        /// The bound n, at least 1.
        steps: u64,
    },
    /// `way S[n,∞) target`: a counter.
    Oldest {
        /// The bound n, at least 1.
        steps: u64,
    },
    /// Whether the number of steps since the start is in a window, whatever the operands are: a counter.
    Clock {
        /// The window.
        bound: Bound,
    },
}

/// How a delayed Boolean is stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Line {
    /// One bit per step.
    Bits,
    /// A chain of stages, each of which delays by `length` steps, the last one by the rest. In that time its input rises at most once
    /// and falls at most once, so two counters are enough: the steps since the last rise and since the last fall.
    Stages {
        /// The steps of a stage.
        length: u64,
    },
}

/// The limits of a target on storing a delayed value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// The longest line of bits.
    pub bits: u64,
    /// The longest chain of stages.
    pub stages: u64,
    /// The minimum number of bits that a stage must replace to be worth its counters.
    pub worth: u64,
}

/// The delay exceeds the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong {
    /// The steps of the delay.
    pub steps: u64,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "remembering exactly what happened {} steps ago takes too much state", self.steps)
    }
}

impl std::error::Error for TooLong {}

/// The memory of `way S target` over a window.
pub fn plan(bound: Bound, room: Room) -> Result<Memory, TooLong> {
    if bound.is_empty() {
        return Ok(Memory::Never);
    }
    let recent = |steps: u64| if steps == 0 { Cell::Now } else { Cell::Recent { steps } };
    Ok(match (bound.lo, bound.hi) {
        (0, None) => Memory::Cell(Cell::Latch),
        (0, Some(steps)) => Memory::Cell(recent(steps)),
        (steps, None) => Memory::Cell(Cell::Oldest { steps }),
        (steps, Some(hi)) => {
            // What is delayed stays true for `hi - lo + 1` steps, so it changes back after `hi - lo + 2` steps at the earliest.
            let length = (hi - steps).saturating_add(2);
            let stages = steps.div_ceil(length);
            let line = if stages <= room.stages && stages.saturating_mul(room.worth) <= steps {
                Line::Stages { length }
            } else if steps <= room.bits {
                Line::Bits
            } else {
                return Err(TooLong { steps });
            };
            Memory::Delayed { near: recent(hi - steps), steps, line }
        }
    })
}

impl Cell {
    /// Whether the operator holds at a step, and the number stored after it. Before the first step, 0 is stored.
    pub fn step(self, before: u64, way: bool, target: bool) -> (bool, u64) {
        match self {
            Cell::Now => (target, 0),
            Cell::Latch => {
                let holds = target || (way && before == 1);
                (holds, u64::from(holds))
            }
            // The number of steps for which the latest target still counts, plus one if it holds now.
            Cell::Recent { steps } => {
                let left = if target {
                    steps
                } else if way {
                    before.saturating_sub(1)
                } else {
                    0
                };
                (target || (way && before > 0), left)
            }
            // Zero, or the age of the oldest target plus one.
            Cell::Oldest { steps } => {
                let on = way && before > 0;
                let count = if on { before.min(steps) + 1 } else { u64::from(target) };
                (on && before >= steps, count)
            }
            Cell::Clock { bound } => {
                let inside = before >= bound.lo && bound.hi.is_none_or(|hi| before <= hi);
                (inside, before.saturating_add(1).min(bound.hi.map_or(bound.lo, |hi| hi.saturating_add(1))))
            }
        }
    }
}

/// The formula with a counter in place of a delay line, where `within n` has one. `H (O[n,n] t -> O[0,n] r)` is about each trigger
/// that is n steps old. If one has no response, the oldest trigger without a response became n steps old first, so one counter is
/// enough: `H !(!r S[n,∞) (!r & t))`.
pub fn oldest_only(store: &mut Store, formula: Formula) -> Formula {
    if let Node::And(operands) = store.node(formula).clone() {
        let operands: Vec<Formula> = operands.iter().map(|&f| oldest_only(store, f)).collect();
        return store.and(operands);
    }
    let Node::Unary(Unary::Historically, Bound::ALL, inner) = *store.node(formula) else { return formula };
    let Node::Implies(due, met) = *store.node(inner) else { return formula };
    let Node::Unary(Unary::Once, window, trigger) = *store.node(due) else { return formula };
    let Node::Unary(Unary::Once, answer, response) = *store.node(met) else { return formula };
    if !window.is_point() || window.lo < 2 || answer != Bound::upto(window.lo) {
        return formula;
    }
    let waiting = store.not(response);
    let start = store.and2(waiting, trigger);
    let late = store.since(Bound::new(window.lo, None), waiting, start);
    let good = store.not(late);
    store.historically(Bound::ALL, good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use crate::{Shape, truth_table};
    use base::Random;
    use std::collections::VecDeque;

    /// Runs a memory on the values of way and target.
    fn run(memory: Memory, way: &[bool], target: &[bool]) -> Vec<bool> {
        let (cell, steps) = match memory {
            Memory::Never => return vec![false; way.len()],
            Memory::Cell(cell) => (cell, 0),
            Memory::Delayed { near, steps, .. } => (near, steps),
        };
        let mut number = 0;
        let mut line: VecDeque<bool> = vec![false; steps as usize].into();
        let step = |(&way, &target): (&bool, &bool)| {
            let holds;
            (holds, number) = cell.step(number, way, target);
            line.iter_mut().for_each(|bit| *bit &= way);
            line.push_back(holds);
            line.pop_front().expect("a bit was added")
        };
        way.iter().zip(target).map(step).collect()
    }

    #[test]
    fn plans_mean_what_evaluation_says() {
        let room = Room { bits: 100, stages: 0, worth: 0 };
        let mut dice = Random::new(5);
        let mut store = Store::default();
        let (a, b) = (read(&mut store, "a"), read(&mut store, "b"));
        for lo in 0..6 {
            for hi in (0..7).map(Some).chain([None]) {
                let since = store.since(Bound::new(lo, hi), a, b);
                let memory = plan(Bound::new(lo, hi), room).expect("short");
                for _ in 0..200 {
                    let [way, target] =
                        [(); 2].map(|()| (0..16).map(|_| dice.below(3) > 0).collect::<Vec<_>>());
                    let value =
                        |id, position: usize| if id == a.id() { way[position] } else { target[position] };
                    let expected = truth_table(&store, since, Shape::finite(16), value);
                    assert_eq!(run(memory, &way, &target), expected, "[{lo},{hi:?}] {way:?} {target:?}");
                }
            }
        }
    }

    #[test]
    fn a_clock_counts_from_the_start() {
        let bound = Bound::new(2, 3);
        let never = [false; 6];
        let memory = Memory::Cell(Cell::Clock { bound });
        assert_eq!(run(memory, &never, &never), [false, false, true, true, false, false]);
    }

    #[test]
    fn stages_replace_bits_where_they_are_worth_it() {
        let line = |lo, hi, room| match plan(Bound::new(lo, hi), room) {
            Ok(Memory::Delayed { line, .. }) => Ok(line),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error),
        };
        let room = Room { bits: 50, stages: 4, worth: 4 };
        assert_eq!(line(40, 60, room), Ok(Line::Stages { length: 22 }));
        assert_eq!(line(40, 41, room), Ok(Line::Bits));
        assert_eq!(line(51, 52, room), Err(TooLong { steps: 51 }));
    }
}
