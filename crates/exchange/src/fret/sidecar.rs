//! What of a FRET project has no place in our documents, as one JSON value that is kept beside them: keys, the order of
//! requirements and of members, records of variables and models, unknown members of the file. Whatever is as usual
//! (all members there, in FRET's order) is not recorded.

use super::rebuild::Users;
use super::{Project, Requirement, Standard};
use serde_json::{Map, Value, json};

/// The members of a requirement in the order in which FRET writes them.
pub(super) const ORDER: [&str; 9] =
    ["reqid", "parent_reqid", "project", "rationale", "comments", "fulltext", "status", "semantics", "_id"];

/// The sidecar of a project whose requirements have these names in the documents.
pub fn sidecar(project: &Project, names: &[String]) -> Value {
    let name = project.name();
    let mut names = names.iter().map(String::as_str);
    let requirements: Vec<Value> = (project.requirements.iter())
        .map(|given| entry(given, names.next().unwrap_or(given.id()), name))
        .collect();
    let users = Users::of(&project.requirements);
    // Where FRET's list of users is not what the sentences say, what they say now tells later whether they changed.
    let mut said = Map::new();
    for (index, record) in project.variables.iter().enumerate() {
        let Some((component, variable)) = record.variable() else { continue };
        let found = users.get(component, variable);
        let listed = record.requirements();
        if !same_set(found, &listed) {
            said.insert(index.to_string(), json!(found));
        }
    }
    let records: Vec<Value> = project.variables.iter().map(|record| record.members.clone().into()).collect();
    let mut out = Map::new();
    out.insert("project".into(), name.into());
    out.insert("shape".into(), project.shape.name().into());
    out.insert("rest".into(), project.rest.clone().into());
    out.insert("requirements".into(), requirements.into());
    out.insert("variables".into(), records.into());
    if !said.is_empty() {
        out.insert("users".into(), said.into());
    }
    out.into()
}

/// What is not said elsewhere about a requirement.
fn entry(given: &Requirement, name: &str, project: &str) -> Value {
    let mut out = Map::new();
    out.insert("reqid".into(), given.id().into());
    if name != given.id() {
        out.insert("name".into(), name.into());
    }
    if let Some(other) = given.members.get("project").filter(|other| **other != *project) {
        out.insert("project".into(), other.clone());
    }
    if let Some(key) = given.members.get("_id") {
        out.insert("_id".into(), key.clone());
    }
    let names: Vec<&str> = given.members.keys().map(String::as_str).collect();
    let usual = ORDER.into_iter().filter(|name| names.contains(name));
    let unusual = names.iter().copied().filter(|name| !ORDER.contains(name));
    if usual.chain(unusual).eq(names.iter().copied()) {
        let without: Vec<&str> = ORDER.into_iter().filter(|name| !names.contains(name)).collect();
        if !without.is_empty() {
            out.insert("without".into(), without.into());
        }
    } else {
        out.insert("members".into(), names.into());
    }
    // Documents may change white space; a text that says the same words comes back as it was.
    let exact = given.members.iter().filter_map(|(name, value)| {
        let text = value.as_str()?;
        let reflowed = text.split_whitespace().collect::<Vec<_>>().join(" ") != text;
        let is_key = [Standard::ReqId.name(), Standard::Key.name()].contains(&name.as_str());
        (reflowed && !is_key).then(|| (name.clone(), value.clone()))
    });
    let exact: Map<String, Value> = exact.collect();
    if !exact.is_empty() {
        out.insert("exact".into(), exact.into());
    }
    if let Some(Value::Object(semantics)) = given.members.get("semantics").filter(|rest| **rest != json!({}))
    {
        out.insert("semantics".into(), semantics.clone().into());
    }
    out.into()
}

/// Whether both have the same entries, in any order.
pub(super) fn same_set(found: &[String], listed: &[&str]) -> bool {
    let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
    let mut listed = listed.to_vec();
    found.sort_unstable();
    listed.sort_unstable();
    found == listed
}
