//! A trace of a model as signals over time: [`svg()`] and [`svg_from()`] as a drawing, [`bare`] for pages, [`vcd()`] for waveform viewers.
//!
//! Both take the names of the trace in groups, so that inputs, outputs and internals stay apart; names that the trace
//! does not have are left out.

mod svg;
mod vcd;

pub use svg::{bare, bare_from, style_sheet, svg, svg_from};
pub use vcd::vcd;

use logic::Trace;

/// Names that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The role of the signals.
    pub role: Role,
    /// The names, in the order in which they are shown.
    pub names: Vec<String>,
}

/// The role of a signal in a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Given by the environment.
    Input,
    /// Shown to the environment.
    Output,
    /// Neither of them.
    Inner,
    /// In a log, where it is not known which of them.
    Recorded,
}

/// The step at which a property fails, and why.
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
            Role::Recorded => "signals",
        }
    }

    /// The word for a signal.
    fn word(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::Output => "output",
            Role::Inner => "internal",
            Role::Recorded => "signal",
        }
    }
}

impl Group {
    /// The columns of a trace that belong to the group.
    pub(crate) fn columns(&self, trace: &Trace) -> Vec<usize> {
        self.names.iter().filter_map(|name| trace.column(name)).collect()
    }
}
