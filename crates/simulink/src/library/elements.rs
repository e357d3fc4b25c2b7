//! Ports of single elements of buses (`In Bus Element`, `Out Bus Element`): all blocks of one port become a port of the whole bus, with a
//! selector or a creator beside it.
//!
//! At the root, nothing says what the whole bus is, so each element that is read becomes an input of its own.

use crate::blocks::BlockKind;
use crate::diagram::{Block, Diagram, Parameters, Port, Sheet};
use std::collections::BTreeMap;

/// Replaces the ports of all sheets.
pub(super) fn whole(diagram: &mut Diagram) {
    for (number, sheet) in diagram.sheets.iter_mut().enumerate() {
        let inputs = elements(sheet, &BlockKind::Inport);
        if number == 0 && !inputs.is_empty() {
            separate(sheet);
        } else {
            inputs.into_iter().for_each(|(port, blocks)| select(sheet, &port, &blocks));
        }
        for (port, blocks) in elements(sheet, &BlockKind::Outport) {
            create(sheet, &port, &blocks);
        }
    }
}

fn is_element(block: &Block) -> bool {
    block.parameters.get("IsBusElementPort") == Some("on")
}

/// The blocks for elements of each port of a kind, by its number.
fn elements(sheet: &Sheet, kind: &BlockKind) -> BTreeMap<String, Vec<u32>> {
    let mut found: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (number, block) in (0..).zip(&sheet.blocks).filter(|(_, it)| it.kind == *kind && is_element(it)) {
        found.entry(port(block)).or_default().push(number);
    }
    found
}

fn port(block: &Block) -> String {
    block.parameters.get("Port").unwrap_or("1").trim().to_owned()
}

fn element(block: &Block) -> String {
    block.parameters.get("Element").unwrap_or_default().trim().to_owned()
}

/// A block that becomes an ordinary one of some kind.
fn become_kind(block: &mut Block, kind: BlockKind, parameters: &[(&str, &str)]) {
    block.kind = kind;
    let Parameters(all) = &mut block.parameters;
    all.retain(|(key, _)| {
        !matches!(key.as_str(), "IsBusElementPort" | "Port" | "Element" | "OutDataTypeStr")
    });
    all.extend(parameters.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
}

/// The name of the port of some blocks.
fn name(sheet: &Sheet, blocks: &[u32]) -> String {
    let first = blocks.first().and_then(|it| sheet.blocks.get(*it as usize));
    let name = first.and_then(|it| it.parameters.get("PortName")).unwrap_or("bus");
    let taken = |name: &str| sheet.blocks.iter().any(|it| it.name == name);
    let fresh = std::iter::once(name.to_owned()).chain((1..).map(|it| format!("{name} {it}")));
    fresh.into_iter().find(|it| !taken(it)).unwrap_or_default()
}

/// One input with a selector for each element.
fn select(sheet: &mut Sheet, port: &str, blocks: &[u32]) {
    let name = name(sheet, blocks);
    let bus = sheet.add(BlockKind::Inport, &name, &[("Port", port)]);
    for &number in blocks {
        let Some(block) = sheet.blocks.get_mut(number as usize) else { continue };
        let path = element(block);
        if path.is_empty() {
            become_kind(block, BlockKind::SignalConversion, &[]);
        } else {
            become_kind(block, BlockKind::BusSelector, &[("OutputSignals", &path)]);
        }
        sheet.connect((bus, 1), (number, Port::Data(1)));
    }
}

/// Each element is an input; all inputs are numbered again, in the order of their ports.
fn separate(sheet: &mut Sheet) {
    let number = |block: &Block| port(block).parse::<u32>().unwrap_or(1);
    let inputs = (0..sheet.blocks.len()).filter(|it| sheet.blocks[*it].kind == BlockKind::Inport);
    let mut inputs: Vec<usize> = inputs.collect();
    inputs.sort_by_key(|it| number(&sheet.blocks[*it]));
    for (place, block) in inputs.into_iter().enumerate() {
        let block = &mut sheet.blocks[block];
        let Parameters(all) = &mut block.parameters;
        all.retain(|(key, _)| !matches!(key.as_str(), "IsBusElementPort" | "Port" | "Element"));
        all.push(("Port".to_owned(), (place + 1).to_string()));
    }
}

/// One output of a bus that is made of the elements. Elements of elements are made first.
fn create(sheet: &mut Sheet, port: &str, blocks: &[u32]) {
    let name = name(sheet, blocks);
    let mut paths: Vec<(String, u32)> = Vec::new();
    for &number in blocks {
        let Some(block) = sheet.blocks.get_mut(number as usize) else { continue };
        paths.push((element(block), number));
        become_kind(block, BlockKind::SignalConversion, &[]);
    }
    let out = sheet.add(BlockKind::Outport, &name, &[("Port", port)]);
    let from = match &paths[..] {
        [(path, only)] if path.is_empty() => *only,
        _ => joined(sheet, &name, &paths, 0),
    };
    sheet.connect((from, 1), (out, Port::Data(1)));
}

/// The deepest nesting of elements.
const DEEPEST: usize = 16;

/// A bus of elements by their paths; those with a common first part are a bus of their own.
fn joined(sheet: &mut Sheet, name: &str, paths: &[(String, u32)], depth: usize) -> u32 {
    let mut groups: Vec<(String, Vec<(String, u32)>)> = Vec::new();
    for (path, number) in paths {
        let (first, rest) = path.split_once('.').filter(|_| depth < DEEPEST).unwrap_or((path, ""));
        match groups.iter_mut().find(|it| it.0 == first) {
            Some((_, all)) => all.push((rest.to_owned(), *number)),
            None => groups.push((first.to_owned(), vec![(rest.to_owned(), *number)])),
        }
    }
    let names: Vec<String> = groups.iter().map(|it| format!("'{}'", it.0)).collect();
    let creator = sheet.add(BlockKind::BusCreator, &format!("{name} bus"), &[("Inputs", &names.join(","))]);
    for (place, (first, inner)) in (1..).zip(groups) {
        let from = match &inner[..] {
            [(rest, only)] if rest.is_empty() => *only,
            _ => joined(sheet, &format!("{name}.{first}"), &inner, depth + 1),
        };
        sheet.connect((from, 1), (creator, Port::Data(place)));
    }
    creator
}
