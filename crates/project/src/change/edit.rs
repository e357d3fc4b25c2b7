//! Changes to documents: a span of the old text and what replaces it. Nothing outside the spans changes by a byte.

use syntax::Span;

/// A change to a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The index of the document.
    pub document: usize,
    /// What is replaced; an empty span inserts.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Why edits cannot be made together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// Two of them change the same bytes.
    Overlap(Span),
    /// One of them is outside the text, or inside a character.
    Outside(Span),
}

/// The text after the edits; all spans are those of the text that is given.
///
/// # Errors
/// Edits that overlap or lie outside the text.
pub fn apply<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> Result<String, Conflict> {
    let mut edits: Vec<&Edit> = edits.into_iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        if range.start < at {
            return Err(Conflict::Overlap(edit.span));
        }
        let outside = Conflict::Outside(edit.span);
        out.push_str(text.get(at..range.start).ok_or(outside)?);
        text.get(range.clone()).ok_or(outside)?;
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits() {
        let edit =
            |start, end, text: &str| Edit { document: 0, span: Span::new(start, end), text: text.into() };
        for (edits, expected) in [
            (vec![], Ok("añb")),
            (vec![edit(3, 4, "x"), edit(0, 1, "")], Ok("ñx")),
            (vec![edit(1, 1, "1"), edit(1, 1, "2")], Ok("a12ñb")),
            (vec![edit(4, 4, "!")], Ok("añb!")),
            (vec![edit(0, 3, ""), edit(1, 4, "")], Err(Conflict::Overlap(Span::new(1, 4)))),
            (vec![edit(2, 3, "")], Err(Conflict::Outside(Span::new(2, 3)))),
            (vec![edit(4, 9, "")], Err(Conflict::Outside(Span::new(4, 9)))),
        ] {
            assert_eq!(apply("añb", &edits), expected.map(String::from), "{edits:?}");
        }
    }
}
