//! Where a scalar comes from: through ports of subsystems and blocks that only arrange signals, to the block that computes it.
//!
//! Because each scalar is followed on its own, a loop through a `Mux` and a `Demux` that no single scalar takes is no loop, as in
//! Simulink. A walk is as long as there are units at most; a longer one goes in circles.

use super::parameters::{Fault, Outcome, entries, is_on, word};
use crate::diagram::SheetId;
use crate::plan::{Plan, Shape, Source, Trouble, Unit, UnitId, governs, port_number, refusal};
use crate::value::Value;
use std::cell::Cell;
use std::collections::BTreeMap;

/// How many steps all walks may have together; a block with many ports counts for more.
const MAX_STEPS: usize = 1 << 28;

/// One scalar of a unit that computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wire {
    pub(crate) unit: UnitId,
    pub(crate) output: usize,
    pub(crate) element: usize,
}

/// The part of the plan that is lowered, and who is where in it.
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
    /// The ports of each sheet by their numbers, from 0.
    inports: BTreeMap<(SheetId, usize), UnitId>,
    outports: BTreeMap<(SheetId, usize), UnitId>,
    /// What has no meaning here: blocks, and subsystems that such a block governs.
    pub(crate) refused: BTreeMap<UnitId, Fault>,
    /// What selectors take, if no port says it.
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
                match (unit.kind.as_str(), port_number(unit)) {
                    ("Inport", Some(place)) => drop(layout.inports.insert((*sheet, place), id)),
                    ("Outport", Some(place)) => drop(layout.outports.insert((*sheet, place), id)),
                    ("Inport" | "Outport", None) => {
                        layout.refused.insert(id, Fault::new("its port has no number"));
                    }
                    ("Selector", _) => {
                        let input = unit.inputs.first().copied().flatten();
                        let selection = fixed_indices(unit, layout.shape(input));
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

    /// Notes what has no meaning here.
    fn refuse(&mut self) {
        for (number, unit) in (0..).zip(&self.plan.units) {
            let id = UnitId(number);
            if let Some((message, hint)) = refusal(unit) {
                self.refused.insert(id, Fault::hint(message, hint));
            }
            let fault = self.refused.get(&id).filter(|_| governs(unit));
            let owner = self.home[number as usize].and_then(|sheet| self.owner.get(&sheet));
            if let (Some(fault), Some(owner)) = (fault, owner) {
                let message = format!("its inside has `{}`: {}", unit.name, fault.message);
                self.refused.insert(*owner, Fault { message, hint: fault.hint.clone() });
            }
        }
    }

    /// Why the sheet that is lowered has no meaning on its own.
    pub(crate) fn refusal(&self) -> Option<Trouble> {
        let owner = self.owner.get(&self.top)?;
        Some(self.trouble(*owner, self.refused.get(owner)?.clone()))
    }

    pub(crate) fn trouble(&self, id: UnitId, fault: Fault) -> Trouble {
        let unit = self.unit(id);
        Trouble { path: unit.path.clone(), kind: unit.kind.clone(), message: fault.message, hint: fault.hint }
    }

    pub(crate) fn unit(&self, id: UnitId) -> &'p Unit {
        &self.plan.units[id.0 as usize]
    }

    /// That a unit was understood and has a meaning here.
    pub(crate) fn sound(&self, id: UnitId) -> Outcome<()> {
        if let Some(fault) = self.refused.get(&id) {
            return Err(fault.clone());
        }
        let Some(trouble) = self.plan.spoiled.get(&id) else { return Ok(()) };
        let message = &trouble.message;
        let own = trouble.path == self.unit(id).path;
        let message = if own { message.clone() } else { format!("`{}`: {message}", trouble.path) };
        Err(Fault { message, hint: trouble.hint.clone() })
    }

    pub(crate) fn home(&self, id: UnitId) -> SheetId {
        self.home.get(id.0 as usize).copied().flatten().unwrap_or(self.top)
    }

    /// The subsystem of a sheet; none for the top of what is lowered.
    pub(crate) fn owner(&self, sheet: SheetId) -> Option<UnitId> {
        if sheet == self.top { None } else { self.owner.get(&sheet).copied() }
    }

    /// The units of a sheet.
    pub(crate) fn inside(&self, sheet: SheetId) -> impl Iterator<Item = &'p Unit> {
        let units = self.plan.sheets.get(&sheet).map_or(&[][..], |it| it);
        units.iter().filter_map(|it| self.plan.unit(*it))
    }

    /// The ports of a sheet, by number.
    pub(crate) fn ports(&self, sheet: SheetId, kind: &str) -> Vec<UnitId> {
        let table = if kind == "Inport" { &self.inports } else { &self.outports };
        table.range((sheet, 0)..=(sheet, usize::MAX)).map(|(_, id)| *id).collect()
    }

    /// The outport behind an output of a subsystem.
    pub(crate) fn outport(&self, id: UnitId, output: usize) -> Option<UnitId> {
        let inside = self.unit(id).inside?;
        self.outports.get(&(inside, output)).copied()
    }

    /// The number of scalars of an input.
    pub(crate) fn width(&self, source: Option<Source>) -> usize {
        source.and_then(|it| self.plan.shape(it)).map_or(1, Shape::width)
    }

    /// The producer of a scalar; none if nothing is connected, which counts as zero.
    pub(crate) fn trace(&self, source: Source, element: usize) -> Outcome<Option<Wire>> {
        let mut now = (Some(source), element);
        for _ in 0..self.plan.units.len() + 2 {
            let (Some(source), element) = now else { return Ok(None) };
            let Some(unit) = self.plan.unit(source.unit) else { return Ok(None) };
            let output = source.output as usize;
            let cost = 1 + unit.inputs.len() + unit.outputs.len();
            let left = self.steps.get().checked_sub(cost);
            self.steps.set(left.ok_or_else(|| Fault::new("there are too many wires to follow"))?);
            match self.before(source.unit, unit, output, element)? {
                Some(before) => {
                    let named =
                        |it: Fault| Fault { message: format!("`{}`: {}", unit.path, it.message), ..it };
                    self.sound(source.unit).map_err(named)?;
                    now = before;
                }
                None => return Ok(Some(Wire { unit: source.unit, output, element })),
            }
        }
        Err(Fault::new("its input comes from a loop of lines without a block that computes"))
    }

    /// One step back; none if the unit itself computes.
    fn before(
        &self,
        id: UnitId,
        unit: &Unit,
        output: usize,
        element: usize,
    ) -> Outcome<Option<(Option<Source>, usize)>> {
        let input = |place: usize| unit.inputs.get(place).copied().flatten();
        let step = match unit.kind.as_str() {
            _ if self.refused.contains_key(&id) => return Ok(None),
            "SubSystem" if unit.controls.is_empty() && unit.inside.is_some() => {
                let outport = self.outport(id, output);
                outport.map_or(Ok(()), |it| self.sound(it))?;
                (outport.and_then(|it| self.unit(it).inputs.first().copied().flatten()), element)
            }
            "Inport" => match self.owner(self.home(id)) {
                None => return Ok(None),
                Some(owner) => {
                    let input = port_number(unit).and_then(|place| self.unit(owner).inputs.get(place));
                    (input.copied().flatten(), element)
                }
            },
            "Mux" | "BusCreator" => self.joined(unit, element),
            "Concatenate" => self.concatenated(unit, element)?,
            "Demux" => {
                let before: usize = unit.outputs.iter().take(output).map(Shape::width).sum();
                (input(0), before + element)
            }
            "SignalConversion" | "Reshape" | "SignalSpecification" | "BusToVector" => (input(0), element),
            "BusSelector" => (input(0), self.selected(unit, output, element)?),
            "BusAssignment" => self.assigned(unit, element)?,
            "Selector" => match self.selections.get(&id) {
                None | Some(Ok(None)) => return Ok(None),
                Some(Err(fault)) => return Err(fault.clone()),
                Some(Ok(Some(places))) => {
                    let place = places.get(element).copied();
                    (input(0), place.ok_or_else(|| Fault::new("it selects more elements than it says"))?)
                }
            },
            _ => return Ok(None),
        };
        Ok(Some(step))
    }

    fn shape(&self, source: Option<Source>) -> Option<&'p Shape> {
        self.plan.shape(source?)
    }

    /// The inputs one after the other.
    fn joined(&self, unit: &Unit, element: usize) -> (Option<Source>, usize) {
        let mut left = element;
        for &source in &unit.inputs {
            let width = self.width(source);
            if left < width {
                return (source, left);
            }
            left -= width;
        }
        (None, 0)
    }

    /// Matrices beside or below each other; vectors one after the other.
    fn concatenated(&self, unit: &Unit, element: usize) -> Outcome<(Option<Source>, usize)> {
        if word(unit, "Mode") == "Vector" || entries(unit, "ConcatenateDimension").first() != Some(&1.0) {
            // Columns beside each other are entries one after the other.
            return Ok(self.joined(unit, element));
        }
        let heights: Vec<usize> =
            unit.inputs.iter().map(|it| self.shape(*it).map_or(1, |it| rows_columns(it).0)).collect();
        let total: usize = heights.iter().sum();
        let (mut row, column) = (element % total.max(1), element / total.max(1));
        for (&source, height) in unit.inputs.iter().zip(heights) {
            if row < height {
                return Ok((source, column * height + row));
            }
            row -= height;
        }
        Ok((None, 0))
    }

    fn selected(&self, unit: &Unit, output: usize, element: usize) -> Outcome<usize> {
        let names: Vec<&str> = word(unit, "OutputSignals").split(',').map(str::trim).collect();
        let bus = self.shape(unit.inputs.first().copied().flatten());
        let bus = bus.ok_or_else(|| Fault::new("its input is no bus"))?;
        let place = |name: &str| {
            offset(bus, name).ok_or_else(|| Fault::new(format!("its bus has no element `{name}`")))
        };
        if !is_on(unit, "OutputAsBus") {
            let name = names.get(output).ok_or_else(|| Fault::new("it has more outputs than signals"))?;
            return Ok(place(name)?.0 + element);
        }
        let mut left = element;
        for name in names {
            let (start, width) = place(name)?;
            if left < width {
                return Ok(start + left);
            }
            left -= width;
        }
        Err(Fault::new("it selects fewer elements than it says"))
    }

    fn assigned(&self, unit: &Unit, element: usize) -> Outcome<(Option<Source>, usize)> {
        let input = |place: usize| unit.inputs.get(place).copied().flatten();
        let bus = self.shape(input(0)).ok_or_else(|| Fault::new("its first input is no bus"))?;
        for (place, name) in word(unit, "AssignedSignals").split(',').map(str::trim).enumerate() {
            let found = offset(bus, name);
            let (start, width) =
                found.ok_or_else(|| Fault::new(format!("its bus has no element `{name}`")))?;
            if (start..start + width).contains(&element) {
                return Ok((input(place + 1), element - start));
            }
        }
        Ok((input(0), element))
    }
}

/// Rows and columns; a vector is a column.
pub(crate) fn rows_columns(shape: &Shape) -> (usize, usize) {
    match shape {
        Shape::Signal { dimensions, .. } => match dimensions[..] {
            [] => (1, 1),
            [rows] => (rows, 1),
            [rows, ref rest @ ..] => (rows, rest.iter().product()),
        },
        Shape::Bus(_) => (shape.width(), 1),
    }
}

/// Where an element of a bus starts, and how wide it is. Levels are separated by dots.
fn offset(bus: &Shape, name: &str) -> Option<(usize, usize)> {
    let (mut now, mut start) = (bus, 0);
    for part in name.split('.') {
        let Shape::Bus(elements) = now else { return None };
        let place = elements.iter().position(|(it, _)| it == part)?;
        start += elements[..place].iter().map(|(_, shape)| shape.width()).sum::<usize>();
        now = &elements[place].1;
    }
    Some((start, now.width()))
}

/// The elements that a selector takes; none if a port says it.
fn fixed_indices(unit: &Unit, input: Option<&Shape>) -> Outcome<Option<Vec<usize>>> {
    let dimensions = match input {
        Some(Shape::Signal { dimensions, .. }) => dimensions.clone(),
        Some(Shape::Bus(_)) | None => vec![input.map_or(1, Shape::width)],
    };
    let options: Vec<&str> = word(unit, "IndexOptions").split(',').map(str::trim).collect();
    if options.iter().any(|it| it.contains("(port)")) {
        return Ok(None);
    }
    let first = if word(unit, "IndexMode") == "Zero-based" { 0.0 } else { 1.0 };
    let one = word(unit, "NumberOfDimensions") != "2" && options.len() < 2;
    let sizes = if one {
        vec![dimensions.iter().product()]
    } else {
        let mut sizes = dimensions;
        sizes.resize(options.len().max(2), 1);
        sizes
    };
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (place, size) in sizes.iter().enumerate() {
        let option = options.get(place).copied().unwrap_or("Select all");
        let numbers = numbers_of(unit, "Indices", place);
        let chosen: Vec<f64> = match option {
            "Select all" => (0..*size).map(|it| it as f64).collect(),
            "Starting index (dialog)" => {
                let many = numbers_of(unit, "OutputSizes", place).first().copied().unwrap_or(1.0);
                let start = numbers.first().copied().unwrap_or(first) - first;
                (0..(many as usize).min(size + 1)).map(|it| start + it as f64).collect()
            }
            _ => numbers.iter().map(|it| it - first).collect(),
        };
        if chosen.iter().any(|it| it.fract() != 0.0 || *it < 0.0 || *it >= *size as f64) {
            return Err(Fault::new(format!("it selects an element that its input of {size} does not have")));
        }
        all.push(chosen.into_iter().map(|it| it as usize).collect());
    }
    let count = all.iter().map(Vec::len).fold(1, usize::saturating_mul);
    if unit.outputs.first().is_none_or(|it| it.width() < count) {
        return Err(Fault::new("it selects more elements than it says"));
    }
    let mut places = vec![0];
    let mut stride = 1;
    for (chosen, size) in all.iter().zip(&sizes) {
        places = chosen.iter().flat_map(|it| places.iter().map(move |p| p + it * stride)).collect();
        stride *= size;
    }
    Ok(Some(places))
}

/// The numbers of one dimension: a parameter has one list, or one for each dimension.
fn numbers_of<'u>(unit: &'u Unit, name: &str, place: usize) -> &'u [f64] {
    match unit.values.get(name) {
        Some(Value::Cell(all)) => all.get(place).and_then(Value::matrix).map_or(&[], |it| &it.entries),
        Some(Value::Matrix(matrix)) if place == 0 => &matrix.entries,
        Some(Value::Matrix(_) | Value::Text(_) | Value::Struct(_)) | None => &[],
    }
}
