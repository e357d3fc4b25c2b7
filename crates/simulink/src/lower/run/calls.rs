//! Subsystems that charts call: a call runs in the middle of a run of its chart.
//!
//! The subsystem sees the outputs of the chart as they are at the call. If the chart reads what the subsystem computes, both need each
//! other in the same step: the chart is computed with unknowns for what it reads after the call, then the subsystem, whose outputs
//! replace the unknowns. Before the call, the chart reads what the subsystem computed last.

use super::algebraic::Unsolved;
use super::{Layout, Pass, Place, Task, Wire, blocks, classes, order, scalars};
use crate::blocks::BlockKind;
use crate::diagram::{Port, SheetId};
use crate::lower::work::{Call, Kept};
use crate::plan::{Fault, UnitId};
use crate::value::Class;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use system::Expr;

/// The sheets that charts call, each with the chart and its output.
pub(super) fn callers(layout: &Layout) -> BTreeMap<SheetId, (UnitId, usize)> {
    let mut found = BTreeMap::new();
    for &id in &layout.units {
        let unit = layout.unit(id);
        let Some(inside) = unit.inside else { continue };
        let [(Port::Trigger, source)] = unit.controls[..] else { continue };
        if let Ok([Some(wire)]) = scalars(layout, source).as_deref() {
            let caller = layout.unit(wire.unit);
            if caller.kind == BlockKind::Chart && (caller.kind.definition().momentary)(caller, wire.output) {
                found.insert(inside, (wire.unit, wire.output));
            }
        }
    }
    found
}

/// A chart and the subsystem that it calls, which need each other.
#[derive(Clone, Copy)]
pub(super) struct Called {
    chart: UnitId,
    /// The output of the chart that is the call.
    output: usize,
    owner: UnitId,
}

impl Pass<'_> {
    /// The value of a wire for a unit.
    pub(super) fn seen_by(&self, id: UnitId, wire: Wire) -> Option<Expr> {
        if !self.callers.is_empty() {
            let calls = self.layout.sheets(id).filter_map(|it| self.callers.get(&it));
            let call = calls.into_iter().find(|it| it.0 == wire.unit).and_then(|it| self.work.calls.get(it));
            if let Some(shown) = call.and_then(|it| it.shown.get(wire.output)) {
                return shown.get(wire.element).copied();
            }
        }
        self.value(wire)
    }

    /// The call that tasks consist of; none if something else needs itself there.
    pub(super) fn called(&self, tasks: &[Task]) -> Option<Called> {
        let sheets: Vec<SheetId> = tasks.iter().filter_map(|it| it.sheet()).collect();
        let [sheet] = sheets[..] else { return None };
        let &(chart, output) = self.callers.get(&sheet)?;
        let owner = self.layout.owner(sheet)?;
        let belongs = |task: &Task| match *task {
            Task::Unit(id) => id == chart || self.layout.sheets(id).any(|it| it == sheet),
            Task::Port(id, _) => id == owner,
            Task::Sheet(_) => true,
            Task::State(_) | Task::Loop(_) => false,
        };
        tasks.iter().all(belongs).then_some(Called { chart, output, owner })
    }

    /// Computes a chart and the subsystem that it calls.
    pub(super) fn call(&mut self, tasks: &[Task], called: Called) -> Result<(), Unsolved> {
        let Called { chart, output, owner } = called;
        let is_tainted = |it: &Task| self.failed.contains_key(it) && !tasks.contains(it);
        if tasks.iter().any(|it| self.needs(*it, false).iter().any(is_tainted)) {
            return Err(Unsolved::Block(None));
        }
        let failed = |pass: &Self, id: UnitId, fault: Fault| Unsolved::Block(Some(pass.problem(id, fault)));
        self.layout.sound(owner).map_err(|fault| failed(self, owner, fault))?;
        let answers = self.answers(called).map_err(|fault| failed(self, chart, fault))?;
        let mark = self.work.mark();
        let unknowns = self.work.unknowns(answers.len());
        let mut before = Vec::new();
        for place in 0..self.layout.unit(owner).outputs.len() {
            let kept = self.last(owner, place).map_err(|fault| failed(self, owner, fault))?;
            self.work.values.insert((owner, place), kept.iter().map(|it| it.seen).collect());
            before.push(kept);
        }
        let places = answers.keys().copied().zip(unknowns.iter().copied()).collect();
        self.work.calls.insert((chart, output), Call { answers: places, ..Call::default() });
        self.unit(chart).map_err(|fault| failed(self, chart, fault))?;
        let rest: BTreeSet<Task> = tasks.iter().copied().filter(|it| *it != Task::Unit(chart)).collect();
        let inner = |task: Task| self.needs(task, false).into_iter().filter(|it| rest.contains(it)).collect();
        for place in order(rest.iter().copied(), inner) {
            let Place::Task(task) = place else { return Err(Unsolved::Loop) };
            self.task(task).map_err(|fault| failed(self, self.block(task).unwrap_or(owner), fault))?;
        }
        for (place, kept) in before.into_iter().enumerate() {
            let values = self.work.values.get(&(owner, place)).cloned().unwrap_or_default();
            kept.into_iter().zip(values).for_each(|(kept, value)| self.work.update_always(kept, value));
        }
        let computed: Option<Vec<Expr>> = answers.values().map(|it| self.value(*it)).collect();
        let computed = computed.ok_or(Unsolved::Loop)?;
        if self.work.pool().reachable(computed.iter().copied()).iter().any(|it| unknowns.contains(it)) {
            return Err(Unsolved::Loop);
        }
        let known: FxHashMap<Expr, Expr> = unknowns.into_iter().zip(computed).collect();
        let units: BTreeSet<UnitId> = tasks.iter().filter_map(|it| self.block(*it)).collect();
        self.work.replace(mark, &units, &known);
        Ok(())
    }

    /// The elements of inputs of a chart that come from the subsystem that it calls, by input and element.
    fn answers(&self, called: Called) -> Result<BTreeMap<(usize, usize), Wire>, Fault> {
        let mut found = BTreeMap::new();
        for (input, wires) in self.inputs[&called.chart].clone()?.into_iter().enumerate() {
            for (element, wire) in wires.into_iter().enumerate() {
                let Some(wire) = wire.filter(|it| it.unit == called.owner) else { continue };
                let shape = &self.layout.unit(called.owner).outputs[wire.output];
                if classes(shape).iter().any(|it| *it != Class::Double) {
                    let message = "what a chart reads from the subsystem that it calls is not a double";
                    return Err(Fault::hint(message, "convert it to a double"));
                }
                found.insert((input, element), wire);
            }
        }
        Ok(found)
    }

    /// What an output of a subsystem was in the last step.
    fn last(&mut self, owner: UnitId, place: usize) -> Result<Vec<Kept>, Fault> {
        let outport = self.layout.outport(owner, place);
        let outport = outport.ok_or_else(|| Fault::new("it has an output without a port inside"))?;
        let classes = classes(&self.layout.unit(owner).outputs[place]);
        let mut kept = Vec::new();
        for (element, class) in classes.into_iter().enumerate() {
            let init = blocks::initial_output(&mut self.work, outport, element, class)?;
            kept.push(self.work.state(owner, "last", init));
        }
        Ok(kept)
    }
}
