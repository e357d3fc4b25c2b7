//! What a sentence needs from a trace: the columns that it uses, and the values that it expects there.

use super::plan::Unchecked;
use logic::{Class, EvalError, Formula, Id, Node, Sort, Store};
use requirement::{Predicate, Requirement};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The columns that a requirement uses, each with the sort it is used with.
pub(super) fn columns(
    store: &Store,
    requirement: &Requirement,
    sorts: &FxHashMap<String, Sort>,
) -> BTreeMap<String, Sort> {
    let known = |id: Id| match store.node(id) {
        Node::Call(symbol, _) => sorts.get(&format!("{}()", store.name(*symbol))),
        _ => column(store, id).and_then(|name| sorts.get(&name)),
    };
    let all = nodes(store, requirement);
    // A formula does not come with sorts: what is used as one is a Boolean, and what is compared with a name is one.
    let mut used: FxHashMap<Id, Sort> =
        requirement.expressions().map(|formula| (formula.id(), Sort::Bool)).collect();
    for &id in &all {
        let node = store.node(id);
        match node {
            Node::Rel(_, a, b) => {
                for (one, other) in [(a, b), (b, a)] {
                    if value(store, other.id()).is_some() {
                        used.insert(one.id(), Sort::Enum);
                    }
                }
            }
            _ if matches!(node.class(), Class::Connective | Class::Temporal) => {
                used.extend(node.children().into_iter().map(|child| (child, Sort::Bool)));
            }
            _ => {}
        }
    }
    let sort = |id: Id| known(id).or_else(|| used.get(&id)).copied().unwrap_or(Sort::Any);
    all.into_iter().filter_map(|id| Some((column(store, id)?, sort(id)))).collect()
}

/// Refuses a comparison of two names of which neither is a column: nothing is compared.
pub(super) fn compared(
    store: &Store,
    requirement: &Requirement,
    known: &BTreeSet<&str>,
) -> Result<(), Unchecked> {
    for id in nodes(store, requirement) {
        let Node::Rel(_, left, right) = store.node(id) else { continue };
        if let (Some(left), Some(right)) = (value(store, left.id()), value(store, right.id())) {
            let near =
                [left, right].into_iter().find_map(|name| syntax::nearest(name, known.iter().copied()));
            let meant = meant(near);
            let reason = format!("neither `{left}` nor `{right}` is a column of the trace{meant}");
            return Err(Unchecked::Failed(reason));
        }
    }
    Ok(())
}

/// A note for each enumeration value that never occurs in the columns it is compared with: a typing error makes
/// such a comparison false everywhere. `names` has the names that occur in the columns of names.
pub(super) fn unknown_values(
    store: &Store,
    requirement: &Requirement,
    names: &BTreeMap<String, Vec<String>>,
) -> Vec<String> {
    let mut notes = BTreeSet::new();
    for id in nodes(store, requirement) {
        let Node::Rel(_, left, right) = store.node(id) else { continue };
        let below = store
            .reachable_until([left.id(), right.id()], |node| matches!(node, Node::Rel(..) | Node::Call(..)));
        let columns: Vec<(&String, &Vec<String>)> =
            below.iter().filter_map(|&id| names.get_key_value(&column(store, id)?)).collect();
        let occurs = |value: &str| columns.iter().any(|(_, cells)| cells.iter().any(|cell| cell == value));
        let values = below.iter().filter_map(|&id| value(store, id));
        for value in values.filter(|value| !columns.is_empty() && !occurs(value)) {
            let known: BTreeSet<&str> =
                columns.iter().flat_map(|(_, cells)| cells.iter().map(String::as_str)).collect();
            let names: Vec<String> = columns.iter().map(|(name, _)| format!("`{name}`")).collect();
            let hint = meant(syntax::nearest(value, known));
            notes.insert(format!("`{value}` is never a value of {} in the trace{hint}", names.join(" or ")));
        }
    }
    notes.into_iter().collect()
}

/// Why a requirement cannot be evaluated without this column.
pub(super) fn absent(store: &Store, requirement: &Requirement, name: &str) -> String {
    let is_call =
        |id: &Id| matches!(store.node(*id), Node::Call(..)) && column(store, *id).as_deref() == Some(name);
    let name = name.to_owned();
    let error = match nodes(store, requirement).iter().any(is_call) {
        true => EvalError::UndefinedFunction { name },
        false => EvalError::MissingColumn { name },
    };
    error.to_string()
}

/// Everything inside a requirement.
fn nodes(store: &Store, requirement: &Requirement) -> Vec<Id> {
    let expressions = requirement.expressions().map(Formula::id);
    store.reachable(expressions.chain(requirement.predicates.iter().flat_map(Predicate::arguments)))
}

/// The column that holds the values of a node: a variable's, or that of a call as it is written.
fn column(store: &Store, id: Id) -> Option<String> {
    match store.node(id) {
        Node::Var(symbol) => Some(store.name(*symbol).to_string()),
        Node::Call(..) => logic::print(store, id, &logic::SHALL).ok(),
        _ => None,
    }
}

/// The name of an enumeration value.
fn value(store: &Store, id: Id) -> Option<&str> {
    if let Node::Value(symbol) = store.node(id) { Some(store.name(*symbol)) } else { None }
}

fn meant(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}
