//! The proposals themselves: variables, functions, words, and what other documents of the project say.

use super::{Item, ItemKind};
use crate::assist::hover::signature;
use crate::assist::templates::TEMPLATES;
use crate::assist::words::{FUNCTIONS, about};
use crate::component::{Component, Symbol};
use crate::document::ROLE;
use crate::project::Project;
use requirement::specification::{ContractRole, Kind, Type};
use std::collections::BTreeSet;
use syntax::Phrases;

/// A longer value of an attribute is prose.
const LONGEST_VALUE: usize = 40;

pub(super) fn item(label: impl Into<String>, kind: ItemKind, detail: impl Into<String>, rank: u8) -> Item {
    let label = label.into();
    let insert = label.clone();
    Item { label, kind, detail: detail.into(), about: String::new(), insert, snippet: false, rank }
}

/// A word or phrase of the language.
pub(super) fn word(text: &str, rank: u8) -> Item {
    let first = text.split_whitespace().next().unwrap_or_default();
    Item { about: about(first).unwrap_or_default(), ..item(text, ItemKind::Keyword, "", rank) }
}

pub(super) fn words<'t>(all: &'t [&'t str], rank: u8) -> impl Iterator<Item = Item> + 't {
    all.iter().map(move |text| word(text, rank))
}

pub(super) fn variable(symbol: &Symbol, rank: u8) -> Item {
    let name = &symbol.variable.name;
    let detail = match symbol.declaration {
        Some(_) => signature(symbol),
        None => format!("{} (inferred)", signature(symbol)),
    };
    let kind = if symbol.variable.kind == Kind::Function { ItemKind::Function } else { ItemKind::Variable };
    let about = symbol.variable.description.clone();
    Item { insert: spelled(name), about, ..item(name, kind, detail, rank) }
}

/// The phrase of a variable.
pub(super) fn phrase(symbol: &Symbol, rank: u8) -> Option<Item> {
    let phrase = symbol.variable.phrase.as_deref().filter(|phrase| Phrases::words(phrase).is_ok())?;
    let detail = format!("{}: {}", symbol.variable.name, signature(symbol));
    let about = symbol.variable.description.clone();
    Some(Item { about, ..item(phrase, ItemKind::Variable, detail, rank) })
}

/// What is missing of the phrase of a variable, where a text ends with its first words.
pub(super) fn rest_of_phrase(symbol: &Symbol, before: &str, rank: u8) -> Option<Item> {
    let whole = phrase(symbol, rank)?;
    let words: Vec<&str> = whole.label.split_whitespace().collect();
    let behind: Vec<&str> = before.split_whitespace().rev().take(words.len()).collect();
    let same = |begun: usize| {
        let written = behind.get(..begun).into_iter().flatten().rev();
        behind.len() >= begun
            && written.zip(&words).all(|(one, other)| one.to_lowercase() == other.to_lowercase())
    };
    let begun = (1..words.len()).rev().find(|&begun| same(begun))?;
    let rest = words[begun..].join(" ");
    Some(Item {
        insert: rest.clone(),
        label: rest,
        detail: format!("{}, {}", whole.label, whole.detail),
        ..whole
    })
}

/// A name as a sentence writes it: in quotes if it is not a plain name.
fn spelled(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || "_.%".contains(c))
        && !name.starts_with(|c: char| c.is_numeric() || c == '.');
    if plain { name.to_string() } else { format!("\"{name}\"") }
}

/// The values of an enumeration.
pub(super) fn values(symbol: &Symbol, rank: u8) -> Vec<Item> {
    let Type::Enum(names) = &symbol.variable.ty else { return Vec::new() };
    let detail = format!("value of {}", symbol.variable.name);
    names.iter().map(|name| item(name, ItemKind::Value, &detail, rank)).collect()
}

pub(super) fn functions(rank: u8) -> impl Iterator<Item = Item> {
    FUNCTIONS.iter().map(move |known| Item {
        insert: format!("{}{}", known.name, known.snippet),
        snippet: !known.snippet.is_empty(),
        about: known.about.to_string(),
        ..item(known.name, ItemKind::Function, format!("{}{}", known.name, known.parameters), rank)
    })
}

pub(super) fn templates(rank: u8) -> impl Iterator<Item = Item> {
    TEMPLATES.iter().map(move |template| Item {
        insert: template.snippet.to_string(),
        snippet: true,
        ..item(template.label, ItemKind::Template, "sentence", rank)
    })
}

pub(super) fn component(component: &Component, rank: u8) -> Item {
    let detail = if component.declared { "component" } else { "component (no table)" };
    Item { insert: spelled(&component.name), ..item(&component.name, ItemKind::Component, detail, rank) }
}

pub(super) fn kinds() -> Vec<Item> {
    Kind::ALL.iter().map(|kind| item(kind.name(), ItemKind::Type, "kind", 0)).collect()
}

/// The types, and those that the project uses already.
pub(super) fn types(project: &Project) -> Vec<Item> {
    let rows = project.documents.iter().flat_map(|document| &document.tables).flat_map(|table| &table.rows);
    let used: BTreeSet<String> =
        rows.filter_map(|row| row.declaration.ty.as_ref()).map(ToString::to_string).collect();
    let mut all: Vec<Item> =
        used.into_iter().map(|ty| item(ty, ItemKind::Type, "used in the project", 1)).collect();
    for (label, snippet) in [
        ("bool", "bool"),
        ("int", "int"),
        ("int …", "int ${1:0}..${2:10}"),
        ("real", "real"),
        ("real …", "real ${1:0}..${2:1}"),
        ("enum(…)", "enum(${1:a, b})"),
    ] {
        let snippet_item = snippet.contains('$');
        all.push(Item {
            insert: snippet.into(),
            snippet: snippet_item,
            ..item(label, ItemKind::Type, "type", 0)
        });
    }
    all
}

pub(super) fn units_of_variables(project: &Project) -> Vec<Item> {
    let rows = project.documents.iter().flat_map(|document| &document.tables).flat_map(|table| &table.rows);
    let used: BTreeSet<&str> = rows.filter_map(|row| row.declaration.unit.as_deref()).collect();
    used.into_iter().map(|unit| item(unit, ItemKind::Unit, "used in the project", 0)).collect()
}

/// The names of attributes: those with a meaning, and those that the project uses.
pub(super) fn attributes(project: &Project) -> Vec<Item> {
    let entries = project.documents.iter().flat_map(|document| &document.entries);
    let used: BTreeSet<&str> = entries
        .flat_map(|entry| &entry.attributes)
        .map(|attribute| attribute.name.text.as_str())
        .chain(["parent", "role", "status"])
        .collect();
    used.into_iter()
        .map(|name| Item { insert: format!("{name}: "), ..item(name, ItemKind::Attribute, "attribute", 0) })
        .collect()
}

/// The ids of all requirements but one.
pub(super) fn ids(project: &Project, own: &str) -> Vec<Item> {
    let entries = project.documents.iter().flat_map(|document| &document.entries);
    entries
        .filter(|entry| entry.id.text != own)
        .map(|entry| {
            let title = entry.title.as_ref().map_or("", |title| title.text.as_str());
            item(&entry.id.text, ItemKind::Requirement, title, 0)
        })
        .collect()
}

/// The short values that an attribute has elsewhere; `at` is the place that is being written.
pub(super) fn values_of(project: &Project, name: &str, at: u32, document: usize) -> Vec<Item> {
    let mut used = BTreeSet::new();
    if name.eq_ignore_ascii_case(ROLE) {
        used.extend(ContractRole::ALL.map(ContractRole::name));
    }
    for (index, text) in project.documents.iter().enumerate() {
        for attribute in text.entries.iter().flat_map(|entry| &entry.attributes) {
            let value = &attribute.value;
            let here = index == document && value.span.start == at;
            let short =
                !value.text.is_empty() && value.text.len() <= LONGEST_VALUE && !value.text.contains('\n');
            if attribute.name.text.eq_ignore_ascii_case(name) && short && !here {
                used.insert(value.text.as_str());
            }
        }
    }
    used.into_iter().map(|value| item(value, ItemKind::Value, name, 0)).collect()
}
