//! A hint that proposes a word, as an edit: "did you mean `shall`?" replaces what it is about.

use crate::edit::Edit;
use crate::finding::Fix;
use syntax::Diagnostic;

/// The edit that the hint of a diagnostic about a sentence proposes.
pub fn mend(document: usize, diagnostic: &Diagnostic) -> Option<Fix> {
    let proposed = [("did you mean `", "`?"), ("replace it by `", "`")]
        .iter()
        .find_map(|(start, end)| diagnostic.hint.strip_prefix(start)?.strip_suffix(end))?;
    (!proposed.contains('`') && diagnostic.span.start < diagnostic.span.end).then(|| Fix {
        title: format!("Replace it by `{proposed}`"),
        edits: vec![Edit { document, span: diagnostic.span, text: proposed.to_string() }],
    })
}
