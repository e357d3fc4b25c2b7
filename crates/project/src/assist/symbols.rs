//! Documents and projects as lists: chapters, requirements, components and variables.

use crate::document::{Document, Heading};
use crate::project::{Analysis, Project};
use requirement::specification::Kind;
use syntax::Span;

/// A line of the outline of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The id, the component, the variable or the heading.
    pub name: String,
    /// The title of a requirement, the kind of a variable.
    pub detail: String,
    /// What it is.
    pub kind: OutlineKind,
    /// All of it.
    pub span: Span,
    /// Its name; a part of the span.
    pub selection: Span,
    /// What is inside it.
    pub children: Vec<Outline>,
}

/// What a line of an outline is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum OutlineKind {
    Chapter,
    Requirement,
    Component,
    Variable,
    Constant,
    Function,
}

/// A name of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: OutlineKind,
    /// The component of a variable, the title of a requirement.
    pub container: String,
    /// Where it is declared.
    pub document: usize,
    /// The place of the name.
    pub span: Span,
}

/// The outline of a document: headings inside each other by their levels, variables inside their components.
pub fn outline(document: &Document) -> Vec<Outline> {
    if document.headings.is_empty() {
        return document
            .entries
            .iter()
            .map(|entry| Outline {
                name: entry.id.text.clone(),
                detail: String::new(),
                kind: OutlineKind::Requirement,
                span: entry.section,
                selection: entry.id.span,
                children: Vec::new(),
            })
            .collect();
    }
    // Open headings with their levels; a heading closes those that are not above it.
    let mut open: Vec<(u8, Outline)> = Vec::new();
    let mut done = Vec::new();
    for (at, heading) in document.headings.iter().enumerate() {
        close(&mut open, &mut done, heading.level, heading.span.start);
        open.push((heading.level, line(document, at, heading)));
    }
    close(&mut open, &mut done, 0, document.text.len() as u32);
    done
}

/// Moves the open headings that end here into those above them.
fn close(open: &mut Vec<(u8, Outline)>, done: &mut Vec<Outline>, level: u8, end: u32) {
    while open.last().is_some_and(|(last, _)| *last >= level) {
        let Some((_, mut closed)) = open.pop() else { return };
        closed.span.end = closed.span.end.max(end);
        match open.last_mut() {
            Some((_, above)) => above.children.push(closed),
            None => done.push(closed),
        }
    }
}

fn line(document: &Document, at: usize, heading: &Heading) -> Outline {
    let end = document.headings.get(at + 1).map_or(document.text.len() as u32, |next| next.span.start);
    let entry = document.entries.iter().find(|entry| entry.heading == heading.span);
    let tables: Vec<_> = document
        .tables
        .iter()
        .filter(|table| heading.span.start <= table.span.start && table.span.start < end)
        .collect();
    let children = tables.iter().flat_map(|table| &table.rows).map(|row| {
        let declaration = &row.declaration;
        let kind = declaration.kind.map_or("", Kind::name);
        let ty = declaration.ty.as_ref().map_or(String::new(), ToString::to_string);
        let whole = row.cells.iter().fold(declaration.name.span, |span, cell| span.to(cell.span));
        Outline {
            name: declaration.name.text.clone(),
            detail: format!("{kind} {ty}").trim().to_string(),
            kind: variable_kind(declaration.kind),
            span: whole,
            selection: declaration.name.span,
            children: Vec::new(),
        }
    });
    let (name, detail, kind) = match (entry, tables.first()) {
        (Some(entry), _) => {
            let title = entry.title.as_ref().map_or(String::new(), |title| title.text.clone());
            (entry.id.text.clone(), title, OutlineKind::Requirement)
        }
        (None, Some(table)) => (table.component.text.clone(), String::new(), OutlineKind::Component),
        (None, None) => (heading.text.text.clone(), String::new(), OutlineKind::Chapter),
    };
    // Editors refuse symbols without a name.
    let name = if name.is_empty() { "…".to_string() } else { name };
    let selection = if name == "…" { heading.span } else { heading.text.span };
    Outline { name, detail, kind, span: heading.span, selection, children: children.collect() }
}

fn variable_kind(kind: Option<Kind>) -> OutlineKind {
    match kind {
        Some(Kind::Constant) => OutlineKind::Constant,
        Some(Kind::Function) => OutlineKind::Function,
        Some(Kind::Input | Kind::Output | Kind::Internal | Kind::Mode) | None => OutlineKind::Variable,
    }
}

/// The ids, components and variables whose names or titles have the query in them, in any case; at most `limit`.
pub fn find_symbols(
    project: &Project,
    analysis: &Analysis,
    query: &str,
    limit: usize,
) -> Vec<WorkspaceSymbol> {
    let query = query.to_lowercase();
    let fits = |text: &str| text.to_lowercase().contains(&query);
    let mut found = Vec::new();
    for (document, text) in project.documents.iter().enumerate() {
        for entry in &text.entries {
            let title = entry.title.as_ref().map_or("", |title| title.text.as_str());
            if fits(&entry.id.text) || fits(title) {
                found.push(WorkspaceSymbol {
                    name: entry.id.text.clone(),
                    kind: OutlineKind::Requirement,
                    container: title.to_string(),
                    document,
                    span: entry.id.span,
                });
            }
        }
        for table in text.tables.iter().filter(|table| fits(&table.component.text)) {
            found.push(WorkspaceSymbol {
                name: table.component.text.clone(),
                kind: OutlineKind::Component,
                container: String::new(),
                document,
                span: table.component.span,
            });
        }
    }
    for component in analysis.components.iter() {
        for symbol in component.variables.iter().filter(|symbol| fits(&symbol.variable.name)) {
            let declared = symbol.declaration.and_then(|at| {
                let row = project.documents.get(at.document)?.tables.get(at.table)?.rows.get(at.row)?;
                Some((at.document, row.declaration.name.span))
            });
            let first = symbol
                .uses
                .first()
                .map(|used| (used.place.document, Analysis::in_document(project, used.place, used.span)));
            let Some((document, span)) = declared.or(first) else { continue };
            found.push(WorkspaceSymbol {
                name: symbol.variable.name.clone(),
                kind: variable_kind(Some(symbol.variable.kind)),
                container: component.name.clone(),
                document,
                span,
            });
        }
    }
    found.truncate(limit);
    found
}
