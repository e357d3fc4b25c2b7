//! Changes to documents, all of them as edits: the normal form, and new names wherever they are used.

pub mod edit;
pub mod format;
pub mod rename;
