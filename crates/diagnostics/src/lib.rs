//! Diagnostics as data: what is wrong, where, why it matters, and how to fix it.
//!
//! A [`Diagnostic`] is about a [`Span`] of a text. Its [`Code`] is open: each crate declares the codes that it reports with
//! [`codes!`], together with their manual entries. A [`Fix`] is made where the diagnostic is made; nobody reads messages or
//! hints to find out what to do.
//!
//! Invariant: a code is stable. It keeps its meaning forever and is never used again for another one.

mod code;
mod diagnostic;
mod span;

pub use code::{Code, Entry, Severity};
pub use diagnostic::{Applicability, Diagnostic, Fix, Hint, Related};
pub use span::Span;
