//! Files of other tools: FRET, sheets, ReqIF. Bytes in, records out, and back without loss.
//!
//! Each format is a module with `read`, `write` and `update`. They share [`Records`] (the table), [`Profile`] (which
//! column is what), [`Limits`] and [`FileError`]. `update` keeps every byte that no [`Change`] asks to change.

pub mod csv;
pub mod fret;
pub mod mapping;
mod profile;
mod records;
pub mod reqif;
pub mod xlsx;

pub use container::{FileError, Limits, Place, Spot};

type Result<T, E = FileError> = std::result::Result<T, E>;
use container::{archive, text, xml};
pub use profile::{Profile, Role, TOOLS, Tool};
pub use records::{Change, Link, Record, Records};

/// What is wrong with a text that is not JSON, and where.
fn not_json(error: &serde_json::Error) -> FileError {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
    let spot = if error.line() > 0 { Spot::Line(error.line(), error.column()) } else { Spot::Whole };
    FileError::new(format!("the file is not valid JSON: {message}")).at(spot)
}
