//! Changes of a sheet as edits of its XML: cells in place, new rows at the end, removed rows left out.

use super::book::{Grid, MAX_ROWS, Row};
use super::{create, escape};
use crate::records::{Request, requests};
use crate::text::Edits;
use crate::xml::{Document, Id};
use crate::{Change, FileError, Spot};
use std::collections::BTreeMap;

/// The edits that make the changes.
pub(super) fn edits(grid: &Grid, changes: &[Change]) -> Result<Edits, FileError> {
    let mut rows = BTreeMap::<String, Vec<&Row>>::new();
    for row in &grid.rows {
        rows.entry(grid.id(row)).or_default().push(row);
    }
    let mut edits = Edits::default();
    let mut added = String::new();
    let mut number = grid.last_row.0;
    for (id, request) in requests(changes, &grid.names(), |id| rows.get(id).map_or(0, Vec::len))? {
        match (rows.get(&id).and_then(|rows| rows.first()), request) {
            (Some(row), Request::Set(fields)) => set(grid, row, fields, &mut edits)?,
            (Some(row), Request::Remove) => remove(grid, row, &mut edits)?,
            (None, Request::Remove) => {}
            (None, Request::Set(fields)) => {
                number += 1;
                added.push_str(&new_row(grid, number, id, fields)?);
            }
        }
    }
    if number > MAX_ROWS {
        return Err(FileError::new("the sheet is full: no row can be added").part(&grid.name));
    }
    if !added.is_empty() {
        let end = grid.document.span(grid.last_row.1).end;
        edits.replace(end..end, added);
        grow_dimension(&grid.document, number, &mut edits);
    }
    Ok(edits)
}

fn set(
    grid: &Grid,
    row: &Row,
    fields: Vec<(usize, Option<String>)>,
    edits: &mut Edits,
) -> Result<(), FileError> {
    let document = &grid.document;
    let mut fields: Vec<(u32, Option<String>)> =
        fields.into_iter().map(|(column, text)| (grid.columns[column].0, text)).collect();
    fields.sort();
    for (column, text) in fields {
        if row.value(column) == text.as_deref() {
            continue;
        }
        let reference = format!("{}{}", escape::letters(column), row.number);
        let place = |why: FileError| why.part(&grid.name);
        let prefix = document.prefix(row.node);
        match row.cell(column) {
            Some(cell) => {
                if document.child(cell.node, "f").is_some() {
                    return Err(place(
                        FileError::new("the cell has a formula, which is not overwritten")
                            .at(Spot::Cell(reference))
                            .hint("replace the formula with its value in the sheet first"),
                    ));
                }
                let style = document.attribute(cell.node, "s");
                let new =
                    create::cell(prefix, &reference, style.as_deref(), text.as_deref()).map_err(place)?;
                edits.replace(document.span(cell.node), new);
            }
            None => {
                let right = row.cells.iter().find(|cell| cell.column > column);
                let end =
                    document.inner(row.node).map_or_else(|| document.span(row.node).end, |inner| inner.end);
                let at = right.map_or(end, |cell| document.span(cell.node).start);
                let new = create::cell(prefix, &reference, style(grid, column).as_deref(), text.as_deref());
                edits.replace(at..at, new.map_err(place)?);
            }
        }
    }
    Ok(())
}

fn remove(grid: &Grid, row: &Row, edits: &mut Edits) -> Result<(), FileError> {
    let document = &grid.document;
    if row.cells.iter().any(|cell| document.child(cell.node, "f").is_some()) {
        return Err(FileError::new("the row has a formula, which is not removed")
            .part(&grid.name)
            .at(Spot::Row(row.number as usize))
            .hint("remove the row in the sheet program"));
    }
    edits.replace(document.span(row.node), "");
    Ok(())
}

fn new_row(
    grid: &Grid,
    number: u32,
    id: String,
    fields: Vec<(usize, Option<String>)>,
) -> Result<String, FileError> {
    let mut cells = BTreeMap::from([(grid.id_column(), Some(id))]);
    cells.extend(fields.into_iter().map(|(column, text)| (grid.columns[column].0, text)));
    let prefix = grid.document.prefix(grid.last_row.1);
    let mut text = format!("<{prefix}row r=\"{number}\">");
    for (column, field) in cells {
        if let Some(field) = field {
            let reference = format!("{}{number}", escape::letters(column));
            let new = create::cell(prefix, &reference, style(grid, column).as_deref(), Some(&field));
            text.push_str(&new.map_err(|why| why.part(&grid.name))?);
        }
    }
    Ok(text + &format!("</{prefix}row>"))
}

/// The style that the last cell of a column has.
fn style(grid: &Grid, column: u32) -> Option<String> {
    let cell = grid.rows.iter().rev().find_map(|row| row.cell(column))?;
    grid.document.attribute(cell.node, "s")
}

/// Readers that trust the noted size of a sheet would miss new rows.
fn grow_dimension(document: &Document, last: u32, edits: &mut Edits) {
    let noted = |id: Id| document.attribute_range(id, "ref");
    let Some(range) = document.child(Document::ROOT, "dimension").and_then(noted) else { return };
    let (from, to) =
        document.text[range.clone()].split_once(':').unwrap_or((&document.text[range.clone()], ""));
    let corner = if to.is_empty() { from } else { to };
    if let Some((column, row)) = escape::reference(corner) {
        edits.replace(range.clone(), format!("{from}:{}{}", escape::letters(column), row.max(last)));
    }
}
