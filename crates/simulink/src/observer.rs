//! Observers as Simulink blocks: a system with inputs, state and properties becomes a subsystem of ordinary blocks.
//!
//! Each input is an `Inport`, each property an `Outport` and an `Assertion` of its name. A state is a `UnitDelay`, whole and real
//! numbers and the indices of literals are doubles. A property is checked as long as all assumptions have held, as in the system.
//! [`observer`] returns a model of its own; [`insert`] adds the subsystem to a model, with lines at the root and global tags for
//! signals inside subsystems. What blocks cannot express is an error that names it; nothing is left out.

mod blocks;

use crate::attach::Wire;
use crate::blocks::BlockKind;
use crate::diagram::{BlockId, Diagram, Parameters, Port, Sheet, SheetId};
use blocks::Inside;
use system::{Pool, System, Type};

/// What cannot be written or connected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritable(pub String);

impl std::error::Error for Unwritable {}

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A model with an observer as its only subsystem: its inputs and properties are the ports of the model, in order.
///
/// # Errors
///
/// What blocks cannot express.
pub fn observer(system: &System, name: &str, step: f64) -> Result<Diagram, Unwritable> {
    let inside = inside(system, step)?;
    let settings = [("Solver", "FixedStepDiscrete".to_owned()), ("FixedStep", step.to_string())];
    let settings = settings.map(|(key, value)| (key.to_owned(), value));
    let mut diagram = Diagram {
        name: name.to_owned(),
        settings: Parameters(settings.into()),
        sheets: vec![Sheet::default()],
        ..Diagram::default()
    };
    let (inputs, outputs) = (inside.inputs.clone(), inside.outputs.clone());
    let block = subsystem(&mut diagram, inside, "Observer", 200);
    let Some(root) = diagram.sheets.first_mut() else { return Ok(diagram) };
    for (number, (port, class)) in (1..).zip(&inputs) {
        let place = position(20, number);
        let words =
            [("Port", number.to_string()), ("OutDataTypeStr", (*class).to_owned()), ("Position", place)];
        let inport =
            root.add(BlockKind::Inport, port, &words.each_ref().map(|(key, value)| (*key, value.as_str())));
        root.connect((inport, 1), (block, Port::Data(number)));
    }
    for (number, port) in (1..).zip(&outputs) {
        let words = [("Port", number.to_string()), ("Position", position(500, number))];
        let outport =
            root.add(BlockKind::Outport, port, &words.each_ref().map(|(key, value)| (*key, value.as_str())));
        root.connect((block, number), (outport, Port::Data(1)));
    }
    Ok(diagram)
}

/// Adds an observer to a model, with each of its inputs connected to a signal, and returns the path of the new subsystem.
///
/// A wire names a block by its path, with or without the name of the model; `:2` after it selects the second output. The path of an
/// `Outport` stands for the signal at its input.
///
/// # Errors
///
/// What blocks cannot express, inputs without a wire, and wires to blocks that the model does not have.
pub fn insert(
    diagram: &mut Diagram,
    system: &System,
    step: f64,
    wires: &[Wire],
) -> Result<String, Unwritable> {
    let inside = inside(system, step)?;
    let mut found = Vec::new();
    for (var, (port, _)) in system.inputs.iter().zip(&inside.inputs) {
        let name = &system.variables[var.index()].name;
        let wire = wires.iter().find(|wire| wire.variable == *name);
        let path = wire.map(|wire| (wire.path.as_str(), wire.index));
        let path = path.ok_or_else(|| Unwritable(format!("`{name}` is not a signal of the model")))?;
        if path.1.is_some() {
            return Err(Unwritable(format!(
                "`{name}` is one element of `{}`, and single elements cannot be connected",
                path.0
            )));
        }
        found.push((port.clone(), find(diagram, path.0)?));
    }
    let Some(root) = diagram.sheets.first() else {
        return Err(Unwritable("the model has no blocks".into()));
    };
    let name = fresh(root, "Observer");
    let outputs = inside.outputs.len() as u32;
    let block = subsystem(diagram, inside, &name, 1000);
    for (number, (port, (sheet, source))) in (1..).zip(found) {
        let from = match sheet {
            SheetId(0) => source,
            inner => tag(diagram, inner, source, &port, number),
        };
        if let Some(root) = diagram.sheets.first_mut() {
            root.connect(from, (block, Port::Data(number)));
        }
    }
    if let Some(root) = diagram.sheets.first_mut() {
        for number in 1..=outputs {
            let end = fresh(root, &format!("Observed {number}"));
            let end = root.add(BlockKind::Terminator, &end, &[("Position", &position(1300, number))]);
            root.connect((block, number), (end, Port::Data(1)));
        }
    }
    Ok(format!("{}/{name}", diagram.name))
}

/// The inside of an observer, in which a property is only checked as long as the assumptions have held.
fn inside(system: &System, step: f64) -> Result<Inside, Unwritable> {
    if !system.initial.is_empty() {
        return Err(Unwritable("blocks cannot express a constraint on the first step".into()));
    }
    let mut system = system.clone();
    if !system.assumptions.is_empty() {
        let name = system.fresh_name("assumed before");
        let before = system.add_state(&name, Type::Bool, Some(Pool::TRUE));
        let before_now = system.expr(before);
        let all = system.assumptions.iter().copied().chain([before_now]).collect::<Vec<_>>();
        let assumed = system.pool.and(all);
        system.set_next(before, assumed);
        for place in 0..system.properties.len() {
            let value = system.properties[place].value;
            system.properties[place].value = system.pool.implies(assumed, value);
        }
    }
    blocks::inside(&system, step)
}

/// Adds a subsystem to the root.
fn subsystem(diagram: &mut Diagram, inside: Inside, name: &str, left: u32) -> u32 {
    let (inputs, outputs) = (inside.inputs.len() as u32, inside.outputs.len() as u32);
    let height = 40 * inputs.max(outputs).max(1);
    let words = [
        ("Ports", format!("[{inputs}, {outputs}]")),
        ("Position", format!("[{left}, 30, {}, {}]", left + 200, 30 + height)),
    ];
    let id = SheetId(diagram.sheets.len() as u32);
    let Some(root) = diagram.sheets.first_mut() else { return 0 };
    let block =
        root.add(BlockKind::SubSystem, name, &words.each_ref().map(|(key, value)| (*key, value.as_str())));
    if let Some(added) = root.blocks.last_mut() {
        added.inside = Some(id);
    }
    let owner = Some(BlockId { sheet: SheetId(0), number: block });
    diagram.sheets.push(Sheet { owner, ..inside.sheet });
    block
}

/// The position of a small block in a column.
fn position(left: u32, row: u32) -> String {
    let top = 40 * row;
    format!("[{left}, {top}, {}, {}]", left + 30, top + 14)
}

/// An output of a block on a sheet: the block, and its output from 1.
type Output = (u32, u32);

/// The output that a path names.
fn find(diagram: &Diagram, path: &str) -> Result<(SheetId, Output), Unwritable> {
    let plain = |path: &str| path.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = |block: &str| [plain(block), plain(&format!("{}/{block}", diagram.name))];
    let split = path.rsplit_once(':').and_then(|(block, number)| Some((names(block), number.parse().ok()?)));
    let split = split.filter(|(_, number)| *number > 0);
    let wanted: Vec<([String; 2], u32)> = std::iter::once((names(path), 1)).chain(split).collect();
    for (sheet, found) in (0..).map(SheetId).zip(&diagram.sheets) {
        for (number, block) in (0..).zip(&found.blocks) {
            let own = plain(&diagram.path(BlockId { sheet, number }));
            let Some((_, output)) = wanted.iter().find(|(names, _)| names.contains(&own)) else { continue };
            let is_port = block.kind == BlockKind::Outport;
            let source = if is_port { source(found, number) } else { Some((number, *output)) };
            return source
                .map(|source| (sheet, source))
                .ok_or_else(|| Unwritable(format!("nothing is connected to `{path}`")));
        }
    }
    Err(Unwritable(format!("the model has no block `{path}`")))
}

/// Where the first input of a block comes from.
fn source(sheet: &Sheet, block: u32) -> Option<Output> {
    sheet.lines.iter().find(|line| line.to.contains(&(block, Port::Data(1))))?.from
}

/// Carries a signal of an inner sheet to the root, and returns its output there.
fn tag(diagram: &mut Diagram, inner: SheetId, source: Output, like: &str, row: u32) -> Output {
    let taken = |diagram: &Diagram, tag: &str| {
        let mut blocks = diagram.sheets.iter().flat_map(|sheet| &sheet.blocks);
        blocks.any(|block| block.kind == BlockKind::Goto && block.parameters.get("GotoTag") == Some(tag))
    };
    let like: String = like.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let tag = unique(&format!("observed_{like}"), |tag| taken(diagram, tag));
    if let Some(sheet) = diagram.sheets.get_mut(inner.0 as usize) {
        let name = fresh(sheet, &format!("Observed {like}"));
        let goto = sheet.add(BlockKind::Goto, &name, &[("GotoTag", &tag), ("TagVisibility", "global")]);
        sheet.connect(source, (goto, Port::Data(1)));
    }
    let Some(root) = diagram.sheets.first_mut() else { return (0, 1) };
    let name = fresh(root, &format!("Observed {like}"));
    (root.add(BlockKind::From, &name, &[("GotoTag", &tag), ("Position", &position(900, row))]), 1)
}

/// A name like this one that no block of the sheet has.
fn fresh(sheet: &Sheet, like: &str) -> String {
    unique(like, |name| sheet.blocks.iter().any(|block| block.name == name))
}

/// A name like this one that is not taken.
fn unique(like: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2u32..).map(|number| format!("{like}_{number}"));
    std::iter::once(like.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
