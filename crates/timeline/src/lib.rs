//! Timelines: what a temporal formula allows, as ω-regular expressions and as pictures (Li, Gurushankar, Heule, Rozier, "What's in
//! a Name? Linear Temporal Logic Literally Represents Time Lines").
//!
//! - [`picture`]: what is drawn

pub mod picture;
