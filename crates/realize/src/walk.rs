//! Runs of correct systems: shortest ones to a goal, inputs that force a goal, and where an error can show.
//!
//! A correct system stays where it wins, so its steps are those that keep everything and lead to a winning state. If no system can
//! win, or that is not known, the runs are those that keep everything and can go on as long as the environment helps. Searches go
//! backward from the goal, so what they do not reach is unreachable.

mod anything;
mod complete;
mod determined;
mod evaluate;
mod forcing;
mod reachable;
mod regions;
mod unreachable;

pub use anything::Anything;
pub use complete::{Whole, walk_whole};
pub use forcing::Forcing;
pub use unreachable::Unreachable;

use crate::answer::{Answered, Tried, answered};
use crate::arena::{Choice as Roles, Owner, Pins};
use crate::fixpoint::{Budget, Solver};
use crate::game::{Game, Guarantee, Order, Prepared};
use crate::ladder::together;
use crate::play::known;
use crate::position::Choice;
use crate::quantify::Values;
use crate::verdict::Gap;
use complete::{Complete, Condition, Rest};
use dashu_ratio::RBig;
use logic::bdd::{Bdd, Variables};
use regions::{Regions, Won};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use system::{Evaluator, Expr, Value, Var};

/// The steps of a run.
pub type Run = Vec<Choice>;

/// Which systems the runs are those of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Correct {
    /// Systems that win against every environment.
    Winning,
    /// None wins; the runs keep everything with the help of the environment.
    NoneWins,
    /// It is not known whether one wins; the runs keep everything with the help of the environment.
    Unknown(Gap),
    /// No run keeps everything.
    NoRun,
}

/// The memory of a game at a point of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory(FxHashMap<Var, Value>);

/// The runs of a game.
pub struct Walks<'g, 'b> {
    solver: Solver<'g, 'b>,
    /// The outputs of the game, also where one player makes all choices.
    outputs: &'g [Var],
    /// What a correct step is, in states that are reachable.
    safe: Bdd,
    /// States that contain all reachable ones.
    reachable: Bdd,
    /// The states that the system wins from.
    winning: Bdd,
    /// States that contain all from which the goal of the last search can be reached, if the initial ones are not among them.
    closed: Option<Bdd>,
    /// The layers that searches for goals have found: most runs are prolonged to the same one.
    layers: FxHashMap<Bdd, Vec<Bdd>>,
    /// The number of variables of the diagrams before any search.
    base: usize,
    /// Where searches may begin besides the start, in the order of their distance from it.
    visited: Vec<Visited>,
    /// Runs whose states are not among them yet.
    known_runs: Vec<Arc<Run>>,
    next: Evaluator,
    correct: Correct,
    /// How runs get the outputs that the search leaves out.
    rest: Option<&'g mut (dyn Complete + 'g)>,
    /// What keeps all guarantees but one.
    others: FxHashMap<usize, Bdd>,
    /// The guarantees of the whole game that decide about the goals.
    core: Vec<usize>,
}

/// How a goal is reached.
struct Layers {
    /// The run to begin with.
    run: Run,
    /// The memory after it.
    memory: Memory,
    /// The states from which the goal is reached within 1, 2, … steps.
    layers: Vec<Bdd>,
}

/// A state that a run has come to.
struct Visited {
    run: Arc<Run>,
    steps: usize,
    memory: Memory,
    values: Values,
}

/// The number of layers of a search after which it may go on from a state that another run has come to: then it is not a shortest one.
const LAYERS: usize = 4;

/// What searches in one game, or in games with the same variables and guarantees, have found out about its outputs.
#[derive(Debug, Default)]
pub struct Known {
    tried: Tried,
    regions: Regions,
    /// The same for games in which one player makes all choices.
    joint: Regions,
}

impl Known {
    /// The same for searches of which few are about the same guarantees: less is found out about which states are reachable.
    pub fn brief() -> Known {
        Known { regions: Regions::brief(), joint: Regions::brief(), ..Known::default() }
    }

    /// What is known about a game. What an initial constraint adds to it is not the same in two games, so nothing is.
    fn of(&mut self, game: &Game) -> &mut Known {
        if !game.system.initial.is_empty() {
            *self = Known::default();
        }
        self
    }
}

/// Does some work with the runs of a game. Goals are expressions of its system; other memory than theirs and that of the guarantees is
/// left out.
///
/// # Errors
/// A limit was reached before the runs were known.
pub fn walk<R>(
    game: &Game,
    goals: &[Expr],
    order: Order,
    budget: Budget,
    work: impl FnOnce(&mut Walks) -> R,
) -> Result<R, Gap> {
    walk_again(game, goals, &mut Known::default(), (order, budget), work)
}

/// As [`walk`], with what is known from earlier searches.
///
/// # Errors
/// A limit was reached before the runs were known.
pub fn walk_again<R>(
    game: &Game,
    goals: &[Expr],
    known: &mut Known,
    (order, budget): (Order, Budget),
    work: impl FnOnce(&mut Walks) -> R,
) -> Result<R, Gap> {
    let known = known.of(game);
    let whole = pruned(game.clone(), goals);
    let split = Split::of(&whole, goals, &mut known.tried, (order, budget));
    walk_in(&whole, (goals, &split), known, (order, budget), work)
}

/// As [`walk`], where only the guarantees decide that mention no other outputs than the goals do, or, with rings, than those that share a
/// guarantee with them, and so on. Runs are completed step by step, each step within what the whole game wins, so a search can fail
/// ([`Gap::NoValue`]) where [`walk`] finds a run; without the whole game, they are left as they are. What is unreachable or forced is so
/// in any case.
///
/// # Errors
/// A limit was reached before the runs were known.
pub fn walk_near<R>(
    game: &Game,
    goals: &[Expr],
    (rings, whole, known): (usize, Option<&mut Whole>, &mut Known),
    (order, budget): (Order, Budget),
    work: impl FnOnce(&mut Walks) -> R,
) -> Result<R, Gap> {
    let near = near(&pruned(game.clone(), goals), goals, rings);
    // With most of the guarantees, all of them are not much more.
    if 3 * near.len() > 2 * game.guarantees.len() {
        return Err(Gap::NoValue);
    }
    let core = pruned(game.with(&near), goals);
    let prepared = core.prepared();
    match Walks::new(&prepared, &core.outputs, &mut known.of(game).regions, (order, budget))? {
        (mut walks, true) => {
            walks.rest = whole.map(|it| -> &mut dyn Complete { it.rest() });
            walks.core = near;
            Ok(work(&mut walks))
        }
        (_, false) => Err(Gap::NoValue),
    }
}

/// The guarantees that mention no other outputs than goals do, or than those in rings around them.
fn near(game: &Game, goals: &[Expr], rings: usize) -> Vec<usize> {
    let outputs_in = |cone: FxHashSet<Var>| -> FxHashSet<Var> {
        cone.into_iter().filter(|var| game.is_output(*var)).collect()
    };
    let mut near = outputs_in(game.cone(goals.iter().copied()));
    let mentioned: Vec<FxHashSet<Var>> =
        game.guarantees.iter().map(|it| outputs_in(game.cone(it.roots()))).collect();
    for _ in 0..rings {
        let touching = mentioned.iter().filter(|it| !it.is_disjoint(&near)).flatten();
        let more: Vec<Var> = touching.copied().collect();
        near.extend(more);
    }
    (0..game.guarantees.len()).filter(|it| mentioned[*it].is_subset(&near)).collect()
}

fn walk_in<R>(
    whole: &Game,
    (goals, split): (&[Expr], &Split),
    known: &mut Known,
    (order, budget): (Order, Budget),
    work: impl FnOnce(&mut Walks) -> R,
) -> Result<R, Gap> {
    let core = pruned(whole.with(&split.core), goals);
    let prepared = core.prepared();
    let apart = complete::prepared(whole, &split.apart);
    let why = match Walks::new(&prepared, &core.outputs, &mut known.regions, (order, budget)) {
        Ok((mut walks, true)) => match complete::won(&apart, &mut known.regions, (order, budget)) {
            Ok(apart) => {
                let mut rest = Rest::new(whole, apart, split.answered.clone(), order, budget);
                let is_all = split.apart.is_empty() && split.answered.is_empty();
                walks.rest = (!is_all).then_some(&mut rest);
                walks.core.clone_from(&split.core);
                return Ok(work(&mut walks));
            }
            // A part that shares no outputs is not won: the environment has to help.
            Err(Gap::NoValue) => Correct::NoneWins,
            Err(gap) => return Err(gap),
        },
        Ok((_, false)) => Correct::NoneWins,
        Err(Gap::Time) => return Err(Gap::Time),
        Err(gap) => Correct::Unknown(gap),
    };
    let joint = together(whole).prepared();
    let (mut walks, has_run) = Walks::new(&joint, &whole.outputs, &mut known.joint, (order, budget))?;
    walks.correct = if has_run { why } else { Correct::NoRun };
    walks.core = (0..whole.guarantees.len()).collect();
    Ok(work(&mut walks))
}

/// A game without the variables that neither it nor the goals depend on.
fn pruned(mut game: Game, goals: &[Expr]) -> Game {
    let system = &game.system;
    let roots = game.guarantees.iter().flat_map(Guarantee::roots).chain(goals.iter().copied());
    let assumed = system.assumptions.iter().chain(&system.initial).chain(&game.fair).copied();
    let mut cone = game.cone(roots.chain(assumed));
    // With a condition of an output comes everything that the condition depends on.
    let mut open = game.domain.clone();
    let pool = &system.pool;
    loop {
        let is_inside = |it: &mut Expr| {
            pool.variables([*it]).iter().any(|var| game.is_output(*var) && cone.contains(var))
        };
        let more: Vec<Expr> = open.extract_if(.., is_inside).collect();
        if more.is_empty() {
            break;
        }
        cone.extend(game.cone(more));
    }
    game.domain.retain(|it| !open.contains(it));
    let lemmas = std::mem::take(&mut game.system.lemmas);
    let pool = &game.system.pool;
    let inside = |it: &Expr| pool.variables([*it]).iter().all(|var| cone.contains(var));
    game.system.lemmas = lemmas.into_iter().filter(inside).collect();
    game.system.state.retain(|it| cone.contains(&it.var));
    game.system.inputs.retain(|it| cone.contains(it));
    game.outputs.retain(|it| cone.contains(it));
    game
}

impl Game {
    /// The game with some of its guarantees, and all of its variables.
    fn with(&self, guarantees: &[usize]) -> Game {
        let guarantees = guarantees.iter().map(|it| self.guarantees[*it].clone()).collect();
        Game { guarantees, ..self.clone() }
    }
}

/// The guarantees of a game, as they matter for goals.
struct Split {
    /// Those that decide.
    core: Vec<usize>,
    /// Those that share no outputs with the goals, in parts that share none with each other.
    apart: Vec<Vec<usize>>,
    /// Those of outputs that have an answer to everything.
    answered: Vec<Vec<Condition>>,
}

impl Split {
    fn of(game: &Game, goals: &[Expr], tried: &mut Tried, (order, budget): (Order, Budget)) -> Split {
        let cone = game.cone(goals.iter().copied());
        let answered = answered(game, &cone, tried, order, budget);
        let is_left = |it: &usize| answered.iter().all(|answered| !answered.guarantees.contains(it));
        let left: Vec<usize> = (0..game.guarantees.len()).filter(is_left).collect();
        let (mut core, mut apart) = (Vec::new(), Vec::new());
        for component in game.with(&left).components() {
            let guarantees: Vec<usize> = component.guarantees.iter().map(|it| left[*it]).collect();
            let touches = component.outputs.iter().any(|it| cone.contains(it));
            // What no output can change is part of everything.
            if touches || component.outputs.is_empty() {
                core.extend(guarantees)
            } else {
                apart.push(guarantees)
            }
        }
        core.sort_unstable();
        let conditions = |it: &Answered| {
            let ranges =
                game.domain.iter().filter(|expr| game.system.pool.variables([**expr]).contains(&it.output));
            let guarantees = it.guarantees.iter().map(|at| (Some(*at), game.guarantees[*at].safety));
            guarantees.chain(ranges.map(|it| (None, *it))).collect()
        };
        let answered = answered.iter().rev().map(conditions).collect();
        Split { core, apart, answered }
    }
}

impl<'g, 'b> Walks<'g, 'b> {
    /// The runs of a game, and whether it is won.
    fn new(
        prepared: &'g Prepared,
        outputs: &'g [Var],
        regions: &mut Regions,
        (order, budget): (Order, Budget<'b>),
    ) -> Result<(Walks<'g, 'b>, bool), Gap> {
        let roles = Roles { order, opaque: Owner::Environment, selectors: false };
        let mut solver = Solver::new(prepared, roles, Pins::default(), budget)?;
        let won = regions.winning(&mut solver)?;
        let is_won = won.is_some();
        let nothing = Won { winning: Bdd::FALSE, reachable: Bdd::TRUE, safe: Bdd::FALSE };
        let Won { winning, reachable, safe } = won.unwrap_or(nothing);
        let system = &prepared.game.system;
        let next = Evaluator::new(&system.pool, system.state.iter().map(|it| it.next));
        let walks = Walks {
            base: solver.arena.meanings.len(),
            solver,
            outputs,
            safe,
            reachable,
            winning,
            closed: None,
            layers: FxHashMap::default(),
            visited: Vec::new(),
            known_runs: Vec::new(),
            next,
            correct: Correct::Winning,
            rest: None,
            others: FxHashMap::default(),
            core: Vec::new(),
        };
        Ok((walks, is_won))
    }

    /// The guarantees of the game that decide about the goals, by index.
    pub fn core(&self) -> &[usize] {
        &self.core
    }

    /// Whether the diagrams have grown so much that the next search should begin anew.
    pub fn is_crowded(&self) -> bool {
        self.solver.arena.m.size() > self.solver.arena.budget.nodes / 4
    }

    /// Whether the limit of the diagrams is reached, so that nothing more is found.
    pub fn is_full(&self) -> bool {
        self.solver.arena.m.is_full()
    }

    fn completed(&mut self, run: Run, wrong: Option<usize>) -> Result<Run, Gap> {
        match &mut self.rest {
            Some(rest) => rest.complete(&run, wrong),
            None => Ok(run),
        }
    }

    /// Which systems the runs are those of.
    pub fn correct(&self) -> &Correct {
        &self.correct
    }

    /// Whether comparisons that are not linear are taken as free choices: then a run has to be replayed, and what is unreachable is not
    /// known to be.
    pub fn is_vague(&self) -> bool {
        self.solver.arena.is_opaque()
    }

    /// The memory at the start. What has no initial value has any.
    pub fn start(&self) -> Memory {
        let system = &self.solver.prepared.game.system;
        let initial = |var: Var| {
            let any = || Value::any_of(system.variables[var.index()].ty);
            (var, self.solver.arena.initial(var).unwrap_or_else(any))
        };
        Memory(system.state.iter().map(|it| initial(it.var)).collect())
    }

    /// The memory after a step.
    pub fn after(&self, memory: &Memory, step: &[(Var, Value)]) -> Memory {
        let system = &self.solver.prepared.game.system;
        let mut now = memory.0.clone();
        now.extend(step.iter().cloned());
        let values: Vec<Value<RBig>> =
            self.next.values(&system.pool, |var| now.get(&var).cloned().unwrap_or(Value::Undefined));
        let next = system.state.iter().map(|it| (it.var, self.next.get(&values, it.next).clone()));
        Memory(next.collect())
    }

    /// Lets searches for goals that are far away begin with the steps of known runs.
    pub fn know(&mut self, runs: &[Arc<Run>]) {
        self.known_runs.extend(runs.iter().cloned());
    }

    /// Finds the states that known runs come to.
    fn visit(&mut self) {
        let mut seen = FxHashSet::default();
        for run in std::mem::take(&mut self.known_runs) {
            let mut memory = self.start();
            for (at, step) in run.iter().enumerate() {
                if !self.is_correct(&memory, step) {
                    break;
                }
                memory = self.after(&memory, step);
                // A run of other goals may say nothing about an input that these remember.
                if memory.0.values().any(|it| matches!(it, Value::Undefined)) {
                    break;
                }
                let values = known(&self.solver.arena, &memory.0);
                let mut numbers: Vec<(Var, RBig)> = values.numbers.clone().into_iter().collect();
                numbers.sort_unstable();
                if seen.insert((values.bits.clone(), numbers)) {
                    let (run, memory) = (run.clone(), memory.clone());
                    self.visited.push(Visited { run, steps: at + 1, memory, values });
                }
            }
        }
        self.visited.sort_by_key(|it| it.steps);
    }

    /// A run at whose last step a goal holds, a shortest one if it has few steps.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn to(&mut self, goal: Expr) -> Result<Option<Run>, Gap> {
        self.on(&[], goal)
    }

    /// Whether a correct system can make a goal hold.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn can_reach(&mut self, goal: Expr) -> Result<bool, Gap> {
        let goal = self.solver.arena.truth(goal);
        Ok(self.layers(&[], goal)?.is_some())
    }

    /// A run with a shortest continuation at whose last step a goal holds.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn on(&mut self, run: &[Choice], goal: Expr) -> Result<Option<Run>, Gap> {
        let goal = self.solver.arena.truth(goal);
        let found = self.search(run, goal)?;
        found.map(|it| self.completed(it, None)).transpose()
    }

    /// A run at whose last step a goal holds, or would hold with other outputs that keep all guarantees but one: then these are
    /// returned, too.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn to_either(
        &mut self,
        goal: Expr,
        (guarantee, wrong): (usize, Expr),
    ) -> Result<Option<(Run, Option<Choice>)>, Gap> {
        let goal = self.solver.arena.truth(goal);
        // What does not decide about the goals can be kept in any case.
        let place = self.core.iter().position(|it| *it == guarantee);
        let wrong = match place {
            None => Bdd::FALSE,
            Some(place) => {
                let others = match self.others.get(&place) {
                    Some(known) => *known,
                    None => self.all_but(place)?,
                };
                let wrong = self.solver.arena.truth(wrong);
                self.solver.arena.m.and(others, wrong)
            }
        };
        let possible = self.some_outputs(Bdd::TRUE, wrong)?;
        let either = self.solver.arena.m.or(goal, possible);
        let Some(run) = self.search(&[], either)? else { return Ok(None) };
        let (last, rest) = run.split_last().ok_or(Gap::NoValue)?;
        let before = rest.iter().fold(self.start(), |memory, it| self.after(&memory, it));
        let mut now = before.0.clone();
        now.extend(last.iter().cloned());
        if self.solver.arena.holds(goal, &known(&self.solver.arena, &now)) {
            return Ok(Some((self.completed(run, None)?, None)));
        }
        let inputs: Choice = last.iter().filter(|it| !self.outputs.contains(&it.0)).cloned().collect();
        let mut other = rest.to_vec();
        other.push(self.chosen(wrong, &before, &inputs)?.ok_or(Gap::NoValue)?);
        let run = self.completed(run, None)?;
        let other = self.completed(other, Some(guarantee))?.pop();
        Ok(Some((run, other)))
    }

    /// What keeps all guarantees but one.
    fn all_but(&mut self, guarantee: usize) -> Result<Bdd, Gap> {
        let arena = &mut self.solver.arena;
        let mut all = arena.valid(Owner::System);
        all = arena.m.and(all, self.solver.assumed);
        for it in &self.solver.prepared.game.domain {
            let it = arena.truth(*it);
            all = arena.m.and(all, it);
        }
        for (at, it) in self.solver.each.iter().enumerate() {
            if at != guarantee {
                all = arena.m.and(all, *it);
            }
            arena.check()?;
        }
        let all = arena.m.restrict(all, self.reachable);
        self.others.insert(guarantee, all);
        Ok(all)
    }

    /// Whether a correct system can do a step.
    pub fn is_correct(&self, memory: &Memory, step: &[(Var, Value)]) -> bool {
        let mut now = memory.0.clone();
        now.extend(step.iter().cloned());
        let values = known(&self.solver.arena, &now);
        self.solver.arena.holds(self.safe, &values)
    }

    /// Whether some outputs make both functions true.
    fn some_outputs(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Gap> {
        let arena = &mut self.solver.arena;
        let mut bits = Variables::default();
        let mut numbers: Vec<Var> = Vec::new();
        for var in self.outputs {
            match arena.blocks[var.index()] {
                Some(block) => (block.first..block.first + block.width).for_each(|it| bits.insert(it)),
                None => numbers.push(*var),
            }
        }
        numbers.sort_unstable_by_key(|it| arena.turn(*it));
        let some = arena.m.and_exists(f, g, &bits);
        arena.exists_numbers(some, &numbers)
    }

    /// Whether a state is in a set.
    fn holds_in(&self, states: Bdd, memory: &Memory) -> bool {
        self.solver.arena.holds(states, &known(&self.solver.arena, &memory.0))
    }

    fn is_done(&mut self, more: Bdd, before: Bdd, rounds: usize) -> Result<bool, Gap> {
        if !self.is_more(more, before)? {
            return Ok(true);
        }
        let numeric = !self.solver.arena.numbers_of(Owner::State).is_empty();
        if numeric && rounds >= self.solver.arena.budget.steps {
            return Err(Gap::Steps(rounds));
        }
        Ok(false)
    }

    /// A shortest continuation of a run by correct steps, the last of which is in `goal`.
    fn search(&mut self, run: &[Choice], goal: Bdd) -> Result<Option<Run>, Gap> {
        let Some(Layers { mut run, mut memory, layers }) = self.layers(run, goal)? else { return Ok(None) };
        for place in (0..layers.len()).rev() {
            let wanted = match place.checked_sub(1) {
                None => self.solver.arena.cofactor(goal, &memory.0),
                Some(nearer) => self.toward(layers[nearer], &memory),
            };
            let safe = self.solver.arena.cofactor(self.safe, &memory.0);
            let good = self.solver.arena.m.and(safe, wanted);
            let step = self.chosen(good, &memory, &[])?.ok_or(Gap::NoValue)?;
            memory = self.after(&memory, &step);
            run.push(step);
        }
        Ok(Some(run))
    }

    /// How a goal is reached from the end of a run, or, if that is the start, of a known one.
    fn layers(&mut self, run: &[Choice], goal: Bdd) -> Result<Option<Layers>, Gap> {
        let mut layers = self.layers.remove(&goal).unwrap_or_default();
        let found = self.layers_from(run, goal, &mut layers);
        self.layers.insert(goal, layers);
        found
    }

    fn layers_from(
        &mut self,
        run: &[Choice],
        goal: Bdd,
        found: &mut Vec<Bdd>,
    ) -> Result<Option<Layers>, Gap> {
        let memory = run.iter().fold(self.start(), |memory, it| self.after(&memory, it));
        self.closed = None;
        if found.is_empty() {
            found.push(self.before(goal)?);
        }
        let mut layers: Vec<Bdd> = Vec::new();
        loop {
            let last = layers.len();
            let now = found[last];
            layers.push(now);
            if self.holds_in(now, &memory) {
                return Ok(Some(Layers { run: run.to_vec(), memory, layers }));
            }
            if run.is_empty() && layers.len() >= LAYERS {
                self.visit();
                if let Some(it) = self.visited.iter().find(|it| self.solver.arena.holds(now, &it.values)) {
                    let nearest = layers.iter().position(|layer| self.solver.arena.holds(*layer, &it.values));
                    layers.truncate(nearest.unwrap_or(last) + 1);
                    let (run, memory) = (it.run[..it.steps].to_vec(), it.memory.clone());
                    return Ok(Some(Layers { run, memory, layers }));
                }
            }
            let before = last.checked_sub(1).map_or(Bdd::FALSE, |it| layers[it]);
            if self.is_done(now, before, layers.len())? {
                self.closed = Some(now);
                return Ok(None);
            }
            if self.is_late(layers.len()) {
                self.closed = self.cut_off(&memory, now, Walks::leading_to)?;
                if self.closed.is_some() {
                    return Ok(None);
                }
            }
            if found.len() > layers.len() {
                continue;
            }
            // What is new leads further; what was known before may be part of it where that is smaller.
            let is_new = self.solver.arena.m.not(before);
            let new = self.solver.arena.m.restrict(now, is_new);
            let more = self.leading_to(new)?;
            let more = self.solver.arena.m.or(now, more);
            let more = self.solver.arena.m.restrict(more, self.reachable);
            let more = self.solver.arena.tidy(more);
            self.solver.arena.check()?;
            found.push(more);
        }
    }

    /// The states from which a correct step can lead to some states.
    fn leading_to(&mut self, states: Bdd) -> Result<Bdd, Gap> {
        let step = self.solver.arena.step(states);
        let later = self.solver.arena.m.compose(states, &step);
        self.before(later)
    }

    /// Whether a search that may have no end has gone on for so long that it is worth while to find out.
    fn is_late(&self, rounds: usize) -> bool {
        let is_time = rounds.is_multiple_of(self.solver.arena.budget.patience);
        is_time && !self.solver.arena.numbers_of(Owner::State).is_empty()
    }

    /// A set that contains everything that a search finds, if a state is not in it: then the search never comes to it. New comparisons of
    /// numbers are left out, so there are only finitely many sets, each of them larger than what the search would find.
    fn cut_off(
        &mut self,
        state: &Memory,
        found: Bdd,
        step: impl Fn(&mut Self, Bdd) -> Result<Bdd, Gap>,
    ) -> Result<Option<Bdd>, Gap> {
        let mut all = self.coarse(found);
        while !self.holds_in(all, state) {
            let more = step(self, all)?;
            let more = self.coarse(more);
            let more = self.solver.arena.m.or(all, more);
            let more = self.solver.arena.m.restrict(more, self.reachable);
            let more = self.solver.arena.tidy(more);
            self.solver.arena.check()?;
            if !self.is_more(more, all)? {
                return Ok(Some(all));
            }
            all = more;
        }
        Ok(None)
    }

    /// A larger set that mentions no comparisons of numbers that were not there before any search.
    fn coarse(&mut self, f: Bdd) -> Bdd {
        let arena = &mut self.solver.arena;
        let new: Variables = arena.m.support(f).iter().filter(|it| *it as usize >= self.base).collect();
        let mut with = f;
        // What a new threshold implies about known ones stays.
        for variable in new.iter() {
            let [smaller, larger] = arena.around(variable, self.base);
            let pairs = [smaller.map(|it| (it, variable)), larger.map(|it| (variable, it))];
            for (premise, conclusion) in pairs.into_iter().flatten() {
                let [premise, conclusion] = [premise, conclusion].map(|it| arena.m.variable(it));
                let implied = arena.m.choose(premise, conclusion, Bdd::TRUE);
                with = arena.m.and(with, implied);
            }
        }
        arena.m.exists(with, &new)
    }

    /// Whether a set has reachable states that another one does not have.
    fn is_more(&mut self, more: Bdd, before: Bdd) -> Result<bool, Gap> {
        let outside = self.solver.arena.m.not(before);
        let new = self.solver.arena.m.and(more, outside);
        let new = self.solver.arena.m.and(new, self.reachable);
        self.solver.arena.is_possible(new)
    }

    /// The states in which a correct step can be in `wanted`.
    fn before(&mut self, wanted: Bdd) -> Result<Bdd, Gap> {
        let arena = &mut self.solver.arena;
        let players = [Owner::System, Owner::Environment];
        let bits: Variables =
            players.iter().flat_map(|it| arena.bits_of(*it).iter().collect::<Vec<_>>()).collect();
        let numbers: Vec<Var> = players.iter().flat_map(|it| arena.numbers_of(*it)).collect();
        let some = arena.m.and_exists(self.safe, wanted, &bits);
        let some = arena.exists_numbers(some, &numbers)?;
        let some = arena.tidy(some);
        arena.check()?;
        Ok(some)
    }

    /// What leads to these states, with this memory.
    fn toward(&mut self, states: Bdd, memory: &Memory) -> Bdd {
        let mut step = self.solver.arena.step(states);
        for variable in self.solver.arena.m.support(states).iter() {
            let next = step[variable as usize];
            step[variable as usize] = self.solver.arena.cofactor(next, &memory.0);
        }
        self.solver.arena.m.compose(states, &step)
    }

    /// Values of all inputs and outputs that make a function true, given the memory and some of them.
    fn chosen(&mut self, f: Bdd, memory: &Memory, given: &[(Var, Value)]) -> Result<Option<Choice>, Gap> {
        let mut now = memory.0.clone();
        now.extend(given.iter().cloned());
        let arena = &mut self.solver.arena;
        let left = arena.cofactor(f, &now);
        let is_free = |var: &Var| given.iter().all(|it| it.0 != *var);
        let players = [Owner::System, Owner::Environment];
        let numbers: Vec<Var> =
            players.into_iter().flat_map(|it| arena.numbers_of(it)).filter(is_free).collect();
        let Some(found) = arena.values(left, &numbers)? else { return Ok(None) };
        let inputs = &self.solver.prepared.game.system.inputs;
        let value = |var: &Var| match given.iter().find(|it| it.0 == *var) {
            Some((_, value)) => value.clone(),
            None => self.solver.arena.value_of(&found, *var),
        };
        Ok(Some(inputs.iter().map(|var| (*var, value(var))).collect()))
    }
}
