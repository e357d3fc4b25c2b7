//! Blocks in the notation of older versions: selectors and assignments with elements, rows and columns, and gains of a type of their own.

use super::blocks;
use crate::blocks::BlockKind;
use crate::diagram::{Block, BlockId, Diagram};

/// Restates such blocks as newer versions do.
pub(super) fn restate(diagram: &mut Diagram) {
    let all: Vec<BlockId> = blocks(diagram).collect();
    for id in all {
        let Some(block) = diagram.block(id) else { continue };
        let is_gain = matches!(&block.kind, BlockKind::Unknown(name) if name == "MatrixGain");
        let new = if is_gain {
            let multiplication = ("Multiplication".to_owned(), "Matrix(K*u)".to_owned());
            let gain = diagram.parameter(block, "Gain").map(|it| ("Gain".to_owned(), it.to_owned()));
            [multiplication].into_iter().chain(gain).collect()
        } else {
            let Some(new) = indices(diagram, block) else { continue };
            new
        };
        let sheet = diagram.sheets.get_mut(id.sheet.0 as usize);
        let Some(block) = sheet.and_then(|it| it.blocks.get_mut(id.number as usize)) else { continue };
        if is_gain {
            block.kind = BlockKind::Gain;
        }
        block.parameters.0.extend(new);
    }
}

/// The parameters of a selector or an assignment with elements, or with rows and columns; −1 is all of them.
fn indices(diagram: &Diagram, block: &Block) -> Option<Vec<(String, String)>> {
    let all = match block.kind {
        BlockKind::Selector => "Select all",
        BlockKind::Assignment => "Assign all",
        _ => return None,
    };
    let given = |name: &str| diagram.parameter(block, name).map(str::trim);
    let parts: &[(&str, &str)] = match given("InputType")? {
        "Vector" => &[("ElementSrc", "Elements")],
        "Matrix" => &[("RowSrc", "Rows"), ("ColumnSrc", "Columns")],
        _ => return None,
    };
    // A place that a port gives, with a size, is another notation.
    if given("IndexIsStartValue") == Some("on") {
        return None;
    }
    let mut options = Vec::new();
    let mut places = Vec::new();
    for (source, name) in parts {
        let place = given(name).unwrap_or("1");
        options.push(match given(source) {
            Some("External") => "Index vector (port)",
            _ if place == "-1" => all,
            _ => "Index vector (dialog)",
        });
        places.push(place);
    }
    let new = [
        ("NumberOfDimensions", parts.len().to_string()),
        ("IndexOptions", options.join(",")),
        ("Indices", places.join(",")),
    ];
    Some(new.map(|(name, text)| (name.to_owned(), text)).to_vec())
}
