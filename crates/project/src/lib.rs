//! A project in memory: documents, variables, findings, changes. Plain answers, no files.
//!
//! - [`config`]: the project file; [`document`]: Markdown with requirements and tables
//! - [`reading`]: a sentence with its meaning; [`component`]: variables, declared and inferred
//! - [`project`](mod@project): all of it together
//! - [`finding`]: what is wrong; [`edit`]: changes
//! - [`assist`]: help while writing
//!
//! Invariants: reading never fails, what is wrong is a diagnostic with a span of its document; no function changes a
//! document, changes are edits.

pub mod assist;
pub mod component;
pub mod config;
pub mod document;
pub mod edit;
pub mod finding;
mod parallel;
pub mod pattern;
pub mod project;
pub mod reading;

pub use component::{Component, Components, Symbol};
pub use config::Config;
pub use document::Document;
pub use edit::Edit;
pub use finding::{Finding, Fix, Related, Source};
pub use project::{Analysis, Known, Place, Project};
pub use reading::{Cache, Parsed, Reading};
