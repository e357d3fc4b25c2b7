//! Runs Coq: files are compiled in `target/coq`, and only those that changed or depend on a file that did.

use crate::failure::{At, Failure, Result};
use crate::files;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// A file of Coq: its name without `.v`, and its text.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// What Coq said about a file.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// All of it is proved; what it printed.
    Accepted(String),
    /// The number of the first line that is not accepted, and the message.
    Rejected(usize, String),
}

pub(crate) fn folder() -> PathBuf {
    files::root().join("target/coq")
}

/// The script that installs Coq if it is missing.
pub(crate) fn install() -> Result {
    let script = files::root().join("scripts/prepare-coq");
    let status = Command::new(&script).status().at(&script)?;
    if status.success() { Ok(()) } else { Err(Failure::Program("Coq is missing".to_string())) }
}

/// The files of `proofs`, each after those that it imports.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut waiting = Vec::new();
    for path in files::entries(&files::root().join("proofs"))? {
        if let (Some("v"), Some(name)) =
            (path.extension().and_then(|it| it.to_str()), path.file_stem().and_then(|it| it.to_str()))
        {
            waiting.push(Source { name: name.to_string(), text: files::text(&path)? });
        }
    }
    let mut sorted: Vec<Source> = Vec::new();
    while !waiting.is_empty() {
        let is_known = |name: &str| sorted.iter().any(|source| source.name == name);
        let ready = waiting.iter().position(|source| source.imports().all(is_known));
        let Some(ready) = ready else {
            return Err(Failure::Program("the files in `proofs` import each other in a circle".to_string()));
        };
        sorted.push(waiting.remove(ready));
    }
    Ok(sorted)
}

impl Source {
    /// The files of this project that it imports.
    fn imports(&self) -> impl Iterator<Item = &str> {
        let lines = self.text.lines().filter_map(|line| line.strip_prefix("From Shall Require Import "));
        lines.flat_map(|line| line.trim_end_matches('.').split_whitespace())
    }

    /// Compiles the file, unless neither it nor one that it imports has changed. Returns also whether it was compiled.
    pub(crate) fn compile(&self, changed: &BTreeSet<String>) -> Result<(Answer, bool)> {
        let folder = folder();
        let [text, object, output] =
            ["v", "vo", "out"].map(|extension| folder.join(format!("{}.{extension}", self.name)));
        let is_same = std::fs::read_to_string(&text).is_ok_and(|old| old == self.text);
        if is_same
            && object.exists()
            && !self.imports().any(|name| changed.contains(name))
            && let Ok(printed) = std::fs::read_to_string(&output)
        {
            return Ok((Answer::Accepted(printed), false));
        }
        // What is left of the last run must not be taken for the result of this one.
        if output.exists() {
            std::fs::remove_file(&output).at(&output)?;
        }
        files::write(&text, &self.text)?;
        let mut coqc = Command::new("coqc");
        coqc.args(["-q", "-Q", ".", "Shall", &format!("{}.v", self.name)]).current_dir(&folder);
        let done = coqc.output().at(&folder)?;
        if done.status.success() {
            let printed = String::from_utf8_lossy(&done.stdout).into_owned();
            files::write(&output, &printed)?;
            return Ok((Answer::Accepted(printed), true));
        }
        let message = String::from_utf8_lossy(&done.stderr).into_owned();
        Ok((Answer::Rejected(line_of(&message), message), true))
    }
}

/// The line that an error of Coq is about: `File "./A.v", line 7, characters …`.
fn line_of(message: &str) -> usize {
    let number = message.split("\", line ").nth(1).and_then(|rest| rest.split(',').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
