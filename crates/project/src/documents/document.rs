//! A requirement document in Markdown: headings with ids, prose, one fenced sentence each, attributes as a list, and the
//! variables of components as tables.
//!
//! Reading never fails and keeps the text; everything it finds is a span of it, so that an edit changes its own bytes only.
//! A heading is a requirement if its section has a fenced block of a language we know, or if it begins with an id that has
//! a digit in it (`AP-003b: Roll hold reference`); every other heading is a chapter, and so is the title of a document
//! (`# demo2` above other headings) and a mere number (`## 1.2.0`), unless a colon comes after it.

pub mod codes;
mod markdown;
mod plain;
mod table;

pub(crate) use markdown::{is_attribute_name, is_number};
pub use table::{Column, Declaration, Row, Table};

use requirement::Field;
use requirement::specification::ContractRole;
use syntax::{Diagnostic, Span};

/// The attribute that says what a requirement is in the contract of its component.
pub(crate) const ROLE: &str = "role";

/// A longer text is not read; spans are 32 bits.
pub const MAX_BYTES: usize = 1 << 30;

/// A document: its text, and what was found in it, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The path, relative to the project.
    pub name: String,
    /// The text, every byte of it.
    pub text: String,
    /// The requirements.
    pub entries: Vec<Entry>,
    /// The tables of variables.
    pub tables: Vec<Table>,
    /// All headings, for outlines.
    pub headings: Vec<Heading>,
    /// What is wrong with the document itself.
    pub diagnostics: Vec<Diagnostic>,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The whole line.
    pub span: Span,
    /// What it says.
    pub text: Field,
}

/// A requirement of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: Field,
    /// What comes after the id.
    pub title: Option<Field>,
    /// From the heading to the next one.
    pub section: Span,
    /// The heading; empty in plain files.
    pub heading: Span,
    /// The paragraphs that are neither sentence nor attributes, each one a span of whole lines.
    pub prose: Vec<Span>,
    /// The sentence, if it has one.
    pub sentence: Option<Sentence>,
    /// The attributes, in order.
    pub attributes: Vec<Attribute>,
}

/// The sentence of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// What it is written in.
    pub language: Language,
    /// The block with its fences.
    pub block: Span,
    /// The text between the fences, without white space around it.
    pub span: Span,
}

/// The languages of sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// FRETish.
    Fretish,
    /// SysReq-CNL.
    SysReq,
}

/// An attribute of a requirement: `- name: value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: Field,
    /// Its value; further lines of the item are lines of the value, without their indentation.
    pub value: Field,
    /// The whole item with its line ends.
    pub item: Span,
}

impl Language {
    /// The word after the fence.
    pub fn name(self) -> &'static str {
        match self {
            Language::Fretish => "fretish",
            Language::SysReq => "sysreq",
        }
    }

    fn of(info: &str) -> Option<Language> {
        let word = info.split_whitespace().next().unwrap_or_default();
        [Language::Fretish, Language::SysReq]
            .into_iter()
            .find(|known| word.eq_ignore_ascii_case(known.name()))
    }
}

impl Document {
    /// Reads a document: Markdown, or one sentence per line if the name ends in `.fretish`.
    pub fn read(name: impl Into<String>, text: impl Into<String>) -> Document {
        let mut document = Document { name: name.into(), text: text.into(), ..Document::default() };
        if document.name.ends_with(".fretish") {
            plain::read(&mut document);
        } else {
            markdown::read(&mut document);
        }
        document
    }

    /// A piece of the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The ids of the parents of a requirement, each with its place.
    pub fn parents(&self, entry: &Entry) -> Vec<Field> {
        let attribute = entry.parent_attribute();
        attribute.map_or(Vec::new(), |found| listed(self.slice(found.value.span), found.value.span.start))
    }

    /// The prose of a requirement: its paragraphs, with an empty line between them.
    pub fn rationale(&self, entry: &Entry) -> String {
        let paragraphs: Vec<&str> = entry.prose.iter().map(|&span| self.slice(span).trim_end()).collect();
        paragraphs.join("\n\n")
    }
}

impl Entry {
    /// The attribute with this name, in any case.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name.text.eq_ignore_ascii_case(name))
    }

    /// The ids of its parents: `- parent: A, B`. Where the value has several lines each id has the span of all of it;
    /// [`Document::parents`] knows better.
    pub fn parents(&self) -> Vec<Field> {
        let Some(attribute) = self.parent_attribute() else { return Vec::new() };
        let Field { text, span } = &attribute.value;
        let mut parents = listed(text, span.start);
        if (span.end - span.start) as usize != text.len() {
            parents.iter_mut().for_each(|parent| parent.span = *span);
        }
        parents
    }

    /// What it is in the contract of its component: as `- role: assumption` says, otherwise as its id does.
    pub fn role(&self) -> ContractRole {
        let stated = self.attribute(ROLE).and_then(|role| ContractRole::parse(&role.value.text));
        stated.unwrap_or_else(|| ContractRole::of_id(&self.id.text))
    }

    fn parent_attribute(&self) -> Option<&Attribute> {
        self.attribute("parent").or_else(|| self.attribute("parents"))
    }
}

/// The pieces between commas, in a text that begins at this byte.
fn listed(text: &str, start: u32) -> Vec<Field> {
    let mut pieces = Vec::new();
    let mut at = start;
    for piece in text.split(',') {
        let id = piece.trim();
        let start = at + (piece.len() - piece.trim_start().len()) as u32;
        if !id.is_empty() {
            pieces.push(Field { text: id.to_string(), span: Span::new(start, start + id.len() as u32) });
        }
        at += piece.len() as u32 + 1;
    }
    pieces
}

/// The id at the start of a heading or line, and what comes after it: `AP-003b: Roll hold`, `AP-003b`. Offsets are those
/// of the text that was given.
fn split_id(text: &str) -> Option<(std::ops::Range<usize>, Option<std::ops::Range<usize>>)> {
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len();
    let solid = text.get(start..end)?;
    let (id, title) = match solid.split_once(':') {
        Some((id, title)) => (id.trim_end(), Some(title)),
        None => (solid, None),
    };
    if id.is_empty() || id.contains(char::is_whitespace) {
        return None;
    }
    let title = title.filter(|title| !title.trim().is_empty()).map(|title| {
        let at = end - title.trim_start().len();
        at..end
    });
    Some((start..start + id.len(), title))
}

fn has_digit(id: &str) -> bool {
    id.contains(|c: char| c.is_ascii_digit())
}

fn span(range: &std::ops::Range<usize>) -> Span {
    Span::new(range.start as u32, range.end as u32)
}

fn field(text: &str, range: std::ops::Range<usize>) -> Field {
    Field { text: text.get(range.clone()).unwrap_or_default().to_string(), span: span(&range) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was found, as text.
    fn outline(document: &Document) -> String {
        let mut out = String::new();
        for entry in &document.entries {
            out += &entry.id.text;
            out += &entry.title.as_ref().map_or(String::new(), |title| format!(" ({})", title.text));
            if let Some(sentence) = entry.sentence {
                out += &format!(" {}=[{}]", sentence.language.name(), document.slice(sentence.span));
            }
            for attribute in &entry.attributes {
                out += &format!(" {}={:?}", attribute.name.text, attribute.value.text);
                assert_eq!(document.slice(attribute.name.span), attribute.name.text);
            }
            let rationale = document.rationale(entry);
            out += &if rationale.is_empty() { String::new() } else { format!(" {rationale:?}") };
            assert_eq!(document.slice(entry.id.span).is_empty(), entry.id.span.start == entry.id.span.end);
            out.push('\n');
        }
        for table in &document.tables {
            assert_eq!(document.slice(table.component.span), table.component.text);
            for row in &table.rows {
                let Declaration { name, kind, ty, unit, definition, phrase, description } = &row.declaration;
                let kind = kind.map_or("?", Kind::name);
                let ty = ty.as_ref().map_or("?".to_string(), ToString::to_string);
                out += &format!("{}.{} {kind} {ty}", table.component.text, name.text);
                out += &unit.as_ref().map_or(String::new(), |unit| format!(" [{unit}]"));
                out += &definition.as_ref().map_or(String::new(), |definition| format!(" := {definition}"));
                out += &phrase.as_ref().map_or(String::new(), |phrase| format!(" «{}»", phrase.text));
                out += &if description.is_empty() { String::new() } else { format!(" {description:?}") };
                out.push('\n');
            }
        }
        for found in &document.diagnostics {
            out += &format!("{} {:?}\n", found.code.id(), document.slice(found.span));
        }
        out
    }
    use requirement::specification::Kind;

    #[test]
    fn documents() {
        for (text, expected) in [
            ("", ""),
            ("# Pump\n\nProse.\n", ""),
            (
                "## P-1: Fill\n\nWhy.\n\nMore.\n\n```fretish\nthe pump shall always satisfy x\n```\n\n- parent: P-0\n- note: a\n  b\n",
                "P-1 (Fill) fretish=[the pump shall always satisfy x] parent=\"P-0\" note=\"a\\nb\" \"Why.\\n\\nMore.\"\n",
            ),
            (
                "## P-1\r\n\r\n```fretish\r\nx\r\n```\r\n\r\n- a: b\r\n- c:\r\n",
                "P-1 fretish=[x] a=\"b\" c=\"\"\n",
            ),
            (
                "## P-0: The pump moves water\n\n- status: draft\n",
                "P-0 (The pump moves water) status=\"draft\"\n",
            ),
            ("## Safe: now\n\n```sysreq\nWhen\n```\n", "Safe (now) sysreq=[When]\n"),
            ("## Chapter: one\n\ntext\n", ""),
            ("## A1 ##\n\n## A2#\n\nA3#\n==\n", "A1\nA2#\nA3#\n"),
            ("## A1\n\n- first point\n- second: x\n", "A1 \"- first point\\n- second: x\"\n"),
            ("## A1\n\n- a: b\n\n```fretish\nx\n```\n- c: d", "A1 fretish=[x] c=\"d\" \"- a: b\"\n"),
            ("A1\n===\n\n~~~ fretish\nx\n~~~\n", "A1 fretish=[x]\n"),
            ("## A1\n\n```fretish\n```\n", "A1 fretish=[]\n"),
            ("## A1\n\n```fretish\nx", "A1 fretish=[x]\n"),
            ("## A1\n\n```fretish\nx\n```\n\n```fretish\ny\n```\n", "A1 fretish=[x]\nE0502 \"```fretish\"\n"),
            ("## Two words\n\n```fretish\nx\n```\n", "E0501 \"```fretish\"\n"),
            ("```fretish\nx\n```\n", "E0501 \"```fretish\"\n"),
            ("> ## A1\n>\n> ```fretish\n> x\n> ```\n", ""),
            (
                "## größe1: Größe ≤ 3\n\n```fretish\n速度 > 3\n```\n",
                "größe1 (Größe ≤ 3) fretish=[速度 > 3]\n",
            ),
            (
                "# Pump\n\n| Name | Kind | Type | Unit | Definition | Description | Row |\n|---|---|---|---|---|---|---|\n\
                 | `x` | input | int 0..10 | kg | | mass | 3 |\n| m | mode | bool | | `a \\| b` |\n|  | input |\n| z | what | rail |\n",
                "Pump.x input int 0..10 [kg] \"mass\"\nPump.m mode bool := a | b\nPump.z ? ?\nE0503 \"what\"\nE0504 \"rail\"\n",
            ),
            (
                "# Door\n\n|name|phrase|\n|-|-|\n|door_open| the door is open |\n|x||\n",
                "Door.door_open ? ? «the door is open»\nDoor.x ? ?\n",
            ),
            ("# Component Pump\n\n## Variables\n\n|name|\n|-|\n|y|\n", "Pump.y ? ?\n"),
            ("## Variables of the_pump\n\n|variable|kind|\n|-|-|\n|y|OUTPUT|\n", "the_pump.y output ?\n"),
            ("## Pump2\n\n|name|\n|-|\n|y|\n", "Pump2.y ? ?\n"),
            ("# demo2\n\ntext\n\n## Pump\n\n# B2\n", "B2\n"),
            ("# A1\n\n- status: open\n\n## A2\n", "A1 status=\"open\"\nA2\n"),
            ("# A1: top\n\n## A2\n", "A1 (top)\nA2\n"),
            (
                "# Changes\n\n## 1.2.0\n\n- Added: x\n\n## v2\n\n## 3\n\n## 4:\n\n## 5: five\n",
                "4\n5 (five)\n",
            ),
            ("## 1.2.0\n\n```fretish\nx\n```\n", "1.2.0 fretish=[x]\n"),
            ("# Component Variables\n\n|name|\n|-|\n|y|\n", "Variables.y ? ?\n"),
            ("|name|\n|-|\n|y|\n", ""),
            ("# Pump\n\n|colour|\n|-|\n|y|\n", ""),
        ] {
            assert_eq!(outline(&Document::read("a.md", text)), expected, "{text}");
        }
    }

    #[test]
    fn plain_files() {
        for (text, expected) in [
            ("x shall satisfy y\n", "line1 fretish=[x shall satisfy y]\n"),
            (
                "# note\n\nA-1: x shall\n  satisfy y\nB2 : z",
                "A-1 fretish=[x shall\n  satisfy y]\nB2 fretish=[z]\n",
            ),
        ] {
            assert_eq!(outline(&Document::read("a.fretish", text)), expected, "{text}");
        }
    }

    #[test]
    fn roles() {
        for (text, expected) in [
            ("## A1\n", "guarantee"),
            ("## A1\n\n- role: assumption\n", "assumption"),
            ("## A1\n\n- Role: Assumption\n", "assumption"),
            ("## A1\n\n- role: something\n", "guarantee"),
            ("## FSM-Assumption-1\n", "assumption"),
            ("## FSM-Assumption-1\n\n- role: guarantee\n", "guarantee"),
        ] {
            assert_eq!(Document::read("a.md", text).entries[0].role().name(), expected, "{text}");
        }
    }

    #[test]
    fn parents_have_places() {
        let document = Document::read("a.md", "## A1\n\n- parent: B-1 , C-2,\n");
        let parents = document.entries[0].parents();
        let shown: Vec<_> =
            parents.iter().map(|parent| (parent.text.as_str(), document.slice(parent.span))).collect();
        assert_eq!(shown, [("B-1", "B-1"), ("C-2", "C-2")]);
        let document = Document::read("a.md", "## A1\r\n\r\n- parent: B-1,\r\n  C-2\r\n");
        for parent in document.parents(&document.entries[0]) {
            assert_eq!(document.slice(parent.span), parent.text);
        }
        assert_eq!(document.entries[0].parents()[1].text, "C-2");
    }
}
