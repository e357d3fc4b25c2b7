//! ReqIF: the exchange format of requirement tools, as one document (`.reqif`) or as an archive (`.reqifz`).
//!
//! A SPEC-OBJECT is a record, an attribute is a column (by its long name), the hierarchy gives order and parent, the
//! relations are links. `update` edits attribute values in place and keeps every other byte: attributes, extensions
//! and attachments that nobody here knows are untouched.

use crate::{Change, FileError, Limits, Profile, Records, Result, archive};

mod added;
mod change;
mod create;
mod model;
mod table;
mod value;
mod xhtml;

pub use create::{Head, write};
use model::Model;

/// The name of the column that the hierarchy gives, if no attribute is the parent.
pub const PARENT: &str = "parent";

/// Reads all objects of a document or of an archive of documents, in the order of the hierarchy.
///
/// The id is the attribute for [`crate::Role::Id`]; an object without one has its IDENTIFIER as id. If an object is below
/// another one and no attribute is for [`crate::Role::Parent`], the column [`PARENT`] has the id of the upper one.
pub fn read(bytes: &[u8], profile: &Profile, limits: Limits) -> Result<Records, FileError> {
    Ok(table::of(&open(bytes, limits)?, profile).records)
}

/// Makes the changes in the document or archive and keeps all else. New records become objects at the end of the
/// hierarchy, or below their parent. LAST-CHANGE stays as it is: the same input gives the same output.
pub fn update(original: &[u8], profile: &Profile, changes: &[Change], limits: Limits) -> Result<Vec<u8>> {
    let models = open(original, limits)?;
    let edits = change::edits(&models, &table::of(&models, profile), profile, changes)?;
    let mut changed = Vec::new();
    for (model, edits) in models.iter().zip(edits) {
        if !edits.is_empty() {
            let text = edits.apply(&model.document.text);
            let bytes = crate::text::encode(&text, model.document.encoding);
            changed.push((model.part.clone(), bytes));
        }
    }
    match changed.pop() {
        None => Ok(original.to_vec()),
        Some((None, bytes)) => Ok(bytes),
        Some(last) => {
            changed.push(last);
            let named: Vec<_> =
                changed.into_iter().filter_map(|(part, bytes)| Some((part?, bytes))).collect();
            archive::open(original, limits)?.replace(&named)
        }
    }
}

/// A document as an archive (`.reqifz`) with one entry.
pub fn archived(document: Vec<u8>) -> Result<Vec<u8>, FileError> {
    let text = String::from_utf8(document).map_err(|_| FileError::new("the document is not UTF-8"))?;
    archive::create(&[("requirements.reqif", text)])
}

/// The documents of the file.
fn open(bytes: &[u8], limits: Limits) -> Result<Vec<Model>, FileError> {
    if bytes.len() as u64 > limits.total {
        return Err(
            FileError::new("the file is too large").hint(format!("the limit is {} bytes", limits.total))
        );
    }
    if !archive::is_archive(bytes) {
        return Ok(vec![model::of(bytes, None, limits)?]);
    }
    let mut archive = archive::open(bytes, limits)?;
    let is_document = |name: &&String| name.to_ascii_lowercase().ends_with(".reqif");
    let names: Vec<String> = archive.names().iter().filter(is_document).cloned().collect();
    if names.is_empty() {
        return Err(FileError::new("the archive has no `.reqif` document"));
    }
    let mut models = Vec::new();
    for name in names {
        let bytes = archive.read(&name)?;
        models.push(model::of(&bytes, Some(&name), limits).map_err(|error| error.part(&name))?);
    }
    Ok(models)
}
