//! Names that a target can read: ASCII letters, digits and `_`, none of its reserved words, and no two alike.
//!
//! The same names asked for in the same order give the same answers, so that exports are stable.

use super::plan::{Domain, Plan};
use base::names::{Taken, identifier, unique};

/// The names of one file.
pub(super) struct Names {
    taken: Taken,
}

impl Names {
    /// No names yet; those of the language and of the model itself are not free.
    pub(super) fn new(reserved: &str) -> Names {
        Names { taken: reserved.split_whitespace().collect() }
    }

    /// A free name near the wanted one; from now on it is taken.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        self.taken.take(&identifier(wanted, "x"))
    }

    /// A name that is free behind each of these prefixes; from now on all of them are taken.
    pub(super) fn family(&mut self, prefixes: &[&str], wanted: &str) -> String {
        let name = unique(&identifier(wanted, ""), "_", |name| {
            prefixes.iter().all(|prefix| !self.taken.contains(&format!("{prefix}{name}")))
        });
        self.taken.extend(prefixes.iter().map(|prefix| format!("{prefix}{name}")));
        name
    }

    /// Free names near the wanted ones.
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
    pub(super) fn of(plan: &Plan, names: &mut Names) -> Signals {
        let signals = 0..plan.signals.len();
        let now = names.take_all(signals.clone().map(|signal| plan.name(signal)));
        let timers = names.take_all((0..plan.timers.len()).map(|timer| plan.timer_name(timer)));
        let before = names.take_all(signals.clone().map(|signal| format!("prev_{}", plan.name(signal))));
        let constants = signals
            .map(|signal| match &plan.signals[signal].domain {
                Domain::Names(words) => {
                    names.take_all(words.iter().map(|word| format!("{}_{word}", plan.name(signal))))
                }
                Domain::Bool | Domain::Numbers(..) => Vec::new(),
            })
            .collect();
        Signals { now, before, constants, timers }
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
