//! One module per command.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod dfrs;
pub(crate) mod diff;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod formalize;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod lint;
pub(crate) mod model;
pub(crate) mod new;
pub(crate) mod propose;
pub(crate) mod realize;
pub(crate) mod rename;
pub(crate) mod report;
pub(crate) mod rule;
pub(crate) mod schema;
pub(crate) mod setup;
pub(crate) mod simulate;
mod source;
pub(crate) mod synthesize;
pub(crate) mod timeline;
pub(crate) mod vectors;
pub(crate) mod verify;
