//! The values of a variable, split into finitely many classes that no guard and no assignment can tell apart.
//!
//! A number splits at the literals it is compared with; pieces on which all comparisons agree are one class, and a value that is
//! assigned is a class of its own. So the classes are an exact bisimulation (`dfrs.md`, section 5). Timers split in the same
//! way, with a class for zero; their last class has no end.

use crate::reading::Clock;
use crate::step::related;
use crate::system::Sort;
use logic::{RBig, Rel, Value};

/// The number of a class of values.
pub type Class = u16;

/// The most classes a variable may have: a set of classes is one machine word.
pub const MAX_CLASSES: usize = 128;

/// A set of classes.
pub type ClassSet = u128;

/// The classes of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Classes {
    /// False, then true.
    Bool,
    /// The names in order, and after them one class for all others.
    Names(Vec<String>),
    /// Numbers.
    Numbers(Numbers),
}

/// Classes of numbers: the line is cut at the literals, and each piece belongs to a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    literals: Vec<RBig>,
    /// For below the first literal, the first, between the first and second, and so on; `None` if there is no such value.
    pieces: Vec<Option<Class>>,
    representatives: Vec<RBig>,
}

/// An interval of numbers; `None` is infinity, and a bound comes with whether it is included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// From here.
    pub low: Option<(RBig, bool)>,
    /// To here.
    pub high: Option<(RBig, bool)>,
}

impl Classes {
    /// The classes of a variable that is compared so and gets these values.
    pub fn split(sort: &Sort, compared: &[(Rel, RBig)], assigned: &[RBig], initial: &Value) -> Classes {
        match sort {
            Sort::Bool { .. } => Classes::Bool,
            Sort::Names(names) => Classes::Names(names.clone()),
            Sort::Int => Classes::Numbers(Numbers::split(true, compared, assigned, initial)),
            Sort::Real => Classes::Numbers(Numbers::split(false, compared, assigned, initial)),
        }
    }

    /// The number of classes, without the one for unknown names.
    pub fn count(&self) -> usize {
        match self {
            Classes::Bool => 2,
            Classes::Names(names) => names.len(),
            Classes::Numbers(numbers) => numbers.representatives.len(),
        }
    }

    /// The class of a value, if the variable can have it.
    pub fn class_of(&self, value: &Value) -> Option<Class> {
        match (self, value) {
            (Classes::Bool, Value::Bool(truth)) => Some(Class::from(*truth)),
            (Classes::Names(names), Value::Name(name)) => {
                Some(names.iter().position(|known| known == name).unwrap_or(names.len()) as Class)
            }
            (Classes::Numbers(numbers), Value::Num(number)) => numbers.class_of(number),
            (Classes::Bool | Classes::Names(_) | Classes::Numbers(_), _) => None,
        }
    }

    /// A value of a class.
    pub fn value(&self, class: Class) -> Value {
        match self {
            Classes::Bool => Value::Bool(class != 0),
            Classes::Names(names) => {
                Value::Name(names.get(usize::from(class)).cloned().unwrap_or_else(|| "other".to_owned()))
            }
            Classes::Numbers(numbers) => {
                Value::Num(numbers.representatives.get(usize::from(class)).cloned().unwrap_or(RBig::ZERO))
            }
        }
    }

    /// The classes whose values compare so with a constant.
    pub fn matching(&self, relation: Rel, constant: &Value) -> ClassSet {
        // The class of unknown names takes part: it differs from all known ones.
        let all = match self {
            Classes::Names(names) => names.len() + 1,
            Classes::Bool | Classes::Numbers(_) => self.count(),
        };
        let holds = |class: Class| match (self.value(class), constant) {
            (Value::Num(left), Value::Num(right)) => related(&left, relation, right),
            (left, right) => match relation {
                Rel::Eq => left == *right,
                Rel::Ne => left != *right,
                Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge => false,
            },
        };
        (0..all as Class).filter(|&class| holds(class)).fold(0, |set, class| set | 1 << class)
    }

    /// The intervals that a set of classes covers; `None` if these are not numbers.
    pub fn intervals(&self, set: ClassSet) -> Option<Vec<Interval>> {
        match self {
            Classes::Bool | Classes::Names(_) => None,
            Classes::Numbers(numbers) => Some(numbers.intervals(set)),
        }
    }
}

impl Numbers {
    fn split(whole: bool, compared: &[(Rel, RBig)], assigned: &[RBig], initial: &Value) -> Numbers {
        let mut literals: Vec<RBig> =
            compared.iter().map(|(_, literal)| literal.clone()).chain(assigned.iter().cloned()).collect();
        literals.sort();
        literals.dedup();
        let mut numbers = Numbers { literals, pieces: Vec::new(), representatives: Vec::new() };
        // What tells two pieces apart: the comparisons that hold, and being assigned.
        let mut kinds: Vec<(Vec<bool>, Option<usize>)> = Vec::new();
        for piece in 0..2 * numbers.literals.len() + 1 {
            let Some(number) = numbers.inside(piece, whole) else {
                numbers.pieces.push(None);
                continue;
            };
            let truth = compared.iter().map(|(relation, bound)| related(&number, *relation, bound)).collect();
            let kind = (truth, assigned.iter().position(|literal| *literal == number));
            let class = kinds.iter().position(|known| *known == kind).unwrap_or(kinds.len());
            if class == kinds.len() {
                kinds.push(kind);
                numbers.representatives.push(number);
            }
            numbers.pieces.push(Some(class as Class));
        }
        if let Value::Num(initial) = initial
            && let Some(class) = numbers.class_of(initial)
        {
            numbers.representatives[usize::from(class)] = initial.clone();
        }
        numbers
    }

    fn piece(&self, number: &RBig) -> usize {
        match self.literals.binary_search(number) {
            Ok(place) => 2 * place + 1,
            Err(place) => 2 * place,
        }
    }

    fn class_of(&self, number: &RBig) -> Option<Class> {
        self.pieces.get(self.piece(number)).copied().flatten()
    }

    /// A number inside a piece, if there is one.
    fn inside(&self, piece: usize, whole: bool) -> Option<RBig> {
        if piece % 2 == 1 {
            let literal = &self.literals[piece / 2];
            return (!whole || literal.is_int()).then(|| literal.clone());
        }
        let low = (piece / 2).checked_sub(1).map(|place| &self.literals[place]);
        let high = self.literals.get(piece / 2);
        match (low, high) {
            (None, None) => Some(RBig::ZERO),
            (None, Some(high)) => Some(RBig::from(high.ceil()) - RBig::ONE),
            (Some(low), None) => Some(RBig::from(low.floor()) + RBig::ONE),
            (Some(low), Some(high)) => {
                let next = RBig::from(low.floor()) + RBig::ONE;
                if next < *high { Some(next) } else { (!whole).then(|| (low + high) / RBig::from(2)) }
            }
        }
    }

    fn intervals(&self, set: ClassSet) -> Vec<Interval> {
        let mut intervals: Vec<Interval> = Vec::new();
        let mut joined = false;
        for (piece, class) in self.pieces.iter().enumerate() {
            // A piece without values belongs to whatever is beside it.
            let Some(class) = class else { continue };
            if set >> class & 1 == 0 {
                joined = false;
                continue;
            }
            let point = piece % 2 == 1;
            let high = self.literals.get(piece / 2).map(|literal| (literal.clone(), point));
            if joined && let Some(last) = intervals.last_mut() {
                last.high = high;
                continue;
            }
            let low = if point { Some(piece / 2) } else { (piece / 2).checked_sub(1) };
            let low = low.map(|place| (self.literals[place].clone(), point));
            intervals.push(Interval { low, high });
            joined = true;
        }
        intervals
    }
}

/// The classes of the age of a timer: zero, then intervals, in units that make every bound an integer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ages {
    /// From the second class on, where it starts and whether it starts there or just after.
    pub starts: Vec<(i64, bool)>,
}

impl Ages {
    /// The classes of a timer with these bounds.
    pub fn split(clock: Clock, compared: &[(Rel, i64)]) -> Ages {
        // Twice the age: the odd numbers stand for what is between two bounds.
        let mut cuts: Vec<i64> = vec![1];
        for &(_, bound) in compared {
            match clock {
                Clock::Discrete => cuts.extend([2 * bound, 2 * bound + 2]),
                Clock::Dense => cuts.extend([2 * bound, 2 * bound + 1]),
            }
        }
        if clock == Clock::Discrete {
            cuts[0] = 2;
        }
        cuts.retain(|&cut| cut > 0);
        cuts.sort_unstable();
        cuts.dedup();
        let truth = |twice: i64| -> Vec<bool> {
            compared.iter().map(|&(relation, bound)| related(&twice, relation, &(2 * bound))).collect()
        };
        let mut starts: Vec<i64> = Vec::new();
        for cut in cuts {
            if starts.last().is_none_or(|&last| truth(last) != truth(cut)) {
                starts.push(cut);
            }
        }
        Ages { starts: starts.into_iter().map(|cut| (cut.div_euclid(2), cut % 2 == 0)).collect() }
    }

    /// The number of classes.
    pub fn count(&self) -> usize {
        self.starts.len() + 1
    }

    /// The class of an age that is given in finer units; `finer` of them make one unit.
    pub fn class_of(&self, age: i64, finer: i64) -> Class {
        let started = |&&(start, included): &&(i64, bool)| {
            age > start.saturating_mul(finer) || included && age == start.saturating_mul(finer)
        };
        self.starts.iter().take_while(started).count() as Class
    }

    /// The classes in which the age compares so.
    pub fn matching(&self, relation: Rel, bound: i64) -> ClassSet {
        (0..self.count() as Class)
            .filter(|&class| {
                let (start, included) = self.start(class);
                related(&(2 * start + i64::from(!included)), relation, &(2 * bound))
            })
            .fold(0, |set, class| set | 1 << class)
    }

    /// Where a class starts.
    pub fn start(&self, class: Class) -> (i64, bool) {
        usize::from(class).checked_sub(1).map_or((0, true), |place| self.starts[place])
    }

    /// Where a class ends: the start of the next one.
    pub fn end(&self, class: Class) -> Option<(i64, bool)> {
        self.starts.get(usize::from(class)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(whole: bool, compared: &[(Rel, i32)], assigned: &[i32], expected: &str) {
        let compared: Vec<_> = compared.iter().map(|&(rel, bound)| (rel, RBig::from(bound))).collect();
        let assigned: Vec<_> = assigned.iter().map(|&literal| RBig::from(literal)).collect();
        let numbers = Numbers::split(whole, &compared, &assigned, &Value::Bool(false));
        let shown: Vec<String> = (0..numbers.representatives.len())
            .map(|class| {
                let intervals = numbers.intervals(1 << class);
                let shown: Vec<String> = intervals
                    .iter()
                    .map(|it| {
                        let low = it.low.as_ref().map_or("(".to_owned(), |(low, included)| {
                            format!("{}{low}", if *included { "[" } else { "(" })
                        });
                        let high = it.high.as_ref().map_or(")".to_owned(), |(high, included)| {
                            format!("{high}{}", if *included { "]" } else { ")" })
                        });
                        format!("{low},{high}")
                    })
                    .collect();
                format!("{}~{}", shown.join("+"), numbers.representatives[class])
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn values_that_nothing_tells_apart_are_one_class() {
        check(true, &[], &[], "(,)~0");
        check(true, &[(Rel::Gt, 80), (Rel::Le, 80)], &[], "(,80]~79 (80,)~81");
        check(true, &[(Rel::Ge, 900), (Rel::Ge, 1000)], &[], "(,900)~899 [900,1000)~900 [1000,)~1000");
        check(true, &[(Rel::Ne, 5)], &[], "(,5)+(5,)~4 [5,5]~5");
        check(true, &[], &[0, 1], "(,0)+(1,)~-1 [0,0]~0 [1,1]~1");
        check(false, &[(Rel::Gt, 0), (Rel::Lt, 1)], &[], "(,0]~-1 (0,1)~1/2 [1,)~1");
        check(true, &[(Rel::Gt, 0), (Rel::Lt, 1)], &[], "(,0]~-1 [1,)~1");
    }

    #[test]
    fn ages_split_at_their_bounds() {
        let compared = [(Rel::Ge, 10), (Rel::Le, 30), (Rel::Gt, 30)];
        assert_eq!(Ages::split(Clock::Discrete, &compared).starts, [(1, true), (10, true), (31, true)]);
        assert_eq!(Ages::split(Clock::Dense, &compared).starts, [(0, false), (10, true), (30, false)]);
        let ages = Ages::split(Clock::Dense, &compared);
        let classes: Vec<Class> = [0, 1, 19, 20, 60, 61].map(|age| ages.class_of(age, 2)).to_vec();
        assert_eq!(classes, [0, 1, 1, 2, 2, 3]);
        assert_eq!(ages.matching(Rel::Le, 30), 0b0111);
    }
}
