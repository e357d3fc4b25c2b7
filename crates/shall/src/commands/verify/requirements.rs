//! The requirements of a component as what is to be verified: the project they are in, and what became of each.

use super::asked::judged;
use crate::cli::model::Verify;
use crate::json::LeftOut;
use crate::render::findings::full;
use crate::render::place::Places;
use crate::render::visible;
use crate::tell;
use crate::workspace::Workspace;
use crate::{Error, Outcome};
use logic::{Store, Trace};
use project::config::Model;
use project::mapping::{Signal, requests};
use project::monitors::{Monitored, Monitors, Question, attach};
use project::{Analysis, Cache, Finding, Source, rules};
use requirement::Requirement;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syntax::Severity;
use system::System;

/// The requested requirements.
pub(super) struct Requested<'c> {
    command: &'c Verify,
    component: &'c str,
    workspace: Workspace,
    analysis: Analysis,
    monitors: Monitors,
}

impl<'c> Requested<'c> {
    /// The project that the command names, if it names a component.
    pub(super) fn open(command: &'c Verify) -> Result<Option<Requested<'c>>, Error> {
        let Some(component) = command.component.as_deref() else { return Ok(None) };
        let workspace = Workspace::open(command.requirements.as_deref().unwrap_or(Path::new(".")))?;
        let analysis = workspace.project.analyse(&mut Cache::default());
        Ok(Some(Requested { command, component, workspace, analysis, monitors: Monitors::default() }))
    }

    fn configured(&self) -> Option<&Model> {
        self.workspace.project.config.models.get(self.component)
    }

    /// The file of the model that the project file names.
    pub(super) fn model(&self) -> Result<PathBuf, Error> {
        let file = self.configured().and_then(|model| model.file.as_ref());
        let file = file.ok_or_else(|| {
            let component = self.component;
            Error::Usage(format!(
                "name the file of the model, or add it to the project file: `[model.{component}]`, `file = \"…\"`"
            ))
        })?;
        let file = self.workspace.root.join(file);
        // A path from here is easier to read.
        let here = std::env::current_dir().and_then(std::fs::canonicalize).ok();
        let near = here.and_then(|here| Some(file.strip_prefix(here).ok()?.to_path_buf()));
        Ok(near.unwrap_or(file))
    }

    /// The node that the project file names.
    pub(super) fn node(&self) -> Option<&str> {
        self.configured().and_then(|model| model.node.as_deref())
    }

    /// Adds the requirements to the system of a part of the model.
    pub(super) fn attach(&mut self, system: &mut System, signals: &[Signal]) -> Result<(), Error> {
        let project = &self.workspace.project;
        let requests = requests(project, self.component, &self.command.map);
        let reading = requirement::Reading::Endless;
        let question =
            Question { component: self.component, only: &self.command.only, requests: &requests, reading };
        self.monitors = attach(project, &self.analysis, question, system, signals).map_err(Error::refused)?;
        self.monitors.assume_others(project, &self.analysis, question, system, signals);
        let wrong = self.workspace.config_diagnostics.iter();
        let wrong = wrong.map(|it| Finding { source: Source::Config, ..Finding::new(0, it.clone()) });
        self.monitors.findings.extend(wrong);
        rules::sort(&mut self.monitors.findings);
        Ok(())
    }

    /// The requirement that a property is.
    fn monitored(&self, property: usize) -> Option<&Monitored> {
        self.monitors.list.iter().find(|it| it.property == property)
    }

    /// The requirement of a property, with its formulas.
    pub(super) fn requirement(&self, property: usize) -> Option<(&Store, &Requirement)> {
        Some((&self.monitors.store, &self.monitored(property)?.requirement))
    }

    /// The signals that the requirement of a property is about.
    pub(super) fn signals(&self, property: usize) -> Vec<String> {
        let signals = self.monitored(property).map_or(&[][..], |it| &it.signals);
        signals.iter().map(|(_, signal)| signal.clone()).collect()
    }

    /// Why a run violates a requirement, in the words of its sentence; the definitions judge it once more.
    pub(super) fn reason(&self, property: usize, run: &Trace) -> Option<String> {
        let it = self.monitored(property)?;
        let mut trace = Trace::new(run.len(), run.loop_start()).ok()?;
        for (variable, signal) in &it.signals {
            trace = trace.with(variable, run.values(run.column(signal)?).to_vec()).ok()?;
        }
        let reading = self.analysis.at(it.place)?.reading.as_ref()?;
        judged(&self.monitors.store, &it.requirement, &reading.parsed.fields, &trace)
    }

    /// What is wrong besides verdicts.
    pub(super) fn outcome(&self) -> Outcome {
        let is_error = |found: &Finding| found.diagnostic.severity() == Severity::Error;
        match (self.monitors.refused.is_empty(), self.monitors.findings.iter().any(is_error)) {
            (_, true) => Outcome::Findings,
            (false, false) => Outcome::Inconclusive,
            (true, false) => Outcome::Fine,
        }
    }

    /// Tells what is wrong with the mapping, which requirements were not checked, and what was assumed.
    pub(super) fn complain(&self) {
        let places = Places::new(&self.workspace);
        for found in &self.monitors.findings {
            tell(full(&places, found, found.diagnostic.severity()).trim_end());
        }
        for refused in &self.monitors.refused {
            tell(format_args!("{}: not checked: {}", visible(&refused.id), visible(&refused.reason)));
        }
        for assumed in &self.monitors.assumed {
            tell(format_args!("assumed: {}", visible(assumed)));
        }
    }

    pub(super) fn document<'r>(&'r self) -> Requirements<'r> {
        let places = Places::new(&self.workspace);
        let finding = |found: &'r Finding| {
            let Finding { source, diagnostic, .. } = found;
            let (start, _) = places.ends(*source, diagnostic.span);
            MappingFinding {
                code: diagnostic.code.id(),
                severity: diagnostic.severity().name(),
                message: &diagnostic.message,
                hint: &diagnostic.hint,
                file: places.path(*source),
                line: start.line,
                column: start.column,
            }
        };
        let Monitors { list, refused, assumed, findings, .. } = &self.monitors;
        let refused = refused.iter().map(|it| LeftOut { id: it.id.clone(), reason: it.reason.clone() });
        Requirements {
            component: self.component,
            map: list.iter().flat_map(|it| it.signals.iter().cloned()).collect(),
            assumed,
            not_checked: refused.collect(),
            findings: findings.iter().map(finding).collect(),
        }
    }
}

/// The requirements of a component as properties of a model.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Requirements<'r> {
    /// The component.
    component: &'r str,
    /// The signal of each variable.
    map: BTreeMap<String, String>,
    /// What is assumed: the ranges of inputs, and requirements in the role of assumptions.
    assumed: &'r [String],
    /// Requirements that were not checked.
    not_checked: Vec<LeftOut>,
    /// What is wrong with the mapping or the project file.
    findings: Vec<MappingFinding<'r>>,
}

/// A finding in the project.
#[derive(Serialize, JsonSchema)]
struct MappingFinding<'r> {
    /// The code; see codes.md.
    code: &'static str,
    /// `error` or `warning`.
    severity: &'static str,
    /// What is wrong.
    message: &'r str,
    /// What to do about it.
    hint: &'r str,
    /// The path of the file from the current folder.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The column, from 1.
    column: usize,
}
