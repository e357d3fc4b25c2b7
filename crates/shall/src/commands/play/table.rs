//! The state of a play: the steps so far, the position after each of them, and what the players can do.

use super::Variable;
use base::Random;
use logic::{RBig, Trace, parse_decimal};
use realize::{Budget, Choice, Demand, Game, Guarantee, Order, Outcome, Position};
use std::collections::BTreeSet;
use system::simulate::observed;
use system::{Expr, Node, Type, Value, Var};

/// The longest play.
pub(super) const LONGEST: usize = 10_000;
/// How often inputs that keep the assumptions are guessed.
const GUESSES: usize = 500;

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Player {
    /// Chooses the inputs.
    Environment,
    /// Chooses the outputs.
    System,
}

/// Values of some variables at a step.
#[derive(Clone, Default, Debug)]
pub(super) struct Played(Choice);

impl Played {
    pub(super) fn set(&mut self, (var, value): (Var, Value)) {
        match self.0.iter_mut().find(|it| it.0 == var) {
            Some(known) => known.1 = value,
            None => self.0.push((var, value)),
        }
    }
}

impl std::ops::Deref for Played {
    type Target = [(Var, Value)];

    fn deref(&self) -> &[(Var, Value)] {
        &self.0
    }
}

/// A play.
pub(super) struct Table<'b> {
    game: Game,
    pub(super) order: Order,
    budget: Budget<'b>,
    seed: u64,
    /// The numbers that the requirements mention, and zero.
    numbers: Vec<RBig>,
    /// One more than there are steps.
    positions: Vec<Position>,
    steps: Vec<Played>,
}

impl<'b> Table<'b> {
    pub(super) fn new(game: Game, order: Order, budget: Budget<'b>, seed: u64) -> Table<'b> {
        let positions = vec![Position::start(&game)];
        let pool = &game.system.pool;
        let demanded = game.guarantees.iter().flat_map(Guarantee::roots);
        let roots =
            demanded.chain(game.system.assumptions.iter().copied()).chain(game.domain.iter().copied());
        let number = |it: Expr| match pool.node(it) {
            Node::Int(number) => Some(RBig::from(number.clone())),
            Node::Real(number) => Some(number.clone()),
            _ => None,
        };
        let mentioned = pool.reachable(roots).into_iter().filter_map(number);
        let numbers: BTreeSet<RBig> = mentioned.chain([RBig::ZERO]).collect();
        let numbers = numbers.into_iter().collect();
        Table { game, order, budget, seed, numbers, positions, steps: Vec::new() }
    }

    fn here(&self) -> &Position {
        self.positions.last().expect("the start is never taken back")
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    fn owner(&self, var: Var) -> Player {
        if self.game.is_output(var) { Player::System } else { Player::Environment }
    }

    fn name(&self, var: Var) -> &str {
        &self.game.system.variables[var.index()].name
    }

    fn ty(&self, var: Var) -> Type {
        self.game.system.variables[var.index()].ty
    }

    /// The id of a guarantee.
    pub(super) fn id(&self, guarantee: usize) -> &str {
        &self.game.guarantees[guarantee].id
    }

    /// The names of the variables of some players.
    pub(super) fn names(&self, players: impl Iterator<Item = Player>) -> Vec<String> {
        let players: Vec<Player> = players.collect();
        let mine = self.game.system.inputs.iter().filter(|it| players.contains(&self.owner(**it)));
        mine.map(|it| self.name(*it).to_owned()).collect()
    }

    /// Who wins from here, if some values are fixed at this step.
    pub(super) fn verdict(&self, known: &[(Var, Value)]) -> Outcome {
        self.here().outcome(known, self.order, self.budget)
    }

    /// What the requirements demand now, by id.
    pub(super) fn demands(&self, known: &[(Var, Value)]) -> Vec<(String, Demand)> {
        let demands = self.here().demands(known).into_iter();
        demands.map(|it| (self.id(it.guarantee).to_owned(), it)).collect()
    }

    /// Values of single outputs with which the environment can force a violation, although it cannot yet.
    pub(super) fn losing(&self, known: &[(Var, Value)]) -> Vec<(String, String)> {
        if self.verdict(known) != Outcome::Realizable {
            return Vec::new();
        }
        let mut losing = Vec::new();
        for var in self.game.outputs.iter().filter(|it| known.iter().all(|known| known.0 != **it)) {
            for value in self.here().values(*var) {
                let fixed: Choice = known.iter().cloned().chain([(*var, value.clone())]).collect();
                if self.verdict(&fixed) == Outcome::Unrealizable {
                    losing.push((self.name(*var).to_owned(), self.value(*var, &value)));
                }
            }
        }
        losing
    }

    /// What is known, with the values that a player chooses for the rest of its variables; `None` if none were found.
    pub(super) fn chosen(&self, player: Player, known: &Played) -> Option<Played> {
        let vars: Vec<Var> =
            self.game.system.inputs.iter().copied().filter(|it| self.owner(*it) == player).collect();
        if vars.iter().all(|var| known.iter().any(|it| it.0 == *var)) {
            return Some(known.clone());
        }
        let found = match (player, self.verdict(known)) {
            // Against a component that wins, any input is as good as another.
            (Player::Environment, Outcome::Realizable | Outcome::Unknown(_)) => None,
            _ => self.here().suggestion(known, self.order, self.budget),
        };
        let mut all = known.clone();
        if let Some(found) = found {
            let mine = found.into_iter().filter(|it| vars.contains(&it.0));
            mine.filter(|it| known.iter().all(|known| known.0 != it.0)).for_each(|it| all.set(it));
        }
        let open: Vec<Var> = vars.into_iter().filter(|var| all.iter().all(|it| it.0 != *var)).collect();
        if open.is_empty() {
            return Some(all);
        }
        let mut rng = Random::new(self.seed.wrapping_add(self.steps.len() as u64));
        for _ in 0..GUESSES {
            let mut guess = all.clone();
            open.iter().for_each(|var| guess.set((*var, self.guessed(*var, &mut rng))));
            if self.here().is_allowed(&guess) {
                return Some(guess);
            }
        }
        None
    }

    /// Some value of a variable: the last one, or a random one near a number of the requirements.
    fn guessed(&self, var: Var, rng: &mut Random) -> Value {
        let last = self.steps.last().and_then(|step| step.iter().find(|it| it.0 == var));
        if let (Some((_, value)), true) = (last, rng.below(2) == 0) {
            return value.clone();
        }
        let number = |rng: &mut Random| {
            let near = &self.numbers[rng.below(self.numbers.len())];
            near.clone() + RBig::from(rng.below(3_u64)) - RBig::ONE
        };
        match (self.here().values(var), self.ty(var)) {
            (values, _) if !values.is_empty() => values[rng.below(values.len())].clone(),
            (_, Type::Real) => Value::Real(number(rng)),
            (_, Type::Machine(width)) => Value::Machine(width.wrap(i128::from(rng.below(256_u64)))),
            _ => Value::Int(number(rng).floor()),
        }
    }

    /// A choice `name=value` of one of these players.
    pub(super) fn parsed(&self, word: &str, plays: &dyn Fn(Player) -> bool) -> Result<(Var, Value), String> {
        let (name, text) =
            word.split_once('=').ok_or_else(|| format!("`{word}` is not NAME=VALUE; try `help`"))?;
        let var = self.game.system.inputs.iter().copied().find(|it| self.name(*it) == name);
        let var = var.ok_or_else(|| format!("there is no variable `{name}`"))?;
        if !plays(self.owner(var)) {
            return Err(format!("`{name}` is chosen by the other player"));
        }
        let ty = self.ty(var);
        let number = || parse_decimal(text);
        let value = match ty {
            Type::Bool => match text {
                "1" | "true" => Some(Value::Bool(true)),
                "0" | "false" => Some(Value::Bool(false)),
                _ => None,
            },
            Type::Int => number().filter(RBig::is_int).map(|it| Value::Int(it.floor())),
            Type::Machine(width) => text.parse().ok().filter(|it| width.wrap(*it) == *it).map(Value::Machine),
            Type::Real => number().map(Value::Real),
            Type::Enum(id) => {
                let literals = &self.game.system.pool.enumeration(id).literals;
                literals.iter().position(|it| it == text).map(|it| Value::Enum(it as u32))
            }
        };
        let expected = || match ty {
            Type::Enum(id) => self.game.system.pool.enumeration(id).literals.join(", "),
            ty => self.game.system.pool.show_type(ty),
        };
        value
            .map(|it| (var, it))
            .ok_or_else(|| format!("`{text}` is not a value of `{name}`: {}", expected()))
    }

    pub(super) fn is_complete(&self, step: &Played) -> bool {
        self.game.system.inputs.iter().all(|var| step.iter().any(|it| it.0 == *var))
    }

    pub(super) fn is_allowed(&self, step: &Played) -> bool {
        self.here().is_allowed(step)
    }

    /// The inputs among these values.
    pub(super) fn inputs(&self, step: &Played) -> Played {
        Played(step.iter().filter(|it| self.owner(it.0) == Player::Environment).cloned().collect())
    }

    /// Makes a step; returns the ids of the requirements that it violates.
    pub(super) fn play(&mut self, step: Played) -> Vec<String> {
        let next = self.here().after(&step);
        self.steps.push(step);
        self.positions.push(next);
        self.violated().into_iter().map(|it| self.id(it).to_owned()).collect()
    }

    /// Takes the last step back.
    pub(super) fn undo(&mut self) -> bool {
        self.positions.truncate(self.steps.len().max(1));
        self.steps.pop().is_some()
    }

    /// The guarantees that the last step violates.
    pub(super) fn violated(&self) -> Vec<usize> {
        let Some(step) = self.steps.last() else { return Vec::new() };
        self.positions[self.steps.len() - 1].violated(step)
    }

    pub(super) fn is_over(&self) -> bool {
        !self.violated().is_empty() || self.steps.len() >= LONGEST
    }

    fn value(&self, var: Var, value: &Value) -> String {
        match value {
            Value::Bool(value) => u8::from(*value).to_string(),
            value => self.game.system.pool.show_value(self.ty(var), value),
        }
    }

    /// The variables that some players choose.
    pub(super) fn choices(&self, plays: &dyn Fn(Player) -> bool) -> Vec<Variable> {
        let mine = self.game.system.inputs.iter().copied().filter(|var| plays(self.owner(*var)));
        let choice = |var: Var| Variable {
            name: self.name(var).to_owned(),
            ty: self.game.system.pool.show_type(self.ty(var)),
            values: self.here().values(var).iter().map(|value| self.value(var, value)).collect(),
            output: self.owner(var) == Player::System,
        };
        mine.map(choice).collect()
    }

    /// Names and values, in the order of the tables.
    pub(super) fn named(&self, step: &Played) -> Vec<(String, String)> {
        let inputs = self.game.system.inputs.iter();
        let named = inputs.filter_map(|var| {
            let (_, value) = step.iter().find(|it| it.0 == *var)?;
            Some((self.name(*var).to_owned(), self.value(*var, value)))
        });
        named.collect()
    }

    /// Values as `name=value`.
    pub(super) fn shown(&self, step: &Played) -> String {
        let shown: Vec<String> =
            self.named(step).iter().map(|(name, value)| format!("{name}={value}")).collect();
        if shown.is_empty() { "your turn".to_owned() } else { shown.join(" ") }
    }

    /// The play as a trace.
    pub(super) fn trace(&self) -> Option<Trace> {
        let mut trace = Trace::new(self.steps.len(), None).ok()?;
        for var in &self.game.system.inputs {
            let column = self.steps.iter().map(|step| {
                let (_, value) = step.iter().find(|it| it.0 == *var)?;
                observed(&self.game.system.pool, self.ty(*var), value)
            });
            trace = trace.with(self.name(*var), column.collect::<Option<Vec<_>>>()?).ok()?;
        }
        Some(trace)
    }
}
