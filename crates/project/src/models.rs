//! Requirements and models: which signal each variable is, and requirements as properties.

pub mod mapping;
pub mod monitors;
