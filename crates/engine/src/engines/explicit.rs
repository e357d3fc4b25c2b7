//! Explicit-state search: visits all states of a system breadth first, so that every counterexample is a shortest one.
//!
//! A number that is only copied and compared with constants is searched by its position among these constants, which is exact
//! (`coding`). Other numbers are searched by value: counters that stop are fine, but an unbounded number in the system's arithmetic
//! makes the answer unknown. `simulate` replays every counterexample before it is returned.

mod coding;
pub(crate) mod cycle;
mod program;

use coding::{Coding, UNDEFINED};
use program::Program;
use rustc_hash::{FxHashMap, FxHasher};
use std::fmt;
use std::hash::{Hash, Hasher};
use system::definition::complete;
use system::expr::{Expr, Var};
use system::simulate::{Run, refutes, simulate};
use system::system::System;
use system::value::Value;

/// The limits of a search for one property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The maximum number of states.
    pub states: usize,
    /// The maximum number of steps; each is one state with one choice of inputs, or with the first inputs if a constraint already
    /// fails on them.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { states: 500_000, steps: 5_000_000 }
    }
}

/// The result for one property.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// It holds at every step of every behaviour.
    Valid,
    /// It fails at the last step of this trace, which is a shortest one.
    Invalid(Run),
    /// Not decided, for this reason.
    Unknown(Reason),
}

/// Why a property is not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// This variable is unbounded, and the system computes with it or compares it with other variables.
    Unbounded {
        /// Its name.
        variable: String,
    },
    /// The limit was reached. The property does not fail in the first `depth` steps.
    Budget {
        /// The number of steps.
        depth: usize,
        /// The number of states found.
        states: usize,
    },
    /// Whether it holds depends on a value that is undefined or not computed exactly.
    Undefined,
    /// There is no such property.
    NoSuchProperty,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unbounded { variable } => {
                write!(f, "`{variable}` has infinitely many values that matter")
            }
            Reason::Budget { depth, states } => {
                write!(f, "the budget was used up after {states} states, {depth} steps deep")
            }
            Reason::Undefined => write!(f, "it depends on a value that is not defined"),
            Reason::NoSuchProperty => write!(f, "there is no such property"),
        }
    }
}

/// Decides properties of a system, given by index, each separately.
pub fn explicit(system: &System, properties: &[usize], budget: Budget) -> Vec<Answer> {
    properties.iter().map(|&property| explicit_until(system, property, budget, &|| false)).collect()
}

/// Decides a property of a system; gives up when `stop` returns true.
pub fn explicit_until(system: &System, property: usize, budget: Budget, stop: &dyn Fn() -> bool) -> Answer {
    if property >= system.properties.len() {
        return Answer::Unknown(Reason::NoSuchProperty);
    }
    let sliced = system.slice(&[property]);
    let mut coding = match Coding::new(&sliced) {
        Ok(coding) => coding,
        Err(variable) => {
            let variable = sliced.variables[variable.index()].name.clone();
            return Answer::Unknown(Reason::Unbounded { variable });
        }
    };
    let program = Program::new(&sliced, &mut coding);
    let mut search = Search::new(&sliced, program, coding, budget);
    match search.run(stop) {
        Found::Nothing => Answer::Valid,
        Found::Stopped(reason) => Answer::Unknown(reason),
        Found::Violation(state, inputs) => {
            let (start, rows) = search.path(system, state, &inputs);
            let run = simulate(system, &start, &complete(system, &start, &rows));
            if refutes(system, &run, property) {
                Answer::Invalid(run)
            } else {
                Answer::Unknown(Reason::Undefined)
            }
        }
    }
}

enum Found {
    Nothing,
    Stopped(Reason),
    /// In this state under these inputs.
    Violation(usize, Vec<i64>),
}

/// The states found so far. Slot 0 of a state says whether it is at step 0, because the initial constraints hold only there.
struct Search<'a> {
    system: &'a System,
    program: Program<'a>,
    coding: Coding,
    budget: Budget,
    width: usize,
    states: Vec<i64>,
    parents: Vec<u32>,
    newest: FxHashMap<u64, u32>,
    older: Vec<u32>,
}

const NONE: u32 = u32::MAX;
/// The number of steps between two checks of `stop`.
const GLANCE: u64 = 256;

impl<'a> Search<'a> {
    fn new(system: &'a System, program: Program<'a>, coding: Coding, budget: Budget) -> Search<'a> {
        Search {
            system,
            program,
            coding,
            budget,
            width: system.state.len() + 1,
            states: Vec::new(),
            parents: Vec::new(),
            newest: FxHashMap::default(),
            older: Vec::new(),
        }
    }

    fn run(&mut self, stop: &dyn Fn() -> bool) -> Found {
        if !self.start() {
            return Found::Stopped(Reason::Budget { depth: 0, states: self.parents.len() });
        }
        let property = self.system.properties[0].value;
        let mut steps = 0;
        let mut unsure = false;
        let (mut next, mut depth, mut layer_end) = (0, 0, self.parents.len());
        while next < self.parents.len() {
            if next == layer_end {
                depth += 1;
                layer_end = self.parents.len();
            }
            let state: Vec<i64> = self.state(next).to_vec();
            let mut found: Vec<i64> = vec![0; self.width];
            self.program.begin(&mut self.coding, &state[1..], state[0] == 1);
            while let Some(allowed) = self.program.advance(&mut self.coding) {
                steps += 1;
                let mut room = true;
                if allowed {
                    match self.program.value(property) {
                        0 => return Found::Violation(next, self.program.inputs()),
                        UNDEFINED => unsure = true,
                        _ => {}
                    }
                    self.program.next_state(&mut found[1..]);
                    room = self.insert(&found, next as u32).is_some();
                }
                if !room || steps >= self.budget.steps || steps % GLANCE == 0 && stop() {
                    return Found::Stopped(Reason::Budget { depth, states: self.parents.len() });
                }
            }
            next += 1;
        }
        if unsure { Found::Stopped(Reason::Undefined) } else { Found::Nothing }
    }

    fn state(&self, number: usize) -> &[i64] {
        &self.states[number * self.width..(number + 1) * self.width]
    }

    /// Finds the states at step 0; false if there are too many.
    fn start(&mut self) -> bool {
        let domains: Vec<Vec<i64>> =
            self.system.state.iter().map(|it| self.coding.start(self.system, it)).collect();
        let mut digits = vec![0; domains.len()];
        if domains.iter().any(Vec::is_empty) {
            return true;
        }
        loop {
            let mut state = vec![1];
            state.extend(digits.iter().zip(&domains).map(|(digit, domain): (&usize, _)| domain[*digit]));
            if self.insert(&state, NONE).is_none() {
                return false;
            }
            let Some(place) = (0..digits.len()).find(|&place| digits[place] + 1 < domains[place].len())
            else {
                return true;
            };
            digits[place] += 1;
            digits[..place].fill(0);
        }
    }

    /// The start and the inputs of a shortest trace to a state, followed by the inputs there, for the whole system.
    fn path(&mut self, whole: &System, last: usize, inputs: &[i64]) -> (Vec<(Var, Value)>, Vec<Vec<Value>>) {
        let mut numbers = vec![last];
        while let Some(&parent) = self.parents.get(numbers[numbers.len() - 1]).filter(|it| **it != NONE) {
            numbers.push(parent as usize);
        }
        numbers.reverse();
        let mut rows = Vec::new();
        for pair in numbers.windows(2) {
            let (from, to) = (self.state(pair[0]).to_vec(), self.state(pair[1]).to_vec());
            rows.push(self.inputs_between(&from, &to));
        }
        rows.push(inputs.to_vec());
        let first = self.state(numbers[0]);
        let mut start: FxHashMap<Var, Value> = FxHashMap::default();
        for (it, code) in self.system.state.iter().zip(&first[1..]) {
            start.insert(it.var, self.coding.value(self.system, it.var, *code));
        }
        let any = |var: &Var| Value::any_of(whole.variables[var.index()].ty);
        let free = whole.state.iter().filter(|it| it.init.is_none()).map(|it| it.var);
        let start = free.map(|var| (var, start.remove(&var).unwrap_or_else(|| any(&var)))).collect();
        let row = |codes: &Vec<i64>| -> Vec<Value> {
            let known = |var: &Var| self.system.inputs.iter().position(|it| it == var);
            whole
                .inputs
                .iter()
                .map(|var| match known(var) {
                    Some(place) => self.coding.value(self.system, *var, codes[place]),
                    None => any(var),
                })
                .collect()
        };
        (start, rows.iter().map(row).collect())
    }

    /// The number of a state, which is added if it is new; `None` if there are too many.
    fn insert(&mut self, state: &[i64], parent: u32) -> Option<u32> {
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        let entry = self.newest.entry(hasher.finish()).or_insert(NONE);
        let mut candidate = *entry;
        while candidate != NONE {
            let at = candidate as usize * state.len();
            if self.states[at..at + state.len()] == *state {
                return Some(candidate);
            }
            candidate = self.older[candidate as usize];
        }
        if self.parents.len() >= self.budget.states.min(NONE as usize) {
            return None;
        }
        let number = self.parents.len() as u32;
        self.older.push(std::mem::replace(entry, number));
        self.parents.push(parent);
        self.states.extend_from_slice(state);
        Some(number)
    }

    fn inputs_between(&mut self, from: &[i64], to: &[i64]) -> Vec<i64> {
        let mut found = vec![0; self.width];
        self.program.begin(&mut self.coding, &from[1..], from[0] == 1);
        while let Some(allowed) = self.program.advance(&mut self.coding) {
            self.program.next_state(&mut found[1..]);
            if allowed && found == to {
                break;
            }
        }
        self.program.inputs()
    }
}

/// The roots of a sliced system: its one property, the next states and the constraints.
fn roots(system: &System) -> Vec<Expr> {
    let next = system.state.iter().map(|it| it.next);
    let constraints = system.assumptions.iter().chain(&system.initial).copied();
    next.chain(constraints).chain(system.properties.iter().map(|it| it.value)).collect()
}
