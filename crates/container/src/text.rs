//! Bytes as text and back in the same encoding, and edits of a text by byte ranges.
//!
//! Decoding and encoding again gives the same bytes, so whatever no edit touches is preserved.

use crate::{FileError, Spot};
use std::ops::Range;

/// The encoding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark; the mark stays in the text.
    Utf8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// ISO 8859-1: each byte is a character.
    Latin1,
}

const MARK: char = '\u{feff}';

/// UTF-16 if the bytes begin with one of its byte order marks, otherwise UTF-8. The mark is the first character of the text.
pub fn by_mark(bytes: &[u8]) -> Encoding {
    match bytes {
        [0xff, 0xfe, ..] => Encoding::Utf16Le,
        [0xfe, 0xff, ..] => Encoding::Utf16Be,
        _ => Encoding::Utf8,
    }
}

/// The text of the bytes.
pub fn decode(bytes: &[u8], encoding: Encoding) -> Result<String, FileError> {
    match encoding {
        Encoding::Utf8 => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => {
                let good = String::from_utf8_lossy(bytes.get(..error.valid_up_to()).unwrap_or_default());
                Err(FileError::new("the text is not UTF-8")
                    .at(spot(&good, good.len()))
                    .hint("save the file as UTF-8 (in a spreadsheet program: \"CSV UTF-8\")"))
            }
        },
        Encoding::Utf16Le | Encoding::Utf16Be => {
            let unit = |pair: &[u8]| match (pair, encoding) {
                ([a, b], Encoding::Utf16Le) => u16::from_le_bytes([*a, *b]),
                ([a, b], _) => u16::from_be_bytes([*a, *b]),
                _ => 0xd800, // half a unit: not a character
            };
            let mut text = String::with_capacity(bytes.len() / 2);
            for unit in char::decode_utf16(bytes.chunks(2).map(unit)) {
                let broken = |_| FileError::new("the text is not UTF-16").at(spot(&text, text.len()));
                let c = unit.map_err(broken)?;
                text.push(c);
            }
            Ok(text)
        }
        Encoding::Latin1 => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

/// The bytes of a text. A character that Latin-1 lacks becomes an XML reference, because only XML declares that encoding.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Encoding::Latin1 => {
            let mut bytes = Vec::with_capacity(text.len());
            for c in text.chars() {
                match u8::try_from(u32::from(c)) {
                    Ok(byte) => bytes.push(byte),
                    Err(_) => bytes.extend(format!("&#{};", u32::from(c)).bytes()),
                }
            }
            bytes
        }
    }
}

/// The length of the byte order mark that the text begins with, in bytes.
pub fn after_mark(text: &str) -> usize {
    if text.starts_with(MARK) { MARK.len_utf8() } else { 0 }
}

/// The line and column of a byte of the text.
pub fn spot(text: &str, offset: usize) -> Spot {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[line_start..].chars().filter(|c| *c != MARK).count() + 1;
    Spot::Line(before.bytes().filter(|byte| *byte == b'\n').count() + 1, column)
}

/// Replacements of byte ranges of one text.
#[derive(Debug, Default)]
pub struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces the range with a text.
    pub fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push((range, text.into()));
    }

    /// Whether there are no replacements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with the replacements. Replacements at the same place keep their order; one that lies inside an earlier
    /// one is ignored.
    pub fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut result = String::with_capacity(text.len() + 64);
        let mut done = 0;
        for (range, new) in &self.0 {
            if range.start < done {
                continue;
            }
            result.push_str(text.get(done..range.start).unwrap_or_default());
            result.push_str(new);
            done = range.end;
        }
        result.push_str(text.get(done..).unwrap_or_default());
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_go_round() {
        let text = "\u{feff}a ü €\r\n\u{1f600}";
        for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
            let bytes = encode(text, encoding);
            assert_eq!(by_mark(&bytes), encoding);
            assert_eq!(decode(&bytes, encoding).unwrap(), text);
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(encode(&decode(&all, Encoding::Latin1).unwrap(), Encoding::Latin1), all);
        assert_eq!(encode("€", Encoding::Latin1), b"&#8364;");
    }

    #[test]
    fn broken_bytes_have_a_place() {
        let error = decode(b"a\nb\xff", Encoding::Utf8).unwrap_err();
        assert_eq!(error.place.spot, Spot::Line(2, 2));
        assert!(decode(&[0xff, 0xfe, 0x00], Encoding::Utf16Le).is_err());
        assert!(decode(&[0xff, 0xfe, 0x00, 0xd8], Encoding::Utf16Le).is_err());
    }

    #[test]
    fn edits_keep_the_rest() {
        let mut edits = Edits::default();
        edits.replace(4..5, "E");
        edits.replace(1..2, "");
        edits.replace(1..1, "");
        edits.replace(6..6, "!");
        assert_eq!(edits.apply("abcdef"), "acdEf!");
    }
}
