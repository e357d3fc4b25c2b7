//! A point of a play: what each guarantee demands now, which choices lose, and what a player who wins does. For people who play.

use crate::fixpoint::Budget;
use crate::game::{Game, Guarantee, Order};
use crate::play::valued;
use crate::solve::{Judgement, Outcome, decide, judge};
use rustc_hash::FxHashMap;
use system::{Expr, Pool, Type, Value, Var};

/// Values of some variables at a step.
pub type Choice = Vec<(Var, Value)>;

/// A point of a play.
#[derive(Clone, Debug)]
pub struct Position {
    game: Game,
    state: FxHashMap<Var, Value>,
    /// The number of steps since what each guarantee demands infinitely often held, from one step before the start on.
    since: Vec<usize>,
}

/// What a guarantee demands of the outputs of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The index of the guarantee.
    pub guarantee: usize,
    /// What must hold now; `None` if anything may.
    pub now: Option<String>,
    /// What must hold sooner or later.
    pub awaited: Option<String>,
}

impl Position {
    /// The start of a play. What has no initial value has any.
    pub fn start(game: &Game) -> Position {
        let none = FxHashMap::default();
        let initial = |it: &system::State| {
            let any = || Value::any_of(game.system.variables[it.var.index()].ty);
            (it.var, it.init.map_or_else(any, |it| valued(&game.system.pool, it, &none)))
        };
        let since = vec![1; game.guarantees.len()];
        Position { state: game.system.state.iter().map(initial).collect(), game: game.clone(), since }
    }

    /// The position after a step.
    #[must_use]
    pub fn after(&self, step: &[(Var, Value)]) -> Position {
        let now = self.with(step);
        let system = &self.game.system;
        let state = system.state.iter().map(|it| (it.var, valued(&system.pool, it.next, &now))).collect();
        let met =
            |live: Option<Expr>| live.is_some_and(|it| valued(&system.pool, it, &now) == Value::Bool(true));
        let guarantees = self.game.guarantees.iter().zip(&self.since);
        let since = guarantees.map(|(it, since)| if met(it.live) { 0 } else { since + 1 }).collect();
        let mut game = self.game.clone();
        game.system.initial.clear();
        Position { game, state, since }
    }

    /// What the guarantees demand now, as far as some variables are known. Those that demand nothing are left out.
    pub fn demands(&self, known: &[(Var, Value)]) -> Vec<Demand> {
        let mut system = self.game.system.clone();
        let constants = self.constants(&mut system, known);
        let mut left = |expr: Expr| {
            let expr = system.pool.substitute(&[expr], &|var| constants.get(&var).copied())[0];
            (expr != Pool::TRUE).then(|| match expr {
                Pool::FALSE => "nothing".to_owned(),
                expr => system.show(expr),
            })
        };
        let demand = |(guarantee, it): (usize, &Guarantee)| Demand {
            guarantee,
            now: left(it.safety),
            awaited: it.live.and_then(&mut left),
        };
        let all: Vec<Demand> = self.game.guarantees.iter().enumerate().map(demand).collect();
        all.into_iter().filter(|it| it.now.is_some() || it.awaited.is_some()).collect()
    }

    /// The guarantees that a step violates.
    pub fn violated(&self, step: &[(Var, Value)]) -> Vec<usize> {
        let now = self.with(step);
        let holds = |expr: Expr| valued(&self.game.system.pool, expr, &now) == Value::Bool(true);
        let guarantees = self.game.guarantees.iter().enumerate();
        guarantees.filter(|(_, it)| !holds(it.safety)).map(|(at, _)| at).collect()
    }

    /// Whether a step keeps the assumptions and the declared ranges of outputs.
    pub fn is_allowed(&self, step: &[(Var, Value)]) -> bool {
        let now = self.with(step);
        let system = &self.game.system;
        let all = system.assumptions.iter().chain(&system.initial).chain(&self.game.domain);
        // What is about variables that are not known yet is not broken yet.
        all.into_iter().all(|it| valued(&system.pool, *it, &now) != Value::Bool(false))
    }

    /// Who wins from here, if some variables have these values at this step.
    pub fn outcome(&self, fixed: &[(Var, Value)], order: Order, budget: Budget) -> Outcome {
        decide(&self.pinned(fixed), order, budget)
    }

    /// A step with these values in which the player who wins from here makes its best move; the other one makes some move.
    pub fn suggestion(&self, fixed: &[(Var, Value)], order: Order, budget: Budget) -> Option<Choice> {
        // A strategy begins with the first goal: that is the one that was met least recently, so that none is left out for ever.
        let mut game = self.pinned(fixed);
        let goals: Vec<usize> =
            (0..self.since.len()).filter(|it| game.guarantees[*it].live.is_some()).collect();
        let mut by_age = goals.clone();
        by_age.sort_by_key(|it| std::cmp::Reverse(self.since[*it]));
        let ordered: Vec<Guarantee> = by_age.iter().map(|it| game.guarantees[*it].clone()).collect();
        goals.iter().zip(ordered).for_each(|(place, it)| game.guarantees[*place] = it);
        let Judgement { strategy, play, .. } = judge(&game, order, budget);
        if let Some(play) = play {
            return play.steps.into_iter().next();
        }
        let strategy = strategy?.ok()?;
        let mut now: FxHashMap<Var, Value> = FxHashMap::default();
        for it in &strategy.system.state {
            let any = Value::any_of(strategy.system.variables[it.var.index()].ty);
            let init = it.init.map_or(any, |it| valued(&strategy.system.pool, it, &FxHashMap::default()));
            now.insert(it.var, init);
        }
        for (latch, goal) in strategy.met.iter().zip(by_age) {
            now.insert(*latch, Value::Bool(self.since[goal] == 0));
        }
        now.extend(fixed.iter().cloned());
        let chosen = strategy.moves.iter();
        let chosen = chosen.map(|(var, value)| (*var, valued(&strategy.system.pool, *value, &now)));
        Some(
            chosen
                .filter(|it| fixed.iter().all(|known| known.0 != it.0))
                .chain(fixed.iter().cloned())
                .collect(),
        )
    }

    /// All values of a variable, if they are few.
    pub fn values(&self, var: Var) -> Vec<Value> {
        match self.game.system.variables[var.index()].ty {
            Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Type::Enum(id) => {
                let literals = &self.game.system.pool.enumeration(id).literals;
                (0..literals.len() as u32).map(Value::Enum).collect()
            }
            Type::Int | Type::Real | Type::Machine(_) => Vec::new(),
        }
    }

    /// The game from here, in which some variables have these values at the first step.
    fn pinned(&self, fixed: &[(Var, Value)]) -> Game {
        let mut game = self.game.clone();
        for at in 0..game.system.state.len() {
            let var = game.system.state[at].var;
            let init = self.state.get(&var).and_then(|it| constant(&mut game.system, var, it));
            game.system.state[at].init = init;
        }
        if fixed.is_empty() {
            return game;
        }
        let name = game.system.fresh_name("first#");
        let first = game.system.add_state(&name, Type::Bool, Some(Pool::TRUE));
        game.system.set_next(first, Pool::FALSE);
        let first = game.system.expr(first);
        for (var, value) in fixed {
            let Some(value) = constant(&mut game.system, *var, value) else { continue };
            let var_now = game.system.expr(*var);
            let equal = game.system.pool.eq(var_now, value);
            let pinned = game.system.pool.implies(first, equal);
            if game.is_output(*var) {
                game.guarantees.push(Guarantee {
                    id: String::new(),
                    safety: pinned,
                    live: None,
                    trigger: Pool::TRUE,
                });
            } else {
                game.system.assumptions.push(pinned);
            }
        }
        game
    }

    fn with(&self, step: &[(Var, Value)]) -> FxHashMap<Var, Value> {
        self.state.clone().into_iter().chain(step.iter().cloned()).collect()
    }

    fn constants(&self, system: &mut system::System, known: &[(Var, Value)]) -> FxHashMap<Var, Expr> {
        let all = self.with(known);
        all.into_iter().filter_map(|(var, value)| Some((var, constant(system, var, &value)?))).collect()
    }
}

/// A value of a variable as an expression.
fn constant(system: &mut system::System, var: Var, value: &Value) -> Option<Expr> {
    Some(match (value, system.variables[var.index()].ty) {
        (Value::Bool(value), _) => system.pool.bool(*value),
        (Value::Int(value), _) => system.pool.int(value.clone()),
        (Value::Real(value), _) => system.pool.real(value.clone()),
        (Value::Machine(value), Type::Machine(width)) => system.pool.machine(width, *value),
        (Value::Enum(place), Type::Enum(id)) => system.pool.literal(id, *place),
        (Value::Machine(_) | Value::Enum(_) | Value::Undefined, _) => return None,
    })
}
