//! What is at a position: a variable, a value, a component, a requirement, a word.

use crate::component::Component;
use crate::document::{Column, Document, Language, Row, Table};
use crate::project::{Analysis, Place, Project};
use crate::reading::{Occurrence, Parsed};
use requirement::specification::{Definition, Type};
use syntax::Span;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A variable, with the name of its component.
    #[allow(missing_docs)]
    Variable { component: String, name: String },
    /// A phrase of this variable, with the name of its component.
    #[allow(missing_docs)]
    Phrase { component: String, name: String },
    /// A value of an enumeration, with the name of the component.
    #[allow(missing_docs)]
    Value { component: String, name: String },
    /// A component.
    Component(String),
    /// A requirement, by its id.
    Requirement(String),
    /// A word of the language or a predefined function, as written.
    Word(String),
}

/// What was found at a position, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub target: Target,
    /// Where it is in the document.
    pub span: Span,
    /// The requirement whose sentence it is in.
    pub place: Option<Place>,
}

/// What is at an offset of a document; the end of a name belongs to it.
pub fn locate(project: &Project, analysis: &Analysis, document: usize, offset: u32) -> Option<Found> {
    let text = project.documents.get(document)?;
    in_tables(text, analysis, offset).or_else(|| in_entries(project, analysis, document, offset))
}

fn in_tables(document: &Document, analysis: &Analysis, offset: u32) -> Option<Found> {
    document.tables.iter().find_map(|table| {
        let component = || table.component.text.clone();
        if touches(table.component.span, offset) {
            return found(Target::Component(component()), table.component.span);
        }
        if !touches(table.span, offset) {
            return None;
        }
        table.rows.iter().find_map(|row| {
            let name = &row.declaration.name;
            if touches(name.span, offset) {
                return found(
                    Target::Variable { component: component(), name: name.text.clone() },
                    name.span,
                );
            }
            if let Some(phrase) = row.declaration.phrase.as_ref().filter(|it| touches(it.span, offset)) {
                let target = Target::Phrase { component: component(), name: name.text.clone() };
                return found(target, phrase.span);
            }
            let value = values(document, table, row).into_iter().find(|(_, span)| touches(*span, offset));
            if let Some((name, span)) = value {
                return found(Target::Value { component: component(), name }, span);
            }
            let names = definition_names(document, table, row);
            let used = names.into_iter().find(|used| touches(used.span, offset))?;
            let known = analysis.components.get(&table.component.text)?;
            found(name_in(known, &used.name), used.span)
        })
    })
}

fn in_entries(project: &Project, analysis: &Analysis, document: usize, offset: u32) -> Option<Found> {
    let text = project.documents.get(document)?;
    text.entries.iter().enumerate().filter(|(_, entry)| touches(entry.section, offset)).find_map(
        |(at, entry)| {
            if touches(entry.id.span, offset) && entry.id.span.start < entry.id.span.end {
                return found(Target::Requirement(entry.id.text.clone()), entry.id.span);
            }
            if let Some(parent) = entry.parents().into_iter().find(|parent| touches(parent.span, offset)) {
                return found(Target::Requirement(parent.text), parent.span);
            }
            let sentence = entry.sentence.filter(|sentence| {
                sentence.language == Language::Fretish && touches(sentence.span, offset)
            })?;
            let place = Place { document, entry: at };
            let known = analysis.at(place)?;
            let parsed = &known.reading.as_ref()?.parsed;
            let inside = offset - sentence.span.start;
            let (target, span) = in_sentence(analysis, known.component, parsed, inside)?;
            let span = Analysis::in_document(project, place, span);
            Some(Found { target, span, place: Some(place) })
        },
    )
}

fn in_sentence(
    analysis: &Analysis,
    component: Option<usize>,
    parsed: &Parsed,
    offset: u32,
) -> Option<(Target, Span)> {
    let component = component.and_then(|index| analysis.components.at(index));
    if let (Some(known), Some(used)) =
        (component, parsed.names.iter().find(|used| touches(used.span, offset)))
    {
        let target = match used.phrased {
            true => Target::Phrase { component: known.name.clone(), name: used.name.clone() },
            false => name_in(known, &used.name),
        };
        return Some((target, used.span));
    }
    if let Some(field) = parsed.fields.component.as_ref().filter(|field| touches(field.span, offset)) {
        return Some((Target::Component(field.text.clone()), field.span));
    }
    let mut start = 0_u32;
    for (kind, text) in parsed.parse.tree.tokens() {
        let span = Span::new(start, start + text.len() as u32);
        start = span.end;
        if kind == syntax::Kind::Name && touches(span, offset) {
            return super::words::about(text).map(|_| (Target::Word(text.to_string()), span));
        }
    }
    None
}

fn found(target: Target, span: Span) -> Option<Found> {
    Some(Found { target, span, place: None })
}

/// What a name stands for in a component.
pub(super) fn name_in(component: &Component, name: &str) -> Target {
    let (component_name, name_owned) = (component.name.clone(), name.to_string());
    match component.symbol(name).is_none() && component.enumeration_of(name).is_some() {
        true => Target::Value { component: component_name, name: name_owned },
        false => Target::Variable { component: component_name, name: name_owned },
    }
}

/// Whether an offset is in a span or at its end.
pub(super) fn touches(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}

/// The names in the definition of a row, with their places in the document.
pub(super) fn definition_names(document: &Document, table: &Table, row: &Row) -> Vec<Occurrence> {
    let Some(cell) = row.cell(table, &Column::Definition).filter(|cell| !cell.text.is_empty()) else {
        return Vec::new();
    };
    // An escaped bar keeps its place as a space and a bar.
    let text = document.slice(cell.span).replace("\\|", " |");
    let moved = |span: Span| Span::new(cell.span.start + span.start, cell.span.start + span.end);
    let names = Definition::names(&text).into_iter();
    names.map(|used| Occurrence { span: moved(used.span), ..used }).collect()
}

/// The values in the type of a row, with their places in the document.
pub(super) fn values(document: &Document, table: &Table, row: &Row) -> Vec<(String, Span)> {
    let (Some(Type::Enum(names)), Some(cell)) = (&row.declaration.ty, row.cell(table, &Column::Type)) else {
        return Vec::new();
    };
    let text = document.slice(cell.span);
    let mut at = text.find(['(', '{']).map_or(0, |open| open + 1);
    let mut found = Vec::new();
    for name in names {
        let Some(start) = text.get(at..).and_then(|rest| rest.find(name.as_str())).map(|start| at + start)
        else {
            break;
        };
        at = start + name.len();
        let place = |offset: usize| cell.span.start + offset as u32;
        found.push((name.clone(), Span::new(place(start), place(at))));
    }
    found
}
