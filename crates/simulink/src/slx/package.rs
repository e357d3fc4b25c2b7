//! The parts of a package: entries of an archive, or pieces of a text between marks.
//!
//! In a text, a line `__MWOPC_PART_BEGIN__ /name` begins a part; with `BASE64` behind it, the part is not text. Nothing is
//! ever written to a disk.

use crate::read::Log;
use container::archive::Archive;
use container::{Limits, Trouble};
use std::collections::BTreeMap;

const PART: &[u8] = b"__MWOPC_PART_BEGIN__";
const END: &[u8] = b"__MWOPC_PACKAGE_END__";

/// A package.
pub(super) enum Package<'a> {
    /// An archive.
    Archive(Archive<'a>),
    /// A text: the bytes of each part.
    Text(BTreeMap<String, Vec<u8>>),
}

impl Package<'_> {
    /// The names of the parts.
    pub(super) fn names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Package::Archive(archive) => Box::new(archive.names().iter().map(String::as_str)),
            Package::Text(parts) => Box::new(parts.keys().map(String::as_str)),
        }
    }

    /// Whether there is a part of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names().any(|other| other == name)
    }

    /// The bytes of a part.
    pub(super) fn read(&mut self, name: &str) -> Result<Vec<u8>, Trouble> {
        match self {
            Package::Archive(archive) => archive.read(name),
            Package::Text(parts) => {
                parts.remove(name).ok_or_else(|| Trouble::new("the package lacks a part").part(name))
            }
        }
    }
}

/// Whether the bytes are a package as text.
pub(crate) fn is_text_package(bytes: &[u8]) -> bool {
    bytes.starts_with(b"# MathWorks OPC Text Package")
}

/// The parts of a text.
pub(super) fn text_package(bytes: &[u8], limits: &Limits, log: &mut Log) -> BTreeMap<String, Vec<u8>> {
    let mut parts = BTreeMap::new();
    let mut open: Option<(String, bool)> = None;
    let (mut start, mut at, mut ended) = (0, 0, false);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let begins = line.starts_with(PART);
        ended = line.starts_with(END);
        if begins || ended {
            finish(open.take(), bytes.get(start..at).unwrap_or_default(), &mut parts, log);
        }
        at += line.len();
        if begins {
            start = at;
            let head = String::from_utf8_lossy(line.get(PART.len()..).unwrap_or_default());
            let head = head.trim();
            let (name, encoded) = match head.strip_suffix(" BASE64") {
                Some(name) => (name.trim_end(), true),
                None => (head, false),
            };
            open = Some((name.trim_start_matches('/').to_owned(), encoded));
        }
        if ended {
            break;
        }
        if parts.len() > limits.entries {
            let hint = format!("the limit is {}", limits.entries);
            log.trouble(Trouble::new("the package has too many parts").hint(hint));
            break;
        }
    }
    if !ended {
        log.trouble(Trouble::new("the package has no end").hint("the file seems to be cut off"));
        finish(open.take(), bytes.get(start..).unwrap_or_default(), &mut parts, log);
    }
    parts
}

fn finish(open: Option<(String, bool)>, bytes: &[u8], parts: &mut BTreeMap<String, Vec<u8>>, log: &mut Log) {
    let Some((name, encoded)) = open else { return };
    let bytes = if encoded { base64(bytes) } else { Some(bytes.to_vec()) };
    match bytes {
        None => log.trouble(Trouble::new("the part is not base64").part(&name)),
        Some(_) if parts.contains_key(&name) => {
            log.trouble(Trouble::new("the package has two parts with one name").part(&name));
        }
        Some(bytes) => {
            parts.insert(name, bytes);
        }
    }
}

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.iter().filter(|it| !it.is_ascii_whitespace() && **it != b'=') {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        let table = [("", ""), ("TQ==", "M"), ("TWE=", "Ma"), ("TWFu\n", "Man"), ("TWFuTWFu", "ManMan")];
        for (text, expected) in table {
            assert_eq!(base64(text.as_bytes()).as_deref(), Some(expected.as_bytes()), "{text}");
        }
        assert_eq!(base64(b"TW*u"), None);
    }
}
