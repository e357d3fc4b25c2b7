//! Requirements of a component as a game: who chooses which variable, and the memory of each requirement.

use crate::game::{Game, Guarantee};
use logic::{Formula, Rel, Store};
use requirement::specification::{Kind, Type, Variable};
use requirement::{Parts, Reading, Refusal, Requirement, parts};
use rustc_hash::FxHashMap;
use std::fmt;
use system::{Expr, MonitorError, System, Var, add_formulas};

/// A requirement of a set.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it says, with definitions in the place of the names that they define.
    pub requirement: &'a Requirement,
    /// Whether it is about the environment.
    pub assumption: bool,
}

/// A set of requirements as a game.
#[derive(Clone, Debug)]
pub struct Set {
    /// The game.
    pub game: Game,
    /// The index of the member of each guarantee.
    pub members: Vec<usize>,
    /// Members that are not part of the game, and why.
    pub refused: Vec<(usize, NotPlayed)>,
    /// Variables whose player was guessed, and whether they were given to the system.
    pub guessed: Vec<(String, bool)>,
}

/// Why a requirement is not part of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotPlayed {
    /// It has no formula of the past.
    Meaning(Refusal),
    /// Its formula does not fit the variables.
    Formula(MonitorError),
}

impl fmt::Display for NotPlayed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotPlayed::Meaning(refusal) => refusal.fmt(f),
            NotPlayed::Formula(MonitorError::UnknownSignal { name }) => write!(f, "`{name}` is not declared"),
            NotPlayed::Formula(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotPlayed {}

/// The game of a set of requirements. A member that cannot be played is left out and named: a verdict about the rest says nothing about
/// it, except that what is unrealizable without it is unrealizable with it.
pub fn game(store: &mut Store, variables: &[Variable], members: &[Member], reading: Reading) -> Set {
    game_with(store, variables, members, reading, &[]).0
}

/// As [`game()`](game), with the values of further past-time formulas, which share their memory with the requirements.
pub fn game_with(
    store: &mut Store,
    variables: &[Variable],
    members: &[Member],
    reading: Reading,
    further: &[Formula],
) -> (Set, Vec<Result<Expr, MonitorError>>) {
    let mut system = System::default();
    let mut set =
        Set { game: Game::default(), members: Vec::new(), refused: Vec::new(), guessed: Vec::new() };
    let mut exprs: FxHashMap<&str, Expr> = FxHashMap::default();
    let mut ranges: Vec<(Var, bool, Formula)> = Vec::new();
    for variable in variables {
        let by_system = match variable.kind {
            Kind::Input => false,
            Kind::Output | Kind::Internal => true,
            Kind::Mode => {
                set.guessed.push((variable.name.clone(), false));
                false
            }
            Kind::Constant | Kind::Function => continue,
        };
        let ty = match &variable.ty {
            Type::Bool => system::Type::Bool,
            Type::Int(_) => system::Type::Int,
            Type::Real(_) => system::Type::Real,
            Type::Enum(literals) => {
                system::Type::Enum(system.pool.declare_enum(&literals.join("_"), literals))
            }
        };
        let var = system.add_input(&variable.name, ty);
        exprs.insert(&variable.name, system.expr(var));
        if by_system {
            set.game.outputs.push(var);
        }
        if let Some(range) = range(store, variable) {
            ranges.push((var, by_system, range));
        }
    }
    let binding = |name: &str| exprs.get(name).copied();
    let mut formulas: Vec<Formula> = ranges.iter().map(|it| it.2).collect();
    let mut played: Vec<(usize, Parts)> = Vec::new();
    for (index, member) in members.iter().enumerate() {
        match parts(store, member.requirement, reading) {
            Ok(parts) => {
                formulas.extend([parts.safety, parts.trigger].into_iter().chain(parts.live));
                played.push((index, parts));
            }
            Err(refusal) => set.refused.push((index, NotPlayed::Meaning(refusal))),
        }
    }
    let own = formulas.len();
    formulas.extend(further);
    let mut values = add_formulas(&mut system, store, &formulas, &binding);
    let further = values.split_off(own);
    let mut values = values.into_iter();
    let mut next = || values.next().unwrap_or(Err(MonitorError::UnfilledHole));
    for (_, by_system, _) in &ranges {
        match (next(), by_system) {
            (Ok(value), true) => set.game.domain.push(value),
            (Ok(value), false) => system.assumptions.push(value),
            (Err(_), _) => {}
        }
    }
    for (index, parts) in played {
        let (safety, trigger) = (next(), next());
        let live = parts.live.map(|_| next()).transpose();
        match (safety, trigger, live) {
            (Ok(safety), Ok(_), Ok(live)) if members[index].assumption => {
                system.assumptions.push(safety);
                set.game.fair.extend(live);
            }
            (Ok(safety), Ok(trigger), Ok(live)) => {
                let id = members[index].id.to_owned();
                set.game.guarantees.push(Guarantee { id, safety, live, trigger });
                set.members.push(index);
            }
            (Err(error), ..) | (_, Err(error), _) | (_, _, Err(error)) => {
                set.refused.push((index, NotPlayed::Formula(error)));
            }
        }
    }
    set.refused.sort_by_key(|it| it.0);
    set.game.system = system;
    (set, further)
}

/// The declared range of a number.
fn range(store: &mut Store, variable: &Variable) -> Option<Formula> {
    let (Type::Int(range) | Type::Real(range)) = &variable.ty else { return None };
    let symbol = store.symbol(&variable.name);
    let value = store.term_var(symbol);
    let mut bounds = Vec::new();
    for (end, rel) in [(&range.low, Rel::Ge), (&range.high, Rel::Le)] {
        if let Some(end) = end {
            let end = store.num(end.clone(), logic::Numeral::Real);
            bounds.push(store.rel(rel, value, end));
        }
    }
    (!bounds.is_empty()).then(|| store.and(bounds))
}
