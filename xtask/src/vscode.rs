//! `cargo xtask vscode`: bundles the extension for VS Code with npm and packs it; `--test` runs the tests of its grammars.
//!
//! The packages that npm fetches are fixed by the lock file, and the package is written by us ([`vsix`]): same sources, same bytes.
//! Exit code 2 if npm is missing or something could not be done, 1 if a test fails.

mod vsix;
#[cfg(test)]
mod words;

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Type check, bundle, and pack into `file`, or into `target/shall.vsix`.
pub(crate) fn pack(file: Option<&Path>) -> ExitCode {
    let file = file.map_or_else(|| project().join("target/shall.vsix"), Path::to_path_buf);
    let packed = install()
        .and_then(|()| npm(&["run", "--silent", "check"]))
        .and_then(|()| npm(&["run", "--silent", "bundle"]))
        .and_then(|()| write(&file));
    match packed {
        Ok(size) => {
            println!("{} ({size} bytes); install it with `code --install-extension`", file.display());
            ExitCode::SUCCESS
        }
        Err(message) => failure(&message, 2),
    }
}

/// Runs the tests of the grammars.
pub(crate) fn test() -> ExitCode {
    match install().map(|()| npm(&["test", "--silent"])) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(message)) => failure(&message, 1),
        Err(message) => failure(&message, 2),
    }
}

fn failure(message: &str, code: u8) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(code)
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project").to_path_buf()
}

fn extension() -> PathBuf {
    project().join("editors/vscode")
}

fn install() -> Result<(), String> {
    npm(&["ci", "--loglevel=error"])
}

fn npm(arguments: &[&str]) -> Result<(), String> {
    const MISSING: &str = "npm was not found, and the extension is bundled with it.\n\
        On Debian or Ubuntu: sudo apt-get install -y nodejs npm";
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    match Command::new(program).args(arguments).current_dir(extension()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`npm {}` failed ({status})", arguments.join(" "))),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(MISSING.into()),
        Err(error) => Err(format!("npm: {error}")),
    }
}

/// Packs what is bundled; returns how many bytes that are.
fn write(file: &Path) -> Result<usize, String> {
    let package = String::from_utf8(read(&extension().join("package.json"))?).map_err(|e| e.to_string())?;
    let package: Value = serde_json::from_str(&package).map_err(|error| format!("package.json: {error}"))?;
    let bytes = vsix::pack(&package, contents(&package)?)?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::write(file, &bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(bytes.len())
}

/// The files of the extension by their paths in it: what `files` in package.json lists, and what every extension has.
fn contents(package: &Value) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut contents = BTreeMap::new();
    for (inside, outside) in [
        (vsix::README, extension().join("README.md")),
        (vsix::LICENSE, project().join("LICENSE")),
        (vsix::PACKAGE, extension().join("package.json")),
    ] {
        contents.insert(inside.to_string(), read(&outside)?);
    }
    for name in vsix::texts(&package["files"]) {
        let path = extension().join(name);
        if !path.is_dir() {
            contents.insert(name.to_string(), read(&path)?);
            continue;
        }
        let entries = std::fs::read_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for entry in entries {
            let entry = entry.map_err(|error| error.to_string())?;
            let inside = format!("{name}/{}", entry.file_name().to_string_lossy());
            contents.insert(inside, read(&entry.path())?);
        }
    }
    Ok(contents)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}
