//! Algebraic loops: signals that depend on themselves within a step. Each one is named by its blocks.
//!
//! Strongly connected components of outputs. Subsystems are looked through: a way
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
    let mut needs: Vec<Vec<u32>> = vec![];
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
            needs.push(sources.iter().filter_map(number).map(|at| at as u32).collect());
        }
    }
    let components = base::components(needs.len(), |node| needs[node as usize].iter().copied());
    let has_loop = |all: &Vec<u32>| all.len() > 1 || needs[all[0] as usize].contains(&all[0]);
    for component in components.members().into_iter().filter(has_loop) {
        let mut all: Vec<&Unit> =
            component.iter().map(|&node| &units[owners[node as usize].0 as usize]).collect();
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
