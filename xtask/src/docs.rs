//! Generated documents: `cargo xtask docs` writes them, `cargo xtask docs --check` fails if one of them is not up to date.

mod json;

use std::path::Path;

/// Each generated file, from the root of the project, with its text.
fn files() -> [(&'static str, String); 1] {
    [("docs/json.md", json::json())]
}

/// The generated files that are not up to date.
pub(crate) fn stale(root: &Path) -> Vec<(&'static str, String)> {
    let written = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
    files().into_iter().filter(|(path, text)| written(path) != *text).collect()
}

/// Writes what is generated, or with `check` only compares it.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the project has no folder")?;
    for (path, text) in stale(root) {
        if check {
            return Err(format!("{path} is not up to date; run `cargo xtask docs` and read the difference"));
        }
        std::fs::write(root.join(path), text).map_err(|error| format!("{path}: {error}"))?;
        println!("written: {path}");
    }
    Ok(())
}
