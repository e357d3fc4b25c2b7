//! Requirements and models: which signal each variable is, and requirements as properties; the requirements of a component as a set.

pub mod mapping;
pub mod monitors;
pub mod set;
