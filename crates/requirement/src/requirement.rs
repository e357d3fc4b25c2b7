//! The central type: every language is lowered to it and every meaning starts from it.
//!
//! Expressions are state formulas of a [`logic::Store`]; a temporal predicate inside one (`persisted(3, p)`) is a hole in the
//! formula, numbered like its entry in [`Requirement::predicates`], because its meaning depends on the scope interval and each
//! meaning fills it in its own way.

use logic::{Formula, Id, Node, Store, Term};
use std::fmt;

/// A requirement: where it applies, what triggers it, and what must then happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The intervals in which it applies.
    pub scope: Scope,
    /// The points that trigger it.
    pub condition: Condition,
    /// The component it constrains.
    pub component: String,
    /// When the response is due.
    pub timing: Timing,
    /// What must be satisfied.
    pub response: Formula,
    /// The temporal predicates inside the expressions; hole `k` refers to entry `k`. A predicate uses only predicates before it.
    pub predicates: Vec<Predicate>,
}

/// The intervals in which a requirement applies; the expression is the mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Scope {
    Global,
    In(Formula),
    NotIn(Formula),
    Before(Formula),
    After(Formula),
    OnlyIn(Formula),
    OnlyBefore(Formula),
    OnlyAfter(Formula),
}

/// The points of an interval that trigger a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The first point.
    Null,
    /// Every point where the expression becomes true, or is true at the start.
    Regular(Formula),
    /// Every point where the expression is true.
    Holding(Formula),
}

/// When the response is due, counted from a trigger; durations are in steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Timing {
    Immediately,
    Next,
    Finally,
    Always,
    Never,
    Eventually,
    Within(u64),
    For(u64),
    After(u64),
    Until(Formula),
    Before(Formula),
}

/// A predicate over the past or the future of a point, cut at the ends of the scope interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Predicate {
    Persisted { near: u64, far: u64, what: Formula },
    Occurred { near: u64, far: u64, what: Formula },
    PreviousOccurrence { event: Formula, then: Formula },
    Previously { initially: Formula, what: Formula },
    PreviousValue { initially: Term, what: Term },
    FirstPoint,
    Persists { near: u64, far: u64, what: Formula },
    Occurs { near: u64, far: u64, what: Formula },
    NextOccurrence { event: Formula, then: Formula },
}

impl Predicate {
    /// Its name in sentences.
    pub fn name(&self) -> &'static str {
        match self {
            Predicate::Persisted { .. } => "persisted",
            Predicate::Occurred { .. } => "occurred",
            Predicate::PreviousOccurrence { .. } => "prevOcc",
            Predicate::Previously { .. } => "preBool",
            Predicate::PreviousValue { .. } => "preReal",
            Predicate::FirstPoint => "FTP",
            Predicate::Persists { .. } => "persists",
            Predicate::Occurs { .. } => "occurs",
            Predicate::NextOccurrence { .. } => "nextOcc",
        }
    }

    /// Its argument expressions.
    pub fn arguments(&self) -> impl Iterator<Item = Id> + use<> {
        let (first, second) = match *self {
            Predicate::Persisted { what, .. } | Predicate::Occurred { what, .. } => (Some(what.id()), None),
            Predicate::Persists { what, .. } | Predicate::Occurs { what, .. } => (Some(what.id()), None),
            Predicate::PreviousOccurrence { event, then } => (Some(event.id()), Some(then.id())),
            Predicate::NextOccurrence { event, then } => (Some(event.id()), Some(then.id())),
            Predicate::Previously { initially, what } => (Some(initially.id()), Some(what.id())),
            Predicate::PreviousValue { initially, what } => (Some(initially.id()), Some(what.id())),
            Predicate::FirstPoint => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Whether it depends on the future.
    pub fn looks_ahead(&self) -> bool {
        match self {
            Predicate::Persisted { .. }
            | Predicate::Occurred { .. }
            | Predicate::PreviousOccurrence { .. }
            | Predicate::Previously { .. }
            | Predicate::PreviousValue { .. }
            | Predicate::FirstPoint => false,
            Predicate::Persists { .. } | Predicate::Occurs { .. } | Predicate::NextOccurrence { .. } => true,
        }
    }
}

impl Scope {
    /// The mode's expression.
    pub fn mode(self) -> Option<Formula> {
        match self {
            Scope::Global => None,
            Scope::In(mode)
            | Scope::NotIn(mode)
            | Scope::Before(mode)
            | Scope::After(mode)
            | Scope::OnlyIn(mode)
            | Scope::OnlyBefore(mode)
            | Scope::OnlyAfter(mode) => Some(mode),
        }
    }

    /// Whether the scope denies the response instead of demanding it.
    pub fn denies(self) -> bool {
        match self {
            Scope::OnlyIn(_) | Scope::OnlyBefore(_) | Scope::OnlyAfter(_) => true,
            Scope::Global | Scope::In(_) | Scope::NotIn(_) | Scope::Before(_) | Scope::After(_) => false,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Scope::Global => "null",
            Scope::In(_) => "in",
            Scope::NotIn(_) => "notin",
            Scope::Before(_) => "before",
            Scope::After(_) => "after",
            Scope::OnlyIn(_) => "onlyIn",
            Scope::OnlyBefore(_) => "onlyBefore",
            Scope::OnlyAfter(_) => "onlyAfter",
        }
    }
}

impl Condition {
    /// The condition's expression.
    pub fn expression(self) -> Option<Formula> {
        match self {
            Condition::Null => None,
            Condition::Regular(condition) | Condition::Holding(condition) => Some(condition),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Condition::Null => "null",
            Condition::Regular(_) => "regular",
            Condition::Holding(_) => "holding",
        }
    }
}

impl Timing {
    /// The stop expression of `until` and `before`.
    pub fn stop(self) -> Option<Formula> {
        match self {
            Timing::Until(stop) | Timing::Before(stop) => Some(stop),
            _ => None,
        }
    }

    /// The duration in steps.
    pub fn steps(self) -> Option<u64> {
        match self {
            Timing::Within(steps) | Timing::For(steps) | Timing::After(steps) => Some(steps),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Timing::Immediately => "immediately",
            Timing::Next => "next",
            Timing::Finally => "finally",
            Timing::Always => "always",
            Timing::Never => "never",
            Timing::Eventually => "eventually",
            Timing::Within(_) => "within",
            Timing::For(_) => "for",
            Timing::After(_) => "after",
            Timing::Until(_) => "until",
            Timing::Before(_) => "before",
        }
    }
}

impl Requirement {
    /// The template: scope, condition and timing without their expressions.
    pub fn key(&self) -> Key {
        Key { scope: self.scope.word(), condition: self.condition.word(), timing: self.timing.word() }
    }

    /// Its variables, each once, with their names.
    pub fn variables<'s>(&self, store: &'s Store) -> Vec<(Id, &'s str)> {
        let predicates = self.predicates.iter().flat_map(Predicate::arguments);
        let roots: Vec<Id> = self.expressions().map(Formula::id).chain(predicates).collect();
        let variable = |id: Id| match store.node(id) {
            Node::Var(symbol) => Some((id, store.name(*symbol))),
            _ => None,
        };
        store.reachable(roots).into_iter().filter_map(variable).collect()
    }

    /// All expressions that exist: mode, condition, stop and response.
    pub fn expressions(&self) -> impl Iterator<Item = Formula> {
        [self.scope.mode(), self.condition.expression(), self.timing.stop(), Some(self.response)]
            .into_iter()
            .flatten()
    }

    /// All expressions, and the arguments of temporal predicates.
    pub fn roots(&self) -> impl Iterator<Item = Id> {
        let predicates = self.predicates.iter().flat_map(Predicate::arguments);
        self.expressions().map(Formula::id).chain(predicates)
    }
}

/// The name of a template, printed as `in,regular,within`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// `null`, `in`, `notin`, …
    pub scope: &'static str,
    /// `null`, `regular` or `holding`.
    pub condition: &'static str,
    /// `immediately`, …; `null` for a sentence without a timing, which then means `eventually`.
    pub timing: &'static str,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{},{},{}", self.scope, self.condition, self.timing)
    }
}
