//! Helpers for tests and development commands: comparison of languages, and expressions from text.

pub mod check;
pub mod parse;
#[cfg(test)]
mod world;

#[cfg(test)]
pub(crate) use world::{World, small_expressions};
