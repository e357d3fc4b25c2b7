//! Links to library blocks whose body is not in the file: [`expand`] replaces them with ordinary blocks.
//!
//! A library block is identified by the path of its source. Its body here computes the same as the original and has its ports in the same
//! order, but is drawn differently. Blocks that only document or state a goal get a kind of their own; an unknown link stays as it is
//! and is listed.

mod aerospace;
mod checks;
mod drawing;
mod elements;
mod extras;
mod fuzzy;
mod interpreted;
mod linked;
mod motion;
mod older;
mod pid;
mod rotation;
mod second;
mod sources;
mod standard;

use crate::blocks::BlockKind;
use crate::diagram::{Block, BlockId, Diagram, Parameters, Sheet, SheetId};
use crate::plan::{Fault, Problem};
use drawing::{Drawing, INHERIT, Wire};
pub use fuzzy::{infer, systems};
pub use interpreted::interpret;
pub(crate) use linked::CLOSED;
pub use linked::{files, link, refuse};

/// Resolves all known links and returns the others. A signal builder or editor, whose data is an object that only MATLAB reads, becomes
/// free inputs, as does a spreadsheet.
pub fn expand(diagram: &mut Diagram) -> Vec<Problem> {
    let mut problems = Vec::new();
    elements::whole(diagram);
    older::restate(diagram);
    interpret(diagram, &|_| None);
    second::integrators(diagram);
    let switches: Vec<BlockId> = blocks(diagram).collect();
    for id in switches {
        switch(diagram, id);
    }
    let is_builder = |block: &Block| {
        let is_masked = |kind: &str| block.mask.as_ref().is_some_and(|it| it.kind == kind);
        is_masked("Sigbuilder block")
            || is_masked("SignalEditor")
            || block.kind == BlockKind::FromSpreadsheet
            || block.kind == BlockKind::Reference && source(block) == "simulink/Sources/Signal Editor"
    };
    let builders: Vec<BlockId> =
        blocks(diagram).filter(|id| diagram.block(*id).is_some_and(is_builder)).collect();
    builders.into_iter().for_each(|id| free(diagram, id));
    // Bodies are appended, so links inside them are visited later.
    let mut number = 0;
    while let Some(sheet) = diagram.sheets.get(number) {
        let links =
            (0..).zip(&sheet.blocks).filter(|(_, it)| it.kind == BlockKind::Reference && it.inside.is_none());
        let links: Vec<u32> = links.map(|(place, _)| place).collect();
        for place in links {
            let id = BlockId { sheet: SheetId(number as u32), number: place };
            problems.extend(resolve(diagram, id).err());
        }
        number += 1;
    }
    problems
}

/// Replaces a manual switch that an old file has as a subsystem with an S-function, which only copies the position.
fn switch(diagram: &mut Diagram, id: BlockId) -> Option<()> {
    let block = diagram.block(id)?;
    let mask = block.mask.as_ref().filter(|it| it.kind == "Manual Switch")?;
    let inside = diagram.sheets.get(block.inside?.0 as usize)?;
    let copies = |it: &Block| it.parameters.get("FunctionName") == Some("sfblk_manswitch");
    let position = mask.parameters.0.iter().find(|it| it.0.eq_ignore_ascii_case("sw"))?.1.clone();
    if !inside.blocks.iter().any(copies) {
        return None;
    }
    let block = diagram.sheets.get_mut(id.sheet.0 as usize)?.blocks.get_mut(id.number as usize)?;
    (block.kind, block.inside, block.mask) = (BlockKind::ManualSwitch, None, None);
    block.parameters.0.push(("CurrentSetting".to_owned(), position));
    Some(())
}

fn resolve(diagram: &mut Diagram, id: BlockId) -> Result<(), Problem> {
    let Some(block) = diagram.block(id) else { return Ok(()) };
    let source = source(block);
    let found = match source.as_str() {
        source if SHOWING.iter().any(|it| source.starts_with(it)) => Found::Kind(BlockKind::DocBlock),
        "sldvlib/Objectives and Constraints/Proof Objective" => Found::Kind(BlockKind::ProofObjective),
        "sldvlib/Objectives and Constraints/Assumption" => Found::Kind(BlockKind::ProofAssumption),
        source => match body(source, block) {
            Some(sheet) => Found::Body(sheet),
            None => {
                let fault = Fault::hint(
                    "the body of this library block is not in the file",
                    "break the link in Simulink (Library Link > Disable, then Break) and save",
                );
                return Err(Problem::new(&diagram.path(id), source, fault));
            }
        },
    };
    let next = SheetId(diagram.sheets.len() as u32);
    let slot =
        diagram.sheets.get_mut(id.sheet.0 as usize).and_then(|it| it.blocks.get_mut(id.number as usize));
    let Some(block) = slot else { return Ok(()) };
    match found {
        Found::Kind(kind) => block.kind = kind,
        Found::Body(sheet) => {
            block.kind = BlockKind::SubSystem;
            block.inside = Some(next);
            diagram.sheets.push(Sheet { owner: Some(id), ..sheet });
        }
    }
    Ok(())
}

/// Replaces the block at a path, with or without the name of the model, with free inputs: one for each output. Returns whether there is
/// such a block.
pub fn abstract_block(diagram: &mut Diagram, path: &str) -> bool {
    let plain = |path: &str| path.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = plain(path);
    let full = format!("{}/{wanted}", plain(&diagram.name));
    let found = blocks(diagram).find(|id| {
        let path = plain(&diagram.path(*id));
        path == wanted || path == full
    });
    found.into_iter().for_each(|id| free(diagram, id));
    found.is_some()
}

/// All blocks.
fn blocks(diagram: &Diagram) -> impl Iterator<Item = BlockId> {
    let all = (0..).map(SheetId).zip(&diagram.sheets);
    all.flat_map(|(sheet, it)| (0..it.blocks.len() as u32).map(move |number| BlockId { sheet, number }))
}

/// Replaces a block with free inputs.
fn free(diagram: &mut Diagram, id: BlockId) {
    let ports = diagram.block(id).and_then(|block| {
        let inside = diagram.sheets.get(block.inside?.0 as usize)?;
        let count = |kind| inside.blocks.iter().filter(|it| it.kind == kind).count();
        Some(format!("[{}, {}]", count(BlockKind::Inport), count(BlockKind::Outport)))
    });
    let sheet = diagram.sheets.get_mut(id.sheet.0 as usize);
    let Some(block) = sheet.and_then(|it| it.blocks.get_mut(id.number as usize)) else { return };
    block.kind = BlockKind::Abstract;
    block.inside = None;
    let Parameters(parameters) = &mut block.parameters;
    parameters.retain(|(key, _)| !matches!(key.as_str(), "OutDataTypeStr" | "SampleTime"));
    parameters.extend(ports.map(|it| ("Ports".to_owned(), it)));
}

/// Where the libraries have the blocks that only show or document something.
const SHOWING: [&str; 8] = [
    "aerolibanim/",
    "dspsnks4/",
    "simulink/Model-Wide Utilities/",
    "simulink/Sinks/",
    "simulink3/Sinks/",
    "simulink_extras/Additional Sinks/",
    "simulink/Dashboard/",
    "vrlib/VR Sink",
];

enum Found {
    Kind(BlockKind),
    Body(Sheet),
}

/// The path of the library block. Line breaks in names count as blanks.
fn source(block: &Block) -> String {
    let Parameters(parameters) = &block.parameters;
    let path = parameters.iter().rfind(|(key, _)| key == "SourceBlock").map(|(_, value)| value.as_str());
    path.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The body of a library block, by the path of its source: most are expressions over their inputs, the others are drawn block by block.
fn body(source: &str, link: &Block) -> Option<Sheet> {
    if let Some(path) = source.strip_prefix("simulink/") {
        return standard::body(path, link).map(|it| it.0);
    }
    // Newer versions keep the blocks of some groups in libraries of their own, and older ones had other groups.
    if let Some(name) = ["slpidlib/", "pid_lib/"].iter().find_map(|it| source.strip_prefix(it)) {
        return standard::body(&format!("Continuous/{name}"), link).map(|it| it.0);
    }
    if let Some(name) = source.strip_prefix("sl_discontinuities/") {
        return standard::body(&format!("Discontinuities/{name}"), link).map(|it| it.0);
    }
    let older = ["simulink3/", "simulink_need_slupdate/", "simulink_extras/Additional Linear/"];
    if older.iter().any(|it| source.starts_with(it))
        && let Some(found) = standard::older(source.rsplit('/').next().unwrap_or_default(), link)
    {
        return Some(found.0);
    }
    if let Some(path) = source.strip_prefix("simulink_extras/") {
        let given = |name: &str, default: &str| standard::given(link, name, default);
        return extras::body(path, &given).map(|it| it.0);
    }
    if let Some(found) = source.strip_prefix("aerolib").and_then(|path| aerospace::body(path, link)) {
        return Some(found.0);
    }
    if source.starts_with("fuzblock/") {
        return fuzzy::body(source, link).map(|it| it.0);
    }
    if source == "cstblocks/LTI System" {
        return Some(extras::linear(&|name, default| standard::given(link, name, default)).0);
    }
    let body = match source {
        "cocosimLibs/Implies" | "sldvlib/Verification Utilities/Implies" => implies(),
        "aerolibutil/Create 3x3 Matrix" => matrix(),
        "aerolibadynsys/Passive" => passive(),
        "aerolib6dofsys/Calculate omega_dot/I x w" => matrix_times_vector(1, 0),
        "aerolib6dofsys/Calculate omega_dot/I x w1" => matrix_times_vector(0, 1),
        "aerolib6dof2/6DoF (Euler Angles)/transform to Inertial axes" => matrix_times_vector(1, 0),
        _ => {
            let (_, inputs, outputs) = EXPRESSIONS.iter().find(|(path, _, _)| *path == source)?;
            expressions(*inputs, outputs)
        }
    };
    Some(body.0)
}

const SQUARES: &str = "u(1)*u(1) + u(2)*u(2) + u(3)*u(3)";

/// Source, number of inputs, and for each output its entries over all inputs one after the other.
#[rustfmt::skip]
const EXPRESSIONS: [(&str, usize, &[&[&str]]); 15] = [
    ("aerolibutil/3x3 Cross Product/Subsystem", 2, &[&["u(2)*u(6)", "u(3)*u(4)", "u(1)*u(5)"]]),
    ("aerolibutil/3x3 Cross Product/Subsystem1", 2, &[&["u(3)*u(5)", "u(1)*u(6)", "u(2)*u(4)"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A11", 1, &[&["u(1)*u(1) + u(2)*u(2) - u(3)*u(3) - u(4)*u(4)"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A12", 1, &[&["2*(u(4)*u(1) + u(2)*u(3))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A13", 1, &[&["2*(u(2)*u(4) - u(1)*u(3))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A21", 1, &[&["2*(u(2)*u(3) - u(4)*u(1))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A22", 1, &[&["u(1)*u(1) - u(2)*u(2) + u(3)*u(3) - u(4)*u(4)"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A23", 1, &[&["2*(u(1)*u(2) + u(3)*u(4))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A31", 1, &[&["2*(u(1)*u(3) + u(2)*u(4))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A32", 1, &[&["2*(u(3)*u(4) - u(1)*u(2))"]]),
    ("aerolibtransform2/Quaternions to Direction Cosine Matrix/A33", 1, &[&["u(1)*u(1) - u(2)*u(2) - u(3)*u(3) + u(4)*u(4)"]]),
    ("aerolibasang/Incidence, Sideslip, & Airspeed/Subsystem", 1, &[&["u(3)"], &["u(1)"]]),
    ("aerolibasang/Incidence, Sideslip, & Airspeed/Subsystem1", 1, &[&["u(2)"]]),
    ("aerolibasang/Incidence, Sideslip, & Airspeed/dot", 1, &[&[SQUARES]]),
    ("aerolibasang/Dynamic Pressure/dot", 1, &[&[SQUARES]]),
];

fn implies() -> Drawing {
    let mut drawing = Drawing::default();
    let [a, b] = ["A", "B"].map(|name| drawing.input(name));
    let not = drawing.not("not", a);
    let or = drawing.logic("or", "OR", &[not, b]);
    drawing.output("Out", or);
    drawing
}

/// Nine numbers by rows; a matrix is by columns.
fn matrix() -> Drawing {
    let mut drawing = Drawing::default();
    let entries: Vec<Wire> =
        (0..9).map(|at| drawing.input(&format!("M{}{}", at / 3 + 1, at % 3 + 1))).collect();
    let columns: Vec<Wire> = (0..9).map(|at| entries[at % 3 * 3 + at / 3]).collect();
    let vector = drawing.block(BlockKind::Mux, "columns", &[("Inputs", "9")], &columns);
    let parameters = [("OutputDimensionality", "Customize"), ("OutputDimensions", "[3,3]")];
    let matrix = drawing.block(BlockKind::Reshape, "matrix", &parameters, &[vector]);
    drawing.output("Matrix", matrix);
    drawing
}

fn passive() -> Drawing {
    let mut drawing = Drawing::default();
    let unused = drawing.input("Vb");
    let value = drawing.input("In");
    drawing.block(BlockKind::Terminator, "unused", &[], &[unused]);
    drawing.output("Out", value);
    drawing
}

/// A matrix times a vector, with the input number of each.
fn matrix_times_vector(matrix: usize, vector: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let inputs = ["u", "v"].map(|name| drawing.input(name));
    let column = [("OutputDimensionality", "Column vector (2-D)")];
    let column = drawing.block(BlockKind::Reshape, "column", &column, &[inputs[vector]]);
    let parameters = [("Inputs", "2"), ("Multiplication", "Matrix(*)"), ("OutDataTypeStr", INHERIT)];
    let product = drawing.block(BlockKind::Product, "product", &parameters, &[inputs[matrix], column]);
    let flat =
        drawing.block(BlockKind::Reshape, "flat", &[("OutputDimensionality", "1-D array")], &[product]);
    drawing.output("y", flat);
    drawing
}

fn expressions(inputs: usize, outputs: &[&[&str]]) -> Drawing {
    let mut drawing = Drawing::default();
    let inputs: Vec<Wire> = (1..=inputs).map(|at| drawing.input(&format!("u{at}"))).collect();
    let all = drawing.mux("all", &inputs);
    for (number, entries) in (1..).zip(outputs) {
        let wires: Vec<Wire> = (1..)
            .zip(*entries)
            .map(|(at, text)| {
                drawing.block(BlockKind::Fcn, &format!("f{number}{at}"), &[("Expr", text)], &[all])
            })
            .collect();
        let vector = drawing.mux(&format!("v{number}"), &wires);
        drawing.output(&format!("y{number}"), vector);
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(sources: &[&str]) -> Diagram {
        let mut sheet = Sheet::default();
        for source in sources {
            sheet.add("Reference", source, &[("SourceBlock", source), ("relop", "<="), ("const", "0.5")]);
        }
        Diagram { name: "m".to_owned(), sheets: vec![sheet], ..Diagram::default() }
    }

    #[test]
    fn known_links_are_expanded() {
        // Inputs, outputs, blocks of the body.
        let table = [
            ("simulink/Discontinuities/Saturation\nDynamic", 3, 1, 10),
            ("simulink/Logic and Bit\nOperations/Compare\nTo Constant", 1, 1, 4),
            ("simulink/Logic and Bit\nOperations/Compare\nTo Zero", 1, 1, 4),
            ("cocosimLibs/Implies", 2, 1, 5),
            ("aerolibutil/Create 3x3 Matrix", 9, 1, 12),
            ("aerolibutil/3x3 Cross Product/Subsystem", 2, 1, 8),
            ("aerolibtransform2/Quaternions to \nDirection Cosine Matrix/A23", 1, 1, 3),
            ("aerolibasang/Incidence, Sideslip,\n& Airspeed/Subsystem", 1, 2, 5),
            ("aerolib6dofsys/Calculate omega_dot/I x w", 2, 1, 6),
            ("aerolibadynsys/Passive", 2, 1, 4),
        ];
        for (source, inputs, outputs, blocks) in table {
            let mut diagram = linked(&[source]);
            assert_eq!(expand(&mut diagram), Vec::new(), "{source}");
            assert_eq!(diagram.sheets[0].blocks[0].kind, BlockKind::SubSystem);
            let body = &diagram.sheets[1];
            let count = |kind| body.blocks.iter().filter(|it| it.kind == kind).count();
            assert_eq!(
                (count(BlockKind::Inport), count(BlockKind::Outport), body.blocks.len()),
                (inputs, outputs, blocks),
                "{source}"
            );
            assert_eq!(body.owner, Some(BlockId { sheet: SheetId(0), number: 0 }));
        }
    }

    #[test]
    fn bodies_may_have_links() {
        let mut diagram = linked(&["simulink/Discontinuities/Rate Limiter\nDynamic"]);
        assert_eq!(expand(&mut diagram), Vec::new());
        assert_eq!(diagram.sheets.len(), 3);
        assert!(diagram.sheets.iter().flat_map(|it| &it.blocks).all(|it| it.kind != BlockKind::Reference));
    }

    #[test]
    fn other_links() {
        let mut diagram = linked(&["simulink/Model-Wide\nUtilities/Model Info", "mylib/Filter"]);
        let problems = expand(&mut diagram);
        assert_eq!(diagram.sheets[0].blocks[0].kind, BlockKind::DocBlock);
        assert_eq!(diagram.sheets[0].blocks[1].kind, BlockKind::Reference);
        assert_eq!(problems.len(), 1);
        assert_eq!(
            (problems[0].path.as_str(), problems[0].kind.as_str()),
            ("m/mylib/Filter", "mylib/Filter")
        );
    }
}
