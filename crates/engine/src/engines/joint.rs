//! k-induction on many properties of one system at once, with one encoding and one pair of solver sessions.
//!
//! Random walks come first where a query may be slow. In the base case, a model that violates any property decides all that it
//! violates. In the induction step, the properties that hold in the first k steps are assumed together; those that a model violates
//! leave the set until no model is left, and what remains is inductive together (the greatest such subset, as in Houdini: Flanagan,
//! Leino, FME 2001). Proved properties are lemmas for the others from then on.

use crate::engines::task::Task;
use crate::evidence::certificate::check;
use crate::portfolio::Engine;
use crate::solver::context::{Context, Lit, Start};
use crate::solver::session::Connect;
use crate::verdict::{Answer, Certificate, Proof, Why};
use crate::walk::random::falsify_each;
use system::{Expr, Pool};

/// The largest k. What needs more is left to the engines that look at one property.
const MOST: u32 = 6;

/// The time limit of one query in milliseconds: one hard property must not stop the others.
const PATIENCE: u32 = 1000;

/// What is known about the properties of a system with several of them.
#[derive(Debug, Default)]
pub(crate) struct Joint {
    /// The answers, each with the index of its property in the sliced system and the engine that found it.
    pub(crate) answers: Vec<(usize, Engine, Answer)>,
    /// The number of first steps in which all other properties are known to hold.
    pub(crate) depth: usize,
}

/// Decides what it can, after so many random walks where a query may be slow. The task's system has all the properties; `places` are
/// their indices in the whole system.
pub(crate) fn joint(
    task: Task<'_>,
    places: &[usize],
    solver: &dyn Connect,
    (seed, walks): (u64, usize),
) -> Joint {
    let mut found = Joint::default();
    if !task.open.on_bits() {
        let violated = falsify_each(task, places, seed, walks);
        found.answers.extend(violated.into_iter().map(|it| (it.0, Engine::Random, Answer::Invalid(it.1))));
    }
    // An error ends the joint effort; what is decided by then stays decided.
    let _ = run(task, places, solver, &mut found);
    found
}

fn run(task: Task<'_>, places: &[usize], solver: &dyn Connect, found: &mut Joint) -> Result<(), Why> {
    let decided: Vec<usize> = found.answers.iter().map(|it| it.0).collect();
    let mut open: Vec<usize> = (0..task.system.properties.len()).filter(|it| !decided.contains(it)).collect();
    if open.is_empty() {
        return Ok(());
    }
    let mut base = Base { task, context: task.context(Start::Initial)? };
    base.context.limit(PATIENCE);
    let mut step = Step::new(task)?;
    step.context.limit(PATIENCE);
    for k in 0..MOST {
        base.violations(k, places, &mut open, found)?;
        if open.is_empty() {
            return Ok(());
        }
        found.depth = k as usize + 1;
        let proved = step.inductive(k + 1, &open)?;
        if proved.is_empty() {
            continue;
        }
        // One check is enough: the certificates of all of them say the same.
        let certificate = step.certificate(&proved, k as usize + 1);
        if !check(task.whole, places[proved[0]], &certificate, solver, task.stop)? {
            return Err(Why::BadCertificate);
        }
        for property in &proved {
            found.answers.push((*property, Engine::Induction, Answer::Valid(certificate.clone())));
        }
        open.retain(|it| !proved.contains(it));
        step.keep(&proved, k as usize + 1)?;
        if open.is_empty() {
            return Ok(());
        }
    }
    Ok(())
}

/// The first steps of the system.
struct Base<'a> {
    task: Task<'a>,
    context: Box<dyn Context + 'a>,
}

impl Base<'_> {
    /// Finds the open properties that are violated at step `k`, and asserts the others there.
    fn violations(
        &mut self,
        k: u32,
        places: &[usize],
        open: &mut Vec<usize>,
        found: &mut Joint,
    ) -> Result<(), Why> {
        let Base { task, context } = self;
        task.assume(&mut **context, k, Start::Initial)?;
        let mut goods = Vec::with_capacity(open.len());
        for property in &*open {
            let value = task.system.properties[*property].value;
            goods.push(context.literal(task.system, value, k)?);
        }
        if k == 0 && !context.solve(&[])? {
            // Everything holds vacuously, which another engine says with its reason.
            return Err(Why::Undecided);
        }
        while !open.is_empty() {
            let some = context.fresh();
            let clause: Vec<Lit> = goods.iter().map(|it| !*it).chain([!some]).collect();
            context.clause(&clause)?;
            if !context.solve(&[some])? {
                break;
            }
            let truths = context.truths(&goods)?;
            if truths.iter().all(|it| *it) {
                return Err(Why::Undecided);
            }
            for place in (0..open.len()).rev().filter(|it| !truths[*it]) {
                let one = Task { property: places[open[place]], ..*task };
                // A violation with undefined values decides nothing.
                if let Ok(counterexample) = one.counterexample(&mut **context, k) {
                    found.answers.push((open[place], Engine::Induction, Answer::Invalid(counterexample)));
                }
                open.remove(place);
                goods.remove(place);
            }
        }
        for good in goods {
            context.clause(&[good])?;
        }
        Ok(())
    }
}

/// Consecutive steps from any state.
struct Step<'a> {
    task: Task<'a>,
    context: Box<dyn Context + 'a>,
    /// For each property, the switch that asserts it at all steps but the last.
    switches: Vec<Lit>,
    /// What is known to hold at every step: bounds, and proved properties.
    known: Vec<Expr>,
    /// The greatest k of the proofs of what is known.
    depth: usize,
    last: u32,
}

impl<'a> Step<'a> {
    fn new(task: Task<'a>) -> Result<Step<'a>, Why> {
        let mut context = task.context(Start::Free)?;
        let switches = task.system.properties.iter().map(|_| context.fresh()).collect();
        let known = task.shared.invariants(0);
        let mut step = Step { task, context, switches, known, depth: 1, last: 0 };
        step.assert_at(0)?;
        Ok(step)
    }

    /// Those of the properties that hold after `k` steps at which all of them hold, as a set.
    fn inductive(&mut self, k: u32, open: &[usize]) -> Result<Vec<usize>, Why> {
        let task = self.task;
        for property in open {
            let good = self.context.literal(task.system, task.system.properties[*property].value, k - 1)?;
            self.context.clause(&[!self.switches[*property], good])?;
        }
        for state in &task.system.state {
            self.context.touch(task.system, state.var, k - 1)?;
            self.context.touch(task.system, state.var, k)?;
        }
        self.last = k;
        self.assert_at(k)?;
        let mut set: Vec<(usize, Lit)> = Vec::with_capacity(open.len());
        for property in open {
            let value = task.system.properties[*property].value;
            set.push((*property, self.context.literal(task.system, value, k)?));
        }
        while !set.is_empty() {
            let some = self.context.fresh();
            let clause: Vec<Lit> = set.iter().map(|it| !it.1).chain([!some]).collect();
            self.context.clause(&clause)?;
            let assumed: Vec<Lit> = set.iter().map(|it| self.switches[it.0]).chain([some]).collect();
            if !self.context.solve(&assumed)? {
                break;
            }
            let goods: Vec<Lit> = set.iter().map(|it| it.1).collect();
            let truths = self.context.truths(&goods)?;
            if truths.iter().all(|it| *it) {
                return Err(Why::Undecided);
            }
            let mut truths = truths.into_iter();
            set.retain(|_| truths.next() == Some(true));
        }
        Ok(set.into_iter().map(|it| it.0).collect())
    }

    /// The certificate of a set of properties: together with what is known, they are inductive.
    fn certificate(&self, proved: &[usize], k: usize) -> Certificate {
        let values = proved.iter().map(|it| self.task.system.properties[*it].value);
        let all: Vec<Expr> =
            self.known.iter().copied().chain(values).filter(|it| *it != Pool::TRUE).collect();
        let proof = Proof::Induction { k: k.max(self.depth), distinct: false };
        self.task.certificate(&self.task.system.pool, &all, proof)
    }

    /// Uses proved properties as lemmas at all steps.
    fn keep(&mut self, proved: &[usize], k: usize) -> Result<(), Why> {
        self.depth = self.depth.max(k);
        for property in proved {
            let value = self.task.system.properties[*property].value;
            self.known.push(value);
            for step in 0..=self.last {
                let literal = self.context.literal(self.task.system, value, step)?;
                self.context.clause(&[literal])?;
            }
        }
        Ok(())
    }

    fn assert_at(&mut self, step: u32) -> Result<(), Why> {
        self.task.assume(&mut *self.context, step, Start::Free)?;
        for known in self.known.clone() {
            let literal = self.context.literal(self.task.system, known, step)?;
            self.context.clause(&[literal])?;
        }
        Ok(())
    }
}
