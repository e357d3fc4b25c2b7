//! What of a FRET project has a place in our documents: requirements with their texts and attributes, variables with
//! kind, type, definition and description. The rest is in the sidecar.

use super::{Project, Requirement, Standard, VariableRecord};
use crate::Limits;
use requirement::specification::{Kind, Type};
use serde_json::Value;

/// A project as documents see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The name of the project.
    pub name: String,
    /// Its requirements, in their order.
    pub requirements: Vec<NativeRequirement>,
    /// Its variables, in their order; each name once per component.
    pub variables: Vec<NativeVariable>,
}

/// A requirement as documents see it. Where a text is empty, nothing is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NativeRequirement {
    /// Its id in FRET, which may be empty, or that of another one.
    pub id: String,
    /// Its id in the documents, which no other one has.
    pub name: String,
    /// The sentence.
    pub text: String,
    /// Why it is there.
    pub rationale: String,
    /// The id of the requirement above it.
    pub parent: String,
    /// What is said about it.
    pub comments: String,
    /// How far it is.
    pub status: String,
    /// Everything else, as name and text (see [`attribute_text`]), in order.
    pub attributes: Vec<(String, String)>,
}

/// A variable as documents see it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NativeVariable {
    /// Its component.
    pub component: String,
    /// Its name.
    pub name: String,
    /// Who decides its value, if that is known.
    pub kind: Option<Kind>,
    /// Its values, if they are known.
    pub ty: Option<Type>,
    /// The expression that defines it, as written; FRET has Lustre here.
    pub definition: Option<String>,
    /// What it stands for.
    pub description: String,
}

/// The parts of a project that have a place in documents.
pub fn parts(project: &Project) -> Parts {
    let mut variables: Vec<NativeVariable> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for record in &project.variables {
        if let Some(variable) = variable(record)
            && seen.insert((variable.component.clone(), variable.name.clone()))
        {
            variables.push(variable);
        }
    }
    let requirements = project.requirements.iter().map(requirement).collect();
    Parts { name: project.name().to_string(), requirements, variables }
}

fn requirement(given: &Requirement) -> NativeRequirement {
    let text = |member| given.get(member).unwrap_or_default().to_string();
    let own = [Standard::ReqId.name(), Standard::Key.name(), "semantics"];
    let standard = |name: &str| Standard::ALL.iter().any(|member| member.name() == name);
    // A standard member that is not a text has no field and becomes an attribute.
    let others = given
        .members
        .iter()
        .filter(|(name, value)| !(own.contains(&name.as_str()) || value.is_string() && standard(name)));
    NativeRequirement {
        id: text(Standard::ReqId),
        name: text(Standard::ReqId),
        text: text(Standard::FullText),
        rationale: text(Standard::Rationale),
        parent: text(Standard::Parent),
        comments: text(Standard::Comments),
        status: text(Standard::Status),
        attributes: others.map(|(name, value)| (name.clone(), attribute_text(value))).collect(),
    }
}

fn variable(record: &VariableRecord) -> Option<NativeVariable> {
    let (component, name) = record.variable()?;
    Some(native(record, component, name))
}

fn native(record: &VariableRecord, component: &str, name: &str) -> NativeVariable {
    NativeVariable {
        component: component.to_string(),
        name: name.to_string(),
        kind: record.kind(),
        ty: record.ty(),
        definition: record.definition().map(str::to_string),
        description: record.description().to_string(),
    }
}

/// The variables of a file that is a list of variables alone, as FRET writes it beside a list of requirements; `None` if the file is
/// anything else. A variable that names no component has an empty one.
pub fn variable_list(bytes: &[u8], limits: Limits) -> Option<Vec<NativeVariable>> {
    if bytes.len() as u64 > limits.total {
        return None;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let Ok(Value::Array(items)) = serde_json::from_slice(bytes) else { return None };
    if items.is_empty() || items.len() > limits.nodes {
        return None;
    }
    let record = |item| match item {
        Value::Object(members) if members.contains_key("variable_name") && !members.contains_key("reqid") => {
            Some(VariableRecord { members })
        }
        _ => None,
    };
    let records: Option<Vec<VariableRecord>> = items.into_iter().map(record).collect();
    let alone = |it: &VariableRecord| {
        let component = it.variable().map_or("", |it| it.0);
        Some(native(it, component, it.name()?))
    };
    Some(records?.iter().filter_map(alone).collect())
}

/// A value as the text of an attribute: a text as it is, anything else as JSON. A text that would be taken for JSON, or
/// that a line of a document would not keep, is quoted as in JSON.
pub fn attribute_text(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        _ => value.to_string(),
    }
}

/// The value that [`attribute_text`] made the text of.
pub fn attribute_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) if text.trim().len() == text.len() => value,
        _ => Value::from(text),
    }
}

fn is_plain(text: &str) -> bool {
    let odd = |c: char| c.is_control() && c != '\n';
    text.trim().len() == text.len()
        && !text.starts_with('"')
        && !text.contains(odd)
        && serde_json::from_str::<Value>(text).is_err()
}
