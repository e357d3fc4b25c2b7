//! Helpers for tests and development commands: the comparison of all meanings.

pub mod agreement;
