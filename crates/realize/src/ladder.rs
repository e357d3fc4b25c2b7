//! Questions about a set besides whether it is realizable.
//!
//! Most are games with other roles. If one player makes all choices and keeps all promises, winning means that there is a run. If the
//! environment plays alone, it means that the assumptions can always be kept. A requirement is redundant if no run that keeps the
//! others violates it. Triggers are asked about inside the winning region, so that what only a losing system does is not counted.

use crate::answer::{Tried, answered};
use crate::arena::{Choice, Owner, Pins};
use crate::fixpoint::{Budget, Solver};
use crate::game::{Game, Guarantee, Order, Prepared};
use crate::solve::{Outcome, decide};
use crate::verdict::Gap;
use logic::bdd::Bdd;
use std::collections::BTreeMap;
use system::{Expr, Pool, Type};

/// The largest number of nodes for one question. There are many questions, so one that is too large must not take the time of all.
const NODES: usize = 400_000;

/// Whether something is so; `Err` if that is not known.
pub type Answer = Result<bool, Gap>;

/// The answers about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// Whether each guarantee has a run of its own.
    pub satisfiable: Vec<Answer>,
    /// Whether all guarantees and assumptions have a run in common.
    pub consistent: Answer,
    /// Whether no finite run that keeps everything ends in a state from which it cannot go on.
    pub free_of_dead_ends: Answer,
    /// Whether the environment can keep the assumptions for ever, whatever the system does.
    pub assumptions_possible: Answer,
    /// Whether the environment can keep the assumptions after every run that keeps them so far: otherwise a component may win by leading
    /// it into a state in which it cannot (Maoz and Ringert 2016).
    pub well_separated: Answer,
    /// How each trigger can come about; only for realizable games.
    pub triggers: Vec<Result<Trigger, Gap>>,
    /// Whether the other guarantees imply this one.
    pub redundant: Vec<Answer>,
}

/// How the trigger of a requirement can come about against a system that wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// Never: the requirement is met without being triggered.
    Impossible,
    /// Only if the system makes some choices.
    NeedsSystem,
    /// Whatever the system does, if the environment wants it.
    Forced,
}

impl Trigger {
    /// The name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Trigger::Impossible => "impossible",
            Trigger::NeedsSystem => "needs the system",
            Trigger::Forced => "forced",
        }
    }
}

/// Answers all questions about a game; triggers only if it is realizable.
pub fn ladder(game: &Game, order: Order, budget: Budget) -> Ladder {
    let budget = budget.at_most(NODES);
    let count = game.guarantees.len();
    let alone = |it: usize| won(&together(&game.part(&[it])), budget);
    Ladder {
        satisfiable: (0..count).map(alone).collect(),
        consistent: won(&together(game), budget),
        free_of_dead_ends: free_of_dead_ends(game, budget),
        assumptions_possible: assumptions_possible(game, budget),
        well_separated: well_separated(game, budget),
        triggers: triggers(game, order, budget),
        redundant: (0..count).map(|it| is_redundant(game, it, budget)).collect(),
    }
}

/// Whether the environment can keep the assumptions for ever, whatever the system does. If not, requirements may be realizable only
/// because the environment is stuck.
pub fn assumptions_possible(game: &Game, budget: Budget) -> Answer {
    won_in(&environment(game), Order::Moore, budget)
}

fn won(game: &Game, budget: Budget) -> Answer {
    won_in(game, Order::Mealy, budget)
}

fn won_in(game: &Game, order: Order, budget: Budget) -> Answer {
    match decide(game, order, budget) {
        Outcome::Realizable => Ok(true),
        Outcome::Unrealizable => Ok(false),
        Outcome::Unknown(gap) => Err(gap),
    }
}

/// A guarantee that only says what must hold.
fn demand(safety: Expr, live: Option<Expr>) -> Guarantee {
    Guarantee { id: String::new(), safety, live, trigger: Pool::TRUE }
}

/// The game in which one player makes all choices: it is won if there is a run.
pub(crate) fn together(game: &Game) -> Game {
    let mut game = game.clone();
    game.outputs = game.system.inputs.clone();
    let assumed = std::mem::take(&mut game.system.assumptions);
    game.guarantees.extend(assumed.into_iter().map(|it| demand(it, None)));
    let fair = std::mem::take(&mut game.fair);
    game.guarantees.extend(fair.into_iter().map(|it| demand(Pool::TRUE, Some(it))));
    game
}

/// The game in which the environment must keep the assumptions, whatever the system does.
fn environment(game: &Game) -> Game {
    let mut new = game.clone();
    let is_input = |it: &&system::Var| !game.is_output(**it);
    new.outputs = game.system.inputs.iter().filter(is_input).copied().collect();
    let assumed = std::mem::take(&mut new.system.assumptions);
    let fair = std::mem::take(&mut new.fair);
    new.guarantees = assumed.into_iter().map(|it| demand(it, None)).collect();
    new.guarantees.extend(fair.into_iter().map(|it| demand(Pool::TRUE, Some(it))));
    new.system.assumptions = std::mem::take(&mut new.domain);
    new
}

/// Whether no run keeps all other guarantees and the assumptions and violates this one: at some step, or for ever from a step that
/// the one player announces.
pub fn is_redundant(game: &Game, guarantee: usize, budget: Budget) -> Answer {
    let mut whole = together(game);
    let denied = whole.guarantees.remove(guarantee);
    let system = &mut whole.system;
    let latch = |system: &mut system::System, like: &str| {
        let name = system.fresh_name(like);
        let var = system.add_state(&name, Type::Bool, Some(Pool::FALSE));
        (var, system.expr(var))
    };
    let (broken, was_broken) = latch(system, "broken#");
    let violated = system.pool.not(denied.safety);
    let now = system.pool.or([was_broken, violated]);
    system.set_next(broken, now);
    let mut reached = now;
    if let Some(live) = denied.live {
        let name = system.fresh_name("announced#");
        let announce = system.add_input(&name, Type::Bool);
        whole.outputs.push(announce);
        let announce = system.expr(announce);
        let (announced, before) = latch(system, "since#");
        let since = system.pool.or([before, announce]);
        system.set_next(announced, since);
        let never = system.pool.not(live);
        let kept = system.pool.implies(since, never);
        whole.guarantees.push(demand(kept, None));
        reached = system.pool.or([now, since]);
    }
    whole.guarantees.push(demand(Pool::TRUE, Some(reached)));
    won(&whole, budget).map(|it| !it)
}

/// Whether no finite run that keeps everything is stuck.
fn free_of_dead_ends(game: &Game, budget: Budget) -> Answer {
    let game = together(game);
    let mut safety = game.clone();
    safety.guarantees.iter_mut().for_each(|it| it.live = None);
    // Without a run that goes on for ever, each run comes to an end.
    if won(&safety, budget) == Ok(false) {
        return Ok(false);
    }
    // Pieces have no variables in common, so a run of the whole is stuck where the run of one piece is.
    let pieces = safety.prepared().pieces(Order::Mealy, budget);
    let mut free = Ok(true);
    for piece in pieces.iter().filter(|it| !it.answered) {
        match is_never_stuck(&piece.prepared, budget) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(gap) => free = Err(gap),
        }
    }
    free
}

fn is_never_stuck(prepared: &Prepared, budget: Budget) -> Answer {
    let choice = Choice { order: Order::Mealy, opaque: Owner::Environment, selectors: false };
    let mut solver = Solver::new(prepared, choice, Pins::default(), budget)?;
    let region = solver.solve_fully()?;
    if solver.arena.is_opaque() {
        return Err(Gap::Nonlinear);
    }
    let stuck = solver.arena.m.not(region.states);
    let reached = reach(&mut solver, budget, |solver, now| {
        let back = solver.before(now)?;
        Ok(solver.arena.m.or(stuck, back))
    })?;
    Ok(solver.some_start(reached)? == Bdd::FALSE)
}

/// Whether no run that keeps the assumptions so far leads to a state from which the environment cannot keep them for ever.
fn well_separated(game: &Game, budget: Budget) -> Answer {
    let mut game = environment(game);
    // What the environment promises for infinitely many steps does not make a state hopeless.
    game.guarantees.retain(|it| it.live.is_none());
    if game.guarantees.is_empty() {
        return Ok(true);
    }
    let prepared = game.prepared();
    let choice = Choice { order: Order::Moore, opaque: Owner::Environment, selectors: false };
    let mut solver = Solver::new(&prepared, choice, Pins::default(), budget)?;
    let region = solver.solve_fully()?;
    if solver.arena.is_opaque() {
        return Err(Gap::Nonlinear);
    }
    let hopeless = solver.arena.m.not(region.states);
    let reached = reach(&mut solver, budget, |solver, now| {
        let good = solver.toward(now)?;
        let chosen = solver.some(good, Bdd::TRUE, Owner::System)?;
        let back = solver.some(chosen, solver.assumed, Owner::Environment)?;
        Ok(solver.arena.m.or(hopeless, back))
    })?;
    Ok(solver.some_start(reached)? == Bdd::FALSE)
}

/// The least set that a step maps into itself.
fn reach<'g, 'b>(
    solver: &mut Solver<'g, 'b>,
    budget: Budget,
    mut step: impl FnMut(&mut Solver<'g, 'b>, Bdd) -> Result<Bdd, Gap>,
) -> Result<Bdd, Gap> {
    let numeric = !solver.arena.numbers_of(Owner::State).is_empty();
    let mut now = Bdd::FALSE;
    for round in 0.. {
        let more = step(solver, now)?;
        let more = solver.arena.tidy(more);
        solver.arena.check()?;
        if solver.arena.is_same(more, now)? {
            break;
        }
        if numeric && round >= budget.steps {
            return Err(Gap::Steps(round));
        }
        now = more;
    }
    Ok(now)
}

/// How each trigger can come about while the system stays where it wins; nothing if it cannot win.
pub fn triggers(game: &Game, order: Order, budget: Budget) -> Vec<Result<Trigger, Gap>> {
    let all = game.guarantees.iter();
    match decide(game, order, budget) {
        Outcome::Realizable => {}
        Outcome::Unrealizable => return Vec::new(),
        Outcome::Unknown(gap) => return all.map(|_| Err(gap.clone())).collect(),
    }
    // Triggers that depend on the same guarantees are asked about together.
    let mut questions: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    let mut tried = Tried::default();
    for (place, it) in all.clone().enumerate() {
        questions.entry(relevant(game, it.trigger, &mut tried, order, budget)).or_default().push(place);
    }
    let mut found: Vec<Result<Trigger, Gap>> = all.map(|_| Err(Gap::Time)).collect();
    for (guarantees, places) in questions {
        let chosen = guarantees.iter().map(|it| game.guarantees[*it].clone()).collect();
        let part = Game { guarantees: chosen, ..game.clone() };
        let triggers: Vec<Expr> = places.iter().map(|it| game.guarantees[*it].trigger).collect();
        for (place, answer) in places.iter().zip(triggers_in(&part, &triggers, order, budget)) {
            found[*place] = answer;
        }
    }
    found
}

/// The guarantees of a realizable game that decide how an expression can come about: they share outputs with it, directly or through
/// others, and are not those of outputs that always have an answer.
fn relevant(game: &Game, expr: Expr, tried: &mut Tried, order: Order, budget: Budget) -> Vec<usize> {
    let cone = game.cone([expr]);
    let answered = answered(game, &cone, tried, order, budget);
    let is_left = |it: &usize| answered.iter().all(|answered| !answered.guarantees.contains(it));
    let left: Vec<usize> = (0..game.guarantees.len()).filter(is_left).collect();
    let rest = left.iter().map(|it| game.guarantees[*it].clone()).collect();
    let components = Game { guarantees: rest, ..game.clone() }.components().into_iter();
    let touched = components.filter(|it| it.outputs.iter().any(|it| cone.contains(it)));
    let mut guarantees: Vec<usize> = touched.flat_map(|it| it.guarantees).map(|it| left[it]).collect();
    guarantees.sort_unstable();
    guarantees
}

/// How expressions can come about while the system stays where it wins.
fn triggers_in(game: &Game, exprs: &[Expr], order: Order, budget: Budget) -> Vec<Result<Trigger, Gap>> {
    let prepared = game.prepared();
    let choice = Choice { order, opaque: Owner::Environment, selectors: false };
    let solved = Solver::new(&prepared, choice, Pins::default(), budget)
        .and_then(|mut solver| Ok((solver.solve()?, solver)));
    match solved {
        Ok((_, solver)) if solver.arena.is_opaque() => exprs.iter().map(|_| Err(Gap::Nonlinear)).collect(),
        Ok((region, mut solver)) => {
            exprs.iter().map(|it| trigger(&mut solver, region.states, *it, budget)).collect()
        }
        Err(gap) => exprs.iter().map(|_| Err(gap.clone())).collect(),
    }
}

fn trigger(solver: &mut Solver, won: Bdd, trigger: Expr, budget: Budget) -> Result<Trigger, Gap> {
    let trigger = solver.arena.truth(trigger);
    let safe = solver.toward(won)?;
    let possible = reach(solver, budget, |solver, now| {
        let step = solver.arena.step(now);
        let later = solver.arena.m.compose(now, &step);
        let here = solver.arena.m.or(trigger, later);
        let both = solver.arena.m.and(safe, here);
        let chosen = solver.some(both, solver.assumed, Owner::System)?;
        solver.some(chosen, Bdd::TRUE, Owner::Environment)
    })?;
    if solver.some_start(possible)? == Bdd::FALSE {
        return Ok(Trigger::Impossible);
    }
    let forced = reach(solver, budget, |solver, now| {
        let step = solver.arena.step(now);
        let later = solver.arena.m.compose(now, &step);
        let here = solver.arena.m.or(trigger, later);
        let avoided = solver.arena.m.not(here);
        match solver.order {
            Order::Mealy => {
                let escape = solver.arena.m.and(safe, avoided);
                let escapes = solver.some(escape, Bdd::TRUE, Owner::System)?;
                let caught = solver.arena.m.not(escapes);
                solver.some(caught, solver.assumed, Owner::Environment)
            }
            // The system escapes by outputs that are safe and avoid it whatever the inputs are.
            Order::Moore => {
                let unsafe_now = solver.arena.m.not(safe);
                let beaten = solver.some(unsafe_now, solver.assumed, Owner::Environment)?;
                let hit = solver.some(here, solver.assumed, Owner::Environment)?;
                let caught = solver.arena.m.or(beaten, hit);
                let free = solver.arena.m.not(caught);
                let valid = solver.arena.valid(Owner::System);
                let escapes = solver.some(free, valid, Owner::System)?;
                Ok(solver.arena.m.not(escapes))
            }
        }
    })?;
    let always = solver.at_start(forced)? == Bdd::TRUE;
    Ok(if always { Trigger::Forced } else { Trigger::NeedsSystem })
}
