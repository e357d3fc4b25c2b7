//! A project in memory: documents, variables, findings, changes. Plain answers, no files.
//!
//! The modules are grouped by what is done with a project:
//!
//! - `documents`: the project file, Markdown with requirements and tables, a new project
//! - `analysis`: sentences with their meanings, components with their variables, all of it together
//! - [`rules`]: what is wrong, as [`finding`]s; [`baseline`]: what is known to be wrong
//! - [`assist`]: help while writing
//! - `change`: edits, the normal form, new names
//! - [`mod@diff`]: two versions; `report`: all of it to read; [`exchange`]: requirements from other tools and for them
//! - `models`: variables as signals of a model, requirements as properties of it
//!
//! Invariants: reading never fails, what is wrong is a diagnostic with a span of its document; no function changes a
//! document, changes are edits.

mod analysis;
pub mod assist;
pub mod baseline;
mod change;
pub mod diff;
mod documents;
pub mod exchange;
pub mod finding;
mod models;
mod report;
pub mod rules;

pub use analysis::component::{Component, Components, Symbol};
pub use analysis::project::{Analysis, Known, Place, Project};
pub use analysis::reading::{Cache, Parsed, Reading};
pub use analysis::{component, reading};
pub use change::edit::Edit;
pub use change::{edit, format, rename};
pub use documents::config::Config;
pub use documents::document::Document;
pub use documents::native::Native;
pub use documents::{config, document, pattern, schema, template};
pub use finding::{Finding, Fix, Related, Source};
pub use models::{mapping, monitors};
pub use report::report;

pub(crate) use analysis::{expansion, parallel, project};
pub(crate) use documents::native;
