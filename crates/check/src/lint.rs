//! What may be wrong with a requirement although it can be read: traps that its own formula reveals.

use crate::question::{Question, Subject, Traces, Undecided};
use logic::{Formula, Store};
use requirement::{Condition, Requirement, Timing};

/// A trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// No finite trace violates it.
    NeverViolated,
    /// Every finite trace violates it.
    NeverHolds,
    /// It says the same without its condition.
    IdleCondition,
    /// The stop of `until` or `before` is the response, or its negation.
    StopIsResponse,
    /// The duration is so long that it never makes a difference.
    IdleDuration,
}

/// The traps in a requirement.
pub fn lint(store: &mut Store, requirement: &Requirement) -> Result<Vec<Finding>, Undecided> {
    let mut findings = Vec::new();
    if let Some(stop) = requirement.timing.stop() {
        let opposite = store.not(stop);
        if [stop, opposite].contains(&requirement.response) {
            findings.push(Finding::StopIsResponse);
        }
    }
    let subject = Subject::Requirement(requirement.clone());
    let question = Question::new(store, &[&subject], Traces::Finite)?;
    let formula = question.formulas[0];
    let negation = store.not(formula);
    if question.model(store, negation)?.is_none() {
        findings.push(Finding::NeverViolated);
        return Ok(findings);
    }
    if question.model(store, formula)?.is_none() {
        findings.push(Finding::NeverHolds);
        return Ok(findings);
    }
    if requirement.condition != Condition::Null {
        let without = Requirement { condition: Condition::Null, ..requirement.clone() };
        if equal(store, &subject, without)? {
            findings.push(Finding::IdleCondition);
        }
    }
    if let Some(longer) = longer(requirement.timing)
        && equal(store, &subject, Requirement { timing: longer, ..requirement.clone() })?
    {
        findings.push(Finding::IdleDuration);
    }
    Ok(findings)
}

/// The timing with one step more.
fn longer(timing: Timing) -> Option<Timing> {
    match timing {
        Timing::Within(steps) => Some(Timing::Within(steps + 1)),
        Timing::For(steps) => Some(Timing::For(steps + 1)),
        Timing::After(steps) => Some(Timing::After(steps + 1)),
        Timing::Immediately | Timing::Next | Timing::Finally | Timing::Always | Timing::Never => None,
        Timing::Eventually | Timing::Until(_) | Timing::Before(_) => None,
    }
}

fn equal(store: &mut Store, subject: &Subject, other: Requirement) -> Result<bool, Undecided> {
    let question = Question::new(store, &[subject, &Subject::Requirement(other)], Traces::Finite)?;
    let &[one, two] = &question.formulas[..] else { unreachable!("two subjects are two formulas") };
    let differ: Formula = store.xor(one, two);
    Ok(question.model(store, differ)?.is_none())
}
