//! The search for values: asserted bounds, demands of which one case must hold, and unknowns that must be integers.
//!
//! The simplex finds values for the bounds alone; only where they violate a demand is the search split, into the cases of the demand
//! or below and above a fraction (branch and bound; splitting on demand as in Dutertre and de Moura, CAV 2006, section 6). Equations
//! without integer solutions are found by their divisors, including bounded unknowns. The splits are counted, since branch and bound
//! need not terminate: the answer may be [`Outcome::GaveUp`].

use super::cases::Case;
use super::kinds::Kind;
use super::problem::Problem;
use crate::linear::{Literal, Near};
use crate::simplex::Simplex;
use dashu_int::ops::{Gcd, RemEuclid, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The maximum number of splits in a search.
const MAX_SPLITS: usize = 500;
/// Integers up to this one are small.
const SMALL: i32 = 100;

/// What the values must satisfy; each level drops more, so it finds values where the previous one does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// Everything.
    Everything,
    /// Integers may be fractions.
    Fractions,
    /// In addition, only demands with a single case are satisfied.
    Units,
}

/// The outcome of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// The simplex holds values; the bounds of the cases that were split stay asserted.
    Found,
    /// There are no such values.
    Impossible,
    /// There were too many splits.
    GaveUp,
}

/// The current bounds and demands.
pub(super) struct Solver<'p> {
    pub(super) simplex: Simplex,
    /// Whether each unknown must be an integer.
    whole: Vec<bool>,
    /// Demands; one case of each must hold.
    demands: Vec<&'p [Case]>,
}

/// A point to backtrack to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    bounds: usize,
    demands: usize,
}

impl<'p> Solver<'p> {
    pub(super) fn new(problem: &'p Problem) -> Solver<'p> {
        let mut simplex = Simplex::new(problem.unknowns.iter().map(|unknown| unknown.form.as_deref()));
        for (index, unknown) in problem.unknowns.iter().enumerate() {
            if unknown.kind == Kind::Truth {
                simplex.assert(&Literal::at_least(index, RBig::ZERO));
                simplex.assert(&Literal::at_most(index, RBig::ONE));
            }
        }
        let whole = problem.unknowns.iter().map(|unknown| unknown.kind == Kind::Whole).collect();
        Solver { simplex, whole, demands: Vec::new() }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { bounds: self.simplex.mark(), demands: self.demands.len() }
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        self.simplex.undo(mark.bounds);
        self.demands.truncate(mark.demands);
    }

    /// Demands that one of the cases holds; returns false if that is obviously impossible.
    pub(super) fn demand(&mut self, cases: &'p [Case]) -> bool {
        match cases {
            [] => false,
            [case] => self.assert_all(case),
            _ => {
                self.demands.push(cases);
                true
            }
        }
    }

    pub(super) fn assert_all(&mut self, literals: &[Literal]) -> bool {
        literals.iter().all(|literal| self.simplex.assert(literal))
    }

    /// Searches for values that satisfy everything; if that takes too long, for small ones.
    pub(super) fn search(&mut self, level: Level) -> Outcome {
        let outcome = self.explore(level);
        if outcome != Outcome::GaveUp || level > Level::Everything {
            return outcome;
        }
        // Branch and bound diverges where integer unknowns are unbounded, even past existing solutions.
        let start = self.simplex.mark();
        for unknown in 0..self.whole.len() {
            if self.whole[unknown] {
                self.simplex.assert(&Literal::at_least(unknown, RBig::from(-SMALL)));
                self.simplex.assert(&Literal::at_most(unknown, RBig::from(SMALL)));
            }
        }
        match self.explore(level) {
            Outcome::Found => Outcome::Found,
            Outcome::Impossible | Outcome::GaveUp => {
                self.simplex.undo(start);
                Outcome::GaveUp
            }
        }
    }

    fn explore(&mut self, level: Level) -> Outcome {
        let start = self.simplex.mark();
        let mut splits: Vec<Split<'p>> = Vec::new();
        let mut made = 0;
        loop {
            if self.simplex.check() && (level > Level::Everything || self.is_divisible()) {
                let Some(cases) = self.broken(level) else { return Outcome::Found };
                made += 1;
                if made > MAX_SPLITS {
                    self.simplex.undo(start);
                    return Outcome::GaveUp;
                }
                splits.push(Split { mark: self.simplex.mark(), cases, next: 0 });
            }
            loop {
                let Some(split) = splits.last_mut() else {
                    self.simplex.undo(start);
                    return Outcome::Impossible;
                };
                self.simplex.undo(split.mark);
                let Some(case) = split.cases.get(split.next) else {
                    splits.pop();
                    continue;
                };
                split.next += 1;
                if case.iter().all(|literal| self.simplex.assert(literal)) {
                    break;
                }
            }
        }
    }

    /// Asserts, for every demand, the first case that the found values satisfy: the rest is convex.
    pub(super) fn settle(&mut self, level: Level) {
        if level == Level::Units {
            return;
        }
        for cases in &self.demands {
            let simplex = &mut self.simplex;
            if let Some(case) = cases.iter().find(|case| is_met(simplex, case)) {
                // The values are within these bounds, so they contradict nothing.
                case.iter().for_each(|literal| assert!(simplex.assert(literal), "a bound that holds"));
            }
        }
    }

    /// Whether an unknown is an integer.
    pub(super) fn is_whole(&self, unknown: usize) -> bool {
        self.whole[unknown]
    }

    /// The cases of a demand that the values violate.
    fn broken(&self, level: Level) -> Option<Cow<'p, [Case]>> {
        if level == Level::Units {
            return None;
        }
        let unmet = self.demands.iter().find(|cases| !cases.iter().any(|case| is_met(&self.simplex, case)));
        if let Some(cases) = unmet {
            return Some(Cow::Borrowed(cases));
        }
        if level == Level::Fractions {
            return None;
        }
        let whole = (0..self.whole.len()).filter(|&unknown| self.whole[unknown]);
        let fraction =
            whole.map(|unknown| (unknown, self.simplex.value(unknown))).find(|(_, value)| !value.is_int());
        let (unknown, value) = fraction?;
        let below = vec![Literal::at_most(unknown, value.floor())];
        let above = vec![Literal::at_least(unknown, value.ceil())];
        // Towards zero first: values stay small.
        let negative = *value < Near::default();
        Some(Cow::Owned(if negative { vec![above, below] } else { vec![below, above] }))
    }

    /// Returns false if the divisors of a row show that it has no integer solution.
    fn is_divisible(&self) -> bool {
        self.simplex.rows().all(|(basic, factors)| {
            let used = || factors.iter().enumerate().filter(|(_, factor)| !factor.is_zero());
            if !self.whole[basic] || !used().all(|(unknown, _)| self.whole[unknown]) {
                return true;
            }
            let common = used().fold(UBig::ONE, |common, (_, factor)| {
                let denominator = factor.denominator();
                &common * denominator / (&common).gcd(denominator)
            });
            let scale = RBig::from(common);
            let products = used().map(|(unknown, factor)| (unknown, (factor * &scale).trunc()));
            let products: Vec<(usize, IBig)> = products.chain([(basic, -scale.trunc())]).collect();
            self.can_be_zero(&products)
        })
    }

    /// Returns false if a sum of multiples of integer unknowns cannot be zero: the large factors have a common divisor, and the
    /// others, which are bounded, do not reach a multiple of it. In `2x + 4y + z` with `z` fixed to 1, the sum is odd.
    fn can_be_zero(&self, products: &[(usize, IBig)]) -> bool {
        let is_open = |unknown: usize| self.simplex.fixed(unknown).is_none();
        let open = products.iter().filter(|(unknown, _)| is_open(*unknown));
        let sizes: BTreeSet<UBig> = open.map(|(_, factor)| factor.unsigned_abs()).collect();
        sizes.into_iter().all(|size| {
            let mut divisor = UBig::ZERO;
            let (mut least, mut greatest) = (IBig::ZERO, IBig::ZERO);
            for (unknown, factor) in products {
                let magnitude = factor.unsigned_abs();
                match self.simplex.range(*unknown) {
                    Some((low, high)) if magnitude < size || low == high => {
                        let ends = [low, high].map(|end| factor * end.real.trunc());
                        let [low, high] =
                            if ends[0] <= ends[1] { ends } else { [1, 0].map(|i: usize| ends[i].clone()) };
                        least += low;
                        greatest += high;
                    }
                    // Without both bounds, a small factor reaches everything.
                    None if magnitude < size => return true,
                    Some(_) | None if divisor.is_zero() => divisor = magnitude,
                    Some(_) | None => divisor = divisor.gcd(magnitude),
                }
            }
            let divisor = IBig::from(divisor);
            let multiple = greatest.clone() - greatest.rem_euclid(&divisor);
            multiple >= least
        })
    }
}

/// Cases to try one after the other.
struct Split<'p> {
    mark: usize,
    cases: Cow<'p, [Case]>,
    next: usize,
}

fn is_met(simplex: &Simplex, case: &Case) -> bool {
    case.iter().all(|literal| literal.holds(simplex.value(literal.unknown)))
}
