//! Long random runs of a system, with times near its bounds and numbers near its literals: a mutant that no walk tells from the
//! program is taken to be equivalent.

use base::Random;
use logic::{RBig, Value};
use shall_dfrs::scenario::Instant;
use shall_dfrs::step::{self, State};
use shall_dfrs::suite::{Case, Suite};
use shall_dfrs::{Dfrs, Kind, Operand, Semantics, Sort};

/// The number of runs, and of rows in each.
pub(crate) fn walks(dfrs: &Dfrs, semantics: Semantics, runs: usize, rows: usize) -> Suite {
    let mut rng = Random::new(1);
    let values: Vec<Vec<Value>> = (0..dfrs.variables.len()).map(|variable| values(dfrs, variable)).collect();
    let cases = (0..runs).map(|number| {
        let rows = walk(dfrs, semantics, rows, &values, &mut rng);
        Case { name: format!("walk {}", number + 1), rows }
    });
    let cases = cases.collect();
    Suite { cases, obligations: Vec::new(), mutants: Vec::new(), stopped: None, ambiguous: 0 }
}

fn walk(
    dfrs: &Dfrs,
    semantics: Semantics,
    rows: usize,
    values: &[Vec<Value>],
    rng: &mut Random,
) -> Vec<Instant> {
    let Some((fired, mut state)) = settled(dfrs, semantics, step::initial(dfrs)) else { return Vec::new() };
    let mut found = vec![instant(dfrs, &state, fired)];
    let mut tries = 0;
    while found.len() < rows && tries < 20 * rows {
        tries += 1;
        let by = delay(dfrs, semantics, &state, rng);
        let mut inputs: Vec<(usize, Value)> = Vec::new();
        for place in (0..dfrs.variables.len()).filter(|&it| dfrs.variables[it].kind == Kind::Input) {
            if rng.below(3) == 0 {
                inputs.push((place, values[place][rng.below(values[place].len())].clone()));
            }
        }
        let Ok(next) = step::delay(dfrs, semantics, &state, &by, &inputs) else { continue };
        let Some((fired, next)) = settled(dfrs, semantics, next) else { continue };
        found.push(instant(dfrs, &next, fired));
        state = next;
    }
    found
}

fn settled(dfrs: &Dfrs, semantics: Semantics, state: State) -> Option<(Vec<usize>, State)> {
    let mut settled = step::settle(dfrs, semantics, state, 1_000);
    if settled.endless || settled.stable.len() != 1 { None } else { settled.stable.pop() }
}

fn delay(dfrs: &Dfrs, semantics: Semantics, state: &State, rng: &mut Random) -> RBig {
    let mut delays = vec![RBig::ONE, RBig::ONE, RBig::from(rng.below(60) + 1)];
    delays.extend(step::deadline(dfrs, semantics, state).map(|it| it.delay));
    for timed in step::entries(dfrs).flat_map(|it| it.timed.iter().flatten()) {
        if let Value::Num(reset) = &state.now[timed.timer] {
            let bound = &timed.bound + reset - &state.clock;
            delays.extend(
                [-1, 0, 1].map(|it| &bound + RBig::from(it)).into_iter().filter(|it| *it > RBig::ZERO),
            );
        }
    }
    delays[rng.below(delays.len())].clone()
}

fn values(dfrs: &Dfrs, variable: usize) -> Vec<Value> {
    match &dfrs.variables[variable].sort {
        Sort::Bool { .. } => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Names(names) => names.iter().cloned().map(Value::Name).collect(),
        Sort::Int | Sort::Real => {
            let mut values = vec![dfrs.variables[variable].initial.clone()];
            for condition in step::entries(dfrs).flat_map(|it| it.guard.iter().flatten()) {
                if let (true, Operand::Constant(Value::Num(it))) =
                    (condition.variable == variable, &condition.operand)
                {
                    values.extend([-1, 0, 1].map(|by| Value::Num(it + RBig::from(by))));
                }
            }
            values
        }
    }
}

fn instant(dfrs: &Dfrs, state: &State, fired: Vec<usize>) -> Instant {
    let of = |kind: Kind| -> Vec<(usize, Value)> {
        let places = (0..dfrs.variables.len()).filter(|&it| dfrs.variables[it].kind == kind);
        places.map(|it| (it, state.now[it].clone())).collect()
    };
    Instant { time: state.clock.clone(), inputs: of(Kind::Input), fired, outputs: of(Kind::Output) }
}
