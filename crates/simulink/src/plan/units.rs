//! Blocks to units: names, words, numbers. Wires come after.

use super::objects;
use super::parameters::clauses;
use super::scope::Scopes;
use super::{Fault, Outcome, Problem, Shape, Unit, UnitId};
use crate::blocks::{BlockKind, bus_key, chart_refusal, chart_values, chart_words, refusal, variables};
use crate::chart::Chart;
use crate::diagram::{Block, BlockId, Diagram, Parameters, SheetId};
use crate::matlab::{self, Form, class_of_enumeration, field};
use crate::value::{Matrix, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The units of all sheets that can be reached from the root, sheet by sheet.
pub(super) fn units(
    diagram: &Diagram,
    scopes: &Scopes<'_>,
    charts: &[Chart],
    problems: &mut Vec<Problem>,
) -> Vec<Unit> {
    let mut units = vec![];
    let mut room = super::PORTS;
    for &sheet in scopes.order() {
        let blocks = diagram.sheets.get(sheet.0 as usize).map_or(&[][..], |sheet| &sheet.blocks);
        for (number, block) in (0..).zip(blocks) {
            if block.kind.definition().passive || block.is_commented() {
                continue;
            }
            let mut unit = unit(diagram, scopes, BlockId { sheet, number }, block, problems);
            if unit.kind == BlockKind::LinearSystem
                && let Err(fault) = become_linear(&mut unit, scopes)
            {
                problems.push(unit.problem(fault));
            }
            if let Some(number) = scopes.chart(unit.block) {
                become_chart(&mut unit, &charts[number], number, scopes, problems);
            }
            // A block of the library for fixed-point numbers that only copies types.
            if unit.word("FunctionName") == "sfix_dtprop" {
                continue;
            }
            problems.extend(refusal(&unit).map(|fault| unit.problem(fault)));
            let outputs = unit.kind.definition().outputs;
            let count = outputs(&unit).unwrap_or_else(|| drawn(diagram, &unit));
            // The count comes from the file, so it is limited.
            let count = if count > room { 1 } else { count };
            room -= count.min(room);
            unit.outputs = vec![Shape::scalar(); count];
            units.push(unit);
        }
    }
    let global = global_stores(diagram, scopes, &units, problems);
    units.into_iter().chain(global).collect()
}

/// The memories of data stores that are objects of the class `Simulink.Signal`: one at the root for each that is used.
fn global_stores(
    diagram: &Diagram,
    scopes: &Scopes<'_>,
    units: &[Unit],
    problems: &mut Vec<Problem>,
) -> Vec<Unit> {
    let name_of = |it: &Unit| it.word("DataStoreName").to_owned();
    let uses =
        units.iter().filter(|it| matches!(it.kind, BlockKind::DataStoreRead | BlockKind::DataStoreWrite));
    let mut names: BTreeSet<String> = uses.map(name_of).collect();
    let root = SheetId(0);
    for unit in units.iter().filter(|it| it.kind == BlockKind::DataStoreMemory && it.block.sheet == root) {
        names.remove(unit.word("DataStoreName"));
    }
    let first = diagram.sheets.first().map_or(0, |it| it.blocks.len() as u32);
    let mut found = Vec::new();
    for (number, name) in (first..).zip(names) {
        let place = BlockId { sheet: root, number };
        let Some(Some(object)) = scopes.lookup(place, &name) else { continue };
        let text = |name: &str| match field(&object, "Signal", name)? {
            Value::Text(text) => Some(text.clone()).filter(|it| !it.is_empty() && it != "auto"),
            Value::Matrix(matrix) => {
                let numbers: Vec<String> = matrix.entries.iter().map(ToString::to_string).collect();
                Some(format!("reshape([{}], {}, [])", numbers.join(" "), matrix.rows()))
                    .filter(|_| !numbers.is_empty())
            }
            // Anything else is refused as a value that is not a number.
            _ => Some("{}".to_owned()),
        };
        if field(&object, "Signal", "DataType").is_none() {
            continue;
        }
        let mut parameters = vec![("DataStoreName".to_owned(), name.clone())];
        for (from, to) in
            [("InitialValue", "InitialValue"), ("DataType", "OutDataTypeStr"), ("Dimensions", "Dimensions")]
        {
            let text = text(from).filter(|it| it != "reshape([-1], 1, [])");
            parameters.extend(text.map(|it| (to.to_owned(), it)));
        }
        let parameters = Parameters(parameters);
        let block =
            Block { kind: BlockKind::DataStoreMemory, name: name.clone(), parameters, ..Block::default() };
        let mut memory = unit(diagram, scopes, place, &block, problems);
        memory.outputs = vec![Shape::scalar()];
        found.push(memory);
    }
    found
}

/// Makes a unit of a subsystem that is a chart.
fn become_chart(
    unit: &mut Unit,
    chart: &Chart,
    number: usize,
    scopes: &Scopes<'_>,
    problems: &mut Vec<Problem>,
) {
    unit.kind = if chart.script.is_some() { BlockKind::Script } else { BlockKind::Chart };
    unit.inside = None;
    unit.words.extend(chart_words(chart, number));
    // An event at an input decides when a chart runs, whatever its sample time is.
    if let Some(time) = chart.sample_time.as_ref().filter(|_| chart.inputs_of_events().next().is_none()) {
        unit.words.insert("SystemSampleTime".to_owned(), time.clone());
    }
    problems.extend(chart_refusal(chart).map(|fault| unit.problem(fault)));
    for name in chart.dotted() {
        let base = name.split('.').next().unwrap_or_default();
        let object = scopes.lookup(unit.block, base).flatten();
        let is_literal = object.as_deref().and_then(class_of_enumeration).is_some();
        if let Ok(value @ Value::Matrix(_)) = scopes.value(unit.block, &name)
            && is_literal
        {
            unit.values.insert(name, value);
        }
    }
    for data in chart.data.iter().filter(|it| it.scope == "OUTPUT_DATA" && it.is_bus()) {
        match objects::elements_of(scopes, unit.block, &data.class) {
            Some(elements) => drop(unit.values.insert(bus_key(&data.name), elements)),
            None => {
                let message =
                    format!("the type `{}` of `{}` in its chart is not known", data.class, data.name);
                let hint = "give the script or the data file that defines the bus";
                problems.push(unit.problem(Fault::hint(message, hint)));
            }
        }
    }
    for (name, text) in chart_values(chart) {
        match scopes.value(unit.block, text) {
            Ok(value) => drop(unit.values.insert(name, value)),
            Err(error) => {
                let message = format!("`{text}` in its chart has no value: {error}");
                problems.push(unit.problem(Fault::of_value(message, error)));
            }
        }
    }
}

/// Makes a unit of a linear system with a value the block for its form.
fn become_linear(unit: &mut Unit, scopes: &Scopes<'_>) -> Outcome<()> {
    let text = unit.word("sys").to_owned();
    let found = scopes.value(unit.block, &text).and_then(|it| matlab::system(&it));
    let linear = found.map_err(|error| {
        Fault::of_value(format!("the parameter `sys` = `{text}` has no value: {error}"), error)
    })?;
    let is_discrete = linear.time != 0.0;
    let values = match linear.form {
        Form::Quotient(over, under) if !unit.entries("Y0").is_empty() && !is_discrete => {
            unit.kind = BlockKind::StateSpace;
            with_output(unit, &over, &under)?
        }
        Form::Quotient(over, under) => {
            if unit.entries("IC").iter().any(|it| *it != 0.0) {
                let hint = "use `ss`, or leave `IC` empty";
                return Err(Fault::hint("only a state space has initial states", hint));
            }
            unit.kind = if is_discrete { BlockKind::DiscreteTransferFcn } else { BlockKind::TransferFcn };
            vec![("Numerator", Matrix::row(over)), ("Denominator", Matrix::row(under))]
        }
        Form::States([a, b, c, d]) => {
            unit.kind = if is_discrete { BlockKind::DiscreteStateSpace } else { BlockKind::StateSpace };
            let initial = unit.matrix("IC").cloned().unwrap_or_default();
            vec![("A", a), ("B", b), ("C", c), ("D", d), ("X0", initial)]
        }
    };
    unit.values.extend(values.into_iter().map(|(name, it)| (name.to_owned(), Value::Matrix(it))));
    if is_discrete {
        unit.words.insert("SampleTime".to_owned(), linear.time.to_string());
    }
    Ok(())
}

/// The state space of a quotient of polynomials whose first output is given for its first input. With one state, this determines the state.
fn with_output(unit: &Unit, over: &[f64], under: &[f64]) -> Outcome<Vec<(&'static str, Matrix)>> {
    let [first, second] = under else {
        let message = "its state is determined by its initial output only if it has exactly one";
        return Err(Fault::hint(message, "use a state space with initial states"));
    };
    let (lead, rest) = match over {
        [rest] => (0.0, *rest),
        [lead, rest] => (*lead, *rest),
        _ => return Err(Fault::new("its numerator has a greater degree than its denominator")),
    };
    let (Some(output), Some(input)) = (unit.single("Y0"), unit.single("U0")) else {
        return Err(Fault::new("its initial output and its initial input are not one number each"));
    };
    let (direct, pole) = (lead / first, second / first);
    let factor = rest / first - direct * pole;
    let state = if factor == 0.0 { 0.0 } else { (output - direct * input) / factor };
    let all = [("A", -pole), ("B", 1.0), ("C", factor), ("D", direct), ("X0", state)];
    Ok(all.map(|(name, number)| (name, Matrix::scalar(number))).to_vec())
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

/// The number of outputs in the drawing: ports inside, the list of ports, or lines that start there.
fn drawn(diagram: &Diagram, unit: &Unit) -> usize {
    if let Some(inside) = unit.inside.and_then(|id| diagram.sheets.get(id.0 as usize)) {
        return inside.blocks.iter().filter(|block| block.kind == BlockKind::Outport).count();
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

/// The unit of a block. The block may be one of ours, on a sheet of the diagram without being drawn there.
fn unit(
    diagram: &Diagram,
    scopes: &Scopes<'_>,
    place: BlockId,
    block: &Block,
    problems: &mut Vec<Problem>,
) -> Unit {
    let definition = block.kind.definition();
    let defaults = diagram.defaults.get(&block.kind).map_or(&[][..], |parameters| &parameters.0);
    let own = defaults
        .iter()
        .chain(&block.parameters.0)
        .filter(|(name, _)| !DRAWING.contains(&name.as_str()))
        .map(|(name, text)| (definition.name(name).to_owned(), text.clone()));
    let usual = definition.defaults.iter().map(|(name, text)| ((*name).into(), (*text).into()));
    let mut path = diagram.path(place);
    if diagram.block(place).is_none() {
        path += &block.name;
    }
    let mut unit = Unit {
        block: place,
        path,
        name: block.name.clone(),
        kind: block.kind.clone(),
        words: usual.chain(own).collect(),
        values: BTreeMap::new(),
        inputs: vec![],
        controls: vec![],
        outputs: vec![],
        every: 1,
        offset: 0,
        before: (1, 0),
        continuous: false,
        inside: block.inside,
    };
    objects::resolve(scopes, &mut unit);
    for &name in definition.numbers {
        if !(definition.uses)(&unit, name) || unit.word(name).is_empty() {
            continue;
        }
        let text = unit.word(name);
        let value =
            if definition.cells { value(scopes, place, name, text) } else { scopes.value(place, text) };
        let without = |reason: &str| format!("the parameter `{name}` = `{text}` has no value: {reason}");
        let fault = match value {
            Ok(value) if definition.cells || value.matrix().is_some() => {
                unit.values.insert(name.to_owned(), value);
                continue;
            }
            Ok(Value::Complex(_)) => Fault::new(without("it has complex numbers")),
            Ok(_) => Fault::new(without("it is not a number")),
            Err(error) => Fault::of_value(without(&error.to_string()), error),
        };
        problems.push(unit.problem(fault));
    }
    for (text, is_needed) in variables(&unit) {
        match scopes.value(place, &text) {
            Ok(value) if value.matrix().is_some() => drop(unit.values.insert(text, value)),
            Err(error) if is_needed => {
                let message = format!("`{text}` in its expression has no value: {error}");
                problems.push(unit.problem(Fault::of_value(message, error)));
            }
            _ => {}
        }
    }
    unit
}

/// The value of a parameter that may have a list of indices for each dimension, separated by commas, or that is the name of a data file.
fn value(scopes: &Scopes<'_>, place: BlockId, name: &str, text: &str) -> Result<Value, crate::matlab::Error> {
    if name == "FileName" {
        return scopes.recorded(text);
    }
    let parts = clauses(text);
    if parts.len() < 2 || !matches!(name, "Indices" | "OutputSizes") {
        return scopes.value(place, text);
    }
    let parts = parts.into_iter().map(|part| scopes.value(place, part));
    Ok(Value::Cell(parts.collect::<Result<_, _>>()?))
}

/// Parameters that say how a block looks.
#[rustfmt::skip]
const DRAWING: [&str; 24] = [
    "Position", "ZOrder", "BackgroundColor", "ForegroundColor", "ShowName", "NamePlacement", "FontName",
    "FontSize", "FontWeight", "DropShadow", "BlockRotation", "BlockMirror", "Orientation", "FontAngle",
    "HideAutomaticName", "RequirementInfo", "LibraryVersion", "AttributesFormatString", "Location", "SID",
    "Name", "UserData", "UserDataPersistent", "ContentPreviewEnabled",
];
