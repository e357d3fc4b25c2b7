//! A run of a model as signals over time: [`svg()`] as a drawing, [`vcd()`] for viewers of waves. Both take the names of the trace in
//! groups, so that inputs, outputs and internals stay apart; names that the trace does not have are left out.

mod layout;
mod svg;
mod vcd;

pub use svg::svg;
pub use vcd::vcd;

use logic::Trace;

/// Names that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What they are.
    pub role: Role,
    /// The names, in the order in which they are shown.
    pub names: Vec<String>,
}

/// What a signal is to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Role {
    Input,
    Output,
    Inner,
}

/// The step at which something fails, with words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The step.
    pub step: usize,
    /// What fails, such as the name of a property.
    pub label: String,
    /// Why, in a sentence or two; parts between back quotes are code.
    pub reason: String,
}

impl Role {
    /// The word for a group.
    pub fn plural(self) -> &'static str {
        match self {
            Role::Input => "inputs",
            Role::Output => "outputs",
            Role::Inner => "internals",
        }
    }

    /// The word for a signal.
    fn word(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::Output => "output",
            Role::Inner => "internal",
        }
    }
}

impl Group {
    /// The columns of a trace that the group has.
    pub(crate) fn columns(&self, trace: &Trace) -> Vec<usize> {
        self.names.iter().filter_map(|name| trace.column(name)).collect()
    }
}
