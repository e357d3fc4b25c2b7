//! New objects in documents that are there: a type that has their attributes, identifiers made from their ids, and
//! entries of the hierarchy at the end or below their parents.

use super::change::append;
use super::model::{Model, Type};
use super::table::Table;
use super::value;
use crate::FileError;
use crate::Profile;
use crate::Role;
use crate::text::Edits;
use crate::xml::{self, Document, Id};
use base::names::Taken;
use std::collections::BTreeMap;

/// A hierarchy has no more levels: each is two elements deep, and readers have a limit.
pub(super) const MAX_LEVELS: usize = 80;
/// The time of things that have none.
pub(super) const NO_TIME: &str = "1970-01-01T00:00:00Z";

/// A record that is to become an object.
pub(super) struct New {
    pub(super) id: String,
    pub(super) parent: Option<String>,
    /// Column and text.
    pub(super) texts: Vec<(String, String)>,
}

/// Where an object of the hierarchy goes.
#[derive(Clone, Copy)]
enum Below {
    /// The end of a specification, or nowhere if there is none.
    Top(usize),
    /// An entry that is there.
    Entry(usize, usize),
    /// A new object, by its number.
    New(usize),
}

/// Adds the edits for new objects. A parent must be there, or come before its children.
pub(super) fn edits(
    models: &[Model],
    table: &Table,
    profile: &Profile,
    mut new: Vec<New>,
    edits: &mut [Edits],
) -> Result<(), FileError> {
    if new.is_empty() {
        return Ok(());
    }
    if let Some(column) = profile.column(Role::Id, &table.records.columns) {
        let name = &table.records.columns[column];
        for new in new.iter_mut().filter(|new| new.texts.iter().all(|(column, _)| column != name)) {
            new.texts.insert(0, (name.clone(), new.id.clone()));
        }
    }
    let mut taken = Taken::default();
    for model in models {
        let all = model.document.inside(Document::ROOT);
        taken.extend(all.filter_map(|node| model.document.attribute(node, "IDENTIFIER")));
    }
    let times: Vec<String> = models.iter().map(time).collect();
    let mut numbers = BTreeMap::new();
    let mut places: Vec<(usize, Below)> = Vec::new();
    let mut entries: Vec<String> = Vec::new();
    let mut objects: Vec<Vec<String>> = vec![Vec::new(); models.len()];
    let mut levels: Vec<usize> = Vec::new();
    for (number, new) in new.iter().enumerate() {
        let below = place(models, table, new, &numbers)?;
        let wanted = match below {
            Some(Below::Entry(part, _)) => Some(part),
            Some(Below::New(other)) => Some(places[other].0),
            Some(Below::Top(_)) | None => None,
        };
        let (part, kind) = type_for(models, table, new, wanted)?;
        let below = below.unwrap_or(Below::Top(part));
        let level = match below {
            Below::Top(_) => 1,
            Below::Entry(part, at) => 1 + depth(&models[part], at),
            Below::New(other) => 1 + levels[other],
        };
        if level > MAX_LEVELS {
            return Err(FileError::new(format!("`{}` is more than {MAX_LEVELS} levels deep", new.id)));
        }
        levels.push(level);
        places.push((part, below));
        let model = &models[part];
        let object = derived("object", &new.id, &mut taken);
        let entry = derived("entry", &new.id, &mut taken);
        objects[part].push(object_text(model, kind, (&object, &times[part]), new)?);
        entries.push(entry_head(model.document.prefix(Document::ROOT), &entry, &object, &times[part]));
        numbers.insert(new.id.as_str(), number);
    }
    for (part, objects) in objects.iter().enumerate().filter(|(_, objects)| !objects.is_empty()) {
        add_objects(&models[part], objects, &mut edits[part]);
    }
    // Children have larger numbers than their parents: from the last to the first, each is complete when its turn comes.
    let mut inside: Vec<Vec<String>> = vec![Vec::new(); entries.len()];
    let mut holders = BTreeMap::<(usize, Id), Vec<String>>::new();
    for (number, head) in entries.iter().enumerate().rev() {
        let (part, below) = places[number];
        let document = &models[part].document;
        inside[number].reverse();
        let text = entry_text(document.prefix(Document::ROOT), head, &inside[number]);
        match below {
            Below::New(other) => inside[other].push(text),
            Below::Entry(part, at) => {
                holders.entry((part, models[part].entries[at].node)).or_default().push(text)
            }
            Below::Top(part) => {
                let first = super::model::listed(document, models[part].content, "SPECIFICATIONS").next();
                if let Some(node) = first {
                    holders.entry((part, node)).or_default().push(text);
                }
            }
        }
    }
    for ((part, holder), mut texts) in holders {
        texts.reverse();
        append(&models[part].document, holder, "CHILDREN", &texts, &mut edits[part]);
    }
    Ok(())
}

/// An identifier made from an id: letters that XML forbids in it are spelled as numbers.
pub(super) fn derived(what: &str, id: &str, taken: &mut Taken) -> String {
    let mut name = format!("{what}-");
    for c in id.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') {
            name.push(c);
        } else {
            name.push_str(&format!("_{:x}_", u32::from(c)));
        }
    }
    taken.take(&name)
}

/// The start of an entry of the hierarchy, up to its object.
pub(super) fn entry_head(p: &str, id: &str, object: &str, time: &str) -> String {
    format!(
        "<{p}SPEC-HIERARCHY IDENTIFIER=\"{id}\" LAST-CHANGE=\"{}\"><{p}OBJECT><{p}SPEC-OBJECT-REF>{object}</{p}SPEC-OBJECT-REF></{p}OBJECT>",
        xml::escape_attribute(time)
    )
}

/// An entry with those below it.
pub(super) fn entry_text(p: &str, head: &str, below: &[String]) -> String {
    let children = if below.is_empty() {
        String::new()
    } else {
        format!("<{p}CHILDREN>{}</{p}CHILDREN>", below.concat())
    };
    format!("{head}{children}</{p}SPEC-HIERARCHY>")
}

fn place(
    models: &[Model],
    table: &Table,
    new: &New,
    numbers: &BTreeMap<&str, usize>,
) -> Result<Option<Below>, FileError> {
    let Some(parent) = new.parent.as_deref().map(str::trim) else { return Ok(None) };
    if let Some(number) = numbers.get(parent) {
        return Ok(Some(Below::New(*number)));
    }
    let at = table.records.records.iter().position(|record| record.id == parent);
    let object =
        at.map(|at| table.origins[at]).map(|(part, object)| models[part].objects[object].id.as_str());
    let found = object.and_then(|object| {
        models.iter().enumerate().find_map(|(part, model)| {
            let at = model.entries.iter().position(|entry| entry.object == object)?;
            Some(Below::Entry(part, at))
        })
    });
    let missing = || FileError::new(format!("the parent `{parent}` of `{}` is not in the hierarchy", new.id));
    found.map(Some).ok_or_else(|| missing().hint("list a parent before its children"))
}

/// A type with all attributes of a new object: that of the last object that has one, or the first type.
fn type_for<'a>(
    models: &'a [Model],
    table: &Table,
    new: &New,
    wanted: Option<usize>,
) -> Result<(usize, &'a Type), FileError> {
    let has = |kind: &Type, name: &str| kind.attributes.iter().any(|attribute| attribute.column == name);
    let fits = |part: usize, kind: &Type| {
        wanted.is_none_or(|wanted| wanted == part) && new.texts.iter().all(|(name, _)| has(kind, name))
    };
    let used = table.origins.iter().rev().map(|(part, object)| {
        let model = &models[*part];
        (*part, &model.types[model.objects[*object].kind])
    });
    let all =
        models.iter().enumerate().flat_map(|(part, model)| model.types.iter().map(move |kind| (part, kind)));
    used.chain(all).find(|(part, kind)| fits(*part, kind)).ok_or_else(|| {
        let names: Vec<String> = new.texts.iter().map(|(name, _)| name.clone()).collect();
        FileError::new(format!("no type of object has all attributes of the new `{}`", new.id))
            .hint(format!("it has {}", crate::records::listed(&names)))
    })
}

fn object_text(model: &Model, kind: &Type, (id, time): (&str, &str), new: &New) -> Result<String, FileError> {
    let p = model.document.prefix(Document::ROOT);
    let mut values = String::new();
    for (name, text) in &new.texts {
        if let Some(attribute) = kind.attributes.iter().find(|attribute| attribute.column == *name) {
            let content = value::content(model, attribute, text)?;
            values.push_str(&value::element(p, attribute.kind, &attribute.id, &content));
        }
    }
    let (time, kind) = (xml::escape_attribute(time), xml::escape_text(&kind.id));
    Ok(format!(
        "<{p}SPEC-OBJECT IDENTIFIER=\"{id}\" LAST-CHANGE=\"{time}\"><{p}VALUES>{values}</{p}VALUES>\
         <{p}TYPE><{p}SPEC-OBJECT-TYPE-REF>{kind}</{p}SPEC-OBJECT-TYPE-REF></{p}TYPE></{p}SPEC-OBJECT>"
    ))
}

/// The time for new things: the latest change that the document knows.
fn time(model: &Model) -> String {
    let document = &model.document;
    let changed =
        model.objects.iter().filter_map(|object| document.attribute(object.node, "LAST-CHANGE")).max();
    let header = || {
        let node = document.path(Document::ROOT, &["THE-HEADER", "REQ-IF-HEADER", "CREATION-TIME"])?;
        Some(document.all_text(node).trim().to_owned())
    };
    changed.or_else(header).unwrap_or_else(|| NO_TIME.to_owned())
}

fn depth(model: &Model, entry: usize) -> usize {
    std::iter::successors(Some(entry), |entry| model.entries[*entry].above).count()
}

/// Appends objects to SPEC-OBJECTS, which comes after the types.
fn add_objects(model: &Model, objects: &[String], edits: &mut Edits) {
    let document = &model.document;
    if document.child(model.content, "SPEC-OBJECTS").is_some() {
        return append(document, model.content, "SPEC-OBJECTS", objects, edits);
    }
    let before = ["SPEC-TYPES", "DATATYPES"].iter().find_map(|list| document.child(model.content, list));
    let at =
        before.map(|node| document.span(node).end).or(document.inner(model.content).map(|inner| inner.start));
    if let Some(at) = at {
        let p = document.prefix(Document::ROOT);
        edits.replace(at..at, format!("<{p}SPEC-OBJECTS>{}</{p}SPEC-OBJECTS>", objects.concat()));
    }
}
