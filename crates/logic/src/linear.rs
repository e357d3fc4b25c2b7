//! Linear forms, and bounds on them.
//!
//! A strict bound `x < 3` is the weak bound `x <= 3 - δ` with an infinitesimal δ, so all bounds are weak ones over pairs of rationals
//! in lexicographic order (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)", CAV 2006, section 5). Integers do
//! not need δ: there `x < 3` is `x <= 2`.

use crate::store::Rel;
use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::collections::BTreeMap;

/// A rational number plus a multiple of an infinitesimal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Near {
    /// The rational number.
    pub real: RBig,
    /// The multiple.
    pub tiny: RBig,
}

impl Near {
    /// A rational number plus a multiple of the infinitesimal.
    pub fn new(real: RBig, tiny: RBig) -> Near {
        Near { real, tiny }
    }

    /// Adds a multiple of another number.
    pub fn add_scaled(&mut self, factor: &RBig, other: &Near) {
        self.real += factor * &other.real;
        if !other.tiny.is_zero() {
            self.tiny += factor * &other.tiny;
        }
    }

    /// The difference.
    pub fn minus(&self, other: &Near) -> Near {
        Near::new(&self.real - &other.real, &self.tiny - &other.tiny)
    }

    /// A multiple of it.
    pub fn scaled(&self, factor: &RBig) -> Near {
        Near::new(&self.real * factor, &self.tiny * factor)
    }

    /// Whether it is an integer.
    pub fn is_int(&self) -> bool {
        self.tiny.is_zero() && self.real.is_int()
    }

    /// The greatest integer not greater than the number.
    pub fn floor(&self) -> IBig {
        let floor = self.real.floor();
        if self.real.is_int() && self.tiny < RBig::ZERO { floor - IBig::ONE } else { floor }
    }

    /// The least integer not less than the number.
    pub fn ceil(&self) -> IBig {
        let ceil = self.real.ceil();
        if self.real.is_int() && self.tiny > RBig::ZERO { ceil + IBig::ONE } else { ceil }
    }
}

impl From<RBig> for Near {
    fn from(real: RBig) -> Near {
        Near::new(real, RBig::ZERO)
    }
}

impl From<IBig> for Near {
    fn from(whole: IBig) -> Near {
        Near::from(RBig::from(whole))
    }
}

/// Which end of a range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The least value.
    Lower,
    /// The greatest value.
    Upper,
}

/// A bound on one unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Literal {
    /// The unknown.
    pub unknown: usize,
    /// Which end of its range.
    pub side: Side,
    /// The least or greatest value.
    pub bound: Near,
}

impl Literal {
    /// The least value of an unknown.
    pub fn at_least(unknown: usize, bound: impl Into<Near>) -> Literal {
        Literal { unknown, side: Side::Lower, bound: bound.into() }
    }

    /// The greatest value of an unknown.
    pub fn at_most(unknown: usize, bound: impl Into<Near>) -> Literal {
        Literal { unknown, side: Side::Upper, bound: bound.into() }
    }

    /// The two bounds that leave only this value.
    pub fn exactly(unknown: usize, value: &RBig) -> [Literal; 2] {
        [Literal::at_least(unknown, value.clone()), Literal::at_most(unknown, value.clone())]
    }

    /// The bound `unknown rel limit`, where `rel` is an order. Integer unknowns have integer bounds.
    pub fn order(unknown: usize, whole: bool, strict: bool, side: Side, limit: RBig) -> Literal {
        let tiny = match (strict, side) {
            (false, Side::Lower | Side::Upper) => RBig::ZERO,
            (true, Side::Lower) => RBig::ONE,
            (true, Side::Upper) => -RBig::ONE,
        };
        let limit = Near::new(limit, tiny);
        let bound = match (whole, side) {
            (false, Side::Lower | Side::Upper) => limit,
            (true, Side::Lower) => limit.ceil().into(),
            (true, Side::Upper) => limit.floor().into(),
        };
        Literal { unknown, side, bound }
    }

    /// Whether a value is within the bound.
    pub fn holds(&self, value: &Near) -> bool {
        match self.side {
            Side::Lower => *value >= self.bound,
            Side::Upper => *value <= self.bound,
        }
    }
}

/// A sum of multiples of unknowns and a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    /// The nonzero factors.
    pub factors: BTreeMap<usize, RBig>,
    /// The constant.
    pub constant: RBig,
}

impl Linear {
    /// A form without unknowns.
    pub fn constant(constant: RBig) -> Linear {
        Linear { factors: BTreeMap::new(), constant }
    }

    /// An unknown alone.
    pub fn unknown(unknown: usize) -> Linear {
        Linear { factors: BTreeMap::from([(unknown, RBig::ONE)]), constant: RBig::ZERO }
    }

    /// The value of a form without unknowns.
    pub fn as_constant(&self) -> Option<&RBig> {
        self.factors.is_empty().then_some(&self.constant)
    }

    /// A multiple of it.
    pub fn scaled(mut self, factor: &RBig) -> Linear {
        if factor.is_zero() {
            return Linear::default();
        }
        self.factors.values_mut().for_each(|value| *value *= factor);
        self.constant *= factor;
        self
    }

    /// The sum.
    pub fn plus(mut self, other: &Linear) -> Linear {
        self.constant += &other.constant;
        for (&unknown, factor) in &other.factors {
            let sum = self.factors.remove(&unknown).unwrap_or_default() + factor;
            if !sum.is_zero() {
                self.factors.insert(unknown, sum);
            }
        }
        self
    }

    /// The difference.
    pub fn minus(self, other: &Linear) -> Linear {
        self.plus(&other.clone().scaled(&-RBig::ONE))
    }

    /// The part with unknowns as a multiple of one with coprime integer factors, the first of which is positive. There must be an
    /// unknown.
    pub fn primitive(&self) -> (RBig, Vec<(usize, RBig)>) {
        let mut numerator: Option<UBig> = None;
        let mut denominator = UBig::ONE;
        for factor in self.factors.values() {
            let (above, below) = factor.clone().into_parts();
            let above: UBig = above.into_parts().1;
            numerator = Some(match numerator {
                Some(known) => known.gcd(above),
                None => above,
            });
            denominator = &denominator * &below / (&denominator).gcd(&below);
        }
        let size = RBig::from_parts(numerator.unwrap_or(UBig::ONE).into(), denominator);
        let negative = self.factors.values().next().is_some_and(|first| *first < RBig::ZERO);
        let scale = if negative { -size } else { size };
        let row = self.factors.iter().map(|(&unknown, factor)| (unknown, factor / &scale)).collect();
        (scale, row)
    }
}

/// Whether a constant compares with zero as given.
pub(crate) fn compare_zero(rel: Rel, constant: &RBig) -> bool {
    rel.holds(constant, &RBig::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::parse_decimal;

    fn number(text: &str) -> RBig {
        parse_decimal(text).expect("a number")
    }

    #[test]
    fn rows_have_coprime_whole_factors() {
        for (factors, scale, row) in [
            (&["2"][..], "2", &["1"][..]),
            (&["-0.5", "1.5"], "-0.5", &["1", "-3"]),
            (&["6", "-4"], "2", &["3", "-2"]),
            (&["0.25", "0.1"], "0.05", &["5", "2"]),
        ] {
            let factors = factors.iter().map(|text| number(text)).enumerate().collect();
            let linear = Linear { factors, constant: RBig::ONE };
            let expected = row.iter().map(|text| number(text)).enumerate().collect();
            assert_eq!(linear.primitive(), (number(scale), expected));
        }
    }

    #[test]
    fn bounds_of_whole_unknowns_are_whole() {
        use Side::{Lower, Upper};
        for (whole, strict, side, limit, expected) in [
            (true, true, Upper, "3", "2"),
            (true, false, Upper, "2.5", "2"),
            (true, true, Lower, "-1", "0"),
            (true, false, Lower, "0.1", "1"),
            (false, false, Lower, "0.1", "0.1"),
        ] {
            let literal = Literal::order(0, whole, strict, side, number(limit));
            assert_eq!(literal.bound, number(expected).into(), "{limit}");
        }
        let strict = Literal::order(0, false, true, Upper, number("3"));
        assert!(!strict.holds(&number("3").into()) && strict.holds(&number("2.999").into()));
    }
}
