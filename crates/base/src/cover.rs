//! Few short cases that reach every goal: greedy set cover, then what is not needed goes (rows at the end too).
//!
//! Goals are numbers: obligations, and mutants after them. What all cases reach together, those that are kept reach too.

use rustc_hash::FxHashSet;

/// What a case does for the suite: its length, and each goal it reaches with the number of rows that takes.
#[derive(Debug, Clone)]
pub struct Worth {
    /// The number of rows.
    pub rows: usize,
    /// Each goal, and the number of rows that reach it.
    pub goals: Vec<(usize, usize)>,
}

/// The cases to keep, in their order, each with the number of rows that is needed of it.
pub fn cover(worths: &[Worth]) -> Vec<(usize, usize)> {
    let mut open: FxHashSet<usize> = worths.iter().flat_map(|it| &it.goals).map(|(goal, _)| *goal).collect();
    let mut kept: Vec<(usize, usize)> = Vec::new();
    while !open.is_empty() {
        // A prefix of a case may be worth more than the whole.
        let best =
            (0..worths.len()).filter_map(|case| best_prefix(&worths[case], &open).map(|it| (it, case)));
        let Some(((_, rows), case)) = best.max_by(|one, two| {
            let ((gain, rows), (other, others)) = (one.0, two.0);
            (gain * others).cmp(&(other * rows)).then(others.cmp(&rows)).then(two.1.cmp(&one.1))
        }) else {
            break;
        };
        reached(&worths[case], rows).for_each(|goal| {
            open.remove(&goal);
        });
        match kept.iter_mut().find(|(known, _)| *known == case) {
            Some((_, known)) => *known = rows.max(*known),
            None => kept.push((case, rows)),
        }
    }
    // The last ones were taken for little: the first ones may do without some of their rows now.
    for place in 0..kept.len() {
        let (case, rows) = kept[place];
        let others: FxHashSet<usize> = kept
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != place)
            .flat_map(|(_, &(case, rows))| reached(&worths[case], rows))
            .collect();
        let needed = worths[case].goals.iter().filter(|(goal, at)| *at <= rows && !others.contains(goal));
        kept[place].1 = needed.map(|(_, at)| *at).max().unwrap_or(0);
    }
    kept.retain(|(_, rows)| *rows > 0);
    kept.sort_unstable();
    kept
}

/// The goals that the first rows of a case reach.
fn reached(worth: &Worth, rows: usize) -> impl Iterator<Item = usize> {
    worth.goals.iter().filter(move |(_, at)| *at <= rows).map(|(goal, _)| *goal)
}

/// The prefix with the most open goals for its length: how many, and how long.
fn best_prefix(worth: &Worth, open: &FxHashSet<usize>) -> Option<(usize, usize)> {
    let mut ends: Vec<usize> = worth.goals.iter().filter(|it| open.contains(&it.0)).map(|it| it.1).collect();
    ends.sort_unstable();
    let prefixes = ends.iter().enumerate().map(|(before, &rows)| (before + 1, rows.min(worth.rows)));
    prefixes.max_by(|one, two| (one.0 * two.1).cmp(&(two.0 * one.1)).then(two.1.cmp(&one.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_kept() {
        let worth = |rows: usize, goals: &[(usize, usize)]| Worth { rows, goals: goals.to_vec() };
        let check = |worths: &[Worth], expected: &[(usize, usize)]| assert_eq!(cover(worths), expected);
        check(&[], &[]);
        check(&[worth(3, &[(0, 2)]), worth(2, &[(0, 2)])], &[(0, 2)]);
        check(&[worth(3, &[(0, 2), (1, 3)]), worth(2, &[(0, 1)])], &[(0, 3)]);
        check(&[worth(9, &[(0, 9)]), worth(2, &[(0, 2)]), worth(3, &[(1, 3)])], &[(1, 2), (2, 3)]);
    }
}
