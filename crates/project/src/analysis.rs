//! A project, read: each sentence in the context of its component, and what follows for the variables.

pub mod component;
pub(crate) mod expansion;
pub(crate) mod inference;
pub(crate) mod parallel;
pub(crate) mod phrases;
pub(crate) mod project;
pub mod reading;
