//! Names that a target can read: ASCII letters, digits and `_`, no reserved words, all different.
//!
//! The same names requested in the same order give the same results, so that exports are stable.

use super::plan::{Domain, Plan};
use ::dfrs::Moment;
use base::names::Taken;
use base::names::identifier;
use base::names::unique;

/// The names of one file.
pub(super) struct Names {
    taken: Taken,
}

impl Names {
    /// A namespace in which only the reserved words are taken.
    pub(super) fn new(reserved: &str) -> Names {
        Names { taken: reserved.split_whitespace().collect() }
    }

    /// A free name similar to the wanted one; from now on it is taken.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        self.taken.take(&identifier(wanted, "x"))
    }

    /// A name that is free after each of these prefixes; from now on all of them are taken.
    pub(super) fn family(&mut self, prefixes: &[&str], wanted: &str) -> String {
        let name = unique(&identifier(wanted, ""), "_", |name| {
            prefixes.iter().all(|prefix| !self.taken.contains(&format!("{prefix}{name}")))
        });
        self.taken.extend(prefixes.iter().map(|prefix| format!("{prefix}{name}")));
        name
    }

    /// Free names similar to the wanted ones.
    pub(super) fn take_all<T: AsRef<str>>(&mut self, wanted: impl IntoIterator<Item = T>) -> Vec<String> {
        wanted.into_iter().map(|wanted| self.take(wanted.as_ref())).collect()
    }
}

/// The names of the signals and timers of a model.
pub(super) struct Signals {
    /// Current values.
    pub(super) now: Vec<String>,
    /// Previous values.
    pub(super) before: Vec<String>,
    /// For each signal, its enumeration constants.
    pub(super) constants: Vec<Vec<String>>,
    pub(super) timers: Vec<String>,
}

impl Signals {
    /// The names of a plan; `take` gives a free name similar to the wanted one.
    pub(super) fn of(plan: &Plan, mut take: impl FnMut(&str) -> String) -> Signals {
        let signals = 0..plan.signals.len();
        let now = signals.clone().map(|signal| take(plan.name(signal))).collect();
        let timers = (0..plan.timers.len()).map(|timer| take(plan.timer_name(timer))).collect();
        let before = signals.clone().map(|signal| take(&format!("prev_{}", plan.name(signal)))).collect();
        let constants = signals
            .map(|signal| match &plan.signals[signal].domain {
                Domain::Names(words) => {
                    words.iter().map(|word| take(&format!("{}_{word}", plan.name(signal)))).collect()
                }
                Domain::Bool | Domain::Numbers(..) => Vec::new(),
            })
            .collect();
        Signals { now, before, constants, timers }
    }

    /// A signal at a moment.
    pub(super) fn at(&self, moment: Moment, signal: usize) -> String {
        match moment {
            Moment::Now => self.now[signal].clone(),
            Moment::Before => self.before[signal].clone(),
        }
    }

    /// A value of a signal by its constant, or as a number.
    pub(super) fn value(&self, signal: usize, value: i64) -> String {
        let constant = usize::try_from(value).ok().and_then(|value| self.constants[signal].get(value));
        constant.cloned().unwrap_or_else(|| value.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_different() {
        let mut names = Names::new("case state_2");
        let wanted = ["case", "état", "REQ-1", "REQ.1", "1st", "", "_x", "state", "state"];
        let expected = ["case_2", "x_tat", "REQ_1", "REQ_1_2", "x1st", "x", "x_x", "state", "state_3"];
        assert_eq!(names.take_all(wanted), expected);
        assert_eq!(names.take("can_A"), "can_A");
        assert_eq!(names.family(&["can_", "do_"], "A"), "A_2");
        assert_eq!(names.take("do_A_2"), "do_A_2_2");
    }
}
