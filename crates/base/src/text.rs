//! Lines of a text, and counts in messages.

use std::ops::Range;

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or `\r`; lines are numbered from 0.
///
/// ```
/// let lines = shall_base::Lines::of("one\r\ntwo\n");
/// assert_eq!((lines.at(0), lines.at(5), lines.at(9)), (0, 1, 2));
/// assert_eq!(lines.range(1), Some(5..9));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    starts: Vec<usize>,
    length: usize,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends =
            |&at: &usize| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1)).collect();
        Lines { starts, length: bytes.len() }
    }

    /// The line of a byte.
    pub fn at(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The bytes of a line with its end; `None` after the last line.
    pub fn range(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line)?;
        Some(start..self.starts.get(line + 1).copied().unwrap_or(self.length))
    }
}

/// Names as a sentence lists them: "a", "a and b", "a, b and c".
pub fn listed(names: impl IntoIterator<Item = String>) -> String {
    let mut names: Vec<String> = names.into_iter().collect();
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => String::new(),
    }
}

/// A count with its noun: "1 warning", "2 warnings", "0 fixes", "3 properties".
///
/// ```
/// let shown = ["warning", "fix", "property", "key"].map(|noun| shall_base::counted(2, noun));
/// assert_eq!(shown, ["2 warnings", "2 fixes", "2 properties", "2 keys"]);
/// ```
pub fn counted(count: usize, noun: &str) -> String {
    let vowel_y = ["ay", "ey", "oy", "uy"].iter().any(|end| noun.ends_with(end));
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("{count} {noun}"),
        Some(stem) if !vowel_y => format!("{count} {stem}ies"),
        _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") => format!("{count} {noun}es"),
        _ => format!("{count} {noun}s"),
    }
}
