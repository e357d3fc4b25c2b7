//! What a suite has to show: that each entry reacts, that each condition of its guard decides (MC/DC), what happens just before, at and
//! after each bound of time, and that each requirement follows each other one.
//!
//! Obligations are met in the states that a reaction passes through. A guard is a conjunction of disjunctions, so a condition decides
//! if the other conditions of its clause fail and all other clauses hold; with it and without it are the two halves of a pair.

use crate::closure::Closure;
use crate::english;
use crate::machine::{Machine, Rule, Test};
use crate::step;
use crate::suite::product::never;
use crate::system::{Dfrs, Entry, Function, Timed};
use logic::{RBig, Rel};
use rustc_hash::FxHashMap;

/// Something to be shown by a test. Clauses are counted over the guard about values, then the one about timers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obligation {
    /// An entry reacts and changes something.
    Fires {
        /// The number of the entry.
        entry: usize,
    },
    /// A condition alone decides whether an entry is enabled.
    Decides {
        /// The number of the entry.
        entry: usize,
        /// The number of the clause.
        clause: usize,
        /// The number of the condition in the clause.
        condition: usize,
        /// Whether the condition holds, and with it the guard.
        holds: bool,
    },
    /// A timer alone decides whether an entry is enabled, and has an age at or next to its bound.
    Bound {
        /// The number of the entry.
        entry: usize,
        /// The number of the clause.
        clause: usize,
        /// The number of the condition in the clause.
        condition: usize,
        /// The age.
        age: i64,
    },
    /// After a requirement has reacted, this one is the next that does, in a run that can go only one way. Of requirements that react at
    /// once in any order, the first in the document counts as the first.
    Pair {
        /// The number of the first requirement.
        first: usize,
        /// The number of the next one.
        then: usize,
    },
}

impl Obligation {
    /// Whether an entry is to react.
    pub fn fires(&self) -> bool {
        matches!(self, Obligation::Fires { .. })
    }

    /// Whether a condition is to decide.
    pub fn decides(&self) -> bool {
        matches!(self, Obligation::Decides { .. })
    }

    /// Whether a timer is to be near its bound.
    pub fn bound(&self) -> bool {
        matches!(self, Obligation::Bound { .. })
    }

    /// Whether a requirement is to follow another.
    pub fn pair(&self) -> bool {
        matches!(self, Obligation::Pair { .. })
    }

    /// The obligation in words.
    pub fn words(&self, dfrs: &Dfrs) -> String {
        let of = |entry: usize| step::entries(dfrs).nth(entry);
        let id = |requirement: usize| dfrs.requirements.get(requirement).map_or("", |it| it.id.as_str());
        let by = |entry: usize| of(entry).map_or("", |it| id(it.requirement));
        match *self {
            Obligation::Fires { entry } => format!("{} reacts", by(entry)),
            Obligation::Decides { entry, clause, condition, holds } => {
                let what = of(entry).map_or(String::new(), |it| words(dfrs, it, clause, condition));
                let truth = if holds { "holds" } else { "fails" };
                format!("{}: `{what}` {truth} and decides", by(entry))
            }
            Obligation::Bound { entry, clause, condition, age } => {
                let what = of(entry).map_or(String::new(), |it| words(dfrs, it, clause, condition));
                format!("{}: `{what}` at {age}", by(entry))
            }
            Obligation::Pair { first, then } => format!("{} reacts next after {}", id(then), id(first)),
        }
    }
}

fn words(dfrs: &Dfrs, entry: &Entry, clause: usize, condition: usize) -> String {
    let timed = || clause.checked_sub(entry.guard.len()).and_then(|clause| entry.timed.get(clause));
    match entry.guard.get(clause) {
        Some(any) => any.get(condition).map_or(String::new(), |it| english::condition(dfrs, it)),
        None => {
            timed().and_then(|any| any.get(condition)).map_or(String::new(), |it| english::timed(dfrs, it))
        }
    }
}

/// The ages at and next to a bound.
pub(crate) fn ages(timed: &Timed) -> impl Iterator<Item = i64> {
    let below = i64::try_from((&timed.bound - RBig::ONE).ceil()).unwrap_or(-2);
    let above = i64::try_from((&timed.bound + RBig::ONE).floor()).unwrap_or(-2);
    (below..=above.min(below.saturating_add(2))).filter(|age| *age >= 0)
}

/// All obligations of a system.
pub(crate) fn all(dfrs: &Dfrs, pairs: bool) -> Vec<Obligation> {
    let mut found = Vec::new();
    for (entry, it) in step::entries(dfrs).enumerate() {
        found.push(Obligation::Fires { entry });
        let sizes = it.guard.iter().map(Vec::len).chain(it.timed.iter().map(Vec::len));
        for (clause, size) in sizes.enumerate() {
            for condition in 0..size {
                for holds in [true, false] {
                    found.push(Obligation::Decides { entry, clause, condition, holds });
                }
            }
        }
        for (place, any) in it.timed.iter().enumerate() {
            let clause = it.guard.len() + place;
            for (condition, timed) in any.iter().enumerate() {
                found.extend(ages(timed).map(|age| Obligation::Bound { entry, clause, condition, age }));
            }
        }
    }
    if pairs {
        let requirements = 0..dfrs.requirements.len();
        for first in requirements.clone() {
            found.extend(requirements.clone().map(|then| Obligation::Pair { first, then }));
        }
    }
    found
}

/// The system with a class for each age at or next to a bound: one more entry, after all others, that never reacts.
pub(crate) fn with_bounds(dfrs: &Dfrs) -> Dfrs {
    let bounds = step::entries(dfrs).flat_map(|entry| entry.timed.iter().flatten());
    let at = |timed: &Timed| {
        let age = |age: i64| Timed { relation: Rel::Eq, bound: RBig::from(age), ..timed.clone() };
        ages(timed).map(age).collect::<Vec<_>>()
    };
    let timed = bounds.map(at).collect();
    let entry = never(Entry { requirement: 0, guard: Vec::new(), timed, effect: Vec::new() });
    let mut finer = dfrs.clone();
    finer.functions.push(Function { component: String::new(), entries: vec![entry] });
    finer
}

/// Which obligations a reaction meets.
pub(crate) struct Judge<'m> {
    goals: Vec<Goal<'m>>,
    pairs: FxHashMap<(usize, usize), usize>,
    rules: Vec<Vec<Vec<&'m Test>>>,
    requirements: Vec<usize>,
    first_timer: usize,
}

enum Goal<'m> {
    Fires(usize),
    Decides(usize, usize, &'m Test, bool),
    Bound(usize, usize, u16),
}

impl<'m> Judge<'m> {
    /// For the obligations of [`all`].
    pub(crate) fn new(dfrs: &Dfrs, machine: &'m Machine<'_>, obligations: &[Obligation]) -> Judge<'m> {
        let entries: Vec<&Entry> = step::entries(dfrs).collect();
        let rules: Vec<Vec<Vec<&Test>>> =
            entries.iter().zip(&machine.rules).map(|(entry, rule)| clauses(entry, rule)).collect();
        let goals = obligations.iter().filter_map(|obligation| match *obligation {
            Obligation::Fires { entry } => Some(Goal::Fires(entry)),
            Obligation::Decides { entry, clause, condition, holds } => {
                Some(Goal::Decides(entry, clause, rules[entry][clause][condition], holds))
            }
            Obligation::Bound { entry, clause, condition, age } => {
                let slot = rules[entry][clause][condition].slot();
                let class = machine.timers[slot - machine.first_timer()].ages.class_of(age, 1);
                Some(Goal::Bound(entry, slot, class))
            }
            Obligation::Pair { .. } => None,
        });
        let goals = goals.collect();
        let pairs = obligations.iter().enumerate().filter_map(|(number, obligation)| match *obligation {
            Obligation::Pair { first, then } => Some(((first, then), number)),
            Obligation::Fires { .. } | Obligation::Decides { .. } | Obligation::Bound { .. } => None,
        });
        let requirements = entries.iter().map(|entry| entry.requirement).collect();
        Judge { goals, pairs: pairs.collect(), rules, requirements, first_timer: machine.first_timer() }
    }

    /// The numbers of the pairs that entries make, and those before them.
    pub(crate) fn pairs(&self, last: &mut Option<usize>, fired: &[usize]) -> Vec<usize> {
        let mut met = Vec::new();
        for &entry in fired {
            let then = self.requirements[entry];
            met.extend(last.and_then(|first| self.pairs.get(&(first, then)).copied()));
            *last = Some(then);
        }
        met
    }

    /// The numbers of the obligations that are met, but for pairs.
    pub(crate) fn met(&self, closure: &Closure) -> Vec<usize> {
        (0..self.goals.len()).filter(|&goal| self.meets(&self.goals[goal], closure)).collect()
    }

    fn meets(&self, goal: &Goal<'_>, closure: &Closure) -> bool {
        match *goal {
            Goal::Fires(entry) => closure.edges.iter().flatten().any(|(rule, _)| *rule == entry),
            Goal::Decides(entry, clause, test, holds) => closure.states.iter().any(|slots| {
                test.holds(slots) == holds
                    && self.rules[entry].iter().enumerate().all(|(place, any)| {
                        let mut others = any.iter().filter(|it| !std::ptr::eq(**it, test));
                        others.any(|it| it.holds(slots)) != (place == clause)
                    })
            }),
            Goal::Bound(entry, slot, class) => closure.states.iter().any(|slots| {
                let about = |any: &&Vec<&Test>| any.iter().any(|test| test.slot() == slot);
                slots[slot] == class
                    && self.rules[entry]
                        .iter()
                        .filter(|any| any.iter().all(|test| test.slot() < self.first_timer) || !about(any))
                        .all(|any| any.iter().any(|test| test.holds(slots)))
            }),
        }
    }
}

/// The tests of a rule, in the order of the clauses of its entry.
fn clauses<'m>(entry: &Entry, rule: &'m Rule) -> Vec<Vec<&'m Test>> {
    let (mut all, mut any) = (rule.all.iter(), rule.any.iter());
    let sizes = entry.guard.iter().map(Vec::len).chain(entry.timed.iter().map(Vec::len));
    sizes
        .map(|size| match size {
            1 => all.next().into_iter().collect(),
            _ => any.next().into_iter().flatten().collect(),
        })
        .collect()
}
