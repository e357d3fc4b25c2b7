//! Past-time formulas followed step by step, in constant memory: the plan of `memory`, interpreted.
//!
//! An undefined value has no effect where the rest decides, as in [`values`](crate::values): each operator over time is followed twice,
//! once where its operands surely hold and once where they may hold.

use crate::eval::value::{EvalError, operate};
use crate::memory::{Cell, Memory, Room, plan};
use crate::store::{Binary, Formula, Id, Node, Store, Unary};
use crate::trace::Value;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Any delay is followed: only its changes are stored.
const ROOM: Room = Room { bits: u64::MAX, stages: 0, worth: 0 };

/// Formulas in the course of a trace.
#[derive(Debug, Clone)]
pub struct Online {
    nodes: Vec<Id>,
    places: FxHashMap<Id, usize>,
    states: Vec<State>,
    values: Vec<Result<Value, EvalError>>,
    steps: u64,
}

/// What a node remembers.
#[derive(Debug, Clone)]
enum State {
    None,
    /// The value at the last step.
    Last(Result<Value, EvalError>),
    /// The memory of an operator, for what surely holds and for what may hold.
    Since {
        is_negated: bool,
        sure: Box<Track>,
        perhaps: Box<Track>,
    },
}

/// `way S target` over a window.
#[derive(Debug, Clone)]
struct Track {
    memory: Memory,
    number: u64,
    /// The last step without the way.
    failed: Option<u64>,
    /// The steps at which what is delayed changes, and its value before the first of them.
    changes: VecDeque<u64>,
    is_on: bool,
    was_on: bool,
}

impl Online {
    /// Formulas before the first step; `None` if one of them looks ahead or has a hole.
    pub fn new(store: &Store, formulas: &[Formula]) -> Option<Online> {
        let roots = formulas.iter().map(|formula| formula.id());
        let nodes = store.reachable_until(roots, |node| matches!(node, Node::Call(..)));
        let state = |&id: &Id| {
            let (bound, is_negated) = match store.node(id) {
                Node::Unary(Unary::Once, bound, _) | Node::Binary(Binary::Since, bound, ..) => {
                    (*bound, false)
                }
                Node::Unary(Unary::Historically, bound, _) | Node::Binary(Binary::Triggered, bound, ..) => {
                    (*bound, true)
                }
                Node::Unary(..) | Node::Binary(..) | Node::Hole(_) => return None,
                Node::Pre(..) => return Some(State::Last(Err(EvalError::UnfilledHole))),
                _ => return Some(State::None),
            };
            let track = Box::new(Track::new(plan(bound, ROOM).ok()?));
            Some(State::Since { is_negated, sure: track.clone(), perhaps: track })
        };
        let states = nodes.iter().map(state).collect::<Option<Vec<State>>>()?;
        let places = nodes.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        Some(Online { nodes, places, states, values: Vec::new(), steps: 0 })
    }

    /// Reads a step. `leaf` returns the values of variables and calls.
    pub fn step(&mut self, store: &Store, leaf: &mut dyn FnMut(Id, &Node) -> Result<Value, EvalError>) {
        self.values.clear();
        for (place, &id) in self.nodes.iter().enumerate() {
            let node = store.node(id);
            let get = |child: Id| self.values[self.places[&child]].as_ref().map_err(Clone::clone);
            let value = match (node, &mut self.states[place]) {
                (Node::Var(_) | Node::Call(..), _) => leaf(id, node),
                (Node::Pre(initial, t), State::Last(last)) => {
                    let now = get(t.id()).cloned();
                    let before = std::mem::replace(last, now);
                    if self.steps == 0 { get(initial.id()).cloned() } else { before }
                }
                (node, State::Since { is_negated, sure, perhaps }) => {
                    let all = Value::Bool(true);
                    let (way, target) = match node {
                        Node::Binary(_, _, way, target) => (get(way.id()), get(target.id())),
                        // The way of O and H does not matter: negated with the operand, it is still true.
                        _ => {
                            let operand = node.child(0).map_or(Err(EvalError::UnfilledHole), get);
                            (if *is_negated { Ok(&Value::Bool(false)) } else { Ok(&all) }, operand)
                        }
                    };
                    followed(*is_negated, self.steps, way, target, sure, perhaps)
                }
                _ => operate(store, node, get),
            };
            self.values.push(value);
        }
        self.steps += 1;
    }

    /// Whether a formula, which was given or is below one, holds at the last step.
    ///
    /// # Errors
    /// Its value is undefined there.
    pub fn holds(&self, formula: Formula) -> Result<bool, EvalError> {
        let place = self.places.get(&formula.id()).ok_or(EvalError::UnfilledHole)?;
        match self.values.get(*place) {
            Some(Ok(Value::Bool(truth))) => Ok(*truth),
            Some(Ok(_)) => Err(EvalError::NotBoolean { name: "the formula".to_owned() }),
            Some(Err(error)) => Err(error.clone()),
            None => Err(EvalError::NoSuchPosition { position: 0 }),
        }
    }
}

/// The value of an operator; H and T are the negations of O and S of negated operands.
fn followed(
    is_negated: bool,
    step: u64,
    way: Result<&Value, EvalError>,
    target: Result<&Value, EvalError>,
    sure: &mut Track,
    perhaps: &mut Track,
) -> Result<Value, EvalError> {
    // Whether an operand surely holds, and whether it may hold.
    let bounds = |value: &Result<&Value, EvalError>| match value {
        Ok(Value::Bool(truth)) => [*truth != is_negated; 2],
        Ok(_) | Err(_) => [false, true],
    };
    let ([way_sure, way_perhaps], [target_sure, target_perhaps]) = (bounds(&way), bounds(&target));
    let holds = [sure.step(step, way_sure, target_sure), perhaps.step(step, way_perhaps, target_perhaps)];
    match holds {
        [sure, perhaps] if sure == perhaps => Ok(Value::Bool(sure != is_negated)),
        _ => Err(target.err().or(way.err()).unwrap_or(EvalError::DivisionByZero)),
    }
}

impl Track {
    fn new(memory: Memory) -> Track {
        Track { memory, number: 0, failed: None, changes: VecDeque::new(), is_on: false, was_on: false }
    }

    fn step(&mut self, step: u64, way: bool, target: bool) -> bool {
        let (cell, delay) = match self.memory {
            Memory::Never => return false,
            Memory::Cell(cell) => (cell, 0),
            Memory::Delayed { near, steps, .. } => (near, steps),
        };
        let holds = self.cell(cell, way, target);
        if delay == 0 {
            return holds;
        }
        if !way {
            self.failed = Some(step);
        }
        if holds != self.is_on {
            self.is_on = holds;
            self.changes.push_back(step);
        }
        let Some(then) = step.checked_sub(delay) else { return false };
        while self.changes.front().is_some_and(|&change| change <= then) {
            self.changes.pop_front();
            self.was_on = !self.was_on;
        }
        self.was_on && self.failed.is_none_or(|failed| failed <= then)
    }

    fn cell(&mut self, cell: Cell, way: bool, target: bool) -> bool {
        let holds;
        (holds, self.number) = cell.step(self.number, way, target);
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_formulas, read};
    use crate::{Trace, partial_values};
    use base::Random;

    fn followed(store: &Store, formula: Formula, trace: &Trace) -> Vec<Option<bool>> {
        let mut online = Online::new(store, &[formula]).expect("a past-time formula");
        let step = |step| {
            let mut leaf = |_, node: &Node| match node {
                Node::Var(symbol) => {
                    let column = trace.column(store.name(*symbol)).expect("a column");
                    Ok(trace.value(column, step).clone())
                }
                _ => Err(EvalError::UnfilledHole),
            };
            online.step(store, &mut leaf);
            online.holds(formula).ok()
        };
        (0..trace.len()).map(step).collect()
    }

    #[test]
    fn formulas_hold_step_by_step_where_they_hold_on_the_whole_trace() {
        let checked = std::cell::Cell::new(0);
        random_formulas((4, 600), ["a", "b", "c"], 4, |store, formula| {
            if Online::new(store, &[formula]).is_none() {
                return;
            }
            let mut random = Random::new(11 + checked.get());
            for length in [1, 7, 30] {
                let mut column = || (0..length).map(|_| Value::Bool(random.below(3) > 0)).collect::<Vec<_>>();
                let trace = Trace::of(["a", "b", "c"].map(|name| (name, column()))).expect("a trace");
                let expected = partial_values(store, formula, &trace).expect("all columns are there");
                let expected: Vec<Option<bool>> = expected.into_iter().map(Result::ok).collect();
                assert_eq!(
                    followed(store, formula, &trace),
                    expected,
                    "{}",
                    crate::testing::shall(store, formula)
                );
                checked.set(checked.get() + 1);
            }
        });
        assert!(checked.get() > 100, "{}", checked.get());
    }

    #[test]
    fn what_is_undefined_matters_only_where_it_decides() {
        for text in ["(O[0,2] (> (/ x y) 1))", "(S[1,3] (> (/ x y) 1) a)", "(H[2,4] (| a (> (/ x y) 1)))"] {
            let mut store = Store::default();
            let formula = read(&mut store, text);
            let mut random = Random::new(3);
            for _ in 0..50 {
                let mut number = |below| {
                    (0..12).map(|_| Value::Num((random.below(below) as u64).into())).collect::<Vec<_>>()
                };
                let (x, y) = (number(4), number(3));
                let a = (0..12).map(|_| Value::Bool(random.below(2) > 0)).collect::<Vec<_>>();
                let trace = Trace::of([("x", x), ("y", y), ("a", a)]).expect("a trace");
                let expected = partial_values(&store, formula, &trace).expect("all columns are there");
                let expected: Vec<Option<bool>> = expected.into_iter().map(Result::ok).collect();
                assert_eq!(followed(&store, formula, &trace), expected, "{text} {trace:?}");
            }
        }
    }
}
