//! Findings of a project for people: in full, with the lines they are about, or one a line; and as annotations of GitHub.

use super::place::Places;
use super::{lines, visible};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use project::{Finding, Source};
use syntax::{Severity, Span};

/// A finding with the lines that it is about, its other places, a hint, and what `--fix` would do.
pub(crate) fn full(places: &Places, found: &Finding, severity: Severity) -> String {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let diagnostic = &found.diagnostic;
    let mut group: Group = level
        .primary_title(visible(&diagnostic.message))
        .id(diagnostic.code.id())
        .element(snippet(places, found.source, diagnostic.span, None));
    for (source, other) in found.places() {
        group = group.element(snippet(places, source, other.span, Some(&other.message)));
    }
    group = group.element(Level::HELP.message(visible(&diagnostic.hint)));
    if let Some((fix, _)) = found.safe_fix() {
        group = group.element(Level::HELP.message(visible(&format!("`--fix` does this: {}", fix.title))));
    }
    format!("{}\n\n", Renderer::styled().render(&[group]))
}

/// The lines of a span, with the span marked.
fn snippet<'a>(places: &Places, source: Source, span: Span, label: Option<&str>) -> Element<'a> {
    let (text, line, start) = places.lines(source, span);
    let within = |at: u32| lines(text.get(..at as usize - start).unwrap_or(text)).len();
    let range = within(span.start)..within(span.end.max(span.start));
    let annotation = match label {
        None => AnnotationKind::Primary.span(range),
        Some(label) => AnnotationKind::Context.span(range).label(visible(label)),
    };
    Snippet::source(lines(text))
        .path(visible(&places.path(source)))
        .line_start(line)
        .annotation(annotation)
        .into()
}

/// `file:line:column: error[E0510]: message`
pub(crate) fn concise(places: &Places, found: &Finding, severity: Severity) -> String {
    let (start, _) = places.ends(found.source, found.diagnostic.span);
    let path = visible(&places.path(found.source));
    let message = visible(&found.diagnostic.message);
    let (severity, code) = (severity.name(), found.diagnostic.code.id());
    format!("{path}:{}:{}: {severity}[{code}]: {message}\n", start.line, start.column)
}

/// A workflow command, which GitHub shows beside the line.
pub(crate) fn github(places: &Places, found: &Finding, severity: Severity) -> String {
    let (start, end) = places.ends(found.source, found.diagnostic.span);
    let file = property(&places.path(found.source));
    let message = data(&format!("{}; {}", found.diagnostic.message, found.diagnostic.hint));
    let title = match &found.requirement {
        Some(id) => property(&format!("{} {id}", found.diagnostic.code.id())),
        None => found.diagnostic.code.id().to_string(),
    };
    // Columns are understood within one line only.
    let columns = match start.line == end.line {
        true => format!(",col={},endColumn={}", start.column, end.column),
        false => String::new(),
    };
    let severity = severity.name();
    format!(
        "::{severity} file={file},line={},endLine={}{columns},title={title}::{message}\n",
        start.line, end.line
    )
}

/// The text of a command: it ends with its line.
pub(crate) fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command: it ends with a comma or colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
