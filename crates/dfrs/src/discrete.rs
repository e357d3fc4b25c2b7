//! Data-flow reactive systems as systems in steps: one step is one unit of time, seen after the system has reacted.
//!
//! In the semantics ([`crate::step`]) a delay may be longer than one unit. While it lasts, inputs keep their values and
//! nothing reacts, even if a timed guard holds; only at its last chance an entry has to react. So at each step the input `skip` says whether the unit
//! lies inside a delay. Where a delay ends, the inputs are new and the reactions of that moment all happen within the step, as often as
//! any sequence of them needs. If their order can matter, inputs `choice_1`, `choice_2`, … say which entry is next.
//!
//! Each variable is an output under its own name; the environment's new value of input `x` is the input `x_in`. Timers are ages that stop
//! one above the greatest bound. What the environment never does is assumed.

mod deadline;
mod entry;

use crate::explore::{Environment, explore};
use crate::{Dfrs, Entry, Kind, Reading, Semantics, Sort, compile, step};
use dashu_int::IBig;
use entry::View;
use logic::{RBig, Value};
use std::fmt;
use system::System;
use system::expr::{EnumId, Expr, Pool, Type, Var};

/// Why a data-flow reactive system cannot be lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It has infinitely many states for this reason, so that the length of its reactions is not known.
    Infinite(String),
    /// It is too large to find out how long its reactions are.
    TooLarge,
    /// From the start on, its reactions never come to an end.
    NeverStable,
    /// A timed guard of this requirement has too many cases.
    TooManyCases(String),
    /// A value that this variable starts with or gets is not of its sort.
    WrongSort(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Infinite(reason) => write!(f, "the reactions cannot be bounded: {reason}"),
            Refusal::TooLarge => write!(f, "the system is too large to be explored"),
            Refusal::NeverStable => write!(f, "from the start on, the reactions never come to an end"),
            Refusal::TooManyCases(id) => write!(f, "the timed guards of {id} have too many cases"),
            Refusal::WrongSort(name) => {
                write!(f, "a value that `{name}` starts with or gets is not of its sort")
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// The system in discrete time, under a reading.
pub fn lower(dfrs: &Dfrs, reading: Reading) -> Result<System, Refusal> {
    let mut build = Build::new(dfrs, reading);
    for (place, variable) in dfrs.variables.iter().enumerate() {
        if variable.kind != Kind::Timer && build.constant(place, &variable.initial).is_none() {
            return Err(Refusal::WrongSort(variable.name.clone()));
        }
    }
    let reactions = reactions(dfrs, reading)?;
    build.steps(&reactions)?;
    Ok(build.system)
}

/// The name under which a variable or a literal is known in the lowered system.
pub fn plain(name: &str) -> String {
    name.replace(' ', "_")
}

/// How reactions go on.
struct Reactions {
    /// The number of entries in a row that suffices to reach each stable state.
    rounds: usize,
    /// Whether the order matters; otherwise the first entry that can react does.
    chosen: bool,
}

fn reactions(dfrs: &Dfrs, reading: Reading) -> Result<Reactions, Refusal> {
    let machine = compile(dfrs, Semantics::discrete(reading))
        .map_err(|infinite| Refusal::Infinite(infinite.reason(dfrs)))?;
    let found = explore(&machine, Environment::Free, crate::explore::Budget::default());
    if found.stopped.is_some() {
        return Err(Refusal::TooLarge);
    }
    let closures = || found.situations.iter().map(|it| &it.closure);
    if closures().next().is_none_or(|start| start.stable().next().is_none()) {
        return Err(Refusal::NeverStable);
    }
    let chosen =
        closures().any(|it| it.states.len() > 1 && (it.stable().count() != 1 || it.cycle().is_some()));
    let longest = |closure: &crate::closure::Closure| {
        if chosen {
            return closure.stable().map(|state| closure.path(state).len()).max().unwrap_or(0);
        }
        let mut at = 0;
        let mut count = 0;
        while let Some((_, to)) = closure.edges[at].first() {
            at = *to;
            count += 1;
        }
        count
    };
    Ok(Reactions { rounds: closures().map(longest).max().unwrap_or(0), chosen })
}

struct Build<'d> {
    dfrs: &'d Dfrs,
    reading: Reading,
    system: System,
    enums: Vec<(Vec<String>, EnumId)>,
    types: Vec<Type>,
}

impl<'d> Build<'d> {
    fn new(dfrs: &'d Dfrs, reading: Reading) -> Build<'d> {
        let mut build =
            Build { dfrs, reading, system: System::default(), enums: Vec::new(), types: Vec::new() };
        for variable in &dfrs.variables {
            let ty = match (&variable.kind, &variable.sort) {
                (Kind::Timer, _) | (_, Sort::Int) => Type::Int,
                (_, Sort::Bool { .. }) => Type::Bool,
                (_, Sort::Real) => Type::Real,
                (_, Sort::Names(names)) => Type::Enum(build.enumeration(&variable.name, names)),
            };
            build.types.push(ty);
        }
        build
    }

    /// Variables with the same names have the same type.
    fn enumeration(&mut self, name: &str, names: &[String]) -> EnumId {
        if let Some((_, id)) = self.enums.iter().find(|(known, _)| known == names) {
            return *id;
        }
        let mut literals: Vec<String> = names.iter().map(|it| plain(it)).collect();
        let mut sorted = literals.clone();
        sorted.sort();
        sorted.dedup();
        if sorted.len() < literals.len() {
            literals = names.to_vec();
        }
        let id = self.system.pool.declare_enum(&plain(name), &literals);
        self.enums.push((names.to_vec(), id));
        id
    }

    /// A name that no variable of the data-flow reactive system has.
    fn free_name(&self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while self.dfrs.variables.iter().any(|it| plain(&it.name) == name) {
            name.push('_');
        }
        self.system.fresh_name(&name)
    }

    fn add_state(&mut self, prefix: &str, variable: usize) -> (Var, Expr) {
        let name = self.free_name(&format!("{prefix}_{}", plain(&self.dfrs.variables[variable].name)));
        let init = self.initial(variable);
        let var = self.system.add_state(&name, self.types[variable], Some(init));
        (var, self.system.expr(var))
    }

    fn initial(&mut self, variable: usize) -> Expr {
        let it = &self.dfrs.variables[variable];
        match it.kind {
            Kind::Timer => self.system.pool.int(0),
            Kind::Input | Kind::Output => {
                let value = it.initial.clone();
                self.constant(variable, &value).unwrap_or(Pool::FALSE)
            }
        }
    }

    /// A value of a variable's type.
    fn constant(&mut self, variable: usize, value: &Value) -> Option<Expr> {
        let pool = &mut self.system.pool;
        match (self.types[variable], value) {
            (Type::Bool, Value::Bool(truth)) => Some(pool.bool(*truth)),
            (Type::Int, Value::Num(number)) if number.is_int() => Some(pool.int(number.numerator().clone())),
            (Type::Real, Value::Num(number)) => Some(pool.real(number.clone())),
            (Type::Enum(id), Value::Name(name)) => {
                let (names, _) = self.enums.iter().find(|(_, it)| *it == id)?;
                let place = names.iter().position(|it| it == name)?;
                Some(pool.literal(id, place as u32))
            }
            _ => None,
        }
    }

    fn steps(&mut self, reactions: &Reactions) -> Result<(), Refusal> {
        let dfrs = self.dfrs;
        let timer = |variable: usize| dfrs.variables[variable].kind == Kind::Timer;
        let synchronous = self.reading == Reading::Synchronous;
        let name = self.free_name("skip");
        let skip = self.system.add_input(&name, Type::Bool);
        let skip = self.system.expr(skip);
        let name = self.free_name("started");
        let started = self.system.add_state(&name, Type::Bool, Some(Pool::FALSE));
        self.system.set_next(started, Pool::TRUE);
        let started = self.system.expr(started);
        let waits = self.system.pool.implies(skip, started);
        self.system.assumptions.push(waits);

        // What was seen one unit ago, and under readings A and B the previous values then.
        let count = dfrs.variables.len();
        let last: Vec<(Var, Expr)> = (0..count).map(|it| self.add_state("last", it)).collect();
        let earlier: Vec<Option<(Var, Expr)>> =
            (0..count).map(|it| (!synchronous && !timer(it)).then(|| self.add_state("before", it))).collect();
        let held: Vec<Expr> = (0..count)
            .map(|it| if timer(it) { self.aged(it, last[it].1, started) } else { last[it].1 })
            .collect();
        let before = |it: usize| earlier[it].map_or(last[it].1, |(_, expr)| expr);

        let waiting = View { now: held.clone(), before: (0..count).map(before).collect() };
        self.assume_deadlines(&waiting, skip)?;

        let mut view = waiting;
        for (it, variable) in dfrs.variables.iter().enumerate() {
            if variable.kind == Kind::Input {
                let name = self.free_name(&format!("{}_in", plain(&variable.name)));
                let input = self.system.add_input(&name, self.types[it]);
                let input = self.system.expr(input);
                view.now[it] = self.system.pool.ite(started, input, last[it].1);
                view.before[it] = last[it].1;
            }
        }
        let ends = self.system.pool.not(skip);
        let ends = self.system.pool.and([started, ends]);
        for restriction in &dfrs.restrictions {
            let never: Vec<Expr> = restriction.never.iter().map(|it| self.condition(&view, it)).collect();
            let never = self.system.pool.and(never.into_iter().chain([ends]));
            let never = self.system.pool.not(never);
            self.system.assumptions.push(never);
        }
        let settled = self.react(view, skip, reactions)?;

        for it in 0..count {
            let seen = self.system.pool.ite(skip, held[it], settled.now[it]);
            self.system.set_next(last[it].0, seen);
            let name = plain(&dfrs.variables[it].name);
            if timer(it) {
                self.system.add_local(&name, seen);
            } else {
                self.system.add_output(&name, seen);
            }
            if let Some((var, expr)) = earlier[it] {
                let next = self.system.pool.ite(skip, expr, settled.before[it]);
                self.system.set_next(var, next);
            }
        }
        Ok(())
    }

    /// The age of a timer one unit later, up to one more than every bound.
    fn aged(&mut self, timer: usize, last: Expr, started: Expr) -> Expr {
        let bounds = step::entries(self.dfrs).flat_map(|it| it.timed.iter().flatten());
        let bounds = bounds.filter(|it| it.timer == timer).map(|it| it.bound.floor());
        let cap = bounds.max().unwrap_or(IBig::ZERO).max(IBig::ZERO) + IBig::ONE;
        let pool = &mut self.system.pool;
        let (zero, one, cap) = (pool.int(0), pool.int(1), pool.int(cap));
        let young = pool.lt(last, cap);
        let older = pool.add(last, one);
        let older = pool.ite(young, older, cap);
        for lemma in [pool.le(zero, last), pool.le(last, cap)] {
            self.system.lemmas.push(lemma);
        }
        self.system.pool.ite(started, older, zero)
    }

    /// The view after all reactions.
    fn react(&mut self, mut view: View, skip: Expr, reactions: &Reactions) -> Result<View, Refusal> {
        let entries: Vec<&Entry> = step::entries(self.dfrs).collect();
        let choice = reactions.chosen.then(|| {
            let mut names: Vec<String> = Vec::new();
            for entry in &entries {
                let id = plain(&self.dfrs.requirements[entry.requirement].id);
                let taken = names.iter().filter(|it| **it == id || it.starts_with(&format!("{id}#"))).count();
                names.push(if taken == 0 { id } else { format!("{id}#{}", taken + 1) });
            }
            self.system.pool.declare_enum("entry", &names)
        });
        for round in 1..=reactions.rounds {
            let enabled: Vec<Expr> = entries.iter().map(|it| self.enabled(&view, it)).collect();
            let fires = match choice {
                None => enabled,
                Some(id) => self.chosen(id, round, skip, &enabled),
            };
            view = self.fire_first(&view, &entries, &fires)?;
        }
        if choice.is_some() {
            let enabled: Vec<Expr> = entries.iter().map(|it| self.enabled(&view, it)).collect();
            let unstable = self.system.pool.or(enabled);
            let stable = self.system.pool.not(unstable);
            let stable = self.system.pool.or([skip, stable]);
            self.system.assumptions.push(stable);
        }
        Ok(view)
    }

    /// An input that names the entry that reacts in a round; the first one if none does.
    fn chosen(&mut self, id: EnumId, round: usize, skip: Expr, enabled: &[Expr]) -> Vec<Expr> {
        let name = self.free_name(&format!("choice_{round}"));
        let choice = self.system.add_input(&name, Type::Enum(id));
        let choice = self.system.expr(choice);
        let pool = &mut self.system.pool;
        let goes_on = pool.not(skip);
        let mut fires = Vec::new();
        for (place, can) in enabled.iter().enumerate() {
            let literal = pool.literal(id, place as u32);
            let named = pool.eq(choice, literal);
            fires.push(pool.and([named, *can, goes_on]));
        }
        let one_fires = pool.or(fires.iter().copied());
        let unstable = pool.or(enabled.iter().copied());
        let due = pool.and([unstable, goes_on]);
        let idle = pool.literal(id, 0);
        let idle = pool.eq(choice, idle);
        let assumed = pool.ite(due, one_fires, idle);
        self.system.assumptions.push(assumed);
        fires
    }
}

/// A number as an expression of a type, if it is of that type.
fn number(pool: &mut Pool, ty: Type, value: &RBig) -> Option<Expr> {
    match ty {
        Type::Int if value.is_int() => Some(pool.int(value.numerator().clone())),
        Type::Real => Some(pool.real(value.clone())),
        Type::Int | Type::Bool | Type::Machine(_) | Type::Enum(_) => None,
    }
}
