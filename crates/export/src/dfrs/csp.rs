//! What the models in CSP# and CSPM share: the names of a model, and how they write its conditions.

use super::expr::{Expr, Language};
use super::names::{Names, Signals};
use super::plan::Plan;
use ::dfrs::Moment;
use logic::Rel;

/// A model before it is written.
pub(super) struct Csp<'p> {
    pub(super) plan: &'p Plan<'p>,
    pub(super) signals: Signals,
    /// The entries, each free behind `can_` and `event_`.
    pub(super) rules: Vec<String>,
    /// The new values of the inputs.
    pub(super) chosen: Vec<String>,
    words: Words,
}

/// Conjunction, disjunction, and negation with its space if it is a word.
pub(super) type Words = [&'static str; 3];

impl<'p> Csp<'p> {
    pub(super) fn of(plan: &'p Plan<'p>, names: &mut Names, words: Words) -> Csp<'p> {
        let rules = plan.rules.iter().map(|rule| names.family(&["can_", "event_"], &rule.id)).collect();
        let inputs = plan.inputs();
        let chosen = names.take_all(inputs.iter().map(|&signal| format!("new_{}", plan.name(signal))));
        Csp { plan, signals: Signals::of(plan, names), rules, chosen, words }
    }

    pub(super) fn signal(&self, moment: Moment, signal: usize) -> String {
        match moment {
            Moment::Now => self.signals.now[signal].clone(),
            Moment::Before => self.signals.before[signal].clone(),
        }
    }

    pub(super) fn condition(&self, expr: &Expr) -> String {
        self.language(&|moment, signal| self.signal(moment, signal), |it| {
            it.condition(&self.plan.signals, expr)
        })
    }

    /// For each rule, the id of its requirement, its name, and when it reacts.
    pub(super) fn guards(&self) -> impl Iterator<Item = (String, &String, String)> {
        self.plan.rules.iter().zip(&self.rules).map(|(rule, name)| {
            let id = crate::words::plain(&self.plan.dfrs.requirements[rule.requirement].id);
            (id, name, self.condition(&rule.enabled()))
        })
    }

    /// A condition on inputs, at the moment before they get their new values.
    pub(super) fn over_new(&self, expr: &Expr) -> String {
        let inputs = self.plan.inputs();
        let signal =
            |moment: Moment, signal: usize| match (moment, inputs.iter().position(|&it| it == signal)) {
                (Moment::Now, Some(place)) => self.chosen[place].clone(),
                (Moment::Now | Moment::Before, _) => self.signals.now[signal].clone(),
            };
        self.language(&signal, |it| it.condition(&self.plan.signals, expr))
    }

    pub(super) fn language(
        &self,
        signal: &dyn Fn(Moment, usize) -> String,
        write: impl Fn(&Language) -> String,
    ) -> String {
        let [and, or, not] = self.words;
        write(&Language {
            and,
            or,
            not,
            equal: "==",
            truth: ["false", "true"],
            has_bool: false,
            signal,
            constant: &|signal, value| self.value(signal, value),
            age: &|timer, relation, bound| {
                let relation = if relation == Rel::Eq { "==" } else { relation.symbol() };
                format!("{} {relation} {bound}", self.signals.timers[timer])
            },
        })
    }

    /// Truth values are numbers, and so are names without a constant.
    pub(super) fn value(&self, signal: usize, value: i64) -> String {
        let named = usize::try_from(value).ok().and_then(|value| self.signals.constants[signal].get(value));
        named.cloned().unwrap_or_else(|| value.to_string())
    }
}
