//! The second-order integrator as two integrators, one after the other.
//!
//! x'' = u: the first one gives dx/dt, the second one x. Limits of dx/dt are those of the first integrator. While x is at a limit and
//! dx/dt would move it beyond, dx/dt is zero.

use super::blocks;
use super::drawing::{Drawing, Wire};
use crate::blocks::BlockKind;
use crate::diagram::{Block, BlockId, Diagram, Port, Sheet, SheetId};

/// Replaces second-order integrators. Those with settings that are not supported stay, and are refused.
pub(super) fn integrators(diagram: &mut Diagram) {
    let is_second =
        |id: &BlockId| diagram.block(*id).is_some_and(|it| it.kind == BlockKind::SecondOrderIntegrator);
    let found: Vec<BlockId> = blocks(diagram).filter(is_second).collect();
    for id in found {
        let body = diagram.block(id).and_then(|block| body(diagram, block));
        let next = SheetId(diagram.sheets.len() as u32);
        let sheet = diagram.sheets.get_mut(id.sheet.0 as usize);
        let slot = sheet.and_then(|it| it.blocks.get_mut(id.number as usize));
        if let (Some(body), Some(block)) = (body, slot) {
            block.kind = BlockKind::SubSystem;
            block.inside = Some(next);
            diagram.sheets.push(Sheet { owner: Some(id), ..body.0 });
        }
    }
}

fn body(diagram: &Diagram, block: &Block) -> Option<Drawing> {
    let given = |name: &str, default: &str| {
        let text = diagram.parameter(block, name).map(str::trim).filter(|it| !it.is_empty());
        text.unwrap_or(default).to_owned()
    };
    let is_on = |name: &str| given(name, "off") == "on";
    let is_external = |name: &str| given(name, "internal") == "external";
    let reset = given("ExternalReset", "none");
    let limited = is_on("LimitX");
    let others = reset != "none" || is_external("ICSourceX") || is_external("ICSourceDXDT");
    let reinitialized = is_on("ReinitDXDTwhenXreachesSaturation") || is_on("WrapStateX");
    if reinitialized || limited && others {
        return None;
    }
    let mut drawing = Drawing::default();
    let u = drawing.input("u");
    let mut resets: Vec<Wire> = Vec::new();
    if reset != "none" {
        resets.push(drawing.input("reset"));
    }
    let mut first: Vec<Wire> = Vec::new();
    if is_external("ICSourceX") {
        first.push(drawing.input("x0"));
    }
    let source = |is_external: bool| if is_external { "external" } else { "internal" };
    let parameters = [
        ("ExternalReset", reset.clone()),
        ("InitialConditionSource", source(is_external("ICSourceX")).to_owned()),
        ("InitialCondition", given("ICX", "0")),
        ("LimitOutput", given("LimitX", "off")),
        ("UpperSaturationLimit", given("UpperLimitX", "inf")),
        ("LowerSaturationLimit", given("LowerLimitX", "-inf")),
        ("ShowSaturationPort", given("LimitX", "off")),
    ];
    let x = integrator(&mut drawing, "x", &parameters);
    let mut velocity = vec![u];
    velocity.extend(&resets);
    // The side of x, 1 or -1 at a limit, times the rate before it is reset, and whether that is beyond the limit.
    let outward =
        limited.then(|| drawing.block(BlockKind::Product, "outward", &[("Inputs", "2")], &[(x.0, 2)]));
    if let Some(outward) = outward {
        let zero = drawing.constant("zero", "0");
        velocity.push(drawing.compares("beyond", ">", &[outward, zero]));
        let first = given("ICDXDT", "0");
        velocity.push(drawing.block(BlockKind::InitialCondition, "first", &[("Value", &*first)], &[zero]));
    } else if is_external("ICSourceDXDT") {
        velocity.push(drawing.input("dx0"));
    }
    let parameters = [
        ("ExternalReset", if limited { "level hold".to_owned() } else { reset }),
        ("InitialConditionSource", source(limited || is_external("ICSourceDXDT")).to_owned()),
        ("InitialCondition", given("ICDXDT", "0")),
        ("LimitOutput", given("LimitDXDT", "off")),
        ("UpperSaturationLimit", given("UpperLimitDXDT", "inf")),
        ("LowerSaturationLimit", given("LowerLimitDXDT", "-inf")),
        ("ShowStatePort", given("LimitX", "off")),
    ];
    let rate = integrator(&mut drawing, "dx", &parameters);
    for (port, from) in (1..).zip(velocity) {
        drawing.0.connect(from, (rate.0, Port::Data(port)));
    }
    if let Some(outward) = outward {
        drawing.0.connect((rate.0, 2), (outward.0, Port::Data(2)));
    }
    for (port, from) in (1..).zip([rate].into_iter().chain(resets).chain(first)) {
        drawing.0.connect(from, (x.0, Port::Data(port)));
    }
    match given("ShowOutput", "both").as_str() {
        "x" => drawing.output("x", x),
        "dx/dt" => drawing.output("dx", rate),
        _ => {
            drawing.output("x", x);
            drawing.output("dx", rate);
        }
    }
    Some(drawing)
}

fn integrator(drawing: &mut Drawing, name: &str, parameters: &[(&str, String)]) -> Wire {
    let parameters: Vec<(&str, &str)> = parameters.iter().map(|(key, text)| (*key, text.as_str())).collect();
    drawing.block(BlockKind::Integrator, name, &parameters, &[])
}
