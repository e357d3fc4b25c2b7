//! The interface of a model: its components, their ports, and what the ports carry; as a table for people, and as the
//! model-information array that FRET imports.
//!
//! A component is the model itself or a subsystem with ports. Types and sizes are those that a [`Plan`] has inferred.

use crate::blocks::BlockKind;
use crate::diagram::SheetId;
use crate::plan::{Plan, Shape, Unit, UnitId};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The components of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// The name of the model.
    pub name: String,
    /// The step of the model, in seconds.
    pub step: f64,
    /// The model and its subsystems that have ports.
    pub components: Vec<Component>,
}

/// The model or a subsystem.
#[derive(Clone, PartialEq, Debug)]
pub struct Component {
    /// The path of the block, line breaks kept.
    pub path: String,
    /// Its ports: inputs, then outputs, each by number.
    pub ports: Vec<Port>,
}

/// A port.
#[derive(Clone, PartialEq, Debug)]
pub struct Port {
    /// The path of the port block.
    pub path: String,
    /// Its name.
    pub name: String,
    /// Whether it is an input.
    pub is_input: bool,
    /// Its number, from 1.
    pub number: usize,
    /// What it carries.
    pub shape: Shape,
    /// The sample time in steps of the model; 0 for a constant.
    pub every: u64,
}

/// The components of a plan, in the order of its sheets.
pub fn info(plan: &Plan) -> Info {
    let mut components = vec![];
    let owners: BTreeMap<SheetId, &Unit> =
        plan.units.iter().filter_map(|unit| Some((unit.inside?, unit))).collect();
    for (sheet, inside) in &plan.sheets {
        let path = owners.get(sheet).map_or_else(|| plan.name.clone(), |unit| unit.path.clone());
        let unit = |id: &UnitId| plan.unit(*id);
        let mut ports: Vec<Port> =
            inside.iter().filter_map(unit).filter_map(|unit| port(plan, unit)).collect();
        ports.sort_by_key(|port| (!port.is_input, port.number));
        if !ports.is_empty() {
            components.push(Component { path, ports });
        }
    }
    Info { name: plan.name.clone(), step: plan.step, components }
}

fn port(plan: &Plan, unit: &Unit) -> Option<Port> {
    let is_input = unit.kind == BlockKind::Inport;
    if !is_input && unit.kind != BlockKind::Outport {
        return None;
    }
    let source = unit.source(0);
    let shape = if is_input { unit.outputs.first() } else { source.and_then(|source| plan.shape(source)) };
    Some(Port {
        path: unit.path.clone(),
        name: unit.name.clone(),
        is_input,
        number: unit.word("Port").parse().unwrap_or(1),
        shape: shape.cloned().unwrap_or_else(Shape::scalar),
        every: unit.every,
    })
}

impl Info {
    /// A table for people.
    pub fn text(&self) -> String {
        let mut text = format!("model {}, step {} s\n", plain(&self.name), self.step);
        for component in &self.components {
            let _ = writeln!(text, "\n{}", plain(&component.path));
            let width =
                component.ports.iter().map(|port| plain(&port.name).chars().count()).max().unwrap_or(0);
            for port in &component.ports {
                let way = if port.is_input { "in " } else { "out" };
                let (number, name, shape) = (port.number, plain(&port.name), words(&port.shape));
                let rate = match port.every {
                    0 => "  constant".to_owned(),
                    1 => String::new(),
                    steps => format!("  every {steps} steps"),
                };
                let _ = writeln!(text, "  {way} {number:>2}  {name:width$}  {shape}{rate}");
            }
        }
        text
    }

    /// FRET's model information: a header, then one element for each port.
    pub fn fret(&self, file: &str) -> Json {
        let header = json!({"file_path": file, "Declarations": {"Enumerations": []}});
        let element = |component: &Component, port: &Port| {
            json!({
                "id": port.path, "project": "", "modeldoc": true, "variable_name": port.name,
                "portType": if port.is_input { "Inport" } else { "Outport" }, "portNumber": port.number.to_string(),
                "component_name": component.path, "tool": "Simulink", "dataType": [class(&port.shape)],
                "dimensions": dimensions(&port.shape), "width": port.shape.width(),
            })
        };
        let all = self.components.iter().flat_map(|it| it.ports.iter().map(move |port| element(it, port)));
        Json::Array(std::iter::once(header).chain(all).collect())
    }
}

/// The class for FRET; a bus has that of its first element.
fn class(shape: &Shape) -> &'static str {
    match shape {
        Shape::Signal { class, .. } => class.name(),
        Shape::Bus(elements) => elements.first().map_or("double", |(_, first)| class(first)),
    }
}

/// Compiled dimensions: `[1, n]` is a vector, `[2, r, c]` a matrix, `[-2, k, …]` a bus of `k` signals, including those of
/// nested buses.
fn dimensions(shape: &Shape) -> Vec<i64> {
    let leaves = leaves(shape);
    let inner = leaves.iter().flat_map(|sizes| {
        let sizes = sizes.iter().map(|&size| size as i64);
        std::iter::once(sizes.len() as i64).chain(sizes).collect::<Vec<i64>>()
    });
    match shape {
        Shape::Signal { .. } => inner.collect(),
        Shape::Bus(_) => [-2, leaves.len() as i64].into_iter().chain(inner).collect(),
    }
}

/// The sizes of the signals of a bus, or of the one signal.
fn leaves(shape: &Shape) -> Vec<&[usize]> {
    match shape {
        Shape::Signal { dimensions, .. } => vec![dimensions],
        Shape::Bus(elements) => elements.iter().flat_map(|(_, element)| leaves(element)).collect(),
    }
}

/// The shape in words: `double`, `int32[3]`, `double[3x3]`, `bus {a: double, b: boolean}`.
fn words(shape: &Shape) -> String {
    match shape {
        Shape::Signal { class, dimensions } if dimensions[..] == [1] => class.name().to_owned(),
        Shape::Signal { class, dimensions } => {
            let sizes: Vec<String> = dimensions.iter().map(ToString::to_string).collect();
            format!("{}[{}]", class.name(), sizes.join("x"))
        }
        Shape::Bus(elements) => {
            let all: Vec<String> =
                elements.iter().map(|(name, shape)| format!("{}: {}", plain(name), words(shape))).collect();
            format!("bus {{{}}}", all.join(", "))
        }
    }
}

/// A name on one line.
fn plain(name: &str) -> String {
    name.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::info;
    use crate::diagram::{Diagram, Port, Sheet};
    use crate::plan::plan;

    #[test]
    fn the_two_forms() {
        let mut sheet = Sheet::default();
        let a = sheet.add("Inport", "a", &[("Port", "1"), ("OutDataTypeStr", "int32")]);
        let b = sheet.add("Inport", "b\nb", &[("Port", "2"), ("PortDimensions", "[2 3]")]);
        let bus = sheet.add("BusCreator", "bus", &[("Inputs", "'x','y'")]);
        let y = sheet.add("Outport", "y", &[]);
        sheet.connect((a, 1), (bus, Port::Data(1)));
        sheet.connect((b, 1), (bus, Port::Data(2)));
        sheet.connect((bus, 1), (y, Port::Data(1)));
        let diagram = Diagram { name: "m".into(), sheets: vec![sheet], ..Diagram::default() };
        let info = info(&plan(&diagram, &[]));
        let text = "model m, step 0.2 s\n\nm\n  in   1  a    int32\n  in   2  b b  double[2x3]\n  \
                    out  1  y    bus {x: int32, y: double[2x3]}\n";
        assert_eq!(info.text(), text);
        let fret = info.fret("m.mdl");
        assert_eq!(fret[0]["file_path"], "m.mdl");
        assert_eq!(fret[2]["id"], "m/b\nb");
        assert_eq!(fret[3]["dimensions"], serde_json::json!([-2, 2, 1, 1, 2, 2, 3]));
        assert_eq!((&fret[3]["width"], &fret[3]["dataType"]), (&7.into(), &serde_json::json!(["int32"])));
    }
}
