//! Observers as Simulink blocks: a system with inputs, state and properties becomes a subsystem of ordinary blocks.
//!
//! Each input is an `Inport`, each property an `Outport` and an `Assertion` of its name. A state is a `UnitDelay`, whole and real
//! numbers and the places of literals are doubles. A property counts as long as all assumptions have held, as in the system.
//! [`observer`] gives a model of its own; [`insert`] puts the subsystem into a model, by lines at the root and by global tags
//! for signals further inside. What blocks cannot express is refused by name; nothing is left out.

mod blocks;
mod place;

use crate::attach::Wire;
use crate::diagram::{BlockId, Diagram, Parameters, Port, Sheet, SheetId};
use blocks::Inside;
use system::{Pool, System, Type};

/// What cannot be written, or not be connected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritable(pub String);

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A model with an observer as its only subsystem: its inputs and properties are the ports of the model, in their order.
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
        let inport = root.add("Inport", port, &words.each_ref().map(|(key, value)| (*key, value.as_str())));
        root.connect((inport, 1), (block, Port::Data(number)));
    }
    for (number, port) in (1..).zip(&outputs) {
        let words = [("Port", number.to_string()), ("Position", position(500, number))];
        let outport = root.add("Outport", port, &words.each_ref().map(|(key, value)| (*key, value.as_str())));
        root.connect((block, number), (outport, Port::Data(1)));
    }
    Ok(diagram)
}

/// Puts an observer into a model, with each of its inputs connected to a signal; gives the path of the new subsystem.
///
/// A wire names a block by its path, with or without the name of the model; `:2` behind it is its second output. The path of an
/// `Outport` stands for what it gets.
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
        let path = path.ok_or_else(|| Unwritable(format!("`{name}` is no signal of the model")))?;
        if path.1.is_some() {
            return Err(Unwritable(format!("`{name}` is one of several numbers of `{}`", path.0)));
        }
        found.push((port.clone(), place::find(diagram, path.0)?));
    }
    let Some(root) = diagram.sheets.first() else {
        return Err(Unwritable("the model has no blocks".into()));
    };
    let name = place::fresh(root, "Observer");
    let outputs = inside.outputs.len() as u32;
    let block = subsystem(diagram, inside, &name, 1000);
    for (number, (port, (sheet, source))) in (1..).zip(found) {
        let from = match sheet {
            SheetId(0) => source,
            inner => place::tag(diagram, inner, source, &port, number),
        };
        if let Some(root) = diagram.sheets.first_mut() {
            root.connect(from, (block, Port::Data(number)));
        }
    }
    if let Some(root) = diagram.sheets.first_mut() {
        for number in 1..=outputs {
            let end = place::fresh(root, &format!("Observed {number}"));
            let end = root.add("Terminator", &end, &[("Position", &position(1300, number))]);
            root.connect((block, number), (end, Port::Data(1)));
        }
    }
    Ok(format!("{}/{name}", diagram.name))
}

/// The inside of an observer, in which a property is only claimed as long as the assumptions have held.
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
    let block = root.add("SubSystem", name, &words.each_ref().map(|(key, value)| (*key, value.as_str())));
    if let Some(added) = root.blocks.last_mut() {
        added.inside = Some(id);
    }
    let owner = Some(BlockId { sheet: SheetId(0), number: block });
    diagram.sheets.push(Sheet { owner, ..inside.sheet });
    block
}

/// Where a small block stands in a column.
fn position(left: u32, row: u32) -> String {
    let top = 40 * row;
    format!("[{left}, {top}, {}, {}]", left + 30, top + 14)
}
