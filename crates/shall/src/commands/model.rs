//! `shall model`: what a Simulink model is from outside, and files that are made of it.
//!
//! [`open`] reads a model with its data files, for every command that takes one.

mod harness;
mod lustre;
mod observer;
mod part;

use crate::cli::Format;
use crate::cli::model::{Info, Model, Question};
use crate::render::visible;
use crate::{Outcome, print, tell};
use serde_json::{Value as Json, json};
use simulink::diagram::Diagram;
use simulink::plan::{Trouble, loads, plan};
use simulink::value::Value;
use simulink::{Limits, library, mat};
use std::path::{Path, PathBuf};

pub(crate) fn run(command: &Model, format: Format) -> Result<Outcome, String> {
    match &command.question {
        Question::Info(command) => info(command, format),
        Question::Lustre(command) => lustre::run(command),
        Question::Observer(command) => observer::run(command),
        Question::Harness(command) => harness::run(command),
    }
}

/// A model file with the variables of its data files.
pub(crate) struct Opened {
    pub(crate) diagram: Diagram,
    pub(crate) workspace: Vec<(String, Value)>,
    /// The data files that were read.
    pub(crate) data: Vec<PathBuf>,
    /// What could not be read, in the model or in its data.
    pub(crate) troubles: Vec<Trouble>,
}

/// Reads a model and its data files: those given, or else those that belong to it.
pub(crate) fn open(file: &Path, data: &[PathBuf]) -> Result<Opened, String> {
    let reading = simulink::read(&bytes(file)?, &Limits::default());
    let mut diagram = reading.diagram;
    // Simulink calls a model as its file is called, whatever name was saved with it.
    if let Some(stem) = file.file_stem() {
        diagram.name = stem.to_string_lossy().into_owned();
    }
    let lost = |message: String, hint: Option<String>| Trouble {
        path: diagram.name.clone(),
        kind: "file".into(),
        message,
        hint,
    };
    let mut troubles: Vec<Trouble> =
        reading.troubles.iter().map(|trouble| lost(trouble.to_string(), None)).collect();
    if diagram.sheets.is_empty() {
        let reason = troubles.first().map_or("there is no model in it", |trouble| &trouble.message);
        return Err(format!("{}: {reason}", file.display()));
    }
    let data = if data.is_empty() { belonging(file, &diagram) } else { data.to_vec() };
    let mut workspace = vec![];
    for path in &data {
        let read = mat::read(&bytes(path)?, mat::Limits::default());
        let read = read.map_err(|error| format!("{}: {error}", path.display()))?;
        workspace.extend(read.variables);
        let refused = read.refused.iter();
        troubles
            .extend(refused.map(|error| lost(format!("{}: {error}", path.display()), error.hint.clone())));
    }
    // Links that stay unresolved are listed by the plan, block by block.
    library::expand(&mut diagram);
    Ok(Opened { diagram, workspace, data, troubles })
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The data files beside a model: `NAME.mat` and `NAME_data.mat` where the name of the model begins with `NAME`, and those
/// that its callbacks load.
fn belonging(file: &Path, diagram: &Diagram) -> Vec<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let named = loads(diagram);
    let belongs = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(stem) = name.strip_suffix(".mat") else { return false };
        let base = stem.strip_suffix("_data").unwrap_or(stem);
        let loaded = named.iter().any(|load| *load == name || load == stem);
        loaded || !base.is_empty() && diagram.name.starts_with(base)
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(belongs).collect();
    found.sort();
    found
}

fn info(command: &Info, format: Format) -> Result<Outcome, String> {
    let opened = open(&command.file, &command.data)?;
    let plan = plan(&opened.diagram, &opened.workspace);
    let troubles: Vec<&Trouble> = opened.troubles.iter().chain(&plan.troubles).collect();
    let info = simulink::info::info(&plan);
    let data: Vec<String> = opened.data.iter().map(|path| path.display().to_string()).collect();
    match format {
        Format::FretJson => print(format_args!("{:#}\n", info.fret(&command.file.display().to_string())))?,
        Format::Json | Format::JsonLines => {
            let mut document = info.json();
            document["data"] = json!(data);
            document["troubles"] = troubles.iter().map(|trouble| twin(trouble)).collect();
            print(if format == Format::Json { format!("{document:#}\n") } else { format!("{document}\n") })?;
        }
        Format::Human | Format::Concise | Format::Sarif | Format::Junit | Format::Github => {
            info.text().lines().try_for_each(|line| print(format_args!("{}\n", visible(line))))?;
        }
    }
    if !matches!(format, Format::Json | Format::JsonLines) {
        data.iter().for_each(|path| tell(format_args!("data: {}", visible(path))));
        troubles.iter().for_each(|trouble| complain(trouble));
    }
    Ok(if troubles.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

/// Writes a trouble to stderr, with its hint.
pub(crate) fn complain(trouble: &Trouble) {
    let path = trouble.path.split_whitespace().collect::<Vec<&str>>().join(" ");
    tell(format_args!("{} ({}): {}", visible(&path), visible(&trouble.kind), visible(&trouble.message)));
    if let Some(hint) = &trouble.hint {
        tell(format_args!("  hint: {}", visible(hint)));
    }
}

/// A trouble for programs.
pub(crate) fn twin(trouble: &Trouble) -> Json {
    json!({"path": trouble.path, "kind": trouble.kind, "message": trouble.message, "hint": trouble.hint})
}
