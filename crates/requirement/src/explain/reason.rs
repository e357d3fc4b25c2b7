//! Why a requirement holds or is violated on a trace, at the deciding step, in the requirement's own terms.
//!
//! A violation is one trigger whose demand is not met: [`missing`] returns which values of the response would have met it, and
//! [`reason`] states the same as a sentence.

mod missing;

pub use missing::{Missing, missing};

use crate::meaning::oracle::{Verdict, judge};
use crate::{Field, Fields, Requirement, Scope, Timing};
use logic::{EvalError, Store, Trace};

/// Why a requirement fails on a trace; `None` if it holds.
pub fn failure(
    store: &Store,
    requirement: &Requirement,
    fields: &Fields,
    trace: &Trace,
) -> Result<Option<String>, EvalError> {
    let verdict = judge(store, requirement, trace)?;
    Ok((!verdict.holds()).then(|| reason(requirement, fields, &verdict)))
}

/// One sentence about the deciding step; the fields contain the user's own text.
pub fn reason(requirement: &Requirement, fields: &Fields, verdict: &Verdict) -> String {
    let quoted =
        |field: &Option<Field>| field.as_ref().map_or("it".into(), |field| format!("`{}`", field.text));
    let Some(decision) = verdict.decision() else {
        return match verdict.intervals {
            0 => "the scope has no interval, so nothing is required.".into(),
            _ => "nothing triggers it, so nothing is required.".into(),
        };
    };
    let words = Words {
        response: quoted(&fields.response),
        stop: quoted(&fields.stop),
        mode: quoted(&fields.scope_mode),
        end: if matches!(requirement.scope, Scope::Global) { "run" } else { "interval" },
    };
    if !verdict.holds() {
        return words.violated(requirement, decision);
    }
    let step = match decision.step {
        usize::MAX => "in the end".into(),
        step => format!("at step {step}"),
    };
    let fact = if decision.cut { words.cut_off(requirement) } else { words.met(requirement) };
    format!("{step}, {fact} (triggered at step {}).", decision.trigger)
}

struct Words {
    response: String,
    stop: String,
    mode: String,
    end: &'static str,
}

impl Words {
    /// The text for a demand that is met.
    fn met(&self, requirement: &Requirement) -> String {
        let Words { response, stop, end, .. } = self;
        match (requirement.timing, requirement.scope.denies()) {
            (
                Timing::Immediately | Timing::Next | Timing::Finally | Timing::Eventually | Timing::Within(_),
                false,
            )
            | (Timing::Never, true) => format!("{response} holds"),
            (
                Timing::Immediately | Timing::Next | Timing::Finally | Timing::Always | Timing::For(_),
                true,
            ) => {
                format!("{response} is false")
            }
            (Timing::Before(_), false) => format!("{response} holds, and {stop} has not"),
            (Timing::Until(_), true) => format!("{response} is false, and {stop} has not held"),
            (Timing::Always, false) => format!("the {end} ends and {response} has held throughout"),
            (Timing::Never, false) | (Timing::Eventually, true) => {
                format!("the {end} ends and {response} has never held")
            }
            (Timing::For(n), false) => format!("{} and {response} has held throughout", passed(n)),
            (Timing::Within(n), true) => format!("{} and {response} has never held", passed(n)),
            (Timing::Until(_), false) => format!("{stop} holds and {response} has held up to here"),
            (Timing::Before(_), true) => format!("{stop} holds and {response} has not held before"),
            (Timing::After(_), false) => format!("{response} holds, and has not before"),
            (Timing::After(_), true) => {
                format!("it is clear that {response} does not hold for the first time exactly then")
            }
        }
    }

    /// How a demand is met because the interval ends, or because the stop never holds.
    fn cut_off(&self, requirement: &Requirement) -> String {
        let Words { response, stop, end, .. } = self;
        match (requirement.timing, requirement.scope.denies()) {
            (Timing::Within(n), false) | (Timing::For(n), true) => {
                format!("the {end} ends before {}, so nothing is required", passed(n))
            }
            (Timing::After(_), true) => format!("the {end} ends before that, so nothing is required"),
            (Timing::After(_), false) | (Timing::Within(_) | Timing::Before(_), true) => {
                format!("the {end} ends and {response} has not held")
            }
            (Timing::For(_) | Timing::Until(_), false) => {
                format!("the {end} ends and {response} has held throughout")
            }
            (Timing::Before(_), false) | (Timing::Until(_), true) => {
                format!("the {end} ends and {stop} has not held, so nothing is required")
            }
            (Timing::Next, _) => format!("the {end} has no next step, so nothing is required"),
            (
                Timing::Immediately | Timing::Finally | Timing::Always | Timing::Never | Timing::Eventually,
                _,
            ) => {
                format!("the {end} ends")
            }
        }
    }
}

/// `3 steps have passed`
fn passed(n: u64) -> String {
    match n {
        1 => "1 step has passed".into(),
        n => format!("{n} steps have passed"),
    }
}
