//! Linear terms over numeric variables, and the normal form of their comparisons with zero.
//!
//! A comparison is a *form* (coprime integer coefficients, the first one positive) with a threshold: `form < c` or `form <= c`. All
//! thresholds of a form are in one order, so the comparisons of a form are a chain. Over integers only `<=` with an integer is left.

use dashu_int::{IBig, UBig, ops::Gcd};
use dashu_ratio::RBig;
use std::collections::BTreeMap;
use system::Var;

/// A sum of multiples of variables and a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Linear {
    /// The coefficients, none zero.
    pub(crate) terms: BTreeMap<Var, RBig>,
    pub(crate) constant: RBig,
}

impl Linear {
    pub(crate) fn constant(constant: RBig) -> Linear {
        Linear { terms: BTreeMap::new(), constant }
    }

    pub(crate) fn variable(var: Var) -> Linear {
        Linear { terms: BTreeMap::from([(var, RBig::ONE)]), constant: RBig::ZERO }
    }

    /// This plus a multiple of another.
    pub(crate) fn plus(&self, factor: &RBig, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant += factor * &other.constant;
        for (var, coefficient) in &other.terms {
            let entry = sum.terms.entry(*var).or_insert(RBig::ZERO);
            *entry += factor * coefficient;
            if entry.is_zero() {
                sum.terms.remove(var);
            }
        }
        sum
    }

    pub(crate) fn times(&self, factor: &RBig) -> Linear {
        Linear::default().plus(factor, self)
    }

    /// The term with a variable replaced.
    pub(crate) fn replace(&self, var: Var, with: &Linear) -> Linear {
        let mut rest = self.clone();
        match rest.terms.remove(&var) {
            Some(coefficient) => rest.plus(&coefficient, with),
            None => rest,
        }
    }
}

/// A comparison in normal form.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Atom {
    /// The coefficients.
    pub(crate) form: Vec<(Var, IBig)>,
    /// The threshold.
    pub(crate) limit: RBig,
    /// Whether the form may be equal to the threshold. (False sorts before true: `< c` implies `<= c`.)
    pub(crate) or_equal: bool,
}

/// A comparison with zero: a constant, or an atom or its negation.
pub(crate) enum Literal {
    Constant(bool),
    Atom(Atom, bool),
}

impl Atom {
    pub(crate) fn coefficient(&self, var: Var) -> Option<&IBig> {
        self.form.iter().find(|it| it.0 == var).map(|it| &it.1)
    }

    /// The form without its threshold.
    pub(crate) fn linear(&self) -> Linear {
        let terms = self.form.iter().map(|(var, it)| (*var, RBig::from(it.clone()))).collect();
        Linear { terms, constant: RBig::ZERO }
    }
}

/// `term < 0`, or `term <= 0`, in normal form. `is_int` says which variables are integers.
pub(crate) fn below_zero(term: &Linear, or_equal: bool, is_int: &dyn Fn(Var) -> bool) -> Literal {
    let Some(first) = term.terms.values().next() else {
        let zero = RBig::ZERO;
        return Literal::Constant(if or_equal { term.constant <= zero } else { term.constant < zero });
    };
    let denominators = term.terms.values().fold(UBig::ONE, |all, it| {
        let one = it.denominator();
        &all / (&all).gcd(one) * one
    });
    let scale = RBig::from(IBig::from(denominators));
    let whole = |it: &RBig| (it * &scale).numerator().clone();
    let common = term.terms.values().fold(UBig::ZERO, |all, it| {
        let one = whole(it).unsigned_abs_value();
        if all.is_zero() { one } else { all.gcd(one) }
    });
    let negative = *first < RBig::ZERO;
    let mut divisor = IBig::from(common);
    if negative {
        divisor = -divisor;
    }
    let form: Vec<(Var, IBig)> = term.terms.iter().map(|(var, it)| (*var, whole(it) / &divisor)).collect();
    let limit = -(&term.constant * &scale) / RBig::from(divisor);
    // With a negative factor, `term < 0` is `form > limit`, the negation of `form <= limit`.
    let (or_equal, positive) = if negative { (!or_equal, false) } else { (or_equal, true) };
    if form.iter().all(|it| is_int(it.0)) {
        let floor = limit.floor();
        let limit = if !or_equal && limit.is_int() { floor - IBig::ONE } else { floor };
        return Literal::Atom(Atom { form, limit: RBig::from(limit), or_equal: true }, positive);
    }
    Literal::Atom(Atom { form, limit, or_equal }, positive)
}

trait Magnitude {
    fn unsigned_abs_value(self) -> UBig;
}

impl Magnitude for IBig {
    fn unsigned_abs_value(self) -> UBig {
        self.into_parts().1
    }
}
