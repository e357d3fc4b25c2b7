//! Where a name is used: its declaration and all its uses, in sentences, definitions, headings and attributes.

use super::locate::{Target, definition_names, values};
use crate::document::{Document, Row, Table};
use crate::project::{Analysis, Project};
use syntax::Span;

/// A place where a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub struct Reference {
    pub document: usize,
    pub span: Span,
    pub role: Role,
}

/// What a name does at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It is declared there.
    Declaration,
    /// It is mentioned there.
    Read,
    /// A response says what it must be.
    Write,
}

/// All places where a name is used, in the order of the documents.
pub fn references(project: &Project, analysis: &Analysis, target: &Target) -> Vec<Reference> {
    let mut all = match target {
        Target::Variable { component, name } | Target::Phrase { component, name } => {
            variable(project, analysis, component, name)
        }
        Target::Value { component, name } => value(project, analysis, component, name),
        Target::Component(name) => component(project, analysis, name),
        Target::Requirement(id) => requirement(project, id),
        Target::Word(_) => Vec::new(),
    };
    all.sort_unstable();
    all.dedup();
    all
}

/// The places that declare a name.
pub fn definitions(project: &Project, analysis: &Analysis, target: &Target) -> Vec<Reference> {
    let mut all = references(project, analysis, target);
    all.retain(|place| place.role == Role::Declaration);
    all
}

/// The places in the tables of a component that declare a name, as `declared` finds them in a row, or read it.
fn in_tables(
    project: &Project,
    component: &str,
    name: &str,
    declared: impl Fn(&Document, &Table, &Row) -> Vec<Span>,
) -> Vec<Reference> {
    let mut all = Vec::new();
    for (document, text) in project.documents.iter().enumerate() {
        for table in text.tables.iter().filter(|table| table.component.text == component) {
            for row in &table.rows {
                let declared = declared(text, table, row).into_iter().map(|span| (span, Role::Declaration));
                let used = definition_names(text, table, row).into_iter().filter(|used| used.name == name);
                let places = declared.chain(used.map(|used| (used.span, Role::Read)));
                all.extend(places.map(|(span, role)| Reference { document, span, role }));
            }
        }
    }
    all
}

fn variable(project: &Project, analysis: &Analysis, component: &str, name: &str) -> Vec<Reference> {
    let mut all = in_tables(project, component, name, |_, _, row| {
        let declared = &row.declaration.name;
        (declared.text == name).then_some(declared.span).into_iter().collect()
    });
    let symbol = analysis.components.get(component).and_then(|component| component.symbol(name));
    all.extend(symbol.into_iter().flat_map(|symbol| &symbol.uses).map(|used| Reference {
        document: used.place.document,
        span: Analysis::in_document(project, used.place, used.span),
        role: if used.in_response { Role::Write } else { Role::Read },
    }));
    all
}

fn value(project: &Project, analysis: &Analysis, component: &str, name: &str) -> Vec<Reference> {
    let mut all = in_tables(project, component, name, |text, table, row| {
        values(text, table, row)
            .into_iter()
            .filter(|(value, _)| value == name)
            .map(|(_, span)| span)
            .collect()
    });
    for known in &analysis.requirements {
        let owner = known.component.and_then(|index| analysis.components.at(index));
        let Some(reading) =
            known.reading.as_ref().filter(|_| owner.is_some_and(|owner| owner.name == component))
        else {
            continue;
        };
        all.extend(reading.parsed.names.iter().filter(|used| used.name == name).map(|used| Reference {
            document: known.place.document,
            span: Analysis::in_document(project, known.place, used.span),
            role: Role::Read,
        }));
    }
    all
}

fn component(project: &Project, analysis: &Analysis, name: &str) -> Vec<Reference> {
    let mut all = Vec::new();
    for (document, text) in project.documents.iter().enumerate() {
        let tables = text.tables.iter().filter(|table| table.component.text == name);
        all.extend(tables.map(|table| Reference {
            document,
            span: table.component.span,
            role: Role::Declaration,
        }));
    }
    for known in &analysis.requirements {
        let field = known.reading.as_ref().and_then(|reading| reading.parsed.fields.component.as_ref());
        all.extend(field.filter(|field| field.text == name).map(|field| Reference {
            document: known.place.document,
            span: Analysis::in_document(project, known.place, field.span),
            role: Role::Read,
        }));
    }
    all
}

fn requirement(project: &Project, id: &str) -> Vec<Reference> {
    let mut all = Vec::new();
    for (document, text) in project.documents.iter().enumerate() {
        for entry in &text.entries {
            if entry.id.text == id && entry.id.span.start < entry.id.span.end {
                all.push(Reference { document, span: entry.id.span, role: Role::Declaration });
            }
            let parents = entry.parents().into_iter().filter(|parent| parent.text == id);
            all.extend(parents.map(|parent| Reference { document, span: parent.span, role: Role::Read }));
        }
    }
    all
}
