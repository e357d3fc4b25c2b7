//! What a project is written in: the project file with its schema, documents, and the files of a new project.

pub mod config;
pub mod document;
pub(crate) mod native;
pub mod pattern;
pub mod schema;
pub mod template;
