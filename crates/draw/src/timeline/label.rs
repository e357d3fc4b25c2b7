//! The condition of a step on several lines, broken before its loosest operators first.
//!
//! Symbols and LaTeX come from one printer, so they have the same operators in the same order and break at the same places.

use super::plan::Guard;
use crate::terminal::columns;

/// A line of a label, in symbols and in LaTeX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LabelLine {
    /// Its indentation, in columns.
    pub(super) indent: usize,
    pub(super) symbols: String,
    pub(super) latex: String,
}

/// Connectives from loose to tight, in symbols and in LaTeX.
const CONNECTIVES: [(&str, &str, usize); 5] = [
    ("↔", "\\leftrightarrow", 0),
    ("→", "\\rightarrow", 1),
    ("∨", "\\lor", 2),
    ("⊕", "\\oplus", 2),
    ("∧", "\\land", 3),
];

/// The lines of a condition, each of at most `room` columns if its atoms allow it.
pub(super) fn lines(guard: &Guard, room: usize) -> Vec<LabelLine> {
    if guard.anything {
        return vec![LabelLine {
            indent: 0,
            symbols: guard.label().into(),
            latex: "\\text{anything}".into(),
        }];
    }
    let chunks = symbol_chunks(&guard.symbols);
    let latex = latex_chunks(&guard.latex);
    if columns(&guard.symbols) <= room || chunks.len() != latex.len() {
        return vec![LabelLine { indent: 0, symbols: guard.symbols.clone(), latex: guard.latex.clone() }];
    }
    let widths: Vec<usize> = chunks.iter().map(|chunk| columns(chunk.text) + 1).collect();
    let mut ends = Vec::new();
    fill(&chunks, &widths, 0, chunks.len(), room, &mut ends);
    let mut start = 0;
    let mut lines = Vec::new();
    for end in ends {
        let symbols: Vec<&str> = chunks[start..end].iter().map(|chunk| chunk.text).collect();
        // Operands are aligned: the first has no connective before it, and parentheses indent.
        let indent = if start == 0 { 2 } else { chunks[start].level / 4 * 2 };
        lines.push(LabelLine { indent, symbols: symbols.join(" "), latex: latex[start..end].join(" ") });
        start = end;
    }
    lines
}

/// An operand with the connective before it.
struct Chunk<'a> {
    text: &'a str,
    /// How tightly its connective binds; parentheses bind tighter than anything.
    level: usize,
}

/// Adds the ends of the lines for some chunks.
fn fill(chunks: &[Chunk], widths: &[usize], from: usize, to: usize, room: usize, ends: &mut Vec<usize>) {
    let total: usize = widths[from..to].iter().sum();
    let loosest = chunks[from + 1..to].iter().map(|chunk| chunk.level).min();
    let Some(loosest) = loosest.filter(|_| total > room + 1) else {
        ends.push(to);
        return;
    };
    let mut cuts: Vec<usize> = (from + 1..to).filter(|&at| chunks[at].level == loosest).collect();
    cuts.push(to);
    // Neighbours share a line as long as they fit; one that does not fit on its own is broken further.
    let mut start = from;
    let mut end = from;
    for cut in cuts {
        let width: usize = widths[start..cut].iter().sum();
        if end > start && width > room + 1 {
            ends.push(end);
            start = end;
        }
        end = cut;
        if widths[start..end].iter().sum::<usize>() > room + 1 {
            fill(chunks, widths, start, end, room, ends);
            start = end;
        }
    }
    if end > start {
        ends.push(end);
    }
}

fn symbol_chunks(text: &str) -> Vec<Chunk<'_>> {
    let mut chunks = Vec::new();
    let (mut start, mut level, mut depth) = (0, 0, 0usize);
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {
                let found = CONNECTIVES.iter().find(|(symbol, ..)| symbol.starts_with(c));
                if let Some((_, _, tightness)) = found.filter(|_| at > start) {
                    chunks.push(Chunk { text: text[start..at].trim_end(), level });
                    (start, level) = (at, depth * 4 + tightness);
                }
            }
        }
    }
    chunks.push(Chunk { text: &text[start..], level });
    chunks
}

/// Connectives inside braces cannot start a line.
fn latex_chunks(text: &str) -> Vec<String> {
    let mut chunks = vec![String::new()];
    let mut braces = 0i64;
    for word in text.split(' ') {
        let connective = CONNECTIVES.iter().any(|(_, latex, _)| *latex == word);
        match chunks.last_mut() {
            Some(chunk) if !connective || braces > 0 => {
                if !chunk.is_empty() {
                    chunk.push(' ');
                }
                chunk.push_str(word);
            }
            Some(_) | None => chunks.push(word.to_owned()),
        }
        let unescaped = word.replace("\\\\", "").replace("\\{", "").replace("\\}", "");
        braces += unescaped.chars().map(|c| i64::from(c == '{') - i64::from(c == '}')).sum::<i64>();
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(symbols: &str, latex: &str, room: usize, expected: &[(&str, &str)]) {
        let guard = Guard {
            anything: false,
            symbols: symbols.into(),
            latex: latex.into(),
            code: String::new(),
            example: None,
        };
        let lines = lines(&guard, room);
        let found: Vec<(&str, &str)> =
            lines.iter().map(|line| (line.symbols.as_str(), line.latex.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_break_before_the_loosest_connective() {
        check("¬a ∧ b", "\\neg a \\land b", 10, &[("¬a ∧ b", "\\neg a \\land b")]);
        check("¬a ∧ b", "\\neg a \\land b", 4, &[("¬a", "\\neg a"), ("∧ b", "\\land b")]);
        check(
            "a ∧ b ∨ c ∧ d",
            "a \\land b \\lor c \\land d",
            8,
            &[("a ∧ b", "a \\land b"), ("∨ c ∧ d", "\\lor c \\land d")],
        );
        check(
            "(a ∨ b) ∧ c ∧ d",
            "(a \\lor b) \\land c \\land d",
            9,
            &[("(a ∨ b)", "(a \\lor b)"), ("∧ c ∧ d", "\\land c \\land d")],
        );
        check(
            "(a ∨ b) ∧ c",
            "(a \\lor b) \\land c",
            5,
            &[("(a", "(a"), ("∨ b)", "\\lor b)"), ("∧ c", "\\land c")],
        );
        check("\"a ∧ b\"", "\\mathit{a $\\land$ b}", 3, &[("\"a ∧ b\"", "\\mathit{a $\\land$ b}")]);
        // If the operators differ, nothing is broken.
        check("a ∧ b", "a^{x \\land b}", 2, &[("a ∧ b", "a^{x \\land b}")]);
    }
}
