//! What people read: diagnostics in the style of rustc, and texts from outside that a terminal must not obey.

pub(crate) mod findings;
pub(crate) mod junit;
pub(crate) mod place;
pub(crate) mod sarif;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;
use syntax::{Diagnostic, Severity};

/// Longer sentences are shown only around the place in question.
const MAX_SHOWN: usize = 400;

/// A diagnostic about a text, ready to print.
pub(crate) fn diagnostic(text: &str, diagnostic: &Diagnostic) -> String {
    let (shown, span) = window(text, diagnostic.span.range());
    report(diagnostic, Snippet::source(lines(shown)).line_start(1), mapped(shown, span))
}

/// A diagnostic about a file of several lines.
pub(crate) fn document(name: &str, text: &str, diagnostic: &Diagnostic) -> String {
    let span = mapped(text, diagnostic.span.range());
    report(diagnostic, Snippet::source(lines(text)).path(visible(name)).line_start(1), span)
}

/// A span in the text as it is shown.
fn mapped(text: &str, span: Range<usize>) -> Range<usize> {
    lines(&text[..span.start]).len()..lines(&text[..span.end]).len()
}

fn report<'a>(
    diagnostic: &Diagnostic,
    snippet: Snippet<'a, annotate_snippets::Annotation<'a>>,
    span: Range<usize>,
) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let snippet = snippet.annotation(AnnotationKind::Primary.span(span));
    let report = [level
        .primary_title(visible(&diagnostic.message))
        .id(diagnostic.code.id())
        .element(snippet)
        .element(Level::HELP.message(visible(&diagnostic.hint)))];
    format!("{}\n", Renderer::styled().render(&report))
}

/// A text from outside on one line, with its control characters spelled out: a terminal cannot obey them, and a reader
/// sees that they are there. JSON needs none of this.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{7f}' => out.push('␡'),
            // C1 controls, separators of lines, and marks that turn the direction of writing.
            '\u{80}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
    }
    out
}

/// As [`visible`], with the text's own lines.
pub(crate) fn lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// The text around a span, and the span inside it.
fn window(text: &str, span: Range<usize>) -> (&str, Range<usize>) {
    if text.len() <= MAX_SHOWN {
        return (text, span);
    }
    let start = floor(text, span.start.saturating_sub(MAX_SHOWN / 2));
    let end = floor(text, text.len().min(start + MAX_SHOWN));
    (&text[start..end], span.start.min(end) - start..span.end.min(end) - start)
}

/// The nearest boundary of a character at or before a byte.
fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_for_a_terminal_to_obey() {
        for (text, expected) in [
            ("größe ≤ 速度", "größe ≤ 速度"),
            ("\u{1b}[31mred", "␛[31mred"),
            ("a\tb\r\nc\0\u{7f}", "a␉b␍␊c␀␡"),
            ("\u{9b}31m \u{202e}x\u{2066}", "\\u{9b}31m \\u{202e}x\\u{2066}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }
}
