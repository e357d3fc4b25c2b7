//! The moments of a requirement that a test must show, from its definition: where it applies, what triggers it, when the response comes,
//! and what cuts it short. Each is a past-time formula that holds at the step of the moment.

use super::Demand;
use super::past::{Cut, Frame, demanded, fill};
use crate::{Condition, Refusal, Requirement, Timing};
use logic::{Bound, Class, Formula, Store};

/// A moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// What happens, such as `met at the last step`.
    pub name: &'static str,
    /// Holds where it happens.
    pub when: Formula,
}

/// The moments of a requirement, each formula once. For a scope with `only`, the response is what the denial demands.
///
/// # Errors
/// The requirement refers to the future.
pub fn moments(store: &mut Store, requirement: &Requirement) -> Result<Vec<Moment>, Refusal> {
    let (frame, demand) = demanded(store, requirement)?;
    let repeats = requirement.condition != Condition::Null;
    let mut moments = Moments { store, frame, repeats, list: Vec::new() };
    moments.of_frame();
    match demand {
        Demand::Meet(timing, response) => moments.of_timing(timing, response),
        Demand::Avoid(steps, response) => moments.of_denied_after(steps, response),
    }
    Ok(moments.list)
}

/// A Boolean expression of a requirement, and where it decides something. Temporal predicates are filled in as formulas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// `scope`, `condition`, `stop` or `response`.
    pub part: &'static str,
    /// The expression.
    pub expression: Formula,
    /// Where its value matters.
    pub when: Formula,
    /// What its connectives connect.
    pub conditions: Vec<Deciding>,
}

/// A condition of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deciding {
    /// The condition.
    pub condition: Formula,
    /// It alone decides the value of the expression.
    pub matters: Formula,
}

/// The expressions of a requirement.
///
/// # Errors
/// The requirement refers to the future.
pub fn decisions(store: &mut Store, requirement: &Requirement) -> Result<Vec<Decision>, Refusal> {
    let frame = Frame::new(store, requirement)?;
    let top = store.top();
    let all = [
        ("scope", requirement.scope.mode(), top, Cut::Trace),
        ("condition", requirement.condition.expression(), frame.scope, frame.cut),
        ("stop", requirement.timing.stop(), frame.armed, frame.cut),
        ("response", Some(requirement.response), frame.armed, frame.cut),
    ];
    let mut found = Vec::new();
    for (part, expression, when, cut) in all {
        let Some(whole) = expression else { continue };
        let fill = |s: &mut Store, it: Formula| fill(s, &requirement.predicates, it, &cut);
        let mut conditions = Vec::new();
        for id in store.reachable_until([whole.id()], |node| node.class() != Class::Connective) {
            let is_condition = !matches!(store.node(id).class(), Class::Connective | Class::Constant);
            let Some(condition) = store.as_formula(id).filter(|_| is_condition) else { continue };
            let mut fixed = Vec::new();
            for value in [true, false] {
                let value = store.bool(value);
                let with = store.map(whole.id(), |_, at| (at == id).then_some(value.id()));
                let with = store.as_formula(with).unwrap_or(whole);
                fixed.push(fill(store, with)?);
            }
            let matters = store.xor(fixed[0], fixed[1]);
            conditions.push(Deciding { condition: fill(store, condition)?, matters });
        }
        let expression = fill(store, whole)?;
        found.push(Decision { part, expression, when: logic::simplify(store, when), conditions });
    }
    Ok(found)
}

struct Moments<'s> {
    store: &'s mut Store,
    frame: Frame,
    /// Whether there can be several triggers in an interval.
    repeats: bool,
    list: Vec<Moment>,
}

impl Moments<'_> {
    fn add(&mut self, name: &'static str, parts: &[Formula]) {
        let when = self.store.and(parts.iter().copied());
        let when = logic::simplify(self.store, when);
        if when != self.store.bottom() && self.list.iter().all(|it| it.when != when) {
            self.list.push(Moment { name, when });
        }
    }

    fn not(&mut self, f: Formula) -> Formula {
        self.store.not(f)
    }

    fn before(&mut self, f: Formula) -> Formula {
        self.store.yesterday(f)
    }

    fn of_frame(&mut self) {
        let Frame { scope, trigger, armed, .. } = self.frame;
        let out = self.not(scope);
        if out != self.store.bottom() {
            self.add("in scope", &[scope]);
            self.add("out of scope", &[out]);
        }
        self.add("triggered", &[trigger]);
        if self.repeats {
            let not_yet = self.not(armed);
            self.add("not triggered", &[scope, not_yet]);
            let then = self.before(armed);
            let calm = self.before(trigger);
            let calm = self.not(calm);
            self.add("triggered again", &[trigger, then, calm]);
        }
    }

    /// The interval ends while something is pending.
    fn cut_short(&mut self, pending: Formula) {
        if self.frame.closes {
            let out = self.not(self.frame.scope);
            let pending = self.before(pending);
            self.add("scope ends first", &[out, pending]);
        }
    }

    fn retriggered(&mut self, pending: Formula) {
        if !self.repeats {
            return;
        }
        let pending = self.before(pending);
        self.add("triggered while pending", &[self.frame.trigger, pending]);
    }

    fn of_timing(&mut self, timing: Timing, response: Formula) {
        let Frame { scope, trigger, armed, .. } = self.frame;
        let absent = self.not(response);
        match timing {
            Timing::Immediately => {
                let not_due = self.not(trigger);
                self.add("no response where none is due", &[not_due, absent]);
            }
            Timing::Next => {
                let triggered = self.before(trigger);
                self.add("met at the next step", &[scope, triggered]);
                self.add("no response before the next step", &[trigger, absent]);
                self.cut_short(trigger);
            }
            Timing::Always => {
                let before = self.before(armed);
                self.add("held for two steps", &[armed, before]);
                let free = self.not(armed);
                self.add("no response where none is due", &[free, absent]);
                self.cut_short(armed);
            }
            Timing::Never => unreachable!("the demand of `never` is `always` of the absence"),
            Timing::Eventually => {
                let owed = self.frame.owed(self.store, absent);
                self.met_late(owed, response);
                self.cut_short(armed);
                self.retriggered(owed);
            }
            Timing::Finally => {
                self.add("no response before the last step", &[armed, absent]);
                self.cut_short(armed);
            }
            Timing::Within(steps) => self.of_within(steps, response, absent),
            Timing::For(steps) => {
                self.at_last(steps, "held to the last step", None);
                self.at_last(steps + 1, "free after the last step", Some(absent));
                self.while_recent(steps);
            }
            Timing::After(steps) => {
                self.at_last(steps, "absent to the last step", None);
                self.at_last(steps + 1, "met after the last step", None);
                self.while_recent(steps + 1);
            }
            Timing::Until(stop) => {
                let goes_on = self.not(stop);
                let running = self.store.and2(scope, goes_on);
                let start = self.store.and2(trigger, goes_on);
                let owing = self.store.since(Bound::ALL, running, start);
                let owing_before = self.before(owing);
                self.add("held for two steps", &[owing, owing_before]);
                self.add("stopped", &[scope, stop, owing_before]);
                self.add("free at the stop", &[scope, stop, owing_before, absent]);
                self.add("stopped at the trigger", &[trigger, stop]);
                self.cut_short(owing);
            }
            Timing::Before(stop) => {
                let owed = self.frame.owed(self.store, absent);
                self.met_late(owed, response);
                let owed_before = self.before(owed);
                let settled = self.not(owed_before);
                let calm = self.not(trigger);
                let armed_before = self.before(armed);
                self.add("stopped after the response", &[scope, stop, settled, calm, armed_before]);
                self.cut_short(owed);
            }
        }
    }

    fn met_late(&mut self, owed: Formula, response: Formula) {
        let Frame { scope, trigger, .. } = self.frame;
        self.add("met at once", &[trigger, response]);
        let owed = self.before(owed);
        self.add("met later", &[scope, owed, response]);
    }

    fn of_within(&mut self, steps: u64, response: Formula, absent: Formula) {
        let Frame { scope, trigger, .. } = self.frame;
        self.add("met at once", &[trigger, response]);
        let waiting = self.store.and2(scope, absent);
        let start = self.store.and2(trigger, absent);
        if let Some(before_last) = steps.checked_sub(1) {
            let oldest = self.store.since(Bound::exactly(before_last), waiting, start);
            let oldest = self.before(oldest);
            self.add("met at the last step", &[scope, response, oldest]);
        }
        self.at_last(steps + 1, "no response after the last step", Some(absent));
        let owed = self.frame.owed(self.store, absent);
        self.cut_short(owed);
        self.retriggered(owed);
    }

    /// The last trigger was this number of steps ago, in the same interval.
    fn at_last(&mut self, steps: u64, name: &'static str, besides: Option<Formula>) {
        let then = self.frame.triggered_exactly(self.store, steps);
        let calm = self.not(self.frame.trigger);
        let calm = match steps.checked_sub(1) {
            Some(last) => self.store.historically(Bound::upto(last), calm),
            None => self.store.top(),
        };
        let besides = besides.unwrap_or(self.store.top());
        self.add(name, &[then, calm, besides]);
    }

    /// The interval ends, or a trigger comes, before a duration is over.
    fn while_recent(&mut self, steps: u64) {
        let Frame { scope, trigger, .. } = self.frame;
        let Some(last) = steps.checked_sub(1) else { return };
        let recent = self.store.since(Bound::upto(last), scope, trigger);
        self.cut_short(recent);
        self.retriggered(recent);
    }

    fn of_denied_after(&mut self, steps: u64, response: Formula) {
        let absent = self.not(response);
        let due = self.frame.triggered_exactly(self.store, steps + 1);
        self.add("no response after the last step", &[due, absent]);
        self.add("response in spite of the denial, after an early one", &[due, response]);
        self.while_recent(steps + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentence::read;
    use crate::{Context, Trace};

    /// The moments of a sentence that a trace shows, each with its steps.
    fn check(sentence: &str, columns: &[(&str, &str)], expected: &[(&str, &[usize])]) {
        let mut store = Store::default();
        let requirement = read(&mut store, sentence, &Context::default()).requirement.expect("is a sentence");
        let bits = |it: &str| it.bytes().map(|it| it == b'1').collect::<Vec<bool>>();
        let trace = Trace::of(columns.iter().map(|(name, it)| (*name, bits(it)))).expect("is a trace");
        let mut shown: Vec<(&str, Vec<usize>)> = Vec::new();
        for Moment { name, when } in moments(&mut store, &requirement).expect("looks back only") {
            let values = logic::values(&store, when, &trace).expect("all columns are there");
            shown.push((name, (0..trace.len()).filter(|it| values[*it]).collect()));
        }
        let expected: Vec<(&str, Vec<usize>)> =
            expected.iter().map(|(name, at)| (*name, at.to_vec())).collect();
        assert_eq!(shown, expected, "{sentence}");
    }

    #[test]
    fn moments_are_where_the_definition_has_them() {
        check(
            "when p the pump shall immediately satisfy q",
            &[("p", "01011"), ("q", "01010")],
            &[
                ("triggered", &[1, 3]),
                ("not triggered", &[0]),
                ("triggered again", &[3]),
                ("no response where none is due", &[0, 2, 4]),
            ],
        );
        check(
            "when p the pump shall within 2 ticks satisfy q",
            &[("p", "1001010000"), ("q", "0010001000")],
            &[
                ("triggered", &[0, 3, 5]),
                ("not triggered", &[]),
                ("triggered again", &[3, 5]),
                ("met at once", &[]),
                ("met at the last step", &[2]),
                ("no response after the last step", &[8]),
                ("triggered while pending", &[5]),
            ],
        );
        check(
            "in m mode when p the pump shall for 2 ticks satisfy q",
            &[("m", "1111100"), ("p", "1000100"), ("q", "1110111")],
            &[
                ("in scope", &[0, 1, 2, 3, 4]),
                ("out of scope", &[5, 6]),
                ("triggered", &[0, 4]),
                ("not triggered", &[]),
                ("triggered again", &[4]),
                ("held to the last step", &[2]),
                ("free after the last step", &[3]),
                ("scope ends first", &[5]),
                ("triggered while pending", &[]),
            ],
        );
        check(
            "whenever p the pump shall until s satisfy q",
            &[("p", "11000"), ("s", "00010"), ("q", "11100")],
            &[
                ("triggered", &[0, 1]),
                ("not triggered", &[]),
                ("triggered again", &[]),
                ("held for two steps", &[1, 2]),
                ("stopped", &[3]),
                ("free at the stop", &[3]),
                ("stopped at the trigger", &[]),
            ],
        );
        check(
            "before m the pump shall eventually satisfy q",
            &[("m", "0001"), ("q", "0010")],
            &[
                ("in scope", &[0, 1, 2]),
                ("out of scope", &[3]),
                ("triggered", &[0]),
                ("met at once", &[]),
                ("met later", &[2]),
                ("scope ends first", &[3]),
            ],
        );
    }

    #[test]
    fn every_template_has_moments() {
        let mut store = Store::default();
        for requirement in crate::template::templates(&mut store, 2) {
            let found = moments(&mut store, &requirement).expect("looks back only");
            assert!(found.len() >= 2, "{}: {found:?}", requirement.key());
        }
    }
}
