//! Variant subsystems whose active choice is named in the file: the choice is connected to the ports of the same names.
//!
//! A choice that a condition over variables selects stays as it is, and is refused by name.

use crate::blocks::BlockKind;
use crate::diagram::{Block, Diagram, Parameters, Port, Sheet, SheetId};

/// Connects the active choices of all variant subsystems.
pub(super) fn choose(diagram: &mut Diagram) {
    for sheet in 0..diagram.sheets.len() {
        for number in 0..diagram.sheets[sheet].blocks.len() {
            let block = &diagram.sheets[sheet].blocks[number];
            let Some((inside, active)) = active(diagram, block) else { continue };
            connect(diagram, inside, active);
            let Parameters(all) = &mut diagram.sheets[sheet].blocks[number].parameters;
            all.retain(|(key, _)| key != "Variant");
        }
    }
}

/// The sheet of a variant subsystem and the number of its active choice there.
fn active(diagram: &Diagram, block: &Block) -> Option<(SheetId, u32)> {
    if diagram.parameter(block, "Variant") != Some("on") {
        return None;
    }
    let of = |block: &Block, name: &str| diagram.parameter(block, name).unwrap_or_default().trim().to_owned();
    let names = ["OverrideUsingVariant", "LabelModeActiveChoice"].map(|it| of(block, it));
    let name = names.into_iter().find(|it| !it.is_empty())?;
    let inside = block.inside?;
    let choices = (0..).zip(&diagram.sheets.get(inside.0 as usize)?.blocks);
    let mut choices = choices.filter(|it| it.1.kind == BlockKind::SubSystem);
    let fits = |choice: &Block| choice.name == name || of(choice, "VariantControl") == name;
    choices.find(|it| fits(it.1)).map(|it| (inside, it.0))
}

/// Lines between the ports of a sheet and those of a choice in it; the other choices go.
fn connect(diagram: &mut Diagram, inside: SheetId, active: u32) {
    let choice = diagram.sheets[inside.0 as usize].blocks[active as usize].inside;
    let Some(choice) = choice.and_then(|it| diagram.sheets.get(it.0 as usize)).cloned() else { return };
    let sheet = &mut diagram.sheets[inside.0 as usize];
    for (kind, is_input) in [(BlockKind::Inport, true), (BlockKind::Outport, false)] {
        for inner in choice.blocks.iter().filter(|it| it.kind == kind) {
            let Some(outer) = matching(sheet, inner) else { continue };
            let port = inner.parameters.get("Port").and_then(|it| it.trim().parse().ok()).unwrap_or(1);
            if is_input {
                sheet.connect((outer, 1), (active, Port::Data(port)));
            } else {
                sheet.connect((active, port), (outer, Port::Data(1)));
            }
        }
    }
    for (number, block) in (0..).zip(&mut sheet.blocks) {
        if block.kind == BlockKind::SubSystem && number != active {
            block.parameters.0.push(("Commented".to_owned(), "on".to_owned()));
        }
    }
}

/// The port of a sheet with the kind and name of another one.
fn matching(sheet: &Sheet, inner: &Block) -> Option<u32> {
    (0..).zip(&sheet.blocks).find(|(_, it)| it.kind == inner.kind && it.name == inner.name).map(|it| it.0)
}
