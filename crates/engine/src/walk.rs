//! Random walks through a system: inputs worth trying, the falsifier, and violations that only doubles have.

pub(crate) mod doubles;
pub(crate) mod edges;
pub(crate) mod random;
pub(crate) mod sample;
