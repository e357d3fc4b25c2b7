//! The Hanoi Omega-Automata format, version 1 (Babiak et al. 2015), in which tools exchange automata.
//!
//! Büchi automata are written with accepting states, automata on finite words with the proposition `alive`. With the feature `testing`, generalized ones are written with marks on edges,
//! and automata with these acceptance conditions are read, including those that accept all or no words, with any labels; anything
//! else is rejected by name.

#[cfg(feature = "testing")]
mod testing;
mod writer;

#[cfg(feature = "testing")]
pub use testing::{HoaError, read, write_general};
pub use writer::{write, write_finite};
