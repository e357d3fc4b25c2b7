//! One pass over all blocks: each value in order, then the updates of states, then outputs and properties with their names.
//!
//! A block that cannot be computed is recorded with the reason, and what depends on it has no value. If no output or property depends
//! on it, a second pass leaves all of it out.

mod algebraic;
mod calls;
mod loops;
mod stages;

use super::Options;
use super::layout::{Layout, Role, Wire};
use super::order::{Place, Task, order};
use super::work::{Activity, Signal, Work, type_of};
use crate::blocks::{self, BlockKind, Instance, Lowering};
use crate::diagram::SheetId;
use crate::plan::Fault;
use crate::plan::Outcome;
use crate::plan::Problem;
use crate::plan::Shape;
use crate::plan::Source;
use crate::plan::UnitId;
use crate::plan::classes;
use algebraic::Unsolved;
use std::collections::{BTreeMap, BTreeSet};
use system::{Expr, Origin, Pool, System};

/// For each scalar of each input, the unit that computes it.
type Inputs = Vec<Vec<Option<Wire>>>;

pub(crate) struct Pass<'p> {
    layout: &'p Layout<'p>,
    work: Work<'p>,
    inputs: BTreeMap<UnitId, Outcome<Inputs>>,
    tasks: Vec<Task>,
    /// Tasks without a value; with the reason, unless they only depend on another one.
    failed: BTreeMap<Task, Option<Problem>>,
    left_out: BTreeSet<Task>,
    /// The algebraic loops that have no solution.
    unsolved: Vec<Problem>,
    /// The sheets that charts call, with the chart and its output.
    callers: BTreeMap<SheetId, (UnitId, usize)>,
    /// The names of the outputs of the system, port by port.
    outputs: Vec<(UnitId, Vec<String>)>,
}

impl<'p> Pass<'p> {
    pub(crate) fn new(layout: &'p Layout<'p>) -> Pass<'p> {
        let mut inputs = BTreeMap::new();
        let mut tasks = Vec::new();
        for &id in &layout.units {
            let all = || layout.sources(id).iter().map(|source| scalars(layout, *source)).collect();
            let all: Outcome<Inputs> = layout.sound(id).and_then(|()| all());
            let all = all.and_then(|it| {
                let leaves = it.iter().flatten().flatten().any(|wire| layout.leaves_loop(*wire, id));
                if leaves {
                    Err(Fault::new("an input comes from inside a loop, past its ports"))
                } else {
                    Ok(it)
                }
            });
            inputs.insert(id, all);
            if layout.region(id).is_none() {
                tasks.extend(loops::tasks_of(layout, id));
            }
        }
        Pass {
            layout,
            work: Work::new(layout),
            inputs,
            tasks,
            failed: BTreeMap::new(),
            left_out: BTreeSet::new(),
            unsolved: Vec::new(),
            callers: calls::callers(layout),
            outputs: Vec::new(),
        }
    }

    /// Whether everything has a value.
    pub(crate) fn is_complete(&self) -> bool {
        self.failed.is_empty()
    }

    /// A new pass without the tasks that failed and all that depend on them.
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

    /// Why an output or a property has no value; empty if all have one.
    pub(crate) fn needed_problems(&self) -> Vec<Problem> {
        let claims =
            self.layout.units.iter().filter(|it| matches!(self.layout.role(**it), Role::Claim { .. }));
        // A claim in a loop is a part of the loop.
        let task = |id: &UnitId| self.layout.outermost_loop(*id).map_or(Task::Unit(*id), Task::Loop);
        let mut open: Vec<Task> = claims.map(task).collect();
        let mut problems = Vec::new();
        if open.is_empty() && self.layout.outputs().is_empty() {
            // Without outputs and properties, inner signals are all that can be seen.
            let is_seen = |it: &&Task| match it {
                Task::Unit(id) => !self.layout.unit(*id).outputs.is_empty(),
                Task::Port(..) | Task::State(_) | Task::Sheet(_) | Task::Loop(_) => true,
            };
            open.extend(self.tasks.iter().filter(is_seen));
        }
        for id in self.layout.outputs() {
            match &self.inputs[&id] {
                Ok(wires) => open.extend(wires.iter().flatten().flatten().map(|it| self.producer(*it))),
                Err(fault) => problems.push(self.problem(id, fault.clone())),
            }
        }
        let mut seen: BTreeSet<Task> = open.iter().copied().collect();
        open = seen.iter().copied().collect();
        while let Some(task) = open.pop() {
            problems.extend(self.failed.get(&task).cloned().flatten());
            open.extend(self.needs(task, true).into_iter().filter(|it| seen.insert(*it)));
        }
        problems.sort_by(|a, b| (&a.path, &a.message).cmp(&(&b.path, &b.message)));
        problems.dedup();
        problems
    }

    pub(crate) fn compute(&mut self) {
        self.ports();
        let tasks: Vec<Task> = self.tasks.iter().filter(|it| !self.left_out.contains(it)).copied().collect();
        let mut done = Vec::new();
        for place in order(tasks, |task| self.needs(task, false)) {
            let task = match place {
                Place::Task(task) => task,
                Place::Loop(tasks) => {
                    let solved = match self.called(&tasks) {
                        Some(call) => self.call(&tasks, call),
                        None => self.solve(&tasks),
                    };
                    if let Err(unsolved) = solved {
                        let problem = match unsolved {
                            Unsolved::Block(problem) => problem,
                            Unsolved::Loop => {
                                let problem = self.loop_problem(&tasks);
                                self.unsolved.extend(problem.clone());
                                problem
                            }
                        };
                        self.failed.extend(tasks.iter().map(|task| (*task, problem.clone())));
                    }
                    done.push(Place::Loop(tasks));
                    continue;
                }
            };
            if self.failed.contains_key(&task) || self.left_out.contains(&task) {
                continue;
            }
            if self.depends_on_failed(task, false) {
                self.failed.insert(task, None);
            } else if let Err(fault) = self.task(task) {
                let problem = self.block(task).map(|id| self.problem(id, fault));
                self.failed.insert(task, problem);
            }
            done.push(Place::Task(task));
        }
        self.integrate(&done);
        for &id in &self.layout.units {
            let task = Task::Unit(id);
            let looped = self.layout.region(id).is_some();
            if looped || !self.work.kept.contains_key(&id) || self.failed.contains_key(&task) {
                continue;
            }
            if self.depends_on_failed(task, true) {
                self.failed.insert(task, None);
                continue;
            }
            let unit = self.layout.unit(id);
            let outcome = self
                .signals(id, true)
                .and_then(|signals| Instance { id, unit, signals: &signals }.finish(&mut self.work));
            if let Err(fault) = outcome {
                let problem = self.problem(id, fault);
                self.failed.insert(task, Some(problem));
            }
        }
    }

    /// The system, with its outputs and inner signals named.
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
        let is_output = unit.kind == BlockKind::Outport;
        let is_port = is_output || unit.kind == BlockKind::Inport;
        if self.layout.home(id) == self.layout.top && is_port || unit.kind == BlockKind::Abstract {
            return;
        }
        if is_output {
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

    /// The inputs, and the names of the outputs. Ports come first, so that they get their own names.
    fn ports(&mut self) {
        for id in self.layout.inputs() {
            if let Err(fault) = self.input(id) {
                let problem = self.problem(id, fault);
                self.failed.insert(Task::Unit(id), Some(problem));
            }
        }
        for id in self.layout.outputs() {
            let unit = self.layout.unit(id);
            let width = self.layout.width(unit.inputs.first().copied().flatten());
            let names = names(&unit.name, 0, width).iter().map(|it| self.work.fresh(it)).collect();
            self.outputs.push((id, names));
            if let Err(fault) = &self.inputs[&id] {
                let problem = self.problem(id, fault.clone());
                self.failed.insert(Task::Unit(id), Some(problem));
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
            let var = self.work.system.add_input(&name, type_of(class));
            let value = self.work.system.expr(var);
            scalars.push(self.work.conform(unit, class, value));
        }
        let scalars = self.sampled(id, 0, scalars);
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
                let values = blocks::held_output(&mut self.work, id, outport, output, &signal)?;
                self.work.values.insert((id, output), values);
                Ok(())
            }
            Task::Unit(id) => self.unit(id),
            Task::State(id) => self.show_state(id),
            Task::Loop(sheet) => self.run_loop(sheet),
        }
    }

    fn unit(&mut self, id: UnitId) -> Outcome<()> {
        let unit = self.layout.unit(id);
        let role = self.layout.role(id);
        if role == Role::Input {
            return Ok(());
        }
        let signals = self.signals(id, false)?;
        // A scalar input is expanded to the width of the output, so many inputs make more expressions than the signals have.
        let width = unit.outputs.iter().map(Shape::width).sum();
        self.work.reserve(width, signals.len().saturating_sub(3))?;
        if let Role::Claim { assumed } = role {
            return self.claim(id, &signals, assumed);
        }
        let outputs = match (blocks::part(unit), signals.first()) {
            (Some(part), Some(whole)) => {
                vec![blocks::taken(&whole.scalars, &whole.dimensions, part, self.work.turn())]
            }
            _ => Instance { id, unit, signals: &signals }.compute(&mut self.work)?,
        };
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
            let values = self.sampled(id, place, values);
            self.work.values.insert((id, place), values);
        }
        Ok(())
    }

    /// Creates the states of a unit that shows them, or shows those of a later stage.
    fn show_state(&mut self, id: UnitId) -> Outcome<()> {
        self.layout.sound(id)?;
        let unit = self.layout.unit(id);
        let (Lowering::Flow(flow), Some(port)) = (unit.kind.definition().lowering, unit.state_port()) else {
            return Ok(());
        };
        let block = Instance { id, unit, signals: &[] };
        if !self.work.kept.contains_key(&id) && !self.work.created.contains_key(&id) {
            let states = (flow.states)(&mut self.work, &block)?;
            self.work.created.insert(id, states);
        }
        let states = self.work.kept.get(&id).or_else(|| self.work.created.get(&id)).cloned();
        let values = states.unwrap_or_default().into_iter().map(|it| it.seen).collect();
        self.work.values.insert((id, port), values);
        Ok(())
    }

    /// The values of a unit that does not run at every step are held in between, unless they cannot change there.
    fn sampled(&mut self, id: UnitId, output: usize, values: Vec<Expr>) -> Vec<Expr> {
        let unit = self.layout.unit(id);
        if unit.every <= 1 || (unit.kind.definition().momentary)(unit, output) {
            return values;
        }
        let slow = |it: &Wire| {
            let before = self.layout.unit(it.unit);
            before.every == 0 || before.every == unit.every && before.offset == unit.offset
        };
        let wires =
            self.inputs[&id].as_ref().map_or(Vec::new(), |it| it.iter().flatten().flatten().collect());
        if !unit.kind.definition().remembers && !wires.is_empty() && wires.into_iter().all(slow) {
            return values;
        }
        let tick = self.work.tick(id);
        let hold = |value: Expr| {
            let init = self.work.zero_like(value);
            let kept = self.work.state(id, "held", init);
            let now = self.work.pool().ite(tick, value, kept.seen);
            self.work.update(id, kept, now);
            now
        };
        values.into_iter().map(hold).collect()
    }

    fn claim(&mut self, id: UnitId, inputs: &[Signal], assumed: bool) -> Outcome<()> {
        let scalars = inputs.iter().flat_map(|it| it.scalars.iter().copied());
        let unit = self.layout.unit(id);
        let truths: Vec<Expr> =
            scalars.map(|it| blocks::claimed(&mut self.work, unit, it)).collect::<Outcome<_>>()?;
        let all = self.work.pool().and(truths);
        let runs = self.work.runs(id);
        let claim = self.work.pool().implies(runs, all);
        if assumed {
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
            // An input without a line is zero.
            let value = |wire: Option<Wire>| wire.map_or(Some(Pool::FALSE), |wire| self.seen_by(owner, wire));
            let values: Option<Vec<Expr>> = wires.into_iter().map(value).collect();
            let values = values.ok_or_else(|| Fault::new("its control input has no value"))?;
            controls.push((*port, values));
        }
        let activity = blocks::activity(&mut self.work, owner, sheet, outer, &controls)?;
        self.work.activity.insert(sheet, activity);
        Ok(())
    }

    /// The inputs of a unit. Unless `all` is set, those that its outputs do not need are empty.
    fn signals(&mut self, id: UnitId, all: bool) -> Outcome<Vec<Signal>> {
        let unit = self.layout.unit(id);
        let inputs = self.inputs[&id].clone()?;
        let (direct, sources) = (unit.kind.definition().direct, self.layout.sources(id));
        let mut signals = Vec::new();
        for (place, wires) in inputs.into_iter().enumerate() {
            if !all && !direct(unit, place) {
                signals.push(Signal::default());
                continue;
            }
            let shape = self.layout.shape(sources[place]);
            let dimensions = match shape {
                Some(Shape::Signal { dimensions, .. }) => dimensions.clone(),
                Some(Shape::Bus(_)) | None => vec![wires.len()],
            };
            let mut scalars = Vec::new();
            for wire in wires {
                let value = match wire {
                    Some(wire) => self.seen_by(id, wire),
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
        match self.layout.role(wire.unit) {
            Role::Compute if self.layout.unit(wire.unit).state_port() == Some(wire.output) => {
                Task::State(wire.unit)
            }
            Role::Conditional => Task::Port(wire.unit, wire.output),
            Role::Loop => self.layout.unit(wire.unit).inside.map_or(Task::Unit(wire.unit), Task::Loop),
            _ => Task::Unit(wire.unit),
        }
    }

    /// The tasks that a task needs in the same step, or with `all` in any step.
    fn needs(&self, task: Task, all: bool) -> Vec<Task> {
        let mut needs = Vec::new();
        let mut add =
            |wires: &[Option<Wire>]| needs.extend(wires.iter().flatten().map(|it| self.producer(*it)));
        let sheet = match task {
            Task::Unit(id) => {
                let unit = self.layout.unit(id);
                let direct = unit.kind.definition().direct;
                if let Ok(inputs) = &self.inputs[&id] {
                    let used = inputs.iter().enumerate().filter(|(place, _)| all || direct(unit, *place));
                    used.for_each(|(_, wires)| add(wires));
                }
                let home = self.layout.home(id);
                needs.extend(unit.state_port().map(|_| Task::State(id)));
                if all && unit.kind == BlockKind::DataStoreRead {
                    needs.extend(self.layout.store(id).filter(|it| *it != id).map(Task::Unit));
                }
                if unit.kind == BlockKind::Merge {
                    let merged = self.inputs[&id].iter().flatten().flatten().flatten();
                    needs.extend(merged.filter_map(|it| self.layout.unit(it.unit).inside).map(Task::Sheet));
                }
                // Times and events of a chart are there when it runs.
                let runs =
                    unit.kind == BlockKind::Chart || matches!(self.layout.role(id), Role::Claim { .. });
                (all || runs || blocks::restarts(self.layout, home)).then_some(home)
            }
            Task::Port(id, output) => {
                if let Some(outport) = self.layout.outport(id, output)
                    && let Ok(inputs) = &self.inputs[&outport]
                {
                    inputs.iter().for_each(|wires| add(wires));
                }
                self.layout.unit(id).inside
            }
            Task::State(id) => {
                let home = self.layout.home(id);
                (all || blocks::restarts(self.layout, home)).then_some(home)
            }
            Task::Loop(sheet) => {
                needs.extend(self.needs_of_loop(sheet));
                None
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

    /// The block that a task belongs to; none for the top sheet.
    fn block(&self, task: Task) -> Option<UnitId> {
        match task {
            Task::Unit(id) | Task::Port(id, _) | Task::State(id) => Some(id),
            Task::Sheet(sheet) | Task::Loop(sheet) => self.layout.owner(sheet),
        }
    }

    fn problem(&self, id: UnitId, fault: Fault) -> Problem {
        self.layout.unit(id).problem(fault)
    }

    /// The algebraic loops that have no solution, each named by its blocks.
    pub(crate) fn loops(mut self) -> Vec<Problem> {
        let places = order(self.tasks.iter().copied(), |task| self.needs(task, false));
        if places.iter().any(|it| matches!(it, Place::Loop(_))) {
            self.compute();
        }
        self.unsolved
    }

    fn loop_problem(&self, tasks: &[Task]) -> Option<Problem> {
        let computing = |task: &&Task| matches!(task, Task::Unit(_) | Task::Loop(_));
        let mut on: Vec<UnitId> =
            tasks.iter().filter(computing).filter_map(|task| self.block(*task)).collect();
        if on.is_empty() {
            // Subsystems only carry the loop.
            on = tasks.iter().filter_map(|task| self.block(*task)).collect();
        }
        on.sort();
        on.dedup();
        let path = |id: &UnitId| format!("`{}`", self.layout.unit(*id).path.replace('\n', " "));
        let shown: Vec<String> = on.iter().take(10).map(path).collect();
        let more = match on.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!("an algebraic loop goes through {}{more}", shown.join(", "));
        let hint = "only linear loops of doubles are solved: put a Unit Delay or a Memory into the loop";
        let fault = Fault::hint(message, hint);
        on.first().map(|id| self.problem(*id, fault))
    }
}

fn scalars(layout: &Layout, source: Option<Source>) -> Outcome<Vec<Option<Wire>>> {
    let Some(source) = source else { return Ok(vec![None]) };
    let width = layout.plan.shape(source).map(Shape::width);
    let width = width.ok_or_else(|| Fault::new("the type of an input is not known"))?;
    (0..width).map(|element| layout.trace(source, element)).collect()
}

/// The names of the scalars of an output.
pub(super) fn names(name: &str, output: usize, width: usize) -> Vec<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = if output == 0 { name } else { format!("{name}:{}", output + 1) };
    match width {
        1 => vec![name],
        _ => (1..=width).map(|it| format!("{name}_{it}")).collect(),
    }
}
