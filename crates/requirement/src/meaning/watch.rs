//! A requirement as a monitor meets it: the body of its past-time formula, point by point, so that every violation has its step.
//!
//! The past-time formula holds at the last point exactly if no point is bad. A demand of `eventually` and `finally` is judged at
//! the last point of each interval, which is known only one point later, or at the end of the trace.

use super::past::{Judged, demanded};
use crate::{Refusal, Requirement};
use logic::{Formula, Store};

/// The points at which a requirement is violated; all formulas are of past time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watch {
    /// The values of this point violate the requirement.
    pub bad: Formula,
    /// The requirement is violated if its interval ends at this point: at the last point of the trace, or where `left` holds at the
    /// next one.
    pub bad_at_end: Formula,
    /// The interval ended at the point before, and something was owed there.
    pub left: Formula,
    /// A trigger is now.
    pub trigger: Formula,
    /// In scope now.
    pub scope: Formula,
    /// While this holds, a trigger is active, from the first one on; `None` if that is at a bounded distance.
    pub active: Option<Formula>,
}

/// The points at which a requirement is violated.
///
/// # Errors
/// The requirement refers to the future.
pub fn watch(store: &mut Store, requirement: &Requirement) -> Result<Watch, Refusal> {
    let (frame, demand) = demanded(store, requirement)?;
    let (bad, bad_at_end, active) = match frame.judged(store, demand) {
        Judged::Here { good, active } => (store.not(good), store.bottom(), active),
        Judged::AtEnds { owed, active } => (store.bottom(), owed, Some(active)),
    };
    let owed_before = store.yesterday(bad_at_end);
    let out = store.not(frame.scope);
    let left = store.and2(out, owed_before);
    let mut simple = |formula| logic::simplify(store, formula);
    Ok(Watch {
        bad: simple(bad),
        bad_at_end: simple(bad_at_end),
        left: simple(left),
        trigger: simple(frame.trigger),
        scope: simple(frame.scope),
        active: active.map(simple),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::judge;
    use crate::past;
    use crate::template::templates;
    use crate::vectors::random;

    /// The first bad step, as `watch` defines it.
    fn first_bad(store: &Store, watch: Watch, trace: &logic::Trace) -> Option<usize> {
        let at = |formula| logic::values(store, formula, trace).expect("all columns are there");
        let (bad, end, left) = (at(watch.bad), at(watch.bad_at_end), at(watch.left));
        let last = trace.len() - 1;
        (0..=last).find(|&step| bad[step] || if step == last { end[step] } else { left[step + 1] })
    }

    #[test]
    fn the_first_bad_step_is_the_one_that_the_oracle_finds() {
        let mut violated = 0;
        for steps in [0, 1, 3] {
            let mut store = Store::default();
            let requirements = templates(&mut store, steps);
            let settings = random(9, Some(steps), 60, 7 + steps);
            for requirement in requirements {
                let watch = watch(&mut store, &requirement).expect("looks back only");
                let past = past(&mut store, &requirement).expect("looks back only");
                for setting in &settings {
                    let trace = setting.trace();
                    let verdict = judge(&store, &requirement, &trace).expect("all columns are there");
                    let holds = logic::holds_at(&store, past, &trace, trace.len() - 1);
                    assert_eq!(holds, Ok(verdict.holds()));
                    let expected = verdict.violation.map(|it| it.step);
                    let found = first_bad(&store, watch, &trace);
                    assert_eq!(found, expected, "{} {steps} {trace:?}", requirement.key());
                    violated += usize::from(found.is_some());
                }
            }
        }
        assert!(violated > 5_000, "{violated}");
    }
}
