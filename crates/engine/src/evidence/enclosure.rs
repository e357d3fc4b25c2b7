//! Real numbers that are exact while they are rational, and otherwise bounds in doubles that are guaranteed to contain them: what
//! holds for all numbers between the bounds holds for the number.
//!
//! Every operation on bounds rounds outwards. The standard library's functions are assumed to be accurate to a few units in the last
//! place, and the bounds are moved by sixteen. A comparison of overlapping bounds is undecided.

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

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bounds {
    low: f64,
    high: f64,
}

/// The number of units in the last place by which a function value is moved outwards.
const SLACK: usize = 16;

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

impl Bounds {
    fn new(low: f64, high: f64) -> Option<Bounds> {
        (low.is_finite() && high.is_finite() && low <= high).then_some(Bounds { low, high })
    }

    fn hull(values: &[f64]) -> Option<Bounds> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.iter().any(|it| it.is_nan()) {
            return None;
        }
        Bounds::new(low.next_down(), high.next_up())
    }

    /// The values of a monotone function.
    fn monotone(&self, function: fn(f64) -> f64) -> Option<Bounds> {
        Some(Bounds::hull(&[function(self.low), function(self.high)])?.moved())
    }

    fn moved(self) -> Bounds {
        let tiny = f64::MIN_POSITIVE;
        let low = (0..SLACK).fold(self.low - tiny, |it, _| it.next_down());
        Bounds { low, high: (0..SLACK).fold(self.high + tiny, |it, _| it.next_up()) }
    }

    /// Sine and cosine change by at most as much as their argument.
    fn wave(&self, function: fn(f64) -> f64) -> Option<Bounds> {
        let (middle, radius) = (f64::midpoint(self.low, self.high), (self.high - self.low).next_up());
        if middle.abs() > 1e6 {
            return None;
        }
        let value = function(middle);
        let all = Bounds::new((value - radius).next_down(), (value + radius).next_up())?.moved();
        Bounds::new(all.low.max(-1.0), all.high.min(1.0))
    }

    /// The nearest doubles around a number.
    fn around(number: &RBig) -> Bounds {
        let near = number.to_f64().value();
        let exact = RBig::try_from(near).is_ok_and(|it| it == *number);
        if exact {
            Bounds { low: near, high: near }
        } else {
            Bounds { low: near.next_down(), high: near.next_up() }
        }
    }

    fn plus(&self, other: &Bounds) -> Option<Bounds> {
        Bounds::new((self.low + other.low).next_down(), (self.high + other.high).next_up())
    }

    fn times(&self, other: &Bounds) -> Option<Bounds> {
        Bounds::hull(&[
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ])
    }

    fn over(&self, other: &Bounds) -> Option<Bounds> {
        if other.low <= 0.0 && other.high >= 0.0 {
            return None;
        }
        Bounds::hull(&[
            self.low / other.low,
            self.low / other.high,
            self.high / other.low,
            self.high / other.high,
        ])
    }

    fn apply(function: Function, arguments: &[Bounds]) -> Option<Bounds> {
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
                Some(Bounds::hull(&[x.low.powf(y.low), x.high.powf(y.low)])?.moved())
            }
            (Function::Single, [x]) => Some(*x),
            (Function::Atan2, [y, x]) if x.low > 0.0 => y.over(x)?.monotone(f64::atan),
            _ => None,
        }
    }
}
