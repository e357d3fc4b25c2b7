//! Mutants: the system with one small mistake in it, as someone might make it who reads or implements the requirements.
//!
//! No two mutants of an entry are the same, and none is the entry itself.

use crate::english;
use crate::system::{Assignment, Condition, Dfrs, Effect, Entry, Moment, Operand, Sort, Timed};
use logic::{RBig, Rel, Value};

/// A system with one mistake in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The number of the requirement that is mistaken.
    pub requirement: usize,
    /// The kind of mistake.
    pub operator: Operator,
    /// The mistake in words.
    pub words: String,
    /// The number of the function, and of the entry in it.
    place: (usize, usize),
    /// What there is instead of the entry.
    entries: Vec<Entry>,
}

/// A kind of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Another comparison.
    Relation,
    /// A literal one more or less, or a neighbouring value.
    Literal,
    /// One more value for which a condition holds, or fails.
    ValueAdded,
    /// The current value for the previous one, or the other way round.
    Moment,
    /// A condition is missing.
    ConditionDropped,
    /// A condition is negated.
    ConditionNegated,
    /// An `or` for an `and`.
    AndToOr,
    /// An `and` for an `or`.
    OrToAnd,
    /// Another bound of time.
    Bound,
    /// Another value is assigned.
    Assigned,
    /// An assignment is missing.
    AssignmentDropped,
    /// The reset of a timer is missing.
    ResetDropped,
    /// The whole entry is missing.
    EntryRemoved,
    /// Timers are reset even if the outputs have their values already.
    ResetAlone,
}

impl Mutant {
    /// The system with the mistake.
    pub fn apply(&self, dfrs: &Dfrs) -> Dfrs {
        let mut system = dfrs.clone();
        if let Some(function) = system.functions.get_mut(self.place.0)
            && self.place.1 < function.entries.len()
        {
            function.entries.splice(self.place.1..=self.place.1, self.entries.iter().cloned());
        }
        system
    }
}

/// All mutants of a system, in the order of its entries.
pub fn mutants(dfrs: &Dfrs) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (number, function) in dfrs.functions.iter().enumerate() {
        for (place, entry) in function.entries.iter().enumerate() {
            let mut maker = Maker { dfrs, entry, place: (number, place), found: Vec::new() };
            maker.entry();
            found.extend(maker.found);
        }
    }
    found
}

struct Maker<'d> {
    dfrs: &'d Dfrs,
    entry: &'d Entry,
    place: (usize, usize),
    found: Vec<Mutant>,
}

impl Maker<'_> {
    fn entry(&mut self) {
        let Maker { dfrs, entry, .. } = *self;
        for (clause, any) in entry.guard.iter().enumerate() {
            for (place, condition) in any.iter().enumerate() {
                let was = english::condition(dfrs, condition);
                for (operator, new) in conditions(dfrs, condition) {
                    let words = format!("`{was}` becomes `{}`", english::condition(dfrs, &new));
                    self.push(operator, words, |entry| entry.guard[clause][place] = new);
                }
                for new in values_added(dfrs, condition) {
                    let also = english::condition(dfrs, &new);
                    let (words, joined) = match condition.relation {
                        Rel::Ne => (format!("`{was}` and also `{also}`"), false),
                        Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge | Rel::Eq => {
                            (format!("`{was}` or `{also}`"), true)
                        }
                    };
                    self.push(Operator::ValueAdded, words, |entry| match joined {
                        true => entry.guard[clause].push(new),
                        false => entry.guard.push(vec![new]),
                    });
                }
                let words = format!("`{was}` is missing");
                self.push(Operator::ConditionDropped, words, |entry| {
                    drop_from(&mut entry.guard, clause, place)
                });
            }
            self.connectives(clause, |entry| &mut entry.guard);
        }
        for (clause, any) in entry.timed.iter().enumerate() {
            for (place, timed) in any.iter().enumerate() {
                let was = english::timed(dfrs, timed);
                for (operator, new) in bounds(timed) {
                    let words = format!("`{was}` becomes `{}`", english::timed(dfrs, &new));
                    self.push(operator, words, |entry| entry.timed[clause][place] = new);
                }
                let words = format!("`{was}` is missing");
                self.push(Operator::ConditionDropped, words, |entry| {
                    drop_from(&mut entry.timed, clause, place)
                });
            }
            self.connectives(clause, |entry| &mut entry.timed);
        }
        for (place, assignment) in entry.effect.iter().enumerate() {
            let was = english::assignment(dfrs, assignment);
            for new in assigned(dfrs, assignment) {
                let words = format!("`{was}` becomes `{}`", english::assignment(dfrs, &new));
                self.push(Operator::Assigned, words, |entry| entry.effect[place] = new);
            }
            let operator = match assignment.effect {
                Effect::Assign(_) => Operator::AssignmentDropped,
                Effect::Reset => Operator::ResetDropped,
            };
            self.push(operator, format!("`{was}` is missing"), |entry| drop(entry.effect.remove(place)));
        }
        self.keep(Operator::EntryRemoved, "all of it is missing".to_owned(), Vec::new());
        let resets = |assignment: &Assignment| assignment.effect == Effect::Reset;
        let effect: Vec<Assignment> = entry.effect.iter().filter(|it| resets(it)).cloned().collect();
        if !effect.is_empty() && effect.len() < entry.effect.len() {
            let words = "timers are reset although no output changes".to_owned();
            self.keep(Operator::ResetAlone, words, vec![entry.clone(), Entry { effect, ..entry.clone() }]);
        }
    }

    /// Takes one clause apart, and joins it with the next.
    fn connectives<T>(&mut self, clause: usize, of: fn(&mut Entry) -> &mut Vec<Vec<T>>) {
        let mut copy = self.entry.clone();
        let clauses = of(&mut copy);
        let (size, last) = (clauses[clause].len(), clause + 1 == clauses.len());
        if size > 1 {
            let words = format!("condition {} has `and` for `or`", clause + 1);
            self.push(Operator::OrToAnd, words, |entry| {
                let clauses = of(entry);
                let parts = clauses.remove(clause);
                for (place, part) in parts.into_iter().enumerate() {
                    clauses.insert(clause + place, vec![part]);
                }
            });
        }
        if !last {
            let words = format!("`or` for `and` before condition {}", clause + 2);
            self.push(Operator::AndToOr, words, |entry| {
                let next = of(entry).remove(clause + 1);
                of(entry)[clause].extend(next);
            });
        }
    }

    /// Keeps a mutant of the entry, unless nothing has changed or it is known.
    fn push(&mut self, operator: Operator, words: String, change: impl FnOnce(&mut Entry)) {
        let mut entry = self.entry.clone();
        change(&mut entry);
        if entry != *self.entry {
            self.keep(operator, words, vec![entry]);
        }
    }

    fn keep(&mut self, operator: Operator, words: String, entries: Vec<Entry>) {
        if !self.found.iter().any(|it| it.entries == entries) {
            let (requirement, place) = (self.entry.requirement, self.place);
            self.found.push(Mutant { requirement, operator, words, place, entries });
        }
    }
}

/// Without one condition: a clause that has no other goes with it.
fn drop_from<T>(clauses: &mut Vec<Vec<T>>, clause: usize, place: usize) {
    clauses[clause].remove(place);
    if clauses[clause].is_empty() {
        clauses.remove(clause);
    }
}

const RELATIONS: [Rel; 6] = [Rel::Lt, Rel::Le, Rel::Gt, Rel::Ge, Rel::Eq, Rel::Ne];

fn conditions(dfrs: &Dfrs, condition: &Condition) -> Vec<(Operator, Condition)> {
    let with = |relation: Rel| Condition { relation, ..condition.clone() };
    let mut found = vec![(Operator::ConditionNegated, with(condition.relation.complement()))];
    let sort = &dfrs.variables[condition.variable].sort;
    if matches!(sort, Sort::Int | Sort::Real) {
        found.extend(RELATIONS.map(|relation| (Operator::Relation, with(relation))));
    }
    if let Operand::Constant(value) = &condition.operand {
        let operands = neighbours(sort, value).into_iter().map(Operand::Constant);
        found.extend(operands.map(|operand| (Operator::Literal, Condition { operand, ..condition.clone() })));
    }
    let moment = match condition.moment {
        Moment::Now => Moment::Before,
        Moment::Before => Moment::Now,
    };
    found.push((Operator::Moment, Condition { moment, ..condition.clone() }));
    // A flipped Boolean is a negation.
    found.retain(|(operator, _)| *operator != Operator::Literal || !matches!(sort, Sort::Bool { .. }));
    found
}

/// Conditions on the neighbours of a name.
fn values_added(dfrs: &Dfrs, condition: &Condition) -> Vec<Condition> {
    let Operand::Constant(Value::Name(name)) = &condition.operand else { return Vec::new() };
    let names = neighbours(&dfrs.variables[condition.variable].sort, &Value::Name(name.clone()));
    let with = |name: Value| Condition { operand: Operand::Constant(name), ..condition.clone() };
    names.into_iter().map(with).collect()
}

fn bounds(timed: &Timed) -> Vec<(Operator, Timed)> {
    let with = |relation: Rel| Timed { relation, ..timed.clone() };
    let mut found = vec![(Operator::ConditionNegated, with(timed.relation.complement()))];
    found.extend(RELATIONS.map(|relation| (Operator::Relation, with(relation))));
    for bound in [&timed.bound - RBig::ONE, &timed.bound + RBig::ONE] {
        found.push((Operator::Bound, Timed { bound, ..timed.clone() }));
    }
    found
}

fn assigned(dfrs: &Dfrs, assignment: &Assignment) -> Vec<Assignment> {
    let Effect::Assign(Operand::Constant(value)) = &assignment.effect else { return Vec::new() };
    let values = neighbours(&dfrs.variables[assignment.variable].sort, value);
    let effects = values.into_iter().map(|value| Effect::Assign(Operand::Constant(value)));
    effects.map(|effect| Assignment { effect, ..assignment.clone() }).collect()
}

/// One more and one less; of names, the ones before and after.
fn neighbours(sort: &Sort, value: &Value) -> Vec<Value> {
    match (sort, value) {
        (Sort::Names(names), Value::Name(name)) => {
            let Some(place) = names.iter().position(|it| it == name) else { return Vec::new() };
            let count = names.len();
            let mut others: Vec<usize> = vec![(place + 1) % count, (place + count - 1) % count];
            others.dedup();
            others.retain(|other| *other != place);
            others.into_iter().map(|other| Value::Name(names[other].clone())).collect()
        }
        (_, Value::Bool(truth)) => vec![Value::Bool(!truth)],
        (_, Value::Num(number)) => vec![Value::Num(number - RBig::ONE), Value::Num(number + RBig::ONE)],
        (_, Value::Name(_)) => Vec::new(),
    }
}
