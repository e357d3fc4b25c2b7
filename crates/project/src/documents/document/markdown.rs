//! Markdown to requirements and tables. The structure is CommonMark's, read by a complete parser; only blocks at
//! the top level count, so a sentence in a quotation or a list is prose.

use super::codes;
use super::table;
use super::{
    Attribute, Document, Entry, Heading, Language, MAX_BYTES, Sentence, field, has_digit, span, split_id,
};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use requirement::Field;
use std::ops::Range;
use syntax::{Diagnostic, Span};

/// A block at the top level of a document.
enum Block {
    Heading(u8),
    /// A fenced block of one of our languages, and its content.
    Sentence(Language, Option<Range<usize>>),
    /// The items.
    List(Vec<Range<usize>>),
    /// The cells, row by row; the first row is the head.
    Table(Vec<Vec<Range<usize>>>),
    Prose,
}

pub(super) fn read(document: &mut Document) {
    if document.text.len() > MAX_BYTES {
        let message = format!("the document has more than {MAX_BYTES} bytes");
        let hint = "split it into several documents";
        document.diagnostics.push(Diagnostic::new(syntax::codes::TOO_LONG, Span::new(0, 0), message, hint));
        return;
    }
    let blocks = blocks(&document.text);
    let mut path: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < blocks.len() {
        let length =
            blocks[at + 1..].iter().take_while(|(block, _)| !matches!(block, Block::Heading(_))).count();
        let body = &blocks[at + 1..at + 1 + length];
        match &blocks[at] {
            (Block::Heading(level), range) => {
                let end = blocks.get(at + 1 + length).map_or(document.text.len(), |(_, next)| next.start);
                let heading = heading(&document.text, *level, range);
                let above =
                    matches!(blocks.get(at + 1 + length), Some((Block::Heading(next), _)) if next > level);
                path.retain(|&above| document.headings[above].level < *level);
                path.push(document.headings.len());
                document.headings.push(heading);
                let is_title = *level == 1 && above;
                section(document, body, &path, range.start..end, is_title);
            }
            (Block::Sentence(..) | Block::List(_) | Block::Table(_) | Block::Prose, _) => {
                section(document, &blocks[at..at + 1 + length], &path, 0..0, false);
            }
        }
        at += 1 + length;
    }
}

/// What is under one heading; `is_title` if it is at the top and others are below it.
fn section(
    document: &mut Document,
    body: &[(Block, Range<usize>)],
    path: &[usize],
    whole: Range<usize>,
    is_title: bool,
) {
    let heading = path.last().filter(|_| whole.end > 0).map(|&at| document.headings[at].clone());
    let sentences: Vec<(Language, &Range<usize>, Range<usize>)> = body
        .iter()
        .filter_map(|(block, range)| match block {
            Block::Sentence(language, content) => {
                let content = content.clone().unwrap_or_else(|| inside(&document.text, range));
                Some((*language, range, content))
            }
            Block::Heading(_) | Block::List(_) | Block::Table(_) | Block::Prose => None,
        })
        .collect();
    for (block, range) in body {
        if let Block::Table(rows) = block {
            let above: Vec<&Heading> = path.iter().map(|&at| &document.headings[at]).collect();
            if let Some(table) = table::read(&document.text, rows, range, &above, &mut document.diagnostics) {
                document.tables.push(table);
            }
        }
    }
    let named = heading.as_ref().and_then(|heading| {
        let (id, title) = split_id(&heading.text.text)?;
        // A component may have a digit in its name: `## Pump2` above its variables is not a requirement.
        let component =
            document.tables.iter().any(|table| table.component.span.start == heading.text.span.start);
        let word = &heading.text.text[id.clone()];
        let has_colon = heading.text.text.contains(':');
        let has_attributes = body.iter().any(
            |(block, _)| matches!(block, Block::List(items) if attributes(&document.text, items).is_some()),
        );
        // A title may have a digit in it as well, and so has `## 1.2.0` in a list of changes.
        let is_chapter = !has_colon && (is_title && !has_attributes || is_number(word));
        let numbered = has_digit(word) && !component && !is_chapter;
        (!sentences.is_empty() || numbered).then_some((id, title))
    });
    let (Some(heading), Some((id, title))) = (&heading, named) else {
        for (_, range, _) in &sentences {
            let span = first_line(&document.text, range);
            let hint = "put it under a heading that begins with an id: `## AP-003: Roll hold reference`";
            document.diagnostics.push(Diagnostic::new(codes::NO_ID, span, "this sentence has no id", hint));
        }
        return;
    };
    for (_, range, _) in sentences.iter().skip(1) {
        let span = first_line(&document.text, range);
        let message = format!("`{}` already has a sentence", &heading.text.text[id.clone()]);
        let hint = "give this one its own heading and id";
        document.diagnostics.push(Diagnostic::new(codes::SEVERAL_SENTENCES, span, message, hint));
    }
    let offset = heading.text.span.start as usize;
    let within = |range: Range<usize>| field(&document.text, offset + range.start..offset + range.end);
    let mut entry = Entry {
        id: within(id),
        title: title.map(within),
        section: span(&whole),
        heading: heading.span,
        prose: Vec::new(),
        sentence: sentences.first().map(|(language, block, content)| Sentence {
            language: *language,
            block: span(block),
            span: solid(&document.text, content.clone()),
        }),
        attributes: Vec::new(),
    };
    let mut seen = entry.sentence.is_none();
    for (block, range) in body {
        match block {
            Block::Sentence(..) => seen = true,
            Block::List(items) => match seen.then(|| attributes(&document.text, items)).flatten() {
                Some(attributes) => entry.attributes.extend(attributes),
                None => entry.prose.push(span(range)),
            },
            Block::Prose => entry.prose.push(span(range)),
            Block::Table(_) | Block::Heading(_) => {}
        }
    }
    document.entries.push(entry);
}

/// Whether a word is the number of a version or a chapter: `1.2.0`, `v2`.
pub(crate) fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['v', 'V']).unwrap_or(word);
    digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The blocks at the top level, each with its bytes.
fn blocks(text: &str) -> Vec<(Block, Range<usize>)> {
    let mut blocks: Vec<(Block, Range<usize>)> = Vec::new();
    let mut depth = 0_usize;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                depth += 1;
                if depth == 1 {
                    blocks.push((opened(&tag), range));
                } else if let Some((block, _)) = blocks.last_mut() {
                    match (block, tag) {
                        (Block::List(items), Tag::Item) if depth == 2 => items.push(range),
                        (Block::Table(rows), Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
                        (Block::Table(rows), Tag::TableCell) => {
                            if let Some(row) = rows.last_mut() {
                                row.push(range);
                            }
                        }
                        (
                            Block::List(_)
                            | Block::Table(_)
                            | Block::Heading(_)
                            | Block::Sentence(..)
                            | Block::Prose,
                            _,
                        ) => {}
                    }
                }
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(_) => {
                if let (1, Some((Block::Sentence(_, content), _))) = (depth, blocks.last_mut()) {
                    content.get_or_insert(range.clone()).end = range.end;
                }
            }
            _ if depth == 0 => blocks.push((Block::Prose, range)),
            _ => {}
        }
    }
    blocks
}

fn opened(tag: &Tag) -> Block {
    match tag {
        Tag::Heading { level, .. } => Block::Heading(*level as u8),
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => match Language::of(info) {
            Some(language) => Block::Sentence(language, None),
            None => Block::Prose,
        },
        Tag::List(None) => Block::List(Vec::new()),
        Tag::Table(_) => Block::Table(Vec::new()),
        _ => Block::Prose,
    }
}

/// Where the text of a block without any would begin.
fn inside(text: &str, block: &Range<usize>) -> Range<usize> {
    let at = text[block.clone()].find('\n').map_or(block.end, |line| block.start + line + 1);
    at..at
}

fn heading(text: &str, level: u8, range: &Range<usize>) -> Heading {
    let line = text.get(range.clone()).unwrap_or_default();
    let first = line.trim_start().split(['\n', '\r']).next().unwrap_or_default();
    let inner = match first.trim_start().starts_with('#') {
        true => {
            let inner = first.trim().trim_start_matches('#').trim();
            // A closing row of `#` has a space before it.
            let open = inner.trim_end_matches('#');
            if open.is_empty() || open.ends_with(char::is_whitespace) { open.trim_end() } else { inner }
        }
        false => first.trim(),
    };
    let start = range.start + line.find(inner).unwrap_or(0);
    Heading { level, span: span(range), text: field(text, start..start + inner.len()) }
}

/// Whether a text can be the name of an attribute: a few words of letters and digits.
pub(crate) fn is_attribute_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_-. ".contains(c);
    !name.is_empty() && name.trim() == name && name.chars().all(plain) && name.split(' ').count() <= 5
}

/// The items of a list, if each of them is `name: value`.
fn attributes(text: &str, items: &[Range<usize>]) -> Option<Vec<Attribute>> {
    items.iter().map(|item| attribute(text, item)).collect()
}

fn attribute(text: &str, item: &Range<usize>) -> Option<Attribute> {
    let raw = text.get(item.clone())?;
    let marker = raw.find(['-', '*', '+'])? + 1;
    let name_start = marker + (raw[marker..].len() - raw[marker..].trim_start().len());
    let colon = name_start + raw[name_start..].find(':')?;
    let name = &raw[name_start..colon];
    if !is_attribute_name(name) {
        return None;
    }
    let rest = &raw[colon + 1..];
    let value_start = colon + 1 + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
    let value_end = raw.trim_end().len().max(value_start.min(raw.len()));
    let value_start = value_start.min(value_end);
    let mut lines = raw[value_start..value_end].lines();
    let mut value = lines.next().unwrap_or_default().trim_end_matches(['\r']).to_string();
    for line in lines {
        value.push('\n');
        let indentation = line.len() - line.trim_start_matches(' ').len();
        value.push_str(&line[indentation.min(2)..]);
    }
    let at = |offset: usize| (item.start + offset) as u32;
    Some(Attribute {
        name: Field { text: name.to_string(), span: Span::new(at(name_start), at(colon)) },
        value: Field { text: value, span: Span::new(at(value_start), at(value_end)) },
        item: span(item),
    })
}

/// A range without the white space around it.
fn solid(text: &str, range: Range<usize>) -> Span {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_start().len());
    Span::new(start as u32, (start + inner.trim().len()) as u32)
}

fn first_line(text: &str, range: &Range<usize>) -> Span {
    let line = text.get(range.clone()).unwrap_or_default().lines().next().unwrap_or_default();
    Span::new(range.start as u32, (range.start + line.len()) as u32)
}
