//! Mutants of the challenge models: one parameter, sign, operator or wire is changed, and the change must show.
//!
//! A mutant is detected if an output differs on random inputs in doubles, or the engines find inputs on which it does, exactly or in
//! doubles; or it is equivalent: all outputs are the same expressions, or the engines prove that they are equal at every step. The
//! others are listed.
//! Mutants are chosen with fixed seeds. With z3 every one must be decided, but those that are named.

use super::simulink_runs::{near, number, random_rows, run};
use crate::challenge::{self, CONTRACTS};
use crate::failure::{OrFail, Result, ensure};
use base::Random;
use engine::{Answer, Config, Connect, NoSolver, falsify_in_doubles, verify};
use shall::solver::Driver;
use simulink::BlockKind;
use simulink::plan::{Plan, Unit};
use simulink::value::{Class, Value as Parameter};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use system::{Evaluator, Expr, Origin, Pool, Step, System, Type, Value, evaluate};

/// The largest number of mutants of each model.
const EACH: usize = 12;
/// The number of runs, and of steps in each.
const RUNS: u64 = 10;
const STEPS: usize = 40;
/// The time limit of the engines for one mutant that no run detects.
const BUDGET: Duration = Duration::from_secs(10);
/// The number of runs in doubles that are tried after that.
const TRIES: usize = 4000;
/// The number of steps of a run that waits for slow integrators.
const LONG: usize = 1_200_000;
/// The number of mutants, and of those that random runs detect.
const KNOWN: (usize, usize) = (120, 100);
/// The mutants that the engines do not decide: the sign of a length that the model only squares.
const UNDECIDED: [&str; 1] = ["NLGuidance_12B/NLGuidance/norm2/Sum of Elements: Inputs is -"];

/// Makes and judges the mutants; fails if there are other ones than expected or, with a solver, if others are not decided.
pub(crate) fn check(folder: &Path) -> Result {
    let (mut all, mut detected, mut found, mut equal, mut undecided) = (0, 0, 0, 0, Vec::new());
    let driver = Driver::named("z3").filter(|it| it.open().is_ok());
    let solved = driver.is_some();
    let solver: Box<dyn Connect> = match driver {
        Some(driver) => Box::new(driver),
        None => Box::new(NoSolver),
    };
    let mut before = "";
    for contract in CONTRACTS {
        // One scope of each problem.
        if contract.problem == before {
            continue;
        }
        before = contract.problem;
        let plan = contract.plan(folder)?;
        let at = Some(contract.at).filter(|it| !it.is_empty());
        let lowered = |plan: &Plan| challenge::lowered(plan, at);
        let original = lowered(&plan).about(contract.problem)?;
        let types: Vec<Type> = original.inputs.iter().map(|it| original.variables[it.index()].ty).collect();
        let rows: Vec<Vec<Vec<f64>>> =
            (0..RUNS).map(|seed| random_rows(&types, seed).into_iter().take(STEPS).collect()).collect();
        let seen: Vec<_> = rows.iter().map(|rows| run(&original, rows)).collect();
        let inside = |unit: &Unit| at.is_none_or(|at| unit.path.starts_with(at));
        let mut places: Vec<usize> = (0..plan.units.len()).filter(|it| inside(&plan.units[*it])).collect();
        let (mut rng, mut made) = (Random::new(7), 0);
        while made < EACH && !places.is_empty() {
            let place = places.swap_remove(rng.below(places.len() as u64) as usize);
            let mut mutant = plan.clone();
            let Some(change) = mutate(&mut mutant.units[place]) else { continue };
            // A change that makes a model meaningless cannot go unnoticed.
            let Ok(changed) = lowered(&mutant) else { continue };
            made += 1;
            let differs = rows.iter().zip(&seen).any(|(rows, seen)| differ(&run(&changed, rows), seen));
            match if differs { Some(false) } else { equal_outputs(&original, &changed, &*solver) } {
                Some(true) => equal += 1,
                Some(false) if differs => detected += 1,
                Some(false) => found += 1,
                None => undecided.push(format!("{}: {change}", plan.units[place].path.replace('\n', " "))),
            }
        }
        all += made;
    }
    println!(
        "{all} mutants of the Simulink models: {detected} detected by random runs, {found} by the engines, {equal} equivalent, {} undecided",
        undecided.len()
    );
    for line in &undecided {
        println!("  undecided: {line}");
    }
    let expected = format!("expected {} mutants, {} of them detected by random runs", KNOWN.0, KNOWN.1);
    ensure((all, detected) == KNOWN, expected)?;
    ensure(undecided == UNDECIDED || !solved, "other mutants than expected are not decided")
}

/// Changes a block in one place, and says how.
fn mutate(unit: &mut Unit) -> Option<String> {
    let swapped = |word: &str, pairs: &[(&str, &str)]| {
        let found = pairs.iter().find(|it| it.0 == word);
        found.map(|it| it.1.to_owned())
    };
    let (name, new) = match unit.kind {
        BlockKind::Constant => return changed_number(unit, "Value"),
        BlockKind::Gain => return changed_number(unit, "Gain"),
        BlockKind::Saturate => return changed_number(unit, "UpperLimit"),
        BlockKind::UnitDelay => {
            return changed_number(unit, "InitialCondition").or_else(|| changed_number(unit, "X0"));
        }
        BlockKind::Memory => return changed_number(unit, "X0"),
        BlockKind::Switch if unit.inputs.len() == 3 => {
            unit.inputs.swap(0, 2);
            return Some("inputs swapped".to_owned());
        }
        BlockKind::Sum => {
            let signs = unit.words.get("Inputs")?;
            let new = match signs.find(['+', '-']) {
                Some(at) => {
                    let sign = if signs[at..].starts_with('+') { "-" } else { "+" };
                    format!("{}{sign}{}", &signs[..at], &signs[at + 1..])
                }
                None => format!("-{}", "+".repeat(unit.inputs.len().checked_sub(1)?)),
            };
            ("Inputs", new)
        }
        BlockKind::RelationalOperator => {
            let pairs = [("==", "~="), ("~=", "=="), ("<", "<="), ("<=", ">"), (">", "<"), (">=", "<")];
            ("Operator", swapped(unit.words.get("Operator")?, &pairs)?)
        }
        BlockKind::Logic => {
            let pairs = [("AND", "OR"), ("OR", "AND"), ("NAND", "AND"), ("NOR", "OR"), ("XOR", "OR")];
            ("Operator", swapped(unit.words.get("Operator")?, &pairs)?)
        }
        BlockKind::MinMax => {
            ("Function", swapped(unit.words.get("Function")?, &[("min", "max"), ("max", "min")])?)
        }
        BlockKind::Trigonometry => {
            ("Operator", swapped(unit.words.get("Operator")?, &[("sin", "cos"), ("cos", "sin")])?)
        }
        BlockKind::Fcn => {
            let text = unit.words.get("Expr")?;
            let new =
                if text.contains("sin") { text.replacen("sin", "cos", 1) } else { format!("-({text})") };
            ("Expr", new)
        }
        _ => return None,
    };
    let change = format!("{name} is {new}");
    unit.words.insert(name.to_owned(), new);
    Some(change)
}

/// Changes the first number of a parameter.
fn changed_number(unit: &mut Unit, name: &str) -> Option<String> {
    let Some(Parameter::Matrix(matrix)) = unit.values.get_mut(name) else { return None };
    let entry = matrix.entries.first_mut()?;
    *entry = if matrix.class == Class::Boolean { 1.0 - *entry } else { *entry + 1.0 };
    Some(format!("{name} is {entry}"))
}

/// Whether two systems have equal outputs on equal inputs at every step, if that can be told.
fn equal_outputs(original: &System, changed: &System, solver: &dyn Connect) -> Option<bool> {
    let mut pair = original.clone();
    pair.properties.clear();
    let mut bind = BTreeMap::new();
    for var in &original.inputs {
        let value = pair.expr(*var);
        bind.insert(original.variables[var.index()].name.clone(), value);
    }
    let outputs = pair.include(changed, "mutant.", &bind);
    let own: Vec<_> = original.outputs.iter().filter(|it| !it.local).collect();
    let (mut equal, mut both) = (Vec::new(), Vec::new());
    for output in own {
        let Some(other) = outputs.get(&output.name) else { return Some(false) };
        equal.push(pair.pool.eq(output.value, *other));
        both.push((output.value, *other));
    }
    let all = pair.pool.and(equal);
    if all == Pool::TRUE {
        return Some(true);
    }
    pair.properties.clear();
    let property = pair.add_property("equal outputs", Origin::Unknown, all);
    let start = Instant::now();
    let left = || BUDGET.saturating_sub(start.elapsed());
    match verify(&pair, &[property], &Config::new(&left, solver)).first()?.answer {
        Answer::Valid(_) => Some(true),
        Answer::Invalid(_) => Some(false),
        Answer::Unknown(_) => {
            let in_doubles = || {
                let found = falsify_in_doubles(&pair, property, 1, TRIES, &|| false)?;
                let row = |step: &Step<f64>| {
                    let inputs = original.inputs.iter();
                    inputs.map(|it| number(&step.values[it.index()]).unwrap_or_default()).collect()
                };
                let rows: Vec<Vec<f64>> = found.steps.iter().map(row).collect();
                // What differs by rounding alone does not count.
                Some(differ(&run(original, &rows), &run(changed, &rows)))
            };
            let found =
                in_doubles() == Some(true) || [1.0, -1.0].iter().any(|by| in_the_end(&pair, &both, *by));
            found.then_some(false)
        }
    }
}

/// Whether outputs differ somewhere in a long run in doubles, whose inputs are constant and ascend, or descend, from one to the next.
fn in_the_end(pair: &System, outputs: &[(Expr, Expr)], by: f64) -> bool {
    let next = pair.state.iter().map(|it| it.next);
    let evaluator = Evaluator::new(&pair.pool, next.chain(outputs.iter().flat_map(|it| [it.0, it.1])));
    let mut now: Vec<Value<f64>> = vec![Value::Undefined; pair.variables.len()];
    for (place, var) in pair.inputs.iter().enumerate() {
        let number = by * (place + 1) as f64;
        now[var.index()] = match pair.variables[var.index()].ty {
            Type::Bool => Value::Bool(false),
            Type::Int => Value::Int((number as i64).into()),
            Type::Machine(width) => Value::Machine(width.wrap(number as i128)),
            Type::Real => Value::Real(number),
            Type::Enum(_) => Value::Enum(0),
        };
    }
    for state in &pair.state {
        if let Some(init) = state.init {
            now[state.var.index()] = evaluate(&pair.pool, init, |_| Value::Undefined);
        }
    }
    (0..LONG).any(|_| {
        let all = evaluator.values(&pair.pool, |var| now[var.index()].clone());
        for state in &pair.state {
            now[state.var.index()] = evaluator.get(&all, state.next).clone();
        }
        let value = |expr: Expr| number(evaluator.get(&all, expr));
        outputs.iter().any(|(a, b)| differ(&[vec![value(*a)]], &[vec![value(*b)]]))
    })
}

/// Whether outputs differ by more than rounding.
fn differ(one: &[Vec<Option<f64>>], other: &[Vec<Option<f64>>]) -> bool {
    let same = |(a, b): (&Option<f64>, &Option<f64>)| match (a, b) {
        (Some(a), Some(b)) => near(*a, *b),
        (a, b) => a == b,
    };
    one.iter().zip(other).any(|(a, b)| !a.iter().zip(b).all(same))
}
