//! `shall fmt`: documents in their normal form.

use crate::cli::Output;
use crate::cli::change::Fmt;
use crate::render::visible;
use crate::workspace::Workspace;
use crate::{Error, Outcome};
use project::{PhraseBook, edit, format};
use schemars::JsonSchema;
use serde::Serialize;
use std::fs;

pub(crate) fn run(command: &Fmt, output: Output) -> Result<Outcome, Error> {
    let workspace = Workspace::open(&command.path)?;
    let asked = fs::canonicalize(&command.path).map_err(Error::read(&command.path))?;
    let documents = workspace.project.documents.iter().filter(|document| {
        let place = workspace.root.join(&document.name);
        fs::canonicalize(&place).unwrap_or(place).starts_with(&asked)
    });
    let mut looked_at = 0;
    let mut changed = Vec::new();
    let phrases = PhraseBook::of(&workspace.project.documents);
    for document in documents {
        looked_at += 1;
        let edits = format::edits(document, 0, &phrases);
        if edits.is_empty() {
            continue;
        }
        let text = edit::apply(&document.text, &edits)
            .map_err(|conflict| Error::Internal(format!("{}: {conflict:?}", document.name)))?;
        if !command.check {
            workspace.save(&document.name, &text)?;
        }
        changed.push(document.name.as_str());
    }
    if looked_at == 0 && asked.is_file() {
        return Err(Error::file(&command.path, "this file is not a document of the project"));
    }
    let human = || {
        let word = if command.check { "not formatted" } else { "formatted" };
        changed.iter().map(|name| format!("{word}: {}\n", visible(name))).collect()
    };
    output.show(human, || Formatted { documents: looked_at, changed: &changed, written: !command.check })?;
    Ok(if command.check && !changed.is_empty() { Outcome::Findings } else { Outcome::Fine })
}

/// What was formatted.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Formatted<'c> {
    /// The number of documents that were looked at.
    documents: usize,
    /// The documents that were not formatted.
    changed: &'c [&'c str],
    /// Whether they were written: `false` with `--check`.
    written: bool,
}
