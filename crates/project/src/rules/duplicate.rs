//! [`DUPLICATE`]: each requirement of a component says something of its own.
//!
//! Requirements over the same variables are compared on random traces first; those that no trace distinguishes are compared exactly.

use super::conflict::about;
use super::pairs::{Around, Profile};
use crate::finding::Finding;
use crate::project::{Known, Project};
use crate::set::{ComponentSet, set_of};
use base::Random;
use check::{Relation, Subject, Traces, compare};
use logic::{Node, RBig, Trace, Value};
use requirement::oracle::judge;
use requirement::specification::{ContractRole, Type, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

diagnostics::codes! {
    DUPLICATE "W0532" "Two requirements say the same.",
        "What is said twice is changed once, and then the two disagree. The words may differ; every trace that satisfies one satisfies \
         the other.",
        "| p | input | bool |\n| on | output | bool |\n\n\
         the pump shall always satisfy p => on\nwhenever p the pump shall immediately satisfy on"
            => "| p | input | bool |\n| on | output | bool |\n\nwhenever p the pump shall immediately satisfy on";
}

/// Two requirements that say the same, by their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    /// Why it is not known whether they do.
    pub(super) undecided: Option<String>,
}

/// What is known of groups of requirements over the same variables, by the addresses of their profiles; places are those in the group.
pub(super) type Groups = FxHashMap<Vec<usize>, Arc<Vec<Pair>>>;

/// The largest number of exact comparisons in one group.
const COMPARED: usize = 100;
/// The number of random traces.
const FEWEST: usize = 64;
const MOST: usize = 512;
/// The number of their steps.
const STEPS: usize = 6;

/// Requirements that say the same as an earlier one.
pub(super) fn find(
    around: &Around,
    known: &[&Known],
    profiles: &[Arc<Profile>],
    groups: &mut Groups,
) -> Vec<Pair> {
    let mut by_variables: FxHashMap<(ContractRole, &[String]), Vec<usize>> = FxHashMap::default();
    for (at, profile) in profiles.iter().enumerate() {
        by_variables.entry((profile.role, &profile.variables)).or_default().push(at);
    }
    let mut found = Vec::new();
    let mut current = Groups::default();
    for group in by_variables.into_values().filter(|it| it.len() > 1) {
        let key: Vec<usize> = group.iter().map(|at| Arc::as_ptr(&profiles[*at]) as usize).collect();
        let pairs = groups.remove(&key).unwrap_or_else(|| {
            let members: Vec<&Known> = group.iter().map(|at| known[*at]).collect();
            Arc::new(same(set_of(around.project, around.analysis, around.component, &members)))
        });
        let whole = |it: &Pair| Pair { first: group[it.first], second: group[it.second], ..it.clone() };
        found.extend(pairs.iter().map(whole));
        current.insert(key, pairs);
    }
    *groups = current;
    found.sort_by_key(|it| (it.second, it.first));
    found
}

/// The finding about two requirements that say the same; the second is the later one.
pub(super) fn finding(project: &Project, [first, second]: [&Known; 2]) -> Finding {
    let message = format!("says the same as `{}`", project.entry(first.place).id.text);
    about(project, second, &[first], DUPLICATE, message, "remove one of them, or check what it should say")
}

/// Each member that says the same as an earlier one.
fn same(mut set: ComponentSet) -> Vec<Pair> {
    let traces = traces(&set);
    let mut firsts: FxHashMap<Vec<bool>, Vec<usize>> = FxHashMap::default();
    let mut pairs = Vec::new();
    let mut compared = 0;
    for second in 0..set.members.len() {
        let alike = firsts.entry(verdicts(&set, second, &traces)).or_default();
        let mut is_new = true;
        for &first in alike.iter() {
            let [one, other] = [first, second].map(|it| &set.members[it].requirement);
            if one != other {
                if compared == COMPARED {
                    let reason = format!(
                        "{COMPARED} requirements with the same variables were compared, which is the limit"
                    );
                    pairs.push(Pair { first, second, undecided: Some(reason) });
                    return pairs;
                }
                compared += 1;
                let [one, other] = [one, other].map(|it| Subject::Requirement(it.clone()));
                match compare(&mut set.store, &one, &other, Traces::Finite) {
                    Ok(it) if it.relation == Relation::Equal => {}
                    Ok(_) => continue,
                    Err(reason) => {
                        pairs.push(Pair { first, second, undecided: Some(reason.to_string()) });
                        continue;
                    }
                }
            }
            is_new = false;
            pairs.push(Pair { first, second, undecided: None });
            break;
        }
        if is_new {
            alike.push(second);
        }
    }
    pairs
}

/// On which of the traces a member holds.
fn verdicts(set: &ComponentSet, member: usize, traces: &[Trace]) -> Vec<bool> {
    let requirement = &set.members[member].requirement;
    traces.iter().map(|it| judge(&set.store, requirement, it).is_ok_and(|it| it.holds())).collect()
}

/// Random traces over the variables of the set, each with numbers near one that it mentions.
fn traces(set: &ComponentSet) -> Vec<Trace> {
    let mut numbers: BTreeSet<RBig> = [RBig::ZERO].into();
    for id in set.store.reachable(set.members.iter().flat_map(|it| it.requirement.roots())) {
        if let Node::Num(number, _) = set.store.node(id) {
            numbers.insert(number.clone());
        }
    }
    let numbers: Vec<RBig> = numbers.into_iter().collect();
    let mut rng = Random::new(1);
    let value = |variable: &Variable, near: &RBig, rng: &mut Random| {
        let around = || [near.clone(), near.clone(), near.clone() + RBig::ONE, near.clone() - RBig::ONE];
        match &variable.ty {
            Type::Bool => Value::Bool(rng.below(2) == 1),
            Type::Int(_) => Value::Num(RBig::from(around()[rng.below(4_usize)].floor())),
            Type::Real(_) => Value::Num(around()[rng.below(4_usize)].clone()),
            Type::Enum(literals) if literals.is_empty() => Value::Name(String::new()),
            Type::Enum(literals) => Value::Name(literals[rng.below(literals.len())].clone()),
        }
    };
    let mut trace = |near: &RBig| {
        let mut trace = Trace::new(STEPS, None).ok()?;
        for variable in &set.variables {
            let mut last = value(variable, near, &mut rng);
            let column = (0..STEPS).map(|_| {
                if rng.below(2) == 0 {
                    last = value(variable, near, &mut rng);
                }
                last.clone()
            });
            let column: Vec<Value> = column.collect();
            trace = trace.with(&variable.name, column).ok()?;
        }
        Some(trace)
    };
    let count = (2 * numbers.len()).clamp(FEWEST, MOST);
    (0..count).filter_map(|it| trace(&numbers[it % numbers.len()])).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    #[test]
    fn the_same_in_other_words() {
        let table = "p;input;bool\nx;input;int 0..9\ny;output;bool\nlate;internal;bool;;x > 5";
        for (one, other, is_same) in [
            ("the Pump shall always satisfy y", "the Pump shall always satisfy y", true),
            ("the Pump shall always satisfy y", "the Pump shall never satisfy !y", true),
            ("the Pump shall always satisfy y", "the Pump shall eventually satisfy y", false),
            ("whenever p the Pump shall immediately satisfy y", "the Pump shall always satisfy p => y", true),
            ("when p the Pump shall immediately satisfy y", "the Pump shall always satisfy p => y", false),
            (
                "when x > 5 the Pump shall within 3 ticks satisfy y",
                "when late the Pump shall within 3 ticks satisfy y",
                true,
            ),
            (
                "when x > 5 the Pump shall within 3 ticks satisfy y",
                "when x >= 6 the Pump shall within 3 ticks satisfy y",
                false,
            ),
            (
                "when x > 5 the Pump shall within 3 ticks satisfy y",
                "when late the Pump shall within 4 ticks satisfy y",
                false,
            ),
            (
                "in p mode the Pump shall always satisfy y",
                "whenever p the Pump shall immediately satisfy y",
                true,
            ),
            ("in p mode the Pump shall always satisfy y", "the Pump shall always satisfy !p | y", true),
        ] {
            let expected = format!("W0532 {other} ({one})");
            let expected: &[&str] = if is_same { &[&expected] } else { &[] };
            expect(&[&pump(table, &[one, other])], &["W0532"], expected);
        }
    }

    /// The third is reported with the first of those that say the same, and not with both.
    #[test]
    fn each_is_reported_once() {
        let sentences = [
            "the Pump shall always satisfy y",
            "the Pump shall never satisfy !y",
            "the Pump shall always satisfy y",
        ];
        let expected = [
            format!("W0532 {} ({})", sentences[1], sentences[0]),
            format!("W0532 {} ({})", sentences[2], sentences[0]),
        ];
        expect(&[&pump("y;output;bool", &sentences)], &["W0532"], &expected.each_ref().map(String::as_str));
        // Other components may say it too.
        let other = pump("y;output;bool", &sentences[..1]).replace("Pump", "Valve").replace("P-", "V-");
        expect(&[&pump("y;output;bool", &sentences[..1]), &other], &["W0532"], &[]);
    }
}
