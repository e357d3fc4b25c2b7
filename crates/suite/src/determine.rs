//! Expected results: outputs that every correct system gives, and those that it may choose.

use crate::suite::{Config, Test};
use logic::Trace;
use realize::{Game, Known, Walks, walk_again};
use system::{Value, Var};

/// The largest number of nodes of the search for one output: all outputs have one.
const NODES: usize = 20_000;

/// An output of a test, and whether every correct system gives it the value of the test, step by step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The name of the output.
    pub output: String,
    /// For each step, whether the value is the only correct one; `None` if that was not found out.
    pub only: Vec<Option<bool>>,
}

/// Finds out which outputs of tests of a group are the only correct ones.
pub(crate) fn determine(game: &mut Game, known: &mut Known, tests: &mut [Test], config: Config) {
    for output in game.outputs.clone() {
        let goal = game.system.expr(output);
        let budget = config.budget.at_most(NODES);
        let game: &Game = game;
        let traces: Vec<&Trace> = tests.iter().map(|it| &it.trace).collect();
        let found = walk_again(game, &[goal], known, (config.order, budget), |walks| {
            traces.iter().map(|trace| only(game, walks, output, trace)).collect::<Vec<_>>()
        });
        let unknown = || tests.iter().map(|it| vec![None; it.trace.len()]).collect();
        let found = found.unwrap_or_else(|_| unknown());
        let name = &game.system.variables[output.index()].name;
        for (test, only) in tests.iter_mut().zip(found) {
            if test.trace.column(name).is_some() {
                test.expected.push(Expected { output: name.clone(), only });
            }
        }
    }
}

/// For each step of a trace, whether the value of an output is the only correct one.
fn only(game: &Game, walks: &mut Walks, output: Var, trace: &Trace) -> Vec<Option<bool>> {
    let mut memory = walks.start();
    let mut found = Vec::new();
    for step in 0..trace.len() {
        let value = |var: &Var| {
            let column = trace.column(&game.system.variables[var.index()].name)?;
            Some((*var, game.value(*var, trace.value(column, step))?))
        };
        let values: Vec<(Var, Value)> = game.system.inputs.iter().filter_map(value).collect();
        let own = values.iter().find(|it| it.0 == output).map(|it| it.1.clone());
        let is_only = own.and_then(|it| walks.is_determined(&memory, &values, (output, &it)).ok().flatten());
        found.push(is_only);
        memory = walks.after(&memory, &values);
    }
    found
}
