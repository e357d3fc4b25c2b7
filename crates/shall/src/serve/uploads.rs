//! Files that are dropped on the page: they become files of the project folder, and never replace one.

use super::work::kind;
use crate::files::NewFile;
use ::serve::{Kind, Refusal, Upload};
use serde_json::json;
use std::io::{self, ErrorKind};
use std::path::Path;

/// A file on its way.
struct Incoming {
    name: String,
    file: NewFile,
}

/// Begins to take a file.
pub(super) fn receive(root: &Path, name: &str) -> Result<Box<dyn Upload>, Refusal> {
    let is_plain = !name.starts_with('.') && !name.contains(|c: char| "/\\:".contains(c) || c.is_control());
    if !is_plain || name.len() > 200 {
        return Err(Refusal::new(Kind::Malformed, format_args!("`{name}` cannot be the name of a file")));
    }
    match kind(Path::new(name)) {
        None | Some("document") => {
            let reason = "the page takes logs, models, texts in controlled English, and files to import";
            return Err(Refusal::new(Kind::Malformed, format_args!("`{name}` is none of them: {reason}")));
        }
        Some(_) => {}
    }
    let target = root.join(name);
    if target.symlink_metadata().is_ok() {
        return Err(failed(name, &ErrorKind::AlreadyExists.into()));
    }
    let file = NewFile::beside(&target).map_err(|error| failed(name, &error))?;
    Ok(Box::new(Incoming { name: name.to_owned(), file }))
}

impl Upload for Incoming {
    fn take(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.file.add(bytes).map_err(|error| failed(&self.name, &error))
    }

    fn finish(self: Box<Self>) -> Result<String, Refusal> {
        let Incoming { name, file } = *self;
        file.finish().map_err(|error| failed(&name, &error))?;
        Ok(json!({ "name": name }).to_string())
    }
}

fn failed(name: &str, error: &io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::AlreadyExists => {
            Refusal::new(Kind::Conflict, format_args!("the project has a file `{name}` already"))
        }
        _ => Refusal::new(Kind::Failed, format_args!("`{name}` cannot be written: {error}")),
    }
}
