//! The subjects of a query and its encoding for the search: formulas of one direction, over the letters that can occur.

use crate::{sampling, short_lassos};
use logic::symbolic::{self, Asked, Lasso};
use logic::{Formula, Id, Node, Sort, Store, Trace, Value, holds_at};
use requirement::oracle::judge;
use requirement::{Ending, Requirement, future, past};
use std::fmt;

/// The maximum number of combinations of Boolean values at one step.
pub(crate) const MAX_LETTERS: usize = 1 << 10;

/// A requirement or a temporal formula.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A requirement.
    Requirement(Requirement),
    /// A formula: a past-time one, evaluated at the end of a trace, or a future-time one, evaluated at its start.
    Formula(Formula),
}

impl Subject {
    fn expressions(&self) -> Vec<Id> {
        match self {
            Subject::Requirement(requirement) => requirement.roots().collect(),
            Subject::Formula(formula) => vec![formula.id()],
        }
    }
}

/// The traces that a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Traces {
    /// Finite traces.
    Finite,
    /// Infinite traces; formulas are evaluated at their start.
    Infinite,
}

/// Why a query has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undecided {
    /// The two cannot be expressed in the same direction.
    Directions,
    /// One refers to the past, and has no formula for infinite traces.
    LooksBack,
    /// The atoms have too many combinations at one step.
    TooManyLetters,
    /// An atom is not linear, so it is unknown which combinations can occur.
    NotLinear,
    /// A comparison refers to other steps, as `preReal` does.
    TemporalAtom,
    /// The search reached its limit.
    Search(symbolic::Undecided),
    /// A trace that was found could not be replayed.
    Replay,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Undecided::Directions => "one speaks of the past and the other of the future",
            Undecided::LooksBack => "one speaks of the past, and infinite traces are asked at their start",
            Undecided::TooManyLetters => {
                return write!(
                    f,
                    "more than {MAX_LETTERS} combinations of conditions are possible at one step"
                );
            }
            Undecided::NotLinear => "a condition is not linear, so it is not known when it can hold",
            Undecided::TemporalAtom => "a comparison takes the value of another step",
            Undecided::Search(reason) => return reason.fmt(f),
            Undecided::Replay => "internal error: a trace could not be replayed; please report this",
        })
    }
}

/// Where formulas are evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    Finite(Asked),
    /// At the start of infinite traces.
    Infinite,
}

/// Subjects as formulas that are evaluated at the same end.
pub(crate) struct Question {
    pub(crate) formulas: Vec<Formula>,
    asked: Where,
    atoms: Vec<Id>,
    letters: Vec<logic::Letter>,
}

impl Question {
    /// Converts subjects to one direction; on finite traces the past if possible.
    pub(crate) fn new(
        store: &mut Store,
        subjects: &[&Subject],
        traces: Traces,
    ) -> Result<Question, Undecided> {
        let (formulas, asked) = one_direction(store, subjects, traces)?;
        let is_atom = |node: &Node| matches!(node, Node::Var(_) | Node::Call(..) | Node::Rel(..));
        // The oracle evaluates the whole requirement, including what its formula does not need.
        let expressions = subjects.iter().flat_map(|subject| subject.expressions());
        let roots: Vec<Id> = formulas.iter().map(|formula| formula.id()).chain(expressions).collect();
        let roots = || roots.iter().copied();
        let atoms: Vec<Id> = store
            .reachable_until(roots(), is_atom)
            .into_iter()
            .filter(|&id| is_atom(store.node(id)))
            .collect();
        if store.reachable(roots()).iter().any(|&id| matches!(store.node(id), Node::Pre(..))) {
            return Err(Undecided::TemporalAtom);
        }
        let found = logic::letters(store, &atoms, &[], &|_| Sort::Any, MAX_LETTERS)
            .map_err(|_| Undecided::TooManyLetters)?;
        Ok(Question { formulas, asked, atoms, letters: found.letters })
    }

    /// As [`new`](Question::new) on finite traces, over atoms whose letters are known.
    pub(crate) fn over(
        store: &mut Store,
        subjects: &[&Subject],
        atoms: &[Id],
        letters: &[logic::Letter],
    ) -> Result<Question, Undecided> {
        let (formulas, asked) = one_direction(store, subjects, Traces::Finite)?;
        Ok(Question { formulas, asked, atoms: atoms.to_vec(), letters: letters.to_vec() })
    }

    /// Whether some trace satisfies a formula with this horizon in steps.
    pub(crate) fn satisfiable(
        &self,
        store: &mut Store,
        formula: Formula,
        horizon: u64,
    ) -> Result<bool, Undecided> {
        let witnessed = self.letters.iter().filter(|letter| letter.witnessed);
        let letters: Vec<&[bool]> = witnessed.map(|letter| &letter.truths[..]).collect();
        let at_end = self.asked == Where::Finite(Asked::AtEnd);
        let sampled = self.asked != Where::Infinite
            && sampling::found(store, formula, &self.atoms, &letters, horizon, at_end);
        Ok(sampled || self.model(store, formula)?.is_some())
    }

    /// A trace that satisfies a formula, shortest if finite; `None` if there is none.
    pub(crate) fn model(&self, store: &mut Store, formula: Formula) -> Result<Option<Trace>, Undecided> {
        let witnessed: Vec<&logic::Letter> = self.letters.iter().filter(|letter| letter.witnessed).collect();
        if let Some((word, loop_start)) = self.search(store, formula, &witnessed)? {
            let letter =
                |truths: &Vec<bool>| witnessed.iter().copied().find(|letter| letter.truths == *truths);
            let letters: Option<Vec<&logic::Letter>> = word.iter().map(letter).collect();
            let trace = letters
                .and_then(|letters| self.trace(store, &letters, loop_start))
                .ok_or(Undecided::Replay)?;
            return match holds_at(store, formula, &trace, self.position(&trace)) {
                Ok(true) => Ok(Some(trace)),
                Ok(false) | Err(_) => Err(Undecided::Replay),
            };
        }
        // Letters that may not be able to occur are harmless if they are not needed.
        let all: Vec<&logic::Letter> = self.letters.iter().collect();
        match all.len() > witnessed.len() && self.search(store, formula, &all)?.is_some() {
            true => Err(Undecided::NotLinear),
            false => Ok(None),
        }
    }

    fn search(
        &self,
        store: &mut Store,
        formula: Formula,
        letters: &[&logic::Letter],
    ) -> Result<Option<Word>, Undecided> {
        let truths: Vec<Vec<bool>> = letters.iter().map(|letter| letter.truths.clone()).collect();
        match self.asked {
            Where::Finite(asked) => {
                let word = symbolic::shortest_model(store, formula, &self.atoms, &truths, asked);
                Ok(word.map_err(Undecided::Search)?.map(|word| (word, None)))
            }
            Where::Infinite => {
                if let Some((word, start)) = short_lassos::shortest(store, formula, &self.atoms, &truths) {
                    return Ok(Some((word.into_iter().map(|at| truths[at].clone()).collect(), Some(start))));
                }
                let lasso = symbolic::lasso(store, formula, &self.atoms, &truths);
                let lasso = lasso.map_err(Undecided::Search)?;
                Ok(lasso.map(|Lasso { letters, loop_start }| (letters, Some(loop_start))))
            }
        }
    }

    /// The position at which the formulas are evaluated on a trace.
    pub(crate) fn position(&self, trace: &Trace) -> usize {
        if self.asked == Where::Finite(Asked::AtEnd) { trace.len() - 1 } else { 0 }
    }

    fn trace(&self, store: &Store, letters: &[&logic::Letter], loop_start: Option<usize>) -> Option<Trace> {
        let mut trace = Trace::new(letters.len(), loop_start).ok()?;
        for (index, &(id, _)) in letters.first()?.values.iter().enumerate() {
            let name = match store.node(id) {
                Node::Var(symbol) => store.name(*symbol).to_string(),
                _ => logic::print(store, id, &logic::SHALL).ok()?,
            };
            let column: Vec<Value> = letters.iter().map(|letter| letter.values[index].1.clone()).collect();
            trace = trace.with(&name, column).ok()?;
        }
        Some(trace)
    }
}

/// Whether a subject holds on a trace; the oracle judges requirements.
pub(crate) fn holds(store: &Store, subject: &Subject, trace: &Trace, position: usize) -> Option<bool> {
    match subject {
        Subject::Requirement(requirement) => {
            judge(store, requirement, trace).ok().map(|verdict| verdict.holds())
        }
        Subject::Formula(formula) => holds_at(store, *formula, trace, position).ok(),
    }
}

/// Letters, and the index of the first that repeats forever.
type Word = (Vec<Vec<bool>>, Option<usize>);

fn one_direction(
    store: &mut Store,
    subjects: &[&Subject],
    traces: Traces,
) -> Result<(Vec<Formula>, Where), Undecided> {
    let mut all = |formula: &dyn Fn(&mut Store, &Subject) -> Option<Formula>| {
        subjects.iter().map(|subject| formula(store, subject)).collect::<Option<Vec<Formula>>>()
    };
    match traces {
        Traces::Infinite => {
            let formulas = all(&|store, subject| as_future(store, subject, Ending::Infinite));
            Ok((formulas.ok_or(Undecided::LooksBack)?, Where::Infinite))
        }
        Traces::Finite => {
            if let Some(formulas) = all(&as_past) {
                return Ok((formulas, Where::Finite(Asked::AtEnd)));
            }
            let formulas = all(&|store, subject| as_future(store, subject, Ending::WeakNext));
            Ok((formulas.ok_or(Undecided::Directions)?, Where::Finite(Asked::AtStart)))
        }
    }
}

fn as_past(store: &mut Store, subject: &Subject) -> Option<Formula> {
    match subject {
        Subject::Requirement(requirement) => past(store, requirement).ok(),
        Subject::Formula(formula) => speaks(store, *formula, false).then_some(*formula),
    }
}

fn as_future(store: &mut Store, subject: &Subject, ending: Ending) -> Option<Formula> {
    match subject {
        Subject::Requirement(requirement) => future(store, requirement, ending).ok(),
        Subject::Formula(formula) => speaks(store, *formula, true).then_some(*formula),
    }
}

/// Whether a formula refers only to the future, or only to the past. One that refers to neither is about the start.
fn speaks(store: &Store, formula: Formula, of_future: bool) -> bool {
    let directions: Vec<bool> = store
        .reachable([formula.id()])
        .into_iter()
        .filter_map(|id| match store.node(id) {
            Node::Unary(op, ..) => Some(op.is_future()),
            Node::Binary(op, ..) => Some(op.window().is_future()),
            _ => None,
        })
        .collect();
    directions.iter().all(|&future| future == of_future) && (of_future || !directions.is_empty())
}
