//! `shall report`: the project as one HTML file.

use crate::cli::Output;
use crate::cli::exchange::Report;
use crate::files::{is_standard, write_file};
use crate::render::visible;
use crate::workspace::Workspace;
use crate::{Error, Outcome};
use base::counted;
use project::{Cache, rules};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

pub(crate) fn run(command: &Report, output: Output) -> Result<Outcome, Error> {
    let workspace = Workspace::open(&command.project)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let mut findings = rules::check(&workspace.project, &analysis, &mut rules::Memory::default()).findings;
    findings.retain(|finding| {
        !workspace.project.config.allow.iter().any(|code| code == finding.diagnostic.code.id())
    });
    let html = project::report(&workspace.project, &analysis, &findings);
    write_file(&command.file, html)?;
    if !is_standard(&command.file) {
        let (file, requirements) = (&command.file, analysis.requirements.len());
        let name = visible(&file.display().to_string());
        let human = || format!("{name} with {}\n", counted(requirements, "requirement"));
        output.show(human, || Reported { file, requirements, findings: findings.len() })?;
    }
    Ok(Outcome::Fine)
}

/// A report. With `-o -` the report itself is written to standard output.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Reported<'c> {
    /// The HTML file.
    file: &'c Path,
    /// The number of requirements.
    requirements: usize,
    /// The number of findings.
    findings: usize,
}
