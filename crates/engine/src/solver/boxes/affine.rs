//! Numbers that depend on the place in a box, as bounds and as an affine function of the place with an error (a zonotope: Comba,
//! Stolfi, SIBGRAPI 1993).
//!
//! A place has a coordinate from -1 to 1 for each side of the box. Bounds forget how values depend on each other; the affine function
//! remembers, so that differences and sums stay tight in small boxes. Both contain the exact value: each operation adds what rounding
//! may have lost to the error.

use crate::evidence::bounds::Bounds;
use dashu_ratio::RBig;

/// All values that a number has in a box.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Number {
    pub(crate) bounds: Bounds,
    /// Unknown if a bound is infinite.
    affine: Option<Affine>,
}

/// `center`, plus each slope times a coordinate, plus at most `error` in both directions.
#[derive(Clone, PartialEq, Debug)]
struct Affine {
    center: f64,
    slopes: Box<[f64]>,
    error: f64,
}

/// More than rounding loses in an operation, relative to the sum of the magnitudes that occur in it: with at most
/// [`SIDES`] slopes, fewer than 200 roundings of 2^-53 each.
const LOST: f64 = 1e-13;
/// More than what is lost below the range of normal numbers.
const TINY: f64 = 1e-290;

/// The maximum number of coordinates for which slopes are kept.
pub(crate) const SIDES: usize = 32;

impl Number {
    /// All numbers.
    pub(crate) fn any() -> Number {
        Number { bounds: Bounds::ALL, affine: None }
    }

    /// The numbers within bounds, wherever the place is.
    pub(crate) fn within(bounds: Bounds, sides: usize) -> Number {
        let center = f64::midpoint(bounds.low, bounds.high);
        let error = (bounds.high - center).max(center - bounds.low);
        Number {
            bounds,
            affine: Affine { center, slopes: vec![0.0; sides].into(), error }.rounded(center.abs()),
        }
    }

    /// A constant.
    pub(crate) fn constant(number: &RBig, sides: usize) -> Number {
        Number::within(Bounds::around(number), sides)
    }

    /// The coordinate of one side of the box.
    pub(crate) fn side(bounds: Bounds, side: usize, sides: usize) -> Number {
        let mut number = Number::within(bounds, sides);
        if let Some(affine) = &mut number.affine
            && let Some(slope) = affine.slopes.get_mut(side)
        {
            *slope = (bounds.high - affine.center).max(affine.center - bounds.low);
            affine.error = (affine.center.abs() + *slope) * LOST + TINY;
        }
        number
    }

    fn new(bounds: Option<Bounds>, affine: Option<Affine>) -> Number {
        let bounds = bounds.unwrap_or(Bounds::ALL);
        let met = affine.as_ref().map_or(bounds, |it| bounds.meet(it.bounds()));
        Number { bounds: met, affine }
    }

    pub(crate) fn plus(&self, other: &Number) -> Number {
        let affine = self.affine.as_ref().zip(other.affine.as_ref()).and_then(|(a, b)| {
            let slopes = a.slopes.iter().zip(&b.slopes).map(|(x, y)| x + y).collect();
            let sum = Affine { center: a.center + b.center, slopes, error: a.error + b.error };
            sum.rounded(a.size() + b.size())
        });
        Number::new(self.bounds.plus(&other.bounds), affine)
    }

    pub(crate) fn negated(&self) -> Number {
        let affine = self.affine.as_ref().map(|it| Affine {
            center: -it.center,
            slopes: it.slopes.iter().map(|it| -it).collect(),
            error: it.error,
        });
        Number { bounds: Bounds { low: -self.bounds.high, high: -self.bounds.low }, affine }
    }

    /// The product. A coordinate times itself is between 0 and 1, so half of these products goes to the center.
    pub(crate) fn times(&self, other: &Number) -> Number {
        let affine = self.affine.as_ref().zip(other.affine.as_ref()).and_then(|(a, b)| {
            let squares = || a.slopes.iter().zip(&b.slopes).map(|(x, y)| x * y / 2.0);
            let slopes = a.slopes.iter().zip(&b.slopes).map(|(x, y)| a.center * y + b.center * x).collect();
            let (across, down) = (a.radius(), b.radius());
            let mixed = (across * down - squares().map(f64::abs).sum::<f64>()).max(0.0);
            let center = a.center * b.center + squares().sum::<f64>();
            let error = a.center.abs() * b.error + b.center.abs() * a.error + mixed;
            Affine { center, slopes, error }.rounded(a.size() * b.size())
        });
        Number::new(self.bounds.times(&other.bounds), affine)
    }

    pub(crate) fn over(&self, other: &Number) -> Number {
        let Some(inverse) = (Bounds { low: 1.0, high: 1.0 }).over(&other.bounds) else {
            return Number::any();
        };
        let sides = self.affine.as_ref().map_or(0, |it| it.slopes.len());
        let product = self.times(&Number::within(inverse, sides));
        Number::new(self.bounds.over(&other.bounds).map(|it| it.meet(product.bounds)), product.affine)
    }

    /// All values of both.
    pub(crate) fn join(&self, other: &Number) -> Number {
        let bounds = Bounds {
            low: self.bounds.low.min(other.bounds.low),
            high: self.bounds.high.max(other.bounds.high),
        };
        let affine = self.affine.as_ref().zip(other.affine.as_ref()).and_then(|(a, b)| {
            // The part of the slopes that both have.
            let common = |(x, y): (&f64, &f64)| match x * y > 0.0 {
                true if x.abs() < y.abs() => *x,
                true => *y,
                false => 0.0,
            };
            let slopes: Box<[f64]> = a.slopes.iter().zip(&b.slopes).map(common).collect();
            let rest = |it: &Affine| {
                it.error + it.slopes.iter().zip(&slopes).map(|(x, y)| (x - y).abs()).sum::<f64>()
            };
            let (left, right) = (rest(a), rest(b));
            let (low, high) =
                ((a.center - left).min(b.center - right), (a.center + left).max(b.center + right));
            let joined = Affine { center: f64::midpoint(low, high), slopes, error: (high - low) / 2.0 };
            joined.rounded(a.size() + b.size())
        });
        Number::new(Some(bounds), affine)
    }

    /// The values that are also within bounds.
    pub(crate) fn meet(&self, bounds: Bounds, sides: usize) -> Number {
        let bounds = self.bounds.meet(bounds);
        match &self.affine {
            // A constant is tighter than a slope over a larger range.
            Some(affine) if bounds.high - bounds.low >= affine.radius() => {
                Number { bounds, affine: self.affine.clone() }
            }
            _ => Number::within(bounds, sides),
        }
    }

    /// How much each side of the box contributes to the spread.
    pub(crate) fn slopes(&self) -> &[f64] {
        self.affine.as_ref().map_or(&[], |it| &it.slopes)
    }
}

impl Affine {
    /// With the error that rounding may have added to terms of this magnitude; `None` if something is infinite.
    fn rounded(mut self, size: f64) -> Option<Affine> {
        self.error += (size + self.error) * LOST + TINY;
        (self.error.is_finite() && self.center.is_finite()).then_some(self)
    }

    fn radius(&self) -> f64 {
        self.slopes.iter().map(|it| it.abs()).sum::<f64>() + self.error
    }

    /// The sum of all magnitudes.
    fn size(&self) -> f64 {
        self.center.abs() + self.radius()
    }

    fn bounds(&self) -> Bounds {
        let radius = self.radius() + self.size() * LOST;
        Bounds { low: (self.center - radius).next_down(), high: (self.center + radius).next_up() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// A number as a function of the place in the box, exactly.
    #[derive(Clone)]
    struct Both {
        number: Number,
        exact: Vec<RBig>,
    }

    /// Random sums, products, quotients and joins over random boxes contain the exact values at random places of the box.
    #[test]
    fn exact_values_are_contained() {
        let mut rng = Random::new(7);
        let wide = |rng: &mut Random| {
            let size = [1e-9, 0.01, 1.0, 3.0, 1e6][rng.below(5)];
            let low = (rng.below(2001) as f64 - 1000.0) / 700.0 * size;
            Bounds { low, high: low + rng.below(1000) as f64 / 900.0 * size }
        };
        for round in 0..400 {
            let sides: Vec<Bounds> = (0..2).map(|_| wide(&mut rng)).collect();
            let places: Vec<Vec<RBig>> = (0..6)
                .map(|_| {
                    let at = |it: &Bounds| {
                        let part = RBig::from(rng.below(9)) / RBig::from(8);
                        let [low, high] = [it.low, it.high].map(|it| RBig::try_from(it).expect("finite"));
                        &low + (high - &low) * part
                    };
                    sides.iter().map(at).collect()
                })
                .collect();
            let mut all: Vec<Both> = (0..2)
                .map(|side| Both {
                    number: Number::side(sides[side], side, 2),
                    exact: places.iter().map(|it| it[side].clone()).collect(),
                })
                .collect();
            let third = RBig::from(1) / RBig::from(3);
            all.push(Both { number: Number::constant(&third, 2), exact: vec![third; places.len()] });
            for _ in 0..8 {
                let (a, b) = (all[rng.below(all.len())].clone(), all[rng.below(all.len())].clone());
                let pairs = || a.exact.iter().zip(&b.exact);
                let made = match rng.below(5) {
                    0 => Both {
                        number: a.number.plus(&b.number),
                        exact: pairs().map(|(x, y)| x + y).collect(),
                    },
                    1 => Both {
                        number: a.number.plus(&b.number.negated()),
                        exact: pairs().map(|(x, y)| x - y).collect(),
                    },
                    2 | 3 => Both {
                        number: a.number.times(&b.number),
                        exact: pairs().map(|(x, y)| x * y).collect(),
                    },
                    _ if pairs().all(|it| !it.1.is_zero()) => Both {
                        number: a.number.over(&b.number),
                        exact: pairs().map(|(x, y)| x / y).collect(),
                    },
                    _ => Both { number: a.number.join(&b.number), exact: a.exact.clone() },
                };
                let Bounds { low, high } = made.number.bounds;
                for exact in &made.exact {
                    let above = low.is_infinite() || RBig::try_from(low).expect("finite") <= *exact;
                    let below = high.is_infinite() || *exact <= RBig::try_from(high).expect("finite");
                    assert!(above && below, "round {round}: {exact} is not in {:?}", made.number);
                }
                all.push(made);
            }
        }
    }
}
