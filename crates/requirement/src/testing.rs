//! What only tests and chores use: the comparison of all meanings.

pub mod agreement;
