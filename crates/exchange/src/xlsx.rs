//! Sheets of Excel and of the programs that read its files (`.xlsx`).
//!
//! The table is on the sheet that the profile names, or on the first sheet with an id column; rows above its header are
//! left alone. `update` edits the XML of that sheet in place: only cells with a new text are rewritten, as inline
//! strings with their old style; every other entry of the file keeps its bytes.

use crate::{Change, FileError, Limits, Place, Profile, Record, Records, Result, Spot};

mod book;
mod change;
mod create;
mod dates;
mod escape;

use book::open;
pub use create::write;

/// Reads the table of a workbook. Blank rows are not records.
pub fn read(bytes: &[u8], profile: &Profile, limits: Limits) -> Result<Records, FileError> {
    let (_, grid) = open(bytes, profile, limits)?;
    let records = (grid.rows.iter())
        .map(|row| Record {
            id: grid.id(row),
            fields: grid.columns.iter().map(|(column, _)| row.value(*column).map(str::to_owned)).collect(),
            place: Place { part: Some(grid.name.clone()), spot: Spot::Row(row.number as usize) },
        })
        .filter(|record: &Record| record.fields.iter().any(Option::is_some))
        .collect();
    Ok(Records { columns: grid.names(), records, links: Vec::new() })
}

/// Makes the changes in the workbook and keeps all else. New records are appended; the row of a removed one stays
/// empty, so that nothing moves. A cell with a formula is not overwritten.
pub fn update(original: &[u8], profile: &Profile, changes: &[Change], limits: Limits) -> Result<Vec<u8>> {
    let (mut archive, grid) = open(original, profile, limits)?;
    let edits = change::edits(&grid, changes)?;
    if edits.is_empty() {
        return Ok(original.to_vec());
    }
    let text = edits.apply(&grid.document.text);
    let bytes = crate::text::encode(&text, grid.document.encoding);
    archive.replace(&[(grid.entry, bytes)])
}
