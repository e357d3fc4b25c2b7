//! The data files of a model: those that are given, or else those that belong to it by name or by its callbacks, and then scripts and data
//! around it ([`Folders`]) that have variables it lacks.
//!
//! A script is run as far as its values are known, up to the place where it runs the model. It counts only for variables that are missing,
//! and only if no other file of the same place gives another value.

use super::folders::{Folders, absolute, data_in, read_code};
use crate::Error;
use crate::files::{read_bytes, read_text};
use simulink::diagram::Diagram;
use simulink::plan::{Problem, callbacks, loads};
use simulink::value::Value;
use simulink::{mat, matlab};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Variables with their values; a later one replaces an earlier one of the same name.
pub(super) type Workspace = Vec<(String, Value)>;

/// The maximum number of scripts and data files of a place that are searched for variables, and the maximum number of bytes of these
/// data files.
const MOST: usize = 500;
const MOST_BYTES: u64 = 64 << 20;

/// Adds the variables of a data file.
pub(super) fn read(
    path: &Path,
    model: &str,
    folders: &Folders,
    workspace: &mut Workspace,
    problems: &mut Vec<Problem>,
) -> Result<(), Error> {
    if path.extension().is_some_and(|it| it == "m") {
        let fuel = Cell::new(matlab::FUEL);
        let text = read_code(path).map_or_else(|| read_text(path), Ok)?;
        let (set, _) = set_by(&text, &absolute(path), model, folders, workspace, &fuel);
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

/// What a script sets: values, and nothing for what is not known; and a name that it uses and that nothing has. Other scripts and data files
/// around it may be run and loaded.
fn set_by(
    script: &str,
    path: &str,
    model: &str,
    folders: &Folders,
    workspace: &Workspace,
    fuel: &Cell<usize>,
) -> (BTreeMap<String, Option<Value>>, Option<String>) {
    let known: BTreeMap<&str, &Value> =
        workspace.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let lookup = |name: &str| known.get(name).map(|value| Some(Rc::new((*value).clone())));
    let around = matlab::Around { files: folders, model, script: path };
    let (set, errors) = matlab::run_among(script, &lookup, around, fuel);
    let set = set.into_iter().map(|(name, value)| (name, value.map(Rc::unwrap_or_clone))).collect();
    (set, errors.into_iter().find_map(|it| it.missing))
}

/// Runs startup scripts and callbacks for the folders that they put on the path.
pub(super) fn add_folders(folders: &Folders, diagram: &Diagram) {
    let fuel = Cell::new(matlab::FUEL);
    let startup = folders.startup();
    let startup = startup.iter().filter_map(|path| Some((read_code(path)?, absolute(path))));
    let own = callbacks(diagram).map(|code| (code.to_owned(), String::new()));
    for (code, path) in startup.chain(own) {
        set_by(&code, &path, &diagram.name, folders, &Workspace::new(), &fuel);
    }
    folders.used();
}

/// The data files beside a model: `NAME.mat`, `NAME_data.mat`, `NAME_data.m`, `NAME_init.mat` and `NAME_init.m`, where the model is called
/// `NAME` or `NAME_…`, and those around it that its callbacks and those of other models load or run.
pub(super) fn belonging(
    file: &Path,
    diagram: &Diagram,
    others: &BTreeMap<String, Diagram>,
    folders: &Folders,
) -> Vec<PathBuf> {
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
    let mut found: Vec<PathBuf> =
        data_in(file.parent().unwrap_or(Path::new(""))).into_iter().filter(belongs).collect();
    for name in &named {
        let (stem, endings) = match name.rsplit_once('.') {
            Some((stem, "m")) => (stem, &["m"][..]),
            Some((stem, "mat")) => (stem, &["mat"][..]),
            Some(_) => continue,
            None => (name.as_str(), &["m", "mat"][..]),
        };
        found.extend(folders.find(stem, endings).filter(|it| !folders.is_beside(it)));
    }
    found
}

/// The scripts and data files of a place.
pub(super) struct Search {
    files: Vec<Candidate>,
}

/// A file, the others that it uses, what it sets, a name that it lacks, and whether it has the name of the model or runs it.
struct Candidate {
    path: PathBuf,
    uses: BTreeSet<PathBuf>,
    set: BTreeMap<String, Option<Value>>,
    lacks: Option<String>,
    runs: bool,
}

impl Candidate {
    /// Why a variable that the file sets is not known.
    fn loss(&self) -> String {
        let because = self.lacks.as_ref().map(|it| format!(": `{it}` is not a known variable or function"));
        let because = because.unwrap_or_default();
        format!("`{}` sets it, but to what is not known{because}", self.path.display())
    }
}

impl Search {
    /// Runs all scripts and reads all data files of a place.
    pub(super) fn of(place: Vec<PathBuf>, model: &str, folders: &Folders, workspace: &Workspace) -> Search {
        let fuel = Cell::new(matlab::FUEL);
        let bytes = Cell::new(MOST_BYTES);
        let script = |path: PathBuf| {
            let text = read_code(&path)?;
            let names = |ending: &&str| text.contains(&format!("'{model}{ending}'"));
            let is_namesake =
                path.file_stem().is_some_and(|it| it.to_string_lossy().eq_ignore_ascii_case(model));
            let runs = is_namesake || ["", ".slx", ".mdl"].iter().any(names);
            folders.used();
            let (set, lacks) = set_by(&text, &absolute(&path), model, folders, workspace, &fuel);
            Some(Candidate { path, uses: folders.used(), set, lacks, runs })
        };
        let data = |path: PathBuf| {
            bytes.set(bytes.get().checked_sub(path.metadata().ok()?.len())?);
            let read = mat::read(&read_bytes(&path).ok()?, mat::Limits::default()).ok()?;
            let set = read.variables.into_iter().map(|(name, value)| (name, Some(value))).collect();
            Some(Candidate { path, uses: BTreeSet::new(), set, lacks: None, runs: false })
        };
        let is_script = |path: &Path| path.extension().is_some_and(|it| it == "m");
        let candidate = |path: PathBuf| if is_script(&path) { script(path) } else { data(path) };
        let files: Vec<Candidate> = place.into_iter().take(MOST).filter_map(candidate).collect();
        Search { files: without_parts(files) }
    }

    /// Adds values of missing variables; returns the files that they are from, and for each variable with several values, or whose value a script
    /// that runs the model does not tell, what to do.
    pub(super) fn fill(
        &self,
        missing: &BTreeSet<String>,
        workspace: &mut Workspace,
    ) -> (BTreeSet<PathBuf>, Vec<(String, String)>) {
        let (mut used, mut several) = (BTreeSet::new(), Vec::new());
        for name in missing {
            let sets = |it: &&Candidate| it.set.get(name).is_some_and(Option::is_some);
            let all: Vec<&Candidate> = self.files.iter().filter(sets).collect();
            // Such a script is more likely to be meant than others.
            let running: Vec<&Candidate> = all.iter().copied().filter(|it| it.runs).collect();
            let is_lost = |it: &&Candidate| it.runs && it.set.get(name).is_some_and(Option::is_none);
            if running.is_empty()
                && let Some(lost) = self.files.iter().find(is_lost)
            {
                several.push((name.clone(), lost.loss()));
                continue;
            }
            let all = if running.is_empty() { all } else { running };
            let Some(first) = all.first() else { continue };
            if all.iter().all(|it| it.set[name] == first.set[name]) {
                // Of scripts that agree, one that is used already.
                let file = all.iter().find(|it| used.contains(&it.path)).unwrap_or(first);
                used.insert(file.path.clone());
                used.extend(file.uses.iter().cloned());
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

/// The files without the scripts that others of them run: each is a part of the other one, unless both run each other.
fn without_parts(mut files: Vec<Candidate>) -> Vec<Candidate> {
    let real = |path: &PathBuf| path.canonicalize().unwrap_or(path.clone());
    let paths: Vec<PathBuf> = files.iter().map(|it| real(&it.path)).collect();
    let uses: Vec<BTreeSet<PathBuf>> = files.iter().map(|it| it.uses.iter().map(real).collect()).collect();
    let is_part = |part: usize| {
        let is_whole =
            |whole: usize| uses[whole].contains(&paths[part]) && !uses[part].contains(&paths[whole]);
        (0..paths.len()).any(is_whole) && paths[part].extension().is_some_and(|it| it == "m")
    };
    let parts: Vec<bool> = (0..paths.len()).map(is_part).collect();
    let mut parts = parts.into_iter();
    files.retain(|it| !parts.next().unwrap_or(false) || it.runs);
    files
}
