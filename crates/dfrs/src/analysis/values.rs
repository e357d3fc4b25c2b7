//! What becomes of the values of outputs: never had, lost for good, or never ended although their siblings are.
//!
//! Edges between nodes lead to states that can do at least as much, so a value that they do not lead back to is lost indeed.

use crate::classes::{Class, ClassSet};
use crate::completeness::output_values;
use crate::explore::Exploration;
use crate::findings::{Finding, Grade, What};
use crate::machine::{Rule, Test, Write};
use logic::Value;

/// Findings about the values of outputs.
pub(crate) fn values(found: &Exploration<'_, '_>) -> Vec<Finding> {
    let machine = found.machine;
    let mut findings = Vec::new();
    for slot in (0..machine.variables.len()).filter(|&slot| !machine.variables[slot].input) {
        let variable = machine.variables[slot].variable;
        for (class, value) in output_values(machine, slot) {
            if !had(found, slot, class) {
                let what = What::DeadValue { variable, value };
                let requirements = concerned(found, slot, class);
                findings.push(Finding { what, grade: Grade::Warning, requirements, scenario: None });
            } else if let Some((situation, outcome)) = lost(found, slot, class) {
                let what = What::NoWayBack { variable, value };
                let requirements = concerned(found, slot, class);
                let scenario = found.scenario(situation, &found.situations[situation].closure.path(outcome));
                findings.push(Finding { what, grade: Grade::Warning, requirements, scenario });
            }
        }
        findings.extend(machine.rules.iter().filter_map(|rule| never_ends(found, rule, slot)));
    }
    findings
}

fn had(found: &Exploration<'_, '_>, slot: usize, class: Class) -> bool {
    let states = found.situations.iter().flat_map(|situation| &situation.closure.states);
    states.into_iter().any(|slots| slots[slot] == class)
}

/// The requirements that assign a value, or if there are none, those that test for it.
fn concerned(found: &Exploration<'_, '_>, slot: usize, class: Class) -> Vec<usize> {
    let assigns = |rule: &&Rule| {
        rule.writes
            .iter()
            .any(|(place, write)| *place == slot && matches!(write, Write::Class(it) if *it == class))
    };
    let asks = |rule: &&Rule| {
        let tests = rule.all.iter().chain(rule.any.iter().flatten());
        tests
            .into_iter()
            .any(|test| matches!(test, Test::In(place, set) if *place == slot && *set == 1 << class))
    };
    let numbers = |filter: &dyn Fn(&&Rule) -> bool| {
        let mut numbers: Vec<usize> =
            found.machine.rules.iter().filter(|rule| filter(rule)).map(|rule| rule.requirement).collect();
        numbers.dedup();
        numbers
    };
    let assigning = numbers(&assigns);
    if assigning.is_empty() { numbers(&asks) } else { assigning }
}

/// How a value is lost for good: the situation, and the state of its closure.
fn lost(found: &Exploration<'_, '_>, slot: usize, class: Class) -> Option<(usize, usize)> {
    let has: Vec<bool> = found.nodes.iter().map(|node| node.slots[slot] == class).collect();
    let mut leaving = found.edges.iter().filter(|edge| has[edge.from] && !has[edge.to]).peekable();
    leaving.peek()?;
    let returns = base::reaching(found.edges.iter().map(|edge| (edge.from, edge.to)), &has);
    let mut first: Option<(usize, usize)> = None;
    for edge in leaving {
        if returns[edge.to] {
            return None;
        }
        let closure = &found.situations[edge.situation].closure;
        let outcome = closure.stable().find(|&state| closure.states[state][slot] != class)?;
        // The situation that is shown is reached first from a state that may not have the value.
        let starts = closure.states[0][slot] == class;
        if starts && first.is_none_or(|first| edge.situation < first.0) {
            first = Some((edge.situation, outcome));
        }
    }
    first
}

/// A rule that ends all values of an output after a time, but for one that nothing ends as time goes on.
fn never_ends(found: &Exploration<'_, '_>, rule: &Rule, slot: usize) -> Option<Finding> {
    let machine = found.machine;
    let timed = |test: &Test| test.slot() >= machine.first_timer();
    if !rule.all.iter().chain(rule.any.iter().flatten()).any(timed) {
        return None;
    }
    let named: ClassSet = rule.any.iter().find_map(|clause| {
        clause.iter().try_fold(0, |named, test| match test {
            Test::In(place, set) if *place == slot => Some(named | set),
            Test::In(..) | Test::Same(..) => None,
        })
    })?;
    let written = rule.writes.iter().find(|(place, _)| *place == slot)?;
    let Write::Class(written) = written.1 else { return None };
    let values = output_values(machine, slot);
    let mut missing = values.into_iter().filter(|(class, _)| (named | 1 << written) >> class & 1 == 0);
    let (class, value): (Class, Value) = missing.next().filter(|_| missing.next().is_none())?;
    let count = machine.variables.len();
    let waits = |slots: &[Class]| {
        (0..count).all(|place| !machine.variables[place].input || slots[place] == slots[count + place])
    };
    let ended = found.situations.iter().skip(1).any(|situation| {
        let closure = &situation.closure;
        situation.slots()[slot] == class
            && waits(situation.slots())
            && closure.stable().any(|state| closure.states[state][slot] != class)
    });
    let node = found.nodes.iter().find(|node| node.slots[slot] == class)?;
    if ended {
        return None;
    }
    Some(Finding {
        what: What::NeverEnds { variable: machine.variables[slot].variable, value },
        grade: Grade::Warning,
        requirements: vec![rule.requirement],
        scenario: found
            .scenario(node.situation, &found.situations[node.situation].closure.path(node.outcome)),
    })
}
