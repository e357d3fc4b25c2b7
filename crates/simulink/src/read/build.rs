//! The tree of a file as a diagram: settings, defaults, sheets with blocks, lines and masks.
//!
//! Blocks keep all their values as parameters, except those that have a place of their own. Sheets are numbered as their
//! owners come in the file. A line end that refers to a missing block is a problem and is left out.

use super::charts::charts;
use super::{File, Log, Section, at_line};
use crate::blocks::BlockKind;
use crate::diagram::{Block, BlockId, Diagram, Line, Mask, Parameters, Port, Sheet, SheetId};
use container::{FileError, Limits};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of bends of a part of a line.
const MOST_POINTS: usize = 1_000;

/// Values of a block that are not parameters.
const OWN: [&str; 3] = ["BlockType", "Name", "SID"];

/// The diagram of a file.
pub(crate) fn diagram(file: &File, limits: &Limits, log: &mut Log) -> Diagram {
    let mut diagram = Diagram {
        name: file.model.value("Name").unwrap_or_default().to_owned(),
        settings: settings(file, log),
        defaults: defaults(file),
        workspace: file.workspace.clone(),
        charts: file.stateflow.as_ref().map(charts).unwrap_or_default(),
        ..Diagram::default()
    };
    let mut place = Place { part: file.part.as_deref(), path: diagram.name.clone(), left: limits.nodes };
    match file.model.all("System").next() {
        Some(root) => {
            sheet(root, None, &mut diagram, &mut place, log);
        }
        None => log.problem(place.problem("the file has no system", file.model.line)),
    }
    diagram
}

/// Where the reader is.
struct Place<'a> {
    part: Option<&'a str>,
    /// The path of the sheet.
    path: String,
    /// The remaining number of blocks and lines.
    left: usize,
}

impl Place<'_> {
    fn problem(&self, message: &str, line: u32) -> FileError {
        let message = match self.path.as_str() {
            "" => message.to_owned(),
            path => format!("{message} (in `{}`)", path.replace('\n', " ")),
        };
        let problem = FileError::new(message).at(at_line(line));
        match self.part {
            Some(part) => problem.part(part),
            None => problem,
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
            log.problem(place.problem("the model has too many blocks", inner.line));
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
            if block.kind == BlockKind::Reference {
                // The file contains the body of the library block, so the link adds nothing.
                block.kind = BlockKind::SubSystem;
            }
        }
        sheet.blocks.push(block);
    }
    sheet.lines = lines(section, &sheet.blocks, place, log);
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
    let mut found = old_mask(&mut parameters);
    for inner in &section.sections {
        match inner.name.as_str() {
            // Values that a link sets for this instance.
            "InstanceData" => parameters.extend(inner.values.iter().cloned()),
            "Port" => signals.extend(signal(inner)),
            "PortProperties" => signals.extend(inner.all("Port").filter_map(signal)),
            "PortCounts" => parameters.push(("Ports".to_owned(), port_counts(inner))),
            "Mask" => found = Some(mask(inner, section)),
            "Object" if inner.is_a("Simulink.Mask") => found = Some(mask(inner, section)),
            "Array" => parameters.extend(cells(inner)),
            "LinkData" => {
                let name = section.value("Name").unwrap_or_default();
                let message = format!("changes that `{name}` makes inside its library block are not read");
                log.problem(place.problem(&message, inner.line));
            }
            // Windows, scopes and user data do not affect the computation.
            _ => {}
        }
    }
    let kind = section.value("BlockType").unwrap_or_default();
    if kind.is_empty() {
        log.problem(place.problem("a block has no type", section.line));
    }
    let name = text("Name").unwrap_or_default();
    signals.sort();
    signals.dedup();
    Block {
        kind: kind.into(),
        name,
        sid: text("SID"),
        parameters: Parameters(parameters),
        mask: found,
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

/// Newer files count the ports by name; this is the list of older files, without trailing zeros.
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

/// A line end in a file: the block, the kind of port, and its number.
type End<'a> = (Option<u32>, &'a str, &'a str);

/// The blocks of a sheet.
struct Names<'a> {
    by_name: FxHashMap<&'a str, u32>,
    by_sid: FxHashMap<&'a str, u32>,
}

/// Reads all lines of a sheet.
fn lines(section: &Section, blocks: &[Block], place: &mut Place<'_>, log: &mut Log) -> Vec<Line> {
    let mut names = Names { by_name: FxHashMap::default(), by_sid: FxHashMap::default() };
    for (number, block) in (0..).zip(blocks) {
        if names.by_name.insert(&block.name, number).is_some() {
            let message = format!("two blocks have the name `{}`", block.name);
            log.problem(place.problem(&message, block.line));
        }
        if let Some(sid) = &block.sid {
            names.by_sid.insert(sid, number);
        }
    }
    let mut lines = Vec::new();
    for inner in section.all("Line") {
        if place.left == 0 {
            log.problem(place.problem("the model has too many lines", inner.line));
            break;
        }
        place.left -= 1;
        let mut line = Line {
            name: inner.value("Name").filter(|it| !it.is_empty()).map(str::to_owned),
            ..Line::default()
        };
        if inner.value("LineType") == Some("Connection") {
            log.problem(place.problem("a physical connection is not read", inner.line));
            continue;
        }
        if let Some((block, what, port)) = names.end(inner, "Src") {
            let port = match what {
                "out" => port.parse().ok().filter(|it| *it > 0),
                // The port at the top of an integrator comes after its other outputs.
                "state" => block
                    .and_then(|it| blocks.get(it as usize))
                    .map(|it| 2 + u32::from(it.parameters.get("ShowSaturationPort") == Some("on"))),
                _ => None,
            };
            line.from = block.zip(port);
            if line.from.is_none() {
                lost(inner, "begins", place, log);
            }
        }
        targets(inner, &names, &mut line, &[], place, log);
        lines.push(line);
    }
    lines
}

/// The ends of a line and of its branches. The depth of a tree is limited, so this may recurse.
fn targets(
    section: &Section,
    names: &Names<'_>,
    line: &mut Line,
    before: &[(i32, i32)],
    place: &Place<'_>,
    log: &mut Log,
) {
    let route = [before, &points(section)].concat();
    if let Some((block, what, number)) = names.end(section, "Dst") {
        let port = match what {
            "in" => number.parse().ok().filter(|it| *it > 0).map(Port::Data),
            "ifaction" => Some(Port::Action),
            "enable" => Some(Port::Enable),
            "trigger" => Some(Port::Trigger),
            "reset" | "Reset" => Some(Port::Reset),
            _ => None,
        };
        match block.zip(port) {
            Some(end) => {
                line.to.push(end);
                line.routes.push(route.clone());
            }
            None => lost(section, "ends", place, log),
        }
    }
    for branch in section.all("Branch") {
        targets(branch, names, line, &route, place, log);
    }
}

/// Where a line or a branch bends: `[10, 0; 0, 5]`. Numbers that are not understood are left out, because only drawings need them.
fn points(section: &Section) -> Vec<(i32, i32)> {
    let text = section.value("Points").unwrap_or_default().trim_matches(['[', ']']);
    let point = |text: &str| {
        let mut numbers = text.split([',', ' ']).filter_map(|it| it.trim().parse().ok());
        Some((numbers.next()?, numbers.next()?))
    };
    text.split(';').filter_map(point).take(MOST_POINTS).collect()
}

fn lost(section: &Section, does: &str, place: &Place<'_>, log: &mut Log) {
    let end = if does == "begins" { "Src" } else { "Dst" };
    let block = section.value(end).or_else(|| section.value(&format!("{end}Block"))).unwrap_or_default();
    let port = section.value(&format!("{end}Port")).unwrap_or_default();
    let message = format!("a line {does} at `{}`, which does not exist", format!("{block} {port}").trim());
    log.problem(place.problem(&message, section.line));
}

impl<'a> Names<'a> {
    /// An end of a line; none if it is not connected.
    fn end<'s>(&self, section: &'s Section, end: &str) -> Option<End<'s>> {
        if let Some(text) = section.value(end) {
            let (sid, port) = text.rsplit_once('#').unwrap_or((text, ""));
            let (what, number) = port.split_once(':').unwrap_or((port, ""));
            return Some((self.by_sid.get(sid).copied(), what, number));
        }
        let block = section.value(&format!("{end}Block"))?;
        let port = section.value(&format!("{end}Port")).unwrap_or("1");
        let numbered = port.bytes().all(|byte| byte.is_ascii_digit());
        let what = match end {
            _ if !numbered => port,
            "Src" => "out",
            _ => "in",
        };
        Some((self.by_name.get(block).copied(), what, port))
    }
}

/// Takes an old mask out of the parameters of a block. (`MaskHideContents` alone does not make a mask.)
fn old_mask(parameters: &mut Vec<(String, String)>) -> Option<Mask> {
    let get = |key: &str| {
        parameters.iter().rfind(|(other, _)| other == key).map(|(_, text)| text.as_str()).unwrap_or_default()
    };
    let values: Vec<&str> = get("MaskValueString").split('|').collect();
    let mut mask = Mask {
        kind: get("MaskType").to_owned(),
        initialization: get("MaskInitialization").to_owned(),
        ..Mask::default()
    };
    for variable in get("MaskVariables").split(';') {
        // `name=@2`: the second value, evaluated; `name=&2`: as text.
        let Some((name, place)) = variable.split_once('=') else { continue };
        let (name, place) = (name.trim(), place.trim());
        let number: Option<usize> = place.get(1..).and_then(|it| it.parse().ok());
        let value = number.and_then(|it| values.get(it.checked_sub(1)?));
        mask.parameters.0.push((name.to_owned(), value.copied().unwrap_or_default().to_owned()));
        if place.starts_with('&') && !mask.texts.iter().any(|it| it == name) {
            mask.texts.push(name.to_owned());
        }
    }
    let is_mask = mask != Mask::default();
    parameters.retain(|(key, _)| {
        !matches!(key.as_str(), "MaskType" | "MaskVariables" | "MaskValueString" | "MaskInitialization")
            || !is_mask
    });
    is_mask.then_some(mask)
}

/// A mask with a section of its own. Values set for this block take precedence over those of the mask.
fn mask(section: &Section, block: &Section) -> Mask {
    let instance: Vec<&(String, String)> = block.all("InstanceData").flat_map(|it| &it.values).collect();
    let text = |key| section.text(key).unwrap_or_default().to_owned();
    let mut mask = Mask { kind: text("Type"), initialization: text("Initialization"), ..Mask::default() };
    let class = "Simulink.MaskParameter";
    for inner in &section.sections {
        if inner.name == "Array" && inner.is_a(class) {
            inner.all("Object").for_each(|it| mask_parameter(it, &instance, &mut mask));
        } else if inner.name == "MaskParameter" || inner.is_a(class) {
            mask_parameter(inner, &instance, &mut mask);
        }
    }
    mask
}

fn mask_parameter(section: &Section, instance: &[&(String, String)], mask: &mut Mask) {
    let Some(name) = section.text("Name") else { return };
    let set = instance.iter().rfind(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let value = set.or_else(|| section.text("Value")).unwrap_or_default();
    let Parameters(parameters) = &mut mask.parameters;
    parameters.push((name.to_owned(), value.to_owned()));
    if section.text("Evaluate") == Some("off") && !mask.texts.iter().any(|it| it == name) {
        mask.texts.push(name.to_owned());
    }
}

/// Values that describe objects and files and are not settings.
#[rustfmt::skip]
const HOUSEKEEPING: [&str; 14] = [
    "", "Cell", "ClassName", "Components", "Description", "Dimension", "DisabledProps", "Name", "ObjectID",
    "PropName", "SavedCharacterEncoding", "Type", "Version", "WSMdlFileData",
];

/// The settings of a model. Each has one value: that of the model, or the first in its configuration set.
fn settings(file: &File, log: &mut Log) -> Parameters {
    let mut settings = Settings::default();
    let model = &file.model;
    settings.add(model);
    model.sections.iter().filter(|it| it.name.ends_with("Settings")).for_each(|it| settings.add(it));
    let class = "Simulink.ConfigSet";
    let inner = model.sections.iter().flat_map(|it| std::iter::once(it).chain(&it.sections));
    let sets: Vec<&Section> = inner.filter(|it| it.is_a(class)).collect();
    let active = sets.iter().find(|it| it.value("PropName") == Some("ActiveConfigurationSet"));
    let number = active.and_then(|it| it.value("ObjectID"));
    let chosen =
        sets.iter().find(|it| number.is_some() && it.value("ObjectID") == number && !it.sections.is_empty());
    match chosen.or(sets.first()).copied().or(file.configuration.as_ref()) {
        Some(set) => settings.below(set),
        None => {
            log.note(FileError::new("the model has no configuration set of its own").at(at_line(model.line)))
        }
    }
    Parameters(settings.values)
}

#[derive(Default)]
struct Settings {
    values: Vec<(String, String)>,
    seen: BTreeSet<String>,
}

impl Settings {
    fn add(&mut self, section: &Section) {
        for (key, text) in &section.values {
            if !HOUSEKEEPING.contains(&key.as_str()) && self.seen.insert(key.clone()) {
                self.values.push((key.clone(), text.clone()));
            }
        }
    }

    /// All values below a section. The depth of a tree is limited, so this may recurse.
    fn below(&mut self, section: &Section) {
        self.add(section);
        section.sections.iter().for_each(|it| self.below(it));
    }
}

/// The defaults of each block type.
fn defaults(file: &File) -> BTreeMap<BlockKind, Parameters> {
    let mut defaults: BTreeMap<BlockKind, Parameters> = BTreeMap::new();
    let places = file.defaults.iter().chain([&file.model]);
    for block in places.flat_map(|it| it.all("BlockParameterDefaults")).flat_map(|it| it.all("Block")) {
        let Some(kind) = block.value("BlockType") else { continue };
        let values = block.values.iter().filter(|(key, _)| key != "BlockType").cloned();
        defaults.entry(kind.into()).or_default().0.extend(values);
    }
    // Files before version 6 state all parameters: where a switch has no criterion, there was only one.
    let version = file.model.value("Version").and_then(|it| it.trim().parse::<f64>().ok());
    if version.is_some_and(|it| it < 6.0) {
        let Parameters(switch) = defaults.entry(BlockKind::Switch).or_default();
        switch.insert(0, ("Criteria".to_owned(), "u2 >= Threshold".to_owned()));
    }
    defaults
}
