//! Loops within a step: the inside of a subsystem with a `ForIterator`, `WhileIterator` or `ForEach` is computed once for each turn.
//!
//! A loop is one task. Its turns are unrolled, so their number has a limit. The states of its blocks go from turn to turn, and from the last
//! turn of a step to the first one of the next. A turn that does not take place changes nothing. An output is that of the last turn;
//! before the first one it is its initial value. Each turn of a `ForEach` has states of its own, and its outputs are joined.

use super::{Instance, Layout, Outcome, Pass, Place, Role, Task, Wire, classes, order, scalars};
use crate::blocks::{self, BlockKind, Lowering, Turns, turns};
use crate::diagram::SheetId;
use crate::lower::work::Activity;
use crate::plan::{Fault, Shape, UnitId};
use std::collections::{BTreeMap, BTreeSet};
use system::{Expr, Pool};

/// The outputs of units.
type Values = BTreeMap<(UnitId, usize), Vec<Expr>>;

/// What is known before a turn.
struct Turning {
    /// Whether it takes place.
    active: Expr,
    /// Whether the states restart in it.
    restart: Expr,
    /// The outputs of the last turn that took place.
    last: Values,
    /// What each turn gave for each output of the subsystem, if that is joined.
    joined: Vec<Vec<Vec<Expr>>>,
}

impl Pass<'_> {
    /// What a loop needs from outside: the inputs of all blocks in it, and whether it runs.
    pub(super) fn needs_of_loop(&self, sheet: SheetId) -> Vec<Task> {
        let units = self.layout.units.iter().filter(|it| self.layout.is_within(**it, sheet));
        let mut wires: Vec<Wire> = Vec::new();
        for id in units {
            wires.extend(self.inputs[id].iter().flatten().flatten().flatten());
            let controls = &self.layout.unit(*id).controls;
            let controls = controls.iter().filter_map(|(_, source)| scalars(self.layout, *source).ok());
            wires.extend(controls.flatten().flatten());
        }
        let outside = wires.into_iter().filter(|it| !self.layout.is_within(it.unit, sheet));
        let mut needs: Vec<Task> = outside.map(|it| self.producer(it)).collect();
        let home = self.layout.owner(sheet).map(|owner| self.layout.home(owner));
        needs.extend(home.filter(|it| *it != self.layout.top).map(Task::Sheet));
        needs
    }

    /// Computes all turns of a loop.
    pub(super) fn run_loop(&mut self, sheet: SheetId) -> Outcome<()> {
        let (Some(owner), Some(iterator)) = (self.layout.owner(sheet), self.layout.iterator(sheet)) else {
            return Ok(());
        };
        self.layout.sound(owner)?;
        self.layout.sound(iterator)?;
        let inner: Vec<UnitId> =
            self.layout.units.iter().copied().filter(|it| self.layout.is_within(*it, sheet)).collect();
        self.check_loop(owner, &inner)?;
        let tasks = self.order_of_loop(sheet)?;
        let outer = self.work.activity.get(&self.layout.home(owner)).copied();
        let outer = outer.unwrap_or(Activity { active: Pool::TRUE, restart: Pool::FALSE });
        let unit = self.layout.unit(iterator);
        let given = |place: usize| -> Outcome<Option<Expr>> {
            match self.inputs[&iterator].clone()?.get(place).and_then(|it| it.first().copied()) {
                Some(Some(wire)) if !self.layout.is_within(wire.unit, sheet) => Ok(self.value(wire)),
                _ => Ok(None),
            }
        };
        let (first, second) = (given(0)?, given(1)?);
        let apart = unit.kind == BlockKind::ForEach;
        let Turns { most, begins, resets } = if apart {
            Turns { most: self.parts(sheet)?, begins: Pool::TRUE, resets: false }
        } else {
            turns(&mut self.work, unit, first, second)?
        };
        self.work.reserve(most, tasks.len())?;
        let ran = self.work.pool().and([outer.active, begins]);
        let restart = if resets { ran } else { outer.restart };
        self.work.enter_loop(apart);
        let begin = Turning { active: ran, restart, last: Values::new(), joined: Vec::new() };
        let outcome = (0..most).try_fold(begin, |turning, turn| {
            self.turn((sheet, iterator), turn, turning, &tasks, &inner, first)
        });
        self.work.leave_loop();
        let Turning { last, joined, .. } = outcome?;
        self.work.values.extend(last);
        if apart { self.join(owner, &joined) } else { self.outputs_of_loop(owner, ran) }
    }

    /// The number of parts of the inputs of a subsystem, which is that of its turns.
    fn parts(&self, sheet: SheetId) -> Outcome<usize> {
        let mut counts = BTreeSet::new();
        for id in self.layout.units.iter().filter(|it| self.layout.home(**it) == sheet) {
            let Some(part) =
                blocks::part(self.layout.unit(*id)).filter(|_| self.layout.role(*id) == Role::Compute)
            else {
                continue;
            };
            let size = match self.layout.shape(self.layout.sources(*id).first().copied().flatten()) {
                Some(Shape::Signal { dimensions, .. }) => dimensions.clone(),
                Some(Shape::Bus(_)) => return Err(Fault::new("an input that is divided is a bus")),
                None => vec![1],
            };
            counts.insert(blocks::turns_of(&size, part)?);
        }
        match counts.into_iter().collect::<Vec<_>>()[..] {
            [only] => Ok(only),
            _ => Err(Fault::new("its inputs do not have the same number of parts")),
        }
    }

    /// The outputs of a subsystem: those of all turns, joined.
    fn join(&mut self, owner: UnitId, turns: &[Vec<Vec<Expr>>]) -> Outcome<()> {
        let unit = self.layout.unit(owner);
        for (output, shape) in unit.outputs.iter().enumerate() {
            let inner = self.layout.outport(owner, output).map(|it| self.layout.unit(it));
            let inner = inner.and_then(|it| self.layout.shape(it.source(0)));
            let (Some(Shape::Signal { dimensions, .. }), Some(along)) =
                (inner, blocks::joined_along(unit, output))
            else {
                return Err(Fault::new("an output is a bus, or is not connected inside"));
            };
            let all: Vec<Vec<Expr>> = turns.iter().filter_map(|it| it.get(output).cloned()).collect();
            let values = blocks::together(&all, dimensions, along);
            let (has, wants) = (values.len(), classes(shape).len());
            if has != wants {
                return Err(Fault::new(format!("its output {} has {has} values, not {wants}", output + 1)));
            }
            self.work.values.insert((owner, output), values);
        }
        Ok(())
    }

    /// What the outputs of a subsystem are in a turn.
    fn results(&mut self, owner: UnitId) -> Outcome<Vec<Vec<Expr>>> {
        let mut found = Vec::new();
        for (output, shape) in self.layout.unit(owner).outputs.iter().enumerate() {
            let outport = self.layout.outport(owner, output);
            let outport = outport.ok_or_else(|| Fault::new("it has an output without a port inside"))?;
            let signal = self.signals(outport, true)?.into_iter().next().unwrap_or_default();
            let class = classes(shape).first().copied().unwrap_or_default();
            let unit = self.layout.unit(outport);
            found.push(signal.scalars.iter().map(|it| self.work.conform(unit, class, *it)).collect());
        }
        Ok(found)
    }

    /// Computes one turn, and gives what is known before the next one.
    fn turn(
        &mut self,
        (sheet, iterator): (SheetId, UnitId),
        turn: usize,
        Turning { active, restart, mut last, mut joined }: Turning,
        tasks: &[Task],
        inner: &[UnitId],
        limit: Option<Expr>,
    ) -> Outcome<Turning> {
        if active == Pool::FALSE {
            return Ok(Turning { active, restart, last, joined });
        }
        self.work.activity.insert(sheet, Activity { active, restart });
        let mark = self.work.begin_turn(turn, active, inner);
        self.compute_turn(iterator, turn, tasks, inner)?;
        self.work.end_turn(mark, inner)?;
        let apart = self.layout.unit(iterator).kind == BlockKind::ForEach;
        if let Some(owner) = self.layout.owner(sheet).filter(|_| apart) {
            joined.push(self.results(owner)?);
        }
        for id in inner {
            for output in 0..self.layout.unit(*id).outputs.len() {
                let Some(values) = self.work.values.get(&(*id, output)).cloned() else { continue };
                let kept = last.remove(&(*id, output)).unwrap_or_else(|| values.clone());
                let merged =
                    values.iter().zip(kept).map(|(new, old)| self.work.pool().ite(active, *new, old));
                let merged = merged.collect();
                last.insert((*id, output), merged);
            }
        }
        let more = self.goes_on(iterator, turn, limit)?;
        let restart = if apart { restart } else { Pool::FALSE };
        Ok(Turning { active: self.work.pool().and([active, more]), restart, last, joined })
    }

    /// Refuses what cannot be computed several times in a step.
    fn check_loop(&self, owner: UnitId, inner: &[UnitId]) -> Outcome<()> {
        let unit = self.layout.unit(owner);
        if !unit.controls.is_empty() {
            let message = "a loop that does not run at every step is not supported";
            return Err(Fault::hint(message, "put it into a conditional subsystem of its own"));
        }
        let continuous = self.layout.plan.approximation.is_some() && unit.continuous;
        let refused = |id: &&UnitId| {
            let unit = self.layout.unit(**id);
            let kind = unit.kind.definition();
            let store = matches!(
                unit.kind,
                BlockKind::DataStoreMemory | BlockKind::DataStoreRead | BlockKind::DataStoreWrite
            );
            matches!(kind.lowering, Lowering::Flow(_) | Lowering::Claim { .. }) || store
        };
        match inner.iter().find(refused) {
            Some(id) => {
                let inner = self.layout.unit(*id);
                Err(Fault::new(format!("`{}` in a loop is not supported ({})", inner.kind, inner.path)))
            }
            None if continuous => {
                Err(Fault::hint("a loop over continuous signals is not supported", "sample its inputs"))
            }
            None => Ok(()),
        }
    }

    /// The tasks of a loop in their order.
    fn order_of_loop(&self, sheet: SheetId) -> Outcome<Vec<Task>> {
        let inside = self.layout.units.iter().filter(|it| self.layout.region(**it) == Some(sheet));
        let tasks: BTreeSet<Task> = inside.flat_map(|id| tasks_of(self.layout, *id)).collect();
        let needs =
            |task: Task| self.needs(task, false).into_iter().filter(|it| tasks.contains(it)).collect();
        let place = |place| match place {
            Place::Task(task) => Ok(task),
            Place::Loop(tasks) => {
                let message = self.loop_problem(&tasks).map_or_else(String::new, |it| it.message);
                Err(Fault::new(message))
            }
        };
        order(tasks.iter().copied(), needs).into_iter().map(place).collect()
    }

    /// Computes everything inside once.
    fn compute_turn(
        &mut self,
        iterator: UnitId,
        turn: usize,
        tasks: &[Task],
        inner: &[UnitId],
    ) -> Outcome<()> {
        let unit = self.layout.unit(iterator);
        let zero_based = unit.word("IndexMode").starts_with("Zero");
        let number = turn as f64 + if zero_based { 0.0 } else { 1.0 };
        for shape in &unit.outputs {
            let value = classes(shape)
                .into_iter()
                .map(|it| self.work.constant(number, it))
                .collect::<Outcome<_>>()?;
            self.work.values.insert((iterator, 0), value);
        }
        let at = |pass: &Self, id: UnitId, fault: Fault| {
            let message = format!("`{}`: {}", pass.layout.unit(id).path.replace('\n', " "), fault.message);
            Fault { message, ..fault }
        };
        for &task in tasks {
            self.task(task).map_err(|fault| match self.block(task) {
                Some(id) => at(self, id, fault),
                None => fault,
            })?;
        }
        for &id in inner {
            // Blocks in loops inside this one are finished there.
            if self.layout.region(id) != self.layout.region(iterator) || !self.work.kept.contains_key(&id) {
                continue;
            }
            let unit = self.layout.unit(id);
            let signals = self.signals(id, true).map_err(|fault| at(self, id, fault))?;
            let block = Instance { id, unit, signals: &signals };
            block.finish(&mut self.work).map_err(|fault| at(self, id, fault))?;
        }
        Ok(())
    }

    /// Whether another turn follows, if this one took place.
    fn goes_on(&mut self, iterator: UnitId, turn: usize, limit: Option<Expr>) -> Outcome<Expr> {
        let unit = self.layout.unit(iterator);
        if unit.kind == BlockKind::WhileIterator {
            let wire: Option<Wire> =
                self.inputs[&iterator].clone()?.first().and_then(|it| it.first().copied()).flatten();
            let value = wire.and_then(|it| self.value(it));
            let value = value.ok_or_else(|| Fault::new("its condition is not connected"))?;
            return Ok(self.work.truth_of(value));
        }
        let Some(limit) = limit else { return Ok(Pool::TRUE) };
        let done = self.work.ratio(turn as i64 + 1, 1);
        let limit = self.work.real_of(limit);
        let limit = self.work.round("Zero", limit);
        Ok(self.work.pool().gt(limit, done))
    }

    /// The outputs of the subsystem: those of the last turn of this step, or of an earlier one.
    fn outputs_of_loop(&mut self, owner: UnitId, ran: Expr) -> Outcome<()> {
        for output in 0..self.layout.unit(owner).outputs.len() {
            let outport = self.layout.outport(owner, output);
            let outport = outport.ok_or_else(|| Fault::new("it has an output without a port inside"))?;
            let signal = self.signals(outport, true)?.into_iter().next().unwrap_or_default();
            let (unit, shape) = (self.layout.unit(outport), &self.layout.unit(owner).outputs[output]);
            let mut values = Vec::new();
            for (element, class) in classes(shape).into_iter().enumerate() {
                let mut value = self.work.conform(unit, class, signal.at(element)?);
                if ran != Pool::TRUE || self.work.is_in_loop() {
                    let init = blocks::initial_output(&mut self.work, outport, element, class)?;
                    let kept = self.work.state(owner, "held", init);
                    value = self.work.pool().ite(ran, value, kept.seen);
                    self.work.update(owner, kept, value);
                }
                values.push(value);
            }
            self.work.values.insert((owner, output), values);
        }
        Ok(())
    }
}

/// The tasks of a unit on its own.
pub(super) fn tasks_of(layout: &Layout<'_>, id: UnitId) -> Vec<Task> {
    let unit = layout.unit(id);
    let mut tasks = Vec::new();
    match layout.role(id) {
        Role::Input | Role::Compute | Role::Claim { .. } => {
            tasks.push(Task::Unit(id));
            tasks.extend(unit.state_port().map(|_| Task::State(id)));
        }
        Role::Conditional => tasks.extend((0..unit.outputs.len()).map(|it| Task::Port(id, it))),
        Role::Loop => tasks.extend(unit.inside.map(Task::Loop)),
        Role::Wires | Role::Nothing => {}
    }
    if layout.role(id) != Role::Loop {
        tasks.extend(unit.inside.map(Task::Sheet));
    }
    tasks
}
