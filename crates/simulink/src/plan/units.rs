//! Blocks to units: names, words, numbers. Wires come after.

use super::kinds::{self, clauses};
use super::scope::Scopes;
use super::{Shape, Trouble, Unit, UnitId};
use crate::diagram::{Block, BlockId, Diagram, SheetId};
use crate::value::{Class, Value};
use std::collections::BTreeMap;

/// The shape of an output that nothing is known about.
pub(super) fn scalar() -> Shape {
    Shape::Signal { class: Class::Double, dimensions: vec![1] }
}

/// What Simulink takes where neither a block nor the defaults of the file say it.
const DEFAULTS: [(&str, &str, &str); 3] = [
    ("Sum", "Inputs", "++"),
    ("Product", "Inputs", "2"),
    ("DiscreteIntegrator", "IntegratorMethod", "Integration: Forward Euler"),
];

/// The units of all sheets that can be reached from the root, sheet by sheet.
pub(super) fn units(diagram: &Diagram, scopes: &Scopes<'_>, troubles: &mut Vec<Trouble>) -> Vec<Unit> {
    let mut units = vec![];
    let mut room = super::PORTS;
    for &sheet in scopes.order() {
        let blocks = diagram.sheets.get(sheet.0 as usize).map_or(&[][..], |sheet| &sheet.blocks);
        for (number, block) in (0..).zip(blocks) {
            if kinds::is_passive(&block.kind) || block.parameters.get("Commented") == Some("on") {
                continue;
            }
            let mut unit = unit(diagram, scopes, BlockId { sheet, number }, block, troubles);
            // A block of the library for fixed-point numbers that only copies types.
            if unit.words.get("FunctionName").is_some_and(|name| name == "sfix_dtprop") {
                continue;
            }
            if let Some((message, hint)) = kinds::refusal(&unit) {
                troubles.push(Trouble {
                    path: unit.path.clone(),
                    kind: unit.kind.clone(),
                    message,
                    hint: Some(hint.into()),
                });
            }
            let count = kinds::outputs(&unit).unwrap_or_else(|| drawn(diagram, &unit));
            // Counts are claims of the file: there is room for so many outputs that nobody has drawn.
            let count = if count > room { 1 } else { count };
            room -= count.min(room);
            unit.outputs = vec![scalar(); count];
            units.push(unit);
        }
    }
    units
}

/// The units of each sheet.
pub(super) fn by_sheet(units: &[Unit]) -> BTreeMap<SheetId, Vec<UnitId>> {
    let mut sheets: BTreeMap<SheetId, Vec<UnitId>> = BTreeMap::new();
    for (number, unit) in (0..).zip(units) {
        sheets.entry(unit.block.sheet).or_default().push(UnitId(number));
        if let Some(inside) = unit.inside {
            sheets.entry(inside).or_default();
        }
    }
    sheets
}

/// The number of outputs as the drawing has them: ports inside, the list of ports, or lines that begin there.
fn drawn(diagram: &Diagram, unit: &Unit) -> usize {
    if let Some(inside) = unit.inside.and_then(|id| diagram.sheets.get(id.0 as usize)) {
        return inside.blocks.iter().filter(|block| block.kind == "Outport").count();
    }
    let listed = unit.words.get("Ports").and_then(|text| {
        let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
        let parts: Vec<&str> = inner.split([',', ' ']).filter(|part| !part.is_empty()).collect();
        parts.get(1).map_or(Some(0), |part| part.parse().ok())
    });
    let lines = diagram.sheets.get(unit.block.sheet.0 as usize).map_or(&[][..], |sheet| &sheet.lines);
    let used = lines.iter().filter_map(|line| line.from).filter(|from| from.0 == unit.block.number);
    let used = used.map(|from| from.1 as usize).max().unwrap_or(0);
    listed.unwrap_or(0).max(used).min(10_000)
}

fn unit(
    diagram: &Diagram,
    scopes: &Scopes<'_>,
    place: BlockId,
    block: &Block,
    troubles: &mut Vec<Trouble>,
) -> Unit {
    let defaults = diagram.defaults.get(&block.kind).map_or(&[][..], |parameters| &parameters.0);
    let own = defaults.iter().chain(&block.parameters.0).filter(|(name, _)| !is_drawing(name)).cloned();
    let usual = DEFAULTS.iter().filter(|(kind, ..)| *kind == block.kind);
    let words: BTreeMap<String, String> =
        usual.map(|(_, name, text)| ((*name).into(), (*text).into())).chain(own).collect();
    let kind = match block.kind.as_str() {
        "Proof Objective" => "ProofObjective",
        "Assumption" => "ProofAssumption",
        other => other,
    };
    let mut unit = Unit {
        block: place,
        path: diagram.path(place),
        name: block.name.clone(),
        kind: kind.into(),
        words,
        values: BTreeMap::new(),
        inputs: vec![],
        controls: vec![],
        outputs: vec![],
        every: 1,
        offset: 0,
        inside: block.inside,
    };
    let dimensions =
        unit.words.get("NumberOfTableDimensions").and_then(|text| scopes.value(place, text).ok());
    let dimensions = dimensions.and_then(|value| value.matrix()?.single()).unwrap_or(30.0);
    for name in kinds::numbers(kind) {
        if !is_used(&unit, &name, dimensions) {
            continue;
        }
        let Some(text) = unit.words.get(&name).filter(|text| !text.trim().is_empty()) else { continue };
        let (reason, hint) = match number(scopes, place, kind, &name, text) {
            Ok(value)
                if value.matrix().is_some() || matches!(kind, "Assignment" | "Selector" | "SwitchCase") =>
            {
                unit.values.insert(name, value);
                continue;
            }
            Ok(_) => ("it is no number".to_owned(), None),
            Err(error) => (error.to_string(), error.hint),
        };
        let message = format!("the parameter `{name}` = `{text}` has no value: {reason}");
        troubles.push(Trouble { path: unit.path.clone(), kind: unit.kind.clone(), message, hint });
    }
    unit
}

fn number(
    scopes: &Scopes<'_>,
    place: BlockId,
    kind: &str,
    name: &str,
    text: &str,
) -> Result<Value, crate::matlab::Error> {
    // One list of indices for each dimension, with commas between.
    let parts = clauses(text);
    if matches!((kind, name), ("Selector" | "Assignment", "Indices" | "OutputSizes")) && parts.len() > 1 {
        return Ok(Value::Cell(
            parts.into_iter().map(|part| scopes.value(place, part)).collect::<Result<_, _>>()?,
        ));
    }
    scopes.value(place, text)
}

/// Whether a number matters: one that comes from a port, or that a mode leaves out, need not have a value.
fn is_used(unit: &Unit, name: &str, dimensions: f64) -> bool {
    let word = |name: &str| unit.words.get(name).map_or("", String::as_str);
    let dialog = |source: &str| !word(source).contains("nput port") && word(source) != "external";
    if let Some(rest) = name.strip_prefix("BreakpointsForDimension") {
        let digits = rest.trim_end_matches(|c: char| !c.is_ascii_digit());
        let even = word("BreakpointsSpecification") == "Even spacing";
        return digits.parse().is_ok_and(|number: f64| number <= dimensions)
            && even != (digits.len() == rest.len());
    }
    match (unit.kind.as_str(), name) {
        ("Delay", "DelayLength") => dialog("DelayLengthSource"),
        (_, "InitialCondition") => dialog("InitialConditionSource"),
        (_, "UpperLimit") => dialog("UpperLimitSource"),
        (_, "LowerLimit") => dialog("LowerLimitSource"),
        (_, "UpperSaturationLimit" | "LowerSaturationLimit") => word("LimitOutput") == "on",
        ("Reshape", _) => word("OutputDimensionality") == "Customize",
        ("Selector" | "Assignment", "Indices") => {
            word("IndexOptions").contains("dialog") || word("IndexOptions").is_empty()
        }
        ("Switch", _) => word("Criteria") != "u2 ~= 0",
        ("Lookup" | "Lookup2D", "OutputValues") => !unit.words.contains_key("Table"),
        ("MultiPortSwitch", _) => word("DataPortOrder") == "Specify indices",
        ("Lookup_n-D", "Table") => word("DataSpecification") != "Lookup table object",
        ("Sum", "CollapseDim") => word("CollapseMode") == "Specified dimension",
        _ => true,
    }
}

/// Parameters that say how a block looks.
fn is_drawing(name: &str) -> bool {
    matches!(
        name,
        "Position"
            | "ZOrder"
            | "BackgroundColor"
            | "ForegroundColor"
            | "ShowName"
            | "NamePlacement"
            | "FontName"
            | "FontSize"
            | "FontWeight"
            | "DropShadow"
            | "BlockRotation"
            | "BlockMirror"
            | "Orientation"
            | "FontAngle"
            | "HideAutomaticName"
            | "RequirementInfo"
            | "LibraryVersion"
            | "AttributesFormatString"
            | "Location"
            | "SID"
            | "Name"
            | "UserData"
            | "UserDataPersistent"
            | "ContentPreviewEnabled"
    )
}
