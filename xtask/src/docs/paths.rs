//! Checks that what documents name exists: the files that links lead to, the sources and the items of crates.

use crate::files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Lists the links of a document that do not lead to a file.
pub(crate) fn check_links(root: &Path, shown: &str, text: &str, problems: &mut Vec<String>) {
    let folder = root.join(shown);
    let folder = folder.parent().unwrap_or(root);
    for (number, line) in prose(text) {
        for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            let elsewhere = path.is_empty() || path.contains("://") || path.contains(' ');
            if !elsewhere && !folder.join(path).exists() {
                problems.push(format!("{shown}:{number}: the link to `{path}` does not lead to a file"));
            }
        }
    }
}

/// Lists the code spans of a document that name what does not exist: files and folders of sources (`crates/….rs`, `crates/…/`),
/// and items of crates (`logic::eval`). A walk, which is a section with that word in its heading, visits no file twice.
pub(crate) fn check_sources(root: &Path, shown: &str, text: &str, problems: &mut Vec<String>) {
    let mut words = BTreeMap::new();
    let (mut walk, mut visited) = (false, BTreeSet::new());
    for (number, line) in prose(text) {
        if line.starts_with('#') {
            walk = line.contains(" walk of ");
            visited.clear();
        }
        for span in line.split('`').skip(1).step_by(2) {
            let is_path = span.starts_with("crates/") || span.starts_with("xtask/");
            if is_path && !root.join(span).exists() {
                problems.push(format!("{shown}:{number}: `{span}` does not exist"));
            }
            if is_path && walk && !visited.insert(span) {
                problems.push(format!("{shown}:{number}: `{span}` is visited twice"));
            }
            let Some((crate_name, item)) = item(span) else { continue };
            let known =
                words.entry(crate_name).or_insert_with(|| words_of(&root.join("crates").join(crate_name)));
            if !known.contains(item) {
                problems.push(format!("{shown}:{number}: `{span}` does not exist"));
            }
        }
    }
}

/// The crate and the last name of a path such as `logic::eval`.
fn item(span: &str) -> Option<(&str, &str)> {
    let is_path = span.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':');
    let (crate_name, rest) = span.split_once("::").filter(|_| is_path)?;
    let lower = !crate_name.is_empty() && crate_name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    lower.then(|| (crate_name, rest.rsplit("::").next().unwrap_or(rest)))
}

/// All words in the sources of a crate, and the names of its files.
fn words_of(folder: &Path) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for path in files::below(&folder.join("src"), &[]).unwrap_or_default() {
        words.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_string));
        let separates = |c: char| !(c.is_alphanumeric() || c == '_');
        words.extend(files::text(&path).unwrap_or_default().split(separates).map(str::to_string));
    }
    words
}

/// The lines outside of fenced blocks, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence = None;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            None => return Some((index + 1, line)),
            Some(opened) if ticks >= opened && line.len() == ticks => fence = None,
            Some(_) => {}
        }
        None
    })
}
