//! `shall rename`: a new name, wherever the old one is used.

use crate::cli::change::{Rename, Renamed};
use crate::files::write_file;
use crate::workspace::{FILE, Workspace};
use crate::{Error, Outcome, render};
use base::counted;
use project::{Cache, Edit, edit, format, rename};
use schemars::JsonSchema;
use serde::Serialize;

/// A file before and after.
struct Changed<'w> {
    name: &'w str,
    old: &'w str,
    new: String,
    edits: usize,
}

pub(crate) fn run(command: &Rename) -> Result<Outcome, Error> {
    let workspace = Workspace::open(&command.project)?;
    let (project, config) = (&workspace.project, workspace.config_text.as_deref());
    let analysis = project.analyse(&mut Cache::default());
    let change = match &command.what {
        Renamed::Variable { old, new, component } => {
            rename::variable(project, &analysis, component.as_deref(), old, new)
        }
        Renamed::Phrase { old, new, component } => {
            rename::phrase(project, &analysis, component.as_deref(), old, new)
        }
        Renamed::Requirement { old, new } => rename::requirement(project, old, new),
        Renamed::Component { old, new } => rename::component(project, &analysis, config, old, new),
    };
    let change = change.map_err(Error::refused)?;
    let mut files = Vec::new();
    for (index, document) in project.documents.iter().enumerate() {
        let edits: Vec<&Edit> = change.edits.iter().filter(|edit| edit.document == index).collect();
        let file = changed(&document.name, &document.text, &edits)?;
        files.extend(
            file.map(|file| Changed { new: format::kept(document, file.new, &analysis.phrases), ..file }),
        );
    }
    files.extend(changed(FILE, config.unwrap_or_default(), &change.config.iter().collect::<Vec<_>>())?);
    if !command.dry_run {
        for file in &files {
            write_file(&workspace.root.join(file.name), &file.new)?;
        }
    }
    let human = || match command.dry_run {
        true => render::lines(&files.iter().map(patch).collect::<String>()),
        false => files.iter().map(summary).collect(),
    };
    command.output.show(human, || Renaming {
        files: files.iter().map(|it| File { file: it.name, changes: it.edits, patch: patch(it) }).collect(),
        written: !command.dry_run,
    })?;
    Ok(Outcome::Fine)
}

/// The changes of a new name.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Renaming<'w> {
    /// The files that change.
    files: Vec<File<'w>>,
    /// Whether they were written: `false` with `--dry-run`.
    written: bool,
}

/// A file that changes.
#[derive(Serialize, JsonSchema)]
struct File<'w> {
    /// The file.
    file: &'w str,
    /// The number of changes.
    changes: usize,
    /// The changes as a unified diff without context.
    patch: String,
}

fn summary(file: &Changed) -> String {
    format!("{}: {}\n", render::visible(file.name), counted(file.edits, "change"))
}

fn changed<'w>(name: &'w str, old: &'w str, edits: &[&Edit]) -> Result<Option<Changed<'w>>, Error> {
    if edits.is_empty() {
        return Ok(None);
    }
    let new = edit::apply(old, edits.iter().copied())
        .map_err(|conflict| Error::Internal(format!("{name}: {conflict:?}")))?;
    Ok(Some(Changed { name, old, new, edits: edits.len() }))
}

/// The change as a patch without context.
fn patch(file: &Changed) -> String {
    let mut out = format!("--- a/{0}\n+++ b/{0}\n", file.name);
    let (old, new): (Vec<&str>, Vec<&str>) = (file.old.lines().collect(), file.new.lines().collect());
    if old.len() != new.len() {
        // A sentence that became too long for its line: all from the first to the last change is one piece.
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let pairs = old[same..].iter().rev().zip(new[same..].iter().rev());
        let end = pairs.take_while(|(old, new)| old == new).count();
        let (before, after) = (&old[same..old.len() - end], &new[same..new.len() - end]);
        out.push_str(&format!("@@ -{0},{1} +{0},{2} @@\n", same + 1, before.len(), after.len()));
        before.iter().for_each(|line| out.push_str(&format!("-{line}\n")));
        after.iter().for_each(|line| out.push_str(&format!("+{line}\n")));
        return out;
    }
    for (line, (old, new)) in
        file.old.lines().zip(file.new.lines()).enumerate().filter(|(_, (old, new))| old != new)
    {
        out.push_str(&format!("@@ -{0} +{0} @@\n-{old}\n+{new}\n", line + 1));
    }
    out
}
