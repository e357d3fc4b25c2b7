//! A part of a Simulink model as a system, with the signals that requirements can be mapped to.

use super::{Opened, complain, open};
use crate::cli::model::ModelPart;
use model::System;
use project::mapping::{Signal, system_signals};
use simulink::diagram::Diagram;
use simulink::lower::{Options, lower};
use simulink::plan::plan;

/// A part of a model.
pub(super) struct Part {
    pub(super) diagram: Diagram,
    /// Its path: the name of the model, or that of a subsystem.
    pub(super) path: String,
    pub(super) system: System,
    /// The step in seconds.
    pub(super) step: f64,
}

impl Part {
    /// Reads a model and lowers the part; troubles that do not matter for it are only told.
    pub(super) fn open(wanted: &ModelPart) -> Result<Part, String> {
        let Opened { diagram, workspace, troubles, .. } = open(&wanted.file, &wanted.data)?;
        troubles.iter().for_each(complain);
        let plan = plan(&diagram, &workspace);
        let system = lower(&plan, wanted.system.as_deref(), &Options::default()).map_err(|troubles| {
            troubles.iter().for_each(complain);
            format!("{}: the model cannot be lowered", wanted.file.display())
        })?;
        let path = match &wanted.system {
            None => diagram.name.clone(),
            Some(path) if path.starts_with(&format!("{}/", diagram.name)) => path.clone(),
            Some(path) => format!("{}/{path}", diagram.name),
        };
        Ok(Part { diagram, path, system, step: plan.step })
    }

    /// All signals; a path is the name in the system.
    pub(super) fn signals(&self) -> Vec<Signal> {
        system_signals(&self.system)
    }
}
