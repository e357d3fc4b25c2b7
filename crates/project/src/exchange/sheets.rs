//! Sheets and ReqIF files: one record per requirement, a column for each of its parts.

use super::merge::{FOREIGN_ID, Incoming, Received, foreign_id};
use crate::document::is_attribute_name;
use crate::native::Native;
use crate::project::{Analysis, Project};
use exchange::{Place as Origin, Profile, Record, Records, Role};
use std::collections::BTreeMap;

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
        let given = |role: Role| records.value(record, role, profile).map(str::to_string);
        let known =
            |role: Role| roles.values().any(|&found| found == role).then(|| given(role).unwrap_or_default());
        let mut received = Received {
            id: record.id.clone(),
            title: known(Role::Title),
            sentence: known(Role::Sentence),
            rationale: known(Role::Rationale),
            component: given(Role::Component),
            attributes: Vec::new(),
        };
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

/// The project as records. With the columns of a file that is there, only those are filled.
pub fn to_records(
    project: &Project,
    analysis: &Analysis,
    columns: Option<&[String]>,
    profile: &Profile,
) -> Records {
    let natives: Vec<Native> = project
        .places()
        .map(|place| Native::of(&project.documents[place.document], project.entry(place)))
        .collect();
    let columns: Vec<String> = match columns {
        Some(columns) => columns.to_vec(),
        None => {
            let mut all: Vec<String> = Role::ALL.iter().map(|role| role.name().to_string()).collect();
            for (name, _) in natives.iter().flat_map(|native| &native.attributes) {
                if !all.contains(name) && name != FOREIGN_ID {
                    all.push(name.clone());
                }
            }
            all
        }
    };
    let mut roles: BTreeMap<usize, Role> = BTreeMap::new();
    for role in Role::ALL {
        // The first column of a role is the one that is written.
        if let Some(column) = profile.column(role, &columns) {
            roles.insert(column, role);
        }
    }
    let records = natives
        .iter()
        .zip(&analysis.requirements)
        .map(|(native, known)| {
            let component = known.component.map(|index| analysis.components[index].name.clone());
            let fields = columns.iter().enumerate().map(|(column, name)| match roles.get(&column) {
                Some(Role::Id) => Some(foreign_id(native).to_string()),
                Some(Role::Sentence) => native.sentence.as_ref().map(|(_, text)| text.clone()),
                Some(Role::Title) => native.title.clone(),
                Some(Role::Rationale) => Some(native.rationale.clone()).filter(|text| !text.is_empty()),
                Some(Role::Component) => component.clone(),
                Some(role @ (Role::Parent | Role::Status)) => attribute(native, role.name()),
                None => attribute(native, &attribute_name(name)),
            });
            Record { id: foreign_id(native).to_string(), fields: fields.collect(), place: Origin::default() }
        })
        .collect();
    Records { columns, records, links: Vec::new() }
}

fn attribute(native: &Native, name: &str) -> Option<String> {
    native.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
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
