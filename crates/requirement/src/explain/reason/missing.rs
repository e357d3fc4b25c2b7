//! Violations: the trigger, its scope interval, the missing value of the response, and its deadline.
//!
//! Whatever the timing, every unmet demand has one form: the response must have a value at some step of a range, and does not. Where
//! it must have the value throughout, the range is the first step without it.

use super::Words;
use crate::meaning::oracle::{Decision, Interval, NEVER};
use crate::{Requirement, Scope, Timing};
use std::ops::Range;

/// What was missing: the response had to have a value at one of some steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The interval of the scope.
    pub interval: Interval,
    /// The trigger.
    pub trigger: usize,
    /// The steps that would have been sufficient, up to [`usize::MAX`] if the trace is infinite. Empty if the stop holds at the trigger.
    pub steps: Range<usize>,
    /// The value that the response has at none of these steps.
    pub value: bool,
}

/// What was missing where the demand of a trigger is not met.
pub fn missing(requirement: &Requirement, violation: Decision) -> Missing {
    let Decision { interval, trigger, step, cut: _ } = violation;
    let missing = |steps: Range<usize>, value: bool| Missing { interval, trigger, steps, value };
    let here = step..step.saturating_add(1);
    let up_to_here = trigger..step.saturating_add(1);
    match (requirement.timing, requirement.scope.denies()) {
        (
            Timing::Immediately
            | Timing::Next
            | Timing::Finally
            | Timing::Always
            | Timing::For(_)
            | Timing::Until(_),
            false,
        ) => missing(here, true),
        (Timing::After(n), false) => missing(here, step == plus(trigger, n).saturating_add(1)),
        (Timing::Never, false)
        | (
            Timing::Immediately
            | Timing::Next
            | Timing::Finally
            | Timing::Eventually
            | Timing::Within(_)
            | Timing::After(_)
            | Timing::Before(_),
            true,
        ) => missing(here, false),
        (Timing::Eventually | Timing::Within(_), false) | (Timing::Never, true) => missing(up_to_here, true),
        (Timing::Always | Timing::For(_), true) => missing(up_to_here, false),
        // The stop holds at the deciding step.
        (Timing::Before(_), false) => missing(trigger..step, true),
        (Timing::Until(_), true) => missing(trigger..step, false),
    }
}

impl Words {
    /// `triggered at step 2; ``alarm`` must hold by step 5 and does not.`
    pub(super) fn violated(&self, requirement: &Requirement, violation: Decision) -> String {
        let scope = self.interval(requirement.scope, violation.interval);
        format!("triggered at step {}{scope}; {}.", violation.trigger, self.unmet(requirement, violation))
    }

    /// Which steps are in scope, and why.
    fn interval(&self, scope: Scope, Interval { lo, hi }: Interval) -> String {
        let mode = &self.mode;
        let why = match scope {
            Scope::Global => return String::new(),
            Scope::In(_) => format!("while {mode} holds"),
            Scope::NotIn(_) | Scope::OnlyIn(_) => format!("while {mode} does not hold"),
            Scope::Before(_) => format!("before {mode} holds"),
            Scope::After(_) => format!("after {mode}"),
            Scope::OnlyBefore(_) => format!("not before {mode}"),
            Scope::OnlyAfter(_) => format!("not after {mode}"),
        };
        match hi {
            NEVER => format!(", {why} (from step {lo} on)"),
            hi if hi == lo => format!(", {why}"),
            hi => format!(", {why} (steps {lo} to {hi})"),
        }
    }

    /// What was required and did not happen.
    fn unmet(&self, requirement: &Requirement, violation: Decision) -> String {
        let Words { response, stop, end, .. } = self;
        let Decision { interval, trigger, step, cut: _ } = violation;
        let last = |n: u64| interval.hi.min(plus(trigger, n));
        // The end of the interval, which does not exist on an infinite trace.
        let by_the_end = match step {
            NEVER => String::new(),
            step => format!(" by the end of the {end}, step {step},"),
        };
        match (requirement.timing, requirement.scope.denies()) {
            (Timing::Immediately, false) => format!("{response} must hold at this step and is false"),
            (Timing::Immediately, true) => format!("{response} must not hold at this step and is true"),
            (Timing::Next, false) => format!("{response} must hold at the next step, {step}, and is false"),
            (Timing::Next, true) => format!("{response} must not hold at the next step, {step}, and is true"),
            (Timing::Finally, false) => {
                format!("{response} must hold at the last step of the {end}, {step}, and is false")
            }
            (Timing::Finally, true) => {
                format!("{response} must not hold at the last step of the {end}, {step}, and is true")
            }
            (Timing::Always, false) => format!("{response} must always hold and is false at step {step}"),
            (Timing::Never, false) | (Timing::Eventually, true) => {
                format!("{response} must never hold and is true at step {step}")
            }
            (Timing::Eventually, false) | (Timing::Never, true) if step == NEVER => {
                format!("{response} must hold in the end and never does")
            }
            (Timing::Eventually, false) | (Timing::Never, true) => {
                format!("{response} must hold{by_the_end} and does not")
            }
            (Timing::Always, true) => {
                format!("{response} must be false once{by_the_end} and is true throughout")
            }
            (Timing::Within(_), false) => format!("{response} must hold by step {step} and does not"),
            (Timing::For(_), true) => {
                format!("{response} must be false once by step {step} and is true throughout")
            }
            (Timing::For(n), false) => {
                format!("{response} must hold up to step {} and is false at step {step}", last(n))
            }
            (Timing::Within(n), true) => {
                format!("{response} must not hold up to step {} and is true at step {step}", last(n))
            }
            (Timing::After(n), false) => match plus(trigger, n).saturating_add(1) {
                point if point == step => format!("{response} must hold at step {step} and is false"),
                point => format!("{response} must not hold before step {point} and is true at step {step}"),
            },
            (Timing::After(_), true) => {
                format!("{response} must not hold for the first time at step {step} and does")
            }
            (Timing::Until(_), false) => {
                format!("{response} must hold until {stop} does and is false at step {step}")
            }
            (Timing::Before(_), true) => {
                format!("{response} must not hold before {stop} does and is true at step {step}")
            }
            (Timing::Before(_) | Timing::Until(_), _) if step == trigger => {
                let wanted = if requirement.scope.denies() { "be false" } else { "hold" };
                format!("{response} must {wanted} before {stop} holds, which it does at this step")
            }
            (Timing::Before(_), false) => {
                format!("{response} must hold before {stop} does at step {step}, and does not")
            }
            (Timing::Until(_), true) => {
                format!("{response} must be false before {stop} holds at step {step}, and is true throughout")
            }
        }
    }
}

fn plus(trigger: usize, n: u64) -> usize {
    trigger.saturating_add(usize::try_from(n).unwrap_or(NEVER))
}

#[cfg(test)]
mod tests {
    use super::super::failure;
    use super::*;
    use crate::meaning::oracle::judge;
    use crate::{Condition, Context, Fields, lower, template};
    use logic::{Store, Trace, Value};

    /// A trace from letters: `m` mode, `c` cond, `s` stop, `r` res; one string per step.
    fn trace(words: &[&str]) -> Trace {
        template::ATOMS.iter().fold(Trace::new(words.len(), None).expect("steps"), |trace, name| {
            let column = words.iter().map(|word| Value::Bool(word.contains(&name[..1]))).collect();
            trace.with(name, column).expect("a column")
        })
    }

    #[test]
    fn sentences() {
        let check = |sentence: &str, words: &[&str], expected: &str| {
            let mut store = Store::default();
            let parse = syntax::fretish::parse(sentence);
            let lowered = lower(&mut store, &parse, &Context::default());
            let requirement = lowered.requirement.unwrap_or_else(|| panic!("{sentence}"));
            let fields = Fields::of(syntax::fretish::Sentence::of(&parse.tree));
            let found = failure(&store, &requirement, &fields, &trace(words)).expect("a verdict");
            assert_eq!(found.as_deref().unwrap_or("holds"), expected, "{sentence} {words:?}");
        };
        let within = "when cond the sw shall within 2 ticks satisfy res";
        check(
            within,
            &["", "", "c", "", "", "r"],
            "triggered at step 2; `res` must hold by step 4 and does not.",
        );
        check(within, &["c", "r", ""], "holds");
        for (sentence, words, expected) in [
            (
                "the sw shall always satisfy res",
                "r r - r",
                "triggered at step 0; `res` must always hold and is false at step 2.",
            ),
            (
                "the sw shall never satisfy res",
                "- - r -",
                "triggered at step 0; `res` must never hold and is true at step 2.",
            ),
            (
                "the sw shall eventually satisfy res",
                "- - -",
                "triggered at step 0; `res` must hold by the end of the run, step 2, and does not.",
            ),
            (
                "when cond the sw shall immediately satisfy res",
                "- c -",
                "triggered at step 1; `res` must hold at this step and is false.",
            ),
            (
                "when cond the sw shall at the next timepoint satisfy res",
                "- c -",
                "triggered at step 1; `res` must hold at the next step, 2, and is false.",
            ),
            (
                "when cond the sw shall for 2 ticks satisfy res",
                "- cr r -",
                "triggered at step 1; `res` must hold up to step 3 and is false at step 3.",
            ),
            (
                "when cond the sw shall after 1 tick satisfy res",
                "c - -",
                "triggered at step 0; `res` must hold at step 2 and is false.",
            ),
            (
                "when cond the sw shall after 1 tick satisfy res",
                "c r r",
                "triggered at step 0; `res` must not hold before step 2 and is true at step 1.",
            ),
            (
                "when cond the sw shall until stop satisfy res",
                "cr r - s",
                "triggered at step 0; `res` must hold until `stop` does and is false at step 2.",
            ),
            (
                "when cond the sw shall before stop satisfy res",
                "c - sr",
                "triggered at step 0; `res` must hold before `stop` does at step 2, and does not.",
            ),
            (
                "when cond the sw shall before stop satisfy res",
                "cs r",
                "triggered at step 0; `res` must hold before `stop` holds, which it does at this step.",
            ),
            (
                "in mode mode the sw shall always satisfy res",
                "- m mr -",
                "triggered at step 1, while `mode` holds (steps 1 to 2); `res` must always hold and is false at step 1.",
            ),
            (
                "only in mode mode the sw shall eventually satisfy res",
                "mr - r",
                "triggered at step 1, while `mode` does not hold (steps 1 to 2); `res` must never hold and is true at step 2.",
            ),
            (
                "before mode mode the sw shall immediately satisfy res",
                "- - m",
                "triggered at step 0, before `mode` holds (steps 0 to 1); `res` must hold at this step and is false.",
            ),
            (
                "after mode mode the sw shall finally satisfy res",
                "m - -",
                "triggered at step 1, after `mode` (steps 1 to 2); `res` must hold at the last step of the interval, 2, and is false.",
            ),
        ] {
            check(sentence, &words.split(' ').collect::<Vec<_>>(), expected);
        }
    }

    /// Whether these steps are an interval of the scope, computed without the oracle.
    fn is_interval(scope: Scope, mode: &[bool], Interval { lo, hi }: Interval) -> bool {
        let first = mode.iter().position(|it| *it);
        let end_of_first = first.map(|first| first + mode[first..].iter().take_while(|it| **it).count());
        let run = |value: bool| {
            mode[lo..=hi].iter().all(|it| *it == value)
                && (lo == 0 || mode[lo - 1] != value)
                && (hi + 1 == mode.len() || mode[hi + 1] != value)
        };
        let end = mode.len();
        match scope {
            Scope::Global => (lo, hi + 1) == (0, end),
            Scope::In(_) => run(true),
            Scope::NotIn(_) | Scope::OnlyIn(_) => run(false),
            Scope::Before(_) => (lo, hi + 1) == (0, first.unwrap_or(end)),
            Scope::After(_) => Some(lo) == end_of_first && hi + 1 == end,
            Scope::OnlyBefore(_) => Some(lo) == first && hi + 1 == end,
            Scope::OnlyAfter(_) => (lo, hi + 1) == (0, end_of_first.unwrap_or(end)),
        }
    }

    #[test]
    fn all_templates_on_all_short_traces() {
        let mut store = Store::default();
        let fields = Fields::default();
        let mut violations = 0;
        let all: Vec<Requirement> =
            [0, 1].into_iter().flat_map(|n| template::templates(&mut store, n)).collect();
        for requirement in all {
            for length in 1..=3 {
                for bits in 0..1u32 << (4 * length) {
                    let signal = |name: usize| -> Vec<bool> {
                        (0..length).map(|step| bits >> (4 * step + name) & 1 == 1).collect()
                    };
                    let columns = [0, 1, 2, 3].map(signal);
                    // Atoms that the requirement does not have are tried with one value.
                    let unused = [
                        requirement.scope.mode().is_none(),
                        requirement.condition.expression().is_none(),
                        requirement.timing.stop().is_none(),
                    ];
                    if (0..3).any(|name| unused[name] && columns[name].contains(&true)) {
                        continue;
                    }
                    violations += usize::from(one(&store, &requirement, &fields, columns));
                }
            }
        }
        assert!(violations > 100_000, "{violations}");
    }

    /// Checks what is missing on a trace, and that supplying it leads to a trace without a violation. Returns whether there was one.
    fn one(store: &Store, requirement: &Requirement, fields: &Fields, mut columns: [Vec<bool>; 4]) -> bool {
        let length = columns[0].len();
        let context = |columns: &[Vec<bool>; 4]| format!("{} {columns:?}", requirement.key());
        for round in 0..=length {
            let trace = Trace::new(length, None).expect("steps");
            let trace = template::ATOMS.iter().zip(&columns).fold(trace, |trace, (name, column)| {
                trace.with(name, column.iter().copied().map(Value::Bool).collect()).expect("a column")
            });
            let verdict = judge(store, requirement, &trace).expect("a verdict");
            let Some(violation) = verdict.violation else { return round > 0 };
            let text = super::super::reason(requirement, fields, &verdict);
            assert!(text.starts_with(&format!("triggered at step {}", violation.trigger)), "{text}");
            assert!(
                text.contains(&format!("step {}", violation.step))
                    || text.contains("this step")
                    || text.contains(&format!("{},", violation.step)),
                "{text}"
            );
            let Missing { interval, trigger, steps, value } = missing(requirement, violation);
            let [mode, cond, stop, res] = &mut columns;
            assert!(is_interval(requirement.scope, mode, interval), "{text} {trace:?}");
            assert!(interval.lo <= trigger && trigger <= interval.hi, "{text}");
            let triggers = match requirement.condition {
                Condition::Null => trigger == interval.lo,
                Condition::Holding(_) => cond[trigger],
                Condition::Regular(_) => cond[trigger] && (trigger == interval.lo || !cond[trigger - 1]),
            };
            assert!(triggers, "{text} {trace:?}");
            assert!(steps.start >= trigger && steps.end <= interval.hi + 1, "{text}");
            assert!(res[steps.clone()].iter().all(|it| *it != value), "{text} {trace:?}");
            if steps.is_empty() {
                assert!(stop[trigger], "{text} {trace:?}");
                return true;
            }
            res[steps.end - 1] = value;
            // What `after` requires for one trigger may contradict what it requires for another.
            if matches!(requirement.timing, Timing::After(_)) {
                return true;
            }
        }
        panic!("still violated: {}", context(&columns));
    }
}
