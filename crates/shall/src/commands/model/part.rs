//! A part of a Simulink model as a system, with the signals that requirements can be mapped to.

use super::open;
use crate::Error;
use crate::cli::model::ModelPart;
use project::mapping::{Signal, system_signals};
use simulink::BlockKind;
use simulink::diagram::Diagram;
use std::collections::BTreeSet;
use system::System;

/// A part of a model.
pub(super) struct Part {
    pub(super) diagram: Diagram,
    /// Its path: the name of the model, or that of a subsystem.
    pub(super) path: String,
    pub(super) system: System,
    /// The step in seconds.
    pub(super) step: f64,
    /// The paths of its subsystems, as the names of signals have them.
    pub(super) subsystems: BTreeSet<String>,
    /// The paths of the blocks that only carry signals: ports and subsystems.
    pub(super) carriers: BTreeSet<String>,
}

impl Part {
    /// Reads a model and lowers the part; problems that do not matter for it are only told.
    pub(super) fn open(wanted: &ModelPart) -> Result<Part, Error> {
        let opened = open(&wanted.file, &wanted.data, &wanted.abstracted)?;
        opened.complain(&opened.lost);
        let system = opened.system(wanted.node.as_deref());
        let system =
            system.ok_or_else(|| Error::file(&wanted.file, "the model cannot be translated; see above"))?;
        let (diagram, step) = (opened.diagram, opened.plan.step);
        let path = match &wanted.node {
            None => diagram.name.clone(),
            Some(path) if path.starts_with(&format!("{}/", diagram.name)) => path.clone(),
            Some(path) => format!("{}/{path}", diagram.name),
        };
        let plain = |path: &str| path.split_whitespace().collect::<Vec<_>>().join(" ");
        let prefix = format!("{}/", plain(&path));
        let (mut subsystems, mut carriers) = (BTreeSet::new(), BTreeSet::new());
        for unit in &opened.plan.units {
            let unit_path = plain(&unit.path);
            let Some(own) = unit_path.strip_prefix(&prefix) else { continue };
            if unit.inside.is_some() {
                subsystems.insert(own.to_owned());
            }
            if unit.inside.is_some() || matches!(unit.kind, BlockKind::Inport | BlockKind::Outport) {
                carriers.insert(own.to_owned());
            }
        }
        Ok(Part { diagram, path, system, step, subsystems, carriers })
    }

    /// All signals; a path is the name in the system.
    pub(super) fn signals(&self) -> Vec<Signal> {
        system_signals(&self.system)
    }
}
