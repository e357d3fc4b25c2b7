//! What files of other tools are wrapped in: zip archives, XML, encoded text; with limits and one type of error.
//!
//! - [`archive`]: zip files read within limits and written again without touching other entries
//! - [`xml`]: documents with the place of every node, changed in place
//! - [`text`]: bytes in the encodings of spreadsheets as text, and back
//! - [`Limits`]: how much a file may ask for; [`Trouble`]: what is wrong with it, and where
//!
//! Invariant: nothing here panics or allocates beyond its limits, whatever the bytes.

pub mod archive;
pub mod text;
pub mod xml;

mod trouble;

pub use trouble::{Limits, Place, Spot, Trouble};
