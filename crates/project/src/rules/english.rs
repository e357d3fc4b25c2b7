//! Sentences in controlled English: those of one document are one set of requirements, read together, and what is wrong is
//! reported where it is in the document.

use super::sentence::Memory;
use crate::document::{Document, Language};
use crate::finding::Finding;
use crate::project::Project;
use diagnostics::Span;
use std::sync::Arc;

pub(super) fn check(project: &Project, memory: &mut Memory, findings: &mut Vec<Finding>) {
    let mut old = std::mem::take(&mut memory.english);
    for (at, document) in project.documents.iter().enumerate() {
        let (text, pieces) = gather(document);
        if pieces.is_empty() {
            continue;
        }
        let known = memory.english.get(&text).cloned().or_else(|| old.remove(&text));
        let diagnostics = known.unwrap_or_else(|| Arc::new(dfrs::lower(&dfrs::read(&text)).diagnostics));
        for found in diagnostics.iter() {
            let Some(piece) = piece_at(&pieces, found.span) else { continue };
            let diagnostic = found.clone().moved(|span| piece.placed(span));
            let requirement = Some(document.entries[piece.entry].id.text.clone());
            findings.push(Finding { requirement, ..Finding::new(at, diagnostic) });
        }
        memory.english.insert(text, diagnostics);
    }
}

/// A piece of the gathered text: where it begins there, and the sentence it is.
struct Piece {
    start: u32,
    sentence: Span,
    entry: usize,
}

/// The sentences of a document as one text, with empty lines between them.
fn gather(document: &Document) -> (String, Vec<Piece>) {
    let mut text = String::new();
    let mut pieces = Vec::new();
    for (entry, found) in document.entries.iter().enumerate() {
        let Some(sentence) = found.sentence.filter(|sentence| sentence.language == Language::SysReq) else {
            continue;
        };
        pieces.push(Piece { start: text.len() as u32, sentence: sentence.span, entry });
        text.push_str(document.slice(sentence.span));
        text.push_str("\n\n");
    }
    (text, pieces)
}

/// The piece that a span of the gathered text begins in.
fn piece_at(pieces: &[Piece], span: Span) -> Option<&Piece> {
    let at = pieces.partition_point(|piece| piece.start <= span.start).checked_sub(1)?;
    pieces.get(at)
}

impl Piece {
    /// A span of the gathered text as a span of the document.
    fn placed(&self, span: Span) -> Span {
        let shift = |at: u32| (self.sentence.start + at.saturating_sub(self.start)).min(self.sentence.end);
        Span::new(shift(span.start), shift(span.end.max(span.start)))
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, project};

    #[test]
    fn sentences_are_read_together_and_errors_are_in_their_place() {
        let good = "When the pressure is low, the pump controller shall: assign open to the valve.";
        let other = "When the pressure is high, the pump controller shall: assign 3 to the valve.";
        let bad = "When the pressure low, the pump controller shall: assign closed to the valve.";
        let text = |sentences: &[&str]| {
            let mut text = String::from("# Plant\n");
            for (number, sentence) in sentences.iter().enumerate() {
                text += &format!("\n## S-{number}\n\n```sysreq\n{sentence}\n```\n");
            }
            text
        };
        let (_, checked) = project(&[&text(&[good, bad])]);
        let errors: Vec<_> =
            checked.findings.iter().filter(|found| found.diagnostic.code.id().starts_with("E0")).collect();
        assert!(!errors.is_empty());
        for found in errors {
            assert_eq!(found.requirement.as_deref(), Some("S-1"), "{found:?}");
        }
        expect(&[&text(&[good, other])], &["E0401"], &["E0401 3"]);
    }
}
