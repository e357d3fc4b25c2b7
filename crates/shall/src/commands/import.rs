//! `shall import`: requirements of other tools, into a new project or merged by id. A FRET file with several projects becomes
//! a folder of projects.

use crate::cli::Output;
use crate::cli::exchange::{Foreign, Import};
use crate::files::{create_folder, read_bytes, write_file};
use crate::render::visible;
use crate::workspace::{FILE, ProjectSet, Workspace, root_of};
use crate::{Error, Outcome, tell};
use base::counted;
use exchange::{Limits, Profile, fret};
use project::exchange::{Incoming, Merge, from_fret, from_records, merge};
use project::proposal::{SYSTEM, propose};
use project::{Cache, Project, edit};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file beside the project file that keeps what FRET knows beyond the documents.
const SIDECAR: &str = "fret.json";

/// What a file brings for one project.
struct Brought {
    incoming: Incoming,
    /// The project as FRET has it.
    fret: Option<fret::Project>,
}

/// What a file brings.
struct File {
    projects: Vec<Brought>,
    /// What belongs to a FRET file of several projects as a whole.
    weave: Json,
    warnings: Vec<String>,
}

/// A project of ours, and what comes into it.
struct Step {
    /// The folder of the project, in the one that was given; empty if it is that one.
    folder: String,
    root: PathBuf,
    workspace: Option<Workspace>,
    brought: Brought,
    merged: Merge,
}

pub(crate) fn run(command: &Import, output: Output) -> Result<Outcome, Error> {
    let bytes = read_bytes(&command.file)?;
    // A folder that is not there becomes a new project, whatever is around it.
    let start = Some(&command.project).filter(|folder| folder.exists());
    let set = start.map_or(Ok(None), |start| ProjectSet::open(start))?;
    let workspace = match (&set, start) {
        (None, Some(start)) => root_of(start)?.map(|root| Workspace::open(&root)).transpose()?,
        _ => None,
    };
    let config = workspace.as_ref().map(|workspace| &workspace.project.config);
    let roles = roles(config.map(|config| &config.profile), &command.profile)?;
    let profile = Profile::from_map(&roles).map_err(Error::refused)?;
    let mut file = read(command, &bytes, &profile)?;
    file.warnings.iter().for_each(|warning| tell(format_args!("warning: {}", visible(warning))));
    let steps = match (&set, workspace, file.projects.pop()) {
        (None, workspace, Some(brought)) if file.projects.is_empty() => {
            let root = workspace.as_ref().map_or(command.project.clone(), |workspace| workspace.root.clone());
            vec![step(String::new(), root, workspace, brought)]
        }
        (None, Some(workspace), _) => {
            let message = "the file has several projects, which need a folder of their own";
            let hint = format!("{} is a project already; give `--project FOLDER`", workspace.root.display());
            return Err(Error::file(&command.file, format_args!("{message}; {hint}")));
        }
        (_, _, last) => {
            file.projects.extend(last);
            several(command, set.as_ref(), std::mem::take(&mut file.projects))?
        }
    };
    let unused: Vec<String> =
        steps.iter().flat_map(|it| &it.merged.unused).map(|name| format!("`{name}`")).collect();
    if !unused.is_empty() {
        let warning = format!("no requirement mentions {}; left out", unused.join(", "));
        tell(format_args!("warning: {}", visible(&warning)));
        file.warnings.push(warning);
    }
    if !command.dry_run {
        for step in &steps {
            save(step, &roles)?;
        }
        if steps.iter().any(|step| !step.folder.is_empty()) {
            save_set(command, set.as_ref(), &steps, &file.weave)?;
        }
    }
    let imported = Imported::of(&steps, file.warnings, !command.dry_run);
    output.show(|| imported.shown(&steps), || &imported)?;
    Ok(Outcome::Fine)
}

/// What is done to one project.
fn step(folder: String, root: PathBuf, workspace: Option<Workspace>, brought: Brought) -> Step {
    let empty = Project::default();
    let project = workspace.as_ref().map_or(&empty, |workspace| &workspace.project);
    let merged = merge(project, &project.analyse(&mut Cache::default()), &brought.incoming);
    Step { folder, root, workspace, brought, merged }
}

/// A project of ours for each one of a FRET file.
fn several(command: &Import, set: Option<&ProjectSet>, projects: Vec<Brought>) -> Result<Vec<Step>, Error> {
    let root = set.map_or(&command.project, |set| &set.root);
    let mut taken: Vec<String> = set.iter().flat_map(|set| set.projects.values().cloned()).collect();
    let mut steps = Vec::new();
    for brought in projects {
        let Some(name) = brought.fret.as_ref().map(fret::Project::name) else {
            let message = "only FRET files can be imported into a folder of projects";
            return Err(Error::file(&command.file, format_args!("{message}; give `--project` one of them")));
        };
        let folder = set.and_then(|set| set.projects.get(name).cloned()).unwrap_or_else(|| {
            let plain = |c: char| if c.is_alphanumeric() || "_-".contains(c) { c } else { '_' };
            let stem: String = name.chars().map(plain).take(80).collect();
            base::names::unique(&stem, "_", |folder| {
                taken.iter().all(|known| known.to_lowercase() != folder.to_lowercase())
            })
        });
        taken.push(folder.clone());
        let root = root.join(&folder);
        let workspace = if root.join(FILE).is_file() { Some(Workspace::open(&root)?) } else { None };
        steps.push(step(folder, root, workspace, brought));
    }
    Ok(steps)
}

/// What an import brought.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Imported {
    /// The ids of new requirements.
    added: Vec<String>,
    /// The ids of changed requirements.
    changed: Vec<String>,
    /// The number of requirements that did not change.
    unchanged: usize,
    /// The number of requirements in prose.
    informal: usize,
    /// The number of requirements in prose that `shall propose` has a sentence for.
    proposals: usize,
    /// The number of variables.
    variables: usize,
    /// The new documents.
    documents: Vec<String>,
    /// The folders of the projects, if the file has several.
    projects: Vec<String>,
    /// What was odd in the file.
    warnings: Vec<String>,
    /// Whether files were written: `false` with `--dry-run`.
    written: bool,
}

impl Imported {
    fn of(steps: &[Step], warnings: Vec<String>, written: bool) -> Imported {
        let ids = |list: fn(&Merge) -> &[String]| {
            steps.iter().flat_map(|step| list(&step.merged)).cloned().collect()
        };
        let prose = steps.iter().flat_map(|step| &step.brought.incoming.requirements);
        let prose = prose.filter(|it| it.sentence.as_ref().is_none_or(String::is_empty));
        let prose: Vec<&str> = prose.filter_map(|it| it.prose.as_deref()).collect();
        Imported {
            informal: prose.len(),
            proposals: prose.iter().filter(|text| propose(text, SYSTEM).is_ok()).count(),
            added: ids(|merged| &merged.added),
            changed: ids(|merged| &merged.changed),
            unchanged: steps.iter().map(|step| step.merged.unchanged).sum(),
            variables: steps.iter().map(|step| step.brought.incoming.variables.len()).sum(),
            documents: steps.iter().flat_map(Step::documents).collect(),
            projects: steps.iter().map(|it| it.folder.clone()).filter(|it| !it.is_empty()).collect(),
            warnings,
            written,
        }
    }

    fn shown(&self, steps: &[Step]) -> String {
        let mut text = String::new();
        for Step { folder, merged, .. } in steps.iter().filter(|step| !step.folder.is_empty()) {
            text.push_str(&format!("{}: {}\n", visible(folder), counts(merged)));
        }
        let total = Merge {
            added: self.added.clone(),
            changed: self.changed.clone(),
            unchanged: self.unchanged,
            ..Merge::default()
        };
        text.push_str(&format!(
            "{}; {}; {}{}\n",
            counts(&total),
            counted(self.variables, "variable"),
            counted(self.documents.len(), "new document"),
            if self.written { "" } else { " (nothing was written)" },
        ));
        if self.informal > 0 {
            let total = self.added.len() + self.changed.len() + self.unchanged;
            text.push_str(&format!("{} of {total} are in prose", self.informal));
            text.push_str(&match self.proposals {
                0 => "\n".to_string(),
                count => format!("; `shall propose` has {} for them\n", counted(count, "sentence")),
            });
        }
        text
    }
}

fn counts(merged: &Merge) -> String {
    format!("{} added, {} changed, {} unchanged", merged.added.len(), merged.changed.len(), merged.unchanged)
}

impl Step {
    /// The new documents, from the folder that was given.
    fn documents(&self) -> impl Iterator<Item = String> {
        let within = |name: &str| match self.folder.as_str() {
            "" => name.to_string(),
            folder => format!("{folder}/{name}"),
        };
        self.merged.documents.iter().map(move |(name, _)| within(name))
    }
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

fn read(command: &Import, bytes: &[u8], profile: &Profile) -> Result<File, Error> {
    let hint = "the name does not tell the format; give `--format fret-json`, `csv`, `xlsx` or `reqif`";
    let format = command.format.or_else(|| by_name(&command.file));
    let format = format.ok_or_else(|| Error::file(&command.file, hint))?;
    let records = match format {
        Foreign::FretJson => {
            if let Some(variables) = fret::variable_list(bytes, Limits::default()) {
                let incoming = Incoming { variables, ..Incoming::default() };
                let projects = vec![Brought { incoming, fret: None }];
                return Ok(File { projects, weave: Json::Null, warnings: Vec::new() });
            }
            let read = fret::read(bytes, Limits::default()).map_err(Error::about(&command.file))?;
            let brought = |project| Brought { incoming: from_fret(&project), fret: Some(project) };
            return Ok(File {
                weave: fret::weave(&read.project),
                projects: fret::split(&read.project).into_iter().map(brought).collect(),
                warnings: read.warnings.iter().map(ToString::to_string).collect(),
            });
        }
        Foreign::Csv => exchange::csv::read(bytes, profile, Limits::default()),
        Foreign::Xlsx => exchange::xlsx::read(bytes, profile, Limits::default()),
        Foreign::Reqif => exchange::reqif::read(bytes, profile, Limits::default()),
    }
    .map_err(Error::about(&command.file))?;
    if let Some((role, column)) = profile.missing(&records.columns).first() {
        let known: Vec<String> = records.columns.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("there is no column `{column}` for the role `{}`", role.name());
        return Err(Error::file(
            &command.file,
            format_args!("{message}; the columns are {}", known.join(", ")),
        ));
    }
    let (incoming, nameless) = from_records(&records, profile);
    let mut warnings: Vec<String> = (records.duplicates().iter())
        .map(|(first, later)| {
            format!("the id `{}` is at {} and again at {}", later.id, first.place, later.place)
        })
        .collect();
    if nameless > 0 {
        warnings.push(format!("{nameless} records without an id are left out"));
    }
    Ok(File { projects: vec![Brought { incoming, fret: None }], weave: Json::Null, warnings })
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

fn save(step: &Step, roles: &BTreeMap<String, String>) -> Result<(), Error> {
    let Step { root, brought, merged, .. } = step;
    let workspace = step.workspace.as_ref();
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
    create_folder(root)?;
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
    if let Some(project) = &brought.fret {
        let name =
            workspace.and_then(|workspace| workspace.project.config.fret.as_deref()).unwrap_or(SIDECAR);
        write_json(&root.join(name), &fret::sidecar(project, &merged.names))?;
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
        let name = brought.fret.as_ref().map_or("Requirements", fret::Project::name);
        let mut text = String::from("[project]\n");
        if !name.is_empty() {
            text.push_str(&format!("name = {}\n", quoted(name)));
        }
        text.push_str("documents = [\"requirements/**/*.md\"]\n");
        if brought.fret.is_some() {
            text.push_str(&format!("\n[exchange]\nfret = \"{SIDECAR}\"\n"));
        }
        if !roles.is_empty() {
            text.push_str("\n[exchange.profile]\n");
            roles.iter().for_each(|(role, column)| {
                text.push_str(&format!("{} = {}\n", quoted(role), quoted(column)));
            });
        }
        write_file(&root.join(FILE), text)?;
    }
    Ok(())
}

/// Writes what belongs to a FRET file of several projects as a whole, and which folder each of them has.
fn save_set(command: &Import, set: Option<&ProjectSet>, steps: &[Step], weave: &Json) -> Result<(), Error> {
    const TABLE: &str = "[exchange.projects]\n";
    let root = set.map_or(&command.project, |set| &set.root);
    let sidecar = set.and_then(|set| set.fret.as_deref()).unwrap_or(SIDECAR);
    write_json(&root.join(sidecar), weave)?;
    let mut new = String::new();
    for step in steps {
        let name = step.brought.fret.as_ref().map_or("", fret::Project::name);
        if set.is_none_or(|set| !set.projects.contains_key(name)) {
            new.push_str(&format!("{} = {}\n", quoted(name), quoted(&step.folder)));
        }
    }
    let text = match set {
        None => format!("[exchange]\nfret = \"{SIDECAR}\"\n\n{TABLE}{new}"),
        Some(_) if new.is_empty() => return Ok(()),
        Some(set) if set.config_text.contains(TABLE) => {
            set.config_text.replacen(TABLE, &format!("{TABLE}{new}"), 1)
        }
        Some(set) => {
            let message = format!("there is no table `{}` to add projects to", TABLE.trim());
            return Err(Error::file(&set.root.join(FILE), message));
        }
    };
    write_file(&root.join(FILE), text)
}

fn write_json(path: &Path, value: &Json) -> Result<(), Error> {
    write_file(path, serde_json::to_string_pretty(value).map_err(Error::refused)? + "\n")
}

/// A text as a basic string of TOML.
fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}
