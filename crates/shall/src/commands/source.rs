//! A file with a model in it, whatever its language: what is wrong with it, and the system of one of its parts.

use super::verify::Failed;
use crate::cli::Output;
use crate::workspace::read_text;
use crate::{json, render, tell};
use model::System;
use model::lustre::{Options, Program, read};
use project::mapping::{Signal, lustre_signals};
use serde_json::Value as Json;
use std::path::Path;
use syntax::Diagnostic;

/// A model.
pub(crate) struct Source {
    file: String,
    text: String,
    program: Program,
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
    pub(crate) fn open(file: &Path) -> Result<Source, String> {
        let text = read_text(file)?;
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        let program = read(&text, &|name| std::fs::read_to_string(folder.join(name)).ok());
        Ok(Source { file: file.display().to_string(), text, program })
    }

    /// Whether nothing can be made of it.
    pub(crate) fn is_wrong(&self) -> bool {
        self.program.is_wrong()
    }

    /// Tells people what was found.
    pub(crate) fn complain(&self, output: Output) {
        if output == Output::Human || self.is_wrong() {
            self.told(&self.program.diagnostics);
        }
    }

    /// The part that is asked for: the named one, the one marked as main, or the last one with a body.
    pub(crate) fn node(&self, name: Option<&str>) -> Result<String, String> {
        let nodes = self.program.nodes();
        let found = match name {
            Some(name) => nodes.iter().find(|node| node.name == name),
            None => nodes.iter().find(|node| node.main).or_else(|| nodes.iter().rfind(|node| !node.imported)),
        };
        found.map(|node| node.name.clone()).ok_or_else(|| {
            let known: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
            format!("there is no such node; there are {}", known.join(", "))
        })
    }

    /// The program, for those who look at its nodes one by one.
    pub(crate) fn program(&self) -> Result<&Program, Failed> {
        Ok(&self.program)
    }

    /// The system of a part.
    pub(crate) fn system(&self, node: &str) -> Result<Chosen, Failed> {
        let system = self.program.system(node, &Options::default()).map_err(|found| self.told(&found))?;
        let nodes = self.program.nodes();
        let signals = nodes.iter().find(|it| it.name == node).map(|node| lustre_signals(&system, node));
        Ok(Chosen { node: node.to_owned(), system, signals: signals.unwrap_or_default() })
    }

    /// What was found, for programs.
    pub(crate) fn diagnostics(&self) -> Json {
        json::diagnostics(&self.program.diagnostics)
    }

    /// Tells what was found wrong.
    pub(crate) fn told(&self, found: &[Diagnostic]) -> Failed {
        found.iter().for_each(|found| tell(render::document(&self.file, &self.text, found)));
        Failed::Findings
    }
}
