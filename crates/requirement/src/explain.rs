//! A requirement in three short English sentences that name the user's own variables: where it applies, what
//! triggers it, what must then happen.

use crate::diagram::steps_label;
use crate::oracle::Verdict;
use crate::{Condition, Field, Fields, Requirement, Scope, Timing};

/// The three sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Where the requirement applies.
    pub scope: String,
    /// What triggers it.
    pub trigger: String,
    /// What must then happen.
    pub response: String,
}

/// Explains a requirement; the fields give the user's own words.
pub fn explain(requirement: &Requirement, fields: &Fields) -> Explanation {
    let quoted =
        |field: &Option<Field>| field.as_ref().map_or("it".into(), |field| format!("`{}`", field.text));
    Explanation {
        scope: scope(requirement.scope, &quoted(&fields.scope_mode)),
        trigger: trigger(requirement, &quoted(&fields.condition)),
        response: response(requirement, &quoted(&fields.response), &quoted(&fields.stop)),
    }
}

fn scope(scope: Scope, mode: &str) -> String {
    match scope {
        Scope::Global => "It applies to the whole run.".into(),
        Scope::In(_) => format!("It applies in each interval in which {mode} holds."),
        Scope::NotIn(_) => format!("It applies in each interval in which {mode} does not hold."),
        Scope::Before(_) => format!(
            "It applies from the start until just before {mode} holds for the first time; to the end of the run if that never happens."
        ),
        Scope::After(_) => format!(
            "It applies from the step at which {mode} has held and ends for the first time, to the end of the run."
        ),
        Scope::OnlyIn(_) => format!(
            "It denies the response in each interval in which {mode} does not hold, and asks nothing elsewhere."
        ),
        Scope::OnlyBefore(_) => format!(
            "It denies the response from the first step at which {mode} holds to the end of the run, and asks nothing before."
        ),
        Scope::OnlyAfter(_) => {
            format!(
                "It denies the response from the start to the end of the first interval in which {mode} holds, or of the run, and asks nothing afterwards."
            )
        }
    }
}

fn trigger(requirement: &Requirement, condition: &str) -> String {
    let whole = matches!(requirement.scope, Scope::Global);
    let interval = if whole { "run" } else { "interval" };
    match requirement.condition {
        Condition::Null if whole => "It is triggered once, at the first step.".into(),
        Condition::Null => "It is triggered at the first step of each such interval.".into(),
        Condition::Regular(_) => {
            format!(
                "It is triggered at each step at which {condition} becomes true, and at the first step of the {interval} if {condition} is true there."
            )
        }
        Condition::Holding(_) => format!("It is triggered at every step at which {condition} is true."),
    }
}

fn response(requirement: &Requirement, response: &str, stop: &str) -> String {
    let end = if matches!(requirement.scope, Scope::Global) { "run" } else { "interval" };
    let later = |n: u64| format!("{} later", steps_label(n));
    let following =
        |n: u64| if n == 1 { "the following step".into() } else { format!("the following {n} steps") };
    let demand = match (requirement.timing, requirement.scope.denies()) {
        (Timing::Immediately, false) => format!("{response} must hold at that very step"),
        (Timing::Immediately, true) => format!("{response} must not hold at that very step"),
        (Timing::Next, false) => format!("{response} must hold at the next step, if the {end} has one"),
        (Timing::Next, true) => format!("{response} must not hold at the next step, if the {end} has one"),
        (Timing::Finally, false) => format!("{response} must hold at the last step of the {end}"),
        (Timing::Finally, true) => format!("{response} must not hold at the last step of the {end}"),
        (Timing::Always, false) => {
            format!("{response} must hold at that step and at every later step of the {end}")
        }
        (Timing::Never, false) | (Timing::Eventually, true) => {
            format!("{response} must not hold at that step nor at any later step of the {end}")
        }
        (Timing::Eventually, false) | (Timing::Never, true) => {
            format!("{response} must hold at that step or at some later step of the {end}")
        }
        (Timing::Always, true) => {
            format!("{response} must be false at that step or at some later step of the {end}")
        }
        (Timing::Within(n), false) => {
            format!(
                "{response} must hold at that step or at one of {}; nothing is asked if the {end} ends before they are over",
                following(n)
            )
        }
        (Timing::For(n), true) => {
            format!(
                "{response} must be false at that step or at one of {}; nothing is asked if the {end} ends before they are over",
                following(n)
            )
        }
        (Timing::For(n), false) => {
            format!("{response} must hold at that step and at {}, as far as the {end} goes", following(n))
        }
        (Timing::Within(n), true) => {
            format!("{response} must not hold at that step nor at {}, as far as the {end} goes", following(n))
        }
        (Timing::After(n), false) => {
            format!(
                "{response} must not hold at that step nor at {}, and must hold {}, as far as the {end} goes",
                following(n),
                later(n + 1)
            )
        }
        (Timing::After(n), true) => {
            format!(
                "{response} must not hold for the first time exactly {}, if the {end} goes on that long",
                later(n + 1)
            )
        }
        (Timing::Until(_), false) => {
            format!(
                "{response} must hold from that step until just before {stop} holds; to the end of the {end} if that never happens"
            )
        }
        (Timing::Before(_), true) => {
            format!(
                "{response} must not hold from that step until just before {stop} holds; to the end of the {end} if that never happens"
            )
        }
        (Timing::Before(_), false) => {
            format!(
                "if {stop} holds at that step or later in the {end}, {response} must hold at an earlier step, from that step on"
            )
        }
        (Timing::Until(_), true) => {
            format!(
                "if {stop} holds at that step or later in the {end}, {response} must be false at an earlier step, from that step on"
            )
        }
    };
    format!("Then {demand}.")
}

/// Why a requirement holds or is violated on a trace, at the step where that is decided.
pub fn reason(requirement: &Requirement, fields: &Fields, verdict: &Verdict) -> String {
    let quoted =
        |field: &Option<Field>| field.as_ref().map_or("it".into(), |field| format!("`{}`", field.text));
    let (response, stop) = (quoted(&fields.response), quoted(&fields.stop));
    let Some(decision) = verdict.decision() else {
        return match verdict.intervals {
            0 => "the scope has no interval, so nothing is asked.".into(),
            _ => "nothing triggers it, so nothing is asked.".into(),
        };
    };
    let end = if decision.interval.hi == usize::MAX || matches!(requirement.scope, Scope::Global) {
        "run"
    } else {
        "interval"
    };
    let step = match decision.step {
        usize::MAX => "in the end".into(),
        step => format!("at step {step}"),
    };
    let fact = match verdict.holds() {
        true => fact_met(requirement, &response, &stop, end),
        false => fact_unmet(
            requirement,
            &response,
            &stop,
            end,
            decision.step == decision.trigger + after_point(requirement.timing),
        ),
    };
    format!("{step}, {fact} (triggered at step {}).", decision.trigger)
}

/// How far behind the trigger the point of `after n` is.
fn after_point(timing: Timing) -> usize {
    timing.steps().map_or(0, |steps| usize::try_from(steps).unwrap_or(usize::MAX - 1).saturating_add(1))
}

fn fact_unmet(requirement: &Requirement, response: &str, stop: &str, end: &str, at_point: bool) -> String {
    let never = |n: u64| format!("{} have passed and {response} has not held", steps_label(n));
    let throughout = |n: u64| format!("{} have passed and {response} has not been false", steps_label(n));
    match (requirement.timing, requirement.scope.denies()) {
        (Timing::Immediately | Timing::Next | Timing::Always | Timing::For(_) | Timing::Until(_), false) => {
            format!("{response} is false")
        }
        (Timing::Finally, false) => format!("the {end} ends and {response} is false"),
        (Timing::Finally, true) => format!("the {end} ends and {response} is true"),
        (Timing::Never, false) => format!("{response} is true"),
        (
            Timing::Immediately | Timing::Next | Timing::Eventually | Timing::Within(_) | Timing::Before(_),
            true,
        ) => format!("{response} is true"),
        (Timing::Eventually, false) | (Timing::Never, true) => {
            format!("the {end} ends and {response} has not held")
        }
        (Timing::Always, true) => format!("the {end} ends and {response} has not been false"),
        (Timing::Within(n), false) => never(n),
        (Timing::For(n), true) => throughout(n),
        (Timing::After(_), false) if at_point => format!("{response} is false"),
        (Timing::After(_), false) => format!("{response} is true too early"),
        (Timing::After(_), true) => format!("{response} is true and has not held before"),
        (Timing::Before(_), false) => format!("{stop} holds and {response} has not held before"),
        (Timing::Until(_), true) => format!("{stop} holds and {response} has not been false before"),
    }
}

fn fact_met(requirement: &Requirement, response: &str, stop: &str, end: &str) -> String {
    match (requirement.timing, requirement.scope.denies()) {
        (
            Timing::Immediately | Timing::Next | Timing::Finally | Timing::Eventually | Timing::Within(_),
            false,
        ) => format!("{response} holds in time"),
        (Timing::Never, true) => format!("{response} holds"),
        (Timing::Before(_), false) => format!("{response} holds before {stop}"),
        (Timing::Always, false) => format!("the {end} ends and {response} has held throughout"),
        (Timing::For(n), false) => format!("{response} has held for {}", steps_label(n)),
        (Timing::Until(_), false) => format!("{response} has held up to here"),
        (Timing::Never, false) | (Timing::Eventually, true) => {
            format!("the {end} ends and {response} has never held")
        }
        (Timing::After(_), false) => format!("{response} holds, and not before"),
        (Timing::Immediately | Timing::Next | Timing::Finally, true) => {
            format!("{response} is false, as it must be")
        }
        (Timing::Always | Timing::For(_), true) => format!("{response} is false"),
        (Timing::Until(_), true) => format!("{response} is false before {stop}"),
        (Timing::Within(_) | Timing::Before(_), true) => format!("{response} has not held up to here"),
        (Timing::After(_), true) => format!("{response} does not hold exactly then for the first time"),
    }
}
