//! Formatted text (XHTML) as plain text, and plain text as XHTML.
//!
//! Plain text keeps what matters: paragraphs, line breaks, list items, cells of tables, names of embedded objects.
//! What [`markup`] writes, [`text`] reads back exactly.

use super::model::XHTML;
use crate::xml::{self, Document, Id};

/// The plain text of formatted content.
pub(super) fn text(document: &Document, content: Id) -> String {
    let mut page = Page::default();
    let mut open: Vec<Id> = Vec::new();
    let mut lists: Vec<Option<usize>> = Vec::new();
    let mut hidden = content;
    let inside = document.inside(content);
    for id in inside.clone().chain([inside.end]) {
        while open.last().is_some_and(|last| document.inside(*last).end <= id) {
            let closed = open.pop().map(|id| document.name(id)).unwrap_or_default();
            page.boundary(gap(closed));
            match closed {
                "ul" | "ol" => drop(lists.pop()),
                "pre" => page.exact -= 1,
                _ => {}
            }
        }
        if id == inside.end || id < hidden {
            continue;
        }
        if let Some(text) = document.text_of(id) {
            page.text(&text);
            continue;
        }
        let name = document.name(id);
        page.boundary(gap(name));
        open.push(id);
        match name {
            "br" => page.line_break(),
            "ul" => lists.push(None),
            "ol" => lists.push(Some(0)),
            "li" => {
                let depth = lists.len().saturating_sub(1);
                let bullet = match lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{number}. ")
                    }
                    _ => "- ".to_owned(),
                };
                page.bullet(&format!("{}{bullet}", "  ".repeat(depth)));
            }
            "td" | "th" => page.cell(),
            "pre" => page.exact += 1,
            "object" => {
                let data = document.attribute(id, "data").unwrap_or_default();
                page.text(&format!("[{data}]"));
                hidden = document.inside(id).end;
            }
            _ => {}
        }
    }
    page.finish()
}

/// Whether content has more than plain text can say: embedded objects or tables.
pub(super) fn is_rich(document: &Document, content: Id) -> bool {
    document.inside(content).any(|id| matches!(document.name(id), "object" | "table" | "img"))
}

/// A plain text as content of THE-VALUE. Texts whose white space would be lost are preformatted.
pub(super) fn markup(text: &str, prefix: Option<&str>) -> String {
    let (p, declared) = match prefix {
        Some(prefix) => (prefix, String::new()),
        None => ("", format!(" xmlns=\"{XHTML}\"")),
    };
    let sound =
        |line: &str| !line.contains(['\t', '\r']) && !line.contains("  ") && line.trim_matches(' ') == line;
    if text.trim_matches('\n') == text && text.split('\n').all(sound) {
        let lines: Vec<String> = text.split('\n').map(xml::escape_text).collect();
        return format!("<{p}div{declared}>{}</{p}div>", lines.join(&format!("<{p}br/>")));
    }
    format!("<{p}div{declared}><{p}pre>{}</{p}pre></{p}div>", xml::escape_text(text))
}

/// The prefix for XHTML, with its colon, that the root of a document declares.
pub(super) fn prefix(document: &Document) -> Option<String> {
    let declared = document.attributes(Document::ROOT).into_iter().find(|(_, value)| value == XHTML)?.0;
    Some(format!("{}:", declared.strip_prefix("xmlns:")?))
}

/// How many line ends keep an element apart from its neighbours.
fn gap(name: &str) -> usize {
    match name {
        "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "blockquote" => 2,
        "div" | "ul" | "ol" | "li" | "dl" | "dt" | "dd" | "table" | "tr" | "pre" | "address" | "hr"
        | "caption" => 1,
        _ => 0,
    }
}

/// A plain text that grows.
#[derive(Default)]
struct Page {
    text: String,
    /// Line ends that are due before the next text.
    due: usize,
    /// A space is due before the next text of the line.
    space: bool,
    /// Open elements with white space that counts.
    exact: usize,
    /// The text up to here is not trimmed.
    kept: usize,
    /// The length of the text after a bullet: no line ends there.
    bulleted: Option<usize>,
}

impl Page {
    fn boundary(&mut self, gap: usize) {
        if gap > 0 && self.bulleted != Some(self.text.len()) {
            self.due = self.due.max(gap);
            self.space = false;
        }
    }

    fn line_break(&mut self) {
        self.flush();
        self.space = false;
        self.text.push('\n');
    }

    fn bullet(&mut self, bullet: &str) {
        self.flush();
        self.text.push_str(bullet);
        self.bulleted = Some(self.text.len());
    }

    fn cell(&mut self) {
        if self.due == 0 && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\t');
            self.space = false;
        }
    }

    fn text(&mut self, text: &str) {
        if self.exact > 0 {
            self.flush();
            self.text.push_str(text);
            self.kept = self.text.len();
            return;
        }
        for c in text.chars() {
            if matches!(c, ' ' | '\t' | '\n' | '\r') {
                self.space = true;
                continue;
            }
            self.flush();
            if std::mem::take(&mut self.space)
                && !self.text.is_empty()
                && !self.text.ends_with(['\n', '\t', ' '])
            {
                self.text.push(' ');
            }
            self.text.push(c);
        }
    }

    /// Writes the line ends that are due; those that are there already count.
    fn flush(&mut self) {
        let due = std::mem::take(&mut self.due);
        if due > 0 && !self.text.is_empty() {
            let there = self.text.bytes().rev().take_while(|byte| *byte == b'\n').count();
            self.text.extend(std::iter::repeat_n('\n', due.saturating_sub(there)));
            self.space = false;
        }
    }

    fn finish(mut self) -> String {
        let end = self.text.trim_end_matches('\n').len().max(self.kept);
        self.text.truncate(end);
        if self.kept == 0 {
            let start = self.text.len() - self.text.trim_start_matches('\n').len();
            self.text.drain(..start);
        }
        self.text
    }
}
