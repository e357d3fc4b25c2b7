//! `shall rename`: a new name, wherever the old one is used.

use crate::cli::Output;
use crate::cli::change::{Rename, Renamed};
use crate::workspace::{FILE, Workspace, write_atomically};
use crate::{Outcome, json, print, render};
use project::{Cache, Edit, edit, rename};
use serde_json::json;

/// A file before and after.
struct Changed<'w> {
    name: &'w str,
    old: &'w str,
    new: String,
    edits: usize,
}

pub(crate) fn run(command: &Rename, output: Output) -> Result<Outcome, String> {
    let workspace = Workspace::open(&command.project)?;
    let (project, config) = (&workspace.project, workspace.config_text.as_deref());
    let analysis = project.analyse(&mut Cache::default());
    let change = match &command.what {
        Renamed::Variable { old, new, component } => {
            rename::variable(project, &analysis, component.as_deref(), old, new)
        }
        Renamed::Requirement { old, new } => rename::requirement(project, old, new),
        Renamed::Component { old, new } => rename::component(project, &analysis, config, old, new),
    };
    let change = change.map_err(|refused| refused.to_string())?;
    let mut files = Vec::new();
    for (index, document) in project.documents.iter().enumerate() {
        let edits: Vec<&Edit> = change.edits.iter().filter(|edit| edit.document == index).collect();
        files.extend(changed(&document.name, &document.text, &edits)?);
    }
    files.extend(changed(FILE, config.unwrap_or_default(), &change.config.iter().collect::<Vec<_>>())?);
    if !command.dry_run {
        for file in &files {
            write_atomically(&workspace.root.join(file.name), file.new.as_bytes())?;
        }
    }
    match output {
        Output::Human if command.dry_run => {
            print(render::lines(&files.iter().map(patch).collect::<String>()))?;
        }
        Output::Human => {
            for file in &files {
                let changes = base::counted(file.edits, "change");
                print(format_args!("{}: {changes}\n", render::visible(file.name)))?;
            }
        }
        Output::Json | Output::JsonLines => {
            let twin =
                |file: &Changed| json!({ "file": file.name, "changes": file.edits, "patch": patch(file) });
            let twin =
                json!({ "files": files.iter().map(twin).collect::<Vec<_>>(), "written": !command.dry_run });
            json::write(&[twin], output, false)?;
        }
    }
    Ok(Outcome::Fine)
}

fn changed<'w>(name: &'w str, old: &'w str, edits: &[&Edit]) -> Result<Option<Changed<'w>>, String> {
    if edits.is_empty() {
        return Ok(None);
    }
    let new = edit::apply(old, edits.iter().copied())
        .map_err(|conflict| format!("{name}: internal error: {conflict:?}; please report this"))?;
    Ok(Some(Changed { name, old, new, edits: edits.len() }))
}

/// The change as a patch without context. A new name never changes the number of lines.
fn patch(file: &Changed) -> String {
    let mut out = format!("--- a/{0}\n+++ b/{0}\n", file.name);
    for (line, (old, new)) in
        file.old.lines().zip(file.new.lines()).enumerate().filter(|(_, (old, new))| old != new)
    {
        out.push_str(&format!("@@ -{0} +{0} @@\n-{old}\n+{new}\n", line + 1));
    }
    out
}
