//! Where things are in a JSON text that has already been read: the place of each object inside the lists, and the
//! members that appear twice in one object, of which a reader keeps only the last.

use crate::Spot;
use std::collections::BTreeSet;

/// What the scan finds.
#[derive(Default)]
pub(super) struct Layout {
    /// The byte at which each entry of the list of requirements begins.
    pub(super) requirements: Vec<usize>,
    /// The byte at which each entry of the list of variables begins.
    pub(super) variables: Vec<usize>,
    /// The byte and the name of each member that is in its object for the second time.
    pub(super) repeated: Vec<(usize, String)>,
}

/// An object or list that is open.
struct Level<'t> {
    is_list: bool,
    /// The last name that was read, as written.
    name: &'t str,
    names: BTreeSet<&'t str>,
}

/// Scans a text that is known to be JSON.
pub(super) fn layout(text: &str) -> Layout {
    let mut found = Layout::default();
    let mut open: Vec<Level> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    // Whether a value, or the name of a member, may begin here.
    let mut fresh = true;
    while let Some(&byte) = bytes.get(at) {
        if fresh && !byte.is_ascii_whitespace() && byte != b']' {
            match &open[..] {
                [list] if list.is_list => found.requirements.push(at),
                [top, list] if list.is_list && top.name == "requirements" => found.requirements.push(at),
                [top, list] if list.is_list && top.name == "variables" => found.variables.push(at),
                _ => {}
            }
        }
        match byte {
            b'"' => {
                let end = string_end(bytes, at);
                if let Some(level) = open.last_mut().filter(|level| fresh && !level.is_list) {
                    let name = text.get(at + 1..end).unwrap_or_default();
                    level.name = name;
                    if !level.names.insert(name) {
                        found.repeated.push((at, name.to_string()));
                    }
                }
                at = end;
                fresh = false;
            }
            b'{' | b'[' => {
                open.push(Level { is_list: byte == b'[', name: "", names: BTreeSet::new() });
                fresh = true;
            }
            b'}' | b']' => {
                open.pop();
                fresh = false;
            }
            b',' => fresh = true,
            _ if byte.is_ascii_whitespace() => {}
            _ => fresh = false,
        }
        at += 1;
    }
    found
}

/// The byte of the quotation mark that closes the string.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Where the lines of a text begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(bytes: &[u8]) -> Lines {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        Lines(std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect())
    }

    /// The line and the column of a byte, from 1; columns count bytes, as those of the JSON reader do.
    pub(super) fn spot(&self, at: usize) -> Spot {
        let line = self.0.partition_point(|&start| start <= at);
        Spot::Line(line, at - self.0[line - 1] + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_repetitions() {
        let text = "{\"a\": {\"x\\\"y\": 1, \"x\\\"y\": 2},\n \"requirements\": [{\"k\": [1, {}]}, {}],\n \"variables\": [ {} ]}";
        let (found, lines) = (layout(text), Lines::of(text.as_bytes()));
        assert_eq!(found.repeated, [(18, "x\\\"y".to_string())]);
        let shown: Vec<_> = found.requirements.iter().map(|&at| lines.spot(at)).collect();
        assert_eq!(shown, [Spot::Line(2, 19), Spot::Line(2, 35)]);
        assert_eq!(found.variables.iter().map(|&at| lines.spot(at)).collect::<Vec<_>>(), [Spot::Line(3, 17)]);
        assert_eq!(layout("[]").requirements, [0; 0]);
        assert_eq!(layout("[ {\"b\": [[]]}, 3]").requirements, [2, 15]);
    }
}
