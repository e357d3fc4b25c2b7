//! Fuzzy inference systems: blocks of the library `fuzblock`.
//!
//! Blocks of membership functions are their formulas. A controller becomes the code of a MATLAB Function block, from the text of the file
//! (`.fis`) with its system: the degree of each membership, the strength of each rule, and the outputs. What the code does is what the
//! toolbox documents: 101 points of each output, its centroid, and the middle of its range if no rule holds.

mod membership;
mod system;

use super::drawing::{Drawing, Wire};
use super::standard::one;
use super::{blocks, interpreted, source};
use crate::blocks::BlockKind;
use crate::chart::{Chart, Data};
use crate::diagram::{Block, BlockId, Diagram};
use system::System;

/// The controllers of the library.
const CONTROLLERS: [&str; 2] =
    ["fuzblock/Fuzzy Logic Controller", "fuzblock/Fuzzy Logic Controller with Ruleviewer"];

/// Where the library has its membership functions.
const FUNCTIONS: &str = "fuzblock/Membership Functions/";

/// The body of a membership function; none if one of its parameters is not given.
pub(super) fn body(path: &str, link: &Block) -> Option<Drawing> {
    let given = |name: &str| link.parameters.get(name).map(str::trim).filter(|it| !it.is_empty());
    let formula = |text: String| {
        Some(one(|drawing, u| drawing.block(BlockKind::Fcn, "formula", &[("Expr", &text)], &[u])))
    };
    match path.strip_prefix(FUNCTIONS)? {
        "Triangular MF" => Some(trapezoid([given("a")?, given("b")?, given("b")?, given("c")?])),
        "Trapezoidal MF" => Some(trapezoid([given("a")?, given("b")?, given("c")?, given("d")?])),
        "Gaussian MF" => formula(format!("exp(-(u(1) - ({}))^2/(2*({})^2))", given("c")?, given("sig")?)),
        "Generalized Bell MF" => {
            let [a, b, c] = [given("a")?, given("b")?, given("c")?];
            formula(format!("1/(1 + abs((u(1) - ({c}))/({a}))^(2*({b})))"))
        }
        "Sigmoidal MF" => formula(format!("1/(1 + exp(-({})*(u(1) - ({}))))", given("a")?, given("c")?)),
        _ => None,
    }
}

/// Rises from `a` to `b`, is 1 up to `c`, and falls to `d`; two of them may be equal.
fn trapezoid([a, b, c, d]: [&str; 4]) -> Drawing {
    // The slope between two points; 0 if they are equal, where the comparison decides.
    let slope = |low: &str, high: &str| format!("(({low})~=({high}))/(({high})-({low})+(({low})==({high})))");
    let side = |drawing: &mut Drawing, name: &str, u: Wire, [foot, top]: [&str; 2], operator: &str| {
        let label = |part: &str| format!("{name} {part}");
        let from = drawing.constant(&label("foot"), foot);
        let distance = drawing.sum(&label("distance"), "+-", &[u, from]);
        let ramp = drawing.gain(&label("slope"), &slope(foot, top), distance);
        let limits = [("UpperLimit", "1"), ("LowerLimit", "0"), ("OutDataTypeStr", "Inherit: Same as input")];
        let ramp = drawing.block(BlockKind::Saturate, &label("ramp"), &limits, &[ramp]);
        let top = drawing.constant(&label("top"), top);
        let is_over = drawing.compares(&label("is over"), operator, &[u, top]);
        let full = drawing.constant(&label("full"), "1");
        drawing.choose(name, is_over, full, ramp)
    };
    one(|drawing, u| {
        let left = side(drawing, "left", u, [a, b], ">=");
        let right = side(drawing, "right", u, [d, c], "<=");
        let parameters = [("Function", "min"), ("Inputs", "2"), ("OutDataTypeStr", super::INHERIT)];
        drawing.block(BlockKind::MinMax, "both", &parameters, &[left, right])
    })
}

/// The names of the systems that controllers use: of variables, or of files in quotes.
pub fn systems(diagram: &Diagram) -> Vec<String> {
    let all = diagram.sheets.iter().flat_map(|it| &it.blocks);
    all.filter_map(system_of).collect()
}

/// The name of the system of a controller, as the block has it.
fn system_of(block: &Block) -> Option<String> {
    let is_controller = block.kind == BlockKind::Reference && CONTROLLERS.contains(&source(block).as_str());
    let name = ["FIS", "fis", "fismatrix"].iter().find_map(|it| block.parameters.get(it))?;
    is_controller.then(|| name.trim().to_owned())
}

/// Replaces controllers with code. The text of a file is found by the name that [`systems`] has.
pub fn infer(diagram: &mut Diagram, file: &dyn Fn(&str) -> Option<String>) {
    for id in blocks(diagram).collect::<Vec<BlockId>>() {
        let Some(name) = diagram.block(id).and_then(system_of) else { continue };
        let Some(text) = file(&name) else {
            let reason = format!(
                "the fuzzy system `{name}` is not found: put its file (`.fis`) beside the model, or a script that reads it with `readfis`"
            );
            super::linked::close(diagram, id, &reason);
            continue;
        };
        match System::read(&text) {
            Ok(system) => drop(replace(diagram, id, &system)),
            Err(reason) => super::linked::close(diagram, id, &format!("the fuzzy system `{name}` {reason}")),
        }
    }
}

fn replace(diagram: &mut Diagram, id: BlockId, system: &System) -> Option<()> {
    let name = diagram.path(id).strip_prefix(&format!("{}/", diagram.name))?.to_owned();
    interpreted::open(diagram, id)?;
    let data = |name: &str, scope: &str, size: &str| Data {
        name: name.to_owned(),
        scope: scope.to_owned(),
        class: "double".to_owned(),
        size: size.to_owned(),
        ..Data::default()
    };
    let count = |it: usize| it.to_string();
    let all = vec![
        data("u", "INPUT_DATA", &count(system.inputs.len())),
        data("y", "OUTPUT_DATA", &count(system.outputs.len())),
    ];
    let script = Some(system.code());
    diagram.charts.push(Chart { name, matlab: true, script, data: all, ..Chart::default() });
    Some(())
}
