//! `shall diff`: what changed between two versions of a project, requirement by requirement.

mod git;
mod show;

pub(crate) use show::Differences;

use crate::cli::Output;
use crate::cli::change::Diff as Arguments;
use crate::workspace::{FILE, Workspace};
use crate::{Error, Outcome, render, tell};
use project::Project;
use project::diff::diff;
use std::path::Path;

pub(crate) fn run(command: &Arguments, output: Output) -> Result<Outcome, Error> {
    let (old, new) = versions(command)?;
    let found = diff(&old, &new);
    output
        .show(|| render::lines(&show::human(&found, command.all)), || show::document(&found, command.all))?;
    Ok(match (found.is_undecided(), found.changes_meaning()) {
        (true, _) => Outcome::Inconclusive,
        (false, true) => Outcome::Findings,
        (false, false) => Outcome::Fine,
    })
}

/// The two versions that the arguments name.
fn versions(command: &Arguments) -> Result<(Project, Project), Error> {
    if let (Some(old), Some(new)) = (&command.old, &command.new)
        && Path::new(old).is_dir()
        && Path::new(new).is_dir()
    {
        return Ok((here(Path::new(old))?, here(Path::new(new))?));
    }
    let (old, new) = match (command.old.as_deref().unwrap_or("HEAD"), command.new.as_deref()) {
        (range, None) if range.contains("..") => {
            let (old, new) = range.split_once("..").unwrap_or((range, ""));
            if new.starts_with('.') {
                return Err(Error::Usage(format!("`{range}`: write two dots, `OLD..NEW`")));
            }
            let or_head =
                |revision: &str| if revision.is_empty() { "HEAD".into() } else { revision.to_string() };
            (or_head(old), Some(or_head(new)))
        }
        (old, new) => (old.to_string(), new.map(String::from)),
    };
    let now = Workspace::open(&command.project)?;
    let of = |revision: &str| {
        let project = git::project(&now.root, revision)?;
        if project.is_none() {
            tell(format_args!(
                "note: {} has no shall.toml, so it has no requirements",
                render::visible(revision)
            ));
        }
        Ok::<_, Error>(project.unwrap_or_default())
    };
    let before = of(&old)?;
    let after = match new {
        Some(new) => of(&new)?,
        None => sound(now)?,
    };
    Ok((before, after))
}

/// The project in a folder.
fn here(folder: &Path) -> Result<Project, Error> {
    sound(Workspace::open(folder)?)
}

/// The project, unless its project file is broken: then it is not known what belongs to it.
fn sound(workspace: Workspace) -> Result<Project, Error> {
    match workspace.config_diagnostics.first() {
        None => Ok(workspace.project),
        Some(wrong) => Err(Error::file(&workspace.root.join(FILE), &wrong.message)),
    }
}
