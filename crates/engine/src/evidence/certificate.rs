//! The certificate checker: builds its own queries from the definition of each kind of argument and solves them again.
//!
//! Unrolling is substitution of expressions, and each query is a set of conditions over plain variables, solved by a fresh solver. It
//! shares slicing and the meaning of a single node with the engines: as bits with bounds (`bits`, which tests compare with the
//! evaluator), as bounds on linear forms (`linear`), as polynomials (`algebra`), as bounds over a box (`boxes`), or as an SMT-LIB term (`smt`).

use crate::liveness::measured;
use crate::solver::algebra;
use crate::solver::bits::BuiltIn;
use crate::solver::boxes::{self, Searched};
use crate::solver::context::{Open, Start, Stop};
use crate::solver::linear;
use crate::solver::process::Processes;
use crate::solver::session::Connect;
use crate::verdict::{Certificate, Proof, Why};
use rustc_hash::FxHashMap;
use system::{Expr, Origin, Pool, System, Var};

/// Whether a certificate proves a property of a system. [`Proof::Explored`] has nothing to check and is rejected.
pub fn check(
    system: &System,
    property: usize,
    certificate: &Certificate,
    solver: &dyn Connect,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<bool, Why> {
    let asked = system.properties.get(property).ok_or(Why::NoSuchProperty)?;
    let good = asked.value;
    if !certificate.pool.extends(&system.pool) {
        return Ok(false);
    }
    if asked.recurs.is_some() && !recurs(system, property, certificate, solver, stop)? {
        return Ok(false);
    }
    let mut whole = System { pool: certificate.pool.clone(), ..system.clone() };
    whole.properties.iter_mut().for_each(|it| it.recurs = None);
    let strong = whole.pool.and([good, certificate.invariant]);
    let invariant = whole.add_property("invariant", Origin::Unknown, certificate.invariant);
    let sliced = whole.slice(&[property, invariant]);
    let question = Question { system: &sliced, good, invariant: certificate.invariant, solver, stop };
    match certificate.proof {
        Proof::Explored => Ok(false),
        Proof::Ends { length } => {
            for last in 0..length {
                if !question.base(last, good)? {
                    return Ok(false);
                }
            }
            question.base(length.saturating_sub(1), Pool::FALSE)
        }
        Proof::Induction { k, distinct } => {
            if k == 0 {
                return Ok(false);
            }
            // A shortest violation may return to its first state if the initial constraints mention inputs.
            for last in 0..k + usize::from(distinct) {
                if !question.base(last, strong)? {
                    return Ok(false);
                }
            }
            question.step(k, strong, distinct)
        }
    }
}

/// Whether a certificate proves that what a property demands to recur does so.
fn recurs(
    system: &System,
    property: usize,
    certificate: &Certificate,
    solver: &dyn Connect,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<bool, Why> {
    let Some(recurrence) = &certificate.recurrence else { return Ok(false) };
    match measured(system, property, recurrence.measure) {
        Some(measured) => check(&measured, 0, &recurrence.certificate, solver, stop),
        None => Ok(false),
    }
}

struct Question<'a> {
    system: &'a System,
    good: Expr,
    invariant: Expr,
    solver: &'a dyn Connect,
    stop: Stop<'a>,
}

impl Question<'_> {
    /// Whether a condition holds at step `last` of every behaviour.
    fn base(&self, last: usize, condition: Expr) -> Result<bool, Why> {
        let mut flat = Flat::new(self.system);
        for step in 0..=last {
            flat.advance(self.system, step, true);
            flat.state(&self.system.assumptions, step);
        }
        flat.state(&self.system.initial, 0);
        flat.deny(condition, last);
        self.impossible(flat)
    }

    /// Whether a condition holds after `k` steps at which it holds.
    fn step(&self, k: usize, condition: Expr, distinct: bool) -> Result<bool, Why> {
        if k == 1 && !distinct && self.invariant_suffices() {
            return self.step_to(k, self.invariant, distinct);
        }
        self.step_to(k, condition, distinct)
    }

    /// Whether the built-in solvers show that everything follows from the invariant alone, so that only the invariant has to be shown
    /// for the next step.
    fn invariant_suffices(&self) -> bool {
        let mut flat = Flat::new(self.system);
        flat.advance(self.system, 0, false);
        flat.state(&self.system.assumptions, 0);
        flat.state(&[self.invariant], 0);
        flat.deny(self.good, 0);
        self.built_in(&mut flat) == Ok(false)
    }

    fn step_to(&self, k: usize, condition: Expr, distinct: bool) -> Result<bool, Why> {
        let mut flat = Flat::new(self.system);
        for step in 0..=k {
            flat.advance(self.system, step, false);
            flat.state(&self.system.assumptions, step);
            if step < k {
                flat.state(&[self.good, self.invariant], step);
            }
        }
        if distinct {
            for a in 0..=k {
                for b in 0..a {
                    flat.differ(self.system, a, b);
                }
            }
        }
        flat.deny(condition, k);
        self.impossible(flat)
    }

    /// Whether steps are possible, if a built-in solver decides it.
    fn built_in(&self, flat: &mut Flat) -> Result<bool, Why> {
        algebra::decide(&mut flat.system);
        if flat.system.assumptions.contains(&Pool::FALSE) {
            return Ok(false);
        }
        match satisfiable(&BuiltIn, &flat.system, self.stop) {
            Err(Why::Unsupported(_)) => linear::satisfiable(&flat.system, self.stop),
            decided => decided,
        }
    }

    fn impossible(&self, mut flat: Flat) -> Result<bool, Why> {
        match self.built_in(&mut flat) {
            Err(Why::Unsupported(_)) => match boxes::search(&flat.system, self.stop) {
                Searched::Impossible => Ok(true),
                Searched::Maybe(_) | Searched::Unknown => {
                    satisfiable(&Processes(self.solver), &flat.system, self.stop).map(|it| !it)
                }
            },
            decided => decided.map(|it| !it),
        }
    }
}

fn satisfiable(open: &dyn Open, system: &System, stop: Stop<'_>) -> Result<bool, Why> {
    let mut context = open.open(system, Start::Free, stop)?;
    for condition in &system.assumptions {
        let literal = context.literal(system, *condition, 0)?;
        context.clause(&[literal])?;
    }
    context.solve(&[])
}

/// Unrolled steps: a system that has only inputs and assumptions.
struct Flat {
    system: System,
    /// The expression of each variable at each step.
    at: Vec<FxHashMap<Var, Expr>>,
}

impl Flat {
    fn new(system: &System) -> Flat {
        let flat =
            System { pool: system.pool.clone(), variables: system.variables.clone(), ..System::default() };
        Flat { system: flat, at: Vec::new() }
    }

    fn advance(&mut self, system: &System, step: usize, initial: bool) {
        let mut now: FxHashMap<Var, Expr> = FxHashMap::default();
        let mut free: Vec<Var> = system.inputs.clone();
        match step.checked_sub(1) {
            None => {
                for state in &system.state {
                    match state.init {
                        Some(init) if initial => {
                            now.insert(state.var, init);
                        }
                        _ => free.push(state.var),
                    }
                }
            }
            Some(before) => {
                let next: Vec<Expr> = system.state.iter().map(|it| it.next).collect();
                let values = self.placed(&next, before);
                now.extend(system.state.iter().map(|it| it.var).zip(values));
            }
        }
        for var in free {
            let variable = system.variables[var.index()].clone();
            let new = self.system.add_input(&format!("{}@{step}", variable.name), variable.ty);
            now.insert(var, self.system.expr(new));
        }
        self.at.push(now);
    }

    fn placed(&mut self, exprs: &[Expr], step: usize) -> Vec<Expr> {
        let now = &self.at[step];
        self.system.pool.substitute(exprs, &|var| now.get(&var).copied())
    }

    fn state(&mut self, conditions: &[Expr], step: usize) {
        let conditions = self.placed(conditions, step);
        self.system.assumptions.extend(conditions);
    }

    fn deny(&mut self, condition: Expr, step: usize) {
        let condition = self.placed(&[condition], step)[0];
        let denied = self.system.pool.not(condition);
        self.system.assumptions.push(denied);
    }

    fn differ(&mut self, system: &System, a: usize, b: usize) {
        let pool = &mut self.system.pool;
        let different: Vec<Expr> =
            system.state.iter().map(|it| pool.ne(self.at[a][&it.var], self.at[b][&it.var])).collect();
        let different = pool.or(different);
        self.system.assumptions.push(different);
    }
}
