//! Letters: the combinations of Boolean values that some atoms can have together at one step, with values of the variables.
//!
//! Atoms become bounds on unknowns (`kinds`, `cases`, `problem`); a [simplex](crate::simplex) with splitting decides which hold
//! together (`search`); readable values are chosen for those (`nice`), also for nonlinear terms (`guess`). Invariant: no combination
//! that can occur is missing. A letter is `witnessed` if the atoms evaluate to it under its values; if all are, they are exactly the
//! combinations that can occur.

mod cases;
mod guess;
mod kinds;
mod nice;
mod problem;
mod search;

use crate::eval::{EvalError, eval_state};
use crate::store::{Id, Node, Sort, Store};
use crate::trace::Value;
use cases::Case;
use dashu_ratio::RBig;
use guess::Guesser;
use kinds::Kind;
use problem::Problem;
use rustc_hash::FxHashMap;
use search::{Level, Mark, Outcome, Solver};
use std::fmt;

/// A state that can occur: which atoms are true in it, and values of the variables that make it so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// The value of each atom.
    pub truths: Vec<bool>,
    /// A value for every variable and call in the atoms, in the order of their ids. A variable that is read as the constant of its
    /// name has that name as its value.
    pub values: Vec<(Id, Value)>,
    /// Whether the atoms evaluate to `truths` under the values, and integers have integer values. Otherwise it is unknown whether the
    /// letter can occur, and the values are a suggestion.
    pub witnessed: bool,
}

/// The letters of some atoms, in lexicographic order with false before true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letters {
    /// The atoms.
    pub atoms: Vec<Id>,
    /// The letters, including all that can occur.
    pub letters: Vec<Letter>,
    /// Whether every letter is witnessed, so that these are exactly the letters that can occur.
    pub exact: bool,
}

/// There are more letters than the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyLetters {
    /// The limit.
    pub limit: usize,
}

impl fmt::Display for TooManyLetters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} different states can occur", self.limit)
    }
}

impl std::error::Error for TooManyLetters {}

/// Every combination of Boolean values that the atoms can have at one step, with values of the variables.
///
/// Atoms are Boolean variables, calls and comparisons, or Boolean combinations of these. `facts` are further atoms that are true in
/// every letter, such as `0 <= x`. `sort_of` returns the sorts of variables; the uses of a variable of unknown sort decide whether it
/// is a Boolean, a rational number or a name.
///
/// - Comparisons of linear terms are decided exactly, over rationals and integers, also with `abs`,
///   `min`, `max`, choice, and `mod` of integers by a constant.
/// - Names: any other name may occur besides the ones in the atoms. A variable of unknown sort that
///   occurs only to the right of `=` and `!=` is the constant of its name, so `state = idle` and
///   `state = run` exclude each other.
/// - A call has a value of its own, as in a trace; equal arguments do not make two calls equal.
/// - Other terms (products of variables, powers, `pre`), and systems of integers for which the search is
///   too long, are over-approximated: no letter is lost, and those without a witness are marked.
///
/// ```
/// use shall_logic::{Numeral, RBig, Rel, Sort, Store, letters};
/// let mut store = Store::default();
/// let x = store.symbol("x");
/// let x = store.term_var(x);
/// let [two, three] = [2, 3].map(|n| store.num(RBig::from(n), Numeral::Int));
/// let atoms = [store.rel(Rel::Gt, x, three).id(), store.rel(Rel::Gt, x, two).id()];
/// let found = letters(&store, &atoms, &[], &|_| Sort::Real, 10).unwrap();
/// let truths: Vec<_> = found.letters.iter().map(|letter| letter.truths.clone()).collect();
/// assert_eq!(truths, [[false, false], [false, true], [true, true]]);
/// assert!(found.exact);
/// ```
pub fn letters(
    store: &Store,
    atoms: &[Id],
    facts: &[Id],
    sort_of: &dyn Fn(&str) -> Sort,
    limit: usize,
) -> Result<Letters, TooManyLetters> {
    let all = [facts, atoms].concat();
    let problem = Problem::new(store, &all, sort_of);
    let guesser = Guesser::new(store, &problem, &all);
    let mut solver = Solver::new(&problem);
    let start = solver.mark();
    let mut letters = Vec::new();
    for mut truths in possible(&mut solver, &problem, facts.len(), limit)? {
        let state = State { store, atoms: &all, truths: &truths, problem: &problem };
        for (atom, &truth) in problem.atoms.iter().zip(&truths) {
            solver.demand(atom.when(truth));
        }
        let found = witness(&mut solver, &state, &guesser);
        solver.undo(start);
        truths.drain(..facts.len());
        letters.extend(found.map(|(values, witnessed)| Letter { truths, values, witnessed }));
    }
    let exact = letters.iter().all(|letter| letter.witnessed);
    Ok(Letters { atoms: atoms.to_vec(), letters, exact })
}

/// An atom whose value is chosen.
struct Step {
    truth: bool,
    mark: Mark,
    /// Where a search gave up, the ones below it do not restart from the strictest level: each branch that is possible at a level has
    /// an end that is, so that the limit bounds the time.
    level: Level,
}

/// The combinations of Boolean values that no search found to be impossible; the first atoms, the facts, are true in all of them.
fn possible<'p>(
    solver: &mut Solver<'p>,
    problem: &'p Problem,
    facts: usize,
    limit: usize,
) -> Result<Vec<Vec<bool>>, TooManyLetters> {
    let mut ends = Vec::new();
    let mut path: Vec<Step> = Vec::new();
    let mut truth = facts > 0;
    loop {
        if let Some(atom) = problem.atoms.get(path.len()) {
            let mark = solver.mark();
            let level = path.last().map_or(Level::Everything, |step| step.level);
            if let Some(level) = enter(solver, atom.when(truth), level) {
                path.push(Step { truth, mark, level });
                truth = path.len() < facts;
                continue;
            }
            solver.undo(mark);
            if !truth {
                truth = true;
                continue;
            }
        } else if ends.len() == limit {
            return Err(TooManyLetters { limit });
        } else {
            ends.push(path.iter().map(|step| step.truth).collect());
        }
        // Back to the last false atom, to try it as true.
        loop {
            let Some(step) = path.pop() else { return Ok(ends) };
            solver.undo(step.mark);
            if !step.truth {
                truth = true;
                break;
            }
        }
    }
}

/// The state to find values for.
struct State<'a> {
    store: &'a Store,
    atoms: &'a [Id],
    truths: &'a [bool],
    problem: &'a Problem,
}

/// Adds an atom; returns the level at which there may be values, or `None` if there are none.
fn enter<'p>(solver: &mut Solver<'p>, cases: &'p [Case], level: Level) -> Option<Level> {
    if !solver.demand(cases) {
        return None;
    }
    let mark = solver.mark();
    for level in [Level::Everything, Level::Fractions, Level::Units].into_iter().filter(|&l| l >= level) {
        let outcome = solver.search(level);
        solver.undo(mark);
        match outcome {
            Outcome::Found => return Some(level),
            Outcome::Impossible => return None,
            Outcome::GaveUp => {}
        }
    }
    Some(Level::Units)
}

/// Values for a state and whether they witness it; `None` if the state turns out to be impossible.
fn witness(solver: &mut Solver, state: &State, guesser: &Guesser) -> Option<(Vec<(Id, Value)>, bool)> {
    let mark = solver.mark();
    let unknowns = state.problem.free();
    for level in [Level::Everything, Level::Fractions, Level::Units] {
        let outcome = solver.search(level);
        solver.undo(mark);
        match outcome {
            Outcome::Impossible => return None,
            Outcome::GaveUp => continue,
            Outcome::Found => {}
        }
        let values = nice::nice_values(solver, &unknowns, level).map(|()| values(solver, state));
        solver.undo(mark);
        let Some(values) = values else { continue };
        if level == Level::Everything && state.problem.opaque.is_empty() {
            debug_assert!(
                is_confirmed(state, &values),
                "values of a letter that evaluation does not confirm"
            );
            return Some((values, true));
        }
        if is_confirmed(state, &values) {
            return Some((values, true));
        }
        return Some(match guesser.guess(solver, state, &values) {
            Some(better) => (better, true),
            None => (values, false),
        });
    }
    // The last level always finds values: without splits there is nothing to give up.
    None
}

/// The values of variables, calls and constants, where every unknown is fixed.
fn values(solver: &Solver, state: &State) -> Vec<(Id, Value)> {
    let &State { store, problem, .. } = state;
    let constant = |symbol| Value::Name(store.name(symbol).to_owned());
    let mut others: Vec<(RBig, String)> = Vec::new();
    let mut values: Vec<(Id, Value)> =
        problem.constants.iter().map(|&(id, symbol)| (id, constant(symbol))).collect();
    for (index, unknown) in problem.unknowns.iter().enumerate() {
        let (Some(id), Some(number)) = (unknown.id, solver.simplex.fixed(index)) else { continue };
        let number = &number.real;
        let value = match unknown.kind {
            Kind::Truth => Value::Bool(!number.is_zero()),
            Kind::Whole | Kind::Rational => Value::Num(number.clone()),
            Kind::Name | Kind::Constant => match problem.name_of(number) {
                Some(symbol) => constant(symbol),
                None => Value::Name(other_name(store, problem, &mut others, number)),
            },
        };
        values.push((id, value));
    }
    values.sort_by_key(|(id, _)| *id);
    values
}

/// A name that is not one of the constants, the same for the same number.
fn other_name(store: &Store, problem: &Problem, others: &mut Vec<(RBig, String)>, number: &RBig) -> String {
    if let Some((_, name)) = others.iter().find(|(known, _)| known == number) {
        return name.clone();
    }
    let name = base::names::unique("other", "", |name| {
        let constant = problem.names.iter().any(|&symbol| store.name(symbol) == name);
        !constant && !others.iter().any(|(_, known)| known == name)
    });
    others.push((number.clone(), name.clone()));
    name
}

/// Whether evaluation agrees with the letter, and integers have integer values.
fn is_confirmed(state: &State, values: &[(Id, Value)]) -> bool {
    let &State { store, atoms, truths, problem } = state;
    let by_id: FxHashMap<Id, &Value> = values.iter().map(|(id, value)| (*id, value)).collect();
    let whole = problem.unknowns.iter().filter(|unknown| unknown.kind == Kind::Whole);
    let is_whole = |id: Id| !matches!(by_id.get(&id), Some(Value::Num(number)) if !number.is_int());
    whole.filter_map(|unknown| unknown.id).all(is_whole)
        && atoms.iter().zip(truths).all(|(&atom, &truth)| {
            let mut leaf =
                |id: Id, _: &Node| by_id.get(&id).map(|&value| value.clone()).ok_or(EvalError::UnfilledHole);
            eval_state(store, atom, &mut leaf) == Ok(Value::Bool(truth))
        })
}

#[cfg(test)]
mod tests;
