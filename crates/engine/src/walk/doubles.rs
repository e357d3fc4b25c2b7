//! Traces in double precision that violate a property, although it may hold for real numbers.
//!
//! Proofs over the reals do not see rounding, overflow and numbers near zero, so values are drawn there: the model's own constants
//! and their neighbours, and magnitudes over the whole range of doubles. Every fourth attempt is a random walk as in the exact
//! search, which can reach comparisons. A violation is a fact about the model as a computer executes it; finding none proves nothing.

use crate::walk::sample::{Walk, constants};
use base::Random;
use system::{Run, System, Type, Value, Var, complete, simulate};

/// The lengths of the traces, and of the walks.
const LENGTHS: [usize; 3] = [1, 2, 6];
const WALK: usize = 20;

/// Searches for a trace in doubles on which all assumptions hold and the property fails at the end.
pub fn falsify_in_doubles(
    system: &System,
    property: usize,
    seed: u64,
    runs: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Run<f64>> {
    let system = &system.slice(&[property]);
    let mut rng = Random::new(seed);
    let known: Vec<f64> = constants(system, Type::Real).iter().map(|it| it.to_f64().value()).collect();
    let mut inlined = system.clone();
    inlined.inline();
    let mut walk = Walk::new(&inlined, &[], seed);
    for round in 0..runs {
        if stop() {
            return None;
        }
        let (start, inputs) = match round % 4 {
            3 => walked(system, &inlined, &mut walk),
            _ => wild(system, LENGTHS[round / 4 % LENGTHS.len()], &known, &mut rng),
        };
        let mut run = simulate(system, &start, &complete(system, &start, &inputs));
        let broken = run.steps.iter().position(|step| step.assumed != Some(true));
        run.steps.truncate(broken.unwrap_or(run.steps.len()));
        if let Some(step) = run.steps.iter().position(|step| step.properties.first() == Some(&Some(false))) {
            run.steps.truncate(step + 1);
            return Some(run);
        }
    }
    None
}

type Inputs = (Vec<(Var, Value<f64>)>, Vec<Vec<Value<f64>>>);

fn wild(system: &System, length: usize, known: &[f64], rng: &mut Random) -> Inputs {
    let free = system.state.iter().filter(|it| it.init.is_none());
    let start = free.map(|it| (it.var, drawn(system, it.var, known, rng))).collect();
    let mut inputs: Vec<Vec<Value<f64>>> = Vec::new();
    for _ in 0..length {
        let row = system.inputs.iter().enumerate().map(|(place, var)| match inputs.last() {
            Some(last) if rng.below(3) == 0 => last[place].clone(),
            _ => drawn(system, *var, known, rng),
        });
        let row = row.collect();
        inputs.push(row);
    }
    (start, inputs)
}

/// A walk through a system whose defined inputs are inlined; they are unset in the rows.
fn walked(system: &System, inlined: &System, walk: &mut Walk<'_>) -> Inputs {
    let mut alive = walk.begin(false);
    while alive && walk.rows.len() < WALK {
        alive = walk.step();
    }
    let start = walk.start.iter().map(|(var, value)| (*var, value.converted())).collect();
    let value = |row: &[Value], var: &Var| {
        let place = inlined.inputs.iter().position(|it| it == var);
        place.map_or(Value::Undefined, |place| row[place].converted())
    };
    (start, walk.rows.iter().map(|row| system.inputs.iter().map(|var| value(row, var)).collect()).collect())
}

fn drawn(system: &System, var: Var, known: &[f64], rng: &mut Random) -> Value<f64> {
    match system.variables[var.index()].ty {
        Type::Bool => Value::Bool(rng.below(2) == 1),
        Type::Enum(id) => Value::Enum(rng.below(system.pool.enumeration(id).literals.len()) as u32),
        Type::Int => Value::Int((rng.below(41) as i64 - 20).into()),
        Type::Machine(width) => {
            let wild = rng.below(usize::MAX) as i128 - (1 << 62);
            Value::Machine(width.wrap([0, 1, -1, width.least(), width.greatest(), wild][rng.below(6)]))
        }
        Type::Real => Value::Real(double(known, rng)),
    }
}

fn double(known: &[f64], rng: &mut Random) -> f64 {
    let base = match rng.below(4) {
        0 => known.get(rng.below(known.len())).copied().unwrap_or(0.0),
        1 => [0.0, 1.0, 0.1, 0.5, 3.0, 10.0][rng.below(6)],
        // Doubles range from 1e-324 to 1e308.
        _ => (1.0 + rng.below(9000) as f64 / 1000.0) * 10f64.powi(rng.below(631) - 323),
    };
    let near = [base, base, base.next_up(), base.next_down()][rng.below(4)];
    if rng.below(2) == 0 { near } else { -near }
}
