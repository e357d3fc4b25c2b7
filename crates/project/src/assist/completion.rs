//! What can be written at a position: by the field of the sentence, the column of the table or the attribute there.
//!
//! Every answer is filtered by the word that has been begun, and in a fixed order: what fits best first, then by name.

mod items;
mod position;
mod sentence;
#[cfg(test)]
mod tests;

use super::locate::touches;
use crate::component::{Component, Symbol};
use crate::document::{Column, Document, Entry, Language, Table};
use crate::project::{Analysis, Place, Project};
use requirement::specification::Kind;
use std::collections::BTreeSet;
use syntax::Span;

/// What can be written, and what it replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The word that has been begun.
    pub span: Span,
    /// The proposals, best first.
    pub items: Vec<Item>,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What is shown.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// A few words beside the label, such as kind and type of a variable.
    pub detail: String,
    /// What it means.
    pub about: String,
    /// What is written, with places to fill in if it is a snippet.
    pub insert: String,
    /// Whether [`Item::insert`] has places to fill in: `${1:p}`.
    pub snippet: bool,
    rank: u8,
}

/// What a proposal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ItemKind {
    Keyword,
    Variable,
    Value,
    Function,
    Component,
    Unit,
    Template,
    Requirement,
    Attribute,
    Type,
}

/// What can be written at an offset of a document.
pub fn complete(project: &Project, analysis: &Analysis, document: usize, offset: u32) -> Completion {
    let nothing = Completion { span: Span::new(offset, offset), items: Vec::new() };
    let Some(text) = project.documents.get(document) else { return nothing };
    if text.text.get(..offset as usize).is_none() {
        return nothing;
    }
    let asked = Asked { project, analysis, document, text, offset };
    let (span, mut items) = asked
        .in_sentence()
        .or_else(|| asked.in_table())
        .or_else(|| asked.in_attribute())
        .unwrap_or((nothing.span, Vec::new()));
    let begun = text.text.get(span.start as usize..offset as usize).unwrap_or_default().to_lowercase();
    items.retain(|item| item.label.to_lowercase().starts_with(&begun));
    items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    items.dedup_by(|a, b| a.label == b.label);
    Completion { span, items }
}

/// A position with everything around it.
struct Asked<'a> {
    project: &'a Project,
    analysis: &'a Analysis,
    document: usize,
    text: &'a Document,
    offset: u32,
}

type Answer = Option<(Span, Vec<Item>)>;

impl<'a> Asked<'a> {
    /// The text from `start` to the cursor.
    fn before(&self, start: u32) -> &'a str {
        self.text.text.get(start as usize..self.offset as usize).unwrap_or_default()
    }

    /// The line of the cursor up to the cursor, and where it begins.
    fn line(&self) -> (&'a str, u32) {
        let before = self.before(0);
        let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        (&before[start..], start as u32)
    }

    /// The word around the cursor, of characters that belong to it.
    fn word(&self, belongs: impl Fn(char) -> bool) -> Span {
        let before = self.before(0);
        let start = before.len()
            - before.chars().rev().take_while(|&c| belongs(c)).map(char::len_utf8).sum::<usize>();
        let after = self.text.text.get(before.len()..).unwrap_or_default();
        let end = before.len() + after.chars().take_while(|&c| belongs(c)).map(char::len_utf8).sum::<usize>();
        Span::new(start as u32, end as u32)
    }

    fn in_sentence(&self) -> Answer {
        let plain = self.text.name.ends_with(".fretish");
        let (line, line_start) = self.line();
        let blank_line = line.trim().is_empty() && !line.starts_with([' ', '\t']);
        let mut entries = self.text.entries.iter().enumerate();
        let found = entries.rfind(|(_, entry)| match plain {
            true => {
                entry.section.start <= self.offset
                    && !self.before(entry.section.end.min(self.offset)).contains('\n')
            }
            false => self.in_fence(entry),
        });
        let (start, component) = match found {
            Some((entry, known)) if !(plain && blank_line) => {
                let sentence = known.sentence.filter(|sentence| sentence.language == Language::Fretish)?;
                let known = self.analysis.at(Place { document: self.document, entry });
                (sentence.span.start.min(self.offset), known.and_then(|known| known.component))
            }
            _ if plain && !line.trim_start().starts_with('#') => (line_start, None),
            _ => return None,
        };
        let word = self.word(|c| c.is_alphanumeric() || "_.%".contains(c));
        let word = Span::new(word.start.max(start), word.end);
        let before = self.text.text.get(start as usize..word.start as usize).unwrap_or_default();
        let component = component.and_then(|index| self.analysis.components.at(index));
        Some((word, sentence::items(self, before, component, word)))
    }

    /// Whether the cursor is between the fences of an entry's sentence.
    fn in_fence(&self, entry: &Entry) -> bool {
        let Some(sentence) = entry.sentence.filter(|sentence| touches(sentence.block, self.offset)) else {
            return false;
        };
        // The opening fence ends its line; the closing one ends the sentence.
        let behind = self.before(sentence.span.end.min(self.offset));
        let closed = ["```", "~~~"].iter().any(|fence| behind.contains(fence));
        self.before(sentence.block.start).contains('\n') && !closed
    }

    /// The variables that a sentence of the component may use: its own, or without one those that the document or else
    /// the project declares. What is only at the cursor is not a variable yet.
    fn symbols(&self, component: Option<&'a Component>, word: Span) -> Vec<&'a Symbol> {
        let owned: Vec<&Component> = match component {
            Some(component) if component.declared => vec![component],
            _ => {
                let here: Vec<&Component> = self
                    .text
                    .tables
                    .iter()
                    .filter_map(|table| self.analysis.components.get(&table.component.text))
                    .collect();
                let declared = if here.is_empty() { self.analysis.components.iter().collect() } else { here };
                component.into_iter().chain(declared).collect()
            }
        };
        let at_cursor = |symbol: &Symbol| {
            symbol.declaration.is_none()
                && symbol.uses.iter().all(|used| {
                    used.place.document == self.document
                        && Analysis::in_document(self.project, used.place, used.span).start == word.start
                })
        };
        let mut seen = BTreeSet::new();
        // What a table should declare and does not may be a typing error.
        let known =
            |component: &Component, symbol: &Symbol| !component.declared || symbol.declaration.is_some();
        let all = owned
            .into_iter()
            .flat_map(|component| component.variables.iter().filter(move |symbol| known(component, symbol)));
        all.filter(|symbol| !at_cursor(symbol) && seen.insert(symbol.variable.name.as_str())).collect()
    }

    /// The components of the project. What this sentence alone names, and no table, may be half a name.
    fn components(&self, own: Option<&Component>, rank: u8) -> Vec<Item> {
        let named = |component: &Component| {
            let owners = self.analysis.requirements.iter().filter_map(|known| known.component);
            owners
                .filter(|&owner| {
                    self.analysis.components.at(owner).is_some_and(|it| std::ptr::eq(it, component))
                })
                .count()
        };
        let half = |component: &Component| {
            !component.declared && own.is_some_and(|own| std::ptr::eq(own, component)) && named(component) < 2
        };
        let all = self.analysis.components.iter().filter(|component| !half(component));
        all.map(|component| items::component(component, rank)).collect()
    }

    fn in_table(&self) -> Answer {
        let (line, line_start) = self.line();
        let table = self.text.tables.iter().find(|table| touches(table.span, self.offset))?;
        let bars = bars(line);
        if !line.trim_start().starts_with('|') || bars.is_empty() {
            return None;
        }
        let column = table.columns.get(bars.len() - 1)?;
        let cell = line_start + *bars.last()? as u32 + 1;
        let skipped = self.before(cell).len() - self.before(cell).trim_start_matches([' ', '`']).len();
        let start = cell + skipped as u32;
        let whole =
            Span::new(start, self.word(|c| !c.is_whitespace() && c != '|' && c != '`').end.max(start));
        Some(match column {
            Column::Kind => (whole, items::kinds()),
            Column::Type => (whole, items::types(self.project)),
            Column::Unit => (whole, items::units_of_variables(self.project)),
            Column::Name => (whole, self.undeclared(table)),
            Column::Definition => {
                let word = self.word(|c| c.is_alphanumeric() || "_.%".contains(c));
                let component = self.analysis.components.get(&table.component.text);
                let mut items: Vec<Item> = self
                    .symbols(component, word)
                    .into_iter()
                    .map(|symbol| items::variable(symbol, 1))
                    .collect();
                items.extend(items::functions(2));
                (word, items)
            }
            Column::Phrase | Column::Description | Column::Other(_) => return None,
        })
    }

    /// The variables that sentences use and no table declares.
    fn undeclared(&self, table: &Table) -> Vec<Item> {
        let component = self.analysis.components.get(&table.component.text);
        let all = component.into_iter().flat_map(|component| &component.variables);
        all.filter(|symbol| symbol.declaration.is_none()).map(|symbol| items::variable(symbol, 0)).collect()
    }

    /// `- name: value` under a requirement.
    fn in_attribute(&self) -> Answer {
        let (line, line_start) = self.line();
        let entry = self.text.entries.iter().rfind(|entry| {
            touches(entry.section, self.offset)
                && entry.sentence.is_none_or(|sentence| sentence.block.end <= self.offset)
        })?;
        let item = line.trim_start().strip_prefix(['-', '*', '+'])?;
        let item = item.strip_prefix([' ', '\t'])?.trim_start();
        let start = line_start + (line.len() - item.len()) as u32;
        let Some((name, value)) = item.split_once(':') else {
            let word = Span::new(start, self.word(|c| c.is_alphanumeric() || "_-.".contains(c)).end);
            return Some((word, items::attributes(self.project)));
        };
        let value_start = self.offset - value.trim_start().len() as u32;
        if matches!(name.trim().to_lowercase().as_str(), "parent" | "parents") {
            let last = value.rsplit(',').next().unwrap_or_default().trim_start();
            let word = self.word(|c| !c.is_whitespace() && c != ',');
            let span = Span::new(self.offset - last.len() as u32, word.end);
            return Some((span, items::ids(self.project, &entry.id.text)));
        }
        let end = self.word(|c| c != '\n' && c != '\r').end;
        Some((
            Span::new(value_start, end),
            items::values_of(self.project, name.trim(), value_start, self.document),
        ))
    }
}

/// Where the bars between cells are; an escaped one does not count.
fn bars(line: &str) -> Vec<usize> {
    let bytes = line.as_bytes();
    (0..bytes.len()).filter(|&at| bytes[at] == b'|' && (at == 0 || bytes[at - 1] != b'\\')).collect()
}

/// Whether a variable can be a mode.
fn is_mode(symbol: &Symbol) -> bool {
    symbol.variable.kind == Kind::Mode
}
