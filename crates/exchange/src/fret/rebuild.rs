//! A FRET project from our documents and the sidecar. The documents win wherever they say something else than the
//! sidecar; what they do not mention any more is gone; what is new gets complete records.

use super::native::attribute_value;
use super::sidecar::{ORDER, same_set};
use super::variable::{kind_word, type_word};
use super::{NativeRequirement, NativeVariable, Project, Requirement, Shape, VariableRecord, ids, mentions};
use requirement::specification::Kind;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Joins documents and sidecar. The sidecar may be missing, old or damaged: what it does not tell is made anew.
pub fn rebuild(
    sidecar: Option<&Value>,
    requirements: &[NativeRequirement],
    variables: &[NativeVariable],
    project_name: &str,
) -> Project {
    let empty = Value::Null;
    let sidecar = sidecar.unwrap_or(&empty);
    let old_name = sidecar["project"].as_str().unwrap_or_default();
    let names =
        Renaming { old: old_name, new: if project_name.is_empty() { old_name } else { project_name } };
    let requirements = ordered(sidecar, requirements, &names);
    let says = |variable: &NativeVariable| {
        variable.kind.is_some()
            || variable.ty.is_some()
            || variable.definition.is_some()
            || !variable.description.is_empty()
    };
    let is_list = sidecar["shape"] == "list" && !variables.iter().any(says);
    if is_list {
        return Project { shape: Shape::List, requirements, variables: Vec::new(), rest: Map::new() };
    }
    let variables = records(sidecar, variables, &Users::of(&requirements), &names);
    let mut rest = sidecar["rest"].as_object().cloned().unwrap_or_default();
    if rest.is_empty() {
        rest.insert("requirements".into(), Value::Null);
        rest.insert("variables".into(), Value::Null);
    }
    Project { shape: Shape::Object, requirements, variables, rest }
}

/// The name of the project, then and now.
struct Renaming<'t> {
    old: &'t str,
    new: &'t str,
}

impl Renaming<'_> {
    fn now<'a>(&'a self, name: &'a str) -> &'a str {
        if name == self.old { self.new } else { name }
    }
}

/// The requirements: those that the sidecar knows in its order, each new one after the one before it.
fn ordered(sidecar: &Value, natives: &[NativeRequirement], names: &Renaming) -> Vec<Requirement> {
    let entries = sidecar["requirements"].as_array().map_or(&[][..], Vec::as_slice);
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let name = entry["name"].as_str().or(entry["reqid"].as_str()).unwrap_or_default();
        places.entry(name).or_insert(index);
    }
    // The first place holds what comes before all known ones.
    let mut groups: Vec<Vec<Requirement>> = Vec::new();
    groups.resize_with(entries.len() + 1, Vec::new);
    let mut group = 0;
    for native in natives {
        let place = places.remove(native.name.as_str());
        let entry = place.map_or(&Value::Null, |place| &entries[place]);
        let made = requirement(entry, native, entry["project"].as_str().unwrap_or(names.new));
        group = place.map_or(group, |place| place + 1);
        groups[group].push(made);
    }
    groups.into_iter().flatten().collect()
}

fn requirement(entry: &Value, native: &NativeRequirement, project: &str) -> Requirement {
    let mut values: Map<String, Value> = Map::new();
    let texts = [
        ("reqid", native.id.as_str()),
        ("parent_reqid", &native.parent),
        ("project", project),
        ("rationale", &native.rationale),
        ("comments", &native.comments),
        ("fulltext", &native.text),
        ("status", &native.status),
    ];
    values.extend(texts.map(|(name, text)| (name.to_string(), text.into())));
    let attributes = native.attributes.iter().filter(|(name, _)| name != "reqid");
    values.extend(attributes.map(|(name, text)| (name.clone(), attribute_value(text))));
    values.insert("semantics".into(), entry["semantics"].as_object().cloned().unwrap_or_default().into());
    let key = entry.get("_id").cloned().unwrap_or_else(|| ids::requirement(project, &native.name).into());
    values.insert("_id".into(), key);
    for (name, exact) in entry["exact"].as_object().into_iter().flatten() {
        if let (Some(Value::String(text)), Some(exact)) = (values.get_mut(name), exact.as_str())
            && same_words(text, exact)
        {
            *text = exact.to_string();
        }
    }
    let order: Vec<&str> = match entry["members"].as_array() {
        Some(order) => order.iter().filter_map(Value::as_str).collect(),
        None => ORDER.to_vec(),
    };
    let absent = |name: &str| match entry["members"].is_array() {
        true => !order.contains(&name),
        false => entry["without"].as_array().is_some_and(|names| names.iter().any(|known| known == name)),
    };
    let mut members = Map::new();
    let rest: Vec<String> = values.keys().filter(|name| !order.contains(&name.as_str())).cloned().collect();
    for name in order.iter().copied().chain(rest.iter().map(String::as_str)) {
        let Some(value) = values.get(name) else { continue };
        // A usual member that was not there stays away until there is something to say.
        let silent = ORDER.contains(&name) && name != "reqid" && absent(name);
        let is_given = native.attributes.iter().any(|(given, _)| given == name);
        let is_empty = *value == "" || name == "_id" || name == "project" && !is_given;
        if !(silent && is_empty) {
            members.insert(name.to_string(), value.clone());
        }
    }
    members.entry("semantics").or_insert_with(|| json!({}));
    Requirement { members }
}

/// Which requirements use which variable: component and name to keys, in the order of the requirements.
pub(super) struct Users(BTreeMap<(String, String), Vec<String>>);

impl Users {
    pub(super) fn of(requirements: &[Requirement]) -> Users {
        let mut users: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for requirement in requirements {
            let key = requirement.members.get("_id").and_then(Value::as_str).unwrap_or_default();
            let Some(found) = mentions(requirement.text()) else { continue };
            for variable in found.variables {
                users.entry((found.component.clone(), variable)).or_default().push(key.to_string());
            }
        }
        Users(users)
    }

    pub(super) fn get(&self, component: &str, variable: &str) -> &[String] {
        self.0.get(&(component.to_string(), variable.to_string())).map_or(&[], Vec::as_slice)
    }
}

fn records(
    sidecar: &Value,
    natives: &[NativeVariable],
    users: &Users,
    names: &Renaming,
) -> Vec<VariableRecord> {
    let mut by_name: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut seen = vec![false; natives.len()];
    for (index, native) in natives.iter().enumerate() {
        let first = *by_name.entry((&native.component, &native.name)).or_insert(index);
        seen[index] = first != index;
    }
    let mut records = Vec::new();
    let known = sidecar["variables"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, members) in known.iter().enumerate() {
        let Some(members) = members.as_object() else { continue };
        let given = VariableRecord { members: members.clone() };
        let project = names.now(given.text("project").unwrap_or(names.old));
        let mut record = given.clone();
        if given.text("project").is_some_and(|name| name != project) {
            record.members.insert("project".into(), project.into());
        }
        if let Some((component, name)) = given.variable() {
            let Some(&at) = by_name.get(&(component, name)) else { continue };
            if std::mem::replace(&mut seen[at], true) {
                // A second record of the same name does not concern the documents.
                records.push(record);
                continue;
            }
            let old_project = given.text("project").unwrap_or_default();
            if given.text("_id") == Some(&*ids::variable(old_project, component, name)) {
                record.members.insert("_id".into(), ids::variable(project, component, name).into());
            }
            change(&mut record, &natives[at]);
            let now = users.get(component, name);
            let then = sidecar["users"].get(index.to_string()).and_then(Value::as_array);
            let unchanged = match then {
                Some(then) => same_set(now, &then.iter().filter_map(Value::as_str).collect::<Vec<_>>()),
                None => same_set(now, &given.requirements()),
            };
            if !unchanged {
                let mut left: BTreeSet<&str> = now.iter().map(String::as_str).collect();
                let mut listed = given.requirements();
                listed.retain(|key| left.remove(key));
                listed.extend(now.iter().map(String::as_str).filter(|key| left.remove(key)));
                record.members.insert("reqs".into(), listed.into());
            }
        }
        records.push(record);
    }
    for (native, _) in natives.iter().zip(seen).filter(|(_, seen)| !seen) {
        records.push(fresh(native, names.new, users.get(&native.component, &native.name)));
    }
    records
}

/// Writes into a record what the document says differently.
fn change(record: &mut VariableRecord, native: &NativeVariable) {
    let mut changes: Vec<(&str, Value)> = Vec::new();
    if record.kind() != native.kind && record.text("idType") != Some(kind_word(native.kind)) {
        changes.push(("idType", kind_word(native.kind).into()));
    }
    if record.ty() != native.ty {
        changes.push(("dataType", type_word(native.ty.as_ref()).into()));
    }
    let definition = native.definition.as_deref().unwrap_or_default();
    if !same_words(record.definition().unwrap_or_default(), definition) {
        let is_mode = native.kind == Some(Kind::Mode);
        changes.push((if is_mode { "modeRequirement" } else { "assignment" }, definition.into()));
        if record.members.contains_key("assignmentVariables") {
            changes.push(("assignmentVariables", names_in(definition).into()));
        }
    }
    if !same_words(record.description(), &native.description) {
        changes.push(("description", native.description.as_str().into()));
    }
    if !changes.is_empty() && record.members.contains_key("completed") {
        changes.push(("completed", is_complete(native).into()));
    }
    record.members.extend(changes.into_iter().map(|(name, value)| (name.to_string(), value)));
}

/// The record of a variable that FRET has not seen.
fn fresh(native: &NativeVariable, project: &str, users: &[String]) -> VariableRecord {
    let definition = native.definition.as_deref().unwrap_or_default();
    let (assignment, mode) =
        if native.kind == Some(Kind::Mode) { ("", definition) } else { (definition, "") };
    let module = if native.kind == Some(Kind::Function) { &*native.name } else { "" };
    let members = [
        ("project", project.into()),
        ("component_name", native.component.as_str().into()),
        ("variable_name", native.name.as_str().into()),
        ("reqs", users.into()),
        ("dataType", type_word(native.ty.as_ref()).into()),
        ("idType", kind_word(native.kind).into()),
        ("moduleName", module.into()),
        ("description", native.description.as_str().into()),
        ("assignment", assignment.into()),
        ("copilotAssignment", "".into()),
        ("modeRequirement", mode.into()),
        ("modeldoc", false.into()),
        ("modeldoc_id", "".into()),
        ("modelComponent", "".into()),
        ("completed", is_complete(native).into()),
        ("_id", ids::variable(project, &native.component, &native.name).into()),
    ];
    VariableRecord {
        members: members.map(|(name, value): (&str, Value)| (name.to_string(), value)).into_iter().collect(),
    }
}

/// Whether enough is known of a variable for FRET's exports.
fn is_complete(native: &NativeVariable) -> bool {
    let is_defined = native.definition.is_some();
    match native.kind {
        None => false,
        Some(Kind::Function) => true,
        Some(Kind::Input | Kind::Output) => native.ty.is_some(),
        Some(Kind::Internal | Kind::Constant) => native.ty.is_some() && is_defined,
        Some(Kind::Mode) => is_defined,
    }
}

/// The names in an expression of Lustre, each once.
fn names_in(text: &str) -> Vec<String> {
    const WORDS: [&str; 15] = [
        "if", "then", "else", "and", "or", "not", "xor", "pre", "true", "false", "div", "mod", "int", "real",
        "bool",
    ];
    let mut names: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !WORDS.contains(&word);
        if is_name && !names.iter().any(|known| known == word) {
            names.push(word.to_string());
        }
    }
    names
}

/// Whether two texts differ in white space only.
fn same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}
