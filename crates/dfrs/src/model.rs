//! The symbolic system: lowered from frames, checked against the words of a project, and printed in the words of its requirements or with symbols.

pub(crate) mod dictionary;
pub(crate) mod dump;
pub mod english;
pub(crate) mod lower;
pub mod system;
