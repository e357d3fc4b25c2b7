//! Real numbers by bounds in doubles that surely contain them: what holds of all numbers between the bounds holds.
//!
//! Every operation rounds outwards. The standard library's functions are taken to be accurate to a few units in the last place, and the bounds
//! are moved by sixteen. A comparison of overlapping bounds has no answer.

use dashu_int::IBig;
use dashu_ratio::RBig;
use model::{Function, Real};
use std::cmp::Ordering;

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Enclosure {
    low: f64,
    high: f64,
}

/// By how many units in the last place the value of a function is moved outwards.
const SLACK: usize = 16;

impl Enclosure {
    fn new(low: f64, high: f64) -> Option<Enclosure> {
        (low.is_finite() && high.is_finite() && low <= high).then_some(Enclosure { low, high })
    }

    fn hull(values: &[f64]) -> Option<Enclosure> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.iter().any(|it| it.is_nan()) {
            return None;
        }
        Enclosure::new(low.next_down(), high.next_up())
    }

    /// The values of a function that only grows or only falls.
    fn monotone(&self, function: fn(f64) -> f64) -> Option<Enclosure> {
        Some(Enclosure::hull(&[function(self.low), function(self.high)])?.moved())
    }

    fn moved(self) -> Enclosure {
        let tiny = f64::MIN_POSITIVE;
        let low = (0..SLACK).fold(self.low - tiny, |it, _| it.next_down());
        Enclosure { low, high: (0..SLACK).fold(self.high + tiny, |it, _| it.next_up()) }
    }

    /// Sine and cosine change by at most as much as their argument.
    fn wave(&self, function: fn(f64) -> f64) -> Option<Enclosure> {
        let (middle, radius) = (f64::midpoint(self.low, self.high), (self.high - self.low).next_up());
        if middle.abs() > 1e6 {
            return None;
        }
        let value = function(middle);
        let all = Enclosure::new((value - radius).next_down(), (value + radius).next_up())?.moved();
        Enclosure::new(all.low.max(-1.0), all.high.min(1.0))
    }
}

impl Real for Enclosure {
    fn from_exact(number: &RBig) -> Enclosure {
        let near = number.to_f64().value();
        let exact = RBig::try_from(near).is_ok_and(|it| it == *number);
        if exact {
            Enclosure { low: near, high: near }
        } else {
            Enclosure { low: near.next_down(), high: near.next_up() }
        }
    }

    fn plus(&self, other: &Enclosure) -> Option<Enclosure> {
        Enclosure::new((self.low + other.low).next_down(), (self.high + other.high).next_up())
    }

    fn times(&self, other: &Enclosure) -> Option<Enclosure> {
        Enclosure::hull(&[
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ])
    }

    fn over(&self, other: &Enclosure) -> Option<Enclosure> {
        if other.low <= 0.0 && other.high >= 0.0 {
            return None;
        }
        Enclosure::hull(&[
            self.low / other.low,
            self.low / other.high,
            self.high / other.low,
            self.high / other.high,
        ])
    }

    fn negated(&self) -> Enclosure {
        Enclosure { low: -self.high, high: -self.low }
    }

    fn order(&self, other: &Enclosure) -> Option<Ordering> {
        if self.high < other.low {
            Some(Ordering::Less)
        } else if self.low > other.high {
            Some(Ordering::Greater)
        } else if self.low == self.high && *self == *other {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    fn whole(&self) -> Option<IBig> {
        let (low, high) = (self.low.floor(), self.high.floor());
        if low == high { IBig::try_from(low).ok() } else { None }
    }

    fn apply(function: Function, arguments: &[&Enclosure]) -> Option<Enclosure> {
        match (function, arguments) {
            (Function::Sin, [x]) => x.wave(f64::sin),
            (Function::Cos, [x]) => x.wave(f64::cos),
            (Function::Asin, [x]) => x.monotone(f64::asin),
            (Function::Acos, [x]) => x.monotone(f64::acos),
            (Function::Atan, [x]) => x.monotone(f64::atan),
            (Function::Sinh, [x]) => x.monotone(f64::sinh),
            (Function::Tanh, [x]) => x.monotone(f64::tanh),
            (Function::Exp, [x]) => x.monotone(f64::exp),
            (Function::Log, [x]) if x.low > 0.0 => x.monotone(f64::ln),
            (Function::Log10, [x]) if x.low > 0.0 => x.monotone(f64::log10),
            (Function::Sqrt, [x]) if x.low >= 0.0 => x.monotone(f64::sqrt),
            (Function::Cosh, [x]) if x.low >= 0.0 => x.monotone(f64::cosh),
            (Function::Tan, [x]) => x.wave(f64::sin)?.over(&x.wave(f64::cos)?),
            (Function::Pow, [x, y]) if y.low == y.high && x.low > 0.0 => {
                Some(Enclosure::hull(&[x.low.powf(y.low), x.high.powf(y.low)])?.moved())
            }
            (Function::Atan2, [y, x]) if x.low > 0.0 => y.over(x)?.monotone(f64::atan),
            _ => None,
        }
    }
}
