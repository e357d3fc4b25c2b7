//! The tree of a file as a diagram: settings, defaults, sheets with blocks, lines and masks.
//!
//! Blocks keep all their values as parameters, except those that have a place of their own. Sheets are numbered as their
//! owners come in the file. A reference that leads nowhere is a trouble; the line then lacks that end.

mod lines;
mod mask;
mod settings;

use crate::diagram::{Block, BlockId, Diagram, Parameters, Sheet, SheetId};
use crate::read::{File, Log, at_line};
use crate::tree::Section;
use container::{Limits, Trouble};

/// What a block says that is no parameter.
const OWN: [&str; 3] = ["BlockType", "Name", "SID"];

/// The diagram of a file.
pub(crate) fn diagram(file: &File, limits: &Limits, log: &mut Log) -> Diagram {
    let mut diagram = Diagram {
        name: file.model.value("Name").unwrap_or_default().to_owned(),
        settings: settings::settings(file, log),
        defaults: settings::defaults(file),
        workspace: file.workspace.clone(),
        ..Diagram::default()
    };
    let mut place = Place { part: file.part.as_deref(), path: diagram.name.clone(), left: limits.nodes };
    match file.model.all("System").next() {
        Some(root) => {
            sheet(root, None, &mut diagram, &mut place, log);
        }
        None => log.trouble(place.trouble("the file has no system", file.model.line)),
    }
    diagram
}

/// Where the reader is.
struct Place<'a> {
    part: Option<&'a str>,
    /// The path of the sheet.
    path: String,
    /// How many blocks and lines may still come.
    left: usize,
}

impl Place<'_> {
    fn trouble(&self, message: &str, line: u32) -> Trouble {
        let message = match self.path.as_str() {
            "" => message.to_owned(),
            path => format!("{message} (in `{}`)", path.replace('\n', " ")),
        };
        let trouble = Trouble::new(message).at(at_line(line));
        match self.part {
            Some(part) => trouble.part(part),
            None => trouble,
        }
    }
}

/// Reads a sheet with all that is below it. The depth of a tree is limited, so this may recurse.
fn sheet(
    section: &Section,
    owner: Option<BlockId>,
    diagram: &mut Diagram,
    place: &mut Place<'_>,
    log: &mut Log,
) -> SheetId {
    let id = SheetId(diagram.sheets.len() as u32);
    diagram.sheets.push(Sheet::default());
    let mut sheet = Sheet { owner, ..Sheet::default() };
    for inner in section.all("Block") {
        if place.left == 0 {
            log.trouble(place.trouble("the model has too many blocks", inner.line));
            break;
        }
        place.left -= 1;
        let mut block = block(inner, place, log);
        if let Some(system) = inner.all("System").next() {
            let number = sheet.blocks.len() as u32;
            let length = place.path.len();
            place.path.push('/');
            place.path.push_str(&block.name);
            block.inside =
                Some(self::sheet(system, Some(BlockId { sheet: id, number }), diagram, place, log));
            place.path.truncate(length);
            if block.kind == "Reference" {
                // The body of the library block is here: the link adds nothing.
                block.kind = "SubSystem".to_owned();
            }
        }
        sheet.blocks.push(block);
    }
    sheet.lines = lines::lines(section, &sheet.blocks, place, log);
    sheet.annotations = section
        .all("Annotation")
        .filter_map(|it| it.text("Name").or_else(|| it.text("Text")))
        .map(str::to_owned)
        .collect();
    if let Some(slot) = diagram.sheets.get_mut(id.0 as usize) {
        *slot = sheet;
    }
    id
}

fn block(section: &Section, place: &Place<'_>, log: &mut Log) -> Block {
    let text = |key| section.value(key).map(str::to_owned);
    let mut parameters: Vec<(String, String)> =
        section.values.iter().filter(|(key, _)| !OWN.contains(&key.as_str())).cloned().collect();
    let mut signals = Vec::new();
    let mut mask = mask::old(&mut parameters);
    for inner in &section.sections {
        match inner.name.as_str() {
            // What a link sets for this place.
            "InstanceData" => parameters.extend(inner.values.iter().cloned()),
            "Port" => signals.extend(signal(inner)),
            "PortProperties" => signals.extend(inner.all("Port").filter_map(signal)),
            "PortCounts" => parameters.push(("Ports".to_owned(), port_counts(inner))),
            "Mask" => mask = Some(mask::new(inner, section)),
            "Object" if inner.is_a("Simulink.Mask") => mask = Some(mask::new(inner, section)),
            "Array" => parameters.extend(cells(inner)),
            "LinkData" => {
                let name = section.value("Name").unwrap_or_default();
                let message = format!("what `{name}` changes inside its library block is not read");
                log.trouble(place.trouble(&message, inner.line));
            }
            // Windows, scopes, user data: nothing that computes.
            _ => {}
        }
    }
    let kind = text("BlockType").unwrap_or_default();
    if kind.is_empty() {
        log.trouble(place.trouble("a block has no type", section.line));
    }
    let name = text("Name").unwrap_or_default();
    signals.sort();
    signals.dedup();
    Block {
        kind,
        name,
        sid: text("SID"),
        parameters: Parameters(parameters),
        mask,
        inside: None,
        signals,
        line: section.line,
    }
}

/// Number and name of an output with a named signal.
fn signal(section: &Section) -> Option<(u32, String)> {
    if section.value("Type").is_some_and(|it| it != "out") {
        return None;
    }
    let number = section.value("PortNumber").or_else(|| section.value("Index"))?;
    let name = section.value("Name").filter(|it| !it.is_empty())?;
    Some((number.trim().parse().ok()?, name.to_owned()))
}

/// Newer files count the ports by name. As older files list them: trailing zeros are left out.
fn port_counts(section: &Section) -> String {
    let names = ["in", "out", "enable", "trigger", "state", "lconn", "rconn", "ifaction", "reset"];
    let mut counts: Vec<&str> = names.iter().map(|name| section.value(name).unwrap_or("0")).collect();
    while counts.last() == Some(&"0") {
        counts.pop();
    }
    format!("[{}]", counts.join(", "))
}

/// A parameter that is a cell array of texts, as MATLAB writes it.
fn cells(section: &Section) -> Option<(String, String)> {
    let name = section.value("PropName").filter(|_| section.value("Type") == Some("Cell"))?;
    let plain = section.values.iter().filter(|(key, _)| key == "Cell").map(|(_, text)| text.as_str());
    let marked = section.all("Cell").map(|cell| cell.value("").unwrap_or_default());
    let quoted: Vec<String> = plain.chain(marked).map(|it| format!("'{}'", it.replace('\'', "''"))).collect();
    Some((name.to_owned(), format!("{{{}}}", quoted.join(", "))))
}
