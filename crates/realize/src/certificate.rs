//! Strategies as systems, and the proofs that they win, for the checker of certificates in `engine`.
//!
//! Both proofs are about single steps, so they do not depend on the length of a play. A controller closes the game on the side of the
//! outputs: from each state of the region, every guarantee is kept and the region is not left; while a goal is awaited, a rank falls. An
//! environment strategy closes it on the side of the inputs: from each lost state, the assumptions are kept, and whatever the outputs are,
//! as long as the guarantees are kept, the rank falls, or stays while a goal is not met or while a counter moves in one direction.

use crate::arena::Owner;
use crate::express::{Builder, Last, leaves_choice};
use crate::fixpoint::{Moving, Region, Solver};
use crate::game::{Order, Prepared};
use crate::verdict::Gap;
use engine::{Certificate, Connect, Proof, Why, check};
use logic::bdd::Bdd;
use rustc_hash::FxHashMap;
use std::fmt;
use system::{Expr, Origin, Pool, System, Type, Value, Var};

/// What a player does: an expression for each of its variables.
type Moves = Vec<(Var, Expr)>;

/// A strategy as a closed system, with the proof that it wins.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The system: its inputs are the variables of the other player, its locals those of this one.
    pub system: System,
    /// What this player does.
    pub moves: Vec<(Var, Expr)>,
    /// The guarantees that a controller keeps, each with its id; none for a strategy of the environment.
    pub kept: Vec<(String, Expr)>,
    /// For each output of a controller that changes only where it must: which values of it the guarantees allow, given the outputs that
    /// are chosen before it; none for other strategies.
    pub allowed: Vec<(Var, Expr)>,
    /// The states of a controller that say which of the goals held one step before, in the order of the guarantees.
    pub(crate) met: Vec<Var>,
    /// The property that is proved, the only one of the system.
    pub property: usize,
    /// The invariant and the kind of proof.
    pub certificate: Certificate,
}

/// Why a verdict has no checked certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unchecked {
    /// The strategy cannot be written down.
    NoStrategy(Gap),
    /// The environment promises something for infinitely many steps: such strategies are not certified.
    Promises,
    /// The checker does not decide it.
    Undecided(Why),
    /// The checker rejects it.
    Rejected,
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unchecked::NoStrategy(gap) => write!(f, "the strategy cannot be written down: {gap}"),
            Unchecked::Promises => f.write_str(
                "strategies against promises of the environment for infinitely many steps are not certified",
            ),
            Unchecked::Undecided(why) => why.fmt(f),
            Unchecked::Rejected => f.write_str("a proof failed its check; please report this"),
        }
    }
}

impl Strategy {
    /// A controller as a system whose outputs are its moves and whose properties are the guarantees that it keeps at every step,
    /// without those that are [constantly true](Strategy::without_property).
    pub fn controller(&self) -> System {
        let mut system = self.system.clone();
        system.properties.clear();
        // What a contract computed besides may depend on what the controller does not.
        system.outputs.clear();
        for (var, value) in &self.moves {
            let name = system.variables[var.index()].name.clone();
            system.add_output(&name, *value);
        }
        for (id, value) in self.kept.iter().filter(|it| it.1 != Pool::TRUE) {
            system.add_property(id, Origin::Requirement(id.clone()), *value);
        }
        system
    }

    /// The ids of guarantees of which nothing is left to show at a single step: what must only happen at some time, and what the moves
    /// keep by themselves.
    pub fn without_property(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().filter(|it| it.1 == Pool::TRUE).map(|it| it.0.as_str())
    }

    /// Checks the certificate.
    ///
    /// # Errors
    /// It is rejected or not decided.
    pub fn check(&self, solver: &dyn Connect, stop: &(dyn Fn() -> bool + Sync)) -> Result<(), Unchecked> {
        match check(&self.system, self.property, &self.certificate, solver, stop) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Unchecked::Rejected),
            Err(why) => Err(Unchecked::Undecided(why)),
        }
    }
}

/// What a controller does where several moves win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taste {
    /// The simplest values.
    Simple,
    /// Outputs keep the values of the step before where they can.
    Steady,
}

/// The winning strategy of the system player, from the regions of the pieces of a game, and of pieces whose output sees everything that is
/// chosen before.
pub(crate) fn controller(
    whole: &Prepared,
    pieces: &mut [(Solver, Region)],
    answers: &mut [(Solver, Region)],
    taste: Taste,
) -> Result<Strategy, Unchecked> {
    if !whole.fair.is_empty() && pieces.iter().any(|it| !it.1.goals.is_empty()) {
        return Err(Unchecked::Promises);
    }
    build_controller(whole, pieces, answers, taste).map_err(Unchecked::NoStrategy)
}

fn build_controller(
    whole: &Prepared,
    pieces: &mut [(Solver, Region)],
    answers: &mut [(Solver, Region)],
    taste: Taste,
) -> Result<Strategy, Gap> {
    let mut system = whole.game.system.clone();
    let (mut moves, mut invariants, mut progress) = (Vec::new(), Vec::new(), Vec::new());
    let last = match taste {
        Taste::Simple => Last::default(),
        Taste::Steady => remembered(&mut system, &whole.game.outputs)?,
    };
    let mut allowed = Vec::new();
    for (solver, region) in pieces {
        let mine = controlled(&mut system, solver, region, &last)?;
        moves.extend(mine.moves);
        allowed.extend(mine.allowed);
        invariants.push(mine.invariant);
        progress.extend(mine.progress);
    }
    // What nothing depends on is chosen by nobody.
    let is_answer = |var: &Var| answers.iter().any(|it| it.0.prepared.game.is_output(*var));
    for var in whole.game.outputs.iter().filter(|it| !is_answer(it)) {
        if moves.iter().all(|it| it.0 != *var) {
            let ty = system.variables[var.index()].ty;
            let any = constant(&mut system.pool, ty, Value::any_of(ty))?;
            moves.push((*var, any));
        }
    }
    for (solver, region) in answers {
        let mine = controlled(&mut system, solver, region, &last)?;
        allowed.extend(mine.allowed);
        let known: FxHashMap<Var, Expr> = moves.iter().copied().collect();
        for (var, value) in mine.moves {
            let value = system.pool.substitute(&[value], &|var| known.get(&var).copied())[0];
            moves.push((var, value));
        }
    }
    moves.sort_unstable();
    let invariant = system.pool.and(invariants);
    let invariant = ranged(&mut system, invariant);
    close(&mut system, &moves);
    // What no output depends on is not remembered.
    let seen = system.cone(moves.iter().map(|it| it.1));
    let forgotten = system.pool.variables(last.values().copied());
    system.state.retain(|it| seen.contains(&it.var) || !forgotten.contains(&it.var));
    let game = &whole.game;
    let mut demanded: Vec<Expr> =
        game.guarantees.iter().map(|it| it.safety).chain(game.domain.iter().copied()).collect();
    let replaced: FxHashMap<Var, Expr> = moves.iter().copied().collect();
    demanded = system.pool.substitute(&demanded, &|var| replaced.get(&var).copied());
    let ids = game.guarantees.iter().map(|it| it.id.clone());
    let kept: Vec<(String, Expr)> = ids.zip(demanded.iter().copied()).collect();
    let next: FxHashMap<Var, Expr> = system.state.iter().map(|it| (it.var, it.next)).collect();
    for (rank, met) in progress {
        let later = system.pool.substitute(&[rank], &|var| next.get(&var).copied())[0];
        let falls = system.pool.lt(later, rank);
        let awaited = system.pool.not(met);
        demanded.push(system.pool.implies(awaited, falls));
    }
    let good = system.pool.and(demanded);
    let met = whole.goals.iter().map(|it| it.1).collect();
    for (var, allowed) in &mut allowed {
        let others = |it: Var| (it != *var).then(|| replaced.get(&it).copied()).flatten();
        *allowed = system.pool.substitute(&[*allowed], &others)[0];
    }
    allowed.sort_unstable();
    Ok(Strategy { kept, met, allowed, ..strategy(system, moves, good, invariant) })
}

/// A state for each output, with its value of the step before.
fn remembered(system: &mut System, outputs: &[Var]) -> Result<Last, Gap> {
    let mut last = Last::default();
    for output in outputs {
        let (name, ty) = {
            let it = &system.variables[output.index()];
            (format!("last {}", it.name), it.ty)
        };
        let start = constant(&mut system.pool, ty, Value::any_of(ty))?;
        let name = system.fresh_name(&name);
        let var = system.add_state(&name, ty, Some(start));
        let now = system.expr(*output);
        system.set_next(var, now);
        last.insert(*output, system.expr(var));
    }
    Ok(last)
}

/// What the system player does in a piece of a game.
struct Controlled {
    moves: Moves,
    /// With last values: which values of each output are allowed.
    allowed: Moves,
    invariant: Expr,
    /// With goals: the rank now, and whether the goal that is awaited is met.
    progress: Option<(Expr, Expr)>,
}

fn controlled(
    system: &mut System,
    solver: &mut Solver,
    region: &Region,
    last: &Last,
) -> Result<Controlled, Gap> {
    let keep = solver.toward(region.states)?;
    let keep = solver.allowed(keep);
    let order = solver.order;
    // Moves matter only where the game is won and the assumptions are kept.
    let care = match order {
        Order::Mealy if !solver.assumes_outputs() => solver.arena.m.and(region.states, solver.assumed),
        Order::Mealy | Order::Moore => region.states,
    };
    let moves = closed(solver, keep, order)?;
    let won = solver.arena.m.and(moves, care);
    // What is always determined need not be remembered.
    let mut kept = Last::default();
    for (var, value) in last {
        if solver.prepared.game.is_output(*var) && leaves_choice(&mut solver.arena, won, *var)? {
            kept.insert(*var, *value);
        }
    }
    let goal = (region.goals.len() > 1).then(|| {
        let name = system.fresh_name("goal#");
        let zero = system.pool.int(0);
        system.add_state(&name, Type::Int, Some(zero))
    });
    // For each goal: the relation, the rank now, and whether the goal is met now.
    let mut modes: Vec<(Moves, Expr, Expr)> = Vec::new();
    for layers in &region.goals {
        let (mut relation, mut ranks) = (keep, Vec::new());
        for pair in layers.windows(2).rev() {
            let nearer = solver.toward(pair[0])?;
            let nearer = solver.allowed(nearer);
            // Layers grow: the first that has the state decides.
            relation = solver.arena.m.choose(pair[1], nearer, relation);
        }
        let at_goal = layers.first().copied().unwrap_or(Bdd::FALSE);
        relation = solver.arena.m.choose(at_goal, keep, relation);
        relation = closed(solver, relation, order)?;
        relation = solver.arena.m.restrict(relation, care);
        let mut builder = Builder::new(system);
        let moves = builder.moves(&mut solver.arena, relation, Owner::System, &kept)?;
        for layer in layers {
            ranks.push(builder.truth(&solver.arena, *layer)?);
        }
        let rank = rank(&mut system.pool, &ranks);
        modes.push((moves, rank, ranks.first().copied().unwrap_or(Pool::FALSE)));
    }
    let keep = solver.arena.m.restrict(moves, care);
    if modes.is_empty() {
        let moves = Builder::new(system).moves(&mut solver.arena, keep, Owner::System, &kept)?;
        modes.push((moves, Pool::FALSE, Pool::TRUE));
    }
    let allowed = match last.is_empty() {
        true => Moves::new(),
        false => Builder::new(system).allowed(&mut solver.arena, keep)?,
    };
    let invariant = Builder::new(system).truth(&solver.arena, region.states)?;
    let mut moves = modes[0].0.clone();
    let mut rank_now = modes[0].1;
    let mut met = modes[0].2;
    if let Some(goal) = goal {
        let count = modes.len();
        let now = system.expr(goal);
        for (place, (other, rank, there)) in modes.iter().enumerate().skip(1) {
            let pool = &mut system.pool;
            let place = pool.int(place);
            let here = pool.eq(now, place);
            for (mine, its) in moves.iter_mut().zip(other) {
                mine.1 = pool.ite(here, its.1, mine.1);
            }
            rank_now = pool.ite(here, *rank, rank_now);
            met = pool.ite(here, *there, met);
        }
        let pool = &mut system.pool;
        let (zero, one, last) = (pool.int(0), pool.int(1), pool.int(count - 1));
        let more = pool.add(now, one);
        let is_last = pool.eq(now, last);
        let following = pool.ite(is_last, zero, more);
        let next = pool.ite(met, following, now);
        system.set_next(goal, next);
        let bounds = [system.pool.ge(now, zero), system.pool.le(now, last)];
        system.lemmas.extend(bounds);
    }
    let progress = (!region.goals.is_empty()).then_some((rank_now, met));
    Ok(Controlled { moves, allowed, invariant, progress })
}

/// Where the environment wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// In an initial state.
    Start,
    /// In all states that are lost.
    Everywhere,
}

/// The winning strategy of the environment.
pub(crate) fn counterstrategy(
    solver: &mut Solver,
    region: &Region,
    from: Extent,
) -> Result<Strategy, Unchecked> {
    if !solver.prepared.fair.is_empty() && !region.goals.is_empty() {
        return Err(Unchecked::Promises);
    }
    build_counterstrategy(solver, region, from).map_err(Unchecked::NoStrategy)
}

fn build_counterstrategy(solver: &mut Solver, region: &Region, from: Extent) -> Result<Strategy, Gap> {
    let mut system = solver.prepared.game.system.clone();
    match from {
        Extent::Start => start_lost(solver, region, &mut system)?,
        Extent::Everywhere => system.state.iter_mut().for_each(|it| it.init = None),
    }
    // For each loss: the states left after it, the goal's latch, and the moves from a state that is lost by it.
    let mut ranks: Vec<(Bdd, Option<Bdd>)> = Vec::new();
    let mut choices: Vec<Vec<(Var, Expr)>> = Vec::new();
    for loss in &region.losses {
        let good = solver.escape(loss)?;
        let out = unanswered(solver, good)?;
        let away = match loss.goal {
            None => out,
            Some((goal, reached)) => {
                let good = solver.toward(reached)?;
                let never = unanswered(solver, good)?;
                solver.arena.m.choose(goal, out, never)
            }
        };
        let lost = solver.arena.m.not(loss.left);
        let away = solver.arena.m.restrict(away, lost);
        let mut builder = Builder::new(&mut system);
        choices.push(match &solver.points[..] {
            [] => builder.moves(&mut solver.arena, away, Owner::Environment, &Last::default())?,
            points => builder.moves_to_points(&mut solver.arena, away, points)?,
        });
        ranks.push((loss.left, loss.goal.map(|it| it.0)));
    }
    let mut builder = Builder::new(&mut system);
    let mut left = Vec::new();
    let mut strict = Vec::new();
    for (states, goal) in &ranks {
        left.push(builder.truth(&solver.arena, *states)?);
        strict.push(match goal {
            Some(goal) => builder.truth(&solver.arena, *goal)?,
            None => Pool::TRUE,
        });
    }
    let pool = &mut system.pool;
    let lost: Vec<Expr> = left.iter().map(|it| pool.not(*it)).collect();
    // The first loss of a state decides.
    let mut moves: Vec<(Var, Expr)> = choices.last().cloned().unwrap_or_default();
    for (lost, choice) in lost.iter().zip(&choices).rev() {
        for (mine, its) in moves.iter_mut().zip(choice) {
            mine.1 = pool.ite(*lost, its.1, mine.1);
        }
    }
    let invariant = lost.last().copied().unwrap_or(Pool::FALSE);
    if from == Extent::Everywhere {
        system.initial = system.lemmas.iter().copied().chain([invariant]).collect();
    }
    close(&mut system, &moves);
    let game = &solver.prepared.game;
    let replaced: FxHashMap<Var, Expr> = moves.iter().copied().collect();
    let assumed = std::mem::take(&mut system.assumptions);
    let demanded = game.guarantees.iter().map(|it| it.safety).chain(game.domain.iter().copied());
    let demanded: Vec<Expr> = demanded.collect();
    let demanded = system.pool.substitute(&demanded, &|var| replaced.get(&var).copied());
    let demanded = system.pool.and(demanded);
    let next: FxHashMap<Var, Expr> = system.state.iter().map(|it| (it.var, it.next)).collect();
    let later = system.pool.substitute(&lost, &|var| next.get(&var).copied());
    let moving = region.losses.iter().map(|it| it.by.map(|by| (by, system.expr(by.counter))));
    let moving: Vec<Option<(Moving, Expr)>> = moving.collect();
    let pool = &mut system.pool;
    // A state that is lost first at some place of the list is lost before that place one step later; or not after it, unless the rank
    // must fall.
    let mut moves_on = Pool::TRUE;
    let mut before = (Pool::FALSE, Pool::FALSE);
    for (((lost, later), strict), moving) in lost.iter().zip(&later).zip(&strict).zip(moving) {
        let here = (pool.or([before.0, *lost]), pool.or([before.1, *later]));
        let reached = match moving {
            Some((by, now)) => {
                let then = next.get(&by.counter).copied().unwrap_or(now);
                let moves = if by.grows { pool.lt(now, then) } else { pool.lt(then, now) };
                let moved = pool.and([here.1, moves]);
                pool.or([before.1, moved])
            }
            None => pool.ite(*strict, before.1, here.1),
        };
        let first = pool.not(before.0);
        let first = pool.and([first, *lost]);
        let falls = pool.implies(first, reached);
        moves_on = pool.and([moves_on, falls]);
        before = here;
    }
    // The guarantees have been kept before this step; the assumptions must be kept also at the step at which that is over.
    let latch = |system: &mut System, like: &str, init: Expr| {
        let name = system.fresh_name(like);
        let var = system.add_state(&name, Type::Bool, Some(init));
        (var, system.expr(var))
    };
    let (kept, so_far) = latch(&mut system, "kept#", Pool::TRUE);
    let now = system.pool.and([so_far, demanded]);
    system.set_next(kept, now);
    // That the rank has not fallen is remembered, so that one step is enough to judge it.
    let (late, is_late) = latch(&mut system, "late#", Pool::FALSE);
    let stays = system.pool.not(moves_on);
    let stays = system.pool.and([now, stays]);
    system.set_next(late, stays);
    let pool = &mut system.pool;
    let in_time = pool.not(is_late);
    let good = pool.and(assumed);
    let good = pool.implies(so_far, good);
    let good = pool.and([good, in_time]);
    let invariant = pool.implies(so_far, invariant);
    let invariant = pool.and([invariant, in_time]);
    let invariant = ranged(&mut system, invariant);
    Ok(strategy(system, moves, good, invariant))
}

/// Chooses what is not fixed at the start: the environment does, and so that the game is lost.
fn start_lost(solver: &mut Solver, region: &Region, system: &mut System) -> Result<(), Gap> {
    if system.state.iter().all(|it| it.init.is_some()) {
        return Ok(());
    }
    let lost = solver.arena.m.not(region.states);
    let valid = solver.arena.valid(Owner::State);
    let lost = solver.arena.m.and(lost, valid);
    let start = solver.arena.initially(lost);
    let numbers = solver.arena.numbers_of(Owner::State);
    let values = solver.arena.values(start, &numbers)?.ok_or(Gap::NoValue)?;
    let System { pool, state, variables, .. } = system;
    for it in state.iter_mut().filter(|it| it.init.is_none()) {
        it.init = Some(constant(pool, variables[it.var.index()].ty, solver.arena.value_of(&values, it.var))?);
    }
    Ok(())
}

fn constant(pool: &mut Pool, ty: Type, value: Value) -> Result<Expr, Gap> {
    Ok(match (value, ty) {
        (Value::Bool(value), _) => pool.bool(value),
        (Value::Int(value), _) => pool.int(value),
        (Value::Real(value), _) => pool.real(value),
        (Value::Enum(place), Type::Enum(id)) => pool.literal(id, place),
        (Value::Enum(_) | Value::Machine(_) | Value::Undefined, _) => return Err(Gap::NoValue),
    })
}

/// The moves of the environment that keep the assumptions and that no good move of the system answers.
fn unanswered(solver: &mut Solver, good: Bdd) -> Result<Bdd, Gap> {
    let answered = match solver.order {
        Order::Mealy => {
            let allowed = solver.allowed(good);
            solver.some(allowed, Bdd::TRUE, Owner::System)?
        }
        Order::Moore => good,
    };
    let not = solver.arena.m.not(answered);
    Ok(solver.arena.m.and(solver.assumed, not))
}

/// In the order where the system moves first: its moves that are right whatever the inputs are.
fn closed(solver: &mut Solver, relation: Bdd, order: Order) -> Result<Bdd, Gap> {
    if order == Order::Mealy {
        return Ok(relation);
    }
    let bad = solver.arena.m.not(relation);
    let beaten = solver.some(bad, solver.assumed, Owner::Environment)?;
    Ok(solver.arena.m.not(beaten))
}

/// The number of the first condition that holds; their count if none does.
fn rank(pool: &mut Pool, conditions: &[Expr]) -> Expr {
    let mut rank = pool.int(conditions.len());
    for (place, condition) in conditions.iter().enumerate().rev() {
        let place = pool.int(place);
        rank = pool.ite(*condition, place, rank);
    }
    rank
}

/// An invariant with the ranges of counters.
fn ranged(system: &mut System, invariant: Expr) -> Expr {
    let all: Vec<Expr> = system.lemmas.iter().copied().chain([invariant]).collect();
    system.pool.and(all)
}

/// Puts a player's moves in the place of its variables.
fn close(system: &mut System, moves: &[(Var, Expr)]) {
    let replaced: FxHashMap<Var, Expr> = moves.iter().copied().collect();
    system.inputs.retain(|it| !replaced.contains_key(it));
    let System { pool, state, assumptions, .. } = system;
    let mut roots: Vec<&mut Expr> = state.iter_mut().map(|it| &mut it.next).collect();
    roots.extend(assumptions.iter_mut());
    let old: Vec<Expr> = roots.iter().map(|it| **it).collect();
    let new = pool.substitute(&old, &|var| replaced.get(&var).copied());
    roots.into_iter().zip(new).for_each(|(root, new)| *root = new);
}

fn strategy(mut system: System, moves: Vec<(Var, Expr)>, good: Expr, invariant: Expr) -> Strategy {
    let kept = Vec::new();
    system.properties.clear();
    let property = system.add_property("strategy", Origin::Unknown, good);
    let proof = Proof::Induction { k: 1, distinct: false };
    let certificate = Certificate { pool: system.pool.clone(), invariant, proof, recurrence: None };
    let (met, allowed) = (Vec::new(), Vec::new());
    Strategy { system, moves, kept, allowed, met, property, certificate }
}
