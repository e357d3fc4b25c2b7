//! A project in memory: documents, variables, findings, changes. Plain answers, no files.
//!
//! - [`config`]: the project file, and its [`schema`](mod@schema); [`document`]: Markdown with requirements and tables
//! - [`reading`]: a sentence with its meaning; [`component`]: variables, declared and inferred
//! - [`project`](mod@project): all of it together
//! - [`format`](mod@format), [`rename`], [`mod@diff`], [`template`]: normal form, new names, two versions, a new project
//! - [`finding`]: what is wrong; [`rules`]: finding it; [`baseline`]: what is known to be wrong; [`edit`]: changes
//! - [`mapping`], [`monitors`]: variables as signals of a model, requirements as properties of it
//! - [`assist`]: help while writing
//!
//! Invariants: reading never fails, what is wrong is a diagnostic with a span of its document; no function changes a
//! document, changes are edits.

pub mod assist;
pub mod baseline;
pub mod component;
pub mod config;
pub mod diff;
pub mod document;
pub mod edit;
pub mod exchange;
mod expansion;
pub mod finding;
pub mod format;
pub mod mapping;
pub mod monitors;
pub mod native;
mod parallel;
pub mod pattern;
pub mod project;
pub mod reading;
pub mod rename;
mod report;
pub mod rules;
pub mod schema;
pub mod template;

pub use component::{Component, Components, Symbol};
pub use config::Config;
pub use document::Document;
pub use edit::Edit;
pub use finding::{Finding, Source};
pub use native::Native;
pub use project::{Analysis, Known, Place, Project};
pub use reading::{Cache, Parsed, Reading};
pub use report::report;
