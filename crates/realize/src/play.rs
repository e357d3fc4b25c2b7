//! A play of the environment's strategy against a system that does what it can.

use crate::arena::{Arena, Meaning, Owner};
use crate::certificate::Strategy;
use crate::fixpoint::Solver;
use crate::game::{Game, Order};
use crate::linear::Atom;
use crate::quantify::Values;
use crate::verdict::Gap;
use dashu_ratio::RBig;
use logic::bdd::Bdd;
use logic::{Trace, format_decimal};
use rustc_hash::FxHashMap;
use system::{Evaluator, Expr, Type, Value, Var, evaluate};

/// A play.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// The values of inputs and outputs at each step. At the last one no outputs keep all guarantees, unless the play goes on for ever;
    /// those shown keep as many as possible, the first ones first.
    pub steps: Vec<Vec<(Var, Value)>>,
    /// The step to which the play returns, for ever, without meeting a goal.
    pub loops_to: Option<usize>,
    /// At the last step, what each guarantee leaves of the outputs, by index; in words of the outputs.
    pub demands: Vec<(usize, String)>,
}

/// The longest play.
const LONGEST: usize = 10_000;

/// Plays the environment's strategy.
pub(crate) fn play(solver: &mut Solver, strategy: &Strategy) -> Result<Play, Gap> {
    let game = &solver.prepared.game;
    let mut state: FxHashMap<Var, Value> = FxHashMap::default();
    for it in &game.system.state {
        let init = strategy.system.state_of(it.var).and_then(|it| it.init);
        let none = FxHashMap::default();
        let any = Value::any_of(solver.arena.type_of(it.var));
        state.insert(it.var, init.map_or(any, |it| valued(&strategy.system.pool, it, &none)));
    }
    let inputs: Vec<Var> = game.system.inputs.iter().copied().filter(|it| !game.is_output(*it)).collect();
    let moves = Together::new(&strategy.system.pool, strategy.moves.clone());
    let next =
        Together::new(&game.system.pool, game.system.state.iter().map(|it| (it.var, it.next)).collect());
    // Inputs that the strategy does not choose have any value.
    let any: Vec<(Var, Value)> =
        inputs.iter().map(|it| (*it, Value::any_of(solver.arena.type_of(*it)))).collect();
    let choose = |now: &mut FxHashMap<Var, Value>| {
        let chosen = moves.values(now);
        now.extend(any.iter().cloned().chain(chosen));
    };
    // A rank falls at each step of a play that is lost by a violation, so only the others return to a state.
    let may_loop = !solver.prepared.goals.is_empty();
    let mut seen: Vec<FxHashMap<Var, Value>> = Vec::new();
    let mut steps = Vec::new();
    while steps.len() < LONGEST {
        if may_loop {
            if let Some(place) = seen.iter().position(|it| *it == state) {
                return Ok(Play { steps, loops_to: Some(place), demands: Vec::new() });
            }
            seen.push(state.clone());
        }
        let mut now = state.clone();
        if solver.order == Order::Mealy {
            choose(&mut now);
        }
        let values = known(&solver.arena, &now);
        let left = solver.arena.evaluated_for(solver.guaranteed, &values, &now);
        let numbers = solver.arena.numbers_of(Owner::System);
        let answer = solver.arena.values(left, &numbers)?;
        let Some(answer) = answer else {
            let demands = demands(solver, &values, &now);
            let best = best(solver, &values, &now)?;
            for var in &game.outputs {
                now.insert(*var, solver.arena.value_of(&best, *var));
            }
            let shown: Vec<Var> = inputs.iter().chain(&game.outputs).copied().collect();
            steps.push(step(&shown, &now));
            return Ok(Play { steps, loops_to: None, demands });
        };
        for var in &game.outputs {
            let value = solver.arena.value_of(&answer, *var);
            now.insert(*var, value);
        }
        if solver.order == Order::Moore {
            choose(&mut now);
        }
        let shown: Vec<Var> = inputs.iter().chain(&game.outputs).copied().collect();
        steps.push(step(&shown, &now));
        state = next.values(&now).into_iter().collect();
    }
    Err(Gap::Steps(LONGEST))
}

/// Expressions that are evaluated together at each step, as values of variables.
struct Together<'p> {
    pool: &'p system::Pool,
    evaluator: Evaluator,
    exprs: Vec<(Var, Expr)>,
}

impl Together<'_> {
    fn new(pool: &system::Pool, exprs: Vec<(Var, Expr)>) -> Together<'_> {
        Together { pool, evaluator: Evaluator::new(pool, exprs.iter().map(|it| it.1)), exprs }
    }

    fn values(&self, now: &FxHashMap<Var, Value>) -> Vec<(Var, Value)> {
        let known = |var: Var| now.get(&var).cloned().unwrap_or(Value::Undefined);
        let values = self.evaluator.values::<RBig>(self.pool, known);
        self.exprs.iter().map(|(var, expr)| (*var, self.evaluator.get(&values, *expr).clone())).collect()
    }
}

fn step(shown: &[Var], now: &FxHashMap<Var, Value>) -> Vec<(Var, Value)> {
    shown.iter().filter_map(|it| Some((*it, now.get(it)?.clone()))).collect()
}

/// Outputs that keep as many guarantees as possible, the first ones first.
fn best(solver: &mut Solver, values: &Values, now: &FxHashMap<Var, Value>) -> Result<Values, Gap> {
    let numbers = solver.arena.numbers_of(Owner::System);
    let valid = solver.arena.valid(Owner::System);
    let mut kept = solver.arena.evaluated_for(valid, values, now);
    let mut found = solver.arena.values(kept, &numbers)?.unwrap_or_default();
    for each in solver.each.clone() {
        let left = solver.arena.evaluated_for(each, values, now);
        let both = solver.arena.m.and(kept, left);
        if let Some(better) = solver.arena.values(both, &numbers)? {
            (kept, found) = (both, better);
        }
    }
    Ok(found)
}

impl Play {
    /// The play of a piece of a game in the whole game: guarantees of the piece are these guarantees of the whole, and variables that
    /// the piece does not depend on have any value.
    pub(crate) fn in_whole(mut self, game: &Game, guarantees: &[usize]) -> Play {
        let system = &game.system;
        for step in &mut self.steps {
            for var in &system.inputs {
                if step.iter().all(|it| it.0 != *var) {
                    step.push((*var, Value::any_of(system.variables[var.index()].ty)));
                }
            }
        }
        self.demands.iter_mut().for_each(|it| it.0 = guarantees[it.0]);
        self
    }

    /// The play as a trace over the variables of the game.
    pub fn trace(&self, game: &Game) -> Option<Trace> {
        let mut trace = Trace::new(self.steps.len(), self.loops_to).ok()?;
        for (place, (var, _)) in self.steps.first()?.iter().enumerate() {
            let column = self.steps.iter().map(|step| game.shown(*var, &step[place].1));
            let column: Vec<logic::Value> = column.collect::<Option<_>>()?;
            trace = trace.with(&game.system.variables[var.index()].name, column).ok()?;
        }
        Some(trace)
    }
}

impl Game {
    /// A value of one of its variables as a value of a trace; `None` if it has none there.
    pub fn shown(&self, var: Var, value: &Value) -> Option<logic::Value> {
        Some(match (value, self.system.variables[var.index()].ty) {
            (Value::Bool(value), _) => logic::Value::Bool(*value),
            (Value::Int(number), _) => logic::Value::Num(RBig::from(number.clone())),
            (Value::Real(number), _) => logic::Value::Num(number.clone()),
            (Value::Enum(place), Type::Enum(id)) => {
                logic::Value::Name(self.system.pool.enumeration(id).literals.get(*place as usize)?.clone())
            }
            (Value::Enum(_) | Value::Machine(_) | Value::Undefined, _) => return None,
        })
    }

    /// A value of a trace as a value of one of its variables; `None` if it has another type.
    pub fn value(&self, var: Var, shown: &logic::Value) -> Option<Value> {
        Some(match (shown, self.system.variables[var.index()].ty) {
            (logic::Value::Bool(value), Type::Bool) => Value::Bool(*value),
            (logic::Value::Num(number), Type::Int) if number.is_int() => Value::Int(number.floor()),
            (logic::Value::Num(number), Type::Real) => Value::Real(number.clone()),
            (logic::Value::Name(name), Type::Enum(id)) => {
                let literals = &self.system.pool.enumeration(id).literals;
                Value::Enum(u32::try_from(literals.iter().position(|it| it == name)?).ok()?)
            }
            _ => return None,
        })
    }
}

pub(crate) fn valued(pool: &system::Pool, expr: Expr, now: &FxHashMap<Var, Value>) -> Value {
    evaluate::<RBig>(pool, expr, |var| now.get(&var).cloned().unwrap_or(Value::Undefined))
}

pub(crate) fn known(arena: &Arena, now: &FxHashMap<Var, Value>) -> Values {
    let mut values = Values::default();
    for (var, value) in now {
        arena.set(&mut values, *var, value);
    }
    values
}

impl Arena<'_, '_> {
    /// The function with the values of some variables in place; the others stay.
    pub(crate) fn evaluated_for(&mut self, f: Bdd, values: &Values, now: &FxHashMap<Var, Value>) -> Bdd {
        let support: Vec<u32> = self.m.support(f).iter().collect();
        let mut fixed = f;
        for variable in support {
            if let Meaning::Bit(var, _) = self.meanings[variable as usize]
                && now.contains_key(&var)
            {
                fixed = self.m.fixed(fixed, variable, values.bits[variable as usize]);
            }
        }
        self.with_numbers(fixed, values)
    }
}

/// What each guarantee leaves at this step, where it leaves less than everything.
fn demands(solver: &mut Solver, values: &Values, now: &FxHashMap<Var, Value>) -> Vec<(usize, String)> {
    let mut demands = Vec::new();
    for (index, each) in solver.each.clone().into_iter().enumerate() {
        let left = solver.arena.evaluated_for(each, values, now);
        let left = solver.arena.tidy(left);
        if left != Bdd::TRUE {
            demands.push((index, words(&solver.arena, left)));
        }
    }
    demands
}

/// The largest number of alternatives that are written out.
const ALTERNATIVES: usize = 4;

/// A function of outputs in words.
pub(crate) fn words(arena: &Arena, f: Bdd) -> String {
    if f == Bdd::FALSE {
        return "nothing".to_owned();
    }
    if f == Bdd::TRUE {
        return "everything".to_owned();
    }
    let mut alternatives: Vec<String> = Vec::new();
    let mut open: Vec<(Bdd, Vec<(u32, bool)>)> = vec![(f, Vec::new())];
    while let Some((f, path)) = open.pop() {
        match arena.m.split(f) {
            None if f == Bdd::TRUE => {
                let Some(next) = conjunction(arena, &path) else { continue };
                if alternatives.len() == ALTERNATIVES {
                    alternatives.push("…".to_owned());
                    break;
                }
                alternatives.push(next);
            }
            None => {}
            Some((variable, low, high)) => {
                for (to, value) in [(low, false), (high, true)] {
                    let longer = path.iter().copied().chain([(variable, value)]).collect();
                    open.push((to, longer));
                }
            }
        }
    }
    alternatives.join(" or ")
}

/// What a path says; `None` if its bits are those of no literal.
fn conjunction(arena: &Arena, path: &[(u32, bool)]) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let name = |var: Var| arena.game.system.variables[var.index()].name.clone();
    for (place, (variable, value)) in path.iter().enumerate() {
        match &arena.meanings[*variable as usize] {
            Meaning::Bit(var, _) => {
                let Type::Enum(id) = arena.type_of(*var) else {
                    parts.push(format!("{}{}", if *value { "" } else { "!" }, name(*var)));
                    continue;
                };
                let is_mine = |it: &(u32, bool)| matches!(&arena.meanings[it.0 as usize], Meaning::Bit(v, _) if v == var);
                if path[..place].iter().any(is_mine) {
                    continue;
                }
                let Some(block) = arena.blocks[var.index()] else { continue };
                let fits = |literal: &u64| {
                    path.iter().filter(|it| is_mine(it)).all(|(variable, value)| {
                        let bit = variable - block.first;
                        (literal >> (block.width - 1 - bit) & 1 == 1) == *value
                    })
                };
                let literals = &arena.game.system.pool.enumeration(id).literals;
                let names: Vec<&str> =
                    (0..block.size).filter(fits).map(|it| literals[it as usize].as_str()).collect();
                let is_alone = path.iter().all(is_mine);
                parts.push(match names.as_slice() {
                    [] => return None,
                    [_, _, ..] if !is_alone => format!("({} = {})", name(*var), names.join(" or ")),
                    _ => format!("{} = {}", name(*var), names.join(" or ")),
                });
            }
            Meaning::Atom(atom) => {
                let of_form = |it: &(u32, bool)| match &arena.meanings[it.0 as usize] {
                    Meaning::Atom(other) if other.form == atom.form => Some((other, it.1)),
                    _ => None,
                };
                if !path[..place].iter().any(|it| of_form(it).is_some()) {
                    parts.push(bounds(arena, atom, path.iter().filter_map(of_form)));
                }
            }
            Meaning::Opaque(_) | Meaning::Selector(_) => {}
        }
    }
    Some(parts.join(" & "))
}

/// What atoms of one form say together: `x = 3`, `x > 2`, `2 < x <= 5`.
fn bounds<'a>(arena: &Arena, atom: &'a Atom, all: impl Iterator<Item = (&'a Atom, bool)>) -> String {
    let is_int = atom.form.iter().all(|it| arena.type_of(it.0) == Type::Int);
    // The greatest lower and the least upper bound, each with whether it may be reached.
    let mut low: Option<(RBig, bool)> = None;
    let mut high: Option<(RBig, bool)> = None;
    for (atom, holds) in all {
        let limit = atom.limit.clone();
        if holds {
            let tighter = |old: &(RBig, bool)| limit < old.0 || limit == old.0 && !atom.or_equal;
            if high.as_ref().is_none_or(tighter) {
                high = Some((limit, atom.or_equal));
            }
        } else {
            // Above an integer threshold comes the next integer.
            let (limit, reached) = if is_int { (limit + RBig::ONE, true) } else { (limit, !atom.or_equal) };
            let tighter = |old: &(RBig, bool)| limit > old.0 || limit == old.0 && !reached;
            if low.as_ref().is_none_or(tighter) {
                low = Some((limit, reached));
            }
        }
    }
    let name = |var: Var| arena.game.system.variables[var.index()].name.clone();
    let mut sum = String::new();
    for (var, coefficient) in &atom.form {
        let negative = *coefficient < dashu_int::IBig::ZERO;
        let size = if negative { -coefficient.clone() } else { coefficient.clone() };
        let sign = match (sum.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let factor = if size.is_one() { String::new() } else { format!("{size} * ") };
        sum.push_str(&format!("{sign}{factor}{}", name(*var)));
    }
    let number = |it: &RBig| format_decimal(it).unwrap_or_else(|| it.to_string());
    match (low, high) {
        (Some((low, true)), Some((high, true))) if low == high => format!("{sum} = {}", number(&low)),
        (low, high) => {
            let low =
                low.map(|(it, reached)| format!("{} {} ", number(&it), if reached { "<=" } else { "<" }));
            let high =
                high.map(|(it, reached)| format!(" {} {}", if reached { "<=" } else { "<" }, number(&it)));
            format!("{}{sum}{}", low.unwrap_or_default(), high.unwrap_or_default())
        }
    }
}
