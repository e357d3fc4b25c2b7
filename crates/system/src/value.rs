//! Values of variables and expressions, and the arithmetic of real numbers in simulation.
//!
//! [`Value`] is over exact rationals by default and over doubles in `double`. A value that does not exist, or that cannot be computed
//! exactly, is [`Value::Undefined`]: it represents any value, and has no effect where the other operands decide.

use crate::arithmetic::fits;
use crate::expr::{Function, Type};
use dashu_int::ops::SquareRootRem;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// The value of an expression at a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value<R = RBig> {
    /// A Boolean.
    Bool(bool),
    /// An integer.
    Int(IBig),
    /// A machine integer.
    Machine(i128),
    /// A real number.
    Real(R),
    /// A literal of an enumeration, by index.
    Enum(u32),
    /// An unknown value.
    Undefined,
}

impl Value {
    /// Converts to another kind of real number.
    pub fn converted<R: Real>(&self) -> Value<R> {
        match self {
            Value::Bool(it) => Value::Bool(*it),
            Value::Int(it) => Value::Int(it.clone()),
            Value::Machine(it) => Value::Machine(*it),
            Value::Real(it) => Value::Real(R::from_exact(it)),
            Value::Enum(it) => Value::Enum(*it),
            Value::Undefined => Value::Undefined,
        }
    }
}

impl Value {
    /// An arbitrary value of a type.
    pub fn any_of(ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(false),
            Type::Int => Value::Int(IBig::ZERO),
            Type::Machine(_) => Value::Machine(0),
            Type::Real => Value::Real(RBig::ZERO),
            Type::Enum(_) => Value::Enum(0),
        }
    }
}

impl<R> Value<R> {
    /// The Boolean, if it is one and defined.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(*truth),
            Value::Int(_) | Value::Machine(_) | Value::Real(_) | Value::Enum(_) | Value::Undefined => None,
        }
    }
}

/// Real numbers for simulation. `None` is a value that does not exist or cannot be represented.
pub trait Real: Clone + PartialEq {
    /// The nearest representable number.
    fn from_exact(number: &RBig) -> Self;
    /// Sum.
    fn plus(&self, other: &Self) -> Option<Self>;
    /// Product.
    fn times(&self, other: &Self) -> Option<Self>;
    /// Quotient.
    fn over(&self, other: &Self) -> Option<Self>;
    /// Negation.
    fn negated(&self) -> Self;
    /// The order.
    fn order(&self, other: &Self) -> Option<Ordering>;
    /// The greatest integer not greater than the number.
    fn whole(&self) -> Option<IBig>;
    /// The value of a mathematical function.
    fn apply(function: Function, arguments: &[&Self]) -> Option<Self>;
}

impl Real for RBig {
    fn from_exact(number: &RBig) -> RBig {
        number.clone()
    }

    fn plus(&self, other: &RBig) -> Option<RBig> {
        fits(self, other).then(|| self + other)
    }

    fn times(&self, other: &RBig) -> Option<RBig> {
        fits(self, other).then(|| self * other)
    }

    fn over(&self, other: &RBig) -> Option<RBig> {
        (!other.is_zero() && fits(self, other)).then(|| self / other)
    }

    fn negated(&self) -> RBig {
        -self.clone()
    }

    fn order(&self, other: &RBig) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    fn whole(&self) -> Option<IBig> {
        Some(self.floor())
    }

    /// Roots of squares, integer powers, and the values at zero and one that are rational.
    fn apply(function: Function, arguments: &[&RBig]) -> Option<RBig> {
        match (function, arguments) {
            (
                Function::Sin
                | Function::Tan
                | Function::Asin
                | Function::Atan
                | Function::Sinh
                | Function::Tanh,
                [x],
            ) if x.is_zero() => Some(RBig::ZERO),
            (Function::Cos | Function::Cosh | Function::Exp, [x]) if x.is_zero() => Some(RBig::ONE),
            (Function::Log | Function::Log10 | Function::Acos, [x]) if x.is_one() => Some(RBig::ZERO),
            (Function::Sqrt, [x]) => square_root(x),
            (Function::Pow, [x, y]) => power(x, y),
            (Function::Single, [x]) => Some((*x).clone()),
            _ => None,
        }
    }
}

fn square_root(x: &RBig) -> Option<RBig> {
    let numerator = UBig::try_from(x.numerator().clone()).ok()?;
    let root = |number: &UBig| {
        let (root, rest) = number.sqrt_rem();
        rest.is_zero().then_some(root)
    };
    Some(RBig::from_parts(IBig::from(root(&numerator)?), root(x.denominator())?))
}

/// A power with an integer exponent of moderate size.
fn power(base: &RBig, exponent: &RBig) -> Option<RBig> {
    if !exponent.is_int() {
        return None;
    }
    let exponent = i32::try_from(exponent.numerator()).ok()?;
    if exponent < 0 && base.is_zero() {
        return None;
    }
    let mut result = RBig::ONE;
    let mut square = base.clone();
    let mut left = exponent.unsigned_abs();
    while left > 0 {
        if left & 1 == 1 {
            result = result.times(&square)?;
        }
        left >>= 1;
        if left > 0 {
            square = square.times(&square)?;
        }
    }
    if exponent < 0 { RBig::ONE.over(&result) } else { Some(result) }
}
