//! `shall init`: a new project with a worked example.

use crate::cli::Output;
use crate::cli::change::Init;
use crate::files::{create_folder, write_file};
use crate::render::visible;
use crate::{Error, Outcome};
use project::template;
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) fn run(command: &Init, output: Output) -> Result<Outcome, Error> {
    let folder = &command.folder;
    let own_name = || {
        let whole = std::path::absolute(folder).ok()?;
        Some(whole.file_name()?.to_string_lossy().into_owned())
    };
    let name = command.name.clone().or_else(own_name).unwrap_or_else(|| "Project".into());
    let files = template::files(&name);
    if let Some((taken, _)) = files.iter().find(|(file, _)| folder.join(file).symlink_metadata().is_ok()) {
        return Err(Error::file(&folder.join(taken), "the file exists already; nothing was written"));
    }
    create_folder(folder)?;
    for (file, text) in &files {
        write_file(&folder.join(file), text)?;
    }
    let made: Vec<String> = files.iter().map(|(file, _)| folder.join(file).display().to_string()).collect();
    let human = || made.iter().map(|file| format!("created {}\n", visible(file))).collect();
    output.show(human, || Started { name: &name, files: &made })?;
    Ok(Outcome::Fine)
}

/// A new project.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Started<'p> {
    /// Its name.
    name: &'p str,
    /// Its files.
    files: &'p [String],
}
