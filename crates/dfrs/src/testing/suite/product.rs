//! A system and a mutant side by side, with the same inputs at the same times: a shortest run after which they can differ, or the
//! proof that there is none.
//!
//! The two are one system with two copies of each output and timer; both copies split at the literals of both, so that classes can be
//! compared. What follows a difference is not searched. Deadlines are those of the system alone, and the situations in which
//! it may go more than one way are left out: no test passes through them.

use crate::classes::{Class, ClassSet};
use crate::explore::{Budget, Environment, Exploration, Node, Situation, explore};
use crate::machine::compile;
use crate::machine::{Machine, Rule, Test};
use crate::suite::drive;
use crate::suite::paths::{self, Stimulus};
use crate::system::{Condition, Dfrs, Effect, Entry, Function, Kind, Operand};

/// What was found about two systems.
pub(crate) enum Difference {
    /// They can differ after these samples.
    After(Stimulus),
    /// They never do.
    None,
    /// The search ended before, or found no times for its path.
    Unknown,
}

/// Searches for a difference between a system and its mutant; `forbidden` holds situations of `base` that no test may pass through.
pub(crate) fn difference(
    dfrs: &Dfrs,
    mutant: &Dfrs,
    base: &Machine<'_>,
    forbidden: &[Vec<Test>],
    environment: Environment,
    budget: Budget,
) -> Difference {
    let both = Both::new(dfrs, mutant);
    let Ok(mut machine) = compile(&both.system, base.semantics) else { return Difference::Unknown };
    machine.rules.truncate(both.entries);
    for rule in machine.rules.iter_mut().skip(both.first_of_mutant) {
        rule.windows.clear();
    }
    let pairs: Vec<(usize, usize)> = both
        .copies
        .iter()
        .filter(|(original, _)| dfrs.variables[*original].kind == Kind::Output)
        .filter_map(|&(original, copy)| Some((machine.slot(original)?, machine.slot(copy)?)))
        .collect();
    for &(original, copy) in &pairs {
        let same = (0..=machine.variables[original].classes.count() as Class).collect();
        machine.restrictions.push(vec![Test::Same(original, copy, same, false)]);
    }
    let forbidden = translated(base, &machine, forbidden);
    machine.restrictions.extend(forbidden);
    // Most mutants differ soon.
    let near = Budget { nodes: NEAR.min(budget.nodes), ..budget };
    let mut found = explore(&machine, environment, near);
    if let Some(stimulus) = surely(&found, &pairs) {
        return Difference::After(stimulus);
    }
    if found.stopped.is_some() {
        found = explore(&machine, environment, budget);
    }
    let lock = found.situations.iter().position(|situation| drive::endless(&situation.closure));
    let Some(possibly) = differing(&found, &pairs).chain(lock).min() else {
        return if found.stopped.is_some() { Difference::Unknown } else { Difference::None };
    };
    // A mutant that has a choice may be lucky: better where it has none.
    let after = surely(&found, &pairs).or_else(|| {
        let mut certain = machine.clone();
        certain.restrictions.extend(choices(&found));
        surely(&explore(&certain, environment, budget), &pairs)
    });
    let after = after.or_else(|| paths::stimulus(&found, possibly));
    after.map_or(Difference::Unknown, Difference::After)
}

/// The number of nodes that are searched first.
const NEAR: usize = 300;

/// The situations after which outputs and their copies differ.
fn differing<'e>(
    found: &'e Exploration<'_, '_>,
    pairs: &'e [(usize, usize)],
) -> impl Iterator<Item = usize> + 'e {
    let differs = |node: &&Node| pairs.iter().any(|&(mine, its)| node.slots[mine] != node.slots[its]);
    found.nodes.iter().filter(differs).map(|node| node.situation)
}

/// Samples after which outputs and their copies differ for sure.
fn surely(found: &Exploration<'_, '_>, pairs: &[(usize, usize)]) -> Option<Stimulus> {
    let clean = clean(found);
    let situation = differing(found, pairs).find(|&situation| clean[situation])?;
    paths::stimulus(found, situation)
}

/// For each situation whether there was no choice in it, nor on the way to it.
fn clean(found: &Exploration<'_, '_>) -> Vec<bool> {
    let certain: Vec<bool> =
        found.situations.iter().map(|it| drive::only_outcome(&it.closure).is_some()).collect();
    let mut nodes: Vec<bool> = Vec::new();
    for node in &found.nodes {
        let before = node.step.as_ref().is_none_or(|step| nodes[step.from]);
        nodes.push(before && certain[node.situation]);
    }
    let before = |situation: &Situation| situation.step.as_ref().is_none_or(|step| nodes[step.from]);
    found.situations.iter().zip(certain).map(|(it, certain)| certain && before(it)).collect()
}

/// Whether a mutant reacts like the system in every state that the system can be in: then it never gets into any other. Only for mutants
/// that tell the same values and ages apart; if this is false, they may still be alike.
pub(crate) fn reacts_alike(found: &Exploration<'_, '_>, mutant: &Machine<'_>) -> bool {
    let machine = found.machine;
    let values = machine.variables.iter().zip(&mutant.variables).all(|(one, two)| one.classes == two.classes);
    let ages = machine.timers.iter().zip(&mutant.timers).all(|(one, two)| one.ages == two.ages);
    let mut states = found.situations.iter().flat_map(|it| &it.closure.states);
    found.stopped.is_none()
        && values
        && ages
        && states.all(|slots| next(mutant, slots) == next(machine, slots))
}

/// The states that one reaction leads to.
fn next(machine: &Machine<'_>, slots: &[Class]) -> Vec<Box<[Class]>> {
    let reacts = |rule: &&Rule| machine.holds(rule, slots) && machine.changes(rule, slots);
    let after = |rule: &Rule| {
        let mut next: Box<[Class]> = slots.into();
        machine.fire(rule, &mut next);
        next
    };
    let mut states: Vec<Box<[Class]>> = machine.rules.iter().filter(reacts).map(after).collect();
    states.sort_unstable();
    states.dedup();
    states
}

/// The situations in which reactions leave a choice, or have no end.
pub(crate) fn choices(found: &Exploration<'_, '_>) -> Vec<Vec<Test>> {
    let choice = |situation: &&Situation| drive::only_outcome(&situation.closure).is_none();
    let tests =
        |slots: &[Class]| slots.iter().enumerate().map(|(slot, &class)| Test::In(slot, 1 << class)).collect();
    found.situations.iter().filter(choice).map(|situation| tests(situation.slots())).collect()
}

/// Two systems as one.
struct Both {
    system: Dfrs,
    /// Outputs and timers, and their copies.
    copies: Vec<(usize, usize)>,
    first_of_mutant: usize,
    /// How many entries there are that can react.
    entries: usize,
}

impl Both {
    fn new(dfrs: &Dfrs, mutant: &Dfrs) -> Both {
        let mut system = dfrs.clone();
        let mut copies = Vec::new();
        for (place, variable) in dfrs.variables.iter().enumerate() {
            if variable.kind != Kind::Input {
                copies.push((place, system.variables.len()));
                system.variables.push(variable.clone());
            }
        }
        let renamed = |entry: &Entry| rename(entry, &copies);
        let of = |dfrs: &Dfrs| -> Vec<Entry> { crate::step::entries(dfrs).cloned().collect() };
        let (mine, its) = (of(dfrs), of(mutant));
        // What the other one compares and assigns splits the values of this one too, but never happens.
        let never = mine.iter().map(renamed).chain(its.iter().cloned()).map(never).collect();
        let (first_of_mutant, entries) = (mine.len(), mine.len() + its.len());
        let function = |entries: Vec<Entry>| Function { component: String::new(), entries };
        system.functions = vec![function(mine), function(its.iter().map(renamed).collect()), function(never)];
        Both { system, copies, first_of_mutant, entries }
    }
}

/// An entry that is never enabled.
pub(crate) fn never(mut entry: Entry) -> Entry {
    entry.guard.push(Vec::new());
    entry
}

fn rename(entry: &Entry, copies: &[(usize, usize)]) -> Entry {
    let copy = |variable: &mut usize| {
        if let Some((_, copy)) = copies.iter().find(|(original, _)| original == variable) {
            *variable = *copy;
        }
    };
    let operand = |operand: &mut Operand| match operand {
        Operand::Constant(_) => {}
        Operand::Variable(_, variable) => copy(variable),
        Operand::Sum(terms, _) => terms.iter_mut().for_each(|(_, _, variable)| copy(variable)),
    };
    let mut entry = entry.clone();
    for condition in entry.guard.iter_mut().flatten() {
        let Condition { variable, operand: with, .. } = condition;
        copy(variable);
        operand(with);
    }
    entry.timed.iter_mut().flatten().for_each(|timed| copy(&mut timed.timer));
    for assignment in &mut entry.effect {
        copy(&mut assignment.variable);
        match &mut assignment.effect {
            Effect::Assign(value) => operand(value),
            Effect::Reset => {}
        }
    }
    entry
}

/// Tests of one machine as tests of one whose classes are finer.
pub(crate) fn translated(from: &Machine<'_>, to: &Machine<'_>, tests: &[Vec<Test>]) -> Vec<Vec<Test>> {
    tests.iter().map(|all| all.iter().map(|test| translate(from, to, test)).collect()).collect()
}

/// A test of one machine as a test of one whose classes are finer.
fn translate(from: &Machine<'_>, to: &Machine<'_>, test: &Test) -> Test {
    let Test::In(slot, set) = test else { return test.clone() };
    let values = from.variables.len();
    let (slot, set) = if *slot < 2 * values {
        let place = slot % values;
        let (coarse, fine) = (&from.variables[place].classes, &to.variables[place].classes);
        let holds =
            |class: Class| coarse.class_of(&fine.value(class)).is_some_and(|class| set >> class & 1 == 1);
        let count = to.variables.len();
        (if *slot < values { place } else { count + place }, collect(fine.count(), holds))
    } else {
        let place = slot - 2 * values;
        let (coarse, fine) = (&from.timers[place].ages, &to.timers[place].ages);
        let holds = |class: Class| set >> coarse.class_of(fine.start(class).0, 1) & 1 == 1;
        (to.first_timer() + place, collect(fine.count(), holds))
    };
    Test::In(slot, set)
}

fn collect(count: usize, holds: impl Fn(Class) -> bool) -> ClassSet {
    (0..count as Class).filter(|&class| holds(class)).fold(0, |set, class| set | 1 << class)
}
