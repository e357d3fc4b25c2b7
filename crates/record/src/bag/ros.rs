//! Messages of ROS: their definitions (`.msg` files, with those of the types that they use), and how their values are written: one after
//! the other in ROS 1, with padding (CDR, as in OMG DDSI-RTPS) in ROS 2.

use super::Scalar;
use super::cursor::Cursor;
use crate::reader::{Malformed, wrong};

/// The most messages inside each other.
const MAX_DEPTH: usize = 32;
/// The most fields of a message.
const MAX_FIELDS: usize = 100_000;

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Ros1,
    Ros2,
}

/// The definition of a message.
pub(super) struct Message {
    /// The types; the first one is that of the message.
    types: Vec<Vec<Field>>,
    names: Vec<String>,
}

struct Field {
    name: String,
    kind: Kind,
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int(usize),
    Uint(usize),
    Float(usize),
    /// Seconds and nanoseconds in ROS 1.
    Time,
    Text,
    Message(usize),
}

impl Kind {
    /// The number of bytes, if it is a number.
    fn size(self) -> Option<usize> {
        match self {
            Kind::Bool => Some(1),
            Kind::Int(size) | Kind::Uint(size) | Kind::Float(size) => Some(size),
            Kind::Time | Kind::Text | Kind::Message(_) => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    One,
    Fixed(usize),
    Sequence,
}

impl Message {
    /// Parses a definition.
    pub(super) fn parse(name: &str, text: &[u8], encoding: Encoding) -> Result<Message, Malformed> {
        let text =
            std::str::from_utf8(text).map_err(|_| wrong(format!("the schema `{name}` is not UTF-8")))?;
        // Other types follow after lines of `=`, each with its name.
        let mut sections: Vec<(String, Vec<&str>)> = vec![(name.to_owned(), Vec::new())];
        for line in text.lines().map(str::trim) {
            if line.len() >= 10 && line.chars().all(|c| c == '=') {
                sections.push((String::new(), Vec::new()));
            } else if let (Some(name), Some(last)) = (line.strip_prefix("MSG:"), sections.last_mut()) {
                last.0 = name.trim().to_owned();
            } else if let Some(last) = sections.last_mut() {
                last.1.push(line);
            }
        }
        let names: Vec<String> = sections.iter().map(|(name, _)| name.clone()).collect();
        let mut types = Vec::new();
        for (own, lines) in &sections {
            let fields = lines.iter().filter_map(|line| field(line, own, &names, encoding).transpose());
            types.push(fields.collect::<Result<Vec<Field>, Malformed>>()?);
        }
        let mut message = Message { types, names: Vec::new() };
        let mut flat = Vec::new();
        message.flat(0, "", 0, &mut flat)?;
        message.names = flat;
        Ok(message)
    }

    /// The dotted names of the fields that have one value, in the order of their values.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    fn flat(&self, index: usize, parent: &str, depth: usize, out: &mut Vec<String>) -> Result<(), Malformed> {
        if depth > MAX_DEPTH || out.len() > MAX_FIELDS {
            return Err(wrong("the schema has too many fields, or messages that contain themselves"));
        }
        for field in &self.types[index] {
            let name =
                if parent.is_empty() { field.name.clone() } else { format!("{parent}.{}", field.name) };
            match (field.shape, field.kind) {
                (Shape::One, Kind::Message(inner)) => self.flat(inner, &name, depth + 1, out)?,
                (Shape::One, Kind::Time) => out.extend([format!("{name}.sec"), format!("{name}.nanosec")]),
                (Shape::One, _) => out.push(name),
                (Shape::Fixed(_) | Shape::Sequence, _) => {}
            }
        }
        Ok(())
    }

    /// Reads the values of a message, and hands over those with names.
    pub(super) fn decode(
        &self,
        bytes: &[u8],
        encoding: Encoding,
        take: &mut dyn FnMut(Scalar),
    ) -> Result<(), Malformed> {
        let mut cursor = match encoding {
            Encoding::Ros1 => Cursor::plain(bytes),
            Encoding::Ros2 => Cursor::padded(bytes)?,
        };
        let mut taken = 0;
        let most = self.names.len();
        self.values(0, 0, &mut cursor, &mut |value| {
            taken += 1;
            if taken <= most {
                take(value);
            }
        })
    }

    fn values(
        &self,
        index: usize,
        depth: usize,
        cursor: &mut Cursor,
        take: &mut dyn FnMut(Scalar),
    ) -> Result<(), Malformed> {
        if depth > MAX_DEPTH {
            return Err(wrong("messages contain themselves"));
        }
        for field in &self.types[index] {
            let count = match field.shape {
                Shape::One => {
                    self.value(field.kind, depth, cursor, take)?;
                    continue;
                }
                Shape::Fixed(count) => count,
                Shape::Sequence => cursor.u32()? as usize,
            };
            // Each element has at least one byte.
            if count > cursor.left() {
                return Err(wrong(format!("`{}` has {count} elements, more than the message", field.name)));
            }
            match field.kind.size() {
                Some(size) if count > 0 => cursor.numbers(count, size)?,
                _ => {
                    for _ in 0..count {
                        self.value(field.kind, depth, cursor, &mut |_| {})?;
                    }
                }
            }
        }
        Ok(())
    }

    fn value(
        &self,
        kind: Kind,
        depth: usize,
        cursor: &mut Cursor,
        take: &mut dyn FnMut(Scalar),
    ) -> Result<(), Malformed> {
        match kind {
            Kind::Bool => take(Scalar::Truth(cursor.number(1)? != 0)),
            Kind::Int(size) => {
                let unused = 64 - 8 * size as u32;
                take(Scalar::Integer((cursor.number(size)? << unused) as i64 >> unused));
            }
            Kind::Uint(8) => take(Scalar::Natural(cursor.number(8)?)),
            Kind::Uint(size) => take(Scalar::Integer(cursor.number(size)? as i64)),
            Kind::Float(4) => take(Scalar::Single(f32::from_bits(cursor.number(4)? as u32))),
            Kind::Float(_) => take(Scalar::Double(f64::from_bits(cursor.number(8)?))),
            Kind::Time => {
                for _ in 0..2 {
                    take(Scalar::Integer(cursor.number(4)? as i64));
                }
            }
            Kind::Text => {
                let text = String::from_utf8_lossy(cursor.string()?).into_owned();
                take(Scalar::Text(text));
            }
            Kind::Message(inner) => self.values(inner, depth + 1, cursor, take)?,
        }
        Ok(())
    }
}

/// A line of a definition: `type name`; none for constants, comments and empty lines.
fn field(line: &str, own: &str, names: &[String], encoding: Encoding) -> Result<Option<Field>, Malformed> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let Some((kind, rest)) = line.split_once(char::is_whitespace) else { return Ok(None) };
    let rest = rest.trim();
    let name = rest.split([' ', '\t', '=']).next().unwrap_or_default();
    // A constant has a value after its name; a default has not.
    if rest[name.len()..].trim_start().starts_with('=') {
        return Ok(None);
    }
    let wrong_line = |what: &str| wrong(format!("the schema of `{own}` has {what}: `{line}`"));
    let (kind, shape) = match kind.split_once('[') {
        None => (kind, Shape::One),
        Some((kind, size)) => {
            let size = size.trim_end_matches(']');
            match size.parse() {
                Ok(count) => (kind, Shape::Fixed(count)),
                Err(_) if size.is_empty() || size.starts_with("<=") => (kind, Shape::Sequence),
                Err(_) => return Err(wrong_line("an array without a size")),
            }
        }
    };
    // `string<=10` has at most ten characters.
    let kind = kind.split("<=").next().unwrap_or(kind);
    let kind = match kind {
        "bool" => Kind::Bool,
        "int8" => Kind::Int(1),
        "int16" => Kind::Int(2),
        "int32" => Kind::Int(4),
        "int64" => Kind::Int(8),
        // In ROS 1, `byte` has a sign.
        "byte" if encoding == Encoding::Ros1 => Kind::Int(1),
        "uint8" | "byte" | "char" => Kind::Uint(1),
        "uint16" => Kind::Uint(2),
        "uint32" => Kind::Uint(4),
        "uint64" => Kind::Uint(8),
        "float32" => Kind::Float(4),
        "float64" => Kind::Float(8),
        "string" => Kind::Text,
        "time" | "duration" if encoding == Encoding::Ros1 => Kind::Time,
        "wstring" => return Err(wrong_line("wide strings, which are not supported")),
        other => {
            let is_named = |name: &String| {
                let short = name.replace("/msg/", "/");
                let other = other.replace("/msg/", "/");
                short == other || (!other.contains('/') && short.rsplit('/').next() == Some(&other))
            };
            // The package of the message itself comes first.
            let package = own.split('/').next().unwrap_or_default();
            let near = names.iter().skip(1).position(|name| is_named(name) && name.starts_with(package));
            let found = near.or_else(|| names.iter().skip(1).position(is_named));
            Kind::Message(found.ok_or_else(|| wrong_line("a type without a definition"))? + 1)
        }
    };
    Ok(Some(Field { name: name.to_owned(), kind, shape }))
}
