//! Small algorithms that several crates share, each one once.
//!
//! - [`components`], [`reaching`]: strongly connected components of a graph, and ways to a goal
//! - [`cover`](cover()): few short cases that reach every goal
//! - [`Interned`]: items stored once and named by a number
//! - [`names`]: names that are legal and free
//! - [`xml`], [`csv`]: text in and out of these formats
//! - [`Lines`], [`counted`], [`listed`]: lines of a text, counts and lists in messages
//! - [`Random`], [`SplitMix`]: numbers from a seed
//!
//! Nothing here knows requirements, formulas or files, and the same input always gives the same output.

mod cover;
pub mod csv;
mod graph;
mod interned;
pub mod names;
mod random;
mod text;
pub mod xml;

pub use cover::{Worth, cover};
pub use graph::{Components, components, reaching};
pub use interned::Interned;
pub use random::{Random, SplitMix};
pub use text::{Lines, counted, listed};
