//! `shall report`: the project as one HTML file.

use crate::cli::Output;
use crate::cli::exchange::Report;
use crate::workspace::{Workspace, write_atomically};
use crate::{Outcome, json, print};
use project::{Cache, rules};
use serde_json::json;

pub(crate) fn run(command: &Report, output: Output) -> Result<Outcome, String> {
    let workspace = Workspace::open(&command.project)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let mut findings = rules::check(&workspace.project, &analysis, &mut rules::Memory::default()).findings;
    findings.retain(|finding| {
        !workspace.project.config.allow.iter().any(|code| code == finding.diagnostic.code.id())
    });
    let html = project::report(&workspace.project, &analysis, &findings);
    if command.file.as_os_str() == "-" {
        print(html)?;
        return Ok(Outcome::Fine);
    }
    write_atomically(&command.file, html.as_bytes())?;
    let requirements = analysis.requirements.len();
    match output {
        Output::Human => {
            print(format_args!("{} with {requirements} requirements\n", command.file.display()))?
        }
        Output::Json | Output::JsonLines => {
            let document =
                json!({"file": command.file, "requirements": requirements, "findings": findings.len()});
            json::write(&[document], output, false)?;
        }
    }
    Ok(Outcome::Fine)
}
