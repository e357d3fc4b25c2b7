//! Data stores: which memory each `DataStoreRead` and `DataStoreWrite` means. The nearest one of that name on its sheet or above.

use super::wires::Feeds;
use super::{Fault, Problem, Source, Unit, UnitId};
use crate::blocks::BlockKind;
use crate::diagram::SheetId;
use std::collections::BTreeMap;

/// For each reader and writer, the memory.
pub(super) type Stores = BTreeMap<UnitId, UnitId>;

/// Finds the memories, and gives the readers and writers without one.
pub(super) fn stores(units: &[Unit], problems: &mut Vec<Problem>) -> (Stores, Vec<(UnitId, Problem)>) {
    let id = |number: usize| UnitId(number as u32);
    let above: BTreeMap<SheetId, SheetId> =
        units.iter().filter_map(|unit| Some((unit.inside?, unit.block.sheet))).collect();
    let memories: BTreeMap<(SheetId, &str), UnitId> = units
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.kind == BlockKind::DataStoreMemory)
        .map(|(number, unit)| ((unit.block.sheet, unit.word("DataStoreName")), id(number)))
        .collect();
    let (mut stores, mut lost) = (Stores::new(), Vec::new());
    for (number, unit) in units.iter().enumerate() {
        if !matches!(unit.kind, BlockKind::DataStoreRead | BlockKind::DataStoreWrite) {
            continue;
        }
        let name = unit.word("DataStoreName");
        // No chain of sheets is longer than there are units.
        let sheets = std::iter::successors(Some(unit.block.sheet), |sheet| above.get(sheet).copied());
        match sheets.take(units.len() + 1).find_map(|sheet| memories.get(&(sheet, name))) {
            Some(memory) => drop(stores.insert(id(number), *memory)),
            None => {
                let message = format!("there is no memory for the data store `{name}`");
                let problem = unit.problem(Fault::hint(message, "add a Data Store Memory block"));
                problems.push(problem.clone());
                lost.push((id(number), problem));
            }
        }
    }
    (stores, lost)
}

/// A memory is made from what is written to it, and a reader from the memory.
pub(super) fn feed(stores: &Stores, units: &[Unit], feeds: &mut Feeds) {
    for (&user, &memory) in stores {
        let unit = &units[user.0 as usize];
        if unit.kind == BlockKind::DataStoreRead {
            feeds[user.0 as usize] = vec![Some(Source { unit: memory, output: 0 })];
        } else {
            feeds[memory.0 as usize].push(unit.source(0));
        }
    }
}
