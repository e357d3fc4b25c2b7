//! Arithmetic on bounds in doubles that are guaranteed to contain a real number; a bound may be infinite.
//!
//! Every operation rounds outwards. The standard library's functions are assumed to be accurate to a few units in the last place, and
//! the bounds are moved by sixteen.

use dashu_ratio::RBig;
use system::Function;

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The number of units in the last place by which a function value is moved outwards.
const SLACK: usize = 16;

impl Bounds {
    /// All numbers.
    pub(crate) const ALL: Bounds = Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub(crate) fn new(low: f64, high: f64) -> Option<Bounds> {
        (low <= high).then_some(Bounds { low, high })
    }

    /// The intersection; if it is empty, either will do.
    pub(crate) fn meet(self, other: Bounds) -> Bounds {
        Bounds::new(self.low.max(other.low), self.high.min(other.high)).unwrap_or(self)
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
        let far = middle.is_nan() || middle.abs() > 1e6;
        if far {
            return Bounds::new(-1.0, 1.0);
        }
        let value = function(middle);
        let all = Bounds::new((value - radius).next_down(), (value + radius).next_up())?.moved();
        Bounds::new(all.low.max(-1.0), all.high.min(1.0))
    }

    /// The nearest doubles around a number.
    pub(crate) fn around(number: &RBig) -> Bounds {
        let near = number.to_f64().value();
        let exact = RBig::try_from(near).is_ok_and(|it| it == *number);
        if exact {
            Bounds { low: near, high: near }
        } else {
            Bounds { low: near.next_down(), high: near.next_up() }
        }
    }

    pub(crate) fn plus(&self, other: &Bounds) -> Option<Bounds> {
        Bounds::new((self.low + other.low).next_down(), (self.high + other.high).next_up())
    }

    pub(crate) fn times(&self, other: &Bounds) -> Option<Bounds> {
        // An infinite bound is never reached, so its product with zero is zero.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        Bounds::hull(&[
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ])
    }

    pub(crate) fn over(&self, other: &Bounds) -> Option<Bounds> {
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

    pub(crate) fn apply(function: Function, arguments: &[Bounds]) -> Option<Bounds> {
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
