//! `shall report`: the project as one HTML file.

use super::eval::logged;
use crate::cli::Output;
use crate::cli::exchange::Report;
use crate::files::{is_standard, write_file};
use crate::render::visible;
use crate::workspace::Workspace;
use crate::{Error, Outcome, tell};
use base::counted;
use project::logs::Word;
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
    let traces = logged::files(&workspace.root, &workspace.project.config, &command.trace)?;
    let logs = if traces.is_empty() {
        Vec::new()
    } else {
        logged::logs(&command.project, &workspace.root, &traces)?
    };
    let html = project::report(&workspace.project, &analysis, &findings, &logs);
    write_file(&command.file, html)?;
    let mut outcome = Outcome::Fine;
    for reason in logs.iter().filter_map(|log| log.length.as_ref().err()) {
        tell(format_args!("error: {}", visible(reason)));
        outcome = Outcome::Failure;
    }
    let violated = || {
        let verdicts = logs.iter().flat_map(|log| &log.verdicts);
        verdicts.filter(|it| it.word == Word::Violated).count()
    };
    if !is_standard(&command.file) {
        let (file, requirements) = (&command.file, analysis.requirements.len());
        let name = visible(&file.display().to_string());
        let human = || {
            let on = match logs.len() {
                0 => String::new(),
                count => format!(" on {}, {} violated", counted(count, "recorded trace"), violated()),
            };
            format!("{name} with {}{on}\n", counted(requirements, "requirement"))
        };
        let document = || Reported {
            file,
            requirements,
            findings: findings.len(),
            logs: logs.len(),
            violated: violated(),
        };
        output.show(human, document)?;
    }
    Ok(outcome)
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
    /// The number of recorded traces.
    logs: usize,
    /// The number of times that a recorded trace violates a requirement: at most one for each trace and requirement.
    violated: usize,
}
