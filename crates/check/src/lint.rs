//! What may be wrong with a requirement although it can be read: traps that its own formula reveals.

use crate::question::{Question, Subject, Traces, Undecided};
use logic::{Formula, Store};
use requirement::{Condition, Field, Fields, Predicate, Requirement, Timing};
use syntax::Code;

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

impl Finding {
    /// Its code, what it says, and what to do about it.
    pub fn described(self) -> (Code, &'static str, &'static str) {
        match self {
            Finding::NeverViolated => (
                Code::NeverViolated,
                "no trace violates this requirement",
                "it asks for nothing; check its expressions",
            ),
            Finding::NeverHolds => (
                Code::NeverHolds,
                "every trace violates this requirement",
                "it asks for the impossible; check its expressions",
            ),
            Finding::IdleCondition => {
                (Code::IdleCondition, "the condition makes no difference", "leave it out, or check it")
            }
            Finding::StopIsResponse => (
                Code::StopIsResponse,
                "the stop and the response are the same condition",
                "check which of them is meant",
            ),
            Finding::IdleDuration => (
                Code::IdleDuration,
                "a longer duration would say the same",
                "check the duration and the scope",
            ),
        }
    }

    /// The field of a sentence that it is about; `None` if that is all of it.
    pub fn field(self, fields: &Fields) -> Option<&Field> {
        match self {
            Finding::NeverViolated | Finding::NeverHolds => None,
            Finding::IdleCondition => fields.condition.as_ref(),
            Finding::StopIsResponse => fields.stop.as_ref(),
            Finding::IdleDuration => fields.timing.as_ref(),
        }
    }
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
    let horizon = horizon(requirement);
    let subject = Subject::Requirement(requirement.clone());
    let question = Question::new(store, &[&subject], Traces::Finite)?;
    let formula = question.formulas[0];
    let negation = store.not(formula);
    if !question.satisfiable(store, negation, horizon)? {
        findings.push(Finding::NeverViolated);
        return Ok(findings);
    }
    if !question.satisfiable(store, formula, horizon)? {
        findings.push(Finding::NeverHolds);
        return Ok(findings);
    }
    if requirement.condition != Condition::Null {
        let without = Requirement { condition: Condition::Null, ..requirement.clone() };
        if equal(store, &subject, without, horizon)? {
            findings.push(Finding::IdleCondition);
        }
    }
    if let Some(longer) = longer(requirement.timing)
        && equal(store, &subject, Requirement { timing: longer, ..requirement.clone() }, horizon)?
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

/// How many steps the formulas of a requirement look around.
fn horizon(requirement: &Requirement) -> u64 {
    let far = |predicate: &Predicate| match *predicate {
        Predicate::Persisted { far, .. }
        | Predicate::Occurred { far, .. }
        | Predicate::Persists { far, .. }
        | Predicate::Occurs { far, .. } => far,
        Predicate::PreviousOccurrence { .. }
        | Predicate::NextOccurrence { .. }
        | Predicate::Previously { .. }
        | Predicate::PreviousValue { .. }
        | Predicate::FirstPoint => 1,
    };
    let steps = requirement.timing.steps().unwrap_or(0);
    requirement.predicates.iter().map(far).fold(steps, u64::saturating_add)
}

fn equal(store: &mut Store, subject: &Subject, other: Requirement, horizon: u64) -> Result<bool, Undecided> {
    let question = Question::new(store, &[subject, &Subject::Requirement(other)], Traces::Finite)?;
    let &[one, two] = &question.formulas[..] else { unreachable!("two subjects are two formulas") };
    let differ: Formula = store.xor(one, two);
    Ok(!question.satisfiable(store, differ, horizon)?)
}
