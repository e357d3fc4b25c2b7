//! `shall dfrs check`: what is wrong with the requirements, each finding with a shortest scenario.

use super::{Loaded, Moment};
use crate::cli::Output;
use crate::cli::dfrs::Check;
use crate::json::{self, Diagnostic};
use crate::{Error, Outcome, render};
use base::counted;
use dfrs::explore::{Budget, Environment, Stop};
use dfrs::findings::{Analysis, Finding, Grade, analyse};
use dfrs::machine::Infinite;
use dfrs::{Dfrs, report};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) fn run(command: &Check, output: Output) -> Result<Outcome, Error> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let environment = if command.one_input { Environment::OneAtATime } else { Environment::Free };
    let budget = Budget { nodes: command.limit_states, ..Budget::default() };
    let found = analyse(system, command.meaning.semantics(), environment, budget);
    output.show(
        || render::lines(&human(system, &found, command.notes)),
        || document(system, &found, json::diagnostics(&loaded.diagnostics)),
    )?;
    Ok(match &found {
        Ok(found) if found.findings.iter().any(|finding| finding.grade != Grade::Note) => Outcome::Findings,
        Ok(Analysis { stopped: Some(_), .. }) | Err(_) => Outcome::Inconclusive,
        Ok(Analysis { stopped: None, .. }) => Outcome::Fine,
    })
}

fn human(system: &Dfrs, found: &Result<Analysis, Infinite>, notes: bool) -> String {
    let found = match found {
        Ok(found) => found,
        Err(infinite) => return format!("not decided: {}\n", infinite.reason(system)),
    };
    let mut out = String::new();
    let shown = |finding: &&Finding| notes || finding.grade != Grade::Note;
    for finding in found.findings.iter().filter(shown) {
        out.push_str(&format!("{}: {}\n", finding.grade.name(), report::finding(system, finding)));
        if let Some(scenario) = &finding.scenario {
            report::scenario(system, scenario).iter().for_each(|line| out.push_str(&format!("    {line}\n")));
        }
    }
    let count = |grade: Grade| {
        counted(found.findings.iter().filter(|finding| finding.grade == grade).count(), grade.name())
    };
    out.push_str(&format!(
        "{}, {}, {}; {} searched",
        count(Grade::Error),
        count(Grade::Warning),
        count(Grade::Note),
        counted(found.states, "stable state")
    ));
    out.push_str(match found.stopped {
        None => ", which are all\n",
        Some(Stop::Nodes | Stop::Steps | Stop::Reactions) => {
            ", then the limit was reached: the rest is unknown\n"
        }
    });
    if found.stopped.is_none() {
        out.push_str(&verdicts(found));
    }
    out
}

/// What is proved, in one line.
fn verdicts(found: &Analysis) -> String {
    let none = |names: &[&str]| !found.findings.iter().any(|finding| names.contains(&finding.what.name()));
    let verdict = |good: bool, yes: &'static str, no: &'static str| if good { yes } else { no };
    format!(
        "{}, {}, {}; {} of {} situations have no requirement\n",
        verdict(none(&["write-conflict", "order-matters"]), "consistent", "not consistent"),
        verdict(none(&["time-lock", "possible-time-lock"]), "free of time locks", "not free of time locks"),
        verdict(none(&["never-enabled"]), "every requirement reachable", "not every requirement reachable"),
        found.coverage.silent,
        found.coverage.situations,
    )
}

/// What is wrong with requirements in controlled English. If nothing could be decided, only `complete`, `error` and `diagnostics`
/// are there.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Analysed<'a> {
    #[serde(flatten)]
    found: Option<Results>,
    /// Whether everything was searched.
    complete: bool,
    /// Why nothing could be decided, or `null`.
    error: Option<String>,
    /// What is wrong or odd in the text.
    diagnostics: Vec<Diagnostic<'a>>,
}

/// What the search found.
#[derive(Serialize, JsonSchema)]
struct Results {
    /// The findings.
    findings: Vec<ModelFinding>,
    /// The number of stable states that were searched.
    states: usize,
    /// The number of situations.
    situations: usize,
    /// The number of situations without a requirement.
    silent: usize,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
struct ModelFinding {
    /// What it is, such as `write-conflict`.
    finding: &'static str,
    /// `error`, `warning` or `note`.
    grade: &'static str,
    /// The ids of the requirements it is about.
    requirements: Vec<String>,
    /// The finding in words.
    message: String,
    /// A shortest scenario that leads to it, or `null`.
    scenario: Option<Vec<Moment>>,
}

fn document<'a>(
    system: &Dfrs,
    found: &Result<Analysis, Infinite>,
    diagnostics: Vec<Diagnostic<'a>>,
) -> Analysed<'a> {
    let found = match found {
        Ok(found) => found,
        Err(infinite) => {
            let error = Some(infinite.reason(system));
            return Analysed { found: None, complete: false, error, diagnostics };
        }
    };
    let finding = |finding: &Finding| ModelFinding {
        finding: finding.what.name(),
        grade: finding.grade.name(),
        requirements: finding.requirements.iter().map(|&it| system.requirements[it].id.clone()).collect(),
        message: report::finding(system, finding),
        scenario: finding
            .scenario
            .as_ref()
            .map(|scenario| scenario.instants.iter().map(|it| Moment::of(system, it)).collect()),
    };
    let results = Results {
        findings: found.findings.iter().map(finding).collect(),
        states: found.states,
        situations: found.coverage.situations,
        silent: found.coverage.silent,
    };
    Analysed { found: Some(results), complete: found.stopped.is_none(), error: None, diagnostics }
}
