//! The data files of a model: those that are given, or else those that belong to it by name or by its callbacks, and then scripts beside it
//! that set variables it lacks.
//!
//! A script is run as far as its values are known, up to the place where it runs the model. It counts only for variables that are missing,
//! and only if no other script gives another value.

use crate::Error;
use crate::files::{read_bytes, read_text};
use simulink::diagram::Diagram;
use simulink::plan::{Problem, loads};
use simulink::value::Value;
use simulink::{mat, matlab};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Variables with their values; a later one replaces an earlier one of the same name.
pub(super) type Workspace = Vec<(String, Value)>;

/// The maximum number of scripts beside a model that are searched for variables.
const MOST: usize = 500;

/// Adds the variables of a data file.
pub(super) fn read(
    path: &Path,
    model: &str,
    workspace: &mut Workspace,
    problems: &mut Vec<Problem>,
) -> Result<(), Error> {
    if path.extension().is_some_and(|it| it == "m") {
        let fuel = Cell::new(matlab::FUEL);
        let set = set_by(&read_text(path)?, path, model, workspace, &fuel);
        workspace.retain(|(name, _)| !set.contains_key(name));
        workspace.extend(set.into_iter().filter_map(|(name, value)| Some((name, value?))));
        return Ok(());
    }
    let read = mat::read(&read_bytes(path)?, mat::Limits::default()).map_err(Error::about(path))?;
    // A variable that is refused takes the place of one that was read before.
    workspace.retain(|(name, _)| read.refused.iter().all(|it| it.variable.as_ref() != Some(name)));
    workspace.extend(read.variables);
    problems.extend(read.refused.iter().map(|error| Problem {
        path: model.to_owned(),
        kind: "file".into(),
        message: format!("{}: {error}", path.display()),
        hint: error.hint.clone(),
        cause: None,
    }));
    Ok(())
}

/// What a script sets: values, and nothing for what is not known. Other scripts and data files beside it may be run and loaded.
fn set_by(
    script: &str,
    path: &Path,
    model: &str,
    workspace: &Workspace,
    fuel: &Cell<usize>,
) -> BTreeMap<String, Option<Value>> {
    let known: BTreeMap<&str, &Value> =
        workspace.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let lookup = |name: &str| known.get(name).map(|value| Some(Rc::new((*value).clone())));
    let files = |name: &str| {
        let beside = |ending: &str| path.with_file_name(format!("{name}.{ending}"));
        if let Ok(text) = read_text(&beside("m")) {
            return Some(matlab::File::Script(text));
        }
        let bytes = read_bytes(&beside("mat")).ok()?;
        Some(matlab::File::Data(mat::read(&bytes, mat::Limits::default()).ok()?.variables))
    };
    let (set, _) = matlab::run_among(script, &lookup, matlab::Around { files: &files, model }, fuel);
    set.into_iter().map(|(name, value)| (name, value.map(Rc::unwrap_or_clone))).collect()
}

/// The data files beside a model: `NAME.mat`, `NAME_data.mat`, `NAME_data.m`, `NAME_init.mat` and `NAME_init.m`, where the model is called
/// `NAME` or `NAME_…`, and those that its callbacks and those of other models load or run.
pub(super) fn belonging(file: &Path, diagram: &Diagram, others: &BTreeMap<String, Diagram>) -> Vec<PathBuf> {
    let named: Vec<String> = [diagram].into_iter().chain(others.values()).flat_map(loads).collect();
    let belongs = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (Some(stem), is_script) = (match name.strip_suffix(".mat") {
            Some(stem) => (Some(stem), false),
            None => (name.strip_suffix(".m"), true),
        }) else {
            return false;
        };
        let loaded = named.iter().any(|load| *load == name || load == stem);
        let ending = ["_data", "_init"].into_iter().find_map(|ending| stem.strip_suffix(ending));
        // A script with the name of the model alone is rather a function of the same name.
        let Some(base) = ending.or(Some(stem).filter(|_| !is_script)) else { return loaded };
        let rest = diagram.name.strip_prefix(base).filter(|_| !base.is_empty());
        loaded || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    beside(file).into_iter().filter(belongs).collect()
}

/// The text of a function beside a model, by its name.
pub(super) fn function(file: &Path, name: &str) -> Option<String> {
    read_text(&file.with_file_name(format!("{name}.m"))).ok()
}

/// The data files and scripts in the folder of a model, by name.
fn beside(file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(here).into_iter().flatten().flatten();
    let entries = entries.map(|entry| folder.join(entry.file_name()));
    let mut found: Vec<PathBuf> =
        entries.filter(|it| it.extension().is_some_and(|it| it == "m" || it == "mat")).collect();
    found.sort();
    found
}

/// The scripts beside a model.
pub(super) struct Search {
    scripts: Vec<Candidate>,
}

/// A script, what it sets, and whether it has the name of the model or runs it.
struct Candidate {
    path: PathBuf,
    set: BTreeMap<String, Option<Value>>,
    runs: bool,
}

impl Search {
    /// Runs all scripts beside a model.
    pub(super) fn of(file: &Path, model: &str, workspace: &Workspace) -> Search {
        let fuel = Cell::new(matlab::FUEL);
        let candidate = |path: PathBuf| {
            let text = read_text(&path).ok()?;
            let names = |ending: &&str| text.contains(&format!("'{model}{ending}'"));
            let is_namesake =
                path.file_stem().is_some_and(|it| it.to_string_lossy().eq_ignore_ascii_case(model));
            let runs = is_namesake || ["", ".slx", ".mdl"].iter().any(names);
            let set = set_by(&text, &path, model, workspace, &fuel);
            Some(Candidate { path, set, runs })
        };
        let scripts = beside(file).into_iter().filter(|it| it.extension().is_some_and(|it| it == "m"));
        Search { scripts: scripts.take(MOST).filter_map(candidate).collect() }
    }

    /// Adds values of missing variables; returns the scripts that they are from, and for each variable with several values what to do.
    pub(super) fn fill(
        &self,
        missing: &BTreeSet<String>,
        workspace: &mut Workspace,
    ) -> (BTreeSet<&Path>, Vec<(String, String)>) {
        let (mut used, mut several) = (BTreeSet::new(), Vec::new());
        for name in missing {
            let sets = |it: &&Candidate| it.set.get(name).is_some_and(Option::is_some);
            let all: Vec<&Candidate> = self.scripts.iter().filter(sets).collect();
            // Such a script is more likely to be meant than others.
            let running: Vec<&Candidate> = all.iter().copied().filter(|it| it.runs).collect();
            let all = if running.is_empty() { all } else { running };
            let Some(first) = all.first() else { continue };
            if all.iter().all(|it| it.set[name] == first.set[name]) {
                // Of scripts that agree, one that is used already.
                let file = all.iter().find(|it| used.contains(it.path.as_path())).unwrap_or(first);
                used.insert(file.path.as_path());
                workspace.extend(file.set[name].clone().map(|value| (name.clone(), value)));
            } else {
                let files: Vec<String> = all.iter().map(|it| format!("`{}`", it.path.display())).collect();
                let hint =
                    format!("it has different values in {}: choose one with `--data`", files.join(", "));
                several.push((name.clone(), hint));
            }
        }
        (used, several)
    }
}
