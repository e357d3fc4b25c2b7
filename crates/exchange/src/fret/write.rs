//! A project as text, in the layout FRET gives its files: four spaces per level, members in their order.

use super::semantics::semantics_of;
use super::{Project, Shape};
use logic::Sort;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The project as JSON; `semantics` is computed from the sentences.
pub fn write(project: &Project) -> String {
    let typed = project.variables.iter().filter_map(|record| Some((record.variable()?, record.ty()?.sort())));
    let sorts: BTreeMap<(&str, &str), Sort> = typed.collect();
    let requirements = project.requirements.iter().map(|requirement| {
        let mut members = requirement.members.clone();
        if let Some(Value::Object(rest)) = members.get("semantics") {
            let declared = |component: &str, name: &str| sorts.get(&(component, name)).copied();
            let mut computed = semantics_of(requirement.text(), &declared);
            computed.extend(rest.clone());
            members.insert("semantics".into(), Value::Object(computed));
        }
        Value::Object(members)
    });
    let requirements = Value::Array(requirements.collect());
    let value = match project.shape {
        Shape::List => requirements,
        Shape::Object => {
            let mut top = project.rest.clone();
            top.insert("requirements".into(), requirements);
            if top.contains_key("variables") || !project.variables.is_empty() {
                let records = project.variables.iter().map(|record| Value::Object(record.members.clone()));
                top.insert("variables".into(), Value::Array(records.collect()));
            }
            Value::Object(top)
        }
    };
    let mut out = String::new();
    pretty(&value, 0, &mut out);
    out.push('\n');
    out
}

/// Values come from a parser that limits how deep they are.
fn pretty(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            enclosed(items.iter(), ['[', ']'], depth, out, |item, out| pretty(item, depth + 1, out));
        }
        Value::Object(members) if !members.is_empty() => object(members, depth, out),
        // The short form of a value without parts is JSON as it is.
        _ => out.push_str(&value.to_string()),
    }
}

fn object(members: &Map<String, Value>, depth: usize, out: &mut String) {
    enclosed(members.iter(), ['{', '}'], depth, out, |(name, value), out| {
        out.push_str(&Value::from(name.as_str()).to_string());
        out.push_str(": ");
        pretty(value, depth + 1, out);
    });
}

fn enclosed<T>(
    parts: impl Iterator<Item = T>,
    [open, close]: [char; 2],
    depth: usize,
    out: &mut String,
    mut each: impl FnMut(T, &mut String),
) {
    out.push(open);
    for (index, part) in parts.enumerate() {
        out.push_str(if index > 0 { ",\n" } else { "\n" });
        out.push_str(&"    ".repeat(depth + 1));
        each(part, out);
    }
    out.push('\n');
    out.push_str(&"    ".repeat(depth));
    out.push(close);
}
