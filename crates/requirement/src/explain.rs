//! A requirement in three short English sentences that name the user's own variables: where it applies, what
//! triggers it, what must then happen.

pub mod diagram;
pub(crate) mod reason;

use crate::explain::diagram::steps_label;
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

/// Explains a requirement; the fields contain the user's own text.
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
        Scope::After(_) => {
            format!("It applies from the first step after {mode} stops holding, to the end of the run.")
        }
        Scope::OnlyIn(_) => format!(
            "It denies the requirement in each interval in which {mode} does not hold, and requires nothing elsewhere."
        ),
        Scope::OnlyBefore(_) => format!(
            "It denies the requirement from the first step at which {mode} holds to the end of the run, and requires nothing before."
        ),
        Scope::OnlyAfter(_) => format!(
            "It denies the requirement from the start to the end of the first interval in which {mode} holds, or of the run, and requires nothing afterwards."
        ),
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
        (Timing::Within(0), false) => format!("{response} must hold at that step"),
        (Timing::For(0), true) => format!("{response} must be false at that step"),
        (Timing::Within(n), false) => {
            format!("{response} must hold at {}; if the {end} ends sooner, nothing is required", one_of(n))
        }
        (Timing::For(n), true) => {
            format!(
                "{response} must be false at {}; if the {end} ends sooner, nothing is required",
                one_of(n)
            )
        }
        (Timing::For(n), false) => format!("{response} must hold at {}", all_of(n, end)),
        (Timing::Within(n), true) => format!("{response} must not hold at {}", none_of(n, end)),
        (Timing::After(n), false) => {
            let point = steps_label(n + 1);
            format!(
                "{response} must not hold at {}, and must hold {point} later, if the {end} goes on that long",
                none_of(n, end)
            )
        }
        (Timing::After(n), true) => {
            let point = steps_label(n + 1);
            format!(
                "{response} must not hold for the first time exactly {point} later, if the {end} goes on that long"
            )
        }
        (Timing::Until(_), false) => {
            format!(
                "{response} must hold from that step until just before {stop} holds; to the end of the {end} if that never happens"
            )
        }
        (Timing::Before(_), true) => format!(
            "{response} must not hold from that step until just before {stop} holds; to the end of the {end} if that never happens"
        ),
        (Timing::Before(_), false) => {
            format!(
                "{response} must hold at that step or later, but before the first step at which {stop} holds; if {stop} does not hold by the end of the {end}, nothing is required"
            )
        }
        (Timing::Until(_), true) => {
            format!(
                "{response} must be false at that step or later, but before the first step at which {stop} holds; if {stop} does not hold by the end of the {end}, nothing is required"
            )
        }
    };
    format!("Then {demand}.")
}

/// That step or a later one, up to n steps.
fn one_of(n: u64) -> String {
    match n {
        0 => "that step".into(),
        1 => "that step or at the next one".into(),
        n => format!("that step or at one of the following {n} steps"),
    }
}

/// That step and all later ones, up to n steps.
fn all_of(n: u64, end: &str) -> String {
    match n {
        0 => "that step".into(),
        1 => format!("that step and at the next one, if the {end} has one"),
        n => format!("that step and at the following {n} steps, as far as the {end} goes"),
    }
}

/// Neither that step nor a later one, up to n steps.
fn none_of(n: u64, end: &str) -> String {
    match n {
        0 => "that step".into(),
        1 => "that step nor at the next one".into(),
        n => format!("that step nor at the following {n} steps, as far as the {end} goes"),
    }
}
