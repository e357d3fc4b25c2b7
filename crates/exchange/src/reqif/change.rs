//! Changes of ReqIF documents as edits of their XML: values in place, new objects at the end of their lists.

use super::added::{self, New};
use super::model::{Attribute, Kind, Model, Object};
use super::table::Table;
use super::value::{self, Content};
use super::{PARENT, xhtml};
use crate::records::{Request, requests};
use crate::text::Edits;
use crate::xml::{Document, Id};
use crate::{Change, FileError, Profile, Role, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// The edits of each document that make the changes.
pub(super) fn edits(
    models: &[Model],
    table: &Table,
    profile: &Profile,
    changes: &[Change],
) -> Result<Vec<Edits>, FileError> {
    let mut columns = table.records.columns.clone();
    if !table.has_parents && profile.column(Role::Parent, &columns).is_none() {
        columns.push(PARENT.to_owned());
    }
    let upper = (columns.len() > table.records.columns.len() || table.has_parents).then(|| columns.len() - 1);
    let mut known = BTreeMap::<&str, Vec<usize>>::new();
    for (at, record) in table.records.records.iter().enumerate() {
        known.entry(&record.id).or_default().push(at);
    }
    let requests = requests(changes, &columns, |id| known.get(id).map_or(0, Vec::len))?;
    let position = |id: &str| known.get(id).and_then(|found| found.first().copied());
    let is_removed = |(id, request): &(String, Request)| match request {
        Request::Remove => position(id),
        Request::Set(_) => None,
    };
    let removed: BTreeSet<(usize, usize)> =
        requests.iter().filter_map(is_removed).map(|at| table.origins[at]).collect();
    let mut edits: Vec<Edits> = models.iter().map(|_| Edits::default()).collect();
    let mut new = Vec::new();
    for (id, request) in requests {
        match (position(&id), request) {
            (Some(at), Request::Set(fields)) => {
                let (part, object) = table.origins[at];
                let record = &table.records.records[at];
                let fields = fields
                    .into_iter()
                    .filter(|(column, text)| record.fields.get(*column).unwrap_or(&None) != text);
                let fields: Vec<(&str, Option<String>)> =
                    fields.map(|(at, text)| (columns[at].as_str(), text)).collect();
                let place = |error: FileError| FileError { place: record.place.clone(), ..error };
                if let Some(upper) = upper
                    && fields.iter().any(|(column, _)| *column == columns[upper])
                {
                    return Err(place(
                        FileError::new("objects cannot be moved to another parent")
                            .hint("move it in the tool that owns the document"),
                    ));
                }
                set(&models[part], &models[part].objects[object], fields, &mut edits[part]).map_err(place)?;
            }
            (Some(at), Request::Remove) => remove(models, table.origins[at], &removed, &mut edits)?,
            (None, Request::Remove) => {}
            (None, Request::Set(fields)) => {
                let mut parent = None;
                let mut texts = Vec::new();
                for (column, text) in fields {
                    if Some(column) == upper {
                        parent = text.filter(|text| !text.trim().is_empty());
                    } else if let Some(text) = text {
                        texts.push((columns[column].clone(), text));
                    }
                }
                let above = parent.as_deref().and_then(|parent| position(parent.trim()));
                if above.is_some_and(|at| removed.contains(&table.origins[at])) {
                    return Err(FileError::new(format!("the parent of the new `{id}` is to be removed")));
                }
                new.push(New { id, parent, texts });
            }
        }
    }
    added::edits(models, table, profile, new, &mut edits)?;
    Ok(edits)
}

/// Gives values of an object new texts.
fn set(
    model: &Model,
    object: &Object,
    fields: Vec<(&str, Option<String>)>,
    edits: &mut Edits,
) -> Result<(), FileError> {
    let document = &model.document;
    let p = document.prefix(Document::ROOT);
    let kind = &model.types[object.kind];
    let mut more = Vec::new();
    for (column, text) in fields {
        let Some(place) = kind.attributes.iter().position(|attribute| attribute.column == column) else {
            return Err(FileError::new(format!(
                "objects of the type `{}` have no attribute `{column}`",
                kind.name
            ))
            .hint("add the attribute in the tool that owns the document"));
        };
        let attribute = &kind.attributes[place];
        let old = object.values.iter().find(|(attribute, _)| *attribute == place).map(|(_, node)| *node);
        match (old, text) {
            (None, None) => {}
            (Some(node), None) => edits.replace(with_indent(document, node), ""),
            (None, Some(text)) => {
                let content = value::content(model, attribute, &text)?;
                more.push(value::element(p, attribute.kind, &attribute.id, &content));
            }
            (Some(node), Some(text)) => {
                let content = value::content(model, attribute, &text)?;
                replace(document, attribute, node, &content, edits)?;
            }
        }
    }
    if !more.is_empty() {
        append(document, object.node, "VALUES", &more, edits);
    }
    Ok(())
}

/// Writes a value where there is one. What is not the text itself stays.
fn replace(
    document: &Document,
    attribute: &Attribute,
    node: Id,
    content: &Content,
    edits: &mut Edits,
) -> Result<(), FileError> {
    let formatted = document.child(node, "THE-VALUE");
    if attribute.kind == Kind::Xhtml && formatted.is_some_and(|value| xhtml::is_rich(document, value)) {
        return Err(FileError::new(format!(
            "the text of the column `{}` has a table or an embedded object, which is not overwritten",
            attribute.column
        ))
        .hint("change it in the tool that owns the document"));
    }
    let range = match content {
        Content::Simple(_) => document.attribute_range(node, "THE-VALUE"),
        Content::Formatted(_) => formatted.and_then(|value| document.inner(value)),
        Content::Chosen(_) => document.child(node, "VALUES").and_then(|values| document.inner(values)),
    };
    match range {
        Some(range) => {
            let quote = document.text[..range.start].chars().next_back();
            let (Content::Simple(new) | Content::Formatted(new) | Content::Chosen(new)) = content;
            let single = quote == Some('\'') && matches!(content, Content::Simple(_));
            edits.replace(range, if single { new.replace('\'', "&apos;") } else { new.clone() });
        }
        None => {
            let p = document.prefix(Document::ROOT);
            edits.replace(document.span(node), value::element(p, attribute.kind, &attribute.id, content));
        }
    }
    Ok(())
}

/// Removes an object and its entries of the hierarchy, if nothing else needs it.
fn remove(
    models: &[Model],
    origin: (usize, usize),
    removed: &BTreeSet<(usize, usize)>,
    edits: &mut [Edits],
) -> Result<(), FileError> {
    let model = &models[origin.0];
    let object = &model.objects[origin.1];
    let refuse = |why: &str| {
        let error = FileError::new(format!("the object {why} and is not removed"))
            .at(Spot::Object(object.id.clone()));
        Err(model.part.iter().fold(error, |error, part| error.part(part)))
    };
    let goes = |id: &str| removed.iter().any(|(part, at)| models[*part].objects[*at].id == id);
    for (other, edits) in models.iter().zip(edits.iter_mut()) {
        let linked = |id: &str| id == object.id;
        if other.relations.iter().any(|relation| linked(&relation.source) || linked(&relation.target)) {
            return refuse("has relations");
        }
        for entry in &other.entries {
            let above = entry.above.map(|above| other.entries[above].object.as_str());
            if above == Some(&object.id) && !goes(&entry.object) {
                return refuse("has others below it");
            }
            if entry.object == object.id {
                edits.replace(with_indent(&other.document, entry.node), "");
            }
        }
    }
    edits[origin.0].replace(with_indent(&model.document, object.node), "");
    Ok(())
}

/// Puts elements at the end of a list inside an element; makes the list if it is not there.
pub(super) fn append(document: &Document, holder: Id, list: &str, new: &[String], edits: &mut Edits) {
    let Some(node) = document.child(holder, list) else {
        let p = document.prefix(Document::ROOT);
        let whole = format!("<{p}{list}>{}</{p}{list}>", new.concat());
        return insert(document, holder, &[whole], edits);
    };
    insert(document, node, new, edits);
}

/// Puts elements at the end of an element, each on a line of its own if that is how it is written.
fn insert(document: &Document, node: Id, new: &[String], edits: &mut Edits) {
    let last = document.children(node).last();
    match (last, document.inner(node)) {
        (Some(last), _) => {
            let indent = &document.text[indent(document, last)];
            let end = document.span(last).end;
            let text: String = new.iter().map(|new| format!("{indent}{new}")).collect();
            edits.replace(end..end, text);
        }
        (None, Some(inner)) => edits.replace(inner.end..inner.end, new.concat()),
        (None, None) => {
            let tag = document.text[document.tag(node)].trim_end_matches("/>").trim_end();
            let name = format!("{}{}", document.prefix(node), document.name(node));
            edits.replace(document.span(node), format!("{tag}>{}</{name}>", new.concat()));
        }
    }
}

/// The white space before an element.
fn indent(document: &Document, node: Id) -> std::ops::Range<usize> {
    let start = document.span(node).start;
    document.text[..start].trim_end_matches([' ', '\t', '\n', '\r']).len()..start
}

fn with_indent(document: &Document, node: Id) -> std::ops::Range<usize> {
    indent(document, node).start..document.span(node).end
}
