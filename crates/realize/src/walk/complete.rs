//! Runs of a part of a game, completed with the outputs of everything else.

use super::anything::Anything;
use super::regions::Regions;
use super::{Known, Memory, Run, Split, Walks, pruned};
use crate::arena::{Arena, Choice as Roles, Owner, Pins};
use crate::fixpoint::Budget;
use crate::game::{Game, Order, Prepared};
use crate::position::Choice;
use crate::verdict::Gap;
use base::SplitMix;
use dashu_ratio::RBig;
use logic::bdd::{Bdd, Variables};
use rustc_hash::FxHashMap;
use system::{Evaluator, Expr, Value, Var};

/// A condition of outputs: of a guarantee, or of their ranges.
pub(super) type Condition = (Option<usize>, Expr);

/// What a search leaves out: guarantees that can be kept whatever happens, or that a search near a goal does not look at.
pub(super) struct Rest<'g, 'b> {
    game: &'g Game,
    order: Order,
    arena: Arena<'g, 'b>,
    next: Evaluator,
    /// Parts that share no outputs with the run.
    apart: Vec<Walks<'g, 'b>>,
    /// Conditions of the other outputs, in the order in which these are chosen: each may depend on those before it.
    answered: Vec<Vec<Condition>>,
    /// Parts that must be won after each step.
    pub(super) judges: Vec<Walks<'g, 'b>>,
}

/// How every correct system of a game goes on: with it, a run that was found near a goal becomes a run of the whole game.
pub struct Whole<'g, 'b>(Rest<'g, 'b>);

impl<'g, 'b> Whole<'g, 'b> {
    /// A correct system at the start of a run.
    pub fn anything(&self, seed: u64) -> Anything {
        self.0.anything(seed)
    }

    /// Lets a system answer inputs, and returns them with its outputs.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn answer(&mut self, at: &mut Anything, inputs: &[(Var, Value)]) -> Result<Choice, Gap> {
        self.0.answer_at_random(at, inputs)
    }

    pub(super) fn rest(&mut self) -> &mut Rest<'g, 'b> {
        &mut self.0
    }
}

/// Does some work with the whole of a game, and with what is known about it.
///
/// # Errors
/// A limit was reached, or no system wins ([`Gap::NoValue`]).
pub fn walk_whole<R>(
    game: &Game,
    known: &mut Known,
    (order, budget): (Order, Budget),
    work: impl FnOnce(&mut Whole, &mut Known) -> R,
) -> Result<R, Gap> {
    let known = known.of(game);
    let game = pruned(game.clone(), &[]);
    let split = Split::of(&game, &[], &mut known.tried, (order, budget));
    let parts: Vec<Vec<usize>> = split.apart.iter().cloned().chain([split.core]).collect();
    let parts = prepared(&game, &parts);
    let judges = won(&parts, &mut known.regions, (order, budget))?;
    let guarantees = game.guarantees.iter().enumerate().map(|(at, it)| (Some(at), it.safety));
    let conditions: Vec<Condition> = guarantees.chain(game.domain.iter().map(|it| (None, *it))).collect();
    let rest = Rest { judges, ..Rest::new(&game, Vec::new(), vec![conditions], order, budget) };
    Ok(work(&mut Whole(rest), known))
}

/// Parts of a game with their outputs.
pub(super) fn prepared(game: &Game, parts: &[Vec<usize>]) -> Vec<(Prepared, Vec<Var>)> {
    let parts = parts.iter().filter(|it| !it.is_empty());
    parts.map(|it| pruned(game.with(it), &[])).map(|it| (it.prepared(), it.outputs.clone())).collect()
}

/// The runs of parts of a game that are won.
///
/// # Errors
/// A limit was reached, or a part is not won ([`Gap::NoValue`]).
pub(super) fn won<'g, 'b>(
    parts: &'g [(Prepared, Vec<Var>)],
    regions: &mut Regions,
    (order, budget): (Order, Budget<'b>),
) -> Result<Vec<Walks<'g, 'b>>, Gap> {
    let mut walks = Vec::new();
    for (prepared, outputs) in parts {
        let (it, is_won) = Walks::new(prepared, outputs, regions, (order, budget))?;
        if !is_won {
            return Err(Gap::NoValue);
        }
        walks.push(it);
    }
    Ok(walks)
}

impl<'g, 'b> Rest<'g, 'b> {
    pub(super) fn new(
        game: &'g Game,
        apart: Vec<Walks<'g, 'b>>,
        answered: Vec<Vec<Condition>>,
        order: Order,
        budget: Budget<'b>,
    ) -> Rest<'g, 'b> {
        let system = &game.system;
        let next = Evaluator::new(&system.pool, system.state.iter().map(|it| it.next));
        Rest { game, order, arena: arena(game, order, budget), next, apart, answered, judges: Vec::new() }
    }
}

fn arena<'g, 'b>(game: &'g Game, order: Order, budget: Budget<'b>) -> Arena<'g, 'b> {
    let roles = Roles { order, opaque: Owner::Environment, selectors: false };
    Arena::new(game, roles, Pins::default(), budget)
}

/// Completes runs.
pub(super) trait Complete {
    /// A run with the outputs of everything else. With a guarantee, the last step violates it, and nothing else.
    fn complete(&mut self, run: &[Choice], wrong: Option<usize>) -> Result<Run, Gap>;
}

impl Complete for Rest<'_, '_> {
    fn complete(&mut self, run: &[Choice], wrong: Option<usize>) -> Result<Run, Gap> {
        match self.with_outputs(run, wrong) {
            // The diagrams of earlier runs are not needed.
            Err(Gap::Nodes(_)) => {
                self.arena = arena(self.game, self.order, self.arena.budget);
                self.with_outputs(run, wrong)
            }
            found => found,
        }
    }
}

impl Rest<'_, '_> {
    fn with_outputs(&mut self, run: &[Choice], wrong: Option<usize>) -> Result<Run, Gap> {
        let (mut memory, mut memories) = self.start();
        let mut found = Vec::new();
        for (at, step) in run.iter().enumerate() {
            let wrong = wrong.filter(|_| at + 1 == run.len());
            let mut known_now: FxHashMap<Var, Value> = step.iter().cloned().collect();
            for (walks, memory) in self.apart.iter_mut().zip(&mut memories) {
                let inputs = walks.solver.prepared.game.system.inputs.iter();
                let given: Choice = inputs.filter_map(|it| Some((*it, known_now.get(it)?.clone()))).collect();
                known_now.extend(walks.chosen(walks.safe, memory, &given)?.ok_or(Gap::NoValue)?);
            }
            for place in 0..self.answered.len() {
                self.answer(place, &memory, &mut known_now, (wrong, None))?;
            }
            found.push(self.after((&mut memory, &mut memories), known_now, wrong.is_none())?);
        }
        Ok(found)
    }

    /// The memory of the game, and those of its parts, at the start.
    pub(super) fn start(&self) -> (FxHashMap<Var, Value>, Vec<Memory>) {
        let system = &self.game.system;
        let any = |var: Var| Value::any_of(system.variables[var.index()].ty);
        let initial = |var: Var| (var, self.arena.initial(var).unwrap_or_else(|| any(var)));
        let memory = system.state.iter().map(|it| initial(it.var)).collect();
        (memory, self.apart.iter().chain(&self.judges).map(Walks::start).collect())
    }

    /// Moves the memories on by a step with these values, and returns it; fails if it must be correct and is not.
    pub(super) fn after(
        &self,
        (memory, memories): (&mut FxHashMap<Var, Value>, &mut [Memory]),
        values: FxHashMap<Var, Value>,
        is_correct: bool,
    ) -> Result<Choice, Gap> {
        let system = &self.game.system;
        let step = system.inputs.iter().filter_map(|it| Some((*it, values.get(it)?.clone())));
        let step: Choice = step.collect();
        for (place, (walks, memory)) in self.apart.iter().chain(&self.judges).zip(memories).enumerate() {
            if is_correct && place >= self.apart.len() && !walks.is_correct(memory, &step) {
                return Err(Gap::NoValue);
            }
            *memory = walks.after(memory, &step);
        }
        memory.extend(values);
        let values: Vec<Value<RBig>> =
            self.next.values(&system.pool, |var| memory.get(&var).cloned().unwrap_or(Value::Undefined));
        *memory = system.state.iter().map(|it| (it.var, self.next.get(&values, it.next).clone())).collect();
        Ok(step)
    }

    /// Chooses outputs that are not known yet, so that conditions hold: those of a violated guarantee need not; at random, or the simplest
    /// ones.
    pub(super) fn answer(
        &mut self,
        place: usize,
        memory: &FxHashMap<Var, Value>,
        known: &mut FxHashMap<Var, Value>,
        (wrong, mut random): (Option<usize>, Option<&mut SplitMix>),
    ) -> Result<(), Gap> {
        let mut now = memory.clone();
        now.extend(known.iter().map(|(var, value)| (*var, value.clone())));
        let mut left: Vec<(Vec<Bdd>, Vec<Var>)> = Vec::new();
        for at in 0..self.answered[place].len() {
            let (of, expr) = self.answered[place][at];
            if wrong.is_some() && wrong == of {
                continue;
            }
            let mut free = self.game.system.pool.variables([expr]);
            free.retain(|it| !now.contains_key(it));
            let condition = self.arena.truth(expr);
            let condition = match wrong {
                None if self.order == Order::Moore => self.whatever_comes(condition, memory)?,
                _ => condition,
            };
            let mut all = vec![self.arena.cofactor(condition, &now)];
            // What shares a variable is solved together.
            while let Some(at) = left.iter().position(|it| it.1.iter().any(|var| free.contains(var))) {
                let (others, vars) = left.swap_remove(at);
                all.extend(others);
                free.extend(vars);
            }
            free.sort_unstable();
            free.dedup();
            left.push((all, free));
            self.arena.check()?;
        }
        for (conditions, free) in left {
            if let Some(random) = &mut random {
                let all = conditions.into_iter().fold(Bdd::TRUE, |all, it| self.arena.m.and(all, it));
                known.extend(self.arena.at_random(all, free, random)?.ok_or(Gap::NoValue)?);
                continue;
            }
            let is_number = |it: &Var| self.arena.blocks[it.index()].is_none();
            let mut numbers: Vec<Var> = free.iter().copied().filter(is_number).collect();
            numbers.sort_unstable_by_key(|it| self.arena.turn(*it));
            let chosen = self.arena.values_of(conditions, &numbers)?.ok_or(Gap::NoValue)?;
            for var in free {
                known.insert(var, self.arena.value_of(&chosen, var));
            }
        }
        Ok(())
    }

    /// A condition of outputs, whatever inputs the assumptions allow: a system that does not see the inputs chooses outputs that are right
    /// for all of them.
    fn whatever_comes(&mut self, condition: Bdd, memory: &FxHashMap<Var, Value>) -> Result<Bdd, Gap> {
        let arena = &mut self.arena;
        let condition = arena.cofactor(condition, memory);
        let mut beaten = arena.m.not(condition);
        let valid = arena.valid(Owner::Environment);
        beaten = arena.m.and(beaten, valid);
        for it in &self.game.system.assumptions {
            let it = arena.truth(*it);
            let it = arena.cofactor(it, memory);
            beaten = arena.m.and(beaten, it);
        }
        let bits: Variables = arena.bits_of(Owner::Environment);
        let beaten = arena.m.exists(beaten, &bits);
        let numbers = arena.numbers_of(Owner::Environment);
        let beaten = arena.exists_numbers(beaten, &numbers)?;
        Ok(arena.m.not(beaten))
    }
}
