//! Tables as text with separators (CSV): `,`, `;` or tab, quoted as usual, UTF-8 or UTF-16 with a byte order mark.
//!
//! An empty field without quotes is not a text; `""` is an empty text. `update` rewrites only the fields that change, so
//! the separator, the line ends, the quotes and the end of the file stay as they are.

use crate::Change;
use crate::FileError;
use crate::Limits;
use crate::Place;
use crate::Profile;
use crate::Record;
use crate::Records;
use crate::Result;
use crate::Spot;
use crate::records::{Request, requests};
use crate::text::{self, Edits};
use base::csv::Row;
use base::csv::rows;
use std::ops::Range;

/// The number of rows in which the header is searched.
pub(crate) const HEADER_ROWS: usize = 50;

/// Reads a table. Its header is the first row with an id column; blank rows are not records.
pub fn read(bytes: &[u8], profile: &Profile, limits: Limits) -> Result<Records, FileError> {
    let sheet = open(bytes, profile, limits)?;
    let records = (sheet.rows.iter().filter(|row| !row.is_blank()))
        .map(|row| Record {
            id: sheet.id(row),
            fields: (0..sheet.columns.len()).map(|column| sheet.value(row, column)).collect(),
            place: Place { part: None, spot: Spot::Line(row.line, 1) },
        })
        .collect();
    Ok(Records { columns: sheet.columns, records, links: Vec::new() })
}

/// Writes a table with commas, line feeds and quotes where they are needed.
pub fn write(records: &Records) -> Vec<u8> {
    let header: Vec<Option<&str>> =
        records.columns.iter().map(|name| Some(name.as_str()).filter(|name| !name.is_empty())).collect();
    let mut text = row_text(&header, ',', false) + "\n";
    for record in &records.records {
        let fields: Vec<Option<&str>> =
            (0..records.columns.len()).map(|column| record.fields.get(column)?.as_deref()).collect();
        text.push_str(&row_text(&fields, ',', false));
        text.push('\n');
    }
    text.into_bytes()
}

/// Makes the changes in the file and keeps every other byte. New records are appended.
pub fn update(original: &[u8], profile: &Profile, changes: &[Change], limits: Limits) -> Result<Vec<u8>> {
    let sheet = open(original, profile, limits)?;
    let mut rows = std::collections::BTreeMap::<String, Vec<&Row>>::new();
    for row in &sheet.rows {
        rows.entry(sheet.id(row)).or_default().push(row);
    }
    let mut edits = Edits::default();
    let mut added = Vec::new();
    for (id, request) in requests(changes, &sheet.columns, |id| rows.get(id).map_or(0, Vec::len))? {
        match (rows.get(&id).and_then(|rows| rows.first()), request) {
            (Some(row), Request::Remove) => edits.replace(row.span.clone(), ""),
            (Some(row), Request::Set(fields)) => sheet.set(row, fields, &mut edits),
            (None, Request::Remove) => {}
            (None, Request::Set(fields)) => added.push(sheet.new_row(id, fields)),
        }
    }
    if edits.is_empty() && added.is_empty() {
        return Ok(original.to_vec());
    }
    let mut text = edits.apply(&sheet.text);
    let closed = text.ends_with(['\n', '\r']);
    for row in added {
        if closed {
            text.push_str(&row);
            text.push_str(sheet.line_end);
        } else {
            text.push_str(sheet.line_end);
            text.push_str(&row);
        }
    }
    Ok(text::encode(&text, text::by_mark(original)))
}

/// A table that was taken apart.
struct Sheet {
    text: String,
    separator: char,
    line_end: &'static str,
    /// Every field of the header has quotes.
    quoted: bool,
    columns: Vec<String>,
    id: usize,
    /// The rows below the header.
    rows: Vec<Row>,
}

impl Sheet {
    fn value(&self, row: &Row, column: usize) -> Option<String> {
        row.fields.get(column).and_then(|range| value(&self.text, range))
    }

    fn id(&self, row: &Row) -> String {
        self.value(row, self.id).unwrap_or_default().trim().to_owned()
    }

    /// Rewrites the fields of a row whose text is another one.
    fn set(&self, row: &Row, mut fields: Vec<(usize, Option<String>)>, edits: &mut Edits) {
        fields.sort_by_key(|(column, _)| *column);
        let mut tail = String::new();
        let mut width = row.fields.len();
        for (column, new) in fields {
            if self.value(row, column) == new {
                continue;
            }
            match row.fields.get(column) {
                Some(range) => {
                    let quoted = self.text[range.clone()].starts_with('"');
                    edits.replace(range.clone(), field_text(new.as_deref(), self.separator, quoted));
                }
                None => {
                    let missing = (column + 1).saturating_sub(width);
                    tail.extend(std::iter::repeat_n(self.separator, missing));
                    tail.push_str(&field_text(new.as_deref(), self.separator, false));
                    width = column + 1;
                }
            }
        }
        if !tail.is_empty() {
            edits.replace(row.end()..row.end(), tail);
        }
    }

    fn new_row(&self, id: String, fields: Vec<(usize, Option<String>)>) -> String {
        let mut all = vec![None; self.columns.len()];
        all[self.id] = Some(id);
        for (column, text) in fields {
            all[column] = text;
        }
        let all: Vec<Option<&str>> = all.iter().map(Option::as_deref).collect();
        row_text(&all, self.separator, self.quoted)
    }
}

/// Finds the separator and the header, and takes the rest apart.
fn open(bytes: &[u8], profile: &Profile, limits: Limits) -> Result<Sheet, FileError> {
    if bytes.len() as u64 > limits.total {
        return Err(
            FileError::new("the file is too large").hint(format!("the limit is {} bytes", limits.total))
        );
    }
    let text = text::decode(bytes, text::by_mark(bytes))?;
    let mut start = text::after_mark(&text);
    let mut separators = vec![',', ';', '\t'];
    // The first line `sep=;` is how a sheet program is told the separator.
    let first_line = text[start..].lines().next().unwrap_or_default();
    if let Some(named) = first_line.strip_prefix("sep=").filter(|named| named.chars().count() == 1) {
        separators = named.chars().collect();
        start = scan(&text, start, '\n', 1, limits)?.first().map_or(start, |row| row.span.end);
    }
    let mut best: Option<(char, usize, Vec<String>)> = None;
    let mut error = None;
    for separator in separators {
        let Ok(rows) = scan(&text, start, separator, HEADER_ROWS, limits) else { continue };
        let mut widest = 0;
        for (index, row) in rows.iter().enumerate() {
            let names = names(&text, row);
            let header = profile.header(&names, widest);
            let filled = names.iter().filter(|name| !name.trim().is_empty()).count();
            widest = widest.max(filled);
            match header {
                Ok(_) => {
                    if best.as_ref().is_none_or(|(_, _, other)| names.len() > other.len()) {
                        best = Some((separator, index, names));
                    }
                    break;
                }
                Err(_) if row.is_blank() => {}
                Err(why) => {
                    // The row with the most names is the likeliest header, so its error helps most.
                    if error.as_ref().is_none_or(|(width, _)| filled > *width) {
                        error = Some((filled, why.at(Spot::Line(row.line, 1))));
                    }
                }
            }
        }
    }
    let Some((separator, header, mut columns)) = best else {
        // A quote that is never closed hides the header for every separator.
        scan(&text, start, ',', HEADER_ROWS, limits)?;
        return Err(error.map_or_else(
            || FileError::new("the table is empty").hint("the first row names the columns"),
            |(_, why)| why,
        ));
    };
    let mut rows = scan(&text, start, separator, usize::MAX, limits)?;
    let head = rows.drain(..=header).next_back();
    let end = head.as_ref().map_or("", |row| &text[row.end()..row.span.end]);
    let line_end = ["\r\n", "\n", "\r"].into_iter().find(|kind| *kind == end).unwrap_or("\n");
    let quoted = head.is_some_and(|row| row.fields.iter().all(|range| text[range.clone()].starts_with('"')));
    let id = profile.id_column(&columns)?;
    let width = rows.iter().map(|row| row.fields.len()).max().unwrap_or(0);
    if width.saturating_mul(rows.len()) > limits.nodes {
        return Err(FileError::new("the table has too many cells"));
    }
    columns.resize(columns.len().max(width), String::new());
    Ok(Sheet { text, separator, line_end, quoted, columns, id, rows })
}

/// The first `most` rows from `start` on.
fn scan(
    text: &str,
    start: usize,
    separator: char,
    most: usize,
    limits: Limits,
) -> Result<Vec<Row>, FileError> {
    let rows = rows(text, start, separator).limited(limits.nodes).take(most);
    rows.map(|row| row.map_err(|broken| FileError::new(broken.to_string()).at(text::spot(text, broken.at))))
        .collect()
}

/// The text of a field: none if there is nothing at all.
fn value(text: &str, range: &Range<usize>) -> Option<String> {
    (!range.is_empty()).then(|| base::csv::value(&text[range.clone()]).into_owned())
}

fn names(text: &str, row: &Row) -> Vec<String> {
    row.fields.iter().map(|range| value(text, range).unwrap_or_default()).collect()
}

fn row_text(fields: &[Option<&str>], separator: char, quoted: bool) -> String {
    let mut text = String::new();
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push(separator);
        }
        text.push_str(&field_text(*field, separator, quoted));
    }
    text
}

/// A field, with quotes if it needs them.
fn field_text(field: Option<&str>, separator: char, quoted: bool) -> String {
    let Some(field) = field else { return String::new() };
    let needed = field.is_empty()
        || field.contains([separator, '"', '\n', '\r'])
        || field.starts_with(|c: char| c.is_whitespace() || c == '\u{feff}')
        || field.ends_with(char::is_whitespace)
        || field.starts_with("sep=");
    if quoted || needed { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}

#[cfg(test)]
mod tests;
