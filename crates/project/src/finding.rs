//! What is wrong in a project: a diagnostic, the file it is in, and the requirement it is about.
//!
//! The files that related places and fixes of a diagnostic name are documents, by their index.

use crate::edit::Edit;
use diagnostics::{Applicability, Diagnostic, Fix, Related};

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file it is in.
    pub source: Source,
    /// What, and where in that file.
    pub diagnostic: Diagnostic,
    /// The id of the requirement it is about.
    pub requirement: Option<String>,
}

/// A file of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The project file.
    Config,
    /// A document, by its index.
    Document(usize),
}

impl Finding {
    /// A finding about a document.
    pub fn new(document: usize, diagnostic: Diagnostic) -> Finding {
        Finding { source: Source::Document(document), diagnostic, requirement: None }
    }

    /// A finding about the project file.
    pub fn in_config(diagnostic: Diagnostic) -> Finding {
        Finding { source: Source::Config, diagnostic, requirement: None }
    }

    /// Adds another place.
    #[must_use]
    pub(crate) fn related(
        mut self,
        document: usize,
        span: diagnostics::Span,
        message: impl Into<String>,
    ) -> Finding {
        self.diagnostic.related.push(Related { file: Some(document), span, message: message.into() });
        self
    }

    /// The other places, each with its file.
    pub fn places(&self) -> impl Iterator<Item = (Source, &Related)> {
        let file = |other: &Related| other.file.map_or(self.source, Source::Document);
        self.diagnostic.related.iter().map(move |other| (file(other), other))
    }

    /// The fix that needs no confirmation, with its edits.
    pub fn safe_fix(&self) -> Option<(&Fix, Vec<Edit>)> {
        self.fix().filter(|(fix, _)| fix.applicability == Applicability::Safe)
    }

    /// The fix, safe or suggested, with its edits of documents.
    pub fn fix(&self) -> Option<(&Fix, Vec<Edit>)> {
        let fix = self.diagnostic.fix.as_deref()?;
        let document = match (fix.file, self.source) {
            (Some(document), _) | (None, Source::Document(document)) => document,
            (None, Source::Config) => return None,
        };
        let edit = |(span, text): &(_, String)| Edit { document, span: *span, text: text.clone() };
        Some((fix, fix.edits.iter().map(edit).collect()))
    }
}
