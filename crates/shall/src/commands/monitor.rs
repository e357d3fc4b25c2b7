//! `shall monitor`: monitors that run without `shall`.

use super::export::{Chosen, Made, ROUNDED, Renamed, Warning, changed};
use crate::cli::Output;
use crate::cli::exchange::{Language, Monitor, Which};
use crate::files::{is_standard, write_beside};
use crate::json::LeftOut;
use crate::reading::{Given, Reading, is_sentence, one_line};
use crate::workspace::Workspace;
use crate::{Error, Outcome, tell};
use ::export::specification::{self as targets, monitor};
use base::counted;
use project::{Cache, Config, Document, Project};
use requirement::{Context, Step};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A monitor. Without `-o` the file itself is written to standard output.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Monitored<'c> {
    /// The file.
    file: &'c Path,
    /// The header, in C.
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<PathBuf>,
    /// The requirements in C, Rust and Python, in the order of their numbers.
    requirements: Vec<Watched>,
    /// The bytes of the whole state in C and Rust, without padding.
    #[serde(skip_serializing_if = "Option::is_none")]
    state_bytes: Option<u64>,
    /// Names that had to change.
    renamed: Vec<Renamed>,
    /// Requirements that are not in the file.
    left_out: Vec<LeftOut>,
    /// Requirements that are in the file, and what to be careful with.
    warnings: Vec<Warning>,
}

/// A requirement in a monitor.
#[derive(Serialize, JsonSchema)]
struct Watched {
    /// Its id.
    id: String,
    /// The bytes of state that it adds to those of the requirements before it.
    state_bytes: u64,
}

pub(crate) fn run(command: &Monitor, output: Output) -> Result<Outcome, Error> {
    let Some(chosen) = chosen(&command.which)? else { return Ok(Outcome::Findings) };
    let mut state = None;
    let (made, header) = match command.to {
        Language::C => own(command, chosen, monitor::Language::C, &mut state)?,
        Language::Rust => own(command, chosen, monitor::Language::Rust, &mut state)?,
        Language::Python => own(command, chosen, monitor::Language::Python, &mut state)?,
        Language::Lustre => (chosen.formulas(targets::Target::CoCoSpec, &targets::Options::default())?, None),
        Language::Copilot => (chosen.formulas(targets::Target::Copilot, &targets::Options::default())?, None),
        Language::R2u2 => (chosen.formulas(targets::Target::C2po, &targets::Options::default())?, None),
        Language::Sql => (chosen.sql(&command.sql), None),
    };
    made.tell();
    let file = command.file.as_deref().unwrap_or(Path::new("-"));
    let beside = header.as_ref().map(|_| file.with_extension("h"));
    write_beside(file, header.as_deref(), &made.bytes)?;
    let (requirements, bytes) = state.map_or((Vec::new(), None), |(list, bytes)| (list, Some(bytes)));
    let size = bytes.map(|bytes| {
        let count = counted(requirements.len(), "requirement");
        format!("{count}, {bytes} bytes of state\n")
    });
    let Made { renamed, left_out, warnings, .. } = made;
    let outcome = if left_out.is_empty() { Outcome::Fine } else { Outcome::Findings };
    if is_standard(file) {
        size.iter().for_each(|size| tell(size.trim_end()));
    } else {
        let state_bytes = bytes;
        output.show(
            || size.unwrap_or_default(),
            || Monitored { file, header: beside, requirements, state_bytes, renamed, left_out, warnings },
        )?;
    }
    Ok(outcome)
}

/// The bytes of state, in all and for each requirement.
type State = Option<(Vec<Watched>, u64)>;

/// A monitor in a language of its own, and its header.
fn own(
    command: &Monitor,
    mut chosen: Chosen,
    language: monitor::Language,
    state: &mut State,
) -> Result<(Made, Option<String>), Error> {
    let options = monitor::Options { name: command.name.clone(), single: command.single };
    let monitor::Monitor { header, text, renamed, left_out, watched, bytes, .. } =
        monitor::write(&mut chosen.store, &chosen.components, language, &options).map_err(Error::refused)?;
    let rounded = watched.iter().filter(|it| it.is_rounded);
    let warnings = rounded.map(|it| Warning { id: it.id.clone(), reason: ROUNDED.to_owned() }).collect();
    let made = Made { renamed: changed(renamed), warnings, ..chosen.made(text, left_out) };
    let list = watched.into_iter().map(|it| Watched { id: it.id, state_bytes: it.bytes }).collect();
    *state = Some((list, bytes));
    Ok((made, header))
}

/// The requirements that are asked for; `None` if a sentence has errors, which are told.
pub(super) fn chosen(which: &Which) -> Result<Option<Chosen>, Error> {
    // Ids have no spaces, so that other texts with spaces are sentences with a slip, unless they name a folder.
    let is_text = |text: &&String| is_sentence(text) || text.contains(' ') && !Path::new(text).exists();
    let (sentences, others): (Vec<&String>, Vec<&String>) = which.arguments.iter().partition(is_text);
    let component = which.component.as_deref();
    if !sentences.is_empty() {
        if !others.is_empty() {
            return Err(Error::usage("sentences cannot be combined with projects or ids"));
        }
        return of_sentences(which, &sentences);
    }
    if which.step.is_some() {
        return Err(Error::usage("--step is for sentences; for requirements, the project sets it"));
    }
    let (folders, ids): (Vec<&String>, Vec<&String>) =
        others.into_iter().partition(|text| Path::new(text).is_dir());
    let path = match folders.as_slice() {
        [] => Path::new("."),
        [only] => Path::new(only),
        _ => return Err(Error::usage("a monitor is of one project")),
    };
    let workspace = Workspace::open(path)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let mut chosen = Chosen::of(&workspace.project, &analysis, component)?;
    if !ids.is_empty() {
        let known = |id: &str| chosen.components.iter().any(|it| it.items.iter().any(|item| item.id == id));
        if let Some(id) = ids.iter().find(|id| !known(id) && !chosen.left_out.iter().any(|it| it.id == ***id))
        {
            let all = chosen.components.iter().flat_map(|it| it.items.iter().map(|item| item.id.as_str()));
            let hint =
                syntax::nearest(id, all).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(Error::Usage(format!("there is no requirement `{id}`{hint}")));
        }
        let is_asked = |id: &String| ids.contains(&id);
        chosen.components.iter_mut().for_each(|it| it.items.retain(|item| is_asked(&item.id)));
        chosen.components.retain(|it| !it.items.is_empty());
        chosen.left_out.retain(|it| is_asked(&it.id));
    }
    Ok(Some(chosen))
}

/// Sentences as the requirements of a project of their own, called S-1, S-2 and so on.
fn of_sentences(which: &Which, sentences: &[&String]) -> Result<Option<Chosen>, Error> {
    let step = which.step.as_deref().map(Step::parse).transpose();
    let step = step.map_err(|error| Error::input("--step", error))?;
    let context = Context { step: step.clone(), ..Context::default() };
    let mut text = String::new();
    let mut has_errors = false;
    for (number, sentence) in sentences.iter().enumerate() {
        let reading = Reading::of(Given::of(sentence), &context);
        if !reading.diagnostics().is_empty() {
            tell(reading.complaints());
        }
        has_errors |= reading.lowered.requirement.is_none();
        text += &format!("## S-{}\n\n```fretish\n{}\n```\n\n", number + 1, one_line(sentence));
    }
    if has_errors {
        return Ok(None);
    }
    let document = Document::read("sentences.md", text);
    let project = Project { config: Config { step, ..Config::default() }, documents: vec![document] };
    let analysis = project.analyse(&mut Cache::default());
    Chosen::of(&project, &analysis, which.component.as_deref()).map(Some)
}
