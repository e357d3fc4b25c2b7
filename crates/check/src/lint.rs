//! Likely mistakes in a valid requirement: no timing, and what its formula reveals.

use crate::abstraction::{Coarse, coarse};
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
    let meant = match traps(store, requirement, None) {
        Err(Undecided::TooManyLetters) => {
            let coarse = coarse(store, requirement).ok_or(Undecided::TooManyLetters)?;
            traps(store, &coarse.requirement, Some(&coarse))
        }
        decided => decided,
    };
    findings.extend(meant?);
    Ok(findings)
}

/// The likely mistakes that the meaning of a requirement reveals; with `coarse`, over the variables of that.
fn traps(
    store: &mut Store,
    requirement: &Requirement,
    coarse: Option<&Coarse>,
) -> Result<Vec<Finding>, Undecided> {
    let horizon = horizon(requirement);
    let subject = Subject::Requirement(requirement.clone());
    let question = ask(store, &[&subject], coarse)?;
    let formula = question.formulas[0];
    let negation = store.not(formula);
    if !question.satisfiable(store, negation, horizon)? {
        return Ok(vec![Finding::NeverViolated]);
    }
    if !question.satisfiable(store, formula, horizon)? {
        return Ok(vec![Finding::NeverHolds]);
    }
    let mut equal = |other: Requirement| {
        let question = ask(store, &[&subject, &Subject::Requirement(other)], coarse)?;
        let &[one, two] = &question.formulas[..] else { unreachable!("two subjects are two formulas") };
        let differ: Formula = store.xor(one, two);
        Ok(!question.satisfiable(store, differ, horizon)?)
    };
    let mut findings = Vec::new();
    if requirement.condition != Condition::Null
        && equal(Requirement { condition: Condition::Null, ..requirement.clone() })?
    {
        findings.push(Finding::IdleCondition);
    }
    if let Some(longer) = longer(requirement.timing)
        && equal(Requirement { timing: longer, ..requirement.clone() })?
    {
        findings.push(Finding::IdleDuration);
    }
    Ok(findings)
}

fn ask(store: &mut Store, subjects: &[&Subject], coarse: Option<&Coarse>) -> Result<Question, Undecided> {
    match coarse {
        None => Question::new(store, subjects, Traces::Finite),
        Some(Coarse { atoms, letters, .. }) => Question::over(store, subjects, atoms, letters),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;
    use requirement::{Context, lower};

    const CONDITIONS: &[&str] = &[
        "p",
        "!p & q",
        "x > 3",
        "x > 5 | p",
        "x <= 3",
        "y = x & !q",
        "s = on",
        "s != on",
        "persisted(2, p) & x > 3",
        "f(x)",
    ];

    /// Variables for the largest conditions reveal the same traps as all comparisons.
    #[test]
    fn coarse_requirements_have_the_same_traps() {
        let mut rng = Random::new(7);
        let mut found = 0;
        for _ in 0..300 {
            let scope = rng.pick(&["", "in m mode ", "before m ", "only after m "]);
            let condition = rng.pick(&["", "when C ", "whenever C "]);
            let timing = rng.pick(&["immediately", "always", "within 2 ticks", "until C", "for 2 ticks"]);
            let mut sentence = format!("{scope}{condition}sw shall {timing} satisfy C");
            while sentence.contains('C') {
                sentence = sentence.replacen('C', &format!("({})", rng.pick(CONDITIONS)), 1);
            }
            let mut store = Store::default();
            let lowered = lower(&mut store, &syntax::fretish::parse(&sentence), &Context::default());
            let requirement = lowered.requirement.expect("the conditions are valid");
            let coarse = coarse(&mut store, &requirement).expect("few conditions");
            let traps_of_coarse = traps(&mut store, &coarse.requirement, Some(&coarse));
            let traps = traps(&mut store, &requirement, None);
            assert_eq!(traps_of_coarse, traps, "{sentence}");
            found += traps.map_or(0, |traps| traps.len());
        }
        assert!(found > 10, "{found}");
    }
}
