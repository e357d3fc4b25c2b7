//! Rows and fields of separated text as byte ranges. A quote opens a quoted field only at the start of it.

use crate::text::spot;
use crate::{FileError, Limits};
use std::ops::Range;

/// One row of the text.
#[derive(Debug)]
pub(super) struct Row {
    /// All of it with its line end.
    pub(super) span: Range<usize>,
    /// Its fields with their quotes; at least one.
    pub(super) fields: Vec<Range<usize>>,
    /// The line of its first character, from 1.
    pub(super) line: usize,
}

impl Row {
    /// Where the line end begins.
    pub(super) fn end(&self) -> usize {
        self.fields.last().map_or(self.span.start, |range| range.end)
    }
}

/// The first `most` rows from `start` on.
pub(super) fn scan(
    text: &str,
    start: usize,
    separator: char,
    most: usize,
    limits: Limits,
) -> Result<Vec<Row>, FileError> {
    let bytes = text.as_bytes();
    let mut mark = [0; 4];
    let separator = separator.encode_utf8(&mut mark).as_bytes();
    let mut rows = Vec::new();
    let (mut at, mut cells) = (start, 0);
    let mut line = 1 + bytes[..start].iter().filter(|byte| **byte == b'\n').count();
    while at < bytes.len() && rows.len() < most {
        let mut row = Row { span: at..at, fields: Vec::new(), line };
        loop {
            let from = at;
            if bytes.get(at) == Some(&b'"') {
                at = closing_quote(bytes, at + 1)
                    .ok_or_else(|| FileError::new("a quote is never closed").at(spot(text, from)))?;
            }
            while bytes.get(at).is_some_and(|byte| !matches!(byte, b'\n' | b'\r'))
                && !bytes[at..].starts_with(separator)
            {
                at += 1;
            }
            row.fields.push(from..at);
            cells += 1;
            if cells > limits.nodes {
                return Err(FileError::new("the table has too many cells").at(spot(text, from)));
            }
            if !bytes[at..].starts_with(separator) || matches!(bytes.get(at), None | Some(b'\n' | b'\r')) {
                break;
            }
            at += separator.len();
        }
        at += match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(_), _) => 1,
            (None, _) => 0,
        };
        row.span.end = at;
        line += bytes[row.span.clone()].iter().filter(|byte| **byte == b'\n').count();
        rows.push(row);
    }
    Ok(rows)
}

/// The text of a field: none if there is nothing at all.
pub(super) fn value(text: &str, range: &Range<usize>) -> Option<String> {
    let raw = text.get(range.clone())?;
    if !raw.starts_with('"') {
        return Some(raw.to_owned()).filter(|raw| !raw.is_empty());
    }
    let end = closing_quote(raw.as_bytes(), 1)?;
    let inside = raw.get(1..end - 1)?;
    Some(inside.replace("\"\"", "\"") + raw.get(end..)?)
}

/// The byte after the quote that closes a field, for the byte after the quote that opens it.
fn closing_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == b'"')? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}
