//! Global variables of MATLAB Functions, which are data stores. A store that nothing else uses is a variable that keeps its value.

use super::super::stores;
use super::{Array, Kept, Machine};
use crate::blocks::BlockKind;
use crate::chart::{Chart, Code};
use crate::plan::{Fault, Outcome, Shape, UnitId};
use system::Pool;

/// The scope of the data of a chart that is a data store.
const STORE: &str = "DATA_STORE_MEMORY_DATA";

impl Machine<'_, '_, '_> {
    /// Declares a global variable.
    pub(super) fn global(&mut self, name: &str) -> Outcome<()> {
        let state = format!("global {name}");
        self.frame().persistent.insert(name.to_owned(), state.clone());
        if self.persistent.contains_key(&state) {
            return Ok(());
        }
        let memory = self.memory(name)?;
        let layout = self.work.layout;
        if self.block.kind != BlockKind::Script || self.others(name, memory) {
            let message =
                format!("other blocks use the data store `{name}` too, in an order that is not known");
            return Err(Fault::hint(message, "use a persistent variable, or lines"));
        }
        let states = stores::states(self.work, memory)?;
        let Some(Shape::Signal { class, dimensions, .. }) = layout.unit(memory).outputs.first() else {
            return Err(Fault::new(format!("the data store `{name}` is a bus")));
        };
        let (rows, columns) = match dimensions[..] {
            [rows, columns] => (rows, columns),
            [1] => (1, 1),
            // A vector is a column.
            [rows] => (rows, 1),
            _ => return Err(Fault::new(format!("the data store `{name}` has more than two dimensions"))),
        };
        self.work.stateful.insert(self.block.id);
        let scalars = states.iter().map(|it| it.seen).collect();
        let value = Some((Array { class: *class, rows, columns, scalars }, states));
        self.persistent.insert(state, Kept { set: None, is_set: Pool::TRUE, value });
        Ok(())
    }

    /// The memory of a data store: the nearest one on the sheet of the block or above.
    fn memory(&self, name: &str) -> Outcome<UnitId> {
        let layout = self.work.layout;
        let above = |sheet: &_| layout.owner(*sheet).map(|it| layout.home(it));
        let is_memory = |id: &UnitId| {
            let unit = layout.unit(*id);
            unit.kind == BlockKind::DataStoreMemory && unit.word("DataStoreName") == name
        };
        let memories: Vec<UnitId> =
            (0..layout.plan.units.len() as u32).map(UnitId).filter(is_memory).collect();
        let mut sheets = std::iter::successors(Some(layout.home(self.block.id)), above);
        let found = sheets.find_map(|sheet| memories.iter().find(|it| layout.home(**it) == sheet));
        found.copied().ok_or_else(|| {
            let message = format!("there is no memory for the global variable `{name}`");
            Fault::hint(message, "add a Data Store Memory block")
        })
    }

    /// Whether another block may read or write a data store.
    fn others(&self, name: &str, memory: UnitId) -> bool {
        let plan = self.work.layout.plan;
        let chart = |number: usize| plan.charts.get(plan.units[number].word("Chart").parse::<usize>().ok()?);
        let is_other = |number: usize| number != self.block.id.0 as usize;
        plan.stores.values().any(|it| *it == memory)
            || (0..plan.units.len()).filter(|it| is_other(*it)).filter_map(chart).any(|it| uses(it, name))
    }
}

/// Whether the code of a chart, or its data, may use a data store.
fn uses(chart: &Chart, name: &str) -> bool {
    let has =
        |code: &str, word: &str| code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == word);
    let declares = |code: &str| has(code, "global") && has(code, name);
    let in_function = |code: &Code| matches!(code, Code::Matlab(code) if declares(code));
    match &chart.script {
        Some(script) => declares(script),
        None => {
            chart.data.iter().any(|it| it.scope == STORE && it.name == name)
                || chart.states.iter().any(|it| in_function(&it.code))
        }
    }
}
