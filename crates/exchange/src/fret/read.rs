//! Bytes to projects. What cannot be kept is an error with its place; what is merely odd is kept, with a warning.

use super::layout::{Lines, layout};
use super::semantics::SEMANTICS;
use super::{Project, Reading, Requirement, Shape, Standard, VariableRecord};
use crate::{FileError, Limits, Spot};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Reads a file of FRET.
///
/// # Errors
/// If the bytes are not JSON in UTF-8 or exceed the limits, if neither shape fits, if an entry of a list is not an object, or
/// if a requirement has no member `reqid` with a text. An id that is empty or that of another one is odd, no more.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Reading, FileError> {
    if bytes.len() as u64 > limits.total {
        let message = format!("the file has {} bytes, more than {}", bytes.len(), limits.total);
        return Err(FileError::new(message).hint("split it, or raise the limit"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let spot = Lines::of(bytes).spot(error.valid_up_to());
        FileError::new("the file is not UTF-8").at(spot).hint("save it in the encoding UTF-8")
    })?;
    let value: Value = serde_json::from_str(text)
        .map_err(|error| crate::not_json(&error).hint("export the project from FRET again"))?;
    let mut reader = Reader { lines: Lines::of(bytes), limits, warnings: Vec::new() };
    let found = layout(text);
    for (at, name) in &found.repeated {
        let message = format!("the member `{name}` appears twice in one object");
        reader.warn(*at, message, "only the last is kept; remove the other");
    }
    let (shape, mut rest) = match value {
        Value::Array(requirements) => {
            (Shape::List, Map::from_iter([("requirements".into(), Value::Array(requirements))]))
        }
        Value::Object(members) => (Shape::Object, members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let hint = "give a list of requirements, or an object with `requirements` and `variables`";
            return Err(FileError::new("this is not a FRET project").at(Spot::Line(1, 1)).hint(hint));
        }
    };
    if !rest.contains_key("requirements") {
        let hint = "give a list of requirements, or an object with `requirements` and `variables`";
        return Err(FileError::new("the object has no member `requirements`")
            .at(Spot::Line(1, 1))
            .hint(hint));
    }
    let requirements = reader.list(&mut rest, "requirements", &found.requirements)?;
    let requirements = reader.requirements(requirements, &found.requirements)?;
    let records = reader.list(&mut rest, "variables", &found.variables)?;
    let variables = reader.variables(records, &found.variables);
    if shape == Shape::List {
        rest.clear();
    }
    let project = Project { shape, requirements, variables, rest };
    reader.warnings.sort_by_key(|(at, _)| *at);
    let warnings = reader.warnings.into_iter().map(|(_, warning)| warning).collect();
    Ok(Reading { project, warnings })
}

struct Reader {
    lines: Lines,
    limits: Limits,
    /// With the bytes that they are about.
    warnings: Vec<(usize, FileError)>,
}

impl Reader {
    fn warn(&mut self, at: usize, message: String, hint: &str) {
        self.warnings.push((at, self.error(at, message, hint)));
    }

    /// The objects of a list; null is left in its place.
    fn list(
        &self,
        rest: &mut Map<String, Value>,
        name: &str,
        places: &[usize],
    ) -> Result<Vec<Map<String, Value>>, FileError> {
        let at = |index: usize| places.get(index).copied().unwrap_or_default();
        let items = match rest.get_mut(name).map(Value::take) {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) => items,
            Some(_) => {
                let message = format!("the member `{name}` is not a list");
                return Err(self.error(0, message, "make it a list of objects"));
            }
        };
        if items.len() > self.limits.nodes {
            let message = format!("`{name}` has {} entries, more than {}", items.len(), self.limits.nodes);
            return Err(self.error(at(0), message, "split the file, or raise the limit"));
        }
        let objects = items.into_iter().enumerate().map(|(index, item)| match item {
            Value::Object(members) => Ok(members),
            _ => {
                let message = format!("entry {} of `{name}` is not an object", index + 1);
                Err(self.error(at(index), message, "remove it, or make it an object"))
            }
        });
        objects.collect()
    }

    fn requirements(
        &mut self,
        items: Vec<Map<String, Value>>,
        places: &[usize],
    ) -> Result<Vec<Requirement>, FileError> {
        let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
        let mut requirements = Vec::with_capacity(items.len());
        let mut nameless = Vec::new();
        for (index, mut members) in items.into_iter().enumerate() {
            let at = places.get(index).copied().unwrap_or_default();
            let Some(id) = members.get("reqid").and_then(Value::as_str) else {
                let message = format!("requirement {} has no id", index + 1);
                return Err(self.error(at, message, "give it a text as `reqid`"));
            };
            let id = id.to_string();
            let project = members.get("project").and_then(Value::as_str).unwrap_or_default();
            let first = *seen.entry((project.to_string(), id.clone())).or_insert(index);
            if id.is_empty() {
                nameless.push(at);
            } else if first != index {
                let message = format!("requirements {} and {} have the same id `{id}`", first + 1, index + 1);
                self.warn(at, message, "its heading gets a number; rename one of them in FRET");
            }
            for member in Standard::ALL {
                if members.get(member.name()).is_some_and(|value| !value.is_string()) {
                    let message = format!("`{}` of `{id}` is not a text", member.name());
                    self.warn(at, message, "it is kept as it is");
                }
            }
            if !members.contains_key("fulltext") {
                self.warn(at, format!("`{id}` has no `fulltext`"), "write its sentence");
            }
            // The place of the computed members, with those that are not computed.
            match members.get_mut("semantics") {
                Some(Value::Object(semantics)) => {
                    semantics.retain(|name, _| !SEMANTICS.contains(&name.as_str()))
                }
                Some(other) => {
                    if !other.is_null() {
                        let message = format!("`semantics` of `{id}` is not an object");
                        self.warn(at, message, "it is replaced with the meaning of the sentence");
                    }
                    members.insert("semantics".into(), Value::Object(Map::new()));
                }
                None => _ = members.insert("semantics".into(), Value::Object(Map::new())),
            }
            requirements.push(Requirement { members });
        }
        if let Some(&first) = nameless.first() {
            let hint = "the headings are `unnamed_1` and so on; name them in FRET";
            self.warn(first, format!("{} an empty id", has(nameless.len())), hint);
        }
        Ok(requirements)
    }

    fn variables(&mut self, items: Vec<Map<String, Value>>, places: &[usize]) -> Vec<VariableRecord> {
        let mut records = Vec::with_capacity(items.len());
        for (index, members) in items.into_iter().enumerate() {
            let record = VariableRecord { members };
            let at = places.get(index).copied().unwrap_or_default();
            if let (Some((_, name)), Some(oddity)) = (record.variable(), record.oddity()) {
                let message = format!("{oddity} of the variable `{name}` is not known");
                self.warn(at, message, "it is kept as it is");
            }
            records.push(record);
        }
        records
    }

    fn error(&self, at: usize, message: String, hint: &str) -> FileError {
        FileError::new(message).at(self.lines.spot(at)).hint(hint)
    }
}

/// So many requirements, and the verb.
fn has(count: usize) -> String {
    format!("{} {}", base::counted(count, "requirement"), if count == 1 { "has" } else { "have" })
}
