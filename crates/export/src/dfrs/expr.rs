//! Conditions over signals and the ages of timers, independent of any language, and how a language writes them.
//!
//! Invariant: a condition made by the constructors has no Boolean inside, and no conjunction or disjunction of one part.

use super::plan::{Domain, Signal};
use ::dfrs::Moment;
use logic::Rel;

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expr {
    Truth(bool),
    All(Vec<Expr>),
    Any(Vec<Expr>),
    /// A comparison of a signal.
    Value(Moment, usize, Rel, Term),
    /// A comparison of the age of a timer, in units of the plan.
    Age(usize, Rel, i64),
}

/// What a signal is compared with or assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    Constant(i64),
    Signal(Moment, usize),
}

impl Expr {
    pub(super) fn all(parts: impl IntoIterator<Item = Expr>) -> Expr {
        join(parts, true)
    }

    pub(super) fn any(parts: impl IntoIterator<Item = Expr>) -> Expr {
        join(parts, false)
    }

    /// Whether a condition on the ages of timers holds; `twice` gives the ages times two, so that ages between integers exist.
    pub(super) fn holds_at(&self, twice: &impl Fn(usize) -> i64) -> bool {
        match self {
            Expr::Truth(truth) => *truth,
            Expr::All(parts) => parts.iter().all(|part| part.holds_at(twice)),
            Expr::Any(parts) => parts.iter().any(|part| part.holds_at(twice)),
            Expr::Value(..) => true,
            Expr::Age(timer, relation, bound) => relation.holds(&twice(*timer), &(2 * bound)),
        }
    }

    /// The bounds of the ages inside.
    pub(super) fn bounds(&self, found: &mut Vec<(usize, i64)>) {
        match self {
            Expr::Truth(_) | Expr::Value(..) => {}
            Expr::All(parts) | Expr::Any(parts) => parts.iter().for_each(|part| part.bounds(found)),
            Expr::Age(timer, _, bound) => found.push((*timer, *bound)),
        }
    }
}

fn join(parts: impl IntoIterator<Item = Expr>, neutral: bool) -> Expr {
    let mut kept: Vec<Expr> = Vec::new();
    for part in parts {
        match part {
            Expr::Truth(truth) if truth == neutral => {}
            Expr::Truth(truth) => return Expr::Truth(truth),
            Expr::All(inner) if neutral => kept.extend(inner),
            Expr::Any(inner) if !neutral => kept.extend(inner),
            part => kept.push(part),
        }
    }
    match (kept.len(), neutral) {
        (0, _) => Expr::Truth(neutral),
        (1, _) => kept.remove(0),
        (_, true) => Expr::All(kept),
        (_, false) => Expr::Any(kept),
    }
}

/// The sign of a comparison, with the target's sign of equality.
pub(super) fn symbol(relation: Rel, equal: &'static str) -> &'static str {
    match relation {
        Rel::Lt => "<",
        Rel::Le => "<=",
        Rel::Gt => ">",
        Rel::Ge => ">=",
        Rel::Eq => equal,
        Rel::Ne => "!=",
    }
}

/// How a language writes conditions.
pub(super) struct Language<'l> {
    pub(super) and: &'static str,
    pub(super) or: &'static str,
    /// Negation, with a space if it is a word.
    pub(super) not: &'static str,
    pub(super) equal: &'static str,
    pub(super) truth: [&'static str; 2],
    /// Whether Booleans are a type of their own, not numbers.
    pub(super) has_bool: bool,
    /// A signal.
    pub(super) signal: &'l dyn Fn(Moment, usize) -> String,
    /// A value of a signal that is not a Boolean.
    pub(super) constant: &'l dyn Fn(usize, i64) -> String,
    /// A comparison of an age.
    pub(super) age: &'l dyn Fn(usize, Rel, i64) -> String,
}

impl Language<'_> {
    /// A condition.
    pub(super) fn condition(&self, signals: &[Signal], expr: &Expr) -> String {
        match expr {
            Expr::Truth(truth) => self.truth[usize::from(*truth)].to_owned(),
            Expr::All(parts) => self.joined(signals, parts, self.and),
            Expr::Any(parts) => self.joined(signals, parts, self.or),
            Expr::Age(timer, relation, bound) => (self.age)(*timer, *relation, *bound),
            Expr::Value(moment, signal, relation, term) => {
                let left = (self.signal)(*moment, *signal);
                match term {
                    Term::Constant(value) if self.has_bool && signals[*signal].domain == Domain::Bool => {
                        if (*value != 0) == (*relation == Rel::Eq) {
                            left
                        } else {
                            format!("{}{left}", self.not)
                        }
                    }
                    term => {
                        format!(
                            "{left} {} {}",
                            symbol(*relation, self.equal),
                            self.term(signals, *signal, term)
                        )
                    }
                }
            }
        }
    }

    /// A condition, in parentheses if it has several parts.
    fn closed(&self, signals: &[Signal], expr: &Expr) -> String {
        let text = self.condition(signals, expr);
        if matches!(expr, Expr::All(_) | Expr::Any(_)) { format!("({text})") } else { text }
    }

    /// What a signal is compared with or assigned.
    pub(super) fn term(&self, signals: &[Signal], signal: usize, term: &Term) -> String {
        match term {
            Term::Signal(moment, other) => (self.signal)(*moment, *other),
            Term::Constant(value) if self.has_bool && signals[signal].domain == Domain::Bool => {
                self.truth[usize::from(*value != 0)].to_owned()
            }
            Term::Constant(value) => (self.constant)(signal, *value),
        }
    }

    fn joined(&self, signals: &[Signal], parts: &[Expr], word: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.closed(signals, part)).collect();
        parts.join(&format!(" {word} "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_values_do_not_stay_inside() {
        let age = |bound| Expr::Age(0, Rel::Le, bound);
        assert_eq!(Expr::all([Expr::Truth(true), age(3)]), age(3));
        assert_eq!(Expr::all([age(3), Expr::Truth(false)]), Expr::Truth(false));
        assert_eq!(Expr::any([]), Expr::Truth(false));
        let both = Expr::any([age(1), Expr::any([age(2), age(3)])]);
        assert_eq!(both, Expr::Any(vec![age(1), age(2), age(3)]));
        assert!(both.holds_at(&|_| 6) && !both.holds_at(&|_| 7));
    }
}
