//! The package format `.slx`: an archive of XML parts, or the same parts one after the other in a text file.
//!
//! The model is in `simulink/blockdiagram.xml`; in newer files each system is a part of its own, which is put where it is
//! referred to. A part is put at one place only, so references cannot loop or multiply.

mod package;

use crate::mdl::mat_file;
use crate::read::{File, Log};
use crate::tree::Section;
use container::xml::{self, Document, Id};
use container::{Limits, Trouble, archive};
pub(crate) use package::is_text_package;
use package::{Package, text_package};
use std::collections::BTreeSet;

const MODEL: &str = "simulink/blockdiagram.xml";

/// Reads an archive.
pub(crate) fn from_archive(bytes: &[u8], limits: &Limits, log: &mut Log) -> Option<File> {
    match archive::open(bytes, *limits) {
        Ok(archive) => model(Package::Archive(archive), limits, log),
        Err(trouble) => {
            log.trouble(trouble);
            None
        }
    }
}

/// Reads a text with parts.
pub(crate) fn from_text(bytes: &[u8], limits: &Limits, log: &mut Log) -> Option<File> {
    let parts = text_package(bytes, limits, log);
    model(Package::Text(parts), limits, log)
}

fn model(mut package: Package<'_>, limits: &Limits, log: &mut Log) -> Option<File> {
    if !package.has(MODEL) {
        log.trouble(
            Trouble::new("the package has no Simulink model")
                .part(MODEL)
                .hint("give a `.mdl` or `.slx` file as Simulink saves it"),
        );
        return None;
    }
    let information = part(&mut package, MODEL, limits, log)?;
    let found = information.sections.into_iter().find(|it| !it.name.ends_with("Settings"));
    let Some(mut model) = found.filter(|it| !it.sections.is_empty()) else {
        log.trouble(Trouble::new("the part has no model").part(MODEL));
        return None;
    };
    let mut seen = Systems { used: BTreeSet::new(), limits, package: &mut package };
    seen.fill(&mut model, 2, log);
    let configuration = configuration(&mut package, limits, log);
    let defaults = optional(&mut package, "simulink/bddefaults.xml", limits, log);
    let workspace = workspace(&mut package, log);
    let charts = |name: &&str| *name == "simulink/stateflow.xml" || name.starts_with("simulink/stateflow/");
    if let Some(name) = package.names().find(charts) {
        log.note(Trouble::new("the Stateflow part is not read").part(name));
    }
    Some(File { model, configuration, defaults, workspace, part: Some(MODEL.to_owned()) })
}

/// Puts systems where they are referred to.
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
                    Some("the system is referred to twice: only the first place has it")
                } else {
                    None
                };
                if let Some(message) = refused {
                    log.trouble(Trouble::new(message).part(&name));
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
            Err(trouble) => {
                log.trouble(trouble);
                continue;
            }
        };
        let file = if name.ends_with(".mat") { Some(bytes) } else { mat_file(&bytes) };
        if file.is_none() {
            log.trouble(Trouble::new("the data of the model workspace is broken").part(name));
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
        .and_then(|bytes| xml::parse(&bytes, *limits).map_err(|trouble| trouble.part(name)));
    match document {
        Ok(document) => Some(section(&document, Document::ROOT)),
        Err(trouble) => {
            log.trouble(trouble);
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
