//! Likely mistakes in a valid requirement: no timing, and what its formula reveals.

use crate::question::{Question, Subject, Traces, Undecided};
use diagnostics::{Diagnostic, Span};
use logic::{Formula, Store};
use requirement::{Condition, Fields, Key, Predicate, Requirement, Timing};

/// The codes of these findings.
pub mod codes {
    diagnostics::codes! {
        NO_TIMING "W0201" "Without a timing, `satisfy` means eventually.",
            "Without a timing, the response may come once, at any time. Usually `always` or `immediately` is meant.",
            "when p the pump shall satisfy on" => "when p the pump shall immediately satisfy on";
        NEVER_VIOLATED "W0202" "No trace violates the requirement.",
            "A requirement that no behaviour violates requires nothing. It passes every test.",
            "the pump shall always satisfy level > 3 | level < 5" => "the pump shall always satisfy level > 3 & level < 5";
        NEVER_HOLDS "W0203" "Every trace violates the requirement.",
            "A requirement that every behaviour violates cannot be implemented.",
            "the pump shall always satisfy level > 5 & level < 3" => "the pump shall always satisfy level > 3 & level < 5";
        IDLE_CONDITION "W0204" "The condition makes no difference.",
            "Whoever wrote the condition expected it to change something.",
            "whenever p the pump shall always satisfy p -> q" => "whenever p the pump shall always satisfy q";
        STOP_IS_RESPONSE "W0205" "The stop of `until` or `before` is the response or its negation.",
            "A response that must hold until it holds is satisfied trivially.",
            "the pump shall until on satisfy on" => "the pump shall until full satisfy on";
        IDLE_DURATION "W0206" "A longer duration would mean the same.",
            "If a longer duration changes nothing, the duration is too long or the scope too short.",
            "the pump shall for 3 ticks satisfy FTP -> on" => "the pump shall for 3 ticks satisfy on";
    }
}

/// A likely mistake that the formula of a requirement reveals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// No finite trace violates it.
    NeverViolated,
    /// Every finite trace violates it.
    NeverHolds,
    /// It is equivalent to the requirement without its condition.
    IdleCondition,
    /// The stop of `until` or `before` is the response, or its negation.
    StopIsResponse,
    /// The duration is so long that it never matters.
    IdleDuration,
}

impl Finding {
    /// The diagnostic at a field of a sentence, or at the whole sentence.
    pub fn diagnostic(self, fields: &Fields, whole: Span) -> Diagnostic {
        let (code, field, message, hint) = match self {
            Finding::NeverViolated => (
                codes::NEVER_VIOLATED,
                &None,
                "no trace violates this requirement",
                "check its expressions: it requires nothing",
            ),
            Finding::NeverHolds => (
                codes::NEVER_HOLDS,
                &None,
                "every trace violates this requirement",
                "check its expressions: it requires the impossible",
            ),
            Finding::IdleCondition => (
                codes::IDLE_CONDITION,
                &fields.condition,
                "the condition makes no difference",
                "remove it, or check it",
            ),
            Finding::StopIsResponse => (
                codes::STOP_IS_RESPONSE,
                &fields.stop,
                "the stop and the response are the same condition",
                "check which of them is meant",
            ),
            Finding::IdleDuration => (
                codes::IDLE_DURATION,
                &fields.timing,
                "a longer duration would mean the same",
                "check the duration and the scope",
            ),
        };
        Diagnostic::new(code, field.as_ref().map_or(whole, |field| field.span), message, hint)
    }
}

/// The warning about a sentence without a timing.
pub fn no_timing(key: Option<Key>, fields: &Fields, whole: Span) -> Option<Diagnostic> {
    let span = fields.response.as_ref().map_or(whole, |field| field.span);
    let message = "without a timing, `satisfy` means eventually: once is enough, at any time";
    let hint = "write when: `always`, `immediately`, `eventually`, `within 3 seconds`";
    key.filter(|key| key.timing == "null").map(|_| Diagnostic::new(codes::NO_TIMING, span, message, hint))
}

/// The likely mistakes in a requirement.
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

/// The timing with one more step.
fn longer(timing: Timing) -> Option<Timing> {
    match timing {
        Timing::Within(steps) => Some(Timing::Within(steps + 1)),
        Timing::For(steps) => Some(Timing::For(steps + 1)),
        Timing::After(steps) => Some(Timing::After(steps + 1)),
        Timing::Immediately | Timing::Next | Timing::Finally | Timing::Always | Timing::Never => None,
        Timing::Eventually | Timing::Until(_) | Timing::Before(_) => None,
    }
}

/// The number of steps that the formulas of a requirement refer to.
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
