//! Lustre text, read back by the front end in `lustre` and run on all short traces. Neither shares code with the writers.
//!
//! A node with a finite memory is run from each of its states once: traces that lead to the same state continue together.

use lustre::{Program, read};
use std::collections::HashMap;
use system::{Evaluator, Expr, Origin, System, Value};

/// The program of a text without errors.
pub(crate) fn program(text: &str) -> Program {
    let program = read(text, &|_| None);
    assert!(program.diagnostics.is_empty(), "{:?}\n{text}", program.diagnostics);
    program
}

/// The system of a node of a program.
pub(crate) fn system(program: &Program, node: &str) -> System {
    program.system(node, &Default::default()).unwrap_or_else(|found| panic!("{node}: {found:?}"))
}

/// The value of an output at the end of each trace: for each length, by the number of the trace, whose bits are the values
/// of the atoms, position by position. Other inputs are always false.
pub(crate) fn truths(system: &System, value: Expr, atoms: &[&str], length: usize) -> Vec<Vec<bool>> {
    let mut system = system.clone();
    let place = system.add_property("asked", Origin::Unknown, value);
    let system = system.slice(&[place]);
    let nexts: Vec<Expr> = system.state.iter().map(|it| it.next).collect();
    let evaluator = Evaluator::new(&system.pool, nexts.iter().copied().chain([value]));
    let bits: Vec<Option<usize>> = (0..system.variables.len())
        .map(|at| atoms.iter().position(|atom| *atom == system.variables[at].name))
        .collect();
    let step = |state: &[Value], letter: usize| -> (Vec<Value>, bool) {
        let values: Vec<Value> =
            evaluator.values(&system.pool, |var| match system.state.iter().position(|it| it.var == var) {
                Some(place) => state[place].clone(),
                None => Value::Bool(bits[var.index()].is_some_and(|bit| letter >> bit & 1 == 1)),
            });
        let next = nexts.iter().map(|it| evaluator.get(&values, *it).clone()).collect();
        (next, evaluator.get(&values, value).truth().expect("it is defined"))
    };
    let start: Vec<Value> = system
        .state
        .iter()
        .map(|it| match it.init {
            Some(init) => system::evaluate(&system.pool, init, |_| Value::Undefined),
            None => Value::Undefined,
        })
        .collect();
    let letters = 1_usize << atoms.len();
    let mut states = vec![start.clone()];
    let mut numbers: HashMap<Vec<Value>, usize> = HashMap::from([(start, 0)]);
    let mut known: HashMap<(usize, usize), (usize, bool)> = HashMap::new();
    let mut all = Vec::new();
    let mut reached = vec![0];
    for _ in 0..length {
        let (mut next, mut truth) = (Vec::new(), Vec::new());
        for letter in 0..letters {
            for state in &reached {
                let (to, holds) = *known.entry((*state, letter)).or_insert_with(|| {
                    let (to, holds) = step(&states[*state], letter);
                    let number = *numbers.entry(to.clone()).or_insert(states.len());
                    if number == states.len() {
                        states.push(to);
                    }
                    (number, holds)
                });
                next.push(to);
                truth.push(holds);
            }
        }
        reached = next;
        all.push(truth);
    }
    all
}
