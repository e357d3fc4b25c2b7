//! What is generated in the documents: regions of text, whole files, and pictures.
//!
//! `cargo xtask docs` writes them, `cargo xtask docs --check` fails if one of them is not up to date.
//! A region of a document is between the lines `<!-- generated: NAME -->` and `<!-- end of NAME -->`.

mod codes;
mod crates;
mod json;
pub(crate) mod paths;
mod pictures;

use std::error::Error;
use std::path::Path;

/// A generated text and where it belongs.
struct Text {
    /// The document, from the root of the project.
    path: &'static str,
    /// The name of the region that the text fills; `None` if it is the whole document.
    region: Option<&'static str>,
    text: String,
}

/// All generated texts.
fn texts(root: &Path) -> Result<Vec<Text>, Box<dyn Error>> {
    Ok(vec![
        Text::region("docs/architecture.md", "crates", crates::crates(root)?),
        Text { path: "docs/codes.md", region: None, text: codes::codes() },
        Text { path: "docs/json.md", region: None, text: json::json() },
    ])
}

impl Text {
    fn region(path: &'static str, name: &'static str, text: String) -> Text {
        Text { path, region: Some(name), text }
    }
}

/// Writes what is generated, or with `check` only compares it.
pub(crate) fn run(check: bool) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the project has no folder")?;
    let mut stale = Vec::new();
    let mut keep = |path: &str, bytes: &[u8]| -> std::io::Result<()> {
        let file = root.join(path);
        if std::fs::read(&file).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        stale.push(path.to_string());
        if check { Ok(()) } else { std::fs::write(file, bytes) }
    };
    for Text { path, region, text } in texts(root)? {
        let whole = match region {
            None => text,
            Some(name) => filled(&std::fs::read_to_string(root.join(path))?, name, &text)
                .ok_or_else(|| format!("{path}: the region `{name}` is missing"))?,
        };
        keep(path, whole.as_bytes())?;
    }
    for picture in pictures::PICTURES {
        if let Some(bytes) = pictures::draw(root, picture, check)? {
            keep(picture.path, &bytes)?;
        }
    }
    match (stale.is_empty(), check) {
        (true, _) => println!("all generated documents are up to date"),
        (false, false) => println!("written: {}", stale.join(", ")),
        (false, true) => {
            let list = stale.join(", ");
            return Err(
                format!("not up to date: {list}; run `cargo xtask docs` and read the difference").into()
            );
        }
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
