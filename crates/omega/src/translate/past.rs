//! The past as a memory: each past-time operator is a hidden proposition, computed from what was read.
//!
//! A memory contains one small number per hidden proposition: the previous value of a delayed formula, or the number of a cell of
//! `logic::memory`. It is updated deterministically, so an automaton over the hidden propositions becomes one over the atoms by
//! storing them in its states (the past of Lichtenstein, Pnueli and Zuck 1985, computed forwards).

use crate::automaton::{Edge, Guard, Guards};
use crate::limits::{Limit, Limits};
use crate::translate::ltl::Ltl;
use crate::translate::ltl::Op;
use crate::translate::read::Hidden;
use crate::translate::read::Problem;
use crate::translate::tableau::Table;
use base::Interned;
use rustc_hash::FxHashMap;

/// The memory, one number per hidden proposition.
pub(crate) type Memory = Vec<u64>;

/// The memory before the first position.
pub(crate) fn blank(problem: &Problem) -> Memory {
    vec![0; problem.hidden.len()]
}

/// The values for a memory, and the next memory.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    /// The value of each proposition: atoms and guesses are variables, the rest functions of them.
    pub(crate) values: Vec<Guard>,
    /// Classes of letters and guesses, and the memory after them.
    pub(crate) next: Vec<(Guard, Memory)>,
}

/// The values and successors of a memory.
pub(crate) fn moment(
    problem: &Problem,
    guards: &mut Guards,
    memory: &Memory,
    limits: &mut Limits,
) -> Result<Moment, Limit> {
    let atoms = problem.atoms.len();
    let mut values: Vec<Guard> = (0..atoms).map(|atom| guards.variable(atom as u32)).collect();
    let mut next: Vec<(Guard, Memory)> = vec![(Guard::TRUE, Vec::with_capacity(memory.len()))];
    for (k, (hidden, &number)) in problem.hidden.iter().zip(memory).enumerate() {
        // The next number, and under which condition.
        let cases = match *hidden {
            Hidden::Guess => {
                values.push(guards.variable((atoms + k) as u32));
                vec![(Guard::TRUE, 0)]
            }
            Hidden::Delay { f } => {
                values.push(Guard::constant(number == 1));
                let now = value(problem, guards, &values, f);
                vec![(now, 1), (guards.not(now), 0)]
            }
            Hidden::Cell { cell, a, b } => {
                let (way, goal) = (value(problem, guards, &values, a), value(problem, guards, &values, b));
                let mut holds = Guard::FALSE;
                let mut cases: Vec<(Guard, u64)> = Vec::new();
                for (on, met) in [(false, true), (true, true), (true, false), (false, false)] {
                    let on_way = if on { way } else { guards.not(way) };
                    let at_goal = if met { goal } else { guards.not(goal) };
                    let letters = guards.and(on_way, at_goal);
                    let (held, next) = cell.step(number, on, met);
                    if held {
                        holds = guards.or(holds, letters);
                    }
                    match cases.iter_mut().find(|(_, known)| *known == next) {
                        Some((condition, _)) => *condition = guards.or(*condition, letters),
                        None => cases.push((letters, next)),
                    }
                }
                values.push(holds);
                cases
            }
        };
        let mut split = Vec::with_capacity(next.len());
        for (letters, memory) in next {
            for &(condition, number) in &cases {
                let letters = guards.and(letters, condition);
                if letters != Guard::FALSE {
                    limits.spend(1)?;
                    let mut memory = memory.clone();
                    memory.push(number);
                    split.push((letters, memory));
                }
            }
        }
        next = split;
        if guards.is_full() {
            return Err(Limit::Nodes);
        }
    }
    Ok(Moment { values, next })
}

/// The function of a present-time formula. Such formulas are shallow: they were operands of the past.
fn value(problem: &Problem, guards: &mut Guards, values: &[Guard], f: Ltl) -> Guard {
    let mut known: FxHashMap<Ltl, Guard> = FxHashMap::default();
    let mut open = vec![f];
    while let Some(&f) = open.last() {
        let before = open.len();
        open.extend(problem.arena.operands(f).into_iter().filter(|g| !known.contains_key(g)));
        if open.len() > before {
            continue;
        }
        open.pop();
        let result = match problem.arena.op(f) {
            Op::Literal { atom, positive } => {
                let value = values[*atom as usize];
                if *positive { value } else { guards.not(value) }
            }
            Op::And(operands) => operands.iter().fold(Guard::TRUE, |all, g| guards.and(all, known[g])),
            Op::Or(operands) => operands.iter().fold(Guard::FALSE, |any, g| guards.or(any, known[g])),
            Op::False => Guard::FALSE,
            // Reading turns operands of the past into present-time formulas.
            Op::True | Op::Next { .. } | Op::Until(..) | Op::Release(..) => Guard::TRUE,
        };
        known.insert(f, result);
    }
    known[&f]
}

/// The guard with the guesses quantified existentially.
pub(crate) fn guessed(problem: &Problem, guards: &mut Guards, mut guard: Guard) -> Guard {
    let atoms = problem.atoms.len();
    let identity: Vec<Guard> = (0..atoms + problem.hidden.len()).map(|k| guards.variable(k as u32)).collect();
    for (k, hidden) in problem.hidden.iter().enumerate() {
        if let Hidden::Guess = hidden {
            let sides = [Guard::FALSE, Guard::TRUE].map(|side| {
                let mut replacements = identity.clone();
                replacements[atoms + k] = side;
                guards.compose(guard, &replacements)
            });
            guard = guards.or(sides[0], sides[1]);
        }
    }
    guard
}

/// Converts an automaton over atoms and hidden propositions to one over the atoms.
pub(crate) fn remember(
    problem: &Problem,
    guards: &mut Guards,
    table: &Table,
    mut limits: Limits,
) -> Result<Table, Limit> {
    let mut memories = Interned::from_iter([blank(problem)]);
    let mut moments: Vec<Moment> = Vec::new();
    let mut places = Interned::from_iter([(0, 0)]);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < places.len() {
        let (state, memory) = places[edges.len()];
        while moments.len() <= memory as usize {
            let moment = moment(problem, guards, &memories[moments.len()], &mut limits)?;
            moments.push(moment);
        }
        let Moment { values, next } = moments[memory as usize].clone();
        let mut out: Vec<Edge> = Vec::new();
        for edge in &table.edges[state as usize] {
            let letters = guards.compose(edge.guard, &values);
            for (condition, after) in &next {
                let both = guards.and(letters, *condition);
                let guard = guessed(problem, guards, both);
                if guard == Guard::FALSE {
                    continue;
                }
                let after = memories.get(after).unwrap_or_else(|| memories.intern(after.clone()));
                let target = limits.number(&mut places, (edge.target, after))?;
                limits.spend(1 + out.len())?;
                match out.iter_mut().find(|other| other.target == target && other.marks == edge.marks) {
                    Some(other) => other.guard = guards.or(other.guard, guard),
                    None => out.push(Edge { guard, target, marks: edge.marks }),
                }
            }
        }
        if guards.is_full() {
            return Err(Limit::Nodes);
        }
        edges.push(out);
    }
    Ok(Table { edges, marks: table.marks })
}
