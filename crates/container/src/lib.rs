//! The containers that files of other tools come in: zip archives, XML and encoded text.
//!
//! - [`archive`]: zip archives, read within limits and written back without touching other entries
//! - [`xml`]: XML documents that know the place of every node, so that they can be edited in place
//! - [`text`]: bytes in the encodings of spreadsheets as text, and back
//! - [`Limits`]: the limits beyond which a file is refused; [`FileError`]: what is wrong with a file, and where
//!
//! Invariant: whatever the bytes are, nothing here panics or allocates beyond its limits.

pub mod archive;
mod error;
pub mod text;
pub mod xml;

pub use error::{FileError, Place, Spot};

/// The limits beyond which a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, and of all entries of an archive together once inflated.
    pub total: u64,
    /// Bytes of one entry of an archive once inflated.
    pub entry: u64,
    /// Entries of an archive.
    pub entries: usize,
    /// The largest ratio of inflated to compressed size of an entry; entries below 1 MB are not measured.
    pub ratio: u64,
    /// Depth of nested XML elements.
    pub depth: usize,
    /// Nodes of an XML document (elements and texts), and rows and cells of a table.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        const MB: u64 = 1 << 20;
        Limits { total: 256 * MB, entry: 128 * MB, entries: 10_000, ratio: 300, depth: 200, nodes: 8_000_000 }
    }
}
