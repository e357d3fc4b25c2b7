//! Projects on disk: finding the project file and reading the documents.

use crate::Error;
use crate::files::{read_text, write_file};
use project::pattern::matches;
use project::{Config, Document, Project};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use syntax::Diagnostic;

/// The name of the project file.
pub(crate) const FILE: &str = "shall.toml";

/// The most files that are looked at, so that a project file in a wrong place does not walk a whole disk.
const MAX_FILES: usize = 100_000;

/// A project on disk.
pub(crate) struct Workspace {
    /// The folder of the project file.
    pub(crate) root: PathBuf,
    /// The text of the project file; there is none if documents were named one by one.
    pub(crate) config_text: Option<String>,
    /// What is wrong with the project file.
    pub(crate) config_diagnostics: Vec<Diagnostic>,
    /// The project.
    pub(crate) project: Project,
}

impl Workspace {
    /// The project around a folder or file: its own `shall.toml`, or the nearest one above it.
    pub(crate) fn open(start: &Path) -> Result<Workspace, Error> {
        let root = &root_of(start)?.ok_or_else(|| {
            let start = fs::canonicalize(start).unwrap_or(start.to_path_buf());
            let hint = "`shall init` makes a new project";
            Error::Usage(format!("there is no `{FILE}` in {} or above it; {hint}", start.display()))
        })?;
        let text = read_text(&root.join(FILE))?;
        let (config, config_diagnostics) = Config::read(&text);
        if let Some(first) = config.projects.values().next() {
            let folders: Vec<String> = config.projects.values().map(|it| format!("`{it}`")).collect();
            let (root, folders) = (root.display(), folders.join(", "));
            let hint = format!("go to one of them, as in `cd {first}`");
            return Err(Error::Usage(format!("{root} holds several projects: {folders}; {hint}")));
        }
        let mut names = Vec::new();
        walk(root, "", &config, &mut names, &mut 0)?;
        names.sort();
        let documents: Result<Vec<Document>, Error> =
            names.into_iter().map(|name| Ok(Document::read(&name, read_text(&root.join(&name))?))).collect();
        Ok(Workspace {
            root: root.to_path_buf(),
            config_text: Some(text),
            config_diagnostics,
            project: Project { config, documents: documents? },
        })
    }

    /// Writes the new text of a document.
    pub(crate) fn save(&self, document: &str, text: &str) -> Result<(), Error> {
        write_file(&self.root.join(document), text)
    }
}

/// What is known of the files of a project without reading them: when it changes, the project has.
pub(crate) type Stamp = Vec<(String, Option<SystemTime>, u64)>;

/// The names, times and sizes of all files of a project: its documents, the project file and the baseline.
pub(crate) fn stamp(root: &Path) -> Stamp {
    let mut names = Vec::new();
    // A file or folder that cannot be read now is a change like any other.
    let config = read_text(&root.join(FILE)).map(|text| Config::read(&text).0).unwrap_or_default();
    let _ = walk(root, "", &config, &mut names, &mut 0);
    names.push(FILE.into());
    names.extend(config.baseline);
    let stamp = |name: String| {
        let about = fs::metadata(root.join(&name)).ok();
        let time = about.as_ref().and_then(|about| about.modified().ok());
        (name, time, about.map_or(0, |about| about.len()))
    };
    names.into_iter().map(stamp).collect()
}

/// The names of the documents of a project.
pub(crate) fn document_names(root: &Path) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    walk(root, "", &Config::read(&read_text(&root.join(FILE))?).0, &mut names, &mut 0)?;
    Ok(names)
}

/// The index of the document of a project that a file is.
pub(crate) fn document_at(root: &Path, project: &Project, file: &Path) -> Option<usize> {
    let file = fs::canonicalize(file).ok()?;
    let parts = file.strip_prefix(root).ok()?.components();
    let name: Vec<&str> = parts.map(|part| part.as_os_str().to_str()).collect::<Option<_>>()?;
    let name = name.join("/");
    project.documents.iter().position(|document| document.name == name)
}

/// A folder of projects that make up one FRET file.
pub(crate) struct ProjectSet {
    /// The folder of the project file.
    pub(crate) root: PathBuf,
    /// The text of the project file.
    pub(crate) config_text: String,
    /// The file that keeps what belongs to the FRET file as a whole.
    pub(crate) fret: Option<String>,
    /// The folders of the projects, by their names in the FRET file.
    pub(crate) projects: BTreeMap<String, String>,
}

impl ProjectSet {
    /// The set whose project file is the nearest one at a path or above it, if that is one of a set.
    pub(crate) fn open(start: &Path) -> Result<Option<ProjectSet>, Error> {
        let Some(root) = root_of(start)? else { return Ok(None) };
        let config_text = read_text(&root.join(FILE))?;
        let Config { fret, projects, .. } = Config::read(&config_text).0;
        Ok((!projects.is_empty()).then_some(ProjectSet { root, config_text, fret, projects }))
    }
}

/// The folder of the nearest project file at a path or above it.
pub(crate) fn root_of(start: &Path) -> Result<Option<PathBuf>, Error> {
    let start = fs::canonicalize(start).map_err(Error::read(start))?;
    Ok(start.ancestors().find(|folder| folder.join(FILE).is_file()).map(Path::to_path_buf))
}

/// The documents below a folder, as paths with `/`. Hidden folders and `target` and `node_modules` are left out.
fn walk(
    root: &Path,
    below: &str,
    config: &Config,
    names: &mut Vec<String>,
    seen: &mut usize,
) -> Result<(), Error> {
    let folder = root.join(below);
    let entries = fs::read_dir(&folder).map_err(Error::read(&folder))?;
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Some(name) = entry.file_name().to_str().map(String::from) else { continue };
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        let Ok(kind) = entry.file_type() else { continue };
        *seen += 1;
        if *seen > MAX_FILES {
            return Err(Error::file(root, format_args!("more than {MAX_FILES} files below this folder")));
        }
        if kind.is_dir() {
            // A folder with a project file of its own is another project.
            if !is_skipped(&name) && !entry.path().join(FILE).is_file() {
                walk(root, &path, config, names, seen)?;
            }
        } else if is_listed(config, &path) {
            names.push(path);
        }
    }
    Ok(())
}

/// Whether a path belongs to the project that lists it; `nested` are folders with a project file of their own.
pub(crate) fn is_document(config: &Config, path: &str, nested: &[&str]) -> bool {
    let folders: Vec<&str> = path.split('/').rev().skip(1).collect();
    let inside = |folder: &&str| path.strip_prefix(*folder).is_some_and(|rest| rest.starts_with('/'));
    is_listed(config, path) && !folders.into_iter().any(is_skipped) && !nested.iter().any(inside)
}

fn is_listed(config: &Config, path: &str) -> bool {
    let fits = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, path));
    fits(&config.documents) && !fits(&config.exclude)
}

fn is_skipped(folder: &str) -> bool {
    folder.starts_with('.') || folder == "target" || folder == "node_modules"
}
