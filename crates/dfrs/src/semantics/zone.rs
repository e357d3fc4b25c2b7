//! Zones: sets of timer ages, given by bounds on the ages and on their differences (difference bound matrices).
//!
//! Exact for discrete time, where all bounds are whole and included, and for dense time, where a bound may be excluded.
//! Invariant: a zone is closed, that is, every bound is as tight as the others make it, and not empty.

use crate::reading::Clock;

/// A set of ages.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Zone {
    timers: usize,
    /// Row by row, `x_row - x_column` is at most this; `x_0` is zero.
    bounds: Vec<Limit>,
}

/// An upper bound: twice the number, and one more if it is included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit(i64);

impl Limit {
    /// No bound.
    pub const NONE: Limit = Limit(i64::MAX);

    /// A bound, included or not.
    pub fn new(number: i64, included: bool) -> Limit {
        Limit(2 * number + i64::from(included))
    }

    /// The number, and whether it is included; `None` if there is no bound.
    pub fn get(self) -> Option<(i64, bool)> {
        (self != Limit::NONE).then_some((self.0 >> 1, self.0 & 1 == 1))
    }

    fn plus(self, other: Limit) -> Limit {
        if self == Limit::NONE || other == Limit::NONE {
            return Limit::NONE;
        }
        Limit((((self.0 >> 1) + (other.0 >> 1)) << 1) | (self.0 & other.0 & 1))
    }

    /// The bound on the negated difference that holds exactly where this one does not.
    fn complement(self, clock: Clock) -> Limit {
        match clock {
            Clock::Discrete => Limit::new(-(self.0 >> 1) - 1, true),
            Clock::Dense => Limit::new(-(self.0 >> 1), self.0 & 1 == 0),
        }
    }

    /// The same bound, not reached.
    fn below(self, clock: Clock) -> Limit {
        match (self.get(), clock) {
            (None, _) => self,
            (Some((number, included)), Clock::Discrete) => Limit::new(number - 1, included),
            (Some((number, _)), Clock::Dense) => Limit::new(number, false),
        }
    }
}

impl Zone {
    /// All timers just reset.
    pub fn zero(timers: usize) -> Zone {
        Zone { timers, bounds: vec![Limit::new(0, true); (timers + 1) * (timers + 1)] }
    }

    /// All ages.
    pub fn all(timers: usize) -> Zone {
        let mut zone = Zone { timers, bounds: vec![Limit::NONE; (timers + 1) * (timers + 1)] };
        for timer in 0..=timers {
            zone.set(timer, timer, Limit::new(0, true));
            zone.set(0, timer, Limit::new(0, true));
        }
        zone
    }

    /// The bound on the difference of two ages; timers count from one, and zero is zero.
    pub fn bound(&self, row: usize, column: usize) -> Limit {
        self.bounds[row * (self.timers + 1) + column]
    }

    /// What is left under one more bound, if anything.
    pub fn with(mut self, row: usize, column: usize, limit: Limit) -> Option<Zone> {
        if limit.plus(self.bound(column, row)) < Limit::new(0, true) {
            return None;
        }
        if limit < self.bound(row, column) {
            self.set(row, column, limit);
            for from in 0..=self.timers {
                for to in 0..=self.timers {
                    let around = self.bound(from, row).plus(limit).plus(self.bound(column, to));
                    if around < self.bound(from, to) {
                        self.set(from, to, around);
                    }
                }
            }
        }
        Some(self)
    }

    /// What both have.
    pub fn and(&self, other: &Zone) -> Option<Zone> {
        let mut zone = self.clone();
        for (row, column) in self.places() {
            zone = zone.with(row, column, other.bound(row, column))?;
        }
        Some(zone)
    }

    /// What this has and the other has not, as disjoint zones.
    pub fn minus(&self, other: &Zone, clock: Clock) -> Vec<Zone> {
        let mut rest = Some(self.clone());
        let mut parts = Vec::new();
        for (row, column) in self.places() {
            let limit = other.bound(row, column);
            if let (Some(zone), true) = (&rest, limit != Limit::NONE) {
                parts.extend(zone.clone().with(column, row, limit.complement(clock)));
                rest = zone.clone().with(row, column, limit);
            }
        }
        parts
    }

    /// Whether this has all that the other has.
    pub fn includes(&self, other: &Zone) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(mine, theirs)| mine >= theirs)
    }

    /// After any positive delay.
    pub fn later(&self, clock: Clock) -> Zone {
        let mut zone = self.clone();
        for timer in 1..=self.timers {
            zone.set(timer, 0, Limit::NONE);
            zone.set(0, timer, self.bound(0, timer).below(clock));
        }
        zone
    }

    /// Before any positive delay.
    pub fn earlier(&self, clock: Clock) -> Option<Zone> {
        let mut zone = Zone::all(self.timers);
        for (row, column) in self.places() {
            let limit = self.bound(row, column);
            if column == 0 {
                zone = zone.with(row, 0, limit.below(clock))?;
            } else if row != 0 {
                zone = zone.with(row, column, limit)?;
            }
        }
        Some(zone)
    }

    /// After a reset.
    pub fn reset(&mut self, timer: usize) {
        for other in 0..=self.timers {
            let (below, above) = (self.bound(0, other), self.bound(other, 0));
            self.set(timer, other, below);
            self.set(other, timer, above);
        }
        self.set(timer, timer, Limit::new(0, true));
    }

    /// After forgetting how old a timer is, but that it is at least so old.
    pub fn forget(&mut self, timer: usize, start: (i64, bool)) {
        let least = Limit::new(-start.0, start.1);
        for other in (0..=self.timers).filter(|&other| other != timer) {
            let above = self.bound(other, 0).plus(least);
            self.set(timer, other, Limit::NONE);
            self.set(other, timer, if other == 0 { least } else { above });
        }
    }

    fn set(&mut self, row: usize, column: usize, limit: Limit) {
        self.bounds[row * (self.timers + 1) + column] = limit;
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.timers + 1;
        (0..size * size).map(move |place| (place / size, place % size)).filter(|(row, column)| row != column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points of a zone over two timers, up to an age.
    fn points(zone: &Zone) -> Vec<(i64, i64)> {
        let size = 8;
        let inside = |point: &(i64, i64)| {
            let ages = [0, point.0, point.1];
            (0..3).all(|row| {
                (0..3).all(|column| {
                    zone.bound(row, column).get().is_none_or(|(most, _)| ages[row] - ages[column] <= most)
                })
            })
        };
        (0..size * size).map(|place| (place / size, place % size)).filter(inside).collect()
    }

    fn boxed(low: (i64, i64), high: (i64, i64)) -> Zone {
        let zone = Zone::all(2).with(1, 0, Limit::new(high.0, true)).and_then(|zone| {
            zone.with(0, 1, Limit::new(-low.0, true))?.with(2, 0, Limit::new(high.1, true))?.with(
                0,
                2,
                Limit::new(-low.1, true),
            )
        });
        zone.expect("not empty")
    }

    #[test]
    fn operations_agree_with_points() {
        for code in 0..256_i64 {
            let (a, b, c, d) = (code % 4, code / 4 % 4, code / 16 % 4, code / 64);
            let zone = boxed((a, b), (a + c, b + d));
            let mut later: Vec<(i64, i64)> = points(&zone)
                .iter()
                .flat_map(|&(x, y)| (1..8).map(move |by| (x + by, y + by)))
                .filter(|&(x, y)| x < 8 && y < 8)
                .collect();
            later.sort_unstable();
            later.dedup();
            assert_eq!(points(&zone.later(Clock::Discrete)), later);
            let hit = |&(x, y): &(i64, i64)| (1..8).any(|by| points(&zone).contains(&(x + by, y + by)));
            let earlier: Vec<_> = points(&Zone::all(2)).into_iter().filter(hit).collect();
            assert_eq!(zone.earlier(Clock::Discrete).map_or(Vec::new(), |zone| points(&zone)), earlier);
            let moved = zone.later(Clock::Discrete);
            let other = boxed((b, 1), (b + 2, 3));
            let parts = moved.minus(&other, Clock::Discrete);
            let mut rest: Vec<_> = parts.iter().flat_map(points).collect();
            rest.sort_unstable();
            let expected: Vec<_> =
                points(&moved).into_iter().filter(|point| !points(&other).contains(point)).collect();
            assert_eq!(rest, expected);
            let both = moved.and(&other).map_or(Vec::new(), |zone| points(&zone));
            assert_eq!(both.len() + expected.len(), points(&moved).len());
            let mut reset = zone.clone();
            reset.reset(1);
            let mut expected: Vec<_> = points(&zone).iter().map(|&(_, y)| (0, y)).collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(points(&reset), expected);
        }
    }
}
