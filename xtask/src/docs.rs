//! What is generated in the documents: regions of text, whole files, and pictures.
//!
//! `cargo xtask docs` writes them, `cargo xtask docs --check` fails if one of them is not up to date.
//! A region of a document is between the lines `<!-- generated: NAME -->` and `<!-- end of NAME -->`.

mod crates;
pub(crate) mod paths;
mod pictures;

use crate::failure::{Failure, OrFail, Result};
use crate::files;

/// A generated text and where it belongs.
struct Text {
    /// The document, from the root of the project.
    path: &'static str,
    /// The name of the region that the text fills; `None` if it is the whole document.
    region: Option<&'static str>,
    text: String,
}

/// All generated texts.
fn texts() -> Result<Vec<Text>> {
    Ok(vec![
        Text { path: "docs/architecture.md", region: Some("crates"), text: crates::crates()? },
        Text { path: "docs/codes.md", region: None, text: project::rules::manual::markdown() },
        Text { path: "docs/json.md", region: None, text: shall::reference::markdown() },
    ])
}

/// Writes what is generated, or with `check` only compares it.
pub(crate) fn run(check: bool) -> Result {
    let mut stale = Vec::new();
    let mut keep = |path: &str, bytes: &[u8]| {
        let file = files::root().join(path);
        if std::fs::read(&file).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        stale.push(path.to_string());
        if check { Ok(()) } else { files::write(&file, bytes) }
    };
    for Text { path, region, text } in texts()? {
        let whole = match region {
            None => text,
            Some(name) => filled(&files::text(&files::root().join(path))?, name, &text)
                .ok_or_else(|| format!("{path}: the region `{name}` is missing"))
                .or_fail()?,
        };
        keep(path, whole.as_bytes())?;
    }
    for picture in pictures::PICTURES {
        if let Some(bytes) = pictures::draw(picture, check)? {
            keep(picture.path, &bytes)?;
        }
    }
    match (stale.is_empty(), check) {
        (true, _) => println!("all generated documents are up to date"),
        (false, false) => println!("written: {}", stale.join(", ")),
        (false, true) => return Err(Failure::Stale(stale)),
    }
    Ok(())
}

/// A document with a new text in a region.
fn filled(document: &str, name: &str, text: &str) -> Option<String> {
    let (opening, closing) = (format!("<!-- generated: {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let start = document.find(&opening)? + opening.len();
    let end = start + document[start..].find(&closing)?;
    Some(format!("{}{text}{}", &document[..start], &document[end..]))
}
