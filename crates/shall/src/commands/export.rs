//! `shall export`: the whole project for another tool.

use super::import::roles;
use crate::cli::Output;
use crate::cli::exchange::{Export, Form, Target};
use crate::render::visible;
use crate::workspace::{Workspace, write_atomically};
use crate::{Outcome, json, print, tell};
use ::export::specification::{self as targets, Written};
use exchange::{Limits, Profile, Records};
use project::exchange::{LeftOut, specification, to_fret, to_records};
use project::{Analysis, Cache};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

/// A file, and what is to be said about it.
#[derive(Default)]
struct Made {
    bytes: Vec<u8>,
    renamed: Vec<(String, String)>,
    left_out: Vec<(String, String)>,
}

pub(crate) fn run(command: &Export, output: Output) -> Result<Outcome, String> {
    let workspace = Workspace::open(&command.project)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let old = command.file.as_deref().filter(|path| path.is_file());
    let made = match command.target {
        Target::FretJson => fret(&workspace)?,
        Target::Csv | Target::Xlsx | Target::Reqif => sheet(command, &workspace, &analysis, old)?,
        Target::Smv | Target::Cocospec | Target::Ogma | Target::C2po | Target::Json => {
            formulas(command, &workspace, &analysis)?
        }
    };
    for (id, reason) in &made.left_out {
        tell(format_args!("warning: `{}` is left out: {}", visible(id), visible(reason)));
    }
    match (&command.file, output) {
        (Some(path), _) => {
            write_atomically(path, &made.bytes)?;
            if output != Output::Human {
                let renamed: Vec<_> =
                    made.renamed.iter().map(|(from, to)| json!({"from": from, "to": to})).collect();
                let left_out: Vec<_> =
                    made.left_out.iter().map(|(id, reason)| json!({"id": id, "reason": reason})).collect();
                let document = json!({"file": path, "renamed": renamed, "left_out": left_out});
                json::write(&[document], output, false)?;
            }
        }
        (None, _) => match String::from_utf8(made.bytes) {
            Ok(text) => print(text)?,
            Err(error) => std::io::stdout().write_all(error.as_bytes()).map_err(|error| error.to_string())?,
        },
    }
    Ok(if made.left_out.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

fn fret(workspace: &Workspace) -> Result<Made, String> {
    let sidecar = match &workspace.project.config.fret {
        Some(name) => {
            let path = workspace.root.join(name);
            let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let value =
                serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
            Some(value)
        }
        None => None,
    };
    Ok(Made { bytes: to_fret(&workspace.project, sidecar.as_ref()).into_bytes(), ..Made::default() })
}

/// A sheet: a new one, or the old one with the rows that changed.
fn sheet(
    command: &Export,
    workspace: &Workspace,
    analysis: &Analysis,
    old: Option<&Path>,
) -> Result<Made, String> {
    let config = &workspace.project.config;
    let roles = roles(Some(&config.profile), &command.profile)?;
    let profile = Profile::from_map(&roles).map_err(|trouble| trouble.to_string())?;
    let limits = Limits::default();
    let bytes = match old {
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            update(command.target, &bytes, &profile, limits, |columns| {
                to_records(&workspace.project, analysis, Some(columns), &profile)
            })
            .map_err(|trouble| format!("{}: {trouble}", path.display()))?
        }
        None => {
            let records = to_records(&workspace.project, analysis, None, &profile);
            let zipped = command
                .file
                .as_deref()
                .is_some_and(|path| path.extension().is_some_and(|end| end == "reqifz"));
            let title = config.name.clone().unwrap_or_else(|| "Requirements".into());
            let head = exchange::reqif::Head { title, ..exchange::reqif::Head::default() };
            match command.target {
                Target::Csv => Ok(exchange::csv::write(&records)),
                Target::Xlsx => exchange::xlsx::write(&records),
                _ => exchange::reqif::write(&hierarchical(records, &profile), &profile, &head).and_then(
                    |document| if zipped { exchange::reqif::archived(document) } else { Ok(document) },
                ),
            }
            .map_err(|trouble| trouble.to_string())?
        }
    };
    Ok(Made { bytes, ..Made::default() })
}

/// The hierarchy of a ReqIF document is one of single parents that are there; other parents become an attribute.
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

fn formulas(command: &Export, workspace: &Workspace, analysis: &Analysis) -> Result<Made, String> {
    let mut store = logic::Store::default();
    let (mut components, mut left_out) = specification(&workspace.project, analysis, &mut store);
    if let Some(name) = &command.component {
        if !components.iter().any(|component| component.name == *name) {
            let known: Vec<&str> = components.iter().map(|component| component.name.as_str()).collect();
            return Err(format!("there is no component `{name}`; there are {}", known.join(", ")));
        }
        components.retain(|component| component.name == *name);
        let others = |left: &LeftOut| left.component.as_ref().is_none_or(|component| component == name);
        left_out.retain(others);
    }
    let target = match command.target {
        Target::Smv => targets::Target::Smv,
        Target::Cocospec => targets::Target::CoCoSpec,
        Target::Ogma => targets::Target::Ogma,
        Target::C2po => targets::Target::C2po,
        _ => targets::Target::Json,
    };
    let form = match command.form {
        Form::Past => targets::Form::Past,
        Form::Future => targets::Form::FutureFinite,
        Form::FutureInfinite => targets::Form::FutureInfinite,
    };
    let options = targets::Options { form, modes: command.modes };
    let Written { text, renamed, left_out: unable } =
        targets::write(&mut store, &components, target, &options).map_err(|refused| refused.to_string())?;
    let left_out = left_out.into_iter().map(|left| (left.id, left.reason));
    Ok(Made {
        bytes: text.into_bytes(),
        renamed: renamed.into_iter().map(|name| (name.original, name.emitted)).collect(),
        left_out: left_out.chain(unable.into_iter().map(|left| (left.id, left.reason))).collect(),
    })
}
