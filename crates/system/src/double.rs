//! Simulation in double precision: real numbers are IEEE doubles, functions those of the standard library.
//!
//! Integers stay exact. A sum of constants in the model was folded exactly before it was rounded. A comparison with not-a-number is
//! undefined, because the model does not distinguish `!(a < b)` from `b <= a`.

use crate::expr::Function;
use crate::value::Real;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;

impl Real for f64 {
    fn from_exact(number: &RBig) -> f64 {
        number.to_f64().value()
    }

    fn plus(&self, other: &f64) -> Option<f64> {
        Some(self + other)
    }

    fn times(&self, other: &f64) -> Option<f64> {
        Some(self * other)
    }

    fn over(&self, other: &f64) -> Option<f64> {
        Some(self / other)
    }

    fn negated(&self) -> f64 {
        -self
    }

    fn order(&self, other: &f64) -> Option<Ordering> {
        self.partial_cmp(other)
    }

    fn whole(&self) -> Option<IBig> {
        IBig::try_from(self.floor()).ok()
    }

    fn apply(function: Function, arguments: &[&f64]) -> Option<f64> {
        match (function, arguments) {
            (Function::Sin, [x]) => Some(x.sin()),
            (Function::Cos, [x]) => Some(x.cos()),
            (Function::Tan, [x]) => Some(x.tan()),
            (Function::Asin, [x]) => Some(x.asin()),
            (Function::Acos, [x]) => Some(x.acos()),
            (Function::Atan, [x]) => Some(x.atan()),
            (Function::Atan2, [y, x]) => Some(y.atan2(**x)),
            (Function::Sinh, [x]) => Some(x.sinh()),
            (Function::Cosh, [x]) => Some(x.cosh()),
            (Function::Tanh, [x]) => Some(x.tanh()),
            (Function::Exp, [x]) => Some(x.exp()),
            (Function::Log, [x]) => Some(x.ln()),
            (Function::Log10, [x]) => Some(x.log10()),
            (Function::Sqrt, [x]) => Some(x.sqrt()),
            (Function::Pow, [x, y]) => Some(x.powf(**y)),
            (Function::Single, [x]) => Some(f64::from(**x as f32)),
            _ => None,
        }
    }
}
