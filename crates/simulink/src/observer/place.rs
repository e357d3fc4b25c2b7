//! Signals of a model by their paths, and tags that carry them to the root.

use super::{Unwritable, position};
use crate::diagram::{BlockId, Diagram, Port, Sheet, SheetId};

/// An output of a block on a sheet: the block, and its output from 1.
pub(super) type Output = (u32, u32);

/// The output that a path names.
pub(super) fn find(diagram: &Diagram, path: &str) -> Result<(SheetId, Output), Unwritable> {
    let plain = |path: &str| path.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = |block: &str| [plain(block), plain(&format!("{}/{block}", diagram.name))];
    let split = path.rsplit_once(':').and_then(|(block, number)| Some((names(block), number.parse().ok()?)));
    let split = split.filter(|(_, number)| *number > 0);
    let wanted: Vec<([String; 2], u32)> = std::iter::once((names(path), 1)).chain(split).collect();
    for (sheet, found) in (0..).map(SheetId).zip(&diagram.sheets) {
        for (number, block) in (0..).zip(&found.blocks) {
            let own = plain(&diagram.path(BlockId { sheet, number }));
            let Some((_, output)) = wanted.iter().find(|(names, _)| names.contains(&own)) else { continue };
            let source = match block.kind.as_str() {
                "Outport" => source(found, number),
                _ => Some((number, *output)),
            };
            return source
                .map(|source| (sheet, source))
                .ok_or_else(|| Unwritable(format!("nothing is connected to `{path}`")));
        }
    }
    Err(Unwritable(format!("the model has no block `{path}`")))
}

/// Where the first input of a block comes from.
fn source(sheet: &Sheet, block: u32) -> Option<Output> {
    sheet.lines.iter().find(|line| line.to.contains(&(block, Port::Data(1))))?.from
}

/// Carries a signal of an inner sheet to the root; gives the block there.
pub(super) fn tag(diagram: &mut Diagram, inner: SheetId, source: Output, like: &str, row: u32) -> Output {
    let taken = |diagram: &Diagram, tag: &str| {
        let mut blocks = diagram.sheets.iter().flat_map(|sheet| &sheet.blocks);
        blocks.any(|block| block.kind == "Goto" && block.parameters.get("GotoTag") == Some(tag))
    };
    let like: String = like.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let tag = base::names::unique(&format!("observed_{like}"), "_", |tag| !taken(diagram, tag));
    if let Some(sheet) = diagram.sheets.get_mut(inner.0 as usize) {
        let name = fresh(sheet, &format!("Observed {like}"));
        let goto = sheet.add("Goto", &name, &[("GotoTag", &tag), ("TagVisibility", "global")]);
        sheet.connect(source, (goto, Port::Data(1)));
    }
    let Some(root) = diagram.sheets.first_mut() else { return (0, 1) };
    let name = fresh(root, &format!("Observed {like}"));
    (root.add("From", &name, &[("GotoTag", &tag), ("Position", &position(900, row))]), 1)
}

/// A name like this one that no block of the sheet has.
pub(super) fn fresh(sheet: &Sheet, like: &str) -> String {
    base::names::unique(like, "_", |name| sheet.blocks.iter().all(|block| block.name != name))
}
