//! The symbolic system: lowered from frames, and printed in the words of its requirements or with symbols.

pub(crate) mod dump;
pub mod english;
pub(crate) mod lower;
pub mod system;
