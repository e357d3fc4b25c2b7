//! `shall fmt`: documents in normal form.

use crate::cli::Output;
use crate::cli::change::Fmt;
use crate::workspace::Workspace;
use crate::{Outcome, json, print, render};
use project::{edit, format};
use serde_json::json;
use std::fs;

pub(crate) fn run(command: &Fmt, output: Output) -> Result<Outcome, String> {
    let workspace = Workspace::open(&command.path)?;
    let asked =
        fs::canonicalize(&command.path).map_err(|error| format!("{}: {error}", command.path.display()))?;
    let documents = workspace.project.documents.iter().filter(|document| {
        let place = workspace.root.join(&document.name);
        fs::canonicalize(&place).unwrap_or(place).starts_with(&asked)
    });
    let mut looked_at = 0;
    let mut changed = Vec::new();
    for document in documents {
        looked_at += 1;
        let edits = format::edits(document, 0);
        if edits.is_empty() {
            continue;
        }
        let text = edit::apply(&document.text, &edits).map_err(|conflict| {
            format!("{}: internal error: {conflict:?}; please report this", document.name)
        })?;
        if !command.check {
            workspace.save(&document.name, &text)?;
        }
        changed.push(document.name.as_str());
    }
    if looked_at == 0 && asked.is_file() {
        return Err(format!("{} is no document of the project", command.path.display()));
    }
    match output {
        Output::Human => {
            let word = if command.check { "not in normal form" } else { "formatted" };
            for name in &changed {
                print(format_args!("{word}: {}\n", render::visible(name)))?;
            }
        }
        Output::Json | Output::JsonLines => {
            let twin = json!({ "documents": looked_at, "changed": changed, "written": !command.check });
            json::write(&[twin], output, false)?;
        }
    }
    Ok(if command.check && !changed.is_empty() { Outcome::Findings } else { Outcome::Fine })
}
