//! One pass over all blocks: each value in order, then the updates of states, then names, outputs and properties.
//!
//! A block that cannot be computed is noted with the reason, and what depends on it stays without a value. If nothing that is
//! needed does, a second pass leaves all of it out.

use super::Options;
use super::blocks::{self, Role, role};
use super::control;
use super::logic;
use super::order::{Task, order};
use super::parameters::{Fault, Outcome};
use super::wires::{Layout, Wire};
use super::work::{Activity, Signal, Work, classes};
use crate::diagram::SheetId;
use crate::plan::{Shape, Source, Trouble, UnitId, is_direct, remembers};
use std::collections::{BTreeMap, BTreeSet};
use system::{Expr, Origin, Pool, System};

/// The producers of each scalar of each input.
type Inputs = Vec<Vec<Option<Wire>>>;

pub(crate) struct Pass<'p> {
    layout: &'p Layout<'p>,
    work: Work<'p>,
    inputs: BTreeMap<UnitId, Outcome<Inputs>>,
    tasks: Vec<Task>,
    /// What has no value, with the reason if it is the first one in its chain.
    failed: BTreeMap<Task, Option<Trouble>>,
    left_out: BTreeSet<Task>,
    /// The names of the outputs of the system, port by port.
    outputs: Vec<(UnitId, Vec<String>)>,
}

impl<'p> Pass<'p> {
    pub(crate) fn new(layout: &'p Layout<'p>) -> Pass<'p> {
        let mut inputs = BTreeMap::new();
        let mut tasks = Vec::new();
        for &id in &layout.units {
            let unit = layout.unit(id);
            let all = || unit.inputs.iter().map(|source| scalars(layout, *source)).collect();
            inputs.insert(id, layout.sound(id).and_then(|()| all()));
            match role(layout, id) {
                Role::Input | Role::Compute | Role::Claim => tasks.push(Task::Unit(id)),
                Role::Conditional => tasks.extend((0..unit.outputs.len()).map(|it| Task::Port(id, it))),
                Role::Wires | Role::Nothing => {}
            }
            tasks.extend(unit.inside.map(Task::Sheet));
        }
        Pass {
            layout,
            work: Work::new(layout),
            inputs,
            tasks,
            failed: BTreeMap::new(),
            left_out: BTreeSet::new(),
            outputs: Vec::new(),
        }
    }

    /// Whether everything has a value.
    pub(crate) fn is_complete(&self) -> bool {
        self.failed.is_empty()
    }

    /// A new pass without all that depends on what failed.
    pub(crate) fn without_tainted(self) -> Pass<'p> {
        let mut left_out: BTreeSet<Task> = self.failed.keys().copied().collect();
        loop {
            let before = left_out.len();
            for &task in &self.tasks {
                if !left_out.contains(&task) && self.needs(task, true).iter().any(|it| left_out.contains(it))
                {
                    left_out.insert(task);
                }
            }
            if left_out.len() == before {
                break;
            }
        }
        Pass { left_out, ..Pass::new(self.layout) }
    }

    /// The reasons why an output or a property has no value; none if all have one.
    pub(crate) fn needed_troubles(&self) -> Vec<Trouble> {
        let claims = self.layout.units.iter().filter(|it| role(self.layout, **it) == Role::Claim);
        let mut open: Vec<Task> = claims.map(|it| Task::Unit(*it)).collect();
        let mut troubles = Vec::new();
        for id in self.layout.ports(self.layout.top, "Outport") {
            match &self.inputs[&id] {
                Ok(wires) => open.extend(wires.iter().flatten().flatten().map(|it| self.producer(*it))),
                Err(fault) => troubles.push(self.trouble(id, fault.clone())),
            }
        }
        let mut seen: BTreeSet<Task> = open.iter().copied().collect();
        open = seen.iter().copied().collect();
        while let Some(task) = open.pop() {
            troubles.extend(self.failed.get(&task).cloned().flatten());
            open.extend(self.needs(task, true).into_iter().filter(|it| seen.insert(*it)));
        }
        troubles.sort_by(|a, b| (&a.path, &a.message).cmp(&(&b.path, &b.message)));
        troubles.dedup();
        troubles
    }

    pub(crate) fn compute(&mut self) {
        self.ports();
        let tasks: Vec<Task> = self.tasks.iter().filter(|it| !self.left_out.contains(it)).copied().collect();
        let (ordered, loops) = order(tasks.iter().copied(), |task| self.needs(task, false));
        for it in loops {
            let blocks = it.iter().filter_map(|task| self.block(*task));
            let mut names: Vec<String> = blocks.map(|id| format!("`{}`", self.work.path(id))).collect();
            names.dedup();
            let message = format!("an algebraic loop goes through {}", names.join(", "));
            let fault = Fault::hint(message, "put a `UnitDelay` into the loop");
            let trouble = it.iter().find_map(|task| self.block(*task)).map(|id| self.trouble(id, fault));
            it.into_iter().for_each(|task| {
                self.failed.insert(task, trouble.clone());
            });
        }
        for task in ordered {
            if self.failed.contains_key(&task) || self.left_out.contains(&task) {
                continue;
            }
            if self.depends_on_failed(task, false) {
                self.failed.insert(task, None);
            } else if let Err(fault) = self.task(task) {
                let trouble = self.block(task).map(|id| self.trouble(id, fault));
                self.failed.insert(task, trouble);
            }
        }
        for &id in &self.layout.units {
            let task = Task::Unit(id);
            if !self.work.kept.contains_key(&id) || self.failed.contains_key(&task) {
                continue;
            }
            if self.depends_on_failed(task, true) {
                self.failed.insert(task, None);
                continue;
            }
            let unit = self.layout.unit(id);
            let outcome =
                self.signals(id, true).and_then(|all| blocks::finish(&mut self.work, id, unit, &all));
            if let Err(fault) = outcome {
                let trouble = self.trouble(id, fault);
                self.failed.insert(task, Some(trouble));
            }
        }
    }

    /// The system, with names for everything that is to be seen.
    pub(crate) fn finish(mut self, options: &Options) -> System {
        self.work.settle();
        for (id, names) in std::mem::take(&mut self.outputs) {
            let scalars = self.outport_scalars(id).unwrap_or_default();
            for (name, value) in names.into_iter().zip(scalars) {
                self.work.system.add_output(&name, value);
            }
        }
        if options.locals {
            for &id in &self.layout.units {
                self.locals(id);
            }
        }
        self.work.system
    }

    fn locals(&mut self, id: UnitId) {
        let unit = self.layout.unit(id);
        let path = self.work.path(id);
        if self.layout.home(id) == self.layout.top && matches!(unit.kind.as_str(), "Inport" | "Outport") {
            return;
        }
        if unit.kind == "Outport" {
            if let Some(scalars) = self.outport_scalars(id) {
                self.add_locals(&path, 0, scalars);
            }
            return;
        }
        for (output, shape) in unit.outputs.iter().enumerate() {
            let source = Source { unit: id, output: output as u32 };
            let wires: Outcome<Vec<Option<Wire>>> =
                (0..shape.width()).map(|it| self.layout.trace(source, it)).collect();
            let values = wires.ok().and_then(|wires| wires.into_iter().map(|it| self.value(it?)).collect());
            if let Some(values) = values {
                self.add_locals(&path, output, values);
            }
        }
    }

    fn add_locals(&mut self, path: &str, output: usize, values: Vec<Expr>) {
        let names = names(path, output, values.len());
        for (name, value) in names.into_iter().zip(values) {
            let name = self.work.fresh(&name);
            self.work.system.add_local(&name, value);
        }
    }

    fn outport_scalars(&mut self, id: UnitId) -> Option<Vec<Expr>> {
        let signals = self.signals(id, true).ok()?;
        Some(signals.into_iter().next()?.scalars)
    }

    /// The inputs, and the names of the outputs: ports have the first right to their names.
    fn ports(&mut self) {
        for id in self.layout.ports(self.layout.top, "Inport") {
            if let Err(fault) = self.input(id) {
                let trouble = self.trouble(id, fault);
                self.failed.insert(Task::Unit(id), Some(trouble));
            }
        }
        for id in self.layout.ports(self.layout.top, "Outport") {
            let unit = self.layout.unit(id);
            let width = self.layout.width(unit.inputs.first().copied().flatten());
            let names = names(&unit.name, 0, width).iter().map(|it| self.work.fresh(it)).collect();
            self.outputs.push((id, names));
            if let Err(fault) = &self.inputs[&id] {
                let trouble = self.trouble(id, fault.clone());
                self.failed.insert(Task::Unit(id), Some(trouble));
            }
        }
    }

    fn input(&mut self, id: UnitId) -> Outcome<()> {
        self.layout.sound(id)?;
        let unit = self.layout.unit(id);
        let shape = unit.outputs.first().ok_or_else(|| Fault::new("its type is not known"))?;
        let mut scalars = Vec::new();
        for (name, class) in names(&unit.name, 0, shape.width()).iter().zip(classes(shape)) {
            let name = self.work.fresh(name);
            let var = self.work.system.add_input(&name, blocks::type_of(class));
            let value = self.work.system.expr(var);
            scalars.push(self.work.conform(unit, class, value));
        }
        let scalars = self.sampled(id, scalars);
        self.work.values.insert((id, 0), scalars);
        Ok(())
    }

    fn task(&mut self, task: Task) -> Outcome<()> {
        match task {
            Task::Sheet(sheet) => self.sheet(sheet),
            Task::Port(id, output) => {
                let outport = self.layout.outport(id, output);
                let outport = outport.ok_or_else(|| Fault::new("it has an output without a port inside"))?;
                let signal = self.signals(outport, true)?.into_iter().next().unwrap_or_default();
                let values = control::held_output(&mut self.work, id, outport, output, &signal)?;
                self.work.values.insert((id, output), values);
                Ok(())
            }
            Task::Unit(id) => self.unit(id),
        }
    }

    fn unit(&mut self, id: UnitId) -> Outcome<()> {
        let unit = self.layout.unit(id);
        let role = role(self.layout, id);
        if role == Role::Input {
            return Ok(());
        }
        let inputs = self.signals(id, false)?;
        // An input of one number is as wide as the output: what many of them make is larger than the signals.
        let width = unit.outputs.iter().map(Shape::width).sum();
        self.work.reserve(width, inputs.len().saturating_sub(3))?;
        if role == Role::Claim {
            return self.claim(id, &inputs);
        }
        let running: Vec<Expr> = if unit.kind == "Merge" { self.merge_conditions(id)? } else { Vec::new() };
        let outputs = blocks::begin(&mut self.work, id, unit, &inputs, &running)?;
        for (place, shape) in unit.outputs.iter().enumerate() {
            let classes = classes(shape);
            let values = outputs.get(place).cloned().unwrap_or_default();
            if values.len() != classes.len() {
                let message =
                    format!("its output {} has {} values, not {}", place + 1, values.len(), classes.len());
                return Err(Fault::new(message));
            }
            let values: Vec<Expr> = values
                .into_iter()
                .zip(classes)
                .map(|(it, class)| self.work.conform(unit, class, it))
                .collect();
            let values = self.sampled(id, values);
            self.work.values.insert((id, place), values);
        }
        Ok(())
    }

    /// The values of a unit that runs at every nth step are held in between, unless they cannot change there.
    fn sampled(&mut self, id: UnitId, values: Vec<Expr>) -> Vec<Expr> {
        let unit = self.layout.unit(id);
        if unit.every <= 1 {
            return values;
        }
        let slow = |it: &Wire| {
            let before = self.layout.unit(it.unit);
            before.every == 0 || before.every == unit.every && before.offset == unit.offset
        };
        let wires =
            self.inputs[&id].as_ref().map_or(Vec::new(), |it| it.iter().flatten().flatten().collect());
        if !remembers(&unit.kind) && !wires.is_empty() && wires.into_iter().all(slow) {
            return values;
        }
        let tick = self.work.tick(id);
        let hold = |value: Expr| {
            let init = control::zero(&mut self.work, value);
            let kept = self.work.state(id, "held", init);
            let now = self.work.pool().ite(tick, value, kept.seen);
            self.work.update(id, kept, now);
            now
        };
        values.into_iter().map(hold).collect()
    }

    fn claim(&mut self, id: UnitId, inputs: &[Signal]) -> Outcome<()> {
        let scalars = inputs.iter().flat_map(|it| it.scalars.iter().copied());
        let unit = self.layout.unit(id);
        let truths: Vec<Expr> =
            scalars.map(|it| logic::claimed(&mut self.work, unit, it)).collect::<Outcome<_>>()?;
        let all = self.work.pool().and(truths);
        let runs = self.work.runs(id);
        let claim = self.work.pool().implies(runs, all);
        if blocks::is_assumption(self.layout.unit(id)) {
            self.work.system.assumptions.push(claim);
        } else {
            let name = self.work.path(id);
            self.work.system.add_property(&name, Origin::Unknown, claim);
        }
        Ok(())
    }

    fn sheet(&mut self, sheet: SheetId) -> Outcome<()> {
        let Some(owner) = self.layout.owner(sheet) else { return Ok(()) };
        self.layout.sound(owner)?;
        let outer = self.work.activity.get(&self.layout.home(owner)).copied();
        let outer = outer.unwrap_or(Activity { active: Pool::TRUE, restart: Pool::FALSE });
        let mut controls = Vec::new();
        for (port, source) in &self.layout.unit(owner).controls {
            let wires = scalars(self.layout, *source)?;
            // What is not connected is ground.
            let value = |wire: Option<Wire>| wire.map_or(Some(Pool::FALSE), |wire| self.value(wire));
            let values: Option<Vec<Expr>> = wires.into_iter().map(value).collect();
            let values = values.ok_or_else(|| Fault::new("its control input has no value"))?;
            controls.push((*port, values));
        }
        let activity = control::activity(&mut self.work, owner, sheet, outer, &controls)?;
        self.work.activity.insert(sheet, activity);
        Ok(())
    }

    /// For each input of a merge whether it is computed in this step.
    fn merge_conditions(&mut self, id: UnitId) -> Outcome<Vec<Expr>> {
        let Ok(inputs) = &self.inputs[&id] else { return Ok(Vec::new()) };
        let first: Vec<Option<Wire>> = inputs.iter().map(|it| it.first().copied().flatten()).collect();
        first
            .into_iter()
            .map(|wire| {
                let Some(wire) = wire else { return Ok(Pool::FALSE) };
                match self.layout.unit(wire.unit).inside {
                    Some(inside) => Ok(self.work.activity.get(&inside).map_or(Pool::FALSE, |it| it.active)),
                    None => Err(Fault::hint(
                        "an input does not come from a conditional subsystem",
                        "use a `Switch`",
                    )),
                }
            })
            .collect()
    }

    /// The inputs of a unit; those that it does not need for its outputs only if all are asked for.
    fn signals(&mut self, id: UnitId, all: bool) -> Outcome<Vec<Signal>> {
        let unit = self.layout.unit(id);
        let inputs = self.inputs[&id].clone()?;
        let mut signals = Vec::new();
        for (place, wires) in inputs.into_iter().enumerate() {
            if !all && !is_direct(unit, place) {
                signals.push(Signal::default());
                continue;
            }
            let shape = unit.inputs[place].and_then(|it| self.layout.plan.shape(it));
            let dimensions = match shape {
                Some(Shape::Signal { dimensions, .. }) => dimensions.clone(),
                Some(Shape::Bus(_)) | None => vec![wires.len()],
            };
            let mut scalars = Vec::new();
            for wire in wires {
                let value = match wire {
                    Some(wire) => self.value(wire),
                    None => Some(self.work.ratio(0, 1)),
                };
                scalars.push(value.ok_or_else(|| Fault::new("an input has no value"))?);
            }
            signals.push(Signal { dimensions, scalars });
        }
        Ok(signals)
    }

    fn value(&self, wire: Wire) -> Option<Expr> {
        self.work.values.get(&(wire.unit, wire.output))?.get(wire.element).copied()
    }

    fn producer(&self, wire: Wire) -> Task {
        match role(self.layout, wire.unit) {
            Role::Conditional => Task::Port(wire.unit, wire.output),
            _ => Task::Unit(wire.unit),
        }
    }

    /// What a task needs in the same step, or in any step.
    fn needs(&self, task: Task, all: bool) -> Vec<Task> {
        let mut needs = Vec::new();
        let mut add =
            |wires: &[Option<Wire>]| needs.extend(wires.iter().flatten().map(|it| self.producer(*it)));
        let sheet = match task {
            Task::Unit(id) => {
                let unit = self.layout.unit(id);
                if let Ok(inputs) = &self.inputs[&id] {
                    let used = inputs.iter().enumerate().filter(|(place, _)| all || is_direct(unit, *place));
                    used.for_each(|(_, wires)| add(wires));
                }
                let home = self.layout.home(id);
                if unit.kind == "Merge" {
                    let merged = self.inputs[&id].iter().flatten().flatten().flatten();
                    needs.extend(merged.filter_map(|it| self.layout.unit(it.unit).inside).map(Task::Sheet));
                }
                let claim = role(self.layout, id) == Role::Claim;
                (all || claim || control::restarts(self.layout, home)).then_some(home)
            }
            Task::Port(id, output) => {
                if let Some(outport) = self.layout.outport(id, output)
                    && let Ok(inputs) = &self.inputs[&outport]
                {
                    inputs.iter().for_each(|wires| add(wires));
                }
                self.layout.unit(id).inside
            }
            Task::Sheet(sheet) => self.layout.owner(sheet).map(|owner| {
                for (_, source) in &self.layout.unit(owner).controls {
                    if let Ok(wires) = scalars(self.layout, *source) {
                        add(&wires);
                    }
                }
                self.layout.home(owner)
            }),
        };
        needs.extend(sheet.filter(|it| *it != self.layout.top).map(Task::Sheet));
        needs.sort();
        needs.dedup();
        needs
    }

    fn depends_on_failed(&self, task: Task, all: bool) -> bool {
        !self.failed.is_empty() && self.needs(task, all).iter().any(|it| self.failed.contains_key(it))
    }

    /// The block that a task belongs to; none for the sheet that is lowered.
    fn block(&self, task: Task) -> Option<UnitId> {
        match task {
            Task::Unit(id) | Task::Port(id, _) => Some(id),
            Task::Sheet(sheet) => self.layout.owner(sheet),
        }
    }

    fn trouble(&self, id: UnitId, fault: Fault) -> Trouble {
        self.layout.trouble(id, fault)
    }
}

fn scalars(layout: &Layout, source: Option<Source>) -> Outcome<Vec<Option<Wire>>> {
    let Some(source) = source else { return Ok(vec![None]) };
    let width = layout.plan.shape(source).map(Shape::width);
    let width = width.ok_or_else(|| Fault::new("the type of an input is not known"))?;
    (0..width).map(|element| layout.trace(source, element)).collect()
}

/// The names of the scalars of an output.
fn names(name: &str, output: usize, width: usize) -> Vec<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = if output == 0 { name } else { format!("{name}:{}", output + 1) };
    match width {
        1 => vec![name],
        _ => (1..=width).map(|it| format!("{name}_{it}")).collect(),
    }
}
