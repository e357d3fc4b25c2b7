//! What is wrong in a project: a diagnostic with its document, the other places it is about, and how to mend it.

use crate::edit::Edit;
use syntax::{Diagnostic, Span};

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file it is in.
    pub source: Source,
    /// What, and where in that file.
    pub diagnostic: Diagnostic,
    /// The id of the requirement it is about.
    pub requirement: Option<String>,
    /// Other places, such as the first of two declarations.
    pub related: Vec<Related>,
    /// How to mend it.
    pub fix: Option<Fix>,
}

/// A file of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The project file.
    Config,
    /// A document, by its index.
    Document(usize),
}

/// Another place that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Related {
    pub document: usize,
    pub span: Span,
    pub message: String,
}

/// Edits that mend a finding without changing what is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a command: "Rename it to `idle`".
    pub title: String,
    /// The changes.
    pub edits: Vec<Edit>,
}

impl Finding {
    /// A finding about a document.
    pub fn new(document: usize, diagnostic: Diagnostic) -> Finding {
        Finding {
            source: Source::Document(document),
            diagnostic,
            requirement: None,
            related: Vec::new(),
            fix: None,
        }
    }
}
