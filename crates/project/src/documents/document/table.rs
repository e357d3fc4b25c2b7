//! The variables of a component: a table whose first column is `name`, under a heading that names the component.

use super::{Heading, codes, span};
use requirement::Field;
use requirement::specification::{Kind, Type};
use std::ops::Range;
use syntax::{Code, Diagnostic, Span};

/// A table of variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The component, and where the heading names it.
    pub component: Field,
    /// The columns: the known ones by name, and those that are kept as they are.
    pub columns: Vec<Column>,
    /// The rows below the head.
    pub rows: Vec<Row>,
    /// The whole table.
    pub span: Span,
}

/// What a column of a table of variables holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Column {
    Name,
    Kind,
    Type,
    Unit,
    Definition,
    Phrase,
    Description,
    /// A column of the user's own.
    Other(String),
}

/// A row: the cells, and the variable it declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The cells, parallel to the columns; a short row has fewer.
    pub cells: Vec<Field>,
    /// What the cells say.
    pub declaration: Declaration,
}

/// A variable as a table declares it; what is left open is inferred.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Declaration {
    pub name: Field,
    pub kind: Option<Kind>,
    pub ty: Option<Type>,
    pub unit: Option<String>,
    pub definition: Option<String>,
    pub phrase: Option<Field>,
    pub description: String,
}

impl Column {
    fn of(text: &str) -> Column {
        match text.trim().to_lowercase().as_str() {
            "name" | "variable" => Column::Name,
            "kind" => Column::Kind,
            "type" => Column::Type,
            "unit" => Column::Unit,
            "definition" | "value" => Column::Definition,
            "phrase" => Column::Phrase,
            "description" | "meaning" => Column::Description,
            _ => Column::Other(text.trim().to_string()),
        }
    }
}

impl Row {
    /// The cell of a column.
    pub fn cell(&self, table: &Table, column: &Column) -> Option<&Field> {
        self.cells.get(table.columns.iter().position(|known| known == column)?)
    }
}

/// The table, if it is one of variables.
pub(super) fn read(
    text: &str,
    rows: &[Vec<Range<usize>>],
    whole: &Range<usize>,
    above: &[&Heading],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Table> {
    let (head, body) = rows.split_first()?;
    let columns: Vec<Column> = head.iter().map(|range| Column::of(&cell(text, range).text)).collect();
    if columns.first() != Some(&Column::Name) {
        return None;
    }
    let component = component(text, above)?;
    let mut table = Table { component, columns, rows: Vec::new(), span: span(whole) };
    for row in body {
        let cells: Vec<Field> = row.iter().map(|range| cell(text, range)).collect();
        if let Some(declaration) = declaration(&table.columns, &cells, diagnostics) {
            table.rows.push(Row { cells, declaration });
        }
    }
    Some(table)
}

/// The component that a heading names: `Pump`, `Component Pump`, `Variables of Pump`; a heading that only says
/// `Variables` leaves it to the one above.
fn component(text: &str, above: &[&Heading]) -> Option<Field> {
    above.iter().rev().find_map(|heading| {
        let shown = heading.text.text.as_str();
        let mut name = shown;
        let mut is_named = false;
        for prefix in ["Component ", "Variables of ", "Glossary of "] {
            if let Some(start) = shown.get(..prefix.len())
                && start.eq_ignore_ascii_case(prefix)
            {
                name = shown[prefix.len()..].trim();
                is_named = true;
            }
        }
        let name = name.strip_suffix(" variables").unwrap_or(name).trim().trim_matches('`');
        let generic = ["variables", "glossary", "signals"].iter().any(|word| name.eq_ignore_ascii_case(word));
        if generic && !is_named || name.is_empty() {
            return None;
        }
        let at = heading.text.span.start as usize + shown.find(name).unwrap_or(0);
        Some(super::field(text, at..at + name.len()))
    })
}

/// A cell's text without spaces, code marks and escapes. The span is that of the text inside.
fn cell(text: &str, range: &Range<usize>) -> Field {
    let raw = text.get(range.clone()).unwrap_or_default();
    let raw_trimmed = raw.trim().trim_matches('|').trim();
    let code = raw_trimmed
        .strip_prefix('`')
        .and_then(|inner| inner.strip_suffix('`'))
        .filter(|inner| !inner.contains('`'))
        .unwrap_or(raw_trimmed);
    let start = range.start + raw.find(code).unwrap_or(0);
    Field { text: code.replace("\\|", "|"), span: Span::new(start as u32, (start + code.len()) as u32) }
}

fn declaration(
    columns: &[Column],
    cells: &[Field],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Declaration> {
    let mut declaration: Option<Declaration> = None;
    for (column, cell) in columns.iter().zip(cells) {
        let given = (!cell.text.is_empty()).then_some(cell);
        if *column == Column::Name {
            declaration = given.map(|name| Declaration {
                name: name.clone(),
                kind: None,
                ty: None,
                unit: None,
                definition: None,
                phrase: None,
                description: String::new(),
            });
        }
        let (Some(declaration), Some(cell)) = (&mut declaration, given) else { continue };
        let wrong =
            |code: Code, message: String, hint: String| Diagnostic::new(code, cell.span, message, hint);
        match column {
            Column::Name | Column::Other(_) => {}
            Column::Kind => match Kind::parse(&cell.text) {
                Some(kind) => declaration.kind = Some(kind),
                None => {
                    let kinds: Vec<String> =
                        Kind::ALL.iter().map(|kind| format!("`{}`", kind.name())).collect();
                    let hint = format!("the kinds are {}", kinds.join(", "));
                    diagnostics.push(wrong(
                        codes::BAD_KIND,
                        format!("`{}` is not a kind of variable", cell.text),
                        hint,
                    ));
                }
            },
            Column::Type => match Type::parse(&cell.text) {
                Ok(ty) => declaration.ty = Some(ty),
                Err(error) => diagnostics.push(wrong(
                    codes::BAD_TYPE,
                    error.to_string(),
                    "the types are `bool`, `int 0..10`, `real`, `enum(a, b)`".into(),
                )),
            },
            Column::Unit => declaration.unit = Some(cell.text.clone()),
            Column::Definition => declaration.definition = Some(cell.text.clone()),
            Column::Phrase => declaration.phrase = Some(cell.clone()),
            Column::Description => declaration.description.clone_from(&cell.text),
        }
    }
    declaration
}
