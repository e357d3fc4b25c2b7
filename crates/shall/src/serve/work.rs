//! Long work: which command does it, and on which files. The page chooses among these; it gives no arguments of its own.

use super::project::is_below;
use super::workbench::read;
use ::serve::{Job, Kind, Refusal, Talk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The most files that are listed.
const MAX_FILES: usize = 10_000;
/// The longest time that a page can ask for, in seconds.
const MAX_TIMEOUT: u64 = 3600;

/// What a job is about; each kind of work uses some of it.
#[derive(Deserialize)]
struct Asked {
    component: Option<String>,
    #[serde(default)]
    set: bool,
    since: Option<String>,
    file: Option<String>,
    #[serde(default)]
    files: Vec<String>,
    /// Variables, and the columns of a log or signals of a model that they are read from.
    #[serde(default)]
    map: BTreeMap<String, String>,
    /// Roles and the columns of a sheet that have them.
    #[serde(default)]
    profile: BTreeMap<String, String>,
    node: Option<String>,
    subsystem: Option<String>,
    question: Option<String>,
    timeout: Option<u64>,
}

/// The command for long work.
pub(super) fn job(root: &Path, name: &str, request: &Json) -> Result<Job, Refusal> {
    let asked: Asked = read(request)?;
    let malformed = |reason: &str| Refusal::new(Kind::Malformed, reason);
    let file = || {
        let file = asked.file.as_deref().ok_or_else(|| malformed("the job needs a `file`"))?;
        known(root, file)
    };
    let mut arguments: Vec<String> = Vec::new();
    let mut add = |words: &[&str]| arguments.extend(words.iter().map(ToString::to_string));
    match name {
        "init" => add(&["init", "."]),
        "import" => {
            add(&["import", &file()?, "--project", "."]);
            for (role, column) in &asked.profile {
                add(&[&format!("--profile={role}={column}")]);
            }
        }
        "realize" => add(&["realize", "."]),
        "check" if asked.set => add(&["check", ".", "--set"]),
        "check" => add(&["check", "."]),
        "diff" => {
            let since = asked.since.as_deref().filter(|since| !since.starts_with('-') && !since.is_empty());
            add(&["diff", since.ok_or_else(|| malformed("the job needs a revision in `since`"))?]);
        }
        "model" => add(&["model", "info", &file()?]),
        "diagram" => {
            add(&["model", "diagram", &file()?]);
            if let Some(subsystem) = &asked.subsystem {
                add(&[&format!("--subsystem={subsystem}")]);
            }
        }
        "log" => add(&["log", "info", &file()?]),
        "verify" => {
            let file = file()?;
            add(&["verify", &file]);
            // The diagram shows the values of all signals.
            if kind(Path::new(&file)) == Some("simulink") {
                add(&["--inner"]);
            }
            if asked.component.is_some() {
                add(&["--requirements", "."]);
            }
            if let Some(node) = &asked.node {
                add(&[&format!("--node={node}")]);
            }
        }
        "simulate" => add(&["simulate", &file()?]),
        "eval" => {
            add(&["eval", "--project", "."]);
            if asked.files.is_empty() {
                return Err(malformed("the job needs `files`"));
            }
            for file in &asked.files {
                add(&["--trace", &known(root, file)?]);
            }
        }
        "dfrs" => {
            let questions = ["frames", "model", "check", "test", "readings"];
            let question = asked.question.as_deref().filter(|question| questions.contains(question));
            let question = question.ok_or_else(|| malformed("the job needs a known `question`"))?;
            add(&["dfrs", question, &file()?]);
        }
        _ => return Err(Refusal::new(Kind::Missing, format_args!("there is no job `{name}`"))),
    }
    if let "eval" | "verify" = name {
        for (variable, signal) in &asked.map {
            add(&[&format!("--map={variable}={signal}")]);
        }
    }
    if let (Some(component), "realize" | "verify") = (&asked.component, name) {
        add(&[&format!("--component={component}")]);
    }
    if let (Some(timeout), "realize" | "verify") = (asked.timeout, name) {
        add(&[&format!("--timeout={}", timeout.clamp(1, MAX_TIMEOUT))]);
    }
    add(&["--output-format=json"]);
    let files = asked.file.iter().chain(&asked.files).map(|name| root.join(name)).collect();
    Ok(Job { program: program()?, arguments, folder: root.to_path_buf(), files })
}

/// The program that a page talks with: a play of requirements, or a run of a model in controlled English.
pub(super) fn talk(root: &Path, name: &str, request: &Json) -> Result<Talk, Refusal> {
    let mut arguments: Vec<String> = Vec::new();
    match name {
        "play" => {
            let asked: Played = read(request)?;
            arguments.extend(["play", "."].map(String::from));
            arguments.push(format!("--component={}", asked.component));
            arguments.push(format!("--as={}", asked.side));
            arguments.extend(asked.requirements.iter().map(|id| format!("--requirement={id}")));
        }
        "animate" => {
            let asked: Animated = read(request)?;
            arguments.extend(["dfrs", "animate"].map(String::from));
            arguments.push(known(root, &asked.file)?);
        }
        _ => return Err(Refusal::new(Kind::Missing, format_args!("there is no talk `{name}`"))),
    }
    arguments.push("--output-format=json-lines".into());
    // The page keeps what it wants to keep: a program that it talks with writes no files.
    let allows = |line: &str| line.split_whitespace().next() != Some("save");
    let job = Job { program: program()?, arguments, folder: root.to_path_buf(), files: Vec::new() };
    Ok(Talk { job, allows })
}

/// A run of a model in controlled English.
#[derive(Deserialize)]
struct Animated {
    file: String,
}

/// A play.
#[derive(Deserialize)]
struct Played {
    component: String,
    /// `system`, `environment` or `both`.
    side: String,
    /// Some of the requirements; all of them without any.
    #[serde(default)]
    requirements: Vec<String>,
}

/// This program.
fn program() -> Result<PathBuf, Refusal> {
    std::env::current_exe().map_err(|error| Refusal::new(Kind::Failed, error))
}

/// The name of a file of the project, such that it cannot be taken for an option.
pub(super) fn known(root: &Path, name: &str) -> Result<String, Refusal> {
    let path = root.join(name);
    match path.is_file() && is_below(root, &path) {
        true => Ok(format!("./{name}")),
        false => Err(Refusal::new(Kind::Missing, format_args!("the project has no file `{name}`"))),
    }
}

/// The files of the project folder that work can be about, with what they are, by name.
pub(super) fn listed(root: &Path) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.flatten() {
            let (Ok(name), Ok(file_type)) = (entry.file_name().into_string(), entry.file_type()) else {
                continue;
            };
            seen += 1;
            if seen > MAX_FILES || name.starts_with('.') {
                continue;
            }
            let below = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let path = root.join(&below);
            // Only a link can lead elsewhere.
            if file_type.is_symlink() && !is_below(root, &path) {
                continue;
            }
            if file_type.is_dir() || file_type.is_symlink() && path.is_dir() {
                if !["target", "node_modules"].contains(&name.as_str()) {
                    folders.push(below);
                }
            } else if let Some(kind) = kind(&path) {
                found.push((below, kind));
            }
        }
    }
    found.sort();
    found
}

pub(super) fn files(root: &Path) -> Json {
    let file = |(name, kind)| File { name, kind };
    json!(Files { files: listed(root).into_iter().map(file).collect() })
}

/// Files of the project folder.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Files {
    /// The files that work can be about, by name.
    files: Vec<File>,
}

/// A file.
#[derive(Serialize, JsonSchema)]
struct File {
    /// Its path from the folder of the project.
    name: String,
    /// `document`, `lustre`, `simulink`, `english`, `log` or `import`.
    kind: &'static str,
}

/// What a file is, by its name.
pub(super) fn kind(path: &Path) -> Option<&'static str> {
    Some(match path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase().as_str() {
        "md" => "document",
        "lus" => "lustre",
        "slx" | "mdl" => "simulink",
        "req" | "cnl" | "txt" => "english",
        "csv" | "tsv" | "vcd" | "mat" | "mcap" | "db3" | "mf4" | "mdf" => "log",
        "parquet" | "pq" | "arrow" | "feather" | "ipc" => "log",
        "json" | "xlsx" | "reqif" | "reqifz" => "import",
        _ => return None,
    })
}
