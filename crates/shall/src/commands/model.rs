//! `shall model`: what a Simulink model is from outside, and files that are made of it.
//!
//! [`open`] reads a model with its data files, and [`Opened::system`] lowers it, for every command that takes one.

mod harness;
mod lustre;
mod observer;
mod part;

use crate::cli::Format;
use crate::cli::model::{Info, Model, Question};
use crate::render::visible;
use crate::{Outcome, print, tell};
use ::system::System;
use serde_json::{Value as Json, json};
use simulink::diagram::Diagram;
use simulink::lower::{Options, lower};
use simulink::plan::{Plan, Problem, loads, plan};
use simulink::value::Value;
use simulink::{Limits, library, mat};
use std::path::{Path, PathBuf};
use syntax::nearest;

pub(crate) fn run(command: &Model, format: Format) -> Result<Outcome, String> {
    let Made { files, left_out } = match &command.question {
        Question::Info(command) => return info(command, format),
        Question::Lustre(command) => lustre::run(command)?,
        Question::Observer(command) => observer::run(command)?,
        Question::Harness(command) => harness::run(command)?,
    };
    if matches!(format, Format::Json | Format::JsonLines) {
        let left_out: Vec<Json> =
            left_out.iter().map(|(id, reason)| json!({ "id": id, "reason": reason })).collect();
        document(&json!({ "files": files, "left_out": left_out }), format)?;
    } else {
        for (id, reason) in &left_out {
            tell(format_args!("{} is left out: {}", visible(id), visible(reason)));
        }
    }
    Ok(if left_out.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

/// What a command wrote.
struct Made {
    files: Vec<PathBuf>,
    /// Requirements that are not in it, and why.
    left_out: Vec<(String, String)>,
}

fn document(document: &Json, format: Format) -> Result<(), String> {
    print(if format == Format::Json { format!("{document:#}\n") } else { format!("{document}\n") })
}

/// A model file, understood with the variables of its data files.
pub(crate) struct Opened {
    pub(crate) diagram: Diagram,
    pub(crate) plan: Plan,
    /// The data files that were read.
    pub(crate) data: Vec<String>,
    /// What could not be read, in the model or in its data.
    pub(crate) lost: Vec<Problem>,
}

impl Opened {
    /// Everything that was not read or not understood.
    pub(crate) fn troubles(&self) -> impl Iterator<Item = &Problem> {
        self.lost.iter().chain(&self.plan.problems)
    }

    /// Tells which data files were read, and some troubles.
    pub(crate) fn complain<'t>(&self, troubles: impl IntoIterator<Item = &'t Problem>) {
        self.data.iter().for_each(|path| tell(format_args!("data: {}", visible(path))));
        troubles.into_iter().for_each(complain);
    }

    /// The system of the model, or of a subsystem; nothing if there is none, and why has been told.
    pub(crate) fn system(&self, at: Option<&str>) -> Option<System> {
        let told = |troubles: Vec<Problem>| {
            troubles.iter().for_each(complain);
            let paths = self.plan.units.iter().filter(|it| it.inside.is_some());
            let near = at.and_then(|at| nearest(at, paths.map(|it| it.path.as_str())));
            near.into_iter().for_each(|near| tell(format_args!("  did you mean `{near}`?")));
        };
        lower(&self.plan, at, &Options::default()).map_err(told).ok()
    }
}

/// Reads a model and its data files: those given, or else those that belong to it.
pub(crate) fn open(file: &Path, data: &[PathBuf]) -> Result<Opened, String> {
    let reading = simulink::read(&bytes(file)?, &Limits::default());
    let mut diagram = reading.diagram;
    // Simulink calls a model as its file is called, whatever name was saved with it.
    if let Some(stem) = file.file_stem() {
        diagram.name = stem.to_string_lossy().into_owned();
    }
    let lost = |message: String, hint: Option<String>| Problem {
        path: diagram.name.clone(),
        kind: "file".into(),
        message,
        hint,
    };
    let mut troubles: Vec<Problem> =
        reading.problems.iter().map(|trouble| lost(trouble.to_string(), None)).collect();
    if diagram.sheets.is_empty() {
        let reason = troubles.first().map_or("there is no model in it", |trouble| &trouble.message);
        return Err(format!("{}: {reason}", file.display()));
    }
    let data = if data.is_empty() { belonging(file, &diagram) } else { data.to_vec() };
    let mut workspace: Vec<(String, Value)> = vec![];
    for path in &data {
        let read = mat::read(&bytes(path)?, mat::Limits::default());
        let read = read.map_err(|error| format!("{}: {error}", path.display()))?;
        // A variable that is refused takes the place of one that was read before.
        workspace.retain(|(name, _)| read.refused.iter().all(|it| it.variable.as_ref() != Some(name)));
        workspace.extend(read.variables);
        let refused = read.refused.iter();
        troubles
            .extend(refused.map(|error| lost(format!("{}: {error}", path.display()), error.hint.clone())));
    }
    // Links that stay unresolved are listed by the plan, block by block.
    library::expand(&mut diagram);
    let plan = plan(&diagram, &workspace);
    let data = data.iter().map(|path| path.display().to_string()).collect();
    Ok(Opened { diagram, plan, data, lost: troubles })
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The data files beside a model: `NAME.mat` and `NAME_data.mat` where the model is called `NAME` or `NAME_…`, and those that its
/// callbacks load.
fn belonging(file: &Path, diagram: &Diagram) -> Vec<PathBuf> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let named = loads(diagram);
    let belongs = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(stem) = name.strip_suffix(".mat") else { return false };
        let base = stem.strip_suffix("_data").unwrap_or(stem);
        let loaded = named.iter().any(|load| *load == name || load == stem);
        let rest = diagram.name.strip_prefix(base).filter(|_| !base.is_empty());
        loaded || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(belongs).collect();
    found.sort();
    found
}

fn info(command: &Info, format: Format) -> Result<Outcome, String> {
    let opened = open(&command.file, &command.data)?;
    let info = simulink::info::info(&opened.plan);
    match format {
        Format::FretJson => print(format_args!("{:#}\n", info.fret(&command.file.display().to_string())))?,
        Format::Json | Format::JsonLines => {
            let mut info = info.json();
            info["data"] = json!(opened.data);
            info["troubles"] = opened.troubles().map(twin).collect();
            document(&info, format)?;
        }
        Format::Human | Format::Concise | Format::Sarif | Format::Junit | Format::Github => {
            info.text().lines().try_for_each(|line| print(format_args!("{}\n", visible(line))))?;
        }
    }
    if !matches!(format, Format::Json | Format::JsonLines) {
        opened.complain(opened.troubles());
    }
    Ok(if opened.troubles().next().is_none() { Outcome::Fine } else { Outcome::Findings })
}

/// Writes a trouble to stderr, with its hint.
pub(crate) fn complain(trouble: &Problem) {
    let path = trouble.path.split_whitespace().collect::<Vec<&str>>().join(" ");
    tell(format_args!("{} ({}): {}", visible(&path), visible(&trouble.kind), visible(&trouble.message)));
    if let Some(hint) = &trouble.hint {
        tell(format_args!("  hint: {}", visible(hint)));
    }
}

/// A trouble for programs.
pub(crate) fn twin(trouble: &Problem) -> Json {
    json!({"path": trouble.path, "kind": trouble.kind, "message": trouble.message, "hint": trouble.hint})
}
