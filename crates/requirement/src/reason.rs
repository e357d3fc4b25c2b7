//! Why a requirement holds or is violated on a trace, at the step where that is decided.

use crate::diagram::steps_label;
use crate::oracle::{Decision, Verdict};
use crate::{Field, Fields, Requirement, Scope, Timing};

/// One sentence that says what happens at the step that decides; the fields give the user's own words.
pub fn reason(requirement: &Requirement, fields: &Fields, verdict: &Verdict) -> String {
    let quoted =
        |field: &Option<Field>| field.as_ref().map_or("it".into(), |field| format!("`{}`", field.text));
    let Some(decision) = verdict.decision() else {
        return match verdict.intervals {
            0 => "the scope has no interval, so nothing is asked.".into(),
            _ => "nothing triggers it, so nothing is asked.".into(),
        };
    };
    let words = Words {
        response: quoted(&fields.response),
        stop: quoted(&fields.stop),
        end: if matches!(requirement.scope, Scope::Global) { "run" } else { "interval" },
    };
    let step = match decision.step {
        usize::MAX => "in the end".into(),
        step => format!("at step {step}"),
    };
    let fact = match (verdict.holds(), decision.cut) {
        (false, _) => words.unmet(requirement, decision),
        (true, false) => words.met(requirement),
        (true, true) => words.cut_off(requirement),
    };
    format!("{step}, {fact} (triggered at step {}).", decision.trigger)
}

struct Words {
    response: String,
    stop: String,
    end: &'static str,
}

impl Words {
    /// What shows that the demand is not met.
    fn unmet(&self, requirement: &Requirement, decision: Decision) -> String {
        let Words { response, stop, end } = self;
        match (requirement.timing, requirement.scope.denies()) {
            (
                Timing::Immediately | Timing::Next | Timing::Always | Timing::For(_) | Timing::Until(_),
                false,
            ) => {
                format!("{response} is false")
            }
            (
                Timing::Immediately
                | Timing::Next
                | Timing::Eventually
                | Timing::Within(_)
                | Timing::Before(_),
                true,
            )
            | (Timing::Never, false) => format!("{response} is true"),
            (Timing::Finally, false) => format!("the {end} ends and {response} is false"),
            (Timing::Finally, true) => format!("the {end} ends and {response} is true"),
            (Timing::Eventually, false) | (Timing::Never, true) => {
                format!("the {end} ends and {response} has not held")
            }
            (Timing::Always, true) => format!("the {end} ends and {response} has not been false"),
            (Timing::Within(n), false) => format!("{} and {response} has not held", passed(n)),
            (Timing::For(n), true) => format!("{} and {response} has not been false", passed(n)),
            (Timing::After(n), false) => {
                let at_point =
                    decision.step - decision.trigger == usize::try_from(n).map_or(usize::MAX, |n| n + 1);
                format!("{response} is {}", if at_point { "false" } else { "true too early" })
            }
            (Timing::After(_), true) => format!("{response} is true and has not held before"),
            (Timing::Before(_), false) => format!("{stop} holds and {response} has not held before"),
            (Timing::Until(_), true) => format!("{stop} holds and {response} has not been false before"),
        }
    }

    /// What shows that the demand is met.
    fn met(&self, requirement: &Requirement) -> String {
        let Words { response, stop, end } = self;
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

    /// How a demand is met because the interval ends, or because the stop never comes.
    fn cut_off(&self, requirement: &Requirement) -> String {
        let Words { response, stop, end } = self;
        match (requirement.timing, requirement.scope.denies()) {
            (Timing::Within(n), false) | (Timing::For(n), true) => {
                format!("the {end} ends before {} are over, so nothing is asked", steps_label(n))
            }
            (Timing::After(_), true) => format!("the {end} ends before that, so nothing is asked"),
            (Timing::After(_), false) | (Timing::Within(_) | Timing::Before(_), true) => {
                format!("the {end} ends and {response} has not held")
            }
            (Timing::For(_) | Timing::Until(_), false) => {
                format!("the {end} ends and {response} has held throughout")
            }
            (Timing::Before(_), false) | (Timing::Until(_), true) => {
                format!("the {end} ends and {stop} has not held, so nothing is asked")
            }
            (Timing::Next, _) => format!("the {end} has no next step, so nothing is asked"),
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
