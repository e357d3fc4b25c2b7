//! Rows and fields of separated text as byte ranges, so that a change can keep every byte around it.
//!
//! A quote opens a quoted field only at the start of it, and a doubled quote inside is one quote. A row ends with `\n`, `\r\n`
//! or `\r`; an empty line is a row with one empty field.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// One row of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The whole row with its line end.
    pub span: Range<usize>,
    /// Its fields with their quotes; at least one.
    pub fields: Vec<Range<usize>>,
    /// The line of its first character, from 1.
    pub line: usize,
}

impl Row {
    /// Where the line end begins.
    pub fn end(&self) -> usize {
        self.fields.last().map_or(self.span.start, |field| field.end)
    }

    /// Whether all its fields are empty and without quotes.
    pub fn is_blank(&self) -> bool {
        self.fields.iter().all(Range::is_empty)
    }

    /// Whether it is an empty line.
    pub fn is_empty(&self) -> bool {
        self.fields.len() == 1 && self.is_blank()
    }
}

/// Why there are no more rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// Where it was found: the byte at which a field begins.
    pub at: usize,
    /// The line of the first character of the row, from 1.
    pub line: usize,
    /// Whether a quote is never closed; otherwise there are more fields than the limit.
    pub is_unclosed: bool,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let unclosed = self.is_unclosed;
        f.write_str(if unclosed {
            "a quotation mark is never closed"
        } else {
            "the table has too many cells"
        })
    }
}

impl std::error::Error for Broken {}

/// The rows of a text from a byte on; the last one may be an error.
///
/// ```
/// use shall_base::csv::{rows, value};
/// let text = "a,\"b \"\"c\"\"\"\nd";
/// let fields = rows(text, 0, ',').flat_map(|row| row.expect("quotes are closed").fields);
/// assert_eq!(fields.map(|field| value(&text[field])).collect::<Vec<_>>(), ["a", "b \"c\"", "d"]);
/// ```
pub fn rows(text: &str, start: usize, separator: char) -> Rows<'_> {
    let line = 1 + line_ends(&text.as_bytes()[..start]);
    Rows { text, separator, at: start, line, room: usize::MAX }
}

/// See [`rows`].
#[derive(Debug, Clone)]
pub struct Rows<'t> {
    text: &'t str,
    separator: char,
    at: usize,
    line: usize,
    /// How many more fields there may be.
    room: usize,
}

impl Rows<'_> {
    /// The same rows, up to this number of fields in all.
    pub fn limited(self, fields: usize) -> Self {
        Rows { room: fields, ..self }
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        let mut mark = [0; 4];
        let separator = self.separator.encode_utf8(&mut mark).as_bytes();
        let (start, line) = (self.at, self.line);
        if start >= bytes.len() {
            return None;
        }
        let (mut at, mut fields) = (start, Vec::new());
        loop {
            let from = at;
            let after_quotes = match bytes.get(at) {
                Some(b'"') => closing_quote(bytes, at + 1),
                _ => Some(at),
            };
            let (Some(end), Some(room)) = (after_quotes, self.room.checked_sub(1)) else {
                self.at = bytes.len();
                return Some(Err(Broken { at: from, line, is_unclosed: after_quotes.is_none() }));
            };
            (at, self.room) = (end, room);
            let ends = |at: usize| matches!(bytes.get(at), None | Some(b'\n' | b'\r'));
            while !ends(at) && !bytes[at..].starts_with(separator) {
                at += 1;
            }
            fields.push(from..at);
            if ends(at) {
                break;
            }
            at += separator.len();
        }
        at += match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(_), _) => 1,
            (None, _) => 0,
        };
        (self.at, self.line) = (at, line + line_ends(&bytes[start..at]));
        Some(Ok(Row { span: start..at, fields, line }))
    }
}

/// What a field with its quotes means: its text, and what comes after a closing quote (which most readers append).
pub fn parts(field: &str) -> (Cow<'_, str>, &str) {
    let Some(end) = field.strip_prefix('"').and_then(|_| closing_quote(field.as_bytes(), 1)) else {
        return (field.into(), "");
    };
    let inside = &field[1..end - 1];
    (if inside.contains('"') { inside.replace("\"\"", "\"").into() } else { inside.into() }, &field[end..])
}

/// The text of a field with its quotes.
pub fn value(field: &str) -> Cow<'_, str> {
    let (text, rest) = parts(field);
    text + rest
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

fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown: Vec<String> = rows(text, 0, ',')
            .map(|row| match row {
                Ok(row) => {
                    let fields = row.fields.into_iter().map(|field| value(&text[field]));
                    format!("{}:{}", row.line, fields.collect::<Vec<_>>().join("|"))
                }
                Err(Broken { at, line, is_unclosed }) => format!("{line}! {at} {is_unclosed}"),
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{text:?}");
    }

    #[test]
    fn rows_and_fields() {
        check("", "");
        check("a,b\n1,2\n", "1:a|b 2:1|2");
        check("a,b\r\n\r\n1,\r\n", "1:a|b 2: 3:1|");
        check("a\rb", "1:a 1:b");
        check("\"a,b\",\"c\"\"d\"\n\"x\ny\",z\nw", "1:a,b|c\"d 2:x\ny|z 4:w");
        check("\"\",\"\"\"\"", "1:|\"");
        check("a\n\"x\ny\",\"b", "1:a 2! 8 true");
        check("\"a\"b,c\"d\"", "1:ab|c\"d\"");
        check("ä,\"ö\"", "1:ä|ö");
    }
}
