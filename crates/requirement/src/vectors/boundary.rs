//! Settings by boundary values and equivalence classes.
//!
//! Two of the four signals get intervals in one of Allen's relations, placed early, late, spread or inside, or two relations one
//! after the other; the other two signals get a shape each; and the duration is one of the boundary values around zero, n and the
//! length. The product is ordered so that every prefix is well spread: the first 78 rows cover all pairs of signals and all
//! relations, and visit all layouts, shapes and durations.

use super::Setting;
use super::allen::{Placement, Relation};
use crate::meaning::oracle::Interval;
use rustc_hash::FxHashSet;

/// At most `max` different settings of this length, for durations around n = `steps`.
pub fn boundary(length: usize, steps: u64, max: usize) -> Vec<Setting> {
    let choices = Choices::new(length, steps);
    let mut settings = Vec::new();
    let mut seen = FxHashSet::default();
    for round in 0..choices.rounds() {
        for (row, &(pair, relation)) in choices.rows.iter().enumerate() {
            if settings.len() >= max {
                return settings;
            }
            let setting = choices.setting(pair, relation, choices.spread(round, row));
            settings.extend(setting.filter(|setting| seen.insert(setting.to_string())));
        }
    }
    settings
}

/// The layout of the two related signals in the trace.
#[derive(Debug, Clone, Copy)]
enum Layout {
    /// One interval each.
    Once(Placement),
    /// Two intervals each: the relation in the first half, and in the second the one at this offset in the list.
    Twice(usize),
}

const LAYOUTS: [Layout; 7] = [
    Layout::Once(Placement::Spread),
    Layout::Once(Placement::Early),
    Layout::Twice(0),
    Layout::Once(Placement::Late),
    Layout::Twice(4),
    Layout::Once(Placement::Inner),
    Layout::Twice(7),
];

/// The shape of an unrelated signal.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Empty,
    Full,
    FirstPoint,
    LastPoint,
    /// Two intervals that touch the ends of the trace.
    BothEnds,
    /// One interval that touches neither end.
    Inside,
    /// Every second point.
    Alternating,
}

const SHAPES: [Shape; 7] = [
    Shape::Full,
    Shape::BothEnds,
    Shape::Empty,
    Shape::Inside,
    Shape::FirstPoint,
    Shape::Alternating,
    Shape::LastPoint,
];

impl Shape {
    fn column(self, length: usize) -> Vec<bool> {
        let end = length.div_ceil(4).min(length / 2);
        let inside = |position: usize| match self {
            Shape::Empty => false,
            Shape::Full => true,
            Shape::FirstPoint => position == 0,
            Shape::LastPoint => position + 1 == length,
            Shape::BothEnds => position < end || position + end >= length,
            Shape::Inside => position >= end.max(1) && position + end.max(1) < length,
            Shape::Alternating => position.is_multiple_of(2),
        };
        (0..length).map(inside).collect()
    }
}

/// All possible choices.
struct Choices {
    length: usize,
    durations: Vec<u64>,
    /// The related signals, and their relation.
    rows: Vec<([usize; 2], Relation)>,
}

impl Choices {
    fn new(length: usize, steps: u64) -> Choices {
        let long = length as u64;
        let mut durations = vec![steps];
        for duration in [0, 1, long - 1, long, long + 1] {
            if !durations.contains(&duration) {
                durations.push(duration);
            }
        }
        let pairs = [[0, 3], [1, 3], [0, 1], [2, 3], [0, 2], [1, 2]];
        let rows =
            pairs.into_iter().flat_map(|pair| Relation::ALL.map(|relation| (pair, relation))).collect();
        Choices { length, durations, rows }
    }

    /// The number of combinations of a layout, two shapes and a duration.
    fn rounds(&self) -> usize {
        LAYOUTS.len() * SHAPES.len() * SHAPES.len() * self.durations.len()
    }

    /// The combination for a row in a round: each row goes through all of them, and adjacent rows differ.
    fn spread(&self, round: usize, row: usize) -> usize {
        // The number of rounds is 7 · 7 · 7 · (3 to 6): these primes are coprime to it.
        (round * 617 + row * 1_277) % self.rounds()
    }

    /// `None` if the relation does not fit into the trace.
    fn setting(&self, pair: [usize; 2], relation: Relation, combination: usize) -> Option<Setting> {
        let layouts: Vec<Vec<[Interval; 2]>> =
            LAYOUTS.iter().filter_map(|&layout| self.related(relation, layout)).collect();
        let related = layouts.get(combination % LAYOUTS.len() % layouts.len().max(1))?;
        let combination = combination / LAYOUTS.len();
        let (combination, one) = (combination / SHAPES.len(), SHAPES[combination % SHAPES.len()]);
        let (combination, other) = (combination / SHAPES.len(), SHAPES[combination % SHAPES.len()]);
        let steps = self.durations[combination % self.durations.len()];
        let mut shapes = [one, other].into_iter();
        let mut columns = [0, 1, 2, 3].map(|signal| {
            let shape = if pair.contains(&signal) { None } else { shapes.next() };
            shape.unwrap_or(Shape::Empty).column(self.length)
        });
        for &intervals in related {
            for (signal, Interval { lo, hi }) in pair.into_iter().zip(intervals) {
                columns[signal][lo..=hi].fill(true);
            }
        }
        Some(Setting::from_columns(steps, &columns))
    }

    /// The intervals of the two related signals, pair by pair; `None` if they do not fit.
    fn related(&self, relation: Relation, layout: Layout) -> Option<Vec<[Interval; 2]>> {
        match layout {
            Layout::Once(placement) => Some(vec![relation.place(placement, 0, self.length)?]),
            Layout::Twice(further) => {
                // A point between the halves keeps their intervals apart.
                let half = self.length.checked_sub(1)? / 2;
                let index = Relation::ALL.iter().position(|&known| known == relation)?;
                let second = Relation::ALL[(index + further) % Relation::ALL.len()];
                let first = relation.place(Placement::Spread, 0, half)?;
                Some(vec![first, second.place(Placement::Spread, half + 1, self.length - half - 1)?])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::allen::tests::relation;
    use super::*;

    #[test]
    fn all_relations_of_all_pairs_come_first() {
        for length in [3, 8, 12] {
            let settings = boundary(length, 3, 100);
            assert_eq!(settings.len(), 100);
            for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let mut found: Vec<Relation> = Vec::new();
                for setting in &settings {
                    for &a in &setting.signals[one] {
                        found.extend(setting.signals[other].iter().map(|&b| relation(a, b)));
                    }
                }
                for asked in Relation::ALL {
                    assert!(found.contains(&asked), "{asked:?} of {one} and {other}, length {length}");
                }
            }
        }
    }

    #[test]
    fn all_shapes_and_durations_come_early() {
        let settings = boundary(8, 3, 100);
        for steps in [0, 1, 3, 7, 8, 9] {
            assert!(settings.iter().filter(|setting| setting.steps == steps).count() >= 10, "n {steps}");
        }
        for signal in 0..4 {
            for shape in ["", "0-7", "0-0", "7-7", "0-1;6-7", "2-5", "0-0;2-2;4-4;6-6"] {
                let count = settings.iter().filter(|setting| setting.intervals(signal) == shape).count();
                assert!(count >= 1, "signal {signal}: {shape}");
            }
        }
    }

    #[test]
    fn settings_differ_and_a_smaller_list_is_a_beginning() {
        for length in 1..=5 {
            let all = boundary(length, 2, usize::MAX);
            let texts: FxHashSet<String> = all.iter().map(Setting::to_string).collect();
            assert_eq!(texts.len(), all.len());
            assert_eq!(boundary(length, 2, 7), all[..7.min(all.len())]);
        }
        assert!(boundary(8, 3, usize::MAX).len() > 50_000);
    }
}
