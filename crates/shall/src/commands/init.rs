//! `shall init`: a new project with a worked example.

use crate::cli::Output;
use crate::cli::change::Init;
use crate::workspace::write_atomically;
use crate::{Outcome, json, print, render};
use project::template;
use serde_json::json;
use std::fs;

pub(crate) fn run(command: &Init, output: Output) -> Result<Outcome, String> {
    let folder = &command.folder;
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let own_name = || {
        let whole = std::path::absolute(folder).ok()?;
        Some(whole.file_name()?.to_string_lossy().into_owned())
    };
    let name = command.name.clone().or_else(own_name).unwrap_or_else(|| "Project".into());
    let files = template::files(&name);
    if let Some((taken, _)) = files.iter().find(|(file, _)| folder.join(file).symlink_metadata().is_ok()) {
        return Err(format!("{} is there already; nothing was written", folder.join(taken).display()));
    }
    fs::create_dir_all(folder).map_err(failed)?;
    for (file, text) in &files {
        write_atomically(&folder.join(file), text.as_bytes())?;
    }
    let made: Vec<String> = files.iter().map(|(file, _)| folder.join(file).display().to_string()).collect();
    match output {
        Output::Human => {
            for file in &made {
                print(format_args!("made {}\n", render::visible(file)))?;
            }
        }
        Output::Json | Output::JsonLines => {
            json::write(&[json!({ "name": name, "files": made })], output, false)?
        }
    }
    Ok(Outcome::Fine)
}
