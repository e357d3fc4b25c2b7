//! The files with fuzzy systems (`.fis`) that controllers of a model use.

use super::folders::{Folders, read_code};
use simulink::diagram::Diagram;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The file of a system: the one that is named in quotes; or of a variable, the one that code reads into it, or one of its name.
pub(super) fn file(name: &str, diagram: &Diagram, folders: &Folders) -> Option<PathBuf> {
    let plain = name.trim_matches(['\'', '"']);
    if plain != name {
        return find(plain, folders);
    }
    let of_callbacks = diagram.settings.0.iter().map(|it| it.1.clone());
    let mut read: BTreeSet<String> = of_callbacks.flat_map(|it| read_into(name, &it)).collect();
    for place in folders.places() {
        if !read.is_empty() {
            break;
        }
        let codes = place.iter().filter(|it| is_code(it)).filter_map(|it| read_code(it));
        read = codes.flat_map(|it| read_into(name, &it)).collect();
    }
    let mut read = read.into_iter();
    match (read.next(), read.next()) {
        (None, _) => find(name, folders),
        (Some(only), None) => find(&only, folders),
        // Which of them the model uses is not known.
        (Some(_), Some(_)) => None,
    }
}

fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "m")
}

fn find(name: &str, folders: &Folders) -> Option<PathBuf> {
    let name = name.rsplit(['/', '\\']).next()?;
    folders.find(name.strip_suffix(".fis").unwrap_or(name), &["fis"])
}

/// The files that code reads into a variable: `NAME = readfis('FILE')`.
fn read_into(variable: &str, code: &str) -> Vec<String> {
    let statements = code.lines().filter_map(|it| it.split('%').next()).flat_map(|it| it.split(';'));
    let file = |statement: &str| {
        let (target, value) = statement.split_once('=')?;
        let argument = value.trim().strip_prefix("readfis")?.trim_start().strip_prefix('(')?.trim_start();
        let quote = argument.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
        let (text, _) = argument[1..].split_once(quote)?;
        (target.trim() == variable).then(|| text.to_owned())
    };
    statements.filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::read_into;

    #[test]
    fn what_code_reads() {
        let code = "% a = readfis('no');\na = readfis('one.fis'); b = readfis(\"two\")\na=readfis( 'three' );\nc = 1;";
        assert_eq!(read_into("a", code), ["one.fis", "three"]);
        assert_eq!(read_into("b", code), ["two"]);
        assert_eq!(read_into("c", code), Vec::<String>::new());
    }
}
