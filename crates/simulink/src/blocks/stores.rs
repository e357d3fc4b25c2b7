//! Data stores: a memory that readers and writers share without lines.
//!
//! A reader gives the value at the beginning of the step. That is what Simulink does if the writer depends on the reader, so anything else
//! is refused: then the order in which they run is not visible in the model.

use super::{Definition, ELEMENTWISE, Instance, Lowering, PASSING};
use crate::lower::{Kept, Work};
use crate::plan::{Fault, Known, Outcome, UnitId, classes, sizes};
use system::Expr;

pub(super) const MEMORY: Definition = Definition {
    numbers: &["InitialValue", "Dimensions"],
    defaults: &[("DataStoreName", "A"), ("InitialValue", "0")],
    uses: |unit, name| name != "Dimensions" || unit.word(name) != "-1",
    inputs: Some(0),
    shapes: |case| {
        let written = case.inputs.iter().find(|it| it.size().is_some()).cloned().unwrap_or(Known::NOTHING);
        let value = case.unit.matrix("InitialValue").filter(|it| it.entries.len() > 1);
        let size = case.given().size().or_else(|| value.map(|it| sizes::of_value(&it.dimensions, true)));
        case.one(case.explicit().or(written.class()), size.or_else(|| written.size()))
    },
    sample_time: |_| None,
    lowering: Lowering::Nothing,
    ..ELEMENTWISE
};

pub(super) const READ: Definition = Definition {
    defaults: &[("DataStoreName", "A")],
    inputs: Some(0),
    shapes: PASSING.shapes,
    remembers: true,
    lowering: Lowering::One(|work, block| {
        work.layout.order_of_store(block.id)?;
        let memory = memory(work, block)?;
        let states = states(work, memory)?;
        Ok(states.into_iter().map(|it| it.seen).collect())
    }),
    ..ELEMENTWISE
};

pub(super) const WRITE: Definition = Definition {
    defaults: &[("DataStoreName", "A")],
    inputs: Some(1),
    outputs: |_| Some(0),
    lowering: Lowering::Sink(write),
    ..ELEMENTWISE
};

fn memory(work: &Work, block: &Instance) -> Outcome<UnitId> {
    let memory = work.layout.plan.stores.get(&block.id).copied();
    memory.ok_or_else(|| Fault::new("its data store has no memory"))
}

/// The states of a memory.
pub(super) fn states(work: &mut Work, id: UnitId) -> Outcome<Vec<Kept>> {
    if let Some(states) = work.kept.get(&id) {
        return Ok(states.clone());
    }
    work.layout.sound(id)?;
    let unit = work.layout.unit(id);
    let shape = unit.outputs.first().ok_or_else(|| Fault::new("its type is not known"))?;
    let mut states = Vec::new();
    for (element, class) in classes(shape).into_iter().enumerate() {
        let init = work.constant(unit.entry("InitialValue", element), class)?;
        states.push(work.state(id, "value", init));
    }
    work.kept.insert(id, states.clone());
    Ok(states)
}

fn write(work: &mut Work, block: &Instance) -> Outcome<()> {
    work.layout.order_of_store(block.id)?;
    let id = memory(work, block)?;
    let states = states(work, id)?;
    let unit = work.layout.unit(id);
    let classes = unit.outputs.first().map(classes).unwrap_or_default();
    for (element, (kept, class)) in states.into_iter().zip(classes).enumerate() {
        let value: Expr = work.conform(block, class, block.at(0, element)?);
        work.update(block.id, kept, value);
    }
    Ok(())
}
