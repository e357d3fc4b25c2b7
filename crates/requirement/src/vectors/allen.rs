//! Allen's thirteen relations of two intervals, as patterns of their ends.
//!
//! An interval of positions `lo..=hi` is read as the time from `lo` to `hi + 1`, so `0..=2` meets `3..=4`. A relation defines which
//! of the four ends are equal and how the others are ordered: the ranks of the ends. Any increasing choice of points for the ranks
//! realizes it.

use crate::meaning::oracle::Interval;

/// The relation of one interval to another (J. F. Allen, *Maintaining knowledge about temporal intervals*, 1983).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Relation {
    Before,
    Meets,
    Overlaps,
    Starts,
    During,
    Finishes,
    Equal,
    After,
    MetBy,
    OverlappedBy,
    StartedBy,
    Contains,
    FinishedBy,
}

impl Relation {
    /// All thirteen relations.
    pub const ALL: [Relation; 13] = [
        Relation::Before,
        Relation::Meets,
        Relation::Overlaps,
        Relation::Starts,
        Relation::During,
        Relation::Finishes,
        Relation::Equal,
        Relation::After,
        Relation::MetBy,
        Relation::OverlappedBy,
        Relation::StartedBy,
        Relation::Contains,
        Relation::FinishedBy,
    ];

    /// The ranks of the ends of the first and of the second interval.
    fn ranks(self) -> [[usize; 2]; 2] {
        match self {
            Relation::Before => [[0, 1], [2, 3]],
            Relation::Meets => [[0, 1], [1, 2]],
            Relation::Overlaps => [[0, 2], [1, 3]],
            Relation::Starts => [[0, 1], [0, 2]],
            Relation::During => [[1, 2], [0, 3]],
            Relation::Finishes => [[1, 2], [0, 2]],
            Relation::Equal => [[0, 1], [0, 1]],
            // The others are the inverses of the first six.
            inverse => {
                let [first, second] = Relation::ALL[inverse as usize - 7].ranks();
                [second, first]
            }
        }
    }

    /// Two intervals in this relation among the positions `start..start + width`; `None` if they do not fit.
    pub(super) fn place(self, placement: Placement, start: usize, width: usize) -> Option<[Interval; 2]> {
        let ranks = self.ranks();
        let highest = ranks.iter().flatten().max().copied().unwrap_or(0);
        let points = placement.points(highest, width)?;
        Some(ranks.map(|[from, to]| Interval { lo: start + points[from], hi: start + points[to] - 1 }))
    }
}

/// The placement of the ends among the points `0..=width`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// As early as possible: from the first position on, at distances of 1.
    Early,
    /// As late as possible.
    Late,
    /// From the first position to the last.
    Spread,
    /// Spread, but neither at the first nor at the last position.
    Inner,
}

impl Placement {
    /// Points for the ranks `0..=highest`, strictly ascending; `None` if they do not fit.
    fn points(self, highest: usize, width: usize) -> Option<Vec<usize>> {
        let (from, to) = match self {
            Placement::Early => (0, highest),
            Placement::Late => (width.checked_sub(highest)?, width),
            Placement::Spread => (0, width),
            Placement::Inner => (1, width.checked_sub(1)?),
        };
        let room = to.checked_sub(from)?;
        let fits = to <= width && room >= highest && highest > 0;
        fits.then(|| (0..=highest).map(|rank| from + rank * room / highest).collect())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::cmp::Ordering::{Equal, Greater, Less};

    /// The relation of two intervals, by comparing their ends.
    pub(crate) fn relation(a: Interval, b: Interval) -> Relation {
        if a.hi + 1 < b.lo {
            return Relation::Before;
        }
        if b.hi + 1 < a.lo {
            return Relation::After;
        }
        if a.hi + 1 == b.lo {
            return Relation::Meets;
        }
        if b.hi + 1 == a.lo {
            return Relation::MetBy;
        }
        match (a.lo.cmp(&b.lo), a.hi.cmp(&b.hi)) {
            (Less, Less) => Relation::Overlaps,
            (Less, Equal) => Relation::FinishedBy,
            (Less, Greater) => Relation::Contains,
            (Equal, Less) => Relation::Starts,
            (Equal, Equal) => Relation::Equal,
            (Equal, Greater) => Relation::StartedBy,
            (Greater, Less) => Relation::During,
            (Greater, Equal) => Relation::Finishes,
            (Greater, Greater) => Relation::OverlappedBy,
        }
    }

    #[test]
    fn placed_intervals_are_in_their_relation() {
        let placements = [Placement::Early, Placement::Late, Placement::Spread, Placement::Inner];
        for asked in Relation::ALL {
            for placement in placements {
                for width in 1..=12 {
                    let Some([a, b]) = asked.place(placement, 2, width) else {
                        assert!(width < 5, "{asked:?} has no room as {placement:?} in {width}");
                        continue;
                    };
                    assert_eq!(relation(a, b), asked, "{placement:?} {width}");
                    for Interval { lo, hi } in [a, b] {
                        assert!(2 <= lo && lo <= hi && hi < 2 + width);
                    }
                }
            }
        }
    }
}
