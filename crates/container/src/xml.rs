//! XML as a flat tree over its text: every element and text knows its byte range, so that it can be edited in place.
//!
//! Refused are document types, entities other than the five of XML, characters that XML forbids, and documents that
//! are too deep or too large. Names are compared without their prefix. Nodes are in document order; nothing recurses.

use crate::FileError;
use crate::Limits;
use crate::text::{self, Encoding, spot};
use base::xml::is_allowed;
use quick_xml::events::Event;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

/// The white space of XML.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// The number of a node in its document.
pub type Id = usize;

/// A node of a document.
#[derive(Debug)]
struct Node {
    kind: Kind,
    /// The start tag, or all of a text.
    tag: Range<u32>,
    /// Where the element ends, including its end tag.
    end: u32,
    /// Where the content ends: the start of the end tag.
    inner_end: u32,
    parent: u32,
    /// The first node after this one and everything inside it.
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Element,
    Text,
    Cdata,
}

/// A parsed document.
#[derive(Debug)]
pub struct Document {
    /// The decoded text.
    pub text: String,
    /// The encoding of the file.
    pub encoding: Encoding,
    nodes: Vec<Node>,
}

/// Parses a document; the first node is the root element.
pub fn parse(bytes: &[u8], limits: Limits) -> Result<Document, FileError> {
    let encoding = encoding_of(bytes)?;
    let text = text::decode(bytes, encoding)?;
    if text.len() > u32::MAX as usize / 2 {
        return Err(FileError::new("the document is too large"));
    }
    if let Some((at, c)) = text.char_indices().find(|(_, c)| !is_allowed(*c)) {
        return Err(FileError::new(format!("XML cannot hold the character U+{:04X}", u32::from(c)))
            .at(spot(&text, at)));
    }
    let nodes = build(&text, limits)?;
    Ok(Document { text, encoding, nodes })
}

impl Document {
    /// The root element.
    pub const ROOT: Id = 0;

    /// The name of an element without its prefix; empty for a text node.
    pub fn name(&self, id: Id) -> &str {
        let name = self.qualified(id);
        name.rsplit_once(':').map_or(name, |(_, local)| local)
    }

    /// The prefix of an element with its colon, or nothing.
    pub fn prefix(&self, id: Id) -> &str {
        let name = self.qualified(id);
        name.rfind(':').map_or("", |at| &name[..=at])
    }

    /// The child elements.
    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.contents(id).filter(|child| self.nodes[*child].kind == Kind::Element)
    }

    /// The child elements and texts.
    pub fn contents(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.nodes.get(id).map_or(0, |node| node.next as usize);
        let first = Some(id + 1).filter(|first| *first < end);
        std::iter::successors(first, move |at| Some(self.nodes[*at].next as usize).filter(|next| *next < end))
    }

    /// The first child element with a name.
    pub fn child(&self, id: Id, name: &str) -> Option<Id> {
        self.children(id).find(|child| self.name(*child) == name)
    }

    /// The element at the end of a path of names.
    pub fn path(&self, id: Id, names: &[&str]) -> Option<Id> {
        names.iter().try_fold(id, |at, name| self.child(at, name))
    }

    /// All descendants, in document order.
    pub fn inside(&self, id: Id) -> Range<Id> {
        self.nodes.get(id).map_or(0..0, |node| id + 1..node.next as usize)
    }

    /// The parent element.
    pub fn parent(&self, id: Id) -> Option<Id> {
        self.nodes.get(id).map(|node| node.parent as usize).filter(|parent| *parent != id)
    }

    /// The value of an attribute, by its name without prefix.
    pub fn attribute(&self, id: Id, name: &str) -> Option<String> {
        let range = self.attribute_range(id, name)?;
        Some(attribute_text(&self.text[range]))
    }

    /// The byte range of the value of an attribute, between its quotes.
    pub fn attribute_range(&self, id: Id, name: &str) -> Option<Range<usize>> {
        self.nodes.get(id).filter(|node| node.kind == Kind::Element)?;
        let tag = self.tag(id);
        let (_, value) = attributes(&self.text[tag.clone()]).filter_map(Result::ok).find(|(key, _)| {
            !key.starts_with("xmlns") && key.rsplit_once(':').map_or(*key, |(_, local)| local) == name
        })?;
        Some(tag.start + value.start..tag.start + value.end)
    }

    /// The attributes of an element, with their full names.
    pub fn attributes(&self, id: Id) -> Vec<(&str, String)> {
        let tag = &self.text[self.tag(id)];
        attributes(tag)
            .filter_map(Result::ok)
            .map(|(key, value)| (key, attribute_text(&tag[value])))
            .collect()
    }

    /// The text of a text node; `None` for an element.
    pub fn text_of(&self, id: Id) -> Option<String> {
        let node = self.nodes.get(id)?;
        let raw = self.text[node.tag.start as usize..node.tag.end as usize]
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        match node.kind {
            Kind::Element => None,
            Kind::Text => Some(unescape(&raw)),
            Kind::Cdata => raw.strip_prefix("<![CDATA[")?.strip_suffix("]]>").map(str::to_owned),
        }
    }

    /// All text inside an element, joined.
    pub fn all_text(&self, id: Id) -> String {
        self.inside(id).filter_map(|inner| self.text_of(inner)).collect()
    }

    /// The byte range of an element.
    pub fn span(&self, id: Id) -> Range<usize> {
        let node = &self.nodes[id];
        node.tag.start as usize..node.end as usize
    }

    /// The byte range of the start tag of an element.
    pub fn tag(&self, id: Id) -> Range<usize> {
        let node = &self.nodes[id];
        node.tag.start as usize..node.tag.end as usize
    }

    /// The byte range between the tags; `None` for an empty-element tag.
    pub fn inner(&self, id: Id) -> Option<Range<usize>> {
        let node = &self.nodes[id];
        let one = node.tag.end == node.end;
        (!one).then_some(node.tag.end as usize..node.inner_end as usize)
    }

    /// An error at a node.
    pub fn error(&self, id: Id, message: impl Into<String>) -> FileError {
        FileError::new(message)
            .at(spot(&self.text, self.nodes.get(id).map_or(0, |node| node.tag.start as usize)))
    }

    fn qualified(&self, id: Id) -> &str {
        match self.nodes.get(id) {
            Some(node) if node.kind == Kind::Element => tag_name(&self.text[self.tag(id)]),
            _ => "",
        }
    }
}

/// Escapes text between tags. A carriage return becomes a reference, because parsers would drop it.
pub fn escape_text(text: &str) -> String {
    base::xml::escape(text.chars(), &['\r'])
}

/// Escapes an attribute in double quotes. Line ends and tabs become references, because parsers would read them as spaces.
pub fn escape_attribute(text: &str) -> String {
    base::xml::escape(text.chars(), &['"', '\n', '\t', '\r'])
}

fn build(text: &str, limits: Limits) -> Result<Vec<Node>, FileError> {
    let start = text::after_mark(text);
    if text[start..].starts_with('\u{feff}') {
        return Err(FileError::new("the XML begins with two byte order marks"));
    }
    let mut reader = quick_xml::Reader::from_str(&text[start..]);
    reader.config_mut().check_end_names = true;
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    let position = |at: u64| start + usize::try_from(at).unwrap_or(0);
    loop {
        let before = position(reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            let at = position(reader.error_position());
            FileError::new(format!("the XML is broken: {error}")).at(spot(text, at))
        })?;
        let after = position(reader.buffer_position());
        let fail = |message: &str| FileError::new(message).at(spot(text, before));
        let tag = before as u32..after as u32;
        let number = nodes.len() as u32;
        if nodes.len() >= limits.nodes {
            return Err(fail("the XML has too many elements"));
        }
        let parent = open.last().copied().unwrap_or(0);
        let outside = open.is_empty();
        let piece =
            |kind, next| Node { kind, end: tag.end, inner_end: tag.end, tag: tag.clone(), parent, next };
        match event {
            Event::Start(_) | Event::Empty(_) => {
                if outside && !nodes.is_empty() {
                    return Err(fail("the XML has more than one root element"));
                }
                if open.len() >= limits.depth {
                    return Err(fail("the XML is nested too deeply"));
                }
                let source = &text[before..after];
                if !source.starts_with('<') {
                    return Err(fail("the XML is broken"));
                }
                let mut keys = BTreeSet::new();
                for attribute in attributes(source) {
                    let (key, value) = attribute.map_err(|fault| fail(&fault.to_string()))?;
                    check_references(&source[value]).map_err(|fault| fail(&fault.to_string()))?;
                    if !keys.insert(key) {
                        return Err(fail(&Fault::Twice(key).to_string()));
                    }
                }
                if matches!(event, Event::Start(_)) {
                    open.push(number);
                }
                nodes.push(piece(Kind::Element, number + 1));
            }
            Event::End(_) => {
                let Some(node) = open.pop().and_then(|id| nodes.get_mut(id as usize)) else {
                    return Err(fail("an end tag has no start tag"));
                };
                node.inner_end = tag.start;
                node.end = tag.end;
                node.next = number;
            }
            Event::Text(_) | Event::GeneralRef(_) if !outside => {
                check_references(&text[before..after]).map_err(|fault| fail(&fault.to_string()))?;
                match nodes.last_mut() {
                    // A reference splits a text into several events; together they are one node.
                    Some(last)
                        if last.kind == Kind::Text && last.end == tag.start && last.parent == parent =>
                    {
                        last.tag.end = tag.end;
                        last.end = tag.end;
                    }
                    _ => nodes.push(piece(Kind::Text, number + 1)),
                }
            }
            Event::Text(_) if text[before..after].trim().is_empty() => {}
            Event::CData(_) if !outside => nodes.push(piece(Kind::Cdata, number + 1)),
            Event::Text(_) | Event::GeneralRef(_) | Event::CData(_) => {
                return Err(fail("there is text outside the root element"));
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::DocType(_) => {
                return Err(fail("the XML has a document type (DTD), which is refused")
                    .hint("remove the `<!DOCTYPE …>`: exchanged files do not need it"));
            }
            Event::Eof => break,
        }
    }
    if !open.is_empty() {
        return Err(FileError::new("the XML ends before its elements are closed").at(spot(text, text.len())));
    }
    if nodes.is_empty() {
        return Err(FileError::new("the XML has no element"));
    }
    Ok(nodes)
}

/// The encoding that the bytes declare, by a mark or in the XML declaration.
fn encoding_of(bytes: &[u8]) -> Result<Encoding, FileError> {
    let marked = text::by_mark(bytes);
    if marked != Encoding::Utf8 {
        return Ok(marked);
    }
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(200)).unwrap_or_default());
    let declaration =
        head.trim_start_matches('\u{feff}').strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    let Some((_, rest)) = declaration.and_then(|(inside, _)| inside.split_once("encoding")) else {
        return Ok(Encoding::Utf8);
    };
    let name = rest.trim_start_matches([' ', '\t', '\r', '\n', '=']).trim_start_matches(['"', '\'']);
    let name = name.split(['"', '\'']).next().unwrap_or_default();
    match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => Ok(Encoding::Utf8),
        "iso-8859-1" | "latin1" | "iso_8859-1" => Ok(Encoding::Latin1),
        _ => Err(FileError::new(format!("the encoding `{name}` is not read")).hint("save the file as UTF-8")),
    }
}

fn tag_name(source: &str) -> &str {
    let inside = source.strip_prefix('<').unwrap_or(source);
    let end = inside.find(|c| SPACE.contains(&c) || c == '>' || c == '/').unwrap_or(inside.len());
    &inside[..end]
}

/// The name and the range of the value of each attribute of a start tag.
fn attributes(tag: &str) -> impl Iterator<Item = Result<(&str, Range<usize>), Fault<'_>>> {
    let end = tag.strip_suffix("/>").or_else(|| tag.strip_suffix('>')).unwrap_or(tag).len();
    let mut at = (1 + tag_name(tag).len()).min(end);
    std::iter::from_fn(move || {
        let rest = tag.get(at..end)?.trim_start_matches(SPACE);
        if rest.is_empty() {
            return None;
        }
        let from = end - rest.len();
        let parsed = rest.split_once('=').and_then(|(key, value)| {
            let value = value.trim_start_matches(SPACE);
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let start = end - value.len() + 1;
            let length = tag[start..end].find(quote)?;
            let key = key.trim_end_matches(SPACE);
            let sound = !key.is_empty() && !key.contains(|c| SPACE.contains(&c) || "<>\"'&".contains(c));
            let apart = from > at && !tag[start..start + length].contains('<');
            (sound && apart).then_some((key, start..start + length))
        });
        at = parsed.as_ref().map_or(end, |(_, value)| value.end + 1);
        Some(parsed.ok_or(Fault::Attributes))
    })
}

/// What is wrong inside a tag or a text.
#[derive(Debug)]
enum Fault<'a> {
    Attributes,
    Twice(&'a str),
    Ampersand,
    Reference(&'a str),
}

impl fmt::Display for Fault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Attributes => f.write_str("the attributes of an element are broken"),
            Fault::Twice(key) => write!(f, "the attribute `{key}` is there twice"),
            Fault::Ampersand => f.write_str("an `&` does not begin a reference"),
            Fault::Reference(name) => write!(f, "the reference `&{name};` is refused"),
        }
    }
}

/// Refuses references other than the five entities and characters that XML allows.
fn check_references(raw: &str) -> Result<(), Fault<'_>> {
    for piece in raw.split('&').skip(1) {
        let (name, _) = piece.split_once(';').ok_or(Fault::Ampersand)?;
        reference(name).ok_or(Fault::Reference(name))?;
    }
    Ok(())
}

fn reference(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let number = match digits.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(number).filter(|c| is_allowed(*c))
        }
    }
}

fn unescape(raw: &str) -> String {
    let mut pieces = raw.split('&');
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(';').and_then(|(name, rest)| Some((reference(name)?, rest))) {
            Some((c, rest)) => {
                result.push(c);
                result.push_str(rest);
            }
            None => {
                result.push('&');
                result.push_str(piece);
            }
        }
    }
    result
}

/// The value of an attribute; literal white space counts as a space.
fn attribute_text(raw: &str) -> String {
    unescape(&raw.replace("\r\n", " ").replace(['\n', '\t', '\r'], " "))
}
