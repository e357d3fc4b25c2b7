//! Reads the structure of a picture back from the data in its SVG, with conditions as text.
//!
//! A small reader of XML elements and attributes, enough for our own SVG and careful with everything else: any text gives
//! a picture or a [`ReadError`]. It shares no code with the drawings, so that it can check them.

use std::fmt;

/// One of the alternatives happens, with all its lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPicture {
    /// The alternatives, each a list of lanes.
    pub alternatives: Vec<Vec<ReadPiece>>,
}

/// A part of a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadPiece {
    /// One step with its condition, as text of our own dialect.
    Step(String),
    /// One after the other.
    Sequence(Vec<ReadPiece>),
    /// One of these.
    Either(Vec<ReadPiece>),
    /// Repeated at least this often, and at most that often if there is a limit.
    Repeat(Box<ReadPiece>, u64, Option<u64>),
    /// Repeated forever.
    Forever(Box<ReadPiece>),
}

/// Why a text cannot be read as a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// Where, as a byte offset.
    pub at: usize,
    /// What is wrong there.
    pub message: &'static str,
}

/// Elements are not nested deeper than this.
const MAX_DEPTH: usize = 1000;

/// The picture that an SVG file shows.
pub fn read(svg: &str) -> Result<ReadPicture, ReadError> {
    let mut reader = Reader { text: svg, at: 0 };
    let mut open: Vec<Element> = Vec::new();
    let mut picture = None;
    while let Some(tag) = reader.next_tag()? {
        match tag {
            Tag::Start(name, attributes, closed) => {
                let node = node(&attributes).map_err(|message| reader.error(message))?;
                open.push(Element { name, node, children: Vec::new() });
                if open.len() > MAX_DEPTH {
                    return Err(reader.error("the elements are nested too deeply"));
                }
                if !closed {
                    continue;
                }
            }
            Tag::End(name) => {
                if open.last().is_none_or(|element| element.name != name) {
                    return Err(reader.error("this element is not open here"));
                }
            }
        }
        if let Some(element) = open.pop() {
            let found = element.close().map_err(|message| reader.error(message))?;
            for part in found {
                match (part, open.last_mut()) {
                    (Found::Picture(found), _) if picture.is_none() => picture = Some(found),
                    (Found::Picture(_), _) => return Err(reader.error("there is a second picture")),
                    (part, Some(parent)) => parent.children.push(part),
                    (_, None) => return Err(reader.error("this is outside a picture")),
                }
            }
        }
    }
    match (open.is_empty(), picture) {
        (true, Some(picture)) => Ok(picture),
        (false, _) => Err(reader.error("an element is not closed")),
        (true, None) => Err(reader.error("there is no picture")),
    }
}

/// The meaning of an element.
enum Node {
    /// No meaning of its own: its content belongs to the parent element.
    Other,
    Picture,
    Alternative,
    Lane,
    Step(String),
    Sequence,
    Either,
    Repeat(u64, Option<u64>),
    Forever,
}

/// What was found inside an element.
enum Found {
    Picture(ReadPicture),
    Alternative(Vec<ReadPiece>),
    Lane(ReadPiece),
    Piece(ReadPiece),
}

fn only<T>(children: Vec<Found>, pick: fn(Found) -> Option<T>) -> Option<Vec<T>> {
    children.into_iter().map(pick).collect()
}

struct Element<'a> {
    name: &'a str,
    node: Node,
    children: Vec<Found>,
}

impl Element<'_> {
    fn close(self) -> Result<Vec<Found>, &'static str> {
        let Element { node, children, .. } = self;
        let pieces = |children: Vec<Found>| -> Result<Vec<ReadPiece>, &'static str> {
            let piece = |found| if let Found::Piece(piece) = found { Some(piece) } else { None };
            only(children, piece).ok_or("only pieces belong here")
        };
        let one = |children: Vec<Found>| -> Result<ReadPiece, &'static str> {
            let mut pieces = pieces(children)?;
            match (pieces.pop(), pieces.pop()) {
                (Some(piece), None) => Ok(piece),
                _ => Err("exactly one piece belongs here"),
            }
        };
        let found = match node {
            Node::Other => return Ok(children),
            Node::Picture => {
                let lanes = |found| if let Found::Alternative(lanes) = found { Some(lanes) } else { None };
                let alternatives = only(children, lanes).ok_or("only alternatives belong in a picture")?;
                Found::Picture(ReadPicture { alternatives })
            }
            Node::Alternative => {
                let piece = |found| if let Found::Lane(piece) = found { Some(piece) } else { None };
                Found::Alternative(only(children, piece).ok_or("only lanes belong in an alternative")?)
            }
            Node::Lane => Found::Lane(one(children)?),
            Node::Step(guard) => {
                if !children.is_empty() {
                    return Err("nothing belongs in a step");
                }
                Found::Piece(ReadPiece::Step(guard))
            }
            Node::Sequence => Found::Piece(ReadPiece::Sequence(pieces(children)?)),
            Node::Either => Found::Piece(ReadPiece::Either(pieces(children)?)),
            Node::Repeat(min, max) => Found::Piece(ReadPiece::Repeat(one(children)?.into(), min, max)),
            Node::Forever => Found::Piece(ReadPiece::Forever(one(children)?.into())),
        };
        Ok(vec![found])
    }
}

/// The meaning of an element, by its data.
fn node(attributes: &[(&str, String)]) -> Result<Node, &'static str> {
    let value = |name: &str| attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str());
    let number = |text: &str| text.parse::<u64>().map_err(|_| "this is not a count");
    Ok(match (value("data-part"), value("data-piece")) {
        (Some(_), Some(_)) => return Err("an element is one thing only"),
        (None, None) => Node::Other,
        (Some("picture"), None) => Node::Picture,
        (Some("alternative"), None) => Node::Alternative,
        (Some("lane"), None) => Node::Lane,
        (None, Some("step")) => Node::Step(value("data-guard").ok_or("a step has a condition")?.to_owned()),
        (None, Some("sequence")) => Node::Sequence,
        (None, Some("either")) => Node::Either,
        (None, Some("forever")) => Node::Forever,
        (None, Some("repeat")) => {
            let min = number(value("data-min").ok_or("a loop has a least count")?)?;
            match value("data-max").ok_or("a loop has a largest count")? {
                "inf" => Node::Repeat(min, None),
                max => Node::Repeat(min, Some(number(max)?)),
            }
        }
        (Some(_), None) | (None, Some(_)) => return Err("there is no such part of a picture"),
    })
}

enum Tag<'a> {
    /// A name, its attributes, and whether the element is closed at once.
    Start(&'a str, Vec<(&'a str, String)>, bool),
    End(&'a str),
}

/// Goes through a text from tag to tag.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, message: &'static str) -> ReadError {
        ReadError { at: self.at, message }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Consumes a text if it comes next.
    fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// Consumes everything before the first character at which to stop.
    fn take_until(&mut self, stop: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(stop).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn name(&mut self) -> Result<&'a str, ReadError> {
        let name = self.take_until(|c| !c.is_ascii_alphanumeric() && !matches!(c, '-' | ':' | '_'));
        if name.is_empty() { Err(self.error("there should be a name")) } else { Ok(name) }
    }

    fn space(&mut self) -> bool {
        !self.take_until(|c| !c.is_ascii_whitespace()).is_empty()
    }

    fn next_tag(&mut self) -> Result<Option<Tag<'a>>, ReadError> {
        self.take_until(|c| c == '<');
        if !self.take("<") {
            return Ok(None);
        }
        if self.take("/") {
            let name = self.name()?;
            self.space();
            return if self.take(">") {
                Ok(Some(Tag::End(name)))
            } else {
                Err(self.error("there should be `>`"))
            };
        }
        let name = self.name()?;
        let mut attributes = Vec::new();
        loop {
            let spaced = self.space();
            if self.take("/>") {
                return Ok(Some(Tag::Start(name, attributes, true)));
            }
            if self.take(">") {
                return Ok(Some(Tag::Start(name, attributes, false)));
            }
            if !spaced {
                return Err(self.error("there should be a space, `>` or `/>`"));
            }
            let key = self.name()?;
            if !self.take("=\"") {
                return Err(self.error("there should be `=\"`"));
            }
            let raw = self.take_until(|c| c == '"' || c == '<');
            if !self.take("\"") {
                return Err(self.error("there should be a closing quote"));
            }
            attributes.push((key, self.unescape(raw)?));
        }
    }

    fn unescape(&self, raw: &str) -> Result<String, ReadError> {
        let mut parts = raw.split('&');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (entity, after) = part.split_once(';').ok_or_else(|| self.error("there should be `;`"))?;
            let c = match entity {
                "lt" => Some('<'),
                "gt" => Some('>'),
                "amp" => Some('&'),
                "quot" => Some('"'),
                "apos" => Some('\''),
                _ => entity.strip_prefix('#').and_then(|code| code.parse().ok()).and_then(char::from_u32),
            };
            text.push(c.ok_or_else(|| self.error("this reference is not a character"))?);
            text.push_str(after);
        }
        Ok(text)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a timeline: {} (at byte {})", self.message, self.at)
    }
}

impl std::error::Error for ReadError {}

#[cfg(test)]
mod tests;
