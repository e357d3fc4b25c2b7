//! The symbolic system: lowered from frames, and printed in the words of its requirements or with symbols.

pub mod dump;
pub mod english;
pub mod lower;
pub mod system;
