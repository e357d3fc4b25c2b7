//! The rules of the project that no compiler checks.

use crate::docs::paths;
use crate::failure::{Result, no_problems};
use crate::files;

/// A file longer than this holds more than one subject.
const MAX_LINES: usize = 800;

/// Marks of unfinished work, spelled so that this file does not contain them.
const UNFINISHED: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// Folders that hold no sources of the project.
const SKIPPED: [&str; 7] = ["target", ".git", "corpus", "artifacts", "coverage", "node_modules", "dist"];

/// Checks every tracked source and document.
pub(crate) fn run() -> Result {
    let root = files::root();
    let mut files = files::below(root, &SKIPPED)?;
    files.retain(|path| path.extension().is_some_and(|it| it == "rs" || it == "md" || it == "toml"));
    let (mut problems, mut untested) = (Vec::new(), Vec::new());
    for path in &files {
        let shown = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let text = files::text(path)?;
        check(&shown, &text, &mut problems);
        if shown.ends_with(".md") {
            paths::check_links(root, &shown, &text, &mut problems);
        }
        if shown.starts_with("docs/") {
            paths::check_sources(root, &shown, &text, &mut problems);
        }
        if shown.ends_with("Cargo.toml") && text.contains("\ntest = false\n") {
            untested.push(path.with_file_name("src"));
        }
        // The manifest of a package comes before its sources.
        let test = concat!("#[", "test]");
        if text.contains(test) && untested.iter().any(|it| path.starts_with(it)) {
            problems.push(format!("{shown}: tests in this package are run only from its folder `tests`"));
        }
    }
    no_problems(problems)?;
    println!("{} files follow the rules of the project", files.len());
    Ok(())
}

fn check(shown: &str, text: &str, problems: &mut Vec<String>) {
    let is_rust = shown.ends_with(".rs");
    if is_rust && !text.starts_with("//!") {
        problems.push(format!("{shown}: the file does not begin with a module comment (`//!`)"));
    }
    if is_rust && text.lines().count() > MAX_LINES {
        problems.push(format!("{shown}: more than {MAX_LINES} lines; it may be two subjects"));
    }
    if !text.ends_with('\n') || text.ends_with("\n\n") {
        problems.push(format!("{shown}: the file does not end with exactly one newline"));
    }
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        if line.ends_with([' ', '\t']) {
            problems.push(format!("{shown}:{number}: white space at the end of the line"));
        }
        if let Some(mark) = UNFINISHED.iter().find(|mark| is_rust && line.contains(**mark)) {
            problems.push(format!("{shown}:{number}: {mark} left in the code"));
        }
    }
}
