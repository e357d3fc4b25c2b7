//! Where a scalar comes from: through ports of subsystems and blocks that only arrange signals, to the block that computes it.
//!
//! Each scalar is traced on its own, so a loop through a `Mux` and a `Demux` that no single scalar takes does not count as a loop, as in
//! Simulink. A trace visits each unit at most once; a longer one is a cycle.

use crate::blocks::{BlockKind, Lowering, Origin, fixed_indices, part, refusal};
use crate::diagram::{Port, SheetId};
use crate::plan::{Fault, Outcome, Plan, Problem, Shape, Source, Unit, UnitId, port_number};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of steps of all traces; a block with many ports counts for more.
const MAX_STEPS: usize = 1 << 28;

/// One scalar of a unit that computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wire {
    pub(crate) unit: UnitId,
    pub(crate) output: usize,
    pub(crate) element: usize,
}

/// The part of the plan that is lowered, with its hierarchy.
pub(crate) struct Layout<'p> {
    pub(crate) plan: &'p Plan,
    /// The sheet whose ports are the inputs and outputs of the system.
    pub(crate) top: SheetId,
    /// All units of the top sheet and below, parents first.
    pub(crate) units: Vec<UnitId>,
    /// The sheet of each unit of the plan.
    home: Vec<Option<SheetId>>,
    /// The subsystem of each sheet.
    owner: BTreeMap<SheetId, UnitId>,
    /// The block of each sheet that repeats it.
    iterators: BTreeMap<SheetId, UnitId>,
    /// The ports of each sheet by their numbers, from 0.
    inports: BTreeMap<(SheetId, usize), UnitId>,
    outports: BTreeMap<(SheetId, usize), UnitId>,
    /// Blocks that are not supported, and subsystems that contain a block that governs them and is not supported.
    pub(crate) refused: BTreeMap<UnitId, Fault>,
    /// The elements that selectors take, unless a port provides the indices.
    selections: BTreeMap<UnitId, Outcome<Option<Vec<usize>>>>,
    steps: Cell<usize>,
}

impl<'p> Layout<'p> {
    pub(crate) fn new(plan: &'p Plan, top: SheetId) -> Layout<'p> {
        let mut layout = Layout {
            plan,
            top,
            units: Vec::new(),
            home: vec![None; plan.units.len()],
            owner: BTreeMap::new(),
            iterators: BTreeMap::new(),
            inports: BTreeMap::new(),
            outports: BTreeMap::new(),
            refused: BTreeMap::new(),
            selections: BTreeMap::new(),
            steps: Cell::new(MAX_STEPS),
        };
        for (sheet, units) in &plan.sheets {
            for &id in units {
                let Some(unit) = plan.unit(id) else { continue };
                layout.home[id.0 as usize] = Some(*sheet);
                if let Some(inside) = unit.inside {
                    layout.owner.insert(inside, id);
                }
                match unit.kind {
                    BlockKind::Inport | BlockKind::Outport => {
                        let is_input = unit.kind == BlockKind::Inport;
                        let ports = if is_input { &mut layout.inports } else { &mut layout.outports };
                        match port_number(unit) {
                            Some(place) => drop(ports.insert((*sheet, place), id)),
                            None => drop(layout.refused.insert(id, Fault::new("its port has no number"))),
                        }
                    }
                    BlockKind::ForEach | BlockKind::ForIterator | BlockKind::WhileIterator => {
                        layout.iterators.insert(*sheet, id);
                    }
                    BlockKind::Selector => {
                        let selection = fixed_indices(unit, layout.shape(unit.source(0)));
                        layout.selections.insert(id, selection);
                    }
                    _ => {}
                }
            }
        }
        layout.refuse();
        let mut open = vec![top];
        while let Some(sheet) = open.pop() {
            let units = plan.sheets.get(&sheet).map_or(&[][..], |it| it);
            layout.units.extend(units.iter().filter(|it| plan.unit(**it).is_some()));
            if layout.units.len() > plan.units.len() {
                break; // A subsystem that holds itself.
            }
            open.extend(units.iter().rev().filter_map(|it| plan.unit(*it)?.inside));
        }
        layout
    }

    /// Finds the blocks that are not supported.
    fn refuse(&mut self) {
        for (number, unit) in (0..).zip(&self.plan.units) {
            let id = UnitId(number);
            if let Some(fault) = refusal(unit) {
                self.refused.insert(id, fault);
            }
            // An unsupported block without lines may control how its whole sheet runs.
            let alone = unit.outputs.is_empty() && unit.inputs.iter().all(Option::is_none);
            let governs = alone || unit.kind.definition().governs;
            let fault = self.refused.get(&id).filter(|_| governs);
            let owner = self.home[number as usize].and_then(|sheet| self.owner.get(&sheet));
            if let (Some(fault), Some(owner)) = (fault, owner) {
                let message = format!("it contains `{}`: {}", unit.name, fault.message);
                let fault = Fault { message, ..fault.clone() };
                self.refused.insert(*owner, fault);
            }
        }
    }

    /// Why the sheet cannot be lowered on its own.
    pub(crate) fn refusal(&self) -> Option<Problem> {
        let owner = self.owner.get(&self.top)?;
        if self.iterators.contains_key(&self.top) {
            let fault = Fault::hint("a loop has no steps of its own", "give the subsystem around it");
            return Some(self.unit(*owner).problem(fault));
        }
        Some(self.unit(*owner).problem(self.refused.get(owner)?.clone()))
    }

    pub(crate) fn unit(&self, id: UnitId) -> &'p Unit {
        &self.plan.units[id.0 as usize]
    }

    /// Checks that a unit was understood and is supported.
    pub(crate) fn sound(&self, id: UnitId) -> Outcome<()> {
        if let Some(fault) = self.refused.get(&id) {
            return Err(fault.clone());
        }
        let Some(problem) = self.plan.spoiled.get(&id) else { return Ok(()) };
        let Problem { path, message, hint, cause, .. } = problem;
        let own = *path == self.unit(id).path;
        let message = if own { message.clone() } else { format!("`{path}`: {message}") };
        Err(Fault { message, hint: hint.clone(), cause: cause.clone() })
    }

    pub(crate) fn home(&self, id: UnitId) -> SheetId {
        self.home.get(id.0 as usize).copied().flatten().unwrap_or(self.top)
    }

    /// The subsystem of a sheet; none for the top sheet.
    pub(crate) fn owner(&self, sheet: SheetId) -> Option<UnitId> {
        if sheet == self.top { None } else { self.owner.get(&sheet).copied() }
    }

    /// The block that repeats a sheet within a step.
    pub(crate) fn iterator(&self, sheet: SheetId) -> Option<UnitId> {
        self.iterators.get(&sheet).copied()
    }

    /// The sheets around a unit, from the inside out, without the top sheet.
    pub(crate) fn sheets(&self, id: UnitId) -> impl Iterator<Item = SheetId> {
        let below = |sheet: SheetId| Some(sheet).filter(|it| *it != self.top);
        let above = move |sheet: &SheetId| below(self.home(self.owner(*sheet)?));
        // No chain is longer than there are units.
        std::iter::successors(below(self.home(id)), above).take(self.plan.units.len())
    }

    /// The subsystems around a unit, from the inside out.
    pub(crate) fn around(&self, id: UnitId) -> impl Iterator<Item = &'p Unit> {
        self.sheets(id).filter_map(|it| self.owner(it)).map(|it| self.unit(it))
    }

    /// The innermost loop around a unit.
    pub(crate) fn region(&self, id: UnitId) -> Option<SheetId> {
        if self.iterators.is_empty() {
            None
        } else {
            self.sheets(id).find(|it| self.iterators.contains_key(it))
        }
    }

    /// The outermost loop around a unit.
    pub(crate) fn outermost_loop(&self, id: UnitId) -> Option<SheetId> {
        self.sheets(id).filter(|it| self.iterators.contains_key(it)).last()
    }

    /// Whether a wire leads from inside a loop to a unit outside of it.
    pub(crate) fn leaves_loop(&self, wire: Wire, id: UnitId) -> bool {
        self.region(wire.unit).is_some_and(|sheet| !self.is_within(id, sheet))
    }

    /// Whether a unit is in a sheet or below it.
    pub(crate) fn is_within(&self, id: UnitId, sheet: SheetId) -> bool {
        self.sheets(id).any(|it| it == sheet)
    }

    /// Whether a unit runs at the times of a trigger or a call, which need not be regular.
    pub(crate) fn is_triggered(&self, id: UnitId) -> bool {
        self.around(id).any(|it| it.controls.iter().any(|(port, _)| *port == Port::Trigger))
    }

    /// The units of a sheet.
    pub(crate) fn inside(&self, sheet: SheetId) -> impl Iterator<Item = &'p Unit> {
        let units = self.plan.sheets.get(&sheet).map_or(&[][..], |it| it);
        units.iter().filter_map(|it| self.plan.unit(*it))
    }

    /// The inputs of the system, by number.
    pub(crate) fn inputs(&self) -> Vec<UnitId> {
        self.inports.range((self.top, 0)..=(self.top, usize::MAX)).map(|(_, id)| *id).collect()
    }

    /// The outputs of the system, by number.
    pub(crate) fn outputs(&self) -> Vec<UnitId> {
        self.outports.range((self.top, 0)..=(self.top, usize::MAX)).map(|(_, id)| *id).collect()
    }

    /// The outport inside a subsystem that provides an output.
    pub(crate) fn outport(&self, id: UnitId, output: usize) -> Option<UnitId> {
        let inside = self.unit(id).inside?;
        self.outports.get(&(inside, output)).copied()
    }

    /// Where the inputs of a unit come from. A port that is computed, because its subsystem divides its input, has that input.
    pub(crate) fn sources(&self, id: UnitId) -> Cow<'p, [Option<Source>]> {
        let unit = self.unit(id);
        let owner = self.owner(self.home(id)).filter(|_| part(unit).is_some());
        match owner.zip(port_number(unit)) {
            Some((owner, place)) => Cow::Owned(vec![self.unit(owner).source(place)]),
            None => Cow::Borrowed(&unit.inputs),
        }
    }

    /// The number of scalars of an input.
    pub(crate) fn width(&self, source: Option<Source>) -> usize {
        source.and_then(|it| self.plan.shape(it)).map_or(1, Shape::width)
    }

    /// The unit that computes a scalar; none if nothing is connected, which counts as zero.
    pub(crate) fn trace(&self, source: Source, element: usize) -> Outcome<Option<Wire>> {
        let mut now = (Some(source), element);
        for _ in 0..self.plan.units.len() + 2 {
            let (Some(source), element) = now else { return Ok(None) };
            let Some(unit) = self.plan.unit(source.unit) else { return Ok(None) };
            let output = source.output as usize;
            let cost = 1 + unit.inputs.len() + unit.outputs.len();
            let left = self.steps.get().checked_sub(cost);
            self.steps.set(left.ok_or_else(|| Fault::new("there are too many wires to follow"))?);
            let before = self.origin(source.unit, output, element);
            if !matches!(before, Ok(None)) {
                let named = |it: Fault| Fault { message: format!("`{}`: {}", unit.path, it.message), ..it };
                self.sound(source.unit).map_err(named)?;
            }
            match before? {
                Some(before) => now = before,
                None => return Ok(Some(Wire { unit: source.unit, output, element })),
            }
        }
        Err(Fault::new("its input comes from a loop of lines in which no block computes anything"))
    }

    /// One step back from an output; none if the unit computes it.
    fn origin(&self, id: UnitId, output: usize, element: usize) -> Outcome<Option<Origin>> {
        match self.unit(id).kind.definition().route {
            Some(route) if !self.refused.contains_key(&id) => route(self, id, output, element),
            _ => Ok(None),
        }
    }

    /// The elements that a selector takes; none if a port provides the indices.
    pub(crate) fn selection(&self, id: UnitId) -> Outcome<Option<&[usize]>> {
        match self.selections.get(&id) {
            None | Some(Ok(None)) => Ok(None),
            Some(Ok(Some(places))) => Ok(Some(places)),
            Some(Err(fault)) => Err(fault.clone()),
        }
    }

    /// The units that share the data store of a reader or writer.
    pub(crate) fn store(&self, id: UnitId) -> impl Iterator<Item = UnitId> {
        let memory = self.plan.stores.get(&id);
        self.plan.stores.iter().filter(move |it| Some(it.1) == memory).map(|it| *it.0)
    }

    /// Refuses a data store unless its readers run before its only writer, because the writer depends on them.
    pub(crate) fn order_of_store(&self, id: UnitId) -> Outcome<()> {
        let hint = "use lines, or let the writer depend on every reader";
        let (writers, readers): (Vec<UnitId>, Vec<UnitId>) =
            self.store(id).partition(|it| self.unit(*it).kind == BlockKind::DataStoreWrite);
        let [writer] = writers[..] else {
            return match writers[..] {
                [] => Ok(()),
                _ => Err(Fault::hint("its data store has several writers, whose order is not known", hint)),
            };
        };
        let seen = self.forced_before(writer);
        match readers.iter().find(|it| !seen.contains(it)) {
            None => Ok(()),
            Some(reader) => {
                let reader = &self.unit(*reader).path;
                let message =
                    format!("whether the data store is written before `{reader}` reads it is not known");
                Err(Fault::hint(message, hint))
            }
        }
    }

    /// The units that must run before another one in the same step, because lines lead from them to it: through ports of
    /// subsystems from each port to its own signal, and from the conditions of the subsystems around it.
    fn forced_before(&self, last: UnitId) -> BTreeSet<UnitId> {
        let mut seen: BTreeSet<(UnitId, u32)> = BTreeSet::new();
        let mut open: Vec<Source> = vec![Source { unit: last, output: 0 }];
        while let Some(source @ Source { unit: id, output }) = open.pop() {
            if !seen.insert((id, output)) {
                continue;
            }
            let unit = self.unit(id);
            if unit.inside.is_some() {
                let outport = self.outport(id, source.output as usize);
                open.extend(outport.and_then(|it| self.unit(it).source(0)));
                open.extend(unit.controls.iter().filter_map(|it| it.1));
                continue;
            }
            let home = self.home(id);
            match (&unit.kind, self.owner(home)) {
                (BlockKind::Inport, Some(owner)) => {
                    open.extend(port_number(unit).and_then(|place| self.unit(owner).source(place)));
                }
                _ => {
                    let direct = unit.kind.definition().direct;
                    let inputs = unit.inputs.iter().enumerate().filter(|(place, _)| direct(unit, *place));
                    open.extend(inputs.filter_map(|(_, source)| *source));
                }
            }
            // The subsystems around it run first, as far as they decide whether it runs; no chain is longer than there are units.
            let around = std::iter::successors(self.owner(home), |it| self.owner(self.home(*it)));
            for owner in around.take(self.plan.units.len()) {
                open.extend(self.unit(owner).controls.iter().filter_map(|it| it.1));
            }
        }
        seen.into_iter().map(|it| it.0).collect()
    }

    /// The shape of a source.
    pub(crate) fn shape(&self, source: Option<Source>) -> Option<&'p Shape> {
        self.plan.shape(source?)
    }

    /// The role of a unit in lowering.
    pub(crate) fn role(&self, id: UnitId) -> Role {
        let unit = self.unit(id);
        let computes = if unit.outputs.is_empty() { Role::Nothing } else { Role::Compute };
        if self.refused.contains_key(&id) {
            return computes;
        }
        match unit.kind.definition().lowering {
            Lowering::Port if self.home(id) == self.top => Role::Input,
            Lowering::Port if part(unit).is_some() => Role::Compute,
            Lowering::Subsystem if unit.inside.is_some_and(|it| self.iterators.contains_key(&it)) => {
                Role::Loop
            }
            Lowering::Subsystem if !unit.controls.is_empty() => Role::Conditional,
            Lowering::Port | Lowering::Subsystem | Lowering::Wires => Role::Wires,
            Lowering::Claim { enabled, .. } if unit.word(enabled) == "off" => Role::Nothing,
            Lowering::Claim { assumed, .. } => Role::Claim { assumed },
            Lowering::Nothing => Role::Nothing,
            Lowering::Sink(_) => Role::Compute,
            Lowering::One(_) if matches!(self.selection(id), Ok(Some(_))) => Role::Wires,
            Lowering::Each(_)
            | Lowering::One(_)
            | Lowering::All(_)
            | Lowering::Memory(..)
            | Lowering::Flow(_)
            | Lowering::Unsupported => computes,
        }
    }
}

/// The role of a unit in lowering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// An input of the system.
    Input,
    /// It computes its outputs.
    Compute,
    /// A subsystem that does not run at every step.
    Conditional,
    /// A subsystem that runs several times in a step.
    Loop,
    /// It only carries signals.
    Wires,
    /// Its input must be true, or is assumed to be true.
    Claim { assumed: bool },
    /// It has no outputs.
    Nothing,
}
