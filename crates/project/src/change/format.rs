//! The normal form of documents: sentences, tables of variables, attributes, and one empty line between the blocks of a
//! requirement. Prose and everything else stay as they are, byte for byte.
//!
//! Formatting changes spelling only: edits that would change what is read from a document are refused.

mod sentence;

pub use sentence::sentence;

use crate::document::{Document, Entry, Language};
use crate::edit::{Edit, apply};
use crate::phrases::PhraseBook;
use syntax::Span;

/// The edits that bring a document into normal form; `index` is the document's place in its project.
pub fn edits(document: &Document, index: usize, phrases: &PhraseBook) -> Vec<Edit> {
    let mut edits = Vec::new();
    let newline = if document.text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut put = |span: Span, text: String| {
        if let Some(old) = document.text.get(span.range()).filter(|old| *old != text) {
            edits.push(narrowed(index, span, old, &text));
        }
    };
    for entry in &document.entries {
        if let Some(written) = entry.sentence.filter(|written| written.language == Language::Fretish) {
            let margin = margin(&document.text, written.span.start);
            let text = document.slice(written.span);
            let wanted = sentence(text, &format!("{newline}{margin}  "), &phrases.of_sentence(text));
            put(written.span, wanted);
        }
        for attribute in &entry.attributes {
            put(Span::new(attribute.item.start, attribute.name.span.start), "- ".into());
            let empty = attribute.value.span.start == attribute.value.span.end;
            let blank = Span::new(attribute.name.span.end + 1, attribute.value.span.start);
            put(blank, if empty { String::new() } else { " ".into() });
        }
        for gap in gaps(document, entry) {
            put(gap, newline.repeat(2));
        }
    }
    for written in &document.tables {
        for (span, line) in table_lines(&document.text, written.span) {
            put(span, line);
        }
    }
    let same = apply(&document.text, &edits).is_ok_and(|text| {
        shape(&Document::read(document.name.clone(), text), phrases) == shape(document, phrases)
    });
    if same { edits } else { Vec::new() }
}

/// A new text of a document: in normal form if the document was, as it is otherwise.
pub fn kept(document: &Document, text: String, phrases: &PhraseBook) -> String {
    if !edits(document, 0, phrases).is_empty() {
        return text;
    }
    let edits = edits(&Document::read(document.name.clone(), text.as_str()), 0, phrases);
    apply(&text, &edits).unwrap_or(text)
}

/// The edit without what both texts begin and end with.
fn narrowed(document: usize, span: Span, old: &str, new: &str) -> Edit {
    let same = |(one, other): &(char, char)| one == other;
    let length = |letters: &mut dyn Iterator<Item = (char, char)>| -> usize {
        letters.take_while(same).map(|(letter, _)| letter.len_utf8()).sum()
    };
    let start = length(&mut old.chars().zip(new.chars()));
    let (old, new) = (&old[start..], &new[start..]);
    let end = length(&mut old.chars().rev().zip(new.chars().rev()));
    let span = Span::new(span.start + start as u32, span.end - end as u32);
    Edit { document, span, text: new[..new.len() - end].to_string() }
}

/// The spaces at the beginning of the line with this byte.
fn margin(text: &str, at: u32) -> &str {
    let before = text.get(..at as usize).unwrap_or_default();
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The white space between the blocks of a requirement, from the end of one line to the start of another; what is
/// between two pieces of prose belongs to the prose.
fn gaps(document: &Document, entry: &Entry) -> Vec<Span> {
    if entry.heading.start == entry.heading.end {
        return Vec::new();
    }
    let text = document.text.as_str();
    let mut blocks: Vec<(Span, bool)> = vec![(entry.heading, false)];
    blocks.extend(entry.prose.iter().map(|&span| (span, true)));
    blocks.extend(entry.sentence.map(|sentence| (sentence.block, false)));
    let inside = |span: Span| entry.section.start <= span.start && span.end <= entry.section.end;
    blocks.extend(
        document.tables.iter().map(|table| table.span).filter(|&span| inside(span)).map(|span| (span, true)),
    );
    if let (Some(first), Some(last)) = (entry.attributes.first(), entry.attributes.last()) {
        blocks.push((first.item.to(last.item), false));
    }
    if (entry.section.end as usize) < text.len() {
        blocks.push((Span::new(entry.section.end, entry.section.end), false));
    }
    blocks.sort();
    let mut gaps = Vec::new();
    for pair in blocks.windows(2) {
        let [(above, prose), (below, also_prose)] = pair else { continue };
        let solid = text.get(above.range()).map_or(0, |block| block.trim_end().len()) + above.start as usize;
        let start =
            text.get(solid..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |end| solid + end);
        let end =
            text.get(..below.start as usize).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let blank = text.get(start..end).is_some_and(|gap| !gap.is_empty() && gap.trim().is_empty());
        if blank && !(*prose && *also_prose) {
            gaps.push(Span::new(start as u32, end as u32));
        }
    }
    gaps
}

/// All that a document says, without the spelling that formatting may change.
fn shape(document: &Document, phrases: &PhraseBook) -> Vec<String> {
    let mut shape = Vec::new();
    for entry in &document.entries {
        let title = entry.title.as_ref().map_or("", |title| &title.text);
        shape.push(format!("{} {title:?} {:?}", entry.id.text, document.rationale(entry)));
        shape.extend(entry.sentence.map(|written| {
            let text = document.slice(written.span);
            match written.language {
                Language::Fretish => sentence(text, " ", &phrases.of_sentence(text)),
                Language::SysReq => text.to_string(),
            }
        }));
        for attribute in &entry.attributes {
            shape.push(format!("{}={:?}", attribute.name.text, attribute.value.text));
        }
    }
    for table in &document.tables {
        shape.push(format!("{} {:?}", table.component.text, table.columns));
        for row in &table.rows {
            let texts: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
            shape.push(format!("{texts:?}"));
        }
    }
    shape.extend(document.headings.iter().map(|heading| format!("{} {}", heading.level, heading.text.text)));
    shape.extend(document.diagnostics.iter().map(|found| format!("{} {}", found.code.id(), found.message)));
    shape
}

/// The lines of a table in normal form, every column as wide as its widest cell; each with the line that it stands for; the line ends are outside.
fn table_lines(text: &str, table: Span) -> Vec<(Span, String)> {
    let mut rows = Vec::new();
    let mut start = table.start as usize;
    for line in text.get(table.range()).unwrap_or_default().split_inclusive('\n') {
        let solid = line.trim_end();
        if !solid.is_empty() {
            rows.push((Span::new(start as u32, (start + solid.len()) as u32), cells(solid)));
        }
        start += line.len();
    }
    let columns = rows.first().map_or(0, |(_, cells)| cells.len());
    let is_rule = |row: usize| row == 1;
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().enumerate().filter(|&(row, _)| !is_rule(row));
            cells
                .filter_map(|(_, (_, cells))| cells.get(column))
                .map(|cell| draw::columns(cell))
                .max()
                .unwrap_or(0)
                .max(1)
        })
        .collect();
    let line = |row: usize, cells: &[&str]| {
        let mut line = String::from("|");
        for (column, cell) in cells.iter().enumerate() {
            let width = widths.get(column).copied().unwrap_or(0);
            if is_rule(row) {
                let side = |has: bool| if has { ":" } else { "-" };
                let (left, right) =
                    (side(cell.starts_with(':')), side(cell.len() > 1 && cell.ends_with(':')));
                line.push_str(&format!("{left}{}{right}|", "-".repeat(width)));
            } else {
                let blanks = width.saturating_sub(draw::columns(cell));
                line.push_str(&format!(" {cell}{} |", " ".repeat(blanks)));
            }
        }
        line
    };
    rows.iter().enumerate().map(|(row, (span, cells))| (*span, line(row, cells))).collect()
}

/// The cells of a line, without the spaces around them. A pipe with a backslash before it belongs to its cell.
fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim();
    let inner = inner.strip_prefix('|').unwrap_or(inner);
    let mut cells = Vec::new();
    let mut start = 0;
    let mut escaped = false;
    for (at, letter) in inner.char_indices() {
        if letter == '|' && !escaped {
            cells.push(inner[start..at].trim());
            start = at + 1;
        }
        escaped = letter == '\\' && !escaped;
    }
    if start < inner.len() {
        cells.push(inner[start..].trim());
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str) -> String {
        let document = Document::read("a.md", text);
        apply(text, &edits(&document, 0, &PhraseBook::default())).unwrap_or_default()
    }

    #[test]
    fn edits_are_narrow() {
        let text = "## P-1\n\n```fretish\nthe größe shall  always satisfy x\n```\n";
        let found = edits(&Document::read("a.md", text), 0, &PhraseBook::default());
        let shown: Vec<_> = found.iter().map(|edit| (&text[edit.span.range()], edit.text.as_str())).collect();
        assert_eq!(shown, [(" ", "")]);
    }

    #[test]
    fn documents() {
        for (text, expected) in [
            ("", ""),
            ("# Pump\nProse  \n\n\nMore.", "# Pump\nProse  \n\n\nMore."),
            (
                "## P-1: Fill\nWhy.  \n```fretish\nthe pump  SHALL always satisfy x>3\n```\n\n\n* parent:P-0\n* note:  a\n  b\n## P-2\n",
                "## P-1: Fill\n\nWhy.  \n\n```fretish\nthe pump shall always satisfy x > 3\n```\n\n- parent: P-0\n- note: a\n  b\n\n## P-2\n",
            ),
            (
                "## P-1\r\n```fretish\r\nx\r\n```\r\n- a:b\r\n",
                "## P-1\r\n\r\n```fretish\r\nx\r\n```\r\n\r\n- a: b\r\n",
            ),
            ("## A1\n\n\nOne.\n\n\nTwo.\n", "## A1\n\nOne.\n\n\nTwo.\n"),
            ("## A1\n\n- a :b\n", "## A1\n\n- a :b\n"),
            ("## A1\n- a:\n", "## A1\n\n- a:\n"),
            (
                "# Pump\n|name|kind|definition|\n|-|:-:|--|\n|`größe`|input||\n|速度|mode|`a \\| b`\n\n|other|\n|-|\n|x|\n",
                "# Pump\n| name    | kind  | definition |\n|---------|:-----:|------------|\n| `größe` | input |            |\n\
                 | 速度    | mode  | `a \\| b`   |\n\n|other|\n|-|\n|x|\n",
            ),
        ] {
            let once = formatted(text);
            assert_eq!(once, expected);
            assert_eq!(formatted(&once), once, "again: {text}");
        }
    }
}
