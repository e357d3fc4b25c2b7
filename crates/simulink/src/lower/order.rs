//! The order in which values are computed: each after those that it needs in the same step. Values that need themselves form an
//! algebraic loop.
//!
//! Strongly connected components (Tarjan 1972, with an explicit stack) come out in this order.

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
    /// The states of a unit, as it shows them before its inputs are known.
    State(UnitId),
    /// Whether a sheet runs.
    Sheet(SheetId),
    /// All turns of the loop over a sheet.
    Loop(SheetId),
}

impl Task {
    /// The sheet of which a task tells whether it runs.
    pub(crate) fn sheet(self) -> Option<SheetId> {
        match self {
            Task::Sheet(sheet) => Some(sheet),
            Task::Unit(_) | Task::Port(..) | Task::State(_) | Task::Loop(_) => None,
        }
    }
}

/// A position in the order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A task that needs only those before it.
    Task(Task),
    /// Tasks that need each other, or one that needs itself.
    Loop(Vec<Task>),
}

/// The tasks and all that they need, in order.
pub(crate) fn order(tasks: impl IntoIterator<Item = Task>, needs: impl Fn(Task) -> Vec<Task>) -> Vec<Place> {
    let mut tasks: Vec<Task> = tasks.into_iter().collect();
    let mut numbers: BTreeMap<Task, usize> = tasks.iter().copied().zip(0..).collect();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    while let Some(&task) = tasks.get(edges.len()) {
        let number = |need: Task| {
            *numbers.entry(need).or_insert_with(|| {
                tasks.push(need);
                tasks.len() - 1
            })
        };
        edges.push(needs(task).into_iter().map(number).collect());
    }
    let place = |component: Vec<usize>| match component[..] {
        [only] if !edges[only].contains(&only) => Place::Task(tasks[only]),
        _ => Place::Loop(component.into_iter().map(|number| tasks[number]).collect()),
    };
    components(&edges).into_iter().map(place).collect()
}

/// The strongly connected components, each after those that it needs.
fn components(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut index = vec![NEW; needs.len()];
    let mut low = vec![NEW; needs.len()];
    let mut on_stack = vec![false; needs.len()];
    let (mut stack, mut found, mut next) = (vec![], vec![], 0);
    for root in 0..needs.len() {
        let mut walk = if index[root] == NEW { vec![(root, 0)] } else { vec![] };
        while let Some(&mut (node, ref mut place)) = walk.last_mut() {
            if *place == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&need) = needs[node].get(*place) {
                *place += 1;
                if index[need] == NEW {
                    walk.push((need, 0));
                } else if on_stack[need] {
                    low[node] = low[node].min(index[need]);
                }
                continue;
            }
            walk.pop();
            if let Some(&(above, _)) = walk.last() {
                low[above] = low[above].min(low[node]);
            }
            if low[node] == index[node] {
                let from = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let component: Vec<usize> = stack.drain(from..).collect();
                component.iter().for_each(|&node| on_stack[node] = false);
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Place, Task, order};
    use crate::plan::UnitId;

    fn task(number: u32) -> Task {
        Task::Unit(UnitId(number))
    }

    #[test]
    fn needs_come_first_and_loops_are_found() {
        let edges = [(0, 1), (1, 2), (3, 1), (4, 5), (5, 4), (6, 6), (7, 6)];
        let needs = |it: Task| edges.iter().filter(|(a, _)| task(*a) == it).map(|(_, b)| task(*b)).collect();
        let ordered: Vec<Vec<Task>> = order((0..8).map(task), needs)
            .into_iter()
            .map(|place| match place {
                Place::Task(task) => vec![task],
                Place::Loop(mut all) => {
                    all.sort();
                    all.insert(0, task(99));
                    all
                }
            })
            .collect();
        let want: [&[u32]; 7] = [&[2], &[1], &[0], &[3], &[99, 4, 5], &[99, 6], &[7]];
        assert_eq!(ordered, want.map(|all| all.iter().copied().map(task).collect::<Vec<Task>>()));
    }

    #[test]
    fn long_chains_need_no_deep_stack() {
        let last = 200_000;
        let needs = |it: Task| match it {
            Task::Unit(UnitId(n)) if n < last => vec![task(n + 1)],
            _ => Vec::new(),
        };
        assert_eq!(order([task(0)], needs).len(), last as usize + 1);
    }
}
