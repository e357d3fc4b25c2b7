//! Models in CSP# and CSPM, in discrete time, with the same runs as [`::dfrs::step`]: their names and conditions are shared.

mod cspm;
mod sharp;

pub use cspm::cspm;
pub use sharp::csp_sharp;

use super::expr::{Expr, Language, Term, symbol};
use super::names::{Names, Signals};
use super::plan::Plan;
use ::dfrs::Moment;

/// A model before it is written.
struct Csp<'p> {
    plan: &'p Plan<'p>,
    signals: Signals,
    /// The entries; each name is free after `can_` and `event_`.
    rules: Vec<String>,
    /// The new values of the inputs.
    chosen: Vec<String>,
    words: Words,
}

/// Conjunction, disjunction and negation, the latter with a space if it is a word.
type Words = [&'static str; 3];

impl<'p> Csp<'p> {
    fn of(plan: &'p Plan<'p>, names: &mut Names, words: Words) -> Csp<'p> {
        let rules = plan.rules.iter().map(|rule| names.family(&["can_", "event_"], &rule.id)).collect();
        let inputs = plan.inputs();
        let chosen = names.take_all(inputs.iter().map(|&signal| format!("new_{}", plan.name(signal))));
        Csp { plan, signals: Signals::of(plan, |wanted| names.take(wanted)), rules, chosen, words }
    }

    fn condition(&self, expr: &Expr) -> String {
        let signal = |moment, signal| self.signals.at(moment, signal);
        self.language(&signal, |it| it.condition(&self.plan.signals, expr))
    }

    /// Of each rule the id of its requirement, its name, and when it can be taken.
    fn guards(&self) -> impl Iterator<Item = (String, &str, String)> {
        self.plan.rules.iter().zip(&self.rules).map(|(rule, name)| {
            let id = draw::terminal::plain(&self.plan.dfrs.requirements[rule.requirement].id);
            (id.to_string(), name.as_str(), self.condition(&rule.enabled()))
        })
    }

    fn term(&self, signal: usize, term: &Term) -> String {
        let read = |moment, signal| self.signals.at(moment, signal);
        self.language(&read, |it| it.term(&self.plan.signals, signal, term))
    }

    /// A condition on inputs, just before they get their new values.
    fn over_new(&self, expr: &Expr) -> String {
        let inputs = self.plan.inputs();
        let signal =
            |moment: Moment, signal: usize| match (moment, inputs.iter().position(|&it| it == signal)) {
                (Moment::Now, Some(place)) => self.chosen[place].clone(),
                (Moment::Now | Moment::Before, _) => self.signals.now[signal].clone(),
            };
        self.language(&signal, |it| it.condition(&self.plan.signals, expr))
    }

    fn language(
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
            constant: &|signal, value| self.signals.value(signal, value),
            age: &|timer, relation, bound| {
                format!("{} {} {bound}", self.signals.timers[timer], symbol(relation, "=="))
            },
        })
    }
}
