//! The order in which values are computed: each after those that it needs in the same step; loops are found and named.
//!
//! A depth-first walk with a stack of its own. What is computed is a unit, an output of a conditional subsystem, or whether a
//! sheet runs.

use crate::diagram::SheetId;
use crate::plan::UnitId;
use std::collections::BTreeMap;

/// Something to be computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Task {
    /// All outputs of a unit.
    Unit(UnitId),
    /// One output of a conditional subsystem.
    Port(UnitId, usize),
    /// Whether a sheet runs.
    Sheet(SheetId),
}

/// The tasks in order, and the loops among them, each from the first task that the walk met.
pub(crate) fn order(
    tasks: impl IntoIterator<Item = Task>,
    needs: impl Fn(Task) -> Vec<Task>,
) -> (Vec<Task>, Vec<Vec<Task>>) {
    let mut done: BTreeMap<Task, bool> = BTreeMap::new();
    let (mut ordered, mut loops) = (Vec::new(), Vec::new());
    for root in tasks {
        if done.contains_key(&root) {
            continue;
        }
        done.insert(root, false);
        let mut stack = vec![(root, needs(root), 0)];
        while let Some((task, before, next)) = stack.last_mut() {
            let Some(&need) = before.get(*next) else {
                done.insert(*task, true);
                ordered.push(*task);
                stack.pop();
                continue;
            };
            *next += 1;
            match done.get(&need) {
                Some(true) => {}
                Some(false) => {
                    let start = stack.iter().position(|it| it.0 == need).unwrap_or(0);
                    loops.push(stack[start..].iter().map(|it| it.0).collect());
                }
                None => {
                    done.insert(need, false);
                    stack.push((need, needs(need), 0));
                }
            }
        }
    }
    (ordered, loops)
}

#[cfg(test)]
mod tests {
    use super::{Task, order};
    use crate::plan::UnitId;

    fn task(number: u32) -> Task {
        Task::Unit(UnitId(number))
    }

    #[test]
    fn needs_come_first_and_loops_are_found() {
        let edges = [(0, 1), (1, 2), (3, 1), (4, 5), (5, 4)];
        let needs = |it: Task| edges.iter().filter(|(a, _)| task(*a) == it).map(|(_, b)| task(*b)).collect();
        let (ordered, loops) = order((0..6).map(task), needs);
        assert_eq!(ordered, [2, 1, 0, 3, 5, 4].map(task));
        assert_eq!(loops, [vec![task(4), task(5)]]);
    }

    #[test]
    fn long_chains_need_no_deep_stack() {
        let last = 200_000;
        let needs = |it: Task| match it {
            Task::Unit(UnitId(n)) if n < last => vec![task(n + 1)],
            _ => Vec::new(),
        };
        assert_eq!(order([task(0)], needs).0.len(), last as usize + 1);
    }
}
