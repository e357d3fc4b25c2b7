//! Requirements with Boolean variables in place of some of their conditions.
//!
//! A requirement with many comparisons has few conditions in a row: a mode, a condition, a stop, a response. For its traps, it only
//! matters which of them can hold together at a step.

use crate::question::MAX_LETTERS;
use logic::{Id, Letter, Node, Sort, Store, Value};
use requirement::{Condition, Predicate, Requirement, Scope, Timing};
use rustc_hash::FxHashSet;

/// A requirement over variables for its largest conditions.
pub(crate) struct Coarse {
    pub(crate) requirement: Requirement,
    /// The variables.
    pub(crate) atoms: Vec<Id>,
    /// The values that the variables can have at one step.
    pub(crate) letters: Vec<Letter>,
}

/// A requirement over variables for its largest conditions; `None` if there are too many of them, or a temporal predicate is part of
/// a comparison.
pub(crate) fn coarse(store: &mut Store, requirement: &Requirement) -> Option<Coarse> {
    let conditions = largest_conditions(store, requirement)?;
    let found = logic::letters(store, &conditions, &[], &|_| Sort::Any, MAX_LETTERS).ok()?;
    let prefix = unused_prefix(store, requirement);
    let atoms: Vec<Id> = conditions.iter().map(|&id| variable(store, &prefix, id)).collect();
    let letter = |letter: Letter| {
        let values = atoms.iter().zip(&letter.truths).map(|(&atom, &truth)| (atom, Value::Bool(truth)));
        Letter { values: values.collect(), ..letter }
    };
    let letters = found.letters.into_iter().map(letter).collect();
    let requirement = replaced(store, requirement, &conditions.into_iter().collect());
    Some(Coarse { requirement, atoms, letters })
}

/// The largest conditions without a temporal predicate inside.
fn largest_conditions(store: &Store, requirement: &Requirement) -> Option<Vec<Id>> {
    let mut temporal: FxHashSet<Id> = FxHashSet::default();
    let roots: Vec<Id> = requirement.roots().collect();
    for id in store.reachable(roots.iter().copied()) {
        let node = store.node(id);
        if matches!(node, Node::Hole(_) | Node::Pre(..)) || node.children().any(|it| temporal.contains(&it)) {
            temporal.insert(id);
        }
    }
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    let mut conditions = Vec::new();
    let mut open: Vec<Id> = roots.into_iter().rev().collect();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match store.node(id) {
            Node::True | Node::False | Node::Hole(_) => {}
            _ if !temporal.contains(&id) => conditions.push(id),
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Xor(..) | Node::Implies(..) | Node::Iff(..) => {
                open.extend(store.children(id));
            }
            _ => return None,
        }
    }
    Some(conditions)
}

/// The requirement with a Boolean variable in place of each of some conditions.
pub(crate) fn replaced(
    store: &mut Store,
    requirement: &Requirement,
    conditions: &FxHashSet<Id>,
) -> Requirement {
    let prefix = unused_prefix(store, requirement);
    let mut map =
        |id: Id| store.map(id, |store, id| conditions.contains(&id).then(|| variable(store, &prefix, id)));
    let mapped: Vec<Id> = requirement.roots().map(&mut map).collect();
    let mut mapped = mapped.into_iter();
    let mut formula = || {
        let id = mapped.next().expect("every part of a requirement is one of its roots");
        store.as_formula(id).expect("a condition is a formula")
    };
    let scope = match requirement.scope {
        Scope::Global => Scope::Global,
        Scope::In(_) => Scope::In(formula()),
        Scope::NotIn(_) => Scope::NotIn(formula()),
        Scope::Before(_) => Scope::Before(formula()),
        Scope::After(_) => Scope::After(formula()),
        Scope::OnlyIn(_) => Scope::OnlyIn(formula()),
        Scope::OnlyBefore(_) => Scope::OnlyBefore(formula()),
        Scope::OnlyAfter(_) => Scope::OnlyAfter(formula()),
    };
    let condition = match requirement.condition {
        Condition::Null => Condition::Null,
        Condition::Regular(_) => Condition::Regular(formula()),
        Condition::Holding(_) => Condition::Holding(formula()),
    };
    let timing = match requirement.timing {
        Timing::Until(_) => Timing::Until(formula()),
        Timing::Before(_) => Timing::Before(formula()),
        other => other,
    };
    let response = formula();
    let predicates = requirement
        .predicates
        .iter()
        .map(|predicate| match *predicate {
            Predicate::Persisted { near, far, .. } => Predicate::Persisted { near, far, what: formula() },
            Predicate::Occurred { near, far, .. } => Predicate::Occurred { near, far, what: formula() },
            Predicate::Persists { near, far, .. } => Predicate::Persists { near, far, what: formula() },
            Predicate::Occurs { near, far, .. } => Predicate::Occurs { near, far, what: formula() },
            Predicate::PreviousOccurrence { .. } => {
                Predicate::PreviousOccurrence { event: formula(), then: formula() }
            }
            Predicate::NextOccurrence { .. } => {
                Predicate::NextOccurrence { event: formula(), then: formula() }
            }
            Predicate::Previously { .. } => Predicate::Previously { initially: formula(), what: formula() },
            // With one of these, nothing is free.
            Predicate::PreviousValue { .. } | Predicate::FirstPoint => *predicate,
        })
        .collect();
    let component = requirement.component.clone();
    Requirement { scope, condition, component, timing, response, predicates }
}

/// The variable for a condition.
fn variable(store: &mut Store, prefix: &str, condition: Id) -> Id {
    let symbol = store.symbol(&format!("{prefix}{}", condition.index()));
    store.var(symbol).id()
}

/// A prefix that is longer than all names, so that names with it are unused.
fn unused_prefix(store: &Store, requirement: &Requirement) -> String {
    let length = |id: Id| match store.node(id) {
        Node::Var(symbol) | Node::Call(symbol, _) | Node::Value(symbol) => store.name(*symbol).len(),
        _ => 0,
    };
    "_".repeat(store.reachable(requirement.roots()).into_iter().map(length).max().unwrap_or(0) + 1)
}
