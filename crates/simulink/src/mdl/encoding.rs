//! The bytes of a text file as text, in the encoding that the file declares itself.
//!
//! Nothing is refused here: bytes that an encoding lacks are read as Windows-1252, or replaced if the encoding is not known,
//! and a note says so.

use crate::read::Log;
use container::Trouble;

/// What the bytes 0x80..=0x9f are in Windows-1252; five of them are not assigned.
const UPPER: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file.
pub(super) fn decode(bytes: &[u8], log: &mut Log) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let declared = declared(bytes);
    if bytes.is_ascii() {
        return bytes.iter().map(|byte| char::from(*byte)).collect();
    }
    let name = declared.unwrap_or("none");
    match name.to_ascii_lowercase().as_str() {
        "iso-8859-1" | "latin1" => bytes.iter().map(|byte| char::from(*byte)).collect(),
        "windows-1252" => western(bytes),
        "utf-8" | "us-ascii" | "none" => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                let message = format!("the text is not UTF-8 (declared: {name}); it is read as windows-1252");
                log.note(Trouble::new(message));
                western(bytes)
            }
        },
        _ => {
            let message = format!("the encoding `{name}` is not read: other letters than ASCII are lost");
            log.trouble(Trouble::new(message).hint("save the model with the encoding UTF-8"));
            let plain = |byte: &u8| if byte.is_ascii() { char::from(*byte) } else { '\u{fffd}' };
            bytes.iter().map(plain).collect()
        }
    }
}

fn western(bytes: &[u8]) -> String {
    let letter = |byte: &u8| match byte {
        0x80..=0x9f => UPPER[usize::from(byte - 0x80)],
        other => char::from(*other),
    };
    bytes.iter().map(letter).collect()
}

/// The value of `SavedCharacterEncoding`, which every encoding of a model writes in ASCII.
fn declared(bytes: &[u8]) -> Option<&str> {
    let key = b"SavedCharacterEncoding";
    let line = bytes.split(|byte| *byte == b'\n').find(|line| line.trim_ascii_start().starts_with(key))?;
    let value = line.trim_ascii().get(key.len()..)?.trim_ascii();
    std::str::from_utf8(value).ok().map(|value| value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding() {
        let table: [(&str, &[u8], &str, usize, usize); 7] = [
            ("windows-1252", b"\x80 \xe9", "€ é", 0, 0),
            ("ISO-8859-1", b"\xa9", "©", 0, 0),
            ("UTF-8", "°".as_bytes(), "°", 0, 0),
            ("UTF-8", b"\xb0", "°", 0, 1),
            ("US-ASCII", b"\xb0", "°", 0, 1),
            ("Shift_JIS", b"\x83A", "\u{fffd}A", 1, 0),
            ("Shift_JIS", b"plain", "plain", 0, 0),
        ];
        for (name, bytes, expected, troubles, notes) in table {
            let mut file = format!("SavedCharacterEncoding \"{name}\"\n").into_bytes();
            file.extend(bytes);
            let mut log = Log::default();
            let text = decode(&file, &mut log);
            assert_eq!(text.lines().nth(1), Some(expected), "{name}");
            assert_eq!((log.troubles.len(), log.notes.len()), (troubles, notes), "{name}");
        }
    }
}
