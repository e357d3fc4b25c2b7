//! What documents name exists: the files that links lead to, and the sources in `docs/architecture.md`.

use std::path::Path;

/// Lists the links of a document that lead to no file.
pub(crate) fn check_links(root: &Path, shown: &str, text: &str, problems: &mut Vec<String>) {
    let folder = root.join(shown);
    let folder = folder.parent().unwrap_or(root);
    for (number, line) in prose(text) {
        for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            let elsewhere = path.is_empty() || path.contains("://") || path.contains(' ');
            if !elsewhere && !folder.join(path).exists() {
                problems.push(format!("{shown}:{number}: the link to `{path}` leads to no file"));
            }
        }
    }
}

/// Lists the sources that a document names in backticks (`….rs` or `…/`) and that do not exist, from the root or from `crates`.
pub(crate) fn check_sources(root: &Path, shown: &str, text: &str, problems: &mut Vec<String>) {
    for (number, line) in prose(text) {
        for path in line.split('`').skip(1).step_by(2) {
            let named = (path.ends_with(".rs") || path.ends_with('/')) && !path.contains(['<', '…', ' ']);
            if named && !root.join(path).exists() && !root.join("crates").join(path).exists() {
                problems.push(format!("{shown}:{number}: `{path}` does not exist"));
            }
        }
    }
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
