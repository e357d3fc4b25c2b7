//! The text format `.mdl`: lines `Key value`, `Key {` and `}`, as a tree.
//!
//! A value is a word, a bracket that may span lines, or a string with escapes; a line that starts with a quote continues the string
//! before it. The bytes are in the encoding that the file declares; bytes that it lacks are read as Windows-1252, or
//! replaced if the encoding is not known, and a note says so. Binary data is encoded as in
//! uuencode, without lengths. The parser makes one pass without recursion, and every line that it does not understand is a problem.

use super::{File, Log, Section, at_line, is_key};
use container::{FileError, Limits};
use std::iter::Peekable;

/// Reads the text of a model or a library.
pub(super) fn parse(bytes: &[u8], limits: &Limits, log: &mut Log) -> Option<File> {
    let text = decode(bytes, log);
    let root = tree(&text, limits, log);
    let Some(at) = root.sections.iter().position(|it| matches!(it.name.as_str(), "Model" | "Library")) else {
        log.problem(
            FileError::new("this is neither a Simulink model nor a library")
                .hint("give a `.mdl` or `.slx` file as Simulink saves it"),
        );
        return None;
    };
    let model = &root.sections[at];
    let workspace = model.value("WSMdlFileData").and_then(|tag| {
        let records = root.all("MatData").flat_map(|data| data.all("DataRecord"));
        let data = records.filter(|it| it.value("Tag") == Some(tag)).find_map(|it| it.value("Data"))?;
        let found = decode_records(data).and_then(|raw| mat_file(&raw));
        if found.is_none() {
            log.problem(FileError::new(format!("the data of the model workspace (`{tag}`) is broken")));
        }
        found
    });
    let mut sections = root.sections;
    let model = sections.swap_remove(at);
    let stateflow = sections.into_iter().find(|it| it.name == "Stateflow");
    Some(File { model, workspace, stateflow, ..File::default() })
}

/// The sections of a text.
fn tree(text: &str, limits: &Limits, log: &mut Log) -> Section {
    let mut open = vec![Section::default()];
    let (mut pieces, mut skipped) = (0, 0);
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        pieces += 1;
        if pieces > limits.nodes {
            let most = format!("the limit is {} entries", limits.nodes);
            log.problem(FileError::new("the file has too many entries").at(at_line(number)).hint(most));
            break;
        }
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (key, rest) = (key.strip_prefix('$').unwrap_or(key), rest.trim_start());
        if rest == "{" && is_key(key) {
            if open.len() > limits.depth {
                skipped += 1;
                if skipped == 1 {
                    log.problem(FileError::new("the sections are nested too deeply").at(at_line(number)));
                }
            } else {
                open.push(Section { name: key.to_owned(), line: number, ..Section::default() });
            }
        } else if line == "}" {
            if skipped > 0 {
                skipped -= 1;
            } else if !close(&mut open) {
                log.problem(FileError::new("unexpected `}`").at(at_line(number)));
            }
        } else {
            let value = value(rest, number, &mut lines, log);
            if !is_key(key) {
                log.problem(FileError::new("the line is not an entry").at(at_line(number)));
            } else if let Some(section) = open.last_mut().filter(|_| skipped == 0) {
                section.values.push((key.to_owned(), value));
            }
        }
    }
    if let Some(last) = open.last().filter(|_| open.len() > 1) {
        let message = format!("the file ends inside the section `{}`", last.name);
        log.problem(FileError::new(message).at(at_line(last.line)).hint("the file may be cut off"));
    }
    while close(&mut open) {}
    open.pop().unwrap_or_default()
}

/// Closes the innermost section, not the root.
fn close(open: &mut Vec<Section>) -> bool {
    if open.len() < 2 {
        return false;
    }
    let (Some(closed), Some(outer)) = (open.pop(), open.last_mut()) else { return false };
    outer.sections.push(closed);
    true
}

/// The value that starts with `rest`, with its continuation lines.
fn value<'a>(
    rest: &str,
    number: u32,
    lines: &mut Peekable<impl Iterator<Item = (u32, &'a str)>>,
    log: &mut Log,
) -> String {
    let mut text = String::new();
    if rest.starts_with('"') {
        string(rest, number, &mut text, log);
        while let Some((number, more)) = lines.next_if(|(_, next)| next.trim_start().starts_with('"')) {
            string(more.trim(), number, &mut text, log);
        }
        return text;
    }
    text.push_str(rest);
    if !rest.starts_with('[') {
        return text;
    }
    let mut depth = brackets(rest);
    while depth > 0 {
        // A section cannot start or end inside a bracket, so the bracket must be broken.
        let inside = |(_, next): &(u32, &str)| next.trim() != "}" && !next.trim_end().ends_with('{');
        let Some((_, more)) = lines.next_if(inside) else {
            log.problem(FileError::new("a `[` is not closed").at(at_line(number)));
            break;
        };
        text.push('\n');
        text.push_str(more.trim());
        depth += brackets(more);
    }
    text
}

/// How many more brackets a line opens than it closes.
fn brackets(line: &str) -> i64 {
    line.bytes().fold(0, |depth, byte| match byte {
        b'[' => depth + 1,
        b']' => depth - 1,
        _ => depth,
    })
}

/// Adds a string in quotes.
fn string(quoted: &str, number: u32, text: &mut String, log: &mut Log) {
    let mut letters = quoted.chars();
    letters.next();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                if !letters.as_str().trim().is_empty() {
                    log.problem(FileError::new("there is text after a string").at(at_line(number)));
                }
                return;
            }
            '\\' => match letters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some(other @ ('"' | '\\')) => text.push(other),
                Some(other) => text.extend(['\\', other]),
                None => text.push('\\'),
            },
            other => text.push(other),
        }
    }
    log.problem(FileError::new("a string is not closed").at(at_line(number)));
}

/// The bytes of a data record; none if it has an invalid character.
fn decode_records(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for place in 0..4 {
            let letter = four.get(place).copied().unwrap_or(b' ');
            let value = letter.checked_sub(b' ').filter(|value| *value <= 64)?;
            bits = bits << 6 | u32::from(value & 63);
        }
        let [_, a, b, c] = bits.to_be_bytes();
        bytes.extend([a, b, c].iter().take(four.len() - 1));
    }
    Some(bytes)
}

/// Bytes encoded as characters.
pub(crate) fn encode_records(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=three.len() {
            let six = (bits >> (18 - 6 * place)) & 63;
            text.push(char::from(b' ' + six as u8));
        }
    }
    text
}

/// A MAT file: the stored data begins with the last four bytes of its header (version and byte order) and four more bytes.
pub(super) fn mat_file(raw: &[u8]) -> Option<Vec<u8>> {
    let (version, rest) = raw.split_at_checked(4)?;
    let elements = rest.get(4..)?;
    matches!(&version[2..], b"IM" | b"MI").then(|| {
        let mut file = vec![b' '; 116];
        file.extend([0; 8]);
        file.extend(version);
        file.extend(elements);
        file
    })
}

/// The characters of the bytes 0x80..=0x9f in Windows-1252; five of them are unassigned.
const UPPER: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file.
fn decode(bytes: &[u8], log: &mut Log) -> String {
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
                log.note(FileError::new(message));
                western(bytes)
            }
        },
        _ => {
            let message =
                format!("the encoding `{name}` is not supported: characters other than ASCII are lost");
            log.problem(FileError::new(message).hint("save the model with the encoding UTF-8"));
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
    fn data_comes_back() {
        for length in 0..10 {
            let bytes: Vec<u8> = (0..length).map(|at| 255 - at * 21).collect();
            assert_eq!(decode_records(&encode_records(&bytes)), Some(bytes));
        }
        assert_eq!(decode_records("  %)30  ").as_deref(), Some(&b"\x00\x01IM\x00\x00"[..]));
        assert_eq!(decode_records("é"), None);
    }

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
        for (name, bytes, expected, problems, notes) in table {
            let mut file = format!("SavedCharacterEncoding \"{name}\"\n").into_bytes();
            file.extend(bytes);
            let mut log = Log::default();
            let text = decode(&file, &mut log);
            assert_eq!(text.lines().nth(1), Some(expected), "{name}");
            assert_eq!((log.problems.len(), log.notes.len()), (problems, notes), "{name}");
        }
    }
}
