//! One ReqIF document taken apart: types with their attributes, objects with their values, hierarchy, relations.
//!
//! Everything is found by local names and keeps the number of its XML node, so that it can be edited in place.

use crate::xml::{self, Document, Id};
use crate::{FileError, Limits};
use std::collections::BTreeMap;

/// The namespace of formatted text.
pub(super) const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// A document.
pub(super) struct Model {
    pub(super) document: Document,
    /// The entry of the archive it is from.
    pub(super) part: Option<String>,
    /// The element REQ-IF-CONTENT.
    pub(super) content: Id,
    /// The types of objects, in order.
    pub(super) types: Vec<Type>,
    /// The values of each enumeration: identifier and name.
    pub(super) enumerations: BTreeMap<String, Vec<(String, String)>>,
    pub(super) objects: Vec<Object>,
    /// The entries of the hierarchy, from top to bottom.
    pub(super) entries: Vec<Entry>,
    pub(super) relations: Vec<Relation>,
}

/// A type of objects.
pub(super) struct Type {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) attributes: Vec<Attribute>,
}

/// An attribute of a type.
pub(super) struct Attribute {
    pub(super) id: String,
    /// The column: its long name.
    pub(super) column: String,
    pub(super) kind: Kind,
    pub(super) datatype: String,
}

/// A kind of attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Date,
    Enumeration,
    Integer,
    Real,
    String,
    Xhtml,
}

impl Kind {
    /// All kinds.
    const ALL: [Kind; 7] =
        [Kind::Boolean, Kind::Date, Kind::Enumeration, Kind::Integer, Kind::Real, Kind::String, Kind::Xhtml];

    /// The word for it in the names of elements.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Kind::Boolean => "BOOLEAN",
            Kind::Date => "DATE",
            Kind::Enumeration => "ENUMERATION",
            Kind::Integer => "INTEGER",
            Kind::Real => "REAL",
            Kind::String => "STRING",
            Kind::Xhtml => "XHTML",
        }
    }

    fn of(name: &str, before: &str) -> Option<Kind> {
        let word = name.strip_prefix(before)?;
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A SPEC-OBJECT.
pub(super) struct Object {
    pub(super) id: String,
    pub(super) node: Id,
    /// Its type, as a place in the list of types.
    pub(super) kind: usize,
    /// Its values: the attribute, as a place in the list of its type, and the element.
    pub(super) values: Vec<(usize, Id)>,
}

/// A SPEC-HIERARCHY.
pub(super) struct Entry {
    pub(super) node: Id,
    /// The identifier of its object.
    pub(super) object: String,
    /// The entry above it.
    pub(super) above: Option<usize>,
}

/// A SPEC-RELATION.
pub(super) struct Relation {
    pub(super) kind: String,
    pub(super) source: String,
    pub(super) target: String,
}

/// Takes a document apart.
pub(super) fn of(bytes: &[u8], part: Option<&str>, limits: Limits) -> Result<Model, FileError> {
    let document = xml::parse(bytes, limits)?;
    let root = document.name(Document::ROOT);
    if root != "REQ-IF" {
        return Err(document.error(Document::ROOT, format!("the document is `{root}`, not `REQ-IF`")).hint(
            if root == "RIF" {
                "export ReqIF 1.0 or later: RIF is the format before it"
            } else {
                "is it another file?"
            },
        ));
    }
    let content = document
        .path(Document::ROOT, &["CORE-CONTENT", "REQ-IF-CONTENT"])
        .ok_or_else(|| document.error(Document::ROOT, "the document has no REQ-IF-CONTENT"))?;
    let types = types(&document, content)?;
    let objects = objects(&document, content, &types)?;
    let entries = entries(&document, content);
    let enumerations = enumerations(&document, content);
    let relations = relations(&document, content);
    let part = part.map(str::to_owned);
    Ok(Model { document, part, content, types, enumerations, objects, entries, relations })
}

/// The elements of a list of the content.
pub(super) fn listed<'a>(document: &'a Document, content: Id, list: &str) -> impl Iterator<Item = Id> + 'a {
    document.child(content, list).into_iter().flat_map(|list| document.children(list))
}

fn identifier(document: &Document, node: Id) -> Result<String, FileError> {
    let found = document.attribute(node, "IDENTIFIER");
    found.ok_or_else(|| document.error(node, format!("a {} has no IDENTIFIER", document.name(node))))
}

/// The text of the first element inside a child: references are written like that.
fn reference(document: &Document, node: Id, child: &str) -> Option<String> {
    let holder = document.child(node, child)?;
    let reference = document.children(holder).next()?;
    Some(document.all_text(reference).trim().to_owned())
}

fn types(document: &Document, content: Id) -> Result<Vec<Type>, FileError> {
    let mut types = Vec::new();
    for node in
        listed(document, content, "SPEC-TYPES").filter(|node| document.name(*node) == "SPEC-OBJECT-TYPE")
    {
        let id = identifier(document, node)?;
        let mut attributes: Vec<Attribute> = Vec::new();
        for definition in listed(document, node, "SPEC-ATTRIBUTES") {
            let Some(kind) = Kind::of(document.name(definition), "ATTRIBUTE-DEFINITION-") else { continue };
            let id = identifier(document, definition)?;
            let mut column = document.attribute(definition, "LONG-NAME").unwrap_or_else(|| id.clone());
            if attributes.iter().any(|other| other.column == column) {
                column = format!("{column} ({id})");
            }
            let datatype = reference(document, definition, "TYPE").unwrap_or_default();
            attributes.push(Attribute { id, column, kind, datatype });
        }
        let name = document.attribute(node, "LONG-NAME").unwrap_or_else(|| id.clone());
        types.push(Type { id, name, attributes });
    }
    Ok(types)
}

fn objects(document: &Document, content: Id, types: &[Type]) -> Result<Vec<Object>, FileError> {
    let numbers: BTreeMap<&str, usize> =
        types.iter().enumerate().map(|(at, kind)| (kind.id.as_str(), at)).collect();
    let mut objects = Vec::new();
    for node in listed(document, content, "SPEC-OBJECTS").filter(|node| document.name(*node) == "SPEC-OBJECT")
    {
        let id = identifier(document, node)?;
        let kind = reference(document, node, "TYPE").and_then(|id| numbers.get(id.as_str()).copied());
        let kind = kind
            .ok_or_else(|| document.error(node, format!("the object `{id}` has no type in the document")))?;
        let mut values = Vec::new();
        for value in listed(document, node, "VALUES") {
            let attribute = reference(document, value, "DEFINITION")
                .and_then(|id| types[kind].attributes.iter().position(|attribute| attribute.id == id))
                .ok_or_else(|| {
                    let message = format!("a value of the object `{id}` is for no attribute of its type");
                    document.error(value, message)
                })?;
            values.push((attribute, value));
        }
        objects.push(Object { id, node, kind, values });
    }
    Ok(objects)
}

fn entries(document: &Document, content: Id) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut numbers = BTreeMap::new();
    let Some(list) = document.child(content, "SPECIFICATIONS") else { return entries };
    for node in document.inside(list).filter(|node| document.name(*node) == "SPEC-HIERARCHY") {
        let upper = document.parent(node).and_then(|children| document.parent(children));
        let above = upper.and_then(|upper| numbers.get(&upper).copied());
        numbers.insert(node, entries.len());
        let object = reference(document, node, "OBJECT").unwrap_or_default();
        entries.push(Entry { node, object, above });
    }
    entries
}

fn enumerations(document: &Document, content: Id) -> BTreeMap<String, Vec<(String, String)>> {
    let mut enumerations = BTreeMap::new();
    for node in listed(document, content, "DATATYPES") {
        if document.name(node) == "DATATYPE-DEFINITION-ENUMERATION" {
            let values = listed(document, node, "SPECIFIED-VALUES").filter_map(|value| {
                let id = document.attribute(value, "IDENTIFIER")?;
                Some((id.clone(), document.attribute(value, "LONG-NAME").unwrap_or(id)))
            });
            enumerations.insert(document.attribute(node, "IDENTIFIER").unwrap_or_default(), values.collect());
        }
    }
    enumerations
}

fn relations(document: &Document, content: Id) -> Vec<Relation> {
    let names: BTreeMap<String, String> = listed(document, content, "SPEC-TYPES")
        .filter_map(|kind| {
            Some((document.attribute(kind, "IDENTIFIER")?, document.attribute(kind, "LONG-NAME")?))
        })
        .collect();
    listed(document, content, "SPEC-RELATIONS")
        .filter_map(|node| {
            let kind = reference(document, node, "TYPE").unwrap_or_default();
            Some(Relation {
                kind: names.get(&kind).cloned().unwrap_or(kind),
                source: reference(document, node, "SOURCE")?,
                target: reference(document, node, "TARGET")?,
            })
        })
        .collect()
}
