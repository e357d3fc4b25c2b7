//! Links into libraries and references to models whose files are known: their content is copied into the diagram.
//!
//! A block that is copied takes the defaults and the charts of its own file with it. Parameters of a link replace those of the library
//! block and of its mask. A model takes its variables with it, and does not see those of the model that refers to it.

use super::source;
use crate::blocks::BlockKind;
use crate::chart::Chart;
use crate::diagram::{Block, BlockId, Diagram, Parameters, Referenced, SheetId};
use crate::plan::clauses;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of sheets and blocks, and the deepest nesting of copies in copies.
const MAX_SHEETS: usize = 20_000;
const MAX_BLOCKS: usize = 1_000_000;
const MAX_DEPTH: usize = 50;

/// The names of the files, without their endings, that links and references of a diagram lead to.
pub fn files(diagram: &Diagram) -> BTreeSet<String> {
    let blocks = diagram.sheets.iter().flat_map(|it| &it.blocks).filter(|it| it.inside.is_none());
    blocks.filter_map(|block| file(diagram, block)).collect()
}

fn file(diagram: &Diagram, block: &Block) -> Option<String> {
    let name = match block.kind {
        BlockKind::Reference => source(block).split('/').next()?.to_owned(),
        BlockKind::ModelReference => {
            let name = ["ModelName", "ModelNameDialog", "ModelFile"]
                .iter()
                .find_map(|it| diagram.parameter(block, it))?;
            name.trim_end_matches(".slx").trim_end_matches(".mdl").to_owned()
        }
        _ => return None,
    };
    (!name.is_empty() && name != "simulink").then_some(name)
}

/// Copies the content of links and references from the files that are given by name. Returns whether anything was copied.
pub fn link(diagram: &mut Diagram, files: &BTreeMap<String, Diagram>) -> bool {
    let mut any = false;
    let mut room = MAX_BLOCKS;
    let mut origins = Origins::new();
    // Copies are appended, so links inside them are visited later.
    let mut number = 0;
    while number < diagram.sheets.len() && diagram.sheets.len() < MAX_SHEETS {
        for place in 0..diagram.sheets[number].blocks.len() {
            let id = BlockId { sheet: SheetId(number as u32), number: place as u32 };
            // A library block may be a link itself.
            let copies =
                (0..MAX_DEPTH).take_while(|_| copy(diagram, id, files, &mut origins, &mut room).is_some());
            let copies = copies.count();
            any |= copies > 0;
        }
        number += 1;
    }
    any
}

/// The file and the path in it that a block was copied from; a library block may be a link itself.
type Origins = BTreeMap<BlockId, Vec<(String, String)>>;

fn copy(
    diagram: &mut Diagram,
    id: BlockId,
    files: &BTreeMap<String, Diagram>,
    origins: &mut Origins,
    room: &mut usize,
) -> Option<()> {
    let block = diagram.block(id).filter(|it| it.inside.is_none())?;
    let name = file(diagram, block)?;
    let from = files.get(&name)?;
    let place = if block.kind == BlockKind::ModelReference { String::new() } else { source(block) };
    let place = place.split_once('/').map_or(String::new(), |it| it.1.to_owned());
    let origin = (name, place.clone());
    if around(diagram, id).any(|it| origins.get(&it).is_some_and(|it| it.contains(&origin))) {
        close(diagram, id, "what it refers to contains itself");
        return None;
    }
    if around(diagram, id).count() > MAX_DEPTH {
        return None;
    }
    let mut copied = block.clone();
    let mut model = None;
    let inside = if block.kind == BlockKind::ModelReference {
        match referenced(diagram, block, from) {
            Ok(known) => model = Some(Box::new(known)),
            Err(reason) => {
                close(diagram, id, reason);
                return None;
            }
        }
        copied.kind = BlockKind::SubSystem;
        Some(SheetId(0))
    } else {
        let found = find(from, &place)?;
        copied.kind = found.kind.clone();
        let mut own = std::mem::take(&mut copied.parameters.0);
        own.retain(|(key, _)| !matches!(key.as_str(), "SourceBlock" | "SourceType"));
        let defaults = from.defaults.get(&found.kind).map_or(&[][..], |it| &it.0);
        copied.mask.clone_from(&found.mask);
        for (name, value) in copied.mask.iter_mut().flat_map(|it| &mut it.parameters.0) {
            if let Some((_, given)) = own.iter().rfind(|(key, _)| key == name) {
                value.clone_from(given);
            }
        }
        copied.parameters = Parameters([defaults, &found.parameters.0, &own].concat());
        found.inside
    };
    copy_charts(diagram, id, from, &place, room)?;
    let mut open = Vec::new();
    if let Some(sheet) = inside {
        copied.inside = Some(SheetId(diagram.sheets.len() as u32));
        open.push((sheet, id));
    }
    // Sheets one after the other: each block that has an inside gets the next number when its sheet is copied.
    while let Some((sheet, owner)) = open.pop() {
        let new = SheetId(diagram.sheets.len() as u32);
        if diagram.sheets.len() >= MAX_SHEETS {
            return None;
        }
        let content = from.sheets.get(sheet.0 as usize)?;
        *room = room.checked_sub(content.blocks.len() + content.lines.len())?;
        let mut content = content.clone();
        content.owner = Some(owner);
        content.model = model.take();
        for (number, block) in (0..).zip(&mut content.blocks) {
            if let Some(defaults) = from.defaults.get(&block.kind) {
                block.parameters.0.splice(0..0, defaults.0.iter().cloned());
            }
            if let Some(inside) = block.inside.take() {
                open.push((inside, BlockId { sheet: new, number }));
            }
        }
        diagram.sheets.push(content);
        if owner != id {
            let slot =
                diagram.sheets.get_mut(owner.sheet.0 as usize)?.blocks.get_mut(owner.number as usize)?;
            slot.inside = Some(new);
        }
    }
    *diagram.sheets.get_mut(id.sheet.0 as usize)?.blocks.get_mut(id.number as usize)? = copied;
    origins.entry(id).or_default().push(origin);
    Some(())
}

/// States why references to some files are not followed, by the names of the files.
pub fn refuse(diagram: &mut Diagram, reasons: &BTreeMap<String, String>) {
    for id in super::blocks(diagram).collect::<Vec<BlockId>>() {
        let block = diagram.block(id).filter(|it| it.inside.is_none());
        if let Some(reason) = block.and_then(|it| reasons.get(&file(diagram, it)?)) {
            close(diagram, id, reason);
        }
    }
}

/// States why a reference is not followed.
pub(super) fn close(diagram: &mut Diagram, id: BlockId, reason: &str) {
    let sheet = diagram.sheets.get_mut(id.sheet.0 as usize);
    if let Some(block) = sheet.and_then(|it| it.blocks.get_mut(id.number as usize)) {
        block.parameters.0.retain(|(key, _)| key != CLOSED);
        block.parameters.0.push((CLOSED.to_owned(), reason.to_owned()));
    }
}

/// The parameter with the reason why a reference is not followed.
pub(crate) const CLOSED: &str = "NotFollowed";

/// What a model knows that a block refers to, or why it cannot be a part of another one.
fn referenced(diagram: &Diagram, block: &Block, model: &Diagram) -> Result<Referenced, &'static str> {
    let names = clauses(model.settings.get("ParameterArgumentNames").unwrap_or_default());
    let names: Vec<&str> = names.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect();
    let values = clauses(diagram.parameter(block, "ParameterArgumentValues").unwrap_or_default());
    let values: Vec<&str> = values.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect();
    if names.len() != values.len() {
        return Err(
            "the arguments of the model that it refers to have no known values; use a subsystem, or variables of the workspace",
        );
    }
    let arguments = names.into_iter().zip(values).map(|(name, value)| (name.to_owned(), value.to_owned()));
    Ok(Referenced {
        settings: model.settings.clone(),
        workspace: model.workspace.clone(),
        arguments: arguments.collect(),
    })
}

/// Copies the charts at a place of a file, or below it, to a block; none if there is no room for them.
fn copy_charts(
    diagram: &mut Diagram,
    id: BlockId,
    from: &Diagram,
    place: &str,
    room: &mut usize,
) -> Option<()> {
    if from.charts.is_empty() {
        return Some(());
    }
    let path = diagram.path(id);
    let path = path.strip_prefix(&format!("{}/", diagram.name)).unwrap_or(&path).to_owned();
    for chart in &from.charts {
        let name = plain(&chart.name);
        let below = match name.strip_prefix(place) {
            Some(rest) if place.is_empty() => format!("/{rest}"),
            Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.to_owned(),
            _ => continue,
        };
        let code = chart.script.as_ref().map_or(0, |it| it.len() / 100);
        *room =
            room.checked_sub(1 + chart.states.len() + chart.transitions.len() + chart.data.len() + code)?;
        diagram.charts.push(Chart { name: format!("{path}{below}"), ..chart.clone() });
    }
    Some(())
}

/// A path with single blanks.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A block and the subsystems around it, up to one more than may be copied into each other.
fn around(diagram: &Diagram, id: BlockId) -> impl Iterator<Item = BlockId> {
    let above = |it: &BlockId| diagram.sheets.get(it.sheet.0 as usize)?.owner;
    std::iter::successors(Some(id), above).take(MAX_DEPTH + 2)
}

/// The block at a path in a library; line breaks count as blanks.
fn find<'d>(library: &'d Diagram, path: &str) -> Option<&'d Block> {
    let mut sheet = library.sheets.first()?;
    let mut rest = path;
    loop {
        // A name may have slashes itself, which are doubled in paths.
        let fits = |block: &&Block| {
            let name = plain(&block.name).replace('/', "//");
            rest == name || rest.strip_prefix(&name).is_some_and(|it| it.starts_with('/'))
        };
        let block = sheet.blocks.iter().filter(fits).max_by_key(|it| it.name.len())?;
        let name = plain(&block.name).replace('/', "//");
        rest = rest[name.len()..].trim_start_matches('/');
        if rest.is_empty() {
            return Some(block);
        }
        sheet = library.sheets.get(block.inside?.0 as usize)?;
    }
}
