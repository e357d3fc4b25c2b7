//! The house rules that no compiler checks.

use std::path::{Path, PathBuf};
use syntax::Code;

/// A file longer than this holds more than one subject.
const MAX_LINES: usize = 500;

/// Checks every tracked source and document.
pub(crate) fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the project has no folder")?;
    let mut files = Vec::new();
    collect(root, &mut files).map_err(|error| error.to_string())?;
    let (mut problems, mut untested) = (Vec::new(), Vec::new());
    for path in &files {
        let shown = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
        check(&shown, &text, &mut problems);
        if shown.ends_with("Cargo.toml") && text.contains("\ntest = false\n") {
            untested.push(path.with_file_name("src"));
        }
        // The manifest of a package comes before its sources.
        let test = concat!("#[", "test]");
        if text.contains(test) && untested.iter().any(|it| path.starts_with(it)) {
            problems.push(format!("{shown}: tests in this package are run only from its folder `tests`"));
        }
    }
    check_codes(root, &mut problems)?;
    let stale = crate::docs::stale(root).into_iter();
    problems.extend(stale.map(|(path, _)| format!("{path}: not up to date; run `cargo xtask docs`")));
    if problems.is_empty() {
        println!("{} files keep the house rules", files.len());
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// All sources and documents below a folder, in order.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            let skipped = matches!(
                name,
                "target" | ".git" | "corpus" | "artifacts" | "coverage" | "node_modules" | "dist"
            );
            if !skipped {
                collect(&path, files)?;
            }
        } else if matches!(extension, "rs" | "md" | "toml") {
            files.push(path);
        }
    }
    Ok(())
}

fn check(shown: &str, text: &str, problems: &mut Vec<String>) {
    let is_rust = shown.ends_with(".rs");
    if is_rust && !text.starts_with("//!") {
        problems.push(format!("{shown}: the file does not open with what it holds (`//!`)"));
    }
    if is_rust && text.lines().count() > MAX_LINES {
        problems.push(format!("{shown}: more than {MAX_LINES} lines; it may be two subjects"));
    }
    if !text.ends_with('\n') || text.ends_with("\n\n") {
        problems.push(format!("{shown}: the file does not end with one line end"));
    }
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        if line.ends_with([' ', '\t']) {
            problems.push(format!("{shown}:{number}: white space at the end of the line"));
        }
        let unfinished = ["TO", "FIX", "XX"]
            .iter()
            .zip(["DO", "ME", "X"])
            .any(|(head, tail)| line.contains(&format!("{head}{tail}")));
        if is_rust && unfinished {
            problems.push(format!("{shown}:{number}: something is left for others"));
        }
    }
}

/// Every diagnostic code is documented, with the summary that the program gives.
fn check_codes(root: &Path, problems: &mut Vec<String>) -> Result<(), String> {
    let path = root.join("docs/codes.md");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("docs/codes.md: {error}"))?;
    for code in Code::ALL {
        let row = format!("| `{}` | {} |", code.id(), code.summary());
        if !text.contains(&row) {
            problems.push(format!("docs/codes.md: the row `{row}` is missing"));
        }
    }
    Ok(())
}
