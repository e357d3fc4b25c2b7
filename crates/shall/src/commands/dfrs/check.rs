//! `shall dfrs check`: what is wrong with the requirements, each finding with a shortest scenario.

use super::{Loaded, fired, named};
use crate::cli::Output;
use crate::cli::dfrs::Check;
use crate::{Outcome, json, print, render};
use dfrs::explore::{Budget, Environment, Stop};
use dfrs::findings::{Analysis, Finding, Grade, analyse};
use dfrs::{Dfrs, english, report};
use serde_json::{Value as Json, json};

pub(super) fn run(command: &Check, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let environment = if command.one_input { Environment::OneAtATime } else { Environment::Free };
    let budget = Budget { nodes: command.budget, ..Budget::default() };
    let found = analyse(system, command.meaning.semantics(), environment, budget)
        .map_err(|infinite| infinite.reason(system));
    match output {
        Output::Human => print(render::lines(&human(system, &found, command.notes)))?,
        Output::Json | Output::JsonLines => {
            let mut twin = document(system, &found);
            twin["diagnostics"] = json::diagnostics(&loaded.diagnostics);
            json::write(&[twin], output, false)?;
        }
    }
    Ok(match &found {
        Ok(found) if found.findings.iter().any(|finding| finding.grade != Grade::Note) => Outcome::Findings,
        Ok(Analysis { stopped: Some(_), .. }) | Err(_) => Outcome::Inconclusive,
        Ok(Analysis { stopped: None, .. }) => Outcome::Fine,
    })
}

fn human(system: &Dfrs, found: &Result<Analysis, String>, notes: bool) -> String {
    let found = match found {
        Ok(found) => found,
        Err(reason) => return format!("not decided: {reason}\n"),
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
        let count = found.findings.iter().filter(|finding| finding.grade == grade).count();
        base::counted(count, grade.name())
    };
    out.push_str(&format!(
        "{}, {}, {}; {} stable states searched",
        count(Grade::Error),
        count(Grade::Warning),
        count(Grade::Note),
        found.states
    ));
    out.push_str(match found.stopped {
        None => ", all there are\n",
        Some(Stop::Nodes | Stop::Steps | Stop::Reactions) => {
            ", then the budget was used up: unknown beyond\n"
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

fn document(system: &Dfrs, found: &Result<Analysis, String>) -> Json {
    let found = match found {
        Ok(found) => found,
        Err(reason) => return json!({ "complete": false, "error": reason }),
    };
    let finding = |finding: &Finding| {
        let scenario = finding.scenario.as_ref().map(|scenario| {
            let instant = |instant: &dfrs::scenario::Instant| {
                json!({
                    "time": english::number(&instant.time),
                    "inputs": named(system, instant.inputs.iter().map(|(variable, value)| (*variable, value))),
                    "fired": fired(system, &instant.fired),
                    "outputs": named(system, instant.outputs.iter().map(|(variable, value)| (*variable, value))),
                })
            };
            scenario.instants.iter().map(instant).collect::<Vec<_>>()
        });
        let requirements: Vec<&str> =
            finding.requirements.iter().map(|&it| system.requirements[it].id.as_str()).collect();
        json!({
            "finding": finding.what.name(),
            "grade": finding.grade.name(),
            "requirements": requirements,
            "message": report::finding(system, finding),
            "scenario": scenario,
        })
    };
    json!({
        "findings": found.findings.iter().map(finding).collect::<Vec<_>>(),
        "states": found.states,
        "situations": found.coverage.situations,
        "silent": found.coverage.silent,
        "complete": found.stopped.is_none(),
        "error": null,
    })
}
