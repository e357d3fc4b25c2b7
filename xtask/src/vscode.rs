//! `cargo xtask vscode`: bundles the extension for VS Code with npm and packs it; `--test` runs the tests of its grammars.
//!
//! The packages that npm fetches are fixed by the lock file, and the package is written by us ([`vsix`]): same sources, same bytes.
//! Exit code 2 if npm is missing or something could not be done, 1 if a test fails.

mod vsix;
#[cfg(test)]
mod words;

use crate::failure::{Failure, OrFail, Result};
use crate::files;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Type check, bundle, and pack into `file`, or into `target/shall.vsix`.
pub(crate) fn pack(file: Option<&Path>) -> ExitCode {
    let file = file.map_or_else(|| files::root().join("target/shall.vsix"), Path::to_path_buf);
    let packed = install()
        .and_then(|()| npm(&["run", "--silent", "check"]))
        .and_then(|()| npm(&["run", "--silent", "bundle"]))
        .and_then(|()| write(&file));
    match packed {
        Ok(size) => {
            println!("{} ({size} bytes); install it with `code --install-extension`", file.display());
            ExitCode::SUCCESS
        }
        Err(failure) => report(&failure, 2),
    }
}

/// Runs the tests of the grammars.
pub(crate) fn test() -> ExitCode {
    match install().map(|()| npm(&["test", "--silent"])) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => report(&failure, 1),
        Err(failure) => report(&failure, 2),
    }
}

fn report(failure: &Failure, code: u8) -> ExitCode {
    eprintln!("{failure}");
    ExitCode::from(code)
}

fn extension() -> PathBuf {
    files::root().join("editors/vscode")
}

fn install() -> Result {
    npm(&["ci", "--loglevel=error"])
}

fn npm(arguments: &[&str]) -> Result {
    const MISSING: &str = "npm is not installed, and the extension is bundled with it.\n\
        On Debian or Ubuntu: sudo apt-get install -y nodejs npm";
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    Err(Failure::Program(match Command::new(program).args(arguments).current_dir(extension()).status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => format!("`npm {}` failed ({status})", arguments.join(" ")),
        Err(error) if error.kind() == ErrorKind::NotFound => MISSING.into(),
        Err(error) => format!("npm: {error}"),
    }))
}

/// Packs what is bundled; returns the number of bytes.
fn write(file: &Path) -> Result<usize> {
    let package = files::bytes(&extension().join("package.json"))?;
    let package: Value = serde_json::from_slice(&package).about("package.json")?;
    let bytes = vsix::pack(&package, contents(&package)?)?;
    files::write(file, &bytes)?;
    Ok(bytes.len())
}

/// The files of the extension by their paths in it: what `files` in package.json lists, and what every extension has.
fn contents(package: &Value) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut contents = BTreeMap::new();
    for (inside, outside) in [
        (vsix::README, extension().join("README.md")),
        (vsix::LICENSE, files::root().join("LICENSE")),
        (vsix::PACKAGE, extension().join("package.json")),
    ] {
        contents.insert(inside.to_string(), files::bytes(&outside)?);
    }
    for name in vsix::texts(&package["files"]) {
        let path = extension().join(name);
        if !path.is_dir() {
            contents.insert(name.to_string(), files::bytes(&path)?);
            continue;
        }
        for entry in files::entries(&path)? {
            let inside = entry.file_name().unwrap_or_default().to_string_lossy();
            contents.insert(format!("{name}/{inside}"), files::bytes(&entry)?);
        }
    }
    Ok(contents)
}
