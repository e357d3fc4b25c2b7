//! Where inputs come from: lines, `From` and `Goto` blocks, and shadows of input ports.

use super::{Fault, Problem, Source, Unit, UnitId};
use crate::blocks::{BlockKind, counted};
use crate::diagram::{Block, BlockId, Diagram, Port, SheetId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// For each unit, the sources that its outputs are made from: the inputs; for an input port inside a subsystem the input of
/// the subsystem, and for a subsystem what its output ports take.
pub(super) type Feeds = Vec<Vec<Option<Source>>>;

/// The longest chain of tags and ports before one input.
const LONGEST: usize = 1_000;

/// Finds the inputs and control inputs of all units; and gives those that were not found, with the reason.
pub(super) fn connect(
    diagram: &Diagram,
    units: &mut [Unit],
    problems: &mut Vec<Problem>,
) -> Vec<(UnitId, Problem)> {
    let wires = Wires::new(diagram, units);
    let mut missing = vec![];
    let mut found = vec![];
    let mut room = super::PORTS;
    for (id, unit) in (0..).map(UnitId).zip(units.iter()) {
        let used = wires.ends.get(&unit.block).map_or(&[][..], Vec::as_slice);
        let highest =
            used.iter().filter_map(|port| if let Port::Data(k) = port { Some(*k) } else { None }).max();
        let count = data_inputs(diagram, unit).max(highest.unwrap_or(0).min(10_000) as usize);
        let count = if count > room { 1 } else { count };
        room -= count.min(room);
        let mut resolve = |port: Port| {
            wires.resolve(unit.block, port).unwrap_or_else(|problem| {
                missing.extend(problem.map(|problem| (id, problem)));
                None
            })
        };
        let inputs: Vec<Option<Source>> = (1..=count as u32).map(|k| resolve(Port::Data(k))).collect();
        let controls = [Port::Action, Port::Enable, Port::Trigger, Port::Reset];
        let inside = unit.inside.and_then(|id| diagram.sheets.get(id.0 as usize));
        let ports = inside.map_or(&[][..], |sheet| &sheet.blocks);
        let is_there = |port: Port| {
            ports.iter().any(|block| block.kind.definition().control == Some(port) && !block.is_commented())
        };
        let control = |port: Port| match resolve(port) {
            None if !is_there(port) => None,
            source => Some((port, source)),
        };
        let controls: Vec<(Port, Option<Source>)> = controls.into_iter().filter_map(control).collect();
        found.push((inputs, controls));
    }
    for (unit, (mut inputs, controls)) in units.iter_mut().zip(found) {
        if unit.kind == BlockKind::Chart {
            // The events at which a chart runs are its last input.
            inputs.extend(controls.iter().filter(|it| it.0 == Port::Trigger).map(|it| it.1));
            unit.inputs = inputs;
        } else {
            (unit.inputs, unit.controls) = (inputs, controls);
        }
    }
    let mut told: Vec<Problem> = missing.iter().map(|(_, problem)| problem.clone()).collect();
    told.dedup();
    problems.extend(told);
    missing
}

/// What outputs are made from.
pub(super) fn feeds(units: &[Unit], sheets: &BTreeMap<SheetId, Vec<UnitId>>) -> Feeds {
    let mut feeds: Feeds = units.iter().map(|unit| unit.inputs.clone()).collect();
    for (number, unit) in units.iter().enumerate() {
        let Some(inside) = unit.inside.and_then(|sheet| sheets.get(&sheet)) else { continue };
        let mut outputs = vec![None; unit.outputs.len()];
        for id in inside {
            let inner = &units[id.0 as usize];
            let Some(place) = port_number(inner) else { continue };
            let feed = &mut feeds[id.0 as usize];
            match (&inner.kind, inner.kind.definition().control) {
                (BlockKind::Inport, _) => *feed = vec![unit.source(place)],
                (BlockKind::Outport, _) => {
                    if let Some(output) = outputs.get_mut(place) {
                        *output = inner.source(0);
                    }
                }
                (_, Some(port @ (Port::Enable | Port::Trigger))) => *feed = vec![control(unit, port)],
                (_, Some(Port::Data(_) | Port::Action | Port::Reset) | None) => {}
            }
        }
        outputs.extend(counted(unit));
        feeds[number] = outputs;
    }
    feeds
}

/// The number of a port block, from 0.
pub(crate) fn port_number(unit: &Unit) -> Option<usize> {
    let text = if unit.words.contains_key("Port") { unit.word("Port") } else { "1" };
    text.parse::<usize>().ok()?.checked_sub(1)
}

fn control(unit: &Unit, port: Port) -> Option<Source> {
    unit.controls.iter().find(|(other, _)| *other == port).and_then(|(_, source)| *source)
}

/// The inputs that a block has, connected or not.
fn data_inputs(diagram: &Diagram, unit: &Unit) -> usize {
    if let Some(inside) = unit.inside.and_then(|id| diagram.sheets.get(id.0 as usize)) {
        let is_port = |block: &&Block| block.kind == BlockKind::Inport && !block.is_commented();
        return inside.blocks.iter().filter(is_port).count();
    }
    unit.kind.definition().inputs.unwrap_or_else(|| {
        let first = unit.word("Ports").trim_start_matches('[').split([',', ' ', ']']).next();
        first.unwrap_or("").parse().unwrap_or(1).min(10_000)
    })
}

struct Wires<'a> {
    diagram: &'a Diagram,
    /// The unit of a block.
    units: FxHashMap<BlockId, UnitId>,
    /// For each input, the output that its line starts from.
    lines: FxHashMap<(BlockId, Port), (BlockId, u32)>,
    /// The inputs of a block that lines lead to.
    ends: FxHashMap<BlockId, Vec<Port>>,
    /// The `Goto` blocks of a sheet by tag.
    local: FxHashMap<(&'a str, SheetId), Vec<BlockId>>,
    /// Those that may be visible from other sheets.
    wide: FxHashMap<&'a str, Vec<BlockId>>,
}

impl<'a> Wires<'a> {
    fn new(diagram: &'a Diagram, units: &[Unit]) -> Self {
        let known = (0..).zip(units).map(|(number, unit)| (unit.block, UnitId(number))).collect();
        let mut wires = Wires {
            diagram,
            units: known,
            lines: FxHashMap::default(),
            ends: FxHashMap::default(),
            local: FxHashMap::default(),
            wide: FxHashMap::default(),
        };
        for (sheet, content) in (0..).map(SheetId).zip(&diagram.sheets) {
            for line in &content.lines {
                let Some((from, output)) = line.from else { continue };
                for &(to, port) in &line.to {
                    let to = BlockId { sheet, number: to };
                    wires.lines.insert((to, port), (BlockId { sheet, number: from }, output));
                    wires.ends.entry(to).or_default().push(port);
                }
            }
            for (number, block) in (0..).zip(&content.blocks) {
                if block.kind == BlockKind::Goto && !block.is_commented() {
                    let tag = diagram.parameter(block, "GotoTag").unwrap_or("A");
                    let id = BlockId { sheet, number };
                    wires.local.entry((tag, sheet)).or_default().push(id);
                    if wires.visibility(id) != "local" {
                        wires.wide.entry(tag).or_default().push(id);
                    }
                }
            }
        }
        wires
    }

    /// The output that provides an input. An error without a problem means that the line starts at a block without a unit.
    fn resolve(&self, block: BlockId, port: Port) -> Result<Option<Source>, Option<Problem>> {
        let Some(&start) = self.lines.get(&(block, port)) else { return Ok(None) };
        let (mut at, mut output) = start;
        for _ in 0..LONGEST {
            if let Some(&unit) = self.units.get(&at) {
                return Ok(output.checked_sub(1).map(|output| Source { unit, output }));
            }
            let Some(here) = self.diagram.block(at) else { return Ok(None) };
            match here.kind {
                _ if here.is_commented_through() => match self.lines.get(&(at, Port::Data(output))) {
                    Some(&next) => (at, output) = next,
                    None => return Ok(None),
                },
                _ if here.is_commented() => return Ok(None),
                BlockKind::From => {
                    let goto = self.goto(at, here).map_err(Some)?;
                    match self.lines.get(&(goto, Port::Data(1))) {
                        Some(&next) => (at, output) = next,
                        None => return Ok(None),
                    }
                }
                BlockKind::InportShadow => match self.port(at.sheet, here) {
                    Some(next) => (at, output) = (next, 1),
                    None => {
                        return Err(Some(self.problem(
                            at,
                            here,
                            "there is no input port with its number",
                            None,
                        )));
                    }
                },
                _ => return Ok(None),
            }
        }
        let here = self.diagram.block(at).cloned().unwrap_or_default();
        Err(Some(self.problem(
            at,
            &here,
            "its tags form a cycle",
            Some("connect one of the Goto blocks to a signal"),
        )))
    }

    /// The input port that this is another drawing of.
    fn port(&self, sheet: SheetId, shadow: &Block) -> Option<BlockId> {
        let number = |block: &Block| self.diagram.parameter(block, "Port").unwrap_or("1").trim().to_owned();
        let wanted = number(shadow);
        let blocks = &self.diagram.sheets.get(sheet.0 as usize)?.blocks;
        let place =
            blocks.iter().position(|block| block.kind == BlockKind::Inport && number(block) == wanted)?;
        Some(BlockId { sheet, number: place as u32 })
    }

    /// The `Goto` that a `From` takes its signal from.
    fn goto(&self, at: BlockId, from: &Block) -> Result<BlockId, Problem> {
        let tag = self.diagram.parameter(from, "GotoTag").unwrap_or("A");
        let visible = |id: &&BlockId| match self.visibility(**id) {
            "global" => true,
            "scoped" => self.shares_scope(tag, id.sheet, at.sheet),
            _ => false,
        };
        // A tag of the same sheet hides those from elsewhere. Two are already too many.
        let seen: Vec<BlockId> = match self.local.get(&(tag, at.sheet)) {
            Some(local) => local.iter().take(2).copied().collect(),
            None => self.wide.get(tag).into_iter().flatten().filter(visible).take(2).copied().collect(),
        };
        match seen[..] {
            [goto] => Ok(goto),
            [] => {
                let message = format!("no Goto block with the tag `{tag}` is visible here");
                Err(self.problem(at, from, &message, Some("add it, or make its tag visible")))
            }
            _ => {
                let message = format!("several Goto blocks have the tag `{tag}`");
                Err(self.problem(at, from, &message, Some("give each one its own tag")))
            }
        }
    }

    fn visibility(&self, id: BlockId) -> &'a str {
        let block = self.diagram.block(id);
        block.and_then(|block| self.diagram.parameter(block, "TagVisibility")).unwrap_or("local")
    }

    /// Whether two sheets lie below a sheet that makes the tag visible.
    fn shares_scope(&self, tag: &str, one: SheetId, other: SheetId) -> bool {
        let above = |sheet: SheetId| {
            let mut all = vec![sheet];
            while let Some(owner) = all.last().and_then(|id| self.diagram.sheets.get(id.0 as usize)?.owner) {
                if all.len() > self.diagram.sheets.len() {
                    break;
                }
                all.push(owner.sheet);
            }
            all
        };
        let opens = |sheet: &SheetId| {
            let blocks = self.diagram.sheets.get(sheet.0 as usize).map_or(&[][..], |sheet| &sheet.blocks);
            let visible = |block: &Block| {
                block.kind == BlockKind::GotoTagVisibility
                    && self.diagram.parameter(block, "GotoTag").unwrap_or("A") == tag
            };
            blocks.iter().any(visible)
        };
        let others = above(other);
        above(one).iter().any(|sheet| others.contains(sheet) && opens(sheet))
    }

    fn problem(&self, at: BlockId, block: &Block, message: &str, hint: Option<&str>) -> Problem {
        let fault = Fault { hint: hint.map(str::to_owned), ..Fault::new(message) };
        Problem::new(&self.diagram.path(at), block.kind.name(), fault)
    }
}
