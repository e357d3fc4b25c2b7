//! `shall import`: requirements of other tools, into a new project or merged by id.

use crate::cli::Output;
use crate::cli::exchange::{Foreign, Import};
use crate::render::visible;
use crate::workspace::{FILE, Workspace, root_of, write_atomically};
use crate::{Outcome, json, print, tell};
use exchange::{Limits, Profile};
use project::exchange::{Incoming, Merge, from_fret, from_records, merge};
use project::{Cache, Project, edit};
use serde_json::{Value as Json, json};
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

pub(crate) fn run(command: &Import, output: Output) -> Result<Outcome, String> {
    let bytes =
        std::fs::read(&command.file).map_err(|error| format!("{}: {error}", command.file.display()))?;
    let workspace = root_of(&command.project)?.map(|root| Workspace::open(&root)).transpose()?;
    let config = workspace.as_ref().map(|workspace| &workspace.project.config);
    let roles = roles(config.map(|config| &config.profile), &command.profile)?;
    let profile = Profile::from_map(&roles).map_err(|trouble| trouble.to_string())?;
    let brought =
        read(command, &bytes, &profile).map_err(|error| format!("{}: {error}", command.file.display()))?;
    brought.warnings.iter().for_each(|warning| tell(format_args!("warning: {}", visible(warning))));
    let empty = Project::default();
    let project = workspace.as_ref().map_or(&empty, |workspace| &workspace.project);
    let merged = merge(project, &project.analyse(&mut Cache::default()), &brought.incoming);
    if !command.dry_run {
        save(command, workspace.as_ref(), &brought, &merged, &roles)?;
    }
    let Merge { added, changed, unchanged, documents, .. } = &merged;
    let files: Vec<&str> = documents.iter().map(|(name, _)| name.as_str()).collect();
    match output {
        Output::Human => print(format_args!(
            "{} added, {} changed, {unchanged} unchanged; {} variables; {} new documents{}\n",
            added.len(),
            changed.len(),
            brought.incoming.variables.len(),
            files.len(),
            if command.dry_run { " (nothing was written)" } else { "" },
        ))?,
        Output::Json | Output::JsonLines => {
            let document = json!({
                "added": added, "changed": changed, "unchanged": unchanged,
                "variables": brought.incoming.variables.len(), "documents": files,
                "warnings": brought.warnings, "written": !command.dry_run,
            });
            json::write(&[document], output, false)?;
        }
    }
    Ok(Outcome::Fine)
}

/// Which column is what: as the project file says, and as the command line says in its place.
pub(super) fn roles(
    known: Option<&BTreeMap<String, String>>,
    given: &[String],
) -> Result<BTreeMap<String, String>, String> {
    let mut roles = known.cloned().unwrap_or_default();
    for pair in given {
        let (role, column) = pair
            .split_once('=')
            .ok_or_else(|| format!("--profile: `{pair}` is not of the form ROLE=COLUMN"))?;
        roles.insert(role.trim().to_string(), column.trim().to_string());
    }
    Ok(roles)
}

fn read(command: &Import, bytes: &[u8], profile: &Profile) -> Result<Brought, String> {
    let format = command
        .format
        .or_else(|| by_name(&command.file))
        .ok_or("the name does not tell what it is; say `--format fret-json`, `csv`, `xlsx` or `reqif`")?;
    let records = match format {
        Foreign::FretJson => {
            let read =
                exchange::fret::read(bytes, Limits::default()).map_err(|trouble| trouble.to_string())?;
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
    .map_err(|trouble| trouble.to_string())?;
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
) -> Result<(), String> {
    let root: PathBuf = workspace.map_or_else(|| command.project.clone(), |workspace| workspace.root.clone());
    for (name, text) in &merged.documents {
        let path = root.join(name);
        if path.exists() {
            return Err(format!("{}: the file is there already", path.display()));
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        write_atomically(&path, text.as_bytes())?;
    }
    if let Some(workspace) = workspace {
        for (index, document) in workspace.project.documents.iter().enumerate() {
            let edits: Vec<_> = merged.edits.iter().filter(|edit| edit.document == index).collect();
            if !edits.is_empty() {
                let text = edit::apply(&document.text, edits)
                    .map_err(|conflict| format!("{}: {conflict:?}", document.name))?;
                workspace.save(&document.name, &text)?;
            }
        }
    }
    if let Some(sidecar) = &brought.sidecar {
        let name =
            workspace.and_then(|workspace| workspace.project.config.fret.as_deref()).unwrap_or(SIDECAR);
        let text = serde_json::to_string_pretty(sidecar).map_err(|error| error.to_string())? + "\n";
        write_atomically(&root.join(name), text.as_bytes())?;
        if let Some(text) = workspace
            .filter(|workspace| workspace.project.config.fret.is_none())
            .and_then(|it| it.config_text.as_ref())
        {
            let gap = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
            let text = format!("{text}{gap}\n[exchange]\nfret = \"{SIDECAR}\"\n");
            write_atomically(&root.join(FILE), text.as_bytes())?;
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
        write_atomically(&root.join(FILE), text.as_bytes())?;
    }
    Ok(())
}
