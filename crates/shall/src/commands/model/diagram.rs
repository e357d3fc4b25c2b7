//! `shall model diagram`: a sheet of a model as a drawing, with the values of a step if a trace is given.

use super::{Made, Opened, open};
use crate::cli::Output;
use crate::cli::model::Diagram as Command;
use crate::commands::simulate::inputs;
use crate::files::write_file;
use crate::trace_file::TraceFile;
use crate::{Error, Outcome, print};
use base::counted;
use draw::blocks::{Block, End, Facing, Line, Outline, Sheet};
use schemars::JsonSchema;
use serde::Serialize;
use simulink::BlockKind;
use simulink::diagram::{self, BlockId, Diagram, Port, SheetId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use system::{Value, simulate};

pub(super) fn run(command: &Command, output: Output) -> Result<Outcome, Error> {
    if command.into.is_none() && output == Output::Human {
        return Err(Error::usage("name a file for the drawing with `-o`; `-` is standard output"));
    }
    let opened = open(&command.file, &command.data, &[])?;
    opened.complain(&opened.lost);
    let id = match &command.subsystem {
        None => SheetId(0),
        Some(path) => opened.diagram.sheet_at(path).ok_or_else(|| {
            let paths = opened.plan.units.iter().filter(|it| it.inside.is_some()).map(|it| it.path.as_str());
            let hint = syntax::nearest(path, paths).map(|it| format!("; did you mean `{it}`?"));
            Error::Refused(format!("there is no subsystem `{path}`{}", hint.unwrap_or_default()))
        })?,
    };
    let values = match &command.trace {
        Some(trace) => values(&opened, trace, command.step)?,
        None => BTreeMap::new(),
    };
    let mut sheet = sheet(&opened, id, &values);
    if command.into.is_none() {
        address(&opened.diagram, id, &mut sheet);
    }
    let mut about =
        format!("{}, {}", counted(sheet.blocks.len(), "block"), counted(sheet.lines.len(), "line"));
    if command.trace.is_some() {
        about += &format!("; values of step {}", command.step);
    }
    let drawing = draw::blocks::svg(&sheet, &about);
    if let Some(file) = &command.into {
        write_file(file, &drawing)?;
    }
    if output != Output::Human {
        let document = DrawnSheet {
            made: Made { files: command.into.iter().cloned().collect(), left_out: Vec::new() },
            path: one_line(&sheet.title),
            drawing: Some(drawing).filter(|_| command.into.is_none()),
        };
        print(output.text(&document) + "\n")?;
    }
    Ok(Outcome::Fine)
}

/// A drawing of a Simulink model.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DrawnSheet {
    #[serde(flatten)]
    made: Made,
    /// The path of what is drawn.
    path: String,
    /// Without `-o`: the drawing (SVG). Blocks with something inside have its path as `data-opens`; lines have the name of their
    /// signal, as counterexamples with `--inner` call it, as `data-signal`, and the places for its values as `data-value`.
    drawing: Option<String>,
}

/// Names the sheets and signals of a drawing for programs.
fn address(diagram: &Diagram, id: SheetId, sheet: &mut Sheet) {
    let path = |number: usize| diagram.path(BlockId { sheet: id, number: number as u32 });
    let blocks = diagram.sheets.get(id.0 as usize).map_or(&[][..], |it| &it.blocks);
    for (number, (drawn, block)) in sheet.blocks.iter_mut().zip(blocks).enumerate() {
        drawn.opens = block.inside.map(|_| one_line(&path(number)));
    }
    for line in &mut sheet.lines {
        line.signal = signal(diagram, &path(line.from.0), line.from.1 as u32 + 1);
    }
}

/// A path without line breaks.
fn one_line(path: &str) -> String {
    path.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The values of all signals at a step, by the names that they have in the system.
type Values = BTreeMap<String, String>;

fn values(opened: &Opened, trace: &Path, step: usize) -> Result<Values, Error> {
    let system = opened.system(None);
    let system = system.ok_or_else(|| Error::Refused("the model cannot be run; see above".to_owned()))?;
    let file = TraceFile::read(trace)?;
    let (start, rows) = inputs::of(&system, &opened.plan.name, &file)?;
    if step >= rows.len() {
        return Err(Error::file(
            trace,
            format_args!("there is no step {step}; the last one is {}", rows.len().saturating_sub(1)),
        ));
    }
    let run = simulate::<f64>(&system, &start, &rows[..=step]);
    let step = &run.steps[step];
    let inputs = system
        .inputs
        .iter()
        .map(|var| (system.variables[var.index()].name.clone(), &step.values[var.index()]));
    let outputs = system.outputs.iter().map(|it| it.name.clone()).zip(&step.outputs);
    Ok(inputs.chain(outputs).map(|(name, value)| (name, shown(value))).collect())
}

fn shown(value: &Value<f64>) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Machine(number) => number.to_string(),
        // Enough digits to tell signals apart.
        Value::Real(number) => {
            let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(*number);
            rounded.to_string()
        }
        Value::Enum(place) => place.to_string(),
        Value::Undefined => "undefined".to_owned(),
    }
}

/// A sheet as data for a drawing.
pub(crate) fn sheet(opened: &Opened, id: SheetId, values: &Values) -> Sheet {
    let diagram = &opened.diagram;
    let Some(content) = diagram.sheets.get(id.0 as usize) else { return Sheet::default() };
    let wrong: BTreeSet<&str> = opened.problems().map(|it| it.path.as_str()).collect();
    let title = content.owner.map_or_else(|| diagram.name.clone(), |owner| diagram.path(owner));
    let ends = Ends::of(content);
    let mut sheet = Sheet { title, ..Sheet::default() };
    for (number, block) in (0..).zip(&content.blocks) {
        let path = diagram.path(BlockId { sheet: id, number });
        let mut drawn = drawn(diagram, block, &ends, number);
        drawn.marked = wrong.contains(path.as_str());
        sheet.blocks.push(drawn);
    }
    for line in &content.lines {
        let Some((from, output)) = line.from else { continue };
        let own = diagram.path(BlockId { sheet: id, number: from });
        let value = value(diagram, &own, output, values);
        for ((to, port), route) in line.to.iter().zip(&line.routes) {
            let end = match port {
                Port::Data(number) => End::Input(number.saturating_sub(1) as usize),
                control => End::Control(ends.control(*to, *control)),
            };
            sheet.lines.push(Line {
                from: (from as usize, output.saturating_sub(1) as usize),
                to: (*to as usize, end),
                route: route.clone(),
                name: line.name.clone().unwrap_or_default(),
                value: value.clone(),
                signal: None,
            });
        }
    }
    sheet
}

/// The value of an output: of its only element, or of all.
fn value(diagram: &Diagram, path: &str, output: u32, values: &Values) -> Option<String> {
    let name = signal(diagram, path, output)?;
    if let Some(value) = values.get(&name) {
        return Some(value.clone());
    }
    let elements: Vec<&str> =
        (1..).map_while(|it| values.get(&format!("{name}_{it}"))).map(String::as_str).collect();
    (!elements.is_empty()).then(|| format!("[{}]", elements.join(" ")))
}

/// The name of an output in the system of the whole model.
fn signal(diagram: &Diagram, path: &str, output: u32) -> Option<String> {
    let name = one_line(path.strip_prefix(&diagram.name)?.strip_prefix('/')?);
    Some(if output > 1 { format!("{name}:{output}") } else { name })
}

/// The ports of blocks that lines use.
struct Ends {
    inputs: BTreeMap<u32, u32>,
    outputs: BTreeMap<u32, u32>,
    controls: BTreeMap<u32, Vec<Port>>,
}

impl Ends {
    fn of(sheet: &diagram::Sheet) -> Ends {
        let mut ends = Ends { inputs: BTreeMap::new(), outputs: BTreeMap::new(), controls: BTreeMap::new() };
        for line in &sheet.lines {
            if let Some((from, output)) = line.from {
                let most = ends.outputs.entry(from).or_default();
                *most = output.max(*most).min(MOST_PORTS);
            }
            for (to, port) in &line.to {
                match port {
                    Port::Data(number) => {
                        let most = ends.inputs.entry(*to).or_default();
                        *most = (*number).max(*most).min(MOST_PORTS);
                    }
                    control => ends.controls.entry(*to).or_default().push(*control),
                }
            }
        }
        for controls in ends.controls.values_mut() {
            controls.sort();
            controls.dedup();
        }
        ends
    }

    fn control(&self, block: u32, port: Port) -> usize {
        self.controls.get(&block).and_then(|it| it.iter().position(|other| *other == port)).unwrap_or(0)
    }
}

/// The maximum number of ports that are drawn.
const MOST_PORTS: u32 = 1_000;

fn drawn(diagram: &Diagram, block: &diagram::Block, ends: &Ends, number: u32) -> Block {
    let word = |name: &str| diagram.parameter(block, name).unwrap_or_default();
    let (outline, label) = look(block, &word);
    let listed: Vec<u32> =
        word("Ports").split(['[', ']', ',', ' ']).filter_map(|it| it.parse().ok()).collect();
    let count = |place: usize, used: &BTreeMap<u32, u32>| {
        let listed = listed.get(place).copied().unwrap_or(0).min(MOST_PORTS);
        listed.max(used.get(&number).copied().unwrap_or(0)) as usize
    };
    let mut inputs: Vec<Option<String>> = vec![Some(String::new()); count(0, &ends.inputs)];
    let mut outputs = vec![String::new(); count(1, &ends.outputs)];
    if let Some(inside) = block.inside.and_then(|it| diagram.sheets.get(it.0 as usize)) {
        for port in &inside.blocks {
            let place = diagram.parameter(port, "Port").unwrap_or("1").trim().parse::<usize>().unwrap_or(1);
            let place = place.saturating_sub(1);
            match port.kind {
                BlockKind::Inport => {
                    inputs.get_mut(place).into_iter().for_each(|it| *it = Some(port.name.clone()))
                }
                BlockKind::Outport => {
                    outputs.get_mut(place).into_iter().for_each(|it| it.clone_from(&port.name))
                }
                _ => {}
            }
        }
    } else if matches!(block.kind, BlockKind::Sum | BlockKind::Product) {
        let signs = word("Inputs");
        if !signs.is_empty() && signs.parse::<u32>().is_err() {
            inputs = signs.chars().filter(|it| *it != ' ').map(sign).collect();
        }
    }
    let controls =
        ends.controls.get(&number).into_iter().flatten().map(|port| control_name(*port).to_owned());
    let hidden = word("ShowName") == "off" || matches!(block.kind, BlockKind::From | BlockKind::Goto);
    Block {
        name: if hidden { String::new() } else { block.name.clone() },
        about: block.kind.name().to_owned(),
        outline,
        label,
        place: place(word("Position")),
        facing: facing(&word),
        inputs,
        controls: controls.collect(),
        outputs,
        marked: false,
        opens: None,
    }
}

/// A sign at an input; a spacer has no port.
fn sign(sign: char) -> Option<String> {
    match sign {
        '|' => None,
        '-' => Some("−".to_owned()),
        '*' => Some("×".to_owned()),
        '/' => Some("÷".to_owned()),
        other => Some(other.to_string()),
    }
}

fn control_name(port: Port) -> &'static str {
    match port {
        Port::Data(_) => "",
        Port::Action => "action",
        Port::Enable => "enable",
        Port::Trigger => "trigger",
        Port::Reset => "reset",
    }
}

fn place(text: &str) -> Option<[i32; 4]> {
    let numbers: Vec<i32> = text.split(['[', ']', ',', ' ']).filter_map(|it| it.parse().ok()).collect();
    numbers.try_into().ok()
}

fn facing<'a>(word: &dyn Fn(&str) -> &'a str) -> Facing {
    let mirrored = word("BlockMirror") == "on";
    match (word("Orientation"), word("BlockRotation")) {
        ("left", _) => Facing::Left,
        ("up", _) => Facing::Up,
        ("down", _) => Facing::Down,
        (_, "90") => Facing::Down,
        (_, "180") if !mirrored => Facing::Left,
        (_, "270") => Facing::Up,
        (_, "0" | "") if mirrored => Facing::Left,
        _ => Facing::Right,
    }
}

/// The outline of a block, and what is written in it.
fn look<'a>(block: &diagram::Block, word: &dyn Fn(&str) -> &'a str) -> (Outline, String) {
    let first = |names: &[&str]| {
        let found = names.iter().map(|name| word(name)).find(|it| !it.is_empty());
        found.unwrap_or_default().to_owned()
    };
    let label = match block.kind {
        BlockKind::Gain => first(&["Gain"]),
        BlockKind::Constant => first(&["Value"]),
        BlockKind::Inport | BlockKind::Outport | BlockKind::InportShadow => match word("Port") {
            "" => "1".to_owned(),
            port => port.to_owned(),
        },
        BlockKind::Sum
        | BlockKind::Mux
        | BlockKind::Demux
        | BlockKind::BusCreator
        | BlockKind::BusSelector => String::new(),
        BlockKind::SubSystem if block.inside.is_some() => String::new(),
        BlockKind::Product => {
            if word("Multiplication").starts_with("Matrix") { "matrix ×" } else { "×" }.to_owned()
        }
        BlockKind::Logic
        | BlockKind::RelationalOperator
        | BlockKind::Math
        | BlockKind::Trigonometry
        | BlockKind::Rounding => first(&["Operator"]),
        BlockKind::MinMax => first(&["Function"]),
        BlockKind::From | BlockKind::Goto => format!("[{}]", word("GotoTag")),
        BlockKind::UnitDelay | BlockKind::Memory => "1/z".to_owned(),
        BlockKind::Integrator => "1/s".to_owned(),
        BlockKind::DiscreteIntegrator => "Σ T".to_owned(),
        BlockKind::Fcn => first(&["Expr"]),
        BlockKind::DataTypeConversion => match word("OutDataTypeStr") {
            "" => "convert".to_owned(),
            text if text.starts_with("Inherit") => "convert".to_owned(),
            text => text.to_owned(),
        },
        _ => block.kind.name().to_owned(),
    };
    let outline = match block.kind {
        BlockKind::Gain => Outline::Triangle,
        BlockKind::Sum if word("IconShape") != "rectangular" => Outline::Round,
        BlockKind::Inport | BlockKind::Outport | BlockKind::InportShadow => Outline::Pill,
        BlockKind::Mux | BlockKind::Demux | BlockKind::BusCreator | BlockKind::BusSelector => Outline::Bar,
        _ => Outline::Rectangle,
    };
    (outline, label)
}
