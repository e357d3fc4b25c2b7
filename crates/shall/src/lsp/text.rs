//! Positions as editors count them: lines, and units of UTF-16 or bytes of UTF-8 inside a line. Every position has an offset:
//! one past the end of a line is its end, one inside a character is its beginning.

use super::protocol::{Position, Range};
use syntax::Span;

/// The units of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    fn units(self, c: char) -> u32 {
        match self {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
        }
    }

    /// The length of a text in units.
    pub(super) fn length(self, text: &str) -> u32 {
        text.chars().map(|c| self.units(c)).sum()
    }
}

/// A text with the beginnings of its lines. A line ends with `\n`, `\r\n` or `\r`.
pub(super) struct Lines<'t> {
    text: &'t str,
    lines: base::Lines,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str, encoding: Encoding) -> Lines<'t> {
        Lines { text, lines: base::Lines::of(text), encoding }
    }

    pub(super) fn offset(&self, position: Position) -> u32 {
        let Some(range) = self.lines.range(position.line as usize) else { return self.text.len() as u32 };
        let start = range.start as u32;
        let line = self.text.get(range).unwrap_or_default().trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, c) in line.char_indices() {
            units += self.encoding.units(c);
            if units > position.character {
                return start + at as u32;
            }
        }
        start + line.len() as u32
    }

    pub(super) fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.at(offset);
        let start = self.lines.range(line).map_or(0, |range| range.start);
        let character = self.encoding.length(self.text.get(start..offset).unwrap_or_default());
        Position { line: line as u32, character }
    }

    pub(super) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    pub(super) fn span(&self, range: Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span::new(start.min(end), start.max(end))
    }
}

/// Makes a change to a text: a range that is replaced, or all of it.
pub(super) fn change(text: &mut String, range: Option<Range>, new: &str, encoding: Encoding) {
    match range {
        Some(range) => {
            let span = Lines::new(text, encoding).span(range);
            text.replace_range(span.range(), new);
        }
        None => new.clone_into(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets() {
        let text = "größe 速度\r\n🚰x\rend\n";
        let utf16 = [
            (0, 0, "größe"),
            (0, 3, "ße"),
            (0, 6, "速度"),
            (0, 7, "度"),
            (0, 99, "\r\n🚰"),
            (1, 1, "🚰x"),
            (1, 2, "x\rend"),
            (2, 0, "end"),
            (3, 0, ""),
            (99, 99, ""),
        ];
        let utf8 = [(0, 8, "速度"), (0, 9, "速度"), (1, 4, "x\rend")];
        let both =
            utf16.map(|row| (Encoding::Utf16, row)).into_iter().chain(utf8.map(|row| (Encoding::Utf8, row)));
        for (encoding, (line, character, expected)) in both {
            let lines = Lines::new(text, encoding);
            let offset = lines.offset(Position { line, character });
            assert!(
                text[offset as usize..].starts_with(expected),
                "{line}:{character} {:?}",
                &text[offset as usize..]
            );
        }
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines::new(text, encoding);
            for (offset, _) in text.char_indices().filter(|&(at, _)| !text[at..].starts_with('\n')) {
                assert_eq!(lines.offset(lines.position(offset as u32)), offset as u32);
            }
            for offset in 0..text.len() as u32 + 9 {
                assert!(text.is_char_boundary(lines.offset(lines.position(offset)) as usize));
            }
        }
    }

    #[test]
    fn changes() {
        let at = |a: u32, b: u32, c: u32, d: u32| {
            Some(Range { start: Position { line: a, character: b }, end: Position { line: c, character: d } })
        };
        for (range, new, expected) in [
            (at(0, 1, 0, 3), "-", "a-c\nd"),
            (at(0, 3, 0, 1), "-", "a-c\nd"),
            (at(0, 2, 0, 2), "-", "a-🚰c\nd"),
            (at(0, 9, 9, 9), "", "a🚰c"),
            (None, "new", "new"),
        ] {
            let mut text = "a🚰c\nd".to_string();
            change(&mut text, range, new, Encoding::Utf16);
            assert_eq!(text, expected);
        }
    }
}
