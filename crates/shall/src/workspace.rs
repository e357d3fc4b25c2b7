//! Projects on disk: finding the project file, reading the documents, and writing without ever leaving half a file.

use project::pattern::matches;
use project::{Config, Document, Project};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
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
    pub(crate) fn open(start: &Path) -> Result<Workspace, String> {
        let root = &root_of(start)?.ok_or_else(|| {
            format!(
                "there is no `{FILE}` in {} or above it; `shall init` makes a new project",
                fs::canonicalize(start).as_deref().unwrap_or(start).display()
            )
        })?;
        let text = read_text(&root.join(FILE))?;
        let (config, config_diagnostics) = Config::read(&text);
        let mut names = Vec::new();
        walk(root, "", &config, &mut names, &mut 0)?;
        names.sort();
        let documents: Result<Vec<Document>, String> =
            names.into_iter().map(|name| Ok(Document::read(&name, read_text(&root.join(&name))?))).collect();
        Ok(Workspace {
            root: root.to_path_buf(),
            config_text: Some(text),
            config_diagnostics,
            project: Project { config, documents: documents? },
        })
    }

    /// The names, times and sizes of all files of the project: when it changes, the project has.
    pub(crate) fn stamp(&self) -> Vec<(String, Option<std::time::SystemTime>, u64)> {
        let mut names = Vec::new();
        // A folder that cannot be read now is a change like any other.
        let _ = walk(&self.root, "", &self.project.config, &mut names, &mut 0);
        names.push(FILE.into());
        let stamp = |name: String| {
            let about = fs::metadata(self.root.join(&name)).ok();
            let time = about.as_ref().and_then(|about| about.modified().ok());
            (name, time, about.map_or(0, |about| about.len()))
        };
        names.into_iter().map(stamp).collect()
    }

    /// Writes the new text of a document.
    pub(crate) fn save(&self, document: &str, text: &str) -> Result<(), String> {
        write_atomically(&self.root.join(document), text.as_bytes())
    }
}

/// The folder of the nearest project file at a path or above it.
pub(crate) fn root_of(start: &Path) -> Result<Option<PathBuf>, String> {
    let start = fs::canonicalize(start).map_err(|error| format!("{}: {error}", start.display()))?;
    Ok(start.ancestors().find(|folder| folder.join(FILE).is_file()).map(Path::to_path_buf))
}

/// The documents below a folder, as paths with `/`. Hidden folders and `target` and `node_modules` are left out.
fn walk(
    root: &Path,
    below: &str,
    config: &Config,
    names: &mut Vec<String>,
    seen: &mut usize,
) -> Result<(), String> {
    let folder = root.join(below);
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Some(name) = entry.file_name().to_str().map(String::from) else { continue };
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        let Ok(kind) = entry.file_type() else { continue };
        *seen += 1;
        if *seen > MAX_FILES {
            return Err(format!("{} has more than {MAX_FILES} files below it", root.display()));
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

/// A file as text; what is no UTF-8 is refused with its place.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    String::from_utf8(bytes).map_err(|error| {
        format!(
            "{}: byte {} is not UTF-8; save the file as UTF-8",
            path.display(),
            error.utf8_error().valid_up_to()
        )
    })
}

/// Writes a file so that at any moment the old or the new content is there, whole: to a new file beside it, forced to disk,
/// which then takes its name.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    // A link stays a link: what it points to is written.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = target.file_name().ok_or_else(|| format!("{}: not the name of a file", path.display()))?;
    let beside = folder.join(format!(".{}.{}.new", name.to_string_lossy(), std::process::id()));
    let written = (|| {
        let mut file = fs::File::create(&beside)?;
        file.write_all(bytes)?;
        if let Ok(old) = fs::metadata(&target) {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&beside, &target)
    })();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.map_err(failed)
}
