//! What only tests and chores use: whether languages are the same, and expressions from text.

pub mod check;
pub mod parse;
#[cfg(test)]
mod world;

#[cfg(test)]
pub(crate) use world::{World, small_expressions};
