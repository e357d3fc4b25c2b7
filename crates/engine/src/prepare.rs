//! Preprocessing: properties that belong together, a smaller system with the same answers, and bounds of its integers.

pub(crate) mod groups;
pub(crate) mod ranges;
pub(crate) mod simplify;
