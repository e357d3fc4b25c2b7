//! Sheets and ReqIF files: one record per requirement, a column for each of its parts.
//!
//! The text of a requirement is a sentence in FRETish or prose. A file may have a column for each of them; otherwise the
//! text column has the sentence if it is one, and prose makes an informal requirement.

use super::merge::{FOREIGN_ID, Incoming, REASON, Received, foreign_id};
use crate::document::is_attribute_name;
use crate::native::Native;
use crate::project::{Analysis, Project};
use crate::reading::Parsed;
use exchange::{Place as Origin, Profile, Record, Records, Role};
use std::collections::BTreeMap;
use syntax::Severity;

/// What a list of records says, for [`merge`](super::merge()). Records without an id are left out, and counted.
pub fn from_records(records: &Records, profile: &Profile) -> (Incoming, usize) {
    let roles: BTreeMap<usize, Role> = Role::ALL
        .into_iter()
        .flat_map(|role| {
            profile.columns(role, &records.columns).into_iter().map(move |column| (column, role))
        })
        .collect();
    let mut incoming = Incoming::default();
    for record in records.records.iter().filter(|record| !record.id.is_empty()) {
        let given = |role: Role| records.value(record, role, profile).map(visible_only);
        let known =
            |role: Role| roles.values().any(|&found| found == role).then(|| given(role).unwrap_or_default());
        let mut received = Received {
            id: record.id.clone(),
            title: known(Role::Title),
            rationale: known(Role::Rationale),
            component: given(Role::Component),
            ..Received::default()
        };
        match (known(Role::Sentence), known(Role::Formal)) {
            (text, Some(formal)) => {
                received.prose = text.filter(|text| !text.is_empty());
                received.sentence = Some(formal);
            }
            (Some(text), None) if text.is_empty() || is_sentence(&text) => received.sentence = Some(text),
            (text, None) => received.prose = text,
        }
        for role in [Role::Parent, Role::Status] {
            received.attributes.extend(known(role).map(|value| (role.name().to_string(), value)));
        }
        for (column, name) in
            records.columns.iter().enumerate().filter(|(column, _)| !roles.contains_key(column))
        {
            let value = record.fields.get(column).cloned().flatten();
            received.attributes.extend(value.map(|value| (attribute_name(name), value)));
        }
        incoming.requirements.push(received);
    }
    let nameless = records.records.len() - incoming.requirements.len();
    (incoming, nameless)
}

/// Whether a text is meant as FRETish: it has no errors, or at least the words that only such a sentence has.
fn is_sentence(text: &str) -> bool {
    let sound = || Parsed::of(text).parse.diagnostics.iter().all(|it| it.severity() != Severity::Error);
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "shall") && words.any(|word| word == "satisfy") || sound()
}

/// A text without the marks of no width that copying from a web page leaves in it.
fn visible_only(text: &str) -> String {
    text.replace(['\u{200b}', '\u{2060}', '\u{feff}'], "")
}

/// Parts of requirements that a file has no column for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwritten {
    /// The part: the name of a role or attribute.
    pub part: String,
    /// The name of the column to add.
    pub column: String,
    /// The ids of the requirements, in their order.
    pub ids: Vec<String>,
}

/// The project as records, and what they have no column for. With a file that is there, only its columns are filled.
pub fn to_records(
    project: &Project,
    analysis: &Analysis,
    file: Option<&Records>,
    profile: &Profile,
) -> (Records, Vec<Unwritten>) {
    let natives: Vec<Native> = project
        .places()
        .map(|place| Native::of(&project.documents[place.document], project.entry(place)))
        .collect();
    let columns = match file {
        Some(file) => file.columns.clone(),
        None => new_columns(&natives, profile),
    };
    let mut roles: BTreeMap<Role, usize> = BTreeMap::new();
    for role in Role::ALL {
        // The first column of a role is the one that is written.
        roles.extend(profile.column(role, &columns).map(|column| (role, column)));
    }
    let old: BTreeMap<&str, &Record> =
        file.iter().flat_map(|file| &file.records).map(|record| (record.id.as_str(), record)).collect();
    let is_twice = |column: usize| columns.iter().filter(|name| **name == columns[column]).count() > 1;
    let mut unwritten: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    let mut records = Vec::new();
    for (native, known) in natives.iter().zip(&analysis.requirements) {
        let id = Some(foreign_id(native)).filter(|id| !id.is_empty()).unwrap_or(&native.id).to_string();
        let before = old.get(id.as_str()).copied();
        let field = |column: usize| before.and_then(|record| record.fields.get(column)?.as_deref());
        let said = |role: Role| roles.get(&role).and_then(|&column| field(column));
        let Texts { text, formal, rationale, rest } =
            texts(native, roles.contains_key(&Role::Formal), said(Role::Sentence), said(Role::Rationale));
        let component = known.component.map(|index| analysis.components[index].name.clone());
        let parts = [
            (Role::Id, Some(id.clone())),
            (Role::Sentence, text),
            (Role::Formal, formal),
            (Role::Title, native.title.clone()),
            (Role::Rationale, rationale),
            (Role::Component, component),
        ];
        let mut fields: Vec<Option<String>> = vec![None; columns.len()];
        let mut place = |column: Option<usize>, part: &str, name: &str, value: Option<String>| {
            let same =
                |column: usize| field(column).unwrap_or_default() == value.as_deref().unwrap_or_default();
            match column {
                Some(column) if !is_twice(column) || same(column) => fields[column] = value,
                _ if value.as_ref().is_some_and(|value| !value.is_empty()) => {
                    let entry = unwritten.entry(part.to_string());
                    entry.or_insert_with(|| (name.to_string(), Vec::new())).1.push(id.clone());
                }
                _ => {}
            }
        };
        for (role, value) in parts {
            let column = roles.get(&role).copied();
            let name =
                profile.chosen(role).unwrap_or(if role == Role::Formal { "FRETish" } else { role.name() });
            // The component is in the sentence too.
            if column.is_some() || role != Role::Component {
                let part = if role == Role::Formal { "FRETish sentence" } else { role.name() };
                place(column, part, name, value);
            }
        }
        for (name, value) in rest {
            let role = [Role::Parent, Role::Status].into_iter().find(|role| role.name() == name);
            let by_name = || {
                let fits = |&column: &usize| attribute_name(&columns[column]) == *name;
                (0..columns.len()).filter(|column| !roles.values().any(|it| it == column)).find(fits)
            };
            let column = role.and_then(|role| roles.get(&role).copied()).or_else(by_name);
            place(column, name, name, Some(value.clone()));
        }
        records.push(Record { id, fields, place: Origin::default() });
    }
    let unwritten = unwritten.into_iter().map(|(part, (column, ids))| Unwritten { part, column, ids });
    (Records { columns, records, links: Vec::new() }, unwritten.collect())
}

/// The columns of a new file: those that the profile names, and one for each attribute.
fn new_columns(natives: &[Native], profile: &Profile) -> Vec<String> {
    let has_both = |native: &Native| native.sentence.is_some() && reason(native).is_some();
    let has_prose_column = natives.iter().any(has_both) || profile.chosen(Role::Formal).is_some();
    let roles = Role::ALL.iter().filter(|role| **role != Role::Formal || has_prose_column);
    let mut all: Vec<String> =
        roles.map(|role| profile.chosen(*role).unwrap_or(role.name()).to_string()).collect();
    let own = [Role::Parent.name(), Role::Status.name(), FOREIGN_ID, REASON];
    for (name, _) in natives.iter().flat_map(|native| &native.attributes) {
        if !own.contains(&name.as_str()) && !all.iter().any(|known| attribute_name(known) == *name) {
            all.push(name.clone());
        }
    }
    all
}

/// What a requirement says, as the columns of a file have it.
struct Texts<'n> {
    text: Option<String>,
    formal: Option<String>,
    rationale: Option<String>,
    /// The attributes that have columns of their own.
    rest: Vec<(&'n String, &'n String)>,
}

/// Prose is the text where the file has prose there, and the rationale of a sentence otherwise.
fn texts<'n>(
    native: &'n Native,
    has_formal: bool,
    old_text: Option<&str>,
    old_reason: Option<&str>,
) -> Texts<'n> {
    let same = |one: &str, other: &str| one.split_whitespace().eq(other.split_whitespace());
    let sentence = native.sentence.as_ref().map(|(_, text)| text.clone());
    let prose = Some(native.rationale.clone()).filter(|text| !text.is_empty());
    let reason = reason(native).cloned();
    let others = native.attributes.iter().filter(|(name, _)| name != FOREIGN_ID && name != REASON);
    let rest = others.map(|(name, value)| (name, value)).collect();
    let was = |old: Option<&str>| {
        prose.as_ref().zip(old).is_some_and(|(prose, old)| same(prose, &visible_only(old)))
    };
    let keeps_prose = match &sentence {
        Some(_) => has_formal || was(old_text) || reason.is_some(),
        None => !(old_text.is_none_or(str::is_empty) && was(old_reason)),
    };
    match keeps_prose {
        true => {
            // A text of the same words stays as it is.
            let text = if was(old_text) { old_text.map(String::from) } else { prose };
            Texts { text, formal: sentence, rationale: reason, rest }
        }
        false => Texts { text: sentence, formal: None, rationale: prose, rest },
    }
}

/// The rationale of a requirement whose prose is something else.
fn reason(native: &Native) -> Option<&String> {
    native.attributes.iter().find(|(name, _)| name == REASON).map(|(_, value)| value)
}

/// The name of a column as a document can hold it.
fn attribute_name(column: &str) -> String {
    if is_attribute_name(column) {
        return column.to_string();
    }
    let plain = |c: char| if c.is_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    let name: String = column.trim().chars().map(plain).collect();
    if name.is_empty() { "column".into() } else { name }
}
