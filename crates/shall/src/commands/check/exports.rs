//! What the exports that the project file lists would leave out.

use crate::Error;
use crate::cli::exchange::Target;
use crate::commands::export::formula_target;
use crate::workspace::Workspace;
use clap::ValueEnum;
use export::specification::{Options, write};
use project::exchange::{left_out, specification};
use project::{Analysis, Finding};

/// Findings about all that is left out.
pub(super) fn missing(workspace: &Workspace, analysis: &Analysis) -> Result<Vec<Finding>, Error> {
    let project = &workspace.project;
    let mut findings = Vec::new();
    for name in &project.config.exports {
        let target = Target::from_str(name, true).ok().and_then(formula_target);
        let target = target.ok_or_else(|| {
            let known = Target::value_variants().iter().filter(|it| formula_target(**it).is_some());
            let known: Vec<String> =
                known.filter_map(|it| Some(it.to_possible_value()?.get_name().to_owned())).collect();
            Error::Usage(format!("`check.exports` lists `{name}`; the targets are {}", known.join(", ")))
        })?;
        let mut store = logic::Store::default();
        let (components, unread) = specification(project, analysis, &mut store);
        for it in unread {
            let what = (name.as_str(), it.id.as_str(), it.reason.as_str());
            findings.push(left_out(project, analysis, it.component.as_deref(), what));
        }
        for component in components {
            let written = write(&mut store, std::slice::from_ref(&component), target, &Options::default());
            for it in written.map_err(Error::refused)?.left_out {
                let what = (name.as_str(), it.id.as_str(), it.reason.as_str());
                findings.push(left_out(project, analysis, Some(&component.name), what));
            }
        }
    }
    findings.retain(|found| !project.config.allow.iter().any(|code| code == found.diagnostic.code.id()));
    Ok(findings)
}
