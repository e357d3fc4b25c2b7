//! Diagnostics for people, in the style of rustc.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;
use syntax::{Diagnostic, Severity};

/// Longer sentences are shown only around the place in question.
const MAX_SHOWN: usize = 400;

/// A diagnostic about a text, ready to print.
pub(crate) fn diagnostic(text: &str, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let (shown, span) = window(text, diagnostic.span.range());
    let snippet = Snippet::source(shown).line_start(1).annotation(AnnotationKind::Primary.span(span));
    let report = [level
        .primary_title(&diagnostic.message)
        .id(diagnostic.code.id())
        .element(snippet)
        .element(Level::HELP.message(&diagnostic.hint))];
    format!("{}\n", Renderer::styled().render(&report))
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
