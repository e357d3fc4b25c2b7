//! The crates of the workspace, as `cargo metadata` lists them: who uses whom, and what each is.

use crate::failure::{At, Failure, OrFail, Result};
use crate::files;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

struct Crate {
    description: String,
    /// The crates of the workspace that it depends on, without those it only needs for its tests.
    uses: BTreeSet<String>,
}

/// The drawing and the table of the crates.
pub(super) fn crates() -> Result<String> {
    let crates = workspace()?;
    let mut layers: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for name in crates.keys() {
        layers.entry(depth(&crates, name)).or_default().push(name);
    }
    let mut text = String::from("\n```\n");
    for (depth, names) in layers.iter().rev() {
        let _ = writeln!(text, "{depth:>2}   {}", names.join("   "));
    }
    text += "```\n\n| crate | what it is | uses, besides what these use |\n|---|---|---|\n";
    for name in layers.values().rev().flatten() {
        let uses = direct(&crates, name);
        let uses: Vec<String> = uses.into_iter().map(|used| format!("`{used}`")).collect();
        let _ = writeln!(text, "| `{name}` | {} | {} |", crates[*name].description, uses.join(", "));
    }
    text.push('\n');
    Ok(text)
}

/// The crates by the names of their folders.
fn workspace() -> Result<BTreeMap<String, Crate>> {
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = files::cargo().args(arguments).output().at("cargo".as_ref())?;
    if !output.status.success() {
        return Err(Failure::Program(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).or_fail()?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let folder = |path: &Value| {
        let path = Path::new(path.as_str()?);
        let folder = if path.ends_with("Cargo.toml") { path.parent()? } else { path };
        Some(folder.file_name()?.to_str()?.to_string())
    };
    let mut crates = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        let name = folder(&package["manifest_path"]).ok_or("a package has no folder").or_fail()?;
        let description = package["description"].as_str().unwrap_or_default();
        let description = description.trim_end().trim_end_matches('.').replace('|', "\\|");
        let uses = list(&package["dependencies"]);
        let uses = uses.iter().filter(|used| used["kind"].is_null()).filter_map(|used| folder(&used["path"]));
        crates.insert(name, Crate { description, uses: uses.collect() });
    }
    Ok(crates)
}

/// The length of the longest chain of crates below one.
fn depth(crates: &BTreeMap<String, Crate>, name: &str) -> usize {
    crates[name].uses.iter().map(|used| 1 + depth(crates, used)).max().unwrap_or(0)
}

/// What a crate uses, without what the others that it uses need anyway.
fn direct<'a>(crates: &'a BTreeMap<String, Crate>, name: &str) -> Vec<&'a str> {
    let reaches = |from: &str, to: &str| {
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            if crates[next].uses.contains(to) {
                return true;
            }
            open.extend(crates[next].uses.iter().map(String::as_str));
        }
        false
    };
    let uses = &crates[name].uses;
    uses.iter().filter(|used| !uses.iter().any(|other| reaches(other, used))).map(String::as_str).collect()
}
