//! What is done to a system before the engines get it: a smaller one with the same answers, and bounds of its integers.

pub(crate) mod ranges;
pub(crate) mod simplify;
