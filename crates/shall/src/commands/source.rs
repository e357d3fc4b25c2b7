//! A file with a model in it, whatever its language: what is wrong with it, and the system of one of its parts.

use super::model::{ModelProblem, Opened, open};
use crate::Error;
use crate::Outcome;
use crate::cli::Output;
use crate::files::read_text;
use crate::json;
use crate::render;
use crate::tell;
use lustre::Options;
use lustre::Program;
use lustre::read;
use project::mapping::{Signal, lustre_signals, system_signals};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use syntax::Diagnostic;
use system::System;

/// A model.
pub(crate) enum Source {
    Lustre { file: String, text: String, program: Program },
    Simulink(Opened),
}

/// The system of a part of a model.
pub(crate) struct Chosen {
    /// The name of the part.
    pub(crate) node: String,
    pub(crate) system: System,
    /// What requirements can be mapped to.
    pub(crate) signals: Vec<Signal>,
}

impl Source {
    /// Reads a model; `data` are data files of a Simulink model, which otherwise are found beside it.
    pub(crate) fn open(file: &Path, data: &[PathBuf]) -> Result<Source, Error> {
        let is_simulink = file.extension().is_some_and(|it| it == "mdl" || it == "slx");
        if is_simulink {
            return open(file, data).map(Source::Simulink);
        }
        let text = read_text(file)?;
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        let program = read(&text, &|name| std::fs::read_to_string(folder.join(name)).ok());
        Ok(Source::Lustre { file: file.display().to_string(), text, program })
    }

    /// Whether it has errors that make it useless.
    pub(crate) fn is_wrong(&self) -> bool {
        match self {
            Source::Lustre { program, .. } => program.is_wrong(),
            Source::Simulink(_) => false,
        }
    }

    /// How a command that finds nothing wrong ends: of a file that was not read as a whole, nothing is known.
    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            Source::Simulink(opened) if !opened.lost.is_empty() => Outcome::Inconclusive,
            Source::Lustre { .. } | Source::Simulink(_) => Outcome::Fine,
        }
    }

    /// The data files that were read with it.
    pub(crate) fn data(&self) -> &[String] {
        match self {
            Source::Lustre { .. } => &[],
            Source::Simulink(opened) => &opened.data,
        }
    }

    /// Whether the modelled machine computes in doubles.
    pub(crate) fn computes_in_doubles(&self) -> bool {
        matches!(self, Source::Simulink(_))
    }

    /// Tells people what was found.
    pub(crate) fn complain(&self, output: Output) {
        if output != Output::Human && !self.is_wrong() {
            return;
        }
        match self {
            Source::Lustre { program, .. } => drop(self.told(&program.diagnostics)),
            Source::Simulink(opened) => opened.complain(opened.troubles()),
        }
    }

    /// The requested part. Of a Lustre program: the named node, the one marked as main, or the last one with a body;
    /// of a Simulink model: the subsystem with that path, or all of it.
    pub(crate) fn node(&self, name: Option<&str>) -> Result<String, Error> {
        let program = match self {
            Source::Lustre { program, .. } => program,
            Source::Simulink(opened) => return Ok(name.unwrap_or(&opened.plan.name).to_owned()),
        };
        let nodes = program.nodes();
        let found = match name {
            Some(name) => nodes.iter().find(|node| node.name == name),
            None => nodes.iter().find(|node| node.main).or_else(|| nodes.iter().rfind(|node| !node.imported)),
        };
        found.map(|node| node.name.clone()).ok_or_else(|| {
            let known: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
            Error::Usage(format!("there is no such node; there are {}", known.join(", ")))
        })
    }

    /// The program, for those who look at its nodes one by one.
    pub(crate) fn program(&self) -> Result<&Program, Error> {
        match self {
            Source::Lustre { program, .. } => Ok(program),
            Source::Simulink(_) => Err(Error::usage(
                "--modular and --compositional are for contracts in Lustre; `--node PATH` checks a subsystem on its own",
            )),
        }
    }

    /// The system of a part.
    pub(crate) fn system(&self, node: &str) -> Result<Chosen, Error> {
        match self {
            Source::Lustre { program, .. } => {
                let system = program.system(node, &Options::default()).map_err(|found| self.told(&found))?;
                let nodes = program.nodes();
                let signals =
                    nodes.iter().find(|it| it.name == node).map(|node| lustre_signals(&system, node));
                Ok(Chosen { node: node.to_owned(), system, signals: signals.unwrap_or_default() })
            }
            Source::Simulink(opened) => {
                let at = (node != opened.plan.name).then_some(node);
                let system = opened.system(at).ok_or(Error::Reported(Outcome::Findings))?;
                let signals = system_signals(&system);
                Ok(Chosen { node: node.to_owned(), system, signals })
            }
        }
    }

    /// What was found, for programs.
    pub(crate) fn diagnostics(&self) -> Diagnostics<'_> {
        match self {
            Source::Lustre { program, .. } => Diagnostics::Lustre(json::diagnostics(&program.diagnostics)),
            Source::Simulink(opened) => {
                Diagnostics::Simulink(opened.troubles().map(ModelProblem::from).collect())
            }
        }
    }

    /// Tells what was found wrong.
    pub(crate) fn told(&self, found: &[Diagnostic]) -> Error {
        if let Source::Lustre { file, text, .. } = self {
            found.iter().for_each(|found| tell(render::document(file, text, found)));
        }
        Error::Reported(Outcome::Findings)
    }
}

/// What was found in a model: diagnostics of a Lustre program, or problems of a Simulink model.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Diagnostics<'m> {
    Lustre(Vec<json::Diagnostic<'m>>),
    Simulink(Vec<ModelProblem<'m>>),
}
