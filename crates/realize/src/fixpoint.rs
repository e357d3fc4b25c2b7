//! The winning region of the system player, as a fixpoint over sets of states.
//!
//! Safety: the greatest set of states from which, for every move of the environment, some move of the system keeps the guarantees and
//! stays in the set. The sets on the way are kept as layers: from outside the k-th one the environment wins within k steps. With live
//! parts it is a GR(1) game (Bloem, Jobstmann, Piterman, Pnueli, Sa'ar 2012): for each goal in turn, the states from which the system
//! reaches it or, for ever, a promise of the environment is broken.
//!
//! A duration of 600 steps would take 600 layers. So now and then a longer loss is guessed: whatever the value of a counter is, the environment
//! can go on as in the last layer, so that the counter moves in one direction until the game is lost. States of the guess for which
//! that is not true are removed from it until it is true for the rest; what is left is lost, with the counter as a rank.

use crate::arena::{Arena, Choice, Owner, Pins};
use crate::game::{Order, Prepared};
use crate::quantify::Values;
use crate::verdict::Gap;
use logic::bdd::{Bdd, Variables};
use system::Var;

/// Limits of a search, and when to stop.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The largest number of nodes of all diagrams of one game.
    pub nodes: usize,
    /// The largest number of iterations of a game with numbers in its memory; others always come to an end.
    pub steps: usize,
    /// The number of iterations after which many further ones are guessed.
    pub patience: usize,
    /// Asked from time to time.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Budget<'static> {
    /// Generous limits and no timeout.
    pub const DEFAULT: Budget<'static> =
        Budget { nodes: 4_000_000, steps: 200, patience: 16, stop: &|| false };
}

impl Budget<'_> {
    /// The same with at most so many nodes.
    #[must_use]
    pub fn at_most(self, nodes: usize) -> Self {
        Budget { nodes: self.nodes.min(nodes), ..self }
    }
}

/// The largest number of rounds in which a guess is narrowed.
const ROUNDS: usize = 16;

/// The moves of a game as diagrams.
pub(crate) struct Solver<'g, 'b> {
    pub(crate) arena: Arena<'g, 'b>,
    pub(crate) prepared: &'g Prepared,
    pub(crate) order: Order,
    /// What the environment must keep.
    pub(crate) assumed: Bdd,
    /// What the system must keep.
    pub(crate) guaranteed: Bdd,
    /// The guarantees one by one, each with its selector.
    pub(crate) each: Vec<Bdd>,
    /// If there are any: what the environment chooses its numbers from.
    pub(crate) points: Vec<Values>,
}

/// One step of losing states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loss {
    /// The states that are left after it.
    pub(crate) left: Bdd,
    /// What was left before it. From a state that is lost here the environment can leave these states at once, or, with a goal, unless
    /// the goal's latch is not set.
    pub(crate) from: Bdd,
    /// A goal's latch, and the states from which it is reached: the environment can keep out of them, and the goal's latch is set only
    /// where it can leave `from`.
    pub(crate) goal: Option<(Bdd, Bdd)>,
    /// A counter: from a state that is lost here, the environment can leave `from` at once, or stay outside of `left` and move the counter
    /// in this direction.
    pub(crate) by: Option<Moving>,
}

/// A counter that moves in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moving {
    pub(crate) counter: Var,
    /// Whether it grows; otherwise it falls.
    pub(crate) grows: bool,
}

/// The result of a fixpoint.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The states from which the system wins.
    pub(crate) states: Bdd,
    /// How the other states were lost, in order: ranks of the environment's strategy.
    pub(crate) losses: Vec<Loss>,
    /// For each goal, the states from which it is reached within more and more steps, as far as the environment keeps its promises.
    pub(crate) goals: Vec<Vec<Bdd>>,
    /// Whether all initial states are in it.
    pub(crate) won: bool,
}

impl<'g, 'b> Solver<'g, 'b> {
    pub(crate) fn new(
        prepared: &'g Prepared,
        choice: Choice,
        pins: Pins,
        budget: Budget<'b>,
    ) -> Result<Solver<'g, 'b>, Gap> {
        let game = &prepared.game;
        let order = choice.order;
        let mut arena = Arena::new(game, choice, pins, budget);
        let mut assumed = arena.valid(Owner::Environment);
        for it in &game.system.assumptions {
            let it = arena.truth(*it);
            assumed = arena.m.and(assumed, it);
        }
        let mut guaranteed = arena.valid(Owner::System);
        for it in &game.domain {
            let it = arena.truth(*it);
            guaranteed = arena.m.and(guaranteed, it);
        }
        let mut each = Vec::new();
        for (index, it) in game.guarantees.iter().enumerate() {
            let safety = arena.truth(it.safety);
            let selector = arena.selector(index);
            let demanded = arena.m.choose(selector, safety, Bdd::TRUE);
            each.push(demanded);
            guaranteed = arena.m.and(guaranteed, demanded);
            arena.check()?;
        }
        Ok(Solver { arena, prepared, order, assumed, guaranteed, each, points: Vec::new() })
    }

    /// What the system must do now to keep the guarantees and to reach a set of states.
    pub(crate) fn toward(&mut self, states: Bdd) -> Result<Bdd, Gap> {
        let next = self.arena.step(states);
        let later = self.arena.m.compose(states, &next);
        let good = self.arena.m.and(self.guaranteed, later);
        let good = self.whatever_is_last(good);
        self.arena.check()?;
        Ok(good)
    }

    /// What holds whatever the environment chooses after the outputs.
    fn whatever_is_last(&mut self, f: Bdd) -> Bdd {
        if !self.arena.is_opaque() {
            return f;
        }
        let last = self.arena.chosen_last();
        self.arena.m.forall(f, &last)
    }

    /// Whether some move of a player makes a function true.
    pub(crate) fn some(&mut self, f: Bdd, with: Bdd, owner: Owner) -> Result<Bdd, Gap> {
        let bits = self.arena.bits_of(owner);
        let f = self.arena.m.and_exists(f, with, &bits);
        if owner == Owner::Environment && !self.points.is_empty() {
            let mut found = Bdd::FALSE;
            for point in &self.points {
                let there = self.arena.with_numbers(f, point);
                let there = self.arena.tidy(there);
                found = self.arena.m.or(found, there);
            }
            return Ok(found);
        }
        let numbers = self.arena.numbers_of(owner);
        self.arena.exists_numbers(f, &numbers)
    }

    /// What the system must do now to escape a loss.
    pub(crate) fn escape(&mut self, loss: &Loss) -> Result<Bdd, Gap> {
        let out = self.toward(loss.from)?;
        let Some(by) = loss.by else { return Ok(out) };
        let next = self.arena.step(loss.left);
        let beyond = self.arena.m.compose(loss.left, &next);
        let moves = self.arena.moves_on(by.counter, by.grows);
        let stays = self.arena.m.not(moves);
        let free = self.arena.m.or(beyond, stays);
        let good = self.arena.m.and(out, free);
        let good = self.whatever_is_last(good);
        self.arena.check()?;
        Ok(good)
    }

    /// The states from which the system can keep the guarantees for one step and reach a set of states.
    pub(crate) fn before(&mut self, states: Bdd) -> Result<Bdd, Gap> {
        self.arena.check()?;
        let good = self.toward(states)?;
        self.answers(good)
    }

    /// The states from which the system can move as it must.
    fn answers(&mut self, good: Bdd) -> Result<Bdd, Gap> {
        let result = match self.order {
            Order::Mealy => {
                let allowed = self.allowed(good);
                let answered = self.some(allowed, Bdd::TRUE, Owner::System)?;
                let unanswered = self.arena.m.not(answered);
                let lost = self.some(unanswered, self.assumed, Owner::Environment)?;
                self.arena.m.not(lost)
            }
            Order::Moore => {
                let bad = self.arena.m.not(good);
                let beaten = self.some(bad, self.assumed, Owner::Environment)?;
                let safe = self.arena.m.not(beaten);
                let valid = self.arena.valid(Owner::System);
                self.some(safe, valid, Owner::System)?
            }
        };
        self.arena.check()?;
        Ok(self.arena.tidy(result))
    }

    /// Whether the assumptions are about outputs.
    pub(crate) fn assumes_outputs(&self) -> bool {
        let assumed = self.arena.m.support(self.assumed);
        assumed.iter().any(|it| self.arena.owner(it) == Owner::System)
    }

    /// What the system may do besides: where the assumptions are about outputs, it may break them.
    pub(crate) fn allowed(&mut self, good: Bdd) -> Bdd {
        if !self.assumes_outputs() {
            return good;
        }
        let not_assumed = self.arena.m.not(self.assumed);
        let either = self.arena.m.or(not_assumed, good);
        self.whatever_is_last(either)
    }

    /// Whether the system wins from all initial states; with selectors, a function of them.
    pub(crate) fn at_start(&mut self, states: Bdd) -> Result<Bdd, Gap> {
        let start = self.arena.initially(states);
        let lost = self.arena.m.not(start);
        // What has no initial value has any: the environment chooses it.
        let selectors = self.arena.meanings.iter().enumerate();
        let is_selector = |it: &crate::arena::Meaning| matches!(it, crate::arena::Meaning::Selector(_));
        let bits: Variables = selectors
            .filter(|it| !is_selector(it.1) && !matches!(it.1, crate::arena::Meaning::Atom(_)))
            .map(|it| it.0 as u32)
            .collect();
        let valid = self.arena.valid(Owner::State);
        let lost = self.arena.m.and_exists(lost, valid, &bits);
        let numbers = self.arena.numbers_of(Owner::State);
        let lost = self.arena.exists_numbers(lost, &numbers)?;
        self.arena.check()?;
        Ok(self.arena.m.not(lost))
    }

    /// Whether some initial state is in a set.
    pub(crate) fn some_start(&mut self, states: Bdd) -> Result<Bdd, Gap> {
        let others = self.arena.m.not(states);
        let none = self.at_start(others)?;
        Ok(self.arena.m.not(none))
    }

    /// The winning region. Without selectors it stops as soon as an initial state is lost.
    pub(crate) fn solve(&mut self) -> Result<Region, Gap> {
        self.region(true)
    }

    /// The winning region, also if no initial state is in it.
    pub(crate) fn solve_fully(&mut self) -> Result<Region, Gap> {
        self.region(false)
    }

    fn region(&mut self, stops_when_lost: bool) -> Result<Region, Gap> {
        let mut losses = Vec::new();
        let mut states = Bdd::TRUE;
        let numeric = !self.arena.numbers_of(Owner::State).is_empty();
        loop {
            let before = self.before(states)?;
            let kept = self.arena.m.and(states, before);
            let kept = self.arena.tidy(kept);
            self.arena.check()?;
            let done = self.arena.is_same(states, kept)?;
            losses.push(Loss { left: kept, from: states, goal: None, by: None });
            let last = (states, kept);
            states = kept;
            if !done && losses.len() >= self.arena.budget.patience && losses.len().is_power_of_two() {
                for loss in self.longer(last)? {
                    states = loss.left;
                    losses.push(loss);
                }
            }
            if stops_when_lost && self.at_start(states)? == Bdd::FALSE {
                return Ok(Region { states, losses, goals: Vec::new(), won: false });
            }
            if done {
                break;
            }
            if numeric && losses.len() >= self.arena.budget.steps {
                return Err(Gap::Steps(losses.len()));
            }
        }
        if self.prepared.goals.is_empty() {
            let won = self.at_start(states)? == Bdd::TRUE;
            return Ok(Region { states, losses, goals: Vec::new(), won });
        }
        self.gr1(states, losses)
    }

    /// Losses by many steps like the last one, which left `kept` of `states`.
    fn longer(&mut self, (states, kept): (Bdd, Bdd)) -> Result<Vec<Loss>, Gap> {
        let gone = self.arena.m.not(kept);
        let new = self.arena.m.and(states, gone);
        let mut losses = Vec::new();
        let mut from = kept;
        for counter in self.arena.counters_in(new) {
            let bits = self.arena.block(counter);
            let everywhere = self.arena.m.exists(new, &bits);
            for grows in [true, false] {
                let outside = self.arena.m.not(everywhere);
                let left = self.arena.m.and(from, outside);
                let by = Some(Moving { counter, grows });
                let Some(loss) = self.narrowed(Loss { left, from, goal: None, by })? else { continue };
                from = loss.left;
                losses.push(loss);
            }
        }
        Ok(losses)
    }

    /// The largest part of a guessed loss that is one, unless there is none or it takes long to find.
    fn narrowed(&mut self, mut loss: Loss) -> Result<Option<Loss>, Gap> {
        for _ in 0..ROUNDS {
            let good = self.escape(&loss)?;
            let kept = self.answers(good)?;
            let kept = self.arena.m.and(loss.from, kept);
            let left = self.arena.m.or(loss.left, kept);
            let left = self.arena.tidy(left);
            self.arena.check()?;
            if self.arena.is_same(left, loss.left)? {
                return Ok((!self.arena.is_same(loss.from, left)?).then_some(loss));
            }
            loss.left = left;
        }
        Ok(None)
    }

    fn latch(&mut self, var: Var) -> Bdd {
        let expr = self.arena.blocks[var.index()].expect("a latch is a Boolean and has a bit");
        self.arena.m.variable(expr.first)
    }

    fn gr1(&mut self, safe: Bdd, mut losses: Vec<Loss>) -> Result<Region, Gap> {
        let prepared = self.prepared;
        let goals: Vec<Bdd> = prepared
            .goals
            .iter()
            .map(|(guarantee, latch)| {
                let (latch, selector) = (self.latch(*latch), self.arena.selector(*guarantee));
                self.arena.m.choose(selector, latch, Bdd::TRUE)
            })
            .collect();
        let promises: Vec<Bdd> = prepared.fair.iter().map(|it| self.latch(*it)).collect();
        let mut states = safe;
        let mut rounds = 0;
        loop {
            let old = states;
            let mut all = Vec::new();
            for goal in &goals {
                let back = self.before(states)?;
                let at_goal = self.arena.m.and(*goal, back);
                let mut reached: Vec<Bdd> = Vec::new();
                let mut last = Bdd::FALSE;
                loop {
                    let near = self.before(last)?;
                    let start = self.arena.m.or(at_goal, near);
                    let mut now = start;
                    for promise in &promises {
                        let waiting = self.waiting(start, *promise, states)?;
                        now = self.arena.m.or(now, waiting);
                    }
                    let now = self.arena.tidy(now);
                    self.arena.check()?;
                    if self.arena.is_same(now, last)? {
                        break;
                    }
                    reached.push(now);
                    last = now;
                    rounds += 1;
                    if !self.arena.numbers_of(Owner::State).is_empty() && rounds > self.arena.budget.steps {
                        return Err(Gap::Steps(0));
                    }
                }
                let left = self.arena.m.and(states, last);
                losses.push(Loss { left, from: states, goal: Some((*goal, last)), by: None });
                states = left;
                all.push(reached);
            }
            let start = self.at_start(states)?;
            if start == Bdd::FALSE {
                return Ok(Region { states, losses, goals: all, won: false });
            }
            if self.arena.is_same(old, states)? {
                let won = start == Bdd::TRUE;
                return Ok(Region { states, losses, goals: all, won });
            }
        }
    }

    /// The greatest set within `bound` from which the system reaches `start`, or stays while a promise is broken.
    fn waiting(&mut self, start: Bdd, promise: Bdd, bound: Bdd) -> Result<Bdd, Gap> {
        let broken = self.arena.m.not(promise);
        let mut set = self.arena.m.or(bound, start);
        loop {
            let before = self.before(set)?;
            let stays = self.arena.m.and(broken, before);
            let now = self.arena.m.or(start, stays);
            let now = self.arena.m.and(now, set);
            if self.arena.is_same(set, now)? {
                return Ok(now);
            }
            set = now;
        }
    }
}
