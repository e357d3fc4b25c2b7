//! Variants: which choice is active, by its name or by conditions over variables.
//!
//! The active choice of a variant subsystem is connected to the ports of the same names, and the others are left out. A variant source
//! or sink is told the number of its active port. A variant without an active choice stays as it is, with the reason.

use super::scope::Scopes;
use crate::blocks::BlockKind;
use crate::diagram::{Block, BlockId, Diagram, Parameters, Port, Sheet, SheetId};
use crate::matlab::{Files, field};
use crate::value::{Matrix, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The parameter with the number of the active port, from 1.
pub(crate) const ACTIVE: &str = "ActivePort";
/// The parameter with the reason why there is no active choice.
pub(crate) const REASON: &str = "NoActiveChoice";

/// The longest chain of conditions that are objects with conditions.
const DEEPEST: usize = 8;

/// The diagram with the active choices of all variants.
pub(super) fn chosen<'d>(
    diagram: &'d Diagram,
    workspace: &[(String, Value)],
    files: &dyn Files,
) -> Cow<'d, Diagram> {
    let is_variant = |block: &Block| {
        matches!(block.kind, BlockKind::VariantSource | BlockKind::VariantSink)
            || block.kind == BlockKind::SubSystem && diagram.parameter(block, "Variant") == Some("on")
    };
    let all = (0..).map(SheetId).zip(&diagram.sheets);
    let blocks = all.flat_map(|(sheet, it)| {
        (0..).zip(&it.blocks).map(move |(number, block)| (BlockId { sheet, number }, block))
    });
    let variants: Vec<(BlockId, &Block)> = blocks.filter(|it| is_variant(it.1)).collect();
    if variants.is_empty() {
        return Cow::Borrowed(diagram);
    }
    let none = BTreeMap::new();
    let scopes = Scopes::new(diagram, workspace, files, &none, &mut Vec::new());
    let mut changed = diagram.clone();
    for (id, block) in variants {
        let variant = Variant { diagram, scopes: &scopes, id, block };
        let found = match block.kind {
            BlockKind::SubSystem => variant.choice().and_then(|it| connect(&mut changed, it)).map(|()| None),
            _ => variant.port().map(|it| Some((ACTIVE, it.to_string()))),
        };
        let Parameters(all) = &mut changed.sheets[id.sheet.0 as usize].blocks[id.number as usize].parameters;
        match found {
            Ok(parameter) => {
                all.push(("Variant".to_owned(), "off".to_owned()));
                all.extend(parameter.map(|(key, value)| (key.to_owned(), value)));
            }
            Err(reason) => all.push((REASON.to_owned(), reason)),
        }
    }
    Cow::Owned(changed)
}

/// A block with choices.
struct Variant<'a> {
    diagram: &'a Diagram,
    scopes: &'a Scopes<'a>,
    id: BlockId,
    block: &'a Block,
}

impl Variant<'_> {
    fn word(&self, block: &Block, name: &str) -> String {
        self.diagram.parameter(block, name).unwrap_or_default().trim().to_owned()
    }

    /// The sheet of a variant subsystem and the number of its active choice there.
    fn choice(&self) -> Result<(SheetId, u32), String> {
        let inside = self.block.inside.ok_or("its choices are not in the file")?;
        let blocks = self.diagram.sheets.get(inside.0 as usize).map_or(&[][..], |it| &it.blocks);
        let kinds = [BlockKind::SubSystem, BlockKind::ModelReference, BlockKind::Reference];
        let is_choice = |it: &(u32, &Block)| kinds.contains(&it.1.kind) && !it.1.is_commented();
        let choices: Vec<(u32, &Block)> = (0..).zip(blocks).filter(is_choice).collect();
        let controls: Vec<String> = choices.iter().map(|it| self.word(it.1, "VariantControl")).collect();
        let names: Vec<&str> = choices.iter().map(|it| it.1.name.as_str()).collect();
        let place = self.active(&controls, &names)?;
        Ok((inside, choices[place].0))
    }

    /// The number of the active port, from 1.
    fn port(&self) -> Result<usize, String> {
        let text = self.word(self.block, "VariantControls");
        let controls = match self.scopes.value(self.id, &text) {
            Ok(Value::Cell(all)) => all,
            Ok(only @ Value::Text(_)) => vec![only],
            _ => return Err(format!("its conditions `{text}` are not known")),
        };
        let text =
            |it: &Value| if let Value::Text(text) = it { text.trim().to_owned() } else { String::new() };
        let controls: Vec<String> = controls.iter().map(text).collect();
        Ok(self.active(&controls, &[])? + 1)
    }

    /// The place of the active choice among those with some conditions or labels, and perhaps names.
    fn active(&self, controls: &[String], names: &[&str]) -> Result<usize, String> {
        let choice = self.word(self.block, "LabelModeActiveChoice");
        let by_label = match self.word(self.block, "VariantControlMode").as_str() {
            "label" => true,
            "" => !choice.is_empty(),
            _ => false,
        };
        let label = if by_label { choice } else { self.word(self.block, "OverrideUsingVariant") };
        if by_label || !label.is_empty() {
            let place = controls.iter().position(|it| *it == label);
            let place = place.or_else(|| names.iter().position(|it| *it == label));
            return place.ok_or_else(|| format!("it has no choice `{label}`"));
        }
        let mut active = Vec::new();
        for (place, control) in controls.iter().enumerate() {
            let holds = match control.as_str() {
                "" | "(default)" | "(codegen)" => false,
                text if text.starts_with('%') => false,
                "(sim)" => true,
                text => self.holds(text, DEEPEST)?,
            };
            active.extend(holds.then_some(place));
        }
        let default = controls.iter().position(|it| it == "(default)");
        match (&active[..], default) {
            ([only], _) => Ok(*only),
            ([], Some(default)) => Ok(default),
            ([], None) => Err("none of its choices is active".to_owned()),
            _ => Err("several of its choices are active".to_owned()),
        }
    }

    /// Whether a condition holds: an expression, or the name of an object with one.
    fn holds(&self, text: &str, deepest: usize) -> Result<bool, String> {
        let without = |reason: &str| format!("its condition `{text}` has no value: {reason}");
        let value = self.scopes.value(self.id, text).map_err(|error| without(&error.to_string()))?;
        let condition = ["Variant", "VariantExpression"].iter().find_map(|it| field(&value, it, "Condition"));
        match (condition, value.matrix().and_then(Matrix::single)) {
            (Some(Value::Text(inner)), _) if deepest > 0 => self.holds(inner, deepest - 1),
            (None, Some(number)) => Ok(number != 0.0),
            _ => Err(without("it is not a number")),
        }
    }
}

/// Lines between the ports of a sheet and those of a choice in it; the other choices go.
fn connect(diagram: &mut Diagram, (inside, active): (SheetId, u32)) -> Result<(), String> {
    let block = &diagram.sheets[inside.0 as usize].blocks[active as usize];
    let name = &block.name;
    let choice = block.inside.and_then(|it| diagram.sheets.get(it.0 as usize)).cloned();
    let choice = choice.ok_or_else(|| format!("its active choice `{name}` is not in the file"))?;
    if choice.blocks.iter().any(|it| it.kind.definition().control.is_some()) {
        return Err(format!("its active choice `{name}` does not run at every step"));
    }
    let sheet = &mut diagram.sheets[inside.0 as usize];
    for (kind, is_input) in [(BlockKind::Inport, true), (BlockKind::Outport, false)] {
        for inner in choice.blocks.iter().filter(|it| it.kind == kind) {
            let outer = matching(sheet, inner);
            let outer =
                outer.ok_or_else(|| format!("it has no port `{}` for its active choice", inner.name))?;
            let port = inner.parameters.get("Port").and_then(|it| it.trim().parse().ok()).unwrap_or(1);
            if is_input {
                sheet.connect((outer, 1), (active, Port::Data(port)));
            } else {
                sheet.connect((active, port), (outer, Port::Data(1)));
            }
        }
    }
    for (number, block) in (0..).zip(&mut sheet.blocks) {
        if !matches!(block.kind, BlockKind::Inport | BlockKind::Outport) && number != active {
            block.parameters.0.push(("Commented".to_owned(), "on".to_owned()));
        }
    }
    Ok(())
}

/// The port of a sheet with the kind and name of another one.
fn matching(sheet: &Sheet, inner: &Block) -> Option<u32> {
    (0..).zip(&sheet.blocks).find(|(_, it)| it.kind == inner.kind && it.name == inner.name).map(|it| it.0)
}
