//! Algebraic loops: signals that depend on themselves within a step. Each one is named by its blocks.
//!
//! Strongly connected components of outputs (Tarjan 1972, with a stack of its own). Subsystems are looked through: a way
//! that goes in at one port and out at another is no loop if the inside does not connect them.

use super::wires::Feeds;
use super::{Source, Trouble, Unit, UnitId, kinds};

/// Adds a trouble for each loop.
pub(super) fn find(units: &[Unit], feeds: &Feeds, troubles: &mut Vec<Trouble>) {
    // Outputs are numbered through; a unit without outputs is on no loop.
    let mut first = vec![0];
    for unit in units {
        first.push(first[first.len() - 1] + unit.outputs.len());
    }
    let number = |source: &Source| {
        let from = first[source.unit.0 as usize];
        let at = from + source.output as usize;
        (at < first[source.unit.0 as usize + 1]).then_some(at)
    };
    let mut needs: Vec<Vec<usize>> = vec![];
    let mut owners: Vec<UnitId> = vec![];
    for ((id, unit), feeds) in (0..).zip(units).zip(feeds) {
        for output in 0..unit.outputs.len() {
            owners.push(UnitId(id));
            let sources: Vec<Source> = match unit.kind.as_str() {
                "SubSystem" => {
                    let own = feeds.get(output).copied().flatten();
                    own.into_iter().chain(unit.controls.iter().filter_map(|(_, source)| *source)).collect()
                }
                _ => {
                    let direct = |(k, _): &(usize, &Option<Source>)| kinds::is_direct(unit, *k);
                    feeds.iter().enumerate().filter(direct).filter_map(|(_, source)| *source).collect()
                }
            };
            needs.push(sources.iter().filter_map(number).collect());
        }
    }
    for mut component in components(&needs) {
        component.sort_unstable();
        let mut all: Vec<&Unit> = component.iter().map(|&node| &units[owners[node].0 as usize]).collect();
        all.dedup_by_key(|unit| unit.block);
        // Ports and subsystems only carry the loop.
        let computing = |unit: &&&Unit| !matches!(unit.kind.as_str(), "Inport" | "SubSystem");
        let on: Vec<&Unit> = all.iter().filter(computing).copied().collect();
        let on = if on.is_empty() { all } else { on };
        let Some(first) = on.first() else { continue };
        let shown: Vec<String> =
            on.iter().take(10).map(|unit| format!("`{}`", unit.path.replace('\n', " "))).collect();
        let more = if on.len() > shown.len() {
            format!(" and {} more", on.len() - shown.len())
        } else {
            String::new()
        };
        troubles.push(Trouble {
            path: first.path.clone(),
            kind: first.kind.clone(),
            message: format!("an algebraic loop goes through {}{more}", shown.join(", ")),
            hint: Some("put a Unit Delay or a Memory into the loop".into()),
        });
    }
}

/// Components with a loop.
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
                if component.len() > 1 || needs[node].contains(&node) {
                    found.push(component);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn loops_among_numbers() {
        type Lists = &'static [&'static [usize]];
        let cases: [(Lists, Lists); 4] = [
            (&[&[1], &[2], &[]], &[]),
            (&[&[1], &[2], &[0]], &[&[0, 1, 2]]),
            (&[&[0], &[]], &[&[0]]),
            (&[&[1], &[0], &[3], &[2, 0]], &[&[0, 1], &[2, 3]]),
        ];
        for (needs, want) in cases {
            let needs: Vec<Vec<usize>> = needs.iter().map(|all| all.to_vec()).collect();
            let mut found = components(&needs);
            found.iter_mut().for_each(|component| component.sort_unstable());
            assert_eq!(found, want);
        }
        let chain: Vec<Vec<usize>> = (0..100_000).map(|k| vec![(k + 1) % 100_000]).collect();
        assert_eq!(components(&chain)[0].len(), 100_000);
    }
}
