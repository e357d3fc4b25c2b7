//! IC3 over predicates (Bradley, VMCAI 2011; implicit abstraction: Cimatti, Griggio, Mover, Tonetta, TACAS 2014).
//!
//! Cubes are conjunctions of predicates on the state. The predecessor of a cube covers every state that satisfies the same predicates as
//! the model's state, so a path of cubes may be spurious; then predicates are added (`refine`). Because every query is about the system
//! itself, clauses of the frames stay valid when predicates are added. If an initial constraint mentions inputs, the search may give up: a
//! state does not tell whether it is the first one. With a predicate for each bit nothing is abstracted, and this is plain IC3.

mod refine;

use crate::engines::predicates::state_atoms;
use crate::engines::task::{Found, Task};
use crate::solver::context::{Context, Lit, Start};
use crate::verdict::{Proof, Why};
use refine::Refinement;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use system::{Expr, Node, System, Type};

/// Numbered predicates, ascending, each with its polarity.
pub(crate) type Cube = Vec<(usize, bool)>;

/// The maximum number of predicates.
const MOST_PREDICATES: usize = 600;
/// The number of attempts to drop a literal of a cube.
const ATTEMPTS: usize = 40;

/// Searches for an inductive invariant or a counterexample until the time is up.
pub(crate) fn ic3(task: Task<'_>) -> Result<Option<Found>, Why> {
    let mut system = task.system.clone();
    let mut predicates = state_atoms(&mut system);
    predicates.extend(fine(&mut system));
    if task.open.on_bits() {
        predicates.extend(places(&mut system));
    }
    let mut search = Search::new(task, system, predicates)?;
    search.run()
}

/// Predicates that distinguish all values of small numbers.
fn fine(system: &mut System) -> Vec<Expr> {
    let ranges = crate::prepare::ranges::Ranges::new(system);
    let mut found = Vec::new();
    for state in system.state.clone() {
        let now = system.expr(state.var);
        let range = match system.variables[state.var.index()].ty {
            Type::Int => ranges.of(state.var).both(),
            Type::Machine(width) => Some((width.least(), width.greatest())),
            Type::Bool | Type::Real | Type::Enum(_) => None,
        };
        if let Some((low, high)) = range.filter(|(low, high)| high - low <= 16) {
            for value in low..high {
                let ty = system.variables[state.var.index()].ty;
                if let Some(value) = system.pool.number(ty, &value.into()) {
                    found.push(system.pool.le(now, value));
                }
            }
        }
    }
    found
}

/// Predicates that distinguish positions among constants.
fn places(system: &mut System) -> Vec<Expr> {
    let places = system::Places::new(system);
    let mut found = Vec::new();
    for state in system.state.clone() {
        let ty = system.variables[state.var.index()].ty;
        let now = system.expr(state.var);
        let Some(group) = places.group(now) else { continue };
        for constant in places.constants(group) {
            let constant = match ty {
                Type::Real => Some(system.pool.real(constant.clone())),
                _ => system.pool.number(ty, &constant.floor()),
            };
            if let Some(constant) = constant {
                found.extend([system.pool.lt(now, constant), system.pool.le(now, constant)]);
            }
        }
    }
    found
}

/// A proof obligation: the frame, the cube to block, and what it leads to.
#[derive(Clone, Debug)]
struct Obligation {
    cube: Cube,
    /// The obligation that one step leads to.
    after: Option<usize>,
}

struct Search<'a> {
    task: Task<'a>,
    system: System,
    predicates: Vec<Expr>,
    context: Box<dyn Context + 'a>,
    /// The activation literal of each frame; frame 0 is the initial states.
    switches: Vec<Lit>,
    /// The blocked cubes of each frame that are not in a later frame.
    frames: Vec<Vec<Cube>>,
    known: Vec<Expr>,
    refinement: Refinement<'a>,
    /// The Boolean inputs, if contexts are on bits: there predecessors are enlarged.
    inputs: Vec<Expr>,
}

impl<'a> Search<'a> {
    fn new(task: Task<'a>, mut system: System, predicates: Vec<Expr>) -> Result<Search<'a>, Why> {
        let mut context = task.context(Start::Free)?;
        task.assume(&mut *context, 0, Start::Free)?;
        let first = context.fresh();
        let mut conditions = system.initial.clone();
        for state in system.state.clone() {
            if let Some(init) = state.init {
                let now = system.expr(state.var);
                conditions.push(system.pool.eq(now, init));
            }
        }
        for condition in conditions {
            let literal = context.literal(&system, condition, 0)?;
            context.clause(&[!first, literal])?;
        }
        let refinement = Refinement::new(task)?;
        let mut inputs = Vec::new();
        for var in task.system.inputs.iter().filter(|_| task.open.on_bits()) {
            if system.variables[var.index()].ty == Type::Bool {
                inputs.push(system.expr(*var));
            }
        }
        let mut search = Search {
            task,
            system,
            predicates: Vec::new(),
            context,
            switches: vec![first],
            frames: vec![Vec::new()],
            known: Vec::new(),
            refinement,
            inputs,
        };
        search.learn()?;
        search.add(predicates)?;
        Ok(search)
    }

    fn run(&mut self) -> Result<Option<Found>, Why> {
        let bad = !self.context.literal(&self.system, self.task.good(), 0)?;
        let first = self.switches[0];
        // This also covers a violation at step 0.
        if self.context.solve(&[first, bad])? {
            return self.refinement.violation(0);
        }
        loop {
            let switch = self.context.fresh();
            self.switches.push(switch);
            self.frames.push(Vec::new());
            let top = self.frames.len() - 1;
            self.learn()?;
            loop {
                let mut assumptions = self.frame(top);
                assumptions.push(bad);
                if !self.context.solve(&assumptions)? {
                    break;
                }
                let cube = self.cube(&[bad])?;
                if let Some(found) = self.block(cube, top)? {
                    return Ok(Some(found));
                }
            }
            if let Some(invariant) = self.propagate()? {
                let certificate = self.task.certificate(
                    &self.system.pool,
                    &invariant,
                    Proof::Induction { k: 1, distinct: false },
                );
                return Ok(Some(Found::Valid(certificate)));
            }
            self.task.shared.deepen(top + 1);
        }
    }

    /// Adds predicates with their literals, because a model does not cover literals that are added later. Skips those that cannot be
    /// expressed. Returns false if none is new.
    fn add(&mut self, new: Vec<Expr>) -> Result<bool, Why> {
        let before = self.predicates.len();
        let mut there: FxHashSet<Expr> = self.predicates.iter().copied().collect();
        for expr in new {
            let plain = match self.system.pool.node(expr) {
                Node::Not(inner) => *inner,
                _ => expr,
            };
            let constant = self.system.pool.node(plain).is_constant();
            // Both directions of a comparison would be the same predicate twice.
            let opposite = self.system.pool.not(plain);
            if !constant && !there.contains(&opposite) && there.insert(plain) {
                self.predicates.push(plain);
            }
        }
        for plain in self.predicates.split_off(before) {
            for step in 0..2 {
                match self.context.literal(&self.system, plain, step) {
                    Err(Why::Unsupported(_)) => break,
                    Err(why) => return Err(why),
                    Ok(_) if step == 1 => self.predicates.push(plain),
                    Ok(_) => {}
                }
            }
        }
        Ok(self.predicates.len() > before)
    }

    /// Adds the invariants that other engines have proved.
    fn learn(&mut self) -> Result<(), Why> {
        let new = self.task.shared.invariants(self.known.len());
        for invariant in &new {
            for step in 0..2 {
                let literal = self.context.literal(&self.system, *invariant, step)?;
                self.context.clause(&[literal])?;
            }
        }
        self.known.extend(new);
        Ok(())
    }

    fn frame(&self, level: usize) -> Vec<Lit> {
        if level == 0 { vec![self.switches[0]] } else { self.switches[level..].to_vec() }
    }

    fn literal(&mut self, (predicate, truth): (usize, bool), step: u32) -> Result<Lit, Why> {
        let literal = self.context.literal(&self.system, self.predicates[predicate], step)?;
        Ok(if truth { literal } else { !literal })
    }

    fn literals(&mut self, cube: &Cube, step: u32) -> Result<Vec<Lit>, Why> {
        cube.iter().map(|it| self.literal(*it, step)).collect()
    }

    /// A cube of the model's state at step 0, as small as possible, from which the goal follows under the model's inputs.
    fn cube(&mut self, goal: &[Lit]) -> Result<Cube, Why> {
        let all: Cube = (0..self.predicates.len()).map(|it| (it, true)).collect();
        let literals = self.literals(&all, 0)?;
        let inputs: Result<Vec<Lit>, Why> =
            self.inputs.iter().map(|it| self.context.literal(&self.system, *it, 0)).collect();
        let inputs = inputs?;
        let (truths, chosen) = (self.context.truths(&literals)?, self.context.truths(&inputs)?);
        let cube: Cube = truths.into_iter().enumerate().collect();
        if inputs.is_empty() {
            return Ok(cube);
        }
        let denied = self.context.fresh();
        let clause: Vec<Lit> = goal.iter().map(|it| !*it).chain([!denied]).collect();
        self.context.clause(&clause)?;
        let here = self.literals(&cube, 0)?;
        let mut assumptions = vec![denied];
        assumptions.extend(inputs.iter().zip(chosen).map(|(it, truth)| if truth { *it } else { !*it }));
        assumptions.extend(&here);
        let core: FxHashSet<Lit> = match self.context.solve(&assumptions)? {
            true => FxHashSet::default(),
            false => self.context.failed()?.into_iter().collect(),
        };
        self.context.clause(&[!denied])?;
        let needed: Cube = cube.iter().zip(&here).filter(|it| core.contains(it.1)).map(|it| *it.0).collect();
        Ok(if needed.is_empty() { cube } else { needed })
    }

    /// Blocks a cube at a frame; returns a counterexample if that is impossible.
    fn block(&mut self, cube: Cube, top: usize) -> Result<Option<Found>, Why> {
        let mut obligations = vec![Obligation { cube, after: None }];
        let mut queue: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
        queue.push(Reverse((top, 0)));
        while let Some(Reverse((level, number))) = queue.pop() {
            let cube = obligations[number].cube.clone();
            let mut start = self.frame(0);
            start.extend(self.literals(&cube, 0)?);
            if level == 0 || self.context.solve(&start)? {
                return self.concretise(&obligations, number);
            }
            let after = self.literals(&cube, 1)?;
            let blocked = self.context.fresh();
            let mut clause: Vec<Lit> = self.literals(&cube, 0)?.iter().map(|it| !*it).collect();
            clause.push(!blocked);
            self.context.clause(&clause)?;
            let mut assumptions = self.frame(level - 1);
            assumptions.push(blocked);
            assumptions.extend(&after);
            if self.context.solve(&assumptions)? {
                let before = self.cube(&after)?;
                self.context.clause(&[!blocked])?;
                obligations.push(Obligation { cube: before, after: Some(number) });
                queue.push(Reverse((level - 1, obligations.len() - 1)));
                queue.push(Reverse((level, number)));
                continue;
            }
            let core: FxHashSet<Lit> = self.context.failed()?.into_iter().collect();
            self.context.clause(&[!blocked])?;
            let core: Cube =
                cube.iter().zip(&after).filter(|(_, lit)| core.contains(lit)).map(|(it, _)| *it).collect();
            let smaller = self.generalise(&cube, core, level)?;
            let mut at = level;
            while at < top && self.inductive(&smaller, at)? {
                at += 1;
            }
            self.insert(&smaller, at)?;
            if at < top {
                queue.push(Reverse((at + 1, number)));
            }
        }
        Ok(None)
    }

    /// A part of a cube that excludes the initial states and cannot be reached in one step from the previous frame.
    fn generalise(&mut self, cube: &Cube, core: Cube, level: usize) -> Result<Cube, Why> {
        let mut small = core;
        if small.is_empty() || self.meets_start(&small)? {
            // Literals of the cube that exclude the initial states.
            let mut assumptions = self.frame(0);
            let literals = self.literals(cube, 0)?;
            assumptions.extend(&literals);
            if self.context.solve(&assumptions)? {
                return Ok(cube.clone());
            }
            let away: FxHashSet<Lit> = self.context.failed()?.into_iter().collect();
            small.extend(cube.iter().zip(&literals).filter(|(_, lit)| away.contains(lit)).map(|(it, _)| *it));
            small.sort_unstable();
            small.dedup();
        }
        if !self.inductive(&small, level - 1)? {
            return Ok(cube.clone());
        }
        let mut attempts = 0;
        let mut place = 0;
        while place < small.len() && attempts < ATTEMPTS && small.len() > 1 {
            let mut candidate = small.clone();
            candidate.remove(place);
            attempts += 1;
            if !self.meets_start(&candidate)? && self.inductive(&candidate, level - 1)? {
                small = candidate;
            } else {
                place += 1;
            }
        }
        Ok(small)
    }

    fn meets_start(&mut self, cube: &Cube) -> Result<bool, Why> {
        let mut assumptions = self.frame(0);
        assumptions.extend(self.literals(cube, 0)?);
        self.context.solve(&assumptions)
    }

    /// Whether no step from a frame, outside the cube, leads into it.
    fn inductive(&mut self, cube: &Cube, level: usize) -> Result<bool, Why> {
        let outside = self.context.fresh();
        let mut clause: Vec<Lit> = self.literals(cube, 0)?.iter().map(|it| !*it).collect();
        clause.push(!outside);
        self.context.clause(&clause)?;
        let mut assumptions = self.frame(level);
        assumptions.push(outside);
        assumptions.extend(self.literals(cube, 1)?);
        let answer = self.context.solve(&assumptions)?;
        self.context.clause(&[!outside])?;
        Ok(!answer)
    }

    fn insert(&mut self, cube: &Cube, level: usize) -> Result<(), Why> {
        for frame in &mut self.frames[1..=level] {
            frame.retain(|old| !cube.iter().all(|it| old.contains(it)));
        }
        let mut clause: Vec<Lit> = self.literals(cube, 0)?.iter().map(|it| !*it).collect();
        clause.push(!self.switches[level]);
        self.context.clause(&clause)?;
        self.frames[level].push(cube.clone());
        Ok(())
    }

    /// Pushes clauses forward; returns the invariant if two frames are equal.
    fn propagate(&mut self) -> Result<Option<Vec<Expr>>, Why> {
        for level in 1..self.frames.len() - 1 {
            for cube in std::mem::take(&mut self.frames[level]) {
                if self.inductive(&cube, level)? {
                    self.insert(&cube, level + 1)?;
                } else {
                    self.frames[level].push(cube);
                }
            }
            if self.frames[level].is_empty() {
                let mut invariant = self.known.clone();
                for cube in self.frames[level + 1..].concat() {
                    let pool = &mut self.system.pool;
                    let denied: Vec<Expr> = cube
                        .iter()
                        .map(
                            |(it, truth)| {
                                if *truth { pool.not(self.predicates[*it]) } else { self.predicates[*it] }
                            },
                        )
                        .collect();
                    invariant.push(pool.or(denied));
                }
                return Ok(Some(invariant));
            }
        }
        Ok(None)
    }

    /// Turns a path of cubes from the start into a counterexample, or into new predicates that rule it out.
    fn concretise(&mut self, obligations: &[Obligation], first: usize) -> Result<Option<Found>, Why> {
        let mut path = Vec::new();
        let mut at = Some(first);
        while let Some(number) = at {
            path.push(obligations[number].cube.clone());
            at = obligations[number].after;
        }
        if let Some(found) = self.refinement.violation(path.len() - 1)? {
            return Ok(Some(found));
        }
        let new = self.refinement.predicates(&mut self.system, &self.predicates, &path)?;
        if !self.add(new)? {
            return Err(Why::Limit("steps without a new predicate"));
        }
        if self.predicates.len() > MOST_PREDICATES {
            return Err(Why::Limit("predicates"));
        }
        Ok(None)
    }
}
