//! The text format `.mdl`: lines `Key value`, `Key {` and `}`, as a tree.
//!
//! A value is a word, a bracket that may go on over lines, or a string with escapes; a line that begins with a quote goes on
//! with the string before it. The bytes are in the encoding that the file declares. One pass, no recursion, and every line
//! that is not understood is a trouble.

mod data;
mod encoding;

use crate::read::{File, Log, at_line};
use crate::tree::{Section, is_key};
use container::{Limits, Trouble};
pub(crate) use data::{decode_records, encode_records, mat_file};
use std::iter::Peekable;

/// Reads the text of a model or a library.
pub(crate) fn parse(bytes: &[u8], limits: &Limits, log: &mut Log) -> Option<File> {
    let text = encoding::decode(bytes, log);
    let root = tree(&text, limits, log);
    let Some(at) = root.sections.iter().position(|it| matches!(it.name.as_str(), "Model" | "Library")) else {
        log.trouble(
            Trouble::new("this is neither a Simulink model nor a library")
                .hint("give a `.mdl` or `.slx` file as Simulink saves it"),
        );
        return None;
    };
    for stateflow in root.all("Stateflow") {
        let charts = stateflow.all("chart").count();
        let note = Trouble::new(format!("the Stateflow section is not read ({charts} charts)"));
        log.note(note.at(at_line(stateflow.line)));
    }
    let model = &root.sections[at];
    let workspace = model.value("WSMdlFileData").and_then(|tag| {
        let records = root.all("MatData").flat_map(|data| data.all("DataRecord"));
        let data = records.filter(|it| it.value("Tag") == Some(tag)).find_map(|it| it.value("Data"))?;
        let found = decode_records(data).and_then(|raw| mat_file(&raw));
        if found.is_none() {
            log.trouble(Trouble::new(format!("the data of the model workspace (`{tag}`) is broken")));
        }
        found
    });
    let mut sections = root.sections;
    Some(File { model: sections.swap_remove(at), workspace, ..File::default() })
}

/// The sections of a text.
pub(crate) fn tree(text: &str, limits: &Limits, log: &mut Log) -> Section {
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
            log.trouble(Trouble::new("the file has too many entries").at(at_line(number)).hint(most));
            break;
        }
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (key, rest) = (key.strip_prefix('$').unwrap_or(key), rest.trim_start());
        if rest == "{" && is_key(key) {
            if open.len() > limits.depth {
                skipped += 1;
                if skipped == 1 {
                    log.trouble(Trouble::new("the sections are nested too deeply").at(at_line(number)));
                }
            } else {
                open.push(Section { name: key.to_owned(), line: number, ..Section::default() });
            }
        } else if line == "}" {
            if skipped > 0 {
                skipped -= 1;
            } else if !close(&mut open) {
                log.trouble(Trouble::new("a `}` closes nothing").at(at_line(number)));
            }
        } else {
            let value = value(rest, number, &mut lines, log);
            if !is_key(key) {
                log.trouble(Trouble::new("the line is no entry").at(at_line(number)));
            } else if let Some(section) = open.last_mut().filter(|_| skipped == 0) {
                section.values.push((key.to_owned(), value));
            }
        }
    }
    if let Some(last) = open.last().filter(|_| open.len() > 1) {
        let message = format!("the file ends inside the section `{}`", last.name);
        log.trouble(Trouble::new(message).at(at_line(last.line)).hint("the file seems to be cut off"));
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

/// The value that begins with `rest`, with the lines that go on with it.
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
        // A section cannot begin or end inside a bracket: there the bracket is broken.
        let inside = |(_, next): &(u32, &str)| next.trim() != "}" && !next.trim_end().ends_with('{');
        let Some((_, more)) = lines.next_if(inside) else {
            log.trouble(Trouble::new("a `[` is not closed").at(at_line(number)));
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
                    log.trouble(Trouble::new("there is text after a string").at(at_line(number)));
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
    log.trouble(Trouble::new("a string is not closed").at(at_line(number)));
}
