//! Projects of FRET, NASA's requirement tool: one JSON file with requirements and, in newer versions, variables.
//!
//! [`read`] and [`write()`] keep every member and its place, except `semantics`, which [`semantics()`] computes from
//! the sentence. [`parts`] says what of a project has a place in our documents, [`sidecar()`] holds the rest, and
//! [`rebuild`] joins both again. [`split`] takes a file with several projects apart. Invariant: what nobody changed
//! comes back as it was.

mod formulas;
mod ids;
mod layout;
mod lustre;
mod native;
mod read;
mod rebuild;
mod semantics;
mod several;
mod sidecar;
mod spelling;
mod variable;
mod write;

#[cfg(test)]
mod tests;

pub use native::{
    NativeRequirement, NativeVariable, Parts, attribute_text, attribute_value, parts, variable_list,
};
pub use read::read;
pub use rebuild::rebuild;
pub use semantics::{SEMANTICS, semantics};
pub use several::{join, split, weave};
pub use sidecar::sidecar;
pub use spelling::{Mentions, mentions};
pub use write::write;

use crate::FileError;
use serde_json::{Map, Value};

/// A file of FRET. It may hold requirements of several projects.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    /// How the file is laid out.
    pub shape: Shape,
    /// The requirements, in their order.
    pub requirements: Vec<Requirement>,
    /// The records of variables and model documents, in their order.
    pub variables: Vec<VariableRecord>,
    /// The other members of the file; null under `requirements` and `variables` holds the places of the lists.
    pub rest: Map<String, Value>,
}

/// How a file is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A list of requirements.
    List,
    /// An object with the members `requirements` and `variables`.
    Object,
}

impl Shape {
    /// The word for it in a sidecar.
    fn name(self) -> &'static str {
        match self {
            Shape::List => "list",
            Shape::Object => "object",
        }
    }
}

/// A requirement: its members in their order. Under `semantics` there is what FRET does not compute from the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// The members. `reqid` is among them and is a text, and so is `semantics`, an object.
    pub members: Map<String, Value>,
}

/// The members that every requirement of FRET has; all are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Standard {
    ReqId,
    Parent,
    Project,
    Rationale,
    Comments,
    FullText,
    Status,
    Key,
}

impl Standard {
    /// All of them.
    pub const ALL: [Standard; 8] = [
        Standard::ReqId,
        Standard::Parent,
        Standard::Project,
        Standard::Rationale,
        Standard::Comments,
        Standard::FullText,
        Standard::Status,
        Standard::Key,
    ];

    /// The name of the member.
    pub fn name(self) -> &'static str {
        match self {
            Standard::ReqId => "reqid",
            Standard::Parent => "parent_reqid",
            Standard::Project => "project",
            Standard::Rationale => "rationale",
            Standard::Comments => "comments",
            Standard::FullText => "fulltext",
            Standard::Status => "status",
            Standard::Key => "_id",
        }
    }
}

impl Requirement {
    /// A standard member, if it is there and is a text.
    pub fn get(&self, member: Standard) -> Option<&str> {
        self.members.get(member.name())?.as_str()
    }

    /// Its id.
    pub fn id(&self) -> &str {
        self.get(Standard::ReqId).unwrap_or_default()
    }

    /// Its sentence; empty if there is none.
    pub fn text(&self) -> &str {
        self.get(Standard::FullText).unwrap_or_default()
    }
}

/// A record of the list of variables: a variable of requirements, a port of a model, or a model document.
#[derive(Debug, Clone, PartialEq)]
pub struct VariableRecord {
    /// The members, in their order.
    pub members: Map<String, Value>,
}

impl Project {
    /// The name of the project: that of the first requirement or record that has one.
    pub fn name(&self) -> &str {
        let requirements = self.requirements.iter().map(|requirement| &requirement.members);
        let records = self.variables.iter().map(|record| &record.members);
        let mut names = requirements.chain(records).filter_map(|members| members.get("project")?.as_str());
        names.find(|name| !name.is_empty()).unwrap_or_default()
    }
}

/// A project as it was read, with what is odd about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The project; nothing of the file is missing in it.
    pub project: Project,
    /// What is odd, in the order of the file.
    pub warnings: Vec<FileError>,
}
