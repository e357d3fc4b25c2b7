//! `shall import`: requirements of other tools, into a new project or merged by id.

use crate::cli::Output;
use crate::cli::exchange::{Foreign, Import};
use crate::files::{create_folder, read_bytes, write_file};
use crate::render::visible;
use crate::workspace::{FILE, Workspace, root_of};
use crate::{Error, Outcome, tell};
use base::counted;
use exchange::{Limits, Profile};
use project::exchange::{Incoming, Merge, from_fret, from_records, merge};
use project::{Cache, Project, edit};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file beside the project file that keeps what FRET knows beyond the documents.
const SIDECAR: &str = "fret.json";

/// What a file brings.
struct Brought {
    incoming: Incoming,
    /// The name of the project it comes from.
    name: Option<String>,
    /// What FRET knows beyond the documents.
    sidecar: Option<Json>,
    warnings: Vec<String>,
}

pub(crate) fn run(command: &Import, output: Output) -> Result<Outcome, Error> {
    let bytes = read_bytes(&command.file)?;
    let workspace = root_of(&command.project)?.map(|root| Workspace::open(&root)).transpose()?;
    let config = workspace.as_ref().map(|workspace| &workspace.project.config);
    let roles = roles(config.map(|config| &config.profile), &command.profile)?;
    let profile = Profile::from_map(&roles).map_err(Error::refused)?;
    let brought = read(command, &bytes, &profile)?;
    brought.warnings.iter().for_each(|warning| tell(format_args!("warning: {}", visible(warning))));
    let empty = Project::default();
    let project = workspace.as_ref().map_or(&empty, |workspace| &workspace.project);
    let merged = merge(project, &project.analyse(&mut Cache::default()), &brought.incoming);
    if !command.dry_run {
        save(command, workspace.as_ref(), &brought, &merged, &roles)?;
    }
    let Merge { added, changed, unchanged, documents, .. } = &merged;
    let files: Vec<&str> = documents.iter().map(|(name, _)| name.as_str()).collect();
    let variables = brought.incoming.variables.len();
    let human = || {
        format!(
            "{} added, {} changed, {unchanged} unchanged; {}; {}{}\n",
            added.len(),
            changed.len(),
            counted(variables, "variable"),
            counted(files.len(), "new document"),
            if command.dry_run { " (nothing was written)" } else { "" },
        )
    };
    output.show(human, || Imported {
        added,
        changed,
        unchanged: *unchanged,
        variables,
        documents: &files,
        warnings: &brought.warnings,
        written: !command.dry_run,
    })?;
    Ok(Outcome::Fine)
}

/// What an import brought.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Imported<'m> {
    /// The ids of new requirements.
    added: &'m [String],
    /// The ids of changed requirements.
    changed: &'m [String],
    /// The number of requirements that did not change.
    unchanged: usize,
    /// The number of variables.
    variables: usize,
    /// The new documents.
    documents: &'m [&'m str],
    /// What was odd in the file.
    warnings: &'m [String],
    /// Whether files were written: `false` with `--dry-run`.
    written: bool,
}

/// The column of each role, from the project file and, before it, from the command line.
pub(super) fn roles(
    known: Option<&BTreeMap<String, String>>,
    given: &[String],
) -> Result<BTreeMap<String, String>, Error> {
    let mut roles = known.cloned().unwrap_or_default();
    for pair in given {
        let reason = || Error::input("--profile", format_args!("`{pair}` is not of the form ROLE=COLUMN"));
        let (role, column) = pair.split_once('=').ok_or_else(reason)?;
        roles.insert(role.trim().to_string(), column.trim().to_string());
    }
    Ok(roles)
}

fn read(command: &Import, bytes: &[u8], profile: &Profile) -> Result<Brought, Error> {
    let hint = "the name does not tell the format; give `--format fret-json`, `csv`, `xlsx` or `reqif`";
    let format = command.format.or_else(|| by_name(&command.file));
    let format = format.ok_or_else(|| Error::file(&command.file, hint))?;
    let records = match format {
        Foreign::FretJson => {
            let read = exchange::fret::read(bytes, Limits::default()).map_err(Error::about(&command.file))?;
            let (name, incoming) = from_fret(&read.project);
            return Ok(Brought {
                incoming,
                name: Some(name).filter(|name| !name.is_empty()),
                sidecar: Some(exchange::fret::sidecar(&read.project)),
                warnings: read.warnings.iter().map(ToString::to_string).collect(),
            });
        }
        Foreign::Csv => exchange::csv::read(bytes, profile, Limits::default()),
        Foreign::Xlsx => exchange::xlsx::read(bytes, profile, Limits::default()),
        Foreign::Reqif => exchange::reqif::read(bytes, profile, Limits::default()),
    }
    .map_err(Error::about(&command.file))?;
    let (incoming, nameless) = from_records(&records, profile);
    let mut warnings: Vec<String> = (records.duplicates().iter())
        .map(|(first, later)| {
            format!("the id `{}` is at {} and again at {}", later.id, first.place, later.place)
        })
        .collect();
    if nameless > 0 {
        warnings.push(format!("{nameless} records without an id are left out"));
    }
    Ok(Brought { incoming, name: None, sidecar: None, warnings })
}

/// What a file is, by its name.
fn by_name(path: &Path) -> Option<Foreign> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "json" => Some(Foreign::FretJson),
        "csv" | "tsv" => Some(Foreign::Csv),
        "xlsx" => Some(Foreign::Xlsx),
        "reqif" | "reqifz" => Some(Foreign::Reqif),
        _ => None,
    }
}

fn save(
    command: &Import,
    workspace: Option<&Workspace>,
    brought: &Brought,
    merged: &Merge,
    roles: &BTreeMap<String, String>,
) -> Result<(), Error> {
    let root: PathBuf = workspace.map_or_else(|| command.project.clone(), |workspace| workspace.root.clone());
    for (name, text) in &merged.documents {
        let path = root.join(name);
        if path.exists() {
            return Err(Error::file(&path, "the file exists already"));
        }
        if let Some(folder) = path.parent() {
            create_folder(folder)?;
        }
        write_file(&path, text)?;
    }
    if let Some(workspace) = workspace {
        for (index, document) in workspace.project.documents.iter().enumerate() {
            let edits: Vec<_> = merged.edits.iter().filter(|edit| edit.document == index).collect();
            if !edits.is_empty() {
                let text = edit::apply(&document.text, edits)
                    .map_err(|conflict| Error::Internal(format!("{}: {conflict:?}", document.name)))?;
                workspace.save(&document.name, &text)?;
            }
        }
    }
    if let Some(sidecar) = &brought.sidecar {
        let name =
            workspace.and_then(|workspace| workspace.project.config.fret.as_deref()).unwrap_or(SIDECAR);
        let text = serde_json::to_string_pretty(sidecar).map_err(Error::refused)? + "\n";
        write_file(&root.join(name), text)?;
        if let Some(text) = workspace
            .filter(|workspace| workspace.project.config.fret.is_none())
            .and_then(|it| it.config_text.as_ref())
        {
            let gap = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
            let text = format!("{text}{gap}\n[exchange]\nfret = \"{SIDECAR}\"\n");
            write_file(&root.join(FILE), text)?;
        }
    }
    if workspace.is_none() {
        // The project file comes last: a project that has one is whole.
        let name = brought.name.clone().unwrap_or_else(|| "Requirements".into());
        let mut text =
            format!("[project]\nname = {}\ndocuments = [\"requirements/**/*.md\"]\n", Json::from(name));
        if brought.sidecar.is_some() {
            text.push_str(&format!("\n[exchange]\nfret = \"{SIDECAR}\"\n"));
        }
        if !roles.is_empty() {
            text.push_str("\n[exchange.profile]\n");
            let quoted = |text: &str| Json::from(text).to_string();
            roles.iter().for_each(|(role, column)| {
                text.push_str(&format!("{} = {}\n", quoted(role), quoted(column)));
            });
        }
        write_file(&root.join(FILE), text)?;
    }
    Ok(())
}
