//! Random walks through a system: promising input values, the falsifier, and violations that occur only in doubles.

pub(crate) mod doubles;
pub(crate) mod edges;
pub(crate) mod random;
pub(crate) mod sample;
