//! Template invariants: mined from random walks, then proved together or dropped by induction (Houdini: Flanagan, Leino, FME 2001).
//!
//! Templates are Booleans, implications and equivalences between conditions on the state, bounds of numbers, small sets of values,
//! orders and equalities between numbers, and linear relations (`relations`). Candidates are made before the engines start, so that all engines share the same expressions.

use crate::engines::predicates::state_atoms;
use crate::engines::relations::relations;
use crate::engines::task::Task;
use crate::solver::context::{Context, Start};
use crate::verdict::Why;
use crate::walk::sample::{Walk, constants};
use dashu_ratio::RBig;
use system::{Expr, Node, Pool, System, Type};

/// Candidates in the order in which they are tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// Bounds, orders, equalities, single conditions.
    pub(crate) simple: Vec<Expr>,
    /// Affine equalities, and bounds of sums and differences.
    pub(crate) linear: Vec<Expr>,
    /// Implications and equivalences.
    pub(crate) pairs: Vec<Expr>,
}

const MOST_ATOMS: usize = 120;
const MOST_SIMPLE: usize = 400;
const MOST_PAIRS: usize = 1500;
const WALKS: usize = 30;
const LENGTH: usize = 25;

/// Makes candidates that hold on some random walks.
pub(crate) fn mine(system: &mut System, stop: &dyn Fn() -> bool, seed: u64) -> Candidates {
    let mut atoms = state_atoms(system);
    let mut simple: Vec<Expr> = Vec::new();
    let numbers: Vec<(Expr, Type)> = system
        .state
        .clone()
        .iter()
        .map(|it| (system.expr(it.var), system.variables[it.var.index()].ty))
        .filter(|it| it.1.is_number())
        .collect();
    for (x, ty) in &numbers {
        let mut known = constants(system, *ty);
        if known.len() > 12 {
            known.truncate(12);
        }
        for value in known {
            let Some(value) = number(&mut system.pool, *ty, &value) else { continue };
            let pool = &mut system.pool;
            simple.extend([pool.le(*x, value), pool.ge(*x, value)]);
            atoms.push(pool.eq(*x, value));
        }
    }
    for (place, (x, ty)) in numbers.iter().enumerate() {
        for (y, _) in numbers[place + 1..].iter().filter(|it| it.1 == *ty).take(20) {
            let pool = &mut system.pool;
            simple.extend([pool.le(*x, *y), pool.le(*y, *x), pool.eq(*x, *y)]);
        }
    }
    simple.extend(system.lemmas.clone());
    for property in system.properties.clone() {
        simple.push(property.value);
    }
    atoms.sort();
    atoms.dedup();
    atoms.retain(|it| !system.pool.node(*it).is_constant());
    atoms.truncate(MOST_ATOMS);
    let singles: Vec<Expr> = atoms.iter().flat_map(|it| [*it, system.pool.not(*it)]).collect();
    simple.extend(singles);
    simple.sort();
    simple.dedup();
    let samples = samples(system, &atoms, &simple, &numbers, stop, seed);
    if samples.is_empty() {
        return Candidates::default();
    }
    let few = few_values(system, &numbers, &atoms, &samples);
    let rows: Vec<Vec<Option<RBig>>> = samples.iter().map(|it| it.numbers.clone()).collect();
    let linear = relations(&mut system.pool, &numbers, &rows);
    let holds = |place: usize| samples.iter().all(|it| it.simple[place]);
    let simple: Vec<Expr> = simple
        .iter()
        .enumerate()
        .filter(|(place, _)| holds(*place))
        .map(|it| *it.1)
        .take(MOST_SIMPLE)
        .chain(few)
        .collect();
    let pairs = pairs(&mut system.pool, &atoms, &samples);
    Candidates { simple, linear, pairs }
}

fn number(pool: &mut Pool, ty: Type, value: &RBig) -> Option<Expr> {
    match ty {
        Type::Real => Some(pool.real(value.clone())),
        Type::Int | Type::Machine(_) => pool.number(ty, &value.floor()),
        Type::Bool | Type::Enum(_) => None,
    }
}

/// For each number that only takes a few constant values, the condition that it has one of them.
fn few_values(
    system: &mut System,
    numbers: &[(Expr, Type)],
    atoms: &[Expr],
    samples: &[Sample],
) -> Vec<Expr> {
    let mut found = Vec::new();
    for (x, _) in numbers {
        let about = |it: &Expr| {
            matches!(system.pool.node(*it), Node::Eq(a, b)
            if (a == x && system.pool.node(*b).is_constant()) || (b == x && system.pool.node(*a).is_constant()))
        };
        let places: Vec<usize> = (0..atoms.len()).filter(|it| about(&atoms[*it])).collect();
        let taken = |place: &usize| samples.iter().any(|it| it.atoms[*place]);
        let taken: Vec<usize> = places.into_iter().filter(taken).collect();
        if samples.iter().all(|it| taken.iter().any(|place| it.atoms[*place])) {
            let values: Vec<Expr> = taken.iter().map(|place| atoms[*place]).collect();
            found.push(system.pool.or(values));
        }
    }
    found
}

struct Sample {
    atoms: Vec<bool>,
    simple: Vec<bool>,
    numbers: Vec<Option<RBig>>,
}

fn samples(
    system: &System,
    atoms: &[Expr],
    simple: &[Expr],
    numbers: &[(Expr, Type)],
    stop: &dyn Fn() -> bool,
    seed: u64,
) -> Vec<Sample> {
    let all: Vec<Expr> = atoms.iter().chain(simple).copied().chain(numbers.iter().map(|it| it.0)).collect();
    let mut walk: Walk<'_> = Walk::new(system, &all, seed);
    let mut found = Vec::new();
    for _ in 0..WALKS {
        let mut alive = walk.begin(false);
        while alive && walk.rows.len() <= LENGTH && !stop() {
            // An undefined condition may hold.
            let read = |of: &[Expr]| of.iter().map(|it| walk.truth(*it) != Some(false)).collect();
            let numbers = numbers.iter().map(|it| walk.number(it.0)).collect();
            found.push(Sample { atoms: read(atoms), simple: read(simple), numbers });
            alive = walk.step();
        }
    }
    found
}

/// The implications and equivalences that hold in all samples, without those that follow from one side being constant.
fn pairs(pool: &mut Pool, atoms: &[Expr], samples: &[Sample]) -> Vec<Expr> {
    let ever = |place: usize, value: bool| samples.iter().any(|it| it.atoms[place] == value);
    let varying: Vec<usize> = (0..atoms.len()).filter(|it| ever(*it, true) && ever(*it, false)).collect();
    let mut found = Vec::new();
    for (at, &i) in varying.iter().enumerate() {
        for &j in &varying[at + 1..] {
            let mut seen = [[false; 2]; 2];
            for it in samples {
                seen[usize::from(it.atoms[i])][usize::from(it.atoms[j])] = true;
            }
            let [a, b] = [atoms[i], atoms[j]];
            let (not_a, not_b) = (pool.not(a), pool.not(b));
            match seen {
                [[true, false], [false, true]] => found.push(pool.eq(a, b)),
                [[false, true], [true, false]] => found.push(pool.eq(a, not_b)),
                [[false, _], _] => found.push(pool.or([a, b])),
                [[_, false], _] => found.push(pool.or([a, not_b])),
                [_, [false, _]] => found.push(pool.or([not_a, b])),
                [_, [_, false]] => found.push(pool.or([not_a, not_b])),
                _ => {}
            }
        }
    }
    found.retain(|it| !matches!(pool.node(*it), Node::Bool(_)));
    found.truncate(MOST_PAIRS);
    found
}

/// Proves as many candidates as possible and publishes them.
pub(crate) fn prove(task: Task<'_>, candidates: &Candidates) -> Result<(), Why> {
    for some in [&candidates.simple, &candidates.linear, &candidates.pairs] {
        let proved = houdini(task, some)?;
        task.shared.publish(&proved);
    }
    Ok(())
}

/// The greatest inductive subset of the candidates, relative to the known invariants.
fn houdini(task: Task<'_>, candidates: &[Expr]) -> Result<Vec<Expr>, Why> {
    let mut first = task.context(Start::Initial)?;
    first.limit(PATIENCE);
    task.assume(&mut *first, 0, Start::Initial)?;
    let mut sayable = Vec::new();
    for candidate in candidates {
        match first.literal(task.system, *candidate, 0) {
            Ok(_) => sayable.push(*candidate),
            Err(Why::Unsupported(_)) => {}
            Err(why) => return Err(why),
        }
    }
    let left = fixpoint(task, &mut *first, sayable, 0)?;
    if left.is_empty() {
        return Ok(left);
    }
    let mut context = task.context(Start::Free)?;
    context.limit(PATIENCE);
    for step in 0..2 {
        task.assume(&mut *context, step, Start::Free)?;
        for known in task.shared.invariants(0) {
            let literal = context.literal(task.system, known, step)?;
            context.clause(&[literal])?;
        }
    }
    fixpoint(task, &mut *context, left, 1)
}

/// The timeout of one query in milliseconds.
const PATIENCE: u32 = 5000;

/// Drops candidates that can fail at a step although all hold at the steps before.
fn fixpoint(
    task: Task<'_>,
    context: &mut dyn Context,
    mut left: Vec<Expr>,
    step: u32,
) -> Result<Vec<Expr>, Why> {
    while !left.is_empty() {
        let mut assumptions = Vec::new();
        let mut goals = Vec::new();
        for candidate in &left {
            for at in 0..step {
                assumptions.push(context.literal(task.system, *candidate, at)?);
            }
            goals.push(context.literal(task.system, *candidate, step)?);
        }
        let some = context.fresh();
        let clause: Vec<_> = [!some].into_iter().chain(goals.iter().map(|it| !*it)).collect();
        context.clause(&clause)?;
        assumptions.push(some);
        match context.solve(&assumptions) {
            Ok(false) => return Ok(left),
            Ok(true) => {
                let truths = context.truths(&goals)?;
                let before = left.len();
                left = left.into_iter().zip(&truths).filter(|it| *it.1).map(|it| it.0).collect();
                if left.len() == before {
                    return Ok(Vec::new());
                }
            }
            Err(Why::Undecided) => return Ok(Vec::new()),
            Err(why) => return Err(why),
        }
        context.clause(&[!some])?;
    }
    Ok(left)
}
