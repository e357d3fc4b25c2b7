//! The package format `.slx`: an archive of XML parts, or the same parts one after the other in a text file.
//!
//! The model is in `simulink/blockdiagram.xml`; in newer files each system is a part of its own, which replaces the
//! reference to it. Each part is used only once, so references cannot loop or multiply. In a text, a line `__MWOPC_PART_BEGIN__ /name`
//! starts a part; with `BASE64` at its end, the part is binary. Nothing is ever written to disk.

use super::mdl::mat_file;
use super::{File, Log, Section};
use container::archive::Archive;
use container::xml::{self, Document, Id};
use container::{FileError, Limits, archive};
use std::collections::{BTreeMap, BTreeSet};

const MODEL: &str = "simulink/blockdiagram.xml";

/// Reads an archive.
pub(super) fn from_archive(bytes: &[u8], limits: &Limits, log: &mut Log) -> Option<File> {
    match archive::open(bytes, *limits) {
        Ok(archive) => model(Package::Archive(archive), limits, log),
        Err(problem) => {
            log.problem(problem);
            None
        }
    }
}

/// Reads a text with parts.
pub(super) fn from_text(bytes: &[u8], limits: &Limits, log: &mut Log) -> Option<File> {
    let parts = text_package(bytes, limits, log);
    model(Package::Text(parts), limits, log)
}

fn model(mut package: Package<'_>, limits: &Limits, log: &mut Log) -> Option<File> {
    if !package.has(MODEL) {
        log.problem(
            FileError::new("the package has no Simulink model")
                .part(MODEL)
                .hint("give a `.mdl` or `.slx` file as Simulink saves it"),
        );
        return None;
    }
    let information = part(&mut package, MODEL, limits, log)?;
    let found = information.sections.into_iter().find(|it| !it.name.ends_with("Settings"));
    let Some(mut model) = found.filter(|it| !it.sections.is_empty()) else {
        log.problem(FileError::new("the part has no model").part(MODEL));
        return None;
    };
    let mut seen = Systems { used: BTreeSet::new(), limits, package: &mut package };
    seen.fill(&mut model, 2, log);
    let configuration = configuration(&mut package, limits, log);
    let defaults = optional(&mut package, "simulink/bddefaults.xml", limits, log);
    let workspace = workspace(&mut package, log);
    let mut stateflow = optional(&mut package, "simulink/stateflow.xml", limits, log);
    // Newer files have a part for each chart.
    let parts: Vec<String> =
        package.names().filter(|it| it.starts_with("simulink/stateflow/chart")).map(str::to_owned).collect();
    for name in parts {
        let chart = part(&mut package, &name, limits, log);
        stateflow.get_or_insert_default().sections.extend(chart);
    }
    Some(File { model, configuration, defaults, workspace, stateflow, part: Some(MODEL.to_owned()) })
}

/// Replaces references to systems with the systems.
struct Systems<'a, 'b> {
    used: BTreeSet<String>,
    limits: &'a Limits,
    package: &'a mut Package<'b>,
}

impl Systems<'_, '_> {
    fn fill(&mut self, section: &mut Section, depth: usize, log: &mut Log) {
        for inner in &mut section.sections {
            if inner.name == "System"
                && let Some(name) = inner.value("Ref")
            {
                let name = format!("simulink/systems/{name}.xml");
                let refused = if depth > self.limits.depth {
                    Some("systems are nested too deeply")
                } else if !self.used.insert(name.clone()) {
                    Some("the system is referenced twice; only the first reference is used")
                } else {
                    None
                };
                if let Some(message) = refused {
                    log.problem(FileError::new(message).part(&name));
                    continue;
                }
                let limits = Limits { depth: self.limits.depth - depth, ..*self.limits };
                let Some(system) = part(self.package, &name, &limits, log) else { continue };
                *inner = system;
            }
            self.fill(inner, depth + 1, log);
        }
    }
}

/// The active configuration set.
fn configuration(package: &mut Package<'_>, limits: &Limits, log: &mut Log) -> Option<Section> {
    let information = optional(package, "simulink/configSetInfo.xml", limits, log).unwrap_or_default();
    let active = information.all("ConfigSet").find(|it| it.value("Active") == Some("true"));
    let name = active.and_then(|it| it.value("PartName")).unwrap_or("/simulink/configSet0.xml");
    optional(package, name.trim_start_matches('/'), limits, log)
}

/// The data file of the model workspace.
fn workspace(package: &mut Package<'_>, log: &mut Log) -> Option<Vec<u8>> {
    for name in ["simulink/modelworkspace.mat", "simulink/modelWorkspace.mxarray"] {
        if !package.has(name) {
            continue;
        }
        let bytes = match package.read(name) {
            Ok(bytes) => bytes,
            Err(problem) => {
                log.problem(problem);
                continue;
            }
        };
        let file = if name.ends_with(".mat") { Some(bytes) } else { mat_file(&bytes) };
        if file.is_none() {
            log.problem(FileError::new("the data of the model workspace is broken").part(name));
        }
        return file;
    }
    None
}

/// A part that may be missing.
fn optional(package: &mut Package<'_>, name: &str, limits: &Limits, log: &mut Log) -> Option<Section> {
    if package.has(name) { part(package, name, limits, log) } else { None }
}

/// A part as a tree.
fn part(package: &mut Package<'_>, name: &str, limits: &Limits, log: &mut Log) -> Option<Section> {
    let document = package
        .read(name)
        .and_then(|bytes| xml::parse(&bytes, *limits).map_err(|problem| problem.part(name)));
    match document {
        Ok(document) => Some(section(&document, Document::ROOT)),
        Err(problem) => {
            log.problem(problem);
            None
        }
    }
}

/// An element as a section. The depth of a document is limited, so this may recurse.
fn section(document: &Document, id: Id) -> Section {
    let mut section = Section { name: document.name(id).to_owned(), ..Section::default() };
    let attributes = document.attributes(id);
    section.values.extend(attributes.into_iter().map(|(key, value)| (key.to_owned(), value)));
    let mut text = String::new();
    for inner in document.contents(id) {
        if let Some(piece) = document.text_of(inner) {
            text.push_str(&piece);
            continue;
        }
        let name = document.name(inner);
        let plain = document.children(inner).next().is_none();
        let attributes = if plain { document.attributes(inner) } else { Vec::new() };
        let key = match (name, attributes.as_slice()) {
            _ if !plain => None,
            ("P", all) => all.iter().find(|(key, _)| *key == "Name").map(|(_, value)| value.clone()),
            ("System" | "Mask" | "Block" | "Line" | "Branch" | "Port", _) => None,
            (name, []) => Some(name.to_owned()),
            _ => None,
        };
        match key {
            Some(key) => section
                .values
                .push((key, document.contents(inner).filter_map(|it| document.text_of(it)).collect())),
            None => section.sections.push(self::section(document, inner)),
        }
    }
    if !text.trim().is_empty() {
        section.values.push((String::new(), text));
    }
    section
}

const PART: &[u8] = b"__MWOPC_PART_BEGIN__";
const END: &[u8] = b"__MWOPC_PACKAGE_END__";

/// A package.
enum Package<'a> {
    /// An archive.
    Archive(Archive<'a>),
    /// A text: the bytes of each part.
    Text(BTreeMap<String, Vec<u8>>),
}

impl Package<'_> {
    /// The names of the parts.
    fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Package::Archive(archive) => Box::new(archive.names().iter().map(String::as_str)),
            Package::Text(parts) => Box::new(parts.keys().map(String::as_str)),
        }
    }

    /// Whether there is a part of that name.
    fn has(&self, name: &str) -> bool {
        self.names().any(|other| other == name)
    }

    /// The bytes of a part.
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        match self {
            Package::Archive(archive) => archive.read(name),
            Package::Text(parts) => parts
                .remove(name)
                .ok_or_else(|| FileError::new("a part of the package is missing").part(name)),
        }
    }
}

/// Whether the bytes are a package as text.
pub(super) fn is_text_package(bytes: &[u8]) -> bool {
    bytes.starts_with(b"# MathWorks OPC Text Package")
}

/// The parts of a text.
fn text_package(bytes: &[u8], limits: &Limits, log: &mut Log) -> BTreeMap<String, Vec<u8>> {
    let mut parts = BTreeMap::new();
    let mut open: Option<(String, bool)> = None;
    let (mut start, mut at, mut ended) = (0, 0, false);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let begins = line.starts_with(PART);
        ended = line.starts_with(END);
        if begins || ended {
            finish(open.take(), bytes.get(start..at).unwrap_or_default(), &mut parts, log);
        }
        at += line.len();
        if begins {
            start = at;
            let head = String::from_utf8_lossy(line.get(PART.len()..).unwrap_or_default());
            let head = head.trim();
            let (name, encoded) = match head.strip_suffix(" BASE64") {
                Some(name) => (name.trim_end(), true),
                None => (head, false),
            };
            open = Some((name.trim_start_matches('/').to_owned(), encoded));
        }
        if ended {
            break;
        }
        if parts.len() > limits.entries {
            let hint = format!("the limit is {}", limits.entries);
            log.problem(FileError::new("the package has too many parts").hint(hint));
            break;
        }
    }
    if !ended {
        log.problem(FileError::new("the end of the package is missing").hint("the file may be cut off"));
        finish(open.take(), bytes.get(start..).unwrap_or_default(), &mut parts, log);
    }
    parts
}

fn finish(open: Option<(String, bool)>, bytes: &[u8], parts: &mut BTreeMap<String, Vec<u8>>, log: &mut Log) {
    let Some((name, encoded)) = open else { return };
    let bytes = if encoded { base64(bytes) } else { Some(bytes.to_vec()) };
    match bytes {
        None => log.problem(FileError::new("the part is not base64").part(&name)),
        Some(_) if parts.contains_key(&name) => {
            log.problem(FileError::new("two parts of the package have the same name").part(&name));
        }
        Some(bytes) => {
            parts.insert(name, bytes);
        }
    }
}

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.iter().filter(|it| !it.is_ascii_whitespace() && **it != b'=') {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        let table = [("", ""), ("TQ==", "M"), ("TWE=", "Ma"), ("TWFu\n", "Man"), ("TWFuTWFu", "ManMan")];
        for (text, expected) in table {
            assert_eq!(base64(text.as_bytes()).as_deref(), Some(expected.as_bytes()), "{text}");
        }
        assert_eq!(base64(b"TW*u"), None);
    }
}
