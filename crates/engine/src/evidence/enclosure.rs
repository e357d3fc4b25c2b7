//! Real numbers that are exact while they are rational, and otherwise bounds in doubles that are guaranteed to contain them: what
//! holds for all numbers between the bounds holds for the number.
//!
//! A comparison of overlapping bounds is undecided.

use crate::evidence::bounds::Bounds;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;
use system::{Function, Real};

/// A number, or all numbers between bounds.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Enclosure {
    Exact(RBig),
    Within(Bounds),
}

impl Enclosure {
    fn exact(&self) -> Option<&RBig> {
        match self {
            Enclosure::Exact(number) => Some(number),
            Enclosure::Within(_) => None,
        }
    }

    fn bounds(&self) -> Bounds {
        match self {
            Enclosure::Exact(number) => Bounds::around(number),
            Enclosure::Within(bounds) => *bounds,
        }
    }

    /// An operation on two numbers: exact if possible, otherwise on bounds.
    fn both(
        &self,
        other: &Enclosure,
        exactly: fn(&RBig, &RBig) -> Option<RBig>,
        roughly: fn(&Bounds, &Bounds) -> Option<Bounds>,
    ) -> Option<Enclosure> {
        let exact = self.exact().zip(other.exact()).and_then(|(a, b)| exactly(a, b));
        if let Some(number) = exact {
            return Some(Enclosure::Exact(number));
        }
        roughly(&self.bounds(), &other.bounds()).map(Enclosure::Within)
    }
}

impl Real for Enclosure {
    fn from_exact(number: &RBig) -> Enclosure {
        Enclosure::Exact(number.clone())
    }

    fn plus(&self, other: &Enclosure) -> Option<Enclosure> {
        self.both(other, RBig::plus, Bounds::plus)
    }

    fn times(&self, other: &Enclosure) -> Option<Enclosure> {
        if [self, other].iter().any(|it| it.exact().is_some_and(RBig::is_zero)) {
            return Some(Enclosure::Exact(RBig::ZERO));
        }
        self.both(other, RBig::times, Bounds::times)
    }

    fn over(&self, other: &Enclosure) -> Option<Enclosure> {
        self.both(other, RBig::over, Bounds::over)
    }

    fn negated(&self) -> Enclosure {
        match self {
            Enclosure::Exact(number) => Enclosure::Exact(number.negated()),
            Enclosure::Within(Bounds { low, high }) => Enclosure::Within(Bounds { low: -high, high: -low }),
        }
    }

    fn order(&self, other: &Enclosure) -> Option<Ordering> {
        if let Some((a, b)) = self.exact().zip(other.exact()) {
            return a.order(b);
        }
        let (a, b) = (self.bounds(), other.bounds());
        if a.high < b.low {
            Some(Ordering::Less)
        } else if a.low > b.high {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    fn whole(&self) -> Option<IBig> {
        if let Some(number) = self.exact() {
            return number.whole();
        }
        let bounds = self.bounds();
        let (low, high) = (bounds.low.floor(), bounds.high.floor());
        if low == high { IBig::try_from(low).ok() } else { None }
    }

    fn apply(function: Function, arguments: &[&Enclosure]) -> Option<Enclosure> {
        let exact: Option<Vec<&RBig>> = arguments.iter().map(|it| it.exact()).collect();
        if let Some(number) = exact.and_then(|it| RBig::apply(function, &it)) {
            return Some(Enclosure::Exact(number));
        }
        let bounds: Vec<Bounds> = arguments.iter().map(|it| it.bounds()).collect();
        Bounds::apply(function, &bounds).map(Enclosure::Within)
    }
}
