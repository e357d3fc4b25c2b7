//! Files of the project and of the public data. Every failure names the file.

use crate::failure::{At, OrFail, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder of the project")
}

/// The `cargo` that runs this command, started in the folder of the project.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).at(path)
}

pub(crate) fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).at(path)
}

/// The elements of a JSON array.
pub(crate) fn json_array(path: &Path) -> Result<Vec<Value>> {
    serde_json::from_slice(&bytes(path)?).about(path.display())
}

/// Writes a file, and makes its folder if there is none.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).at(folder)?;
    }
    std::fs::write(path, bytes).at(path)
}

/// The files and folders in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).at(folder)?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry.at(folder)?.path())).collect::<Result<_>>()?;
    paths.sort();
    Ok(paths)
}

/// All files below a folder, sorted, without those in folders with one of the skipped names.
pub(crate) fn below(folder: &Path, skipped: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if !path.is_dir() {
            files.push(path);
        } else if !skipped.iter().any(|name| path.ends_with(name)) {
            files.extend(below(&path, skipped)?);
        }
    }
    Ok(files)
}

/// The rows of a table with tabs between its cells, without the header.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|row| row.split('\t').collect())
}
