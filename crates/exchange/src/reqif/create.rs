//! A new ReqIF document from records: one type of object, one specification, relations for links.
//!
//! Columns become attributes with their names as long names: formatted text (XHTML) for the sentence and the rationale,
//! strings for the rest. The column of the parent becomes the hierarchy.

use super::added::{MAX_LEVELS, NO_TIME, derived, entry_head, entry_text};
use super::model::{Kind, XHTML};
use super::value::{self, Content};
use super::{PARENT, xhtml};
use crate::FileError;
use crate::Profile;
use crate::Records;
use crate::Role;
use crate::xml::{escape_attribute, escape_text};
use base::names::Taken;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What a new document says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The title of the document and of its specification.
    pub title: String,
    /// The time of creation and change, as in `2024-05-01T12:30:00Z`. The clock is not read here.
    pub time: String,
}

impl Default for Head {
    fn default() -> Head {
        Head { title: "Requirements".to_owned(), time: NO_TIME.to_owned() }
    }
}

/// Writes a document. Parents and ends of links must be among the records.
pub fn write(records: &Records, profile: &Profile, head: &Head) -> Result<Vec<u8>, FileError> {
    profile.id_column(&records.columns)?;
    let mut names = BTreeSet::new();
    for name in &records.columns {
        value::check(name, "the name of a column")?;
        if !names.insert(name) {
            return Err(FileError::new(format!("two columns are called `{name}`")));
        }
    }
    value::check(&head.title, "the title")?;
    value::check(&head.time, "the time")?;
    let by_hierarchy = || records.columns.iter().position(|column| column == PARENT);
    let parent = profile.column(Role::Parent, &records.columns).or_else(by_hierarchy);
    let kind = |column: usize| match profile.columns(Role::Sentence, &records.columns).contains(&column)
        || profile.columns(Role::Rationale, &records.columns).contains(&column)
    {
        true => Kind::Xhtml,
        false => Kind::String,
    };
    let attributes: Vec<(usize, Kind)> = (0..records.columns.len())
        .filter(|column| Some(*column) != parent)
        .map(|column| (column, kind(column)))
        .collect();
    let mut taken = Taken::default();
    let objects: Vec<String> = (records.records.iter().enumerate())
        .map(|(at, record)| match record.id.as_str() {
            "" => derived("record", &(at + 1).to_string(), &mut taken),
            id => derived("object", id, &mut taken),
        })
        .collect();
    let entries: Vec<String> = objects.iter().map(|id| derived("entry", id, &mut taken)).collect();
    let time = escape_attribute(&head.time);
    let mut text = header(head);
    text.push_str(&types(records, &attributes, &time)?);
    text.push_str("      <SPEC-OBJECTS>\n");
    for (record, id) in records.records.iter().zip(&objects) {
        let mut values = String::new();
        for (column, kind) in &attributes {
            let Some(field) = record.fields.get(*column).and_then(Option::as_deref) else { continue };
            value::check(field, &records.columns[*column])
                .map_err(|error| FileError { place: record.place.clone(), ..error })?;
            let content = match kind {
                Kind::Xhtml => Content::Formatted(xhtml::markup(field, Some("xhtml:"))),
                _ => Content::Simple(escape_attribute(field)),
            };
            let _ = write!(
                values,
                "\n            {}",
                value::element("", *kind, &format!("attribute-{column}"), &content)
            );
        }
        let _ = write!(
            text,
            "        <SPEC-OBJECT IDENTIFIER=\"{id}\" LAST-CHANGE=\"{time}\">\n          <VALUES>{values}</VALUES>\n          \
             <TYPE><SPEC-OBJECT-TYPE-REF>type-requirement</SPEC-OBJECT-TYPE-REF></TYPE>\n        </SPEC-OBJECT>\n"
        );
    }
    text.push_str("      </SPEC-OBJECTS>\n");
    text.push_str(&relations(records, &objects, &time)?);
    let _ = write!(
        text,
        "      <SPECIFICATIONS>\n        <SPECIFICATION IDENTIFIER=\"specification\" LAST-CHANGE=\"{time}\" LONG-NAME=\"{}\">\n          \
         <TYPE><SPECIFICATION-TYPE-REF>type-specification</SPECIFICATION-TYPE-REF></TYPE>\n          \
         <CHILDREN>{}</CHILDREN>\n        </SPECIFICATION>\n      </SPECIFICATIONS>\n",
        escape_attribute(&head.title),
        hierarchy(records, parent, |at, below| {
            entry_text("", &entry_head("", &entries[at], &objects[at], &head.time), below)
        })?,
    );
    text.push_str("    </REQ-IF-CONTENT>\n  </CORE-CONTENT>\n</REQ-IF>\n");
    Ok(text.into_bytes())
}

fn header(head: &Head) -> String {
    let (time, title) = (escape_text(&head.time), escape_text(&head.title));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <REQ-IF xmlns=\"http://www.omg.org/spec/ReqIF/20110401/reqif.xsd\" xmlns:xhtml=\"{XHTML}\">\n  \
         <THE-HEADER>\n    <REQ-IF-HEADER IDENTIFIER=\"header\">\n      <CREATION-TIME>{time}</CREATION-TIME>\n      \
         <REQ-IF-TOOL-ID>shall</REQ-IF-TOOL-ID>\n      <REQ-IF-VERSION>1.0</REQ-IF-VERSION>\n      \
         <SOURCE-TOOL-ID>shall</SOURCE-TOOL-ID>\n      <TITLE>{title}</TITLE>\n    </REQ-IF-HEADER>\n  </THE-HEADER>\n  \
         <CORE-CONTENT>\n    <REQ-IF-CONTENT>\n"
    )
}

/// Datatypes and types; a type of relation for each kind of link.
fn types(records: &Records, attributes: &[(usize, Kind)], time: &str) -> Result<String, FileError> {
    let mut text = format!(
        "      <DATATYPES>\n        \
         <DATATYPE-DEFINITION-STRING IDENTIFIER=\"datatype-STRING\" LAST-CHANGE=\"{time}\" LONG-NAME=\"String\" MAX-LENGTH=\"2147483647\"/>\n        \
         <DATATYPE-DEFINITION-XHTML IDENTIFIER=\"datatype-XHTML\" LAST-CHANGE=\"{time}\" LONG-NAME=\"XHTML\"/>\n      \
         </DATATYPES>\n      <SPEC-TYPES>\n        \
         <SPEC-OBJECT-TYPE IDENTIFIER=\"type-requirement\" LAST-CHANGE=\"{time}\" LONG-NAME=\"Requirement\">\n          \
         <SPEC-ATTRIBUTES>\n"
    );
    for (column, kind) in attributes {
        let (word, name) = (kind.word(), escape_attribute(&records.columns[*column]));
        let _ = writeln!(
            text,
            "            <ATTRIBUTE-DEFINITION-{word} IDENTIFIER=\"attribute-{column}\" LAST-CHANGE=\"{time}\" LONG-NAME=\"{name}\">\
             <TYPE><DATATYPE-DEFINITION-{word}-REF>datatype-{word}</DATATYPE-DEFINITION-{word}-REF></TYPE>\
             </ATTRIBUTE-DEFINITION-{word}>"
        );
    }
    text.push_str("          </SPEC-ATTRIBUTES>\n        </SPEC-OBJECT-TYPE>\n");
    let _ = writeln!(
        text,
        "        <SPECIFICATION-TYPE IDENTIFIER=\"type-specification\" LAST-CHANGE=\"{time}\" LONG-NAME=\"Specification\"/>"
    );
    for (number, kind) in kinds(records).iter().enumerate() {
        value::check(kind, "the kind of a link")?;
        let _ = writeln!(
            text,
            "        <SPEC-RELATION-TYPE IDENTIFIER=\"type-relation-{number}\" LAST-CHANGE=\"{time}\" LONG-NAME=\"{}\"/>",
            escape_attribute(kind)
        );
    }
    Ok(text + "      </SPEC-TYPES>\n")
}

/// The kinds of links, each once.
fn kinds(records: &Records) -> BTreeSet<&str> {
    records.links.iter().map(|link| link.kind.as_str()).collect()
}

fn relations(records: &Records, objects: &[String], time: &str) -> Result<String, FileError> {
    if records.links.is_empty() {
        return Ok(String::new());
    }
    let ids = first_by_id(records);
    let find = |id: &str| {
        ids.get(id)
            .map(|at| &objects[*at])
            .ok_or_else(|| FileError::new(format!("a link names `{id}`, which is not a record")))
    };
    let kinds: BTreeMap<&str, usize> =
        kinds(records).into_iter().enumerate().map(|(at, kind)| (kind, at)).collect();
    let mut text = "      <SPEC-RELATIONS>\n".to_owned();
    for (number, link) in records.links.iter().enumerate() {
        let (source, target) = (find(&link.from)?, find(&link.to)?);
        let kind = kinds.get(link.kind.as_str()).copied().unwrap_or_default();
        let _ = writeln!(
            text,
            "        <SPEC-RELATION IDENTIFIER=\"relation-{number}\" LAST-CHANGE=\"{time}\">\
             <SOURCE><SPEC-OBJECT-REF>{source}</SPEC-OBJECT-REF></SOURCE><TARGET><SPEC-OBJECT-REF>{target}</SPEC-OBJECT-REF></TARGET>\
             <TYPE><SPEC-RELATION-TYPE-REF>type-relation-{kind}</SPEC-RELATION-TYPE-REF></TYPE></SPEC-RELATION>"
        );
    }
    Ok(text + "      </SPEC-RELATIONS>\n")
}

fn first_by_id(records: &Records) -> BTreeMap<&str, usize> {
    records.records.iter().enumerate().rev().map(|(at, record)| (record.id.as_str(), at)).collect()
}

/// The entries of the hierarchy, parents around their children.
fn hierarchy(
    records: &Records,
    parent: Option<usize>,
    entry: impl Fn(usize, &[String]) -> String,
) -> Result<String, FileError> {
    let ids = first_by_id(records);
    let mut uppers = Vec::with_capacity(records.records.len());
    for record in &records.records {
        let name = parent.and_then(|column| record.fields.get(column)?.as_deref()).map(str::trim);
        uppers.push(match name.filter(|name| !name.is_empty()) {
            None => None,
            Some(name) => Some(*ids.get(name).ok_or_else(|| {
                let message = format!("the parent `{name}` of `{}` is not a record", record.id);
                FileError { place: record.place.clone(), ..FileError::new(message) }
            })?),
        });
    }
    let mut levels = Vec::with_capacity(records.records.len());
    for (at, record) in records.records.iter().enumerate() {
        let level = std::iter::successors(Some(at), |at| uppers[*at]).take(MAX_LEVELS + 1).count();
        if level > MAX_LEVELS {
            let message = format!("`{}` is its own parent, or more than {MAX_LEVELS} levels deep", record.id);
            return Err(FileError { place: record.place.clone(), ..FileError::new(message) });
        }
        levels.push((level, at));
    }
    // Deep ones first: each is complete when its turn comes, and is put into its parent.
    levels.sort_unstable_by(|one, other| other.cmp(one));
    let mut inside: Vec<Vec<String>> = vec![Vec::new(); records.records.len()];
    let mut top = Vec::new();
    for (_, at) in levels {
        inside[at].reverse();
        let text = entry(at, &std::mem::take(&mut inside[at]));
        match uppers[at] {
            Some(upper) => inside[upper].push(text),
            None => top.push(text),
        }
    }
    top.reverse();
    Ok(top.iter().map(|entry| format!("\n            {entry}")).collect())
}
