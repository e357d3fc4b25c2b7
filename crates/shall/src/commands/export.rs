//! `shall export`: the whole project for another tool.

use super::import::roles;
use crate::cli::Output;
use crate::cli::exchange::{Export, Form, Target};
use crate::files::{is_standard, read_bytes, write_file};
use crate::json::LeftOut;
use crate::render::visible;
use crate::workspace::Workspace;
use crate::{Error, Outcome, tell};
use ::export::specification::{self as targets, Written};
use exchange::{Limits, Profile, Records};
use project::exchange::{specification, to_fret, to_records};
use project::{Analysis, Cache};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// A file and what to say about it.
#[derive(Default)]
struct Made {
    bytes: Vec<u8>,
    renamed: Vec<Renamed>,
    left_out: Vec<LeftOut>,
}

/// The exported file. Without `-o` the file itself is written to standard output.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Exported<'c> {
    /// The file.
    file: &'c Path,
    /// Names that had to change.
    renamed: Vec<Renamed>,
    /// Requirements that are not in the file.
    left_out: Vec<LeftOut>,
}

/// A name that had to change.
#[derive(Serialize, JsonSchema)]
struct Renamed {
    /// The name in the project.
    from: String,
    /// The name in the file.
    to: String,
}

pub(crate) fn run(command: &Export, output: Output) -> Result<Outcome, Error> {
    let workspace = Workspace::open(&command.project)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let file = command.file.as_deref().unwrap_or(Path::new("-"));
    let made = match command.target {
        Target::FretJson => fret(&workspace)?,
        Target::Csv | Target::Xlsx | Target::Reqif => sheet(command, &workspace, &analysis, file)?,
        Target::Smv | Target::Cocospec | Target::Ogma | Target::Copilot | Target::C2po | Target::Json => {
            formulas(command, &workspace, &analysis)?
        }
    };
    for LeftOut { id, reason } in &made.left_out {
        tell(format_args!("warning: `{}` is left out: {}", visible(id), visible(reason)));
    }
    let outcome = if made.left_out.is_empty() { Outcome::Fine } else { Outcome::Findings };
    write_file(file, &made.bytes)?;
    if !is_standard(file) {
        let Made { renamed, left_out, .. } = made;
        output.show(String::new, || Exported { file, renamed, left_out })?;
    }
    Ok(outcome)
}

fn fret(workspace: &Workspace) -> Result<Made, Error> {
    let sidecar = match &workspace.project.config.fret {
        Some(name) => {
            let path = workspace.root.join(name);
            Some(serde_json::from_slice(&read_bytes(&path)?).map_err(Error::about(&path))?)
        }
        None => None,
    };
    Ok(Made { bytes: to_fret(&workspace.project, sidecar.as_ref()).into_bytes(), ..Made::default() })
}

/// A sheet: a new one, or the one that exists with the rows that changed.
fn sheet(command: &Export, workspace: &Workspace, analysis: &Analysis, file: &Path) -> Result<Made, Error> {
    let config = &workspace.project.config;
    let roles = roles(Some(&config.profile), &command.profile)?;
    let profile = Profile::from_map(&roles).map_err(Error::refused)?;
    let limits = Limits::default();
    let bytes = match file.is_file() {
        true => update(command.target, &read_bytes(file)?, &profile, limits, |columns| {
            to_records(&workspace.project, analysis, Some(columns), &profile)
        })
        .map_err(Error::about(file))?,
        false => {
            let records = to_records(&workspace.project, analysis, None, &profile);
            let zipped = file.extension().is_some_and(|end| end == "reqifz");
            let title = config.name.clone().unwrap_or_else(|| "Requirements".into());
            let head = exchange::reqif::Head { title, ..exchange::reqif::Head::default() };
            match command.target {
                Target::Csv => Ok(exchange::csv::write(&records)),
                Target::Xlsx => exchange::xlsx::write(&records),
                _ => exchange::reqif::write(&hierarchical(records, &profile), &profile, &head).and_then(
                    |document| if zipped { exchange::reqif::archived(document) } else { Ok(document) },
                ),
            }
            .map_err(Error::refused)?
        }
    };
    Ok(Made { bytes, ..Made::default() })
}

/// The hierarchy of a ReqIF document allows one parent, which must be in the document; other parents become an attribute.
fn hierarchical(mut records: Records, profile: &Profile) -> Records {
    if let Some(column) = profile.column(exchange::Role::Parent, &records.columns) {
        let known: BTreeSet<&str> = records.records.iter().map(|record| record.id.as_str()).collect();
        let parents = records.records.iter().filter_map(|record| record.fields.get(column)?.as_deref());
        if !parents.filter(|parent| !parent.is_empty()).all(|parent| known.contains(parent)) {
            records.columns[column] = "traces to".into();
        }
    }
    records
}

fn update(
    target: Target,
    bytes: &[u8],
    profile: &Profile,
    limits: Limits,
    wanted: impl Fn(&[String]) -> Records,
) -> Result<Vec<u8>, exchange::FileError> {
    match target {
        Target::Csv => {
            let old = exchange::csv::read(bytes, profile, limits)?;
            exchange::csv::update(bytes, profile, &old.changes_to(&wanted(&old.columns)), limits)
        }
        Target::Xlsx => {
            let old = exchange::xlsx::read(bytes, profile, limits)?;
            exchange::xlsx::update(bytes, profile, &old.changes_to(&wanted(&old.columns)), limits)
        }
        _ => {
            let old = exchange::reqif::read(bytes, profile, limits)?;
            exchange::reqif::update(bytes, profile, &old.changes_to(&wanted(&old.columns)), limits)
        }
    }
}

fn formulas(command: &Export, workspace: &Workspace, analysis: &Analysis) -> Result<Made, Error> {
    let mut store = logic::Store::default();
    let (mut components, mut left_out) = specification(&workspace.project, analysis, &mut store);
    if let Some(name) = &command.component {
        if !components.iter().any(|component| component.name == *name) {
            let known: Vec<&str> = components.iter().map(|component| component.name.as_str()).collect();
            return Err(no_component(name, &known));
        }
        components.retain(|component| component.name == *name);
        let others = |left: &project::exchange::LeftOut| {
            left.component.as_ref().is_none_or(|component| component == name)
        };
        left_out.retain(others);
    }
    let target = formula_target(command.target).unwrap_or(targets::Target::Json);
    let form = match command.form {
        Form::Past => targets::Form::Past,
        Form::Future => targets::Form::FutureFinite,
        Form::FutureInfinite => targets::Form::FutureInfinite,
    };
    let options = targets::Options { form, modes: command.modes };
    let Written { text, renamed, left_out: unable } =
        targets::write(&mut store, &components, target, &options).map_err(Error::refused)?;
    let left_out = left_out.into_iter().map(|it| LeftOut { id: it.id, reason: it.reason });
    let unable = unable.into_iter().map(|it| LeftOut { id: it.id, reason: it.reason });
    let renamed = renamed.into_iter().map(|it| Renamed { from: it.original, to: it.emitted });
    let left_out = left_out.chain(unable).collect();
    Ok(Made { bytes: text.into_bytes(), renamed: renamed.collect(), left_out })
}

/// The writer of a target that gets formulas.
pub(super) fn formula_target(target: Target) -> Option<targets::Target> {
    match target {
        Target::FretJson | Target::Csv | Target::Xlsx | Target::Reqif => None,
        Target::Smv => Some(targets::Target::Smv),
        Target::Cocospec => Some(targets::Target::CoCoSpec),
        Target::Ogma => Some(targets::Target::Ogma),
        Target::Copilot => Some(targets::Target::Copilot),
        Target::C2po => Some(targets::Target::C2po),
        Target::Json => Some(targets::Target::Json),
    }
}

/// A component that the project does not have.
pub(super) fn no_component(name: &str, known: &[&str]) -> Error {
    Error::Usage(format!("the project has no component `{name}`; it has {}", known.join(", ")))
}
