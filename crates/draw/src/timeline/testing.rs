//! For tests of the drawings: [`read()`] takes an SVG file apart, `samples` are pictures to draw.

mod read;
#[cfg(test)]
pub(crate) mod samples;

pub use read::{ReadError, ReadPicture, ReadPiece, read};
