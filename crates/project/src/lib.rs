//! A project in memory: documents, variables, findings, changes. Plain answers, no files.
//!
//! The modules are grouped by what is done with a project:
//!
//! - `documents`: the project file, Markdown with requirements and tables, a new project
//! - `analysis`: sentences with their meanings, components with their variables, all of it together
//! - [`rules`]: what is wrong, as [`finding`]s; [`baseline`]: what is known to be wrong
//! - [`assist`]: help while writing; [`proposal`]: sentences for requirements in prose
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
pub mod proposal;
mod report;
pub mod rules;

pub use analysis::component;
pub use analysis::component::Component;
pub use analysis::component::Components;
pub use analysis::component::Symbol;
pub use analysis::expansion::Problem;
pub use analysis::phrases::PhraseBook;
pub use analysis::project::Analysis;
pub use analysis::project::Known;
pub use analysis::project::Place;
pub use analysis::project::Project;
pub use analysis::reading;
pub use analysis::reading::Cache;
pub use analysis::reading::Parsed;
pub use analysis::reading::Reading;
pub use change::edit;
pub use change::edit::Edit;
pub use change::format;
pub use change::rename;
pub use documents::config;
pub use documents::config::Config;
pub use documents::document;
pub use documents::document::Document;
pub use documents::native::Native;
pub use documents::pattern;
pub use documents::schema;
pub use documents::template;
pub use finding::Finding;
pub use finding::Source;
pub use models::mapping;
pub use models::monitors;
pub use models::set;
pub use report::logs;
pub use report::report;

pub(crate) use analysis::{expansion, inference, parallel, phrases, project};
pub(crate) use documents::native;
