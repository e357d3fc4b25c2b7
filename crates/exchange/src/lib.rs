//! Files of other tools: FRET, sheets, ReqIF. Bytes in, records out, and back without loss.
//!
//! Each format is a module with `read`, `write` and `update`. They share [`Records`] (the table), [`Profile`] (which
//! column is what), [`Limits`] and [`Trouble`]. `update` keeps every byte that no [`Change`] asks to change.

pub mod csv;
pub mod fret;
pub mod mapping;
mod profile;
mod records;
pub mod reqif;
pub mod xlsx;

pub use container::{FileError as Trouble, Limits, Place, Spot};
use container::{archive, text, xml};
pub use profile::{Profile, Role, TOOLS, Tool};
pub use records::{Change, Link, Record, Records};
