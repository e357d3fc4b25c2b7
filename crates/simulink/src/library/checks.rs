//! The blocks of the library for model verification: each compares its signal with bounds, and asserts that it stays within them.
//!
//! Bounds are parameters, or inputs before the signal. An output shows whether the assertion holds, if the block says so.

use super::drawing::{Drawing, Wire};
use super::standard::Given;
use crate::blocks::BlockKind;

/// The body of a block, by its name.
pub(super) fn body(name: &str, given: Given) -> Option<Drawing> {
    let (kind, side) = name.strip_prefix("Check ")?.split_once(' ')?;
    let (above, below) = match side {
        "Upper Bound" => (true, false),
        "Lower Bound" => (false, true),
        "Range" | "Gap" => (true, true),
        _ => return None,
    };
    let mut drawing = Drawing::default();
    let bound = |drawing: &mut Drawing, name: &str, default: &str| match kind {
        "Static" => Some(drawing.constant(name, &given(name, default))),
        "Dynamic" => Some(drawing.input(name)),
        _ => None,
    };
    let most = if above { Some(bound(&mut drawing, "max", "0")?) } else { None };
    let least = if below { Some(bound(&mut drawing, "min", "0")?) } else { None };
    let u = drawing.input("sig");
    let is_gap = side == "Gap";
    let mut compare = |name: &str, other: Option<Wire>, is_upper: bool| {
        let included = given(&format!("{name}_included"), "on") == "on";
        // Within a range, or outside a gap.
        let operator = match (is_upper != is_gap, included) {
            (true, true) => "<=",
            (true, false) => "<",
            (false, true) => ">=",
            (false, false) => ">",
        };
        other.map(|it| drawing.compares(&format!("within {name}"), operator, &[u, it]))
    };
    let all: Vec<Wire> =
        [compare("max", most, true), compare("min", least, false)].into_iter().flatten().collect();
    let holds = match all[..] {
        [only] => only,
        _ => drawing.logic("all", if is_gap { "OR" } else { "AND" }, &all),
    };
    let enabled = given("enabled", "on");
    drawing.block(BlockKind::Assertion, "assertion", &[("Enabled", &enabled)], &[holds]);
    if given("export", "off") == "on" {
        drawing.output("holds", holds);
    }
    Some(drawing)
}
