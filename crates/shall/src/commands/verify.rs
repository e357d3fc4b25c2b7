//! `shall verify`: the properties of a node of a Lustre program, decided for every run.

use crate::cli::Output;
use crate::cli::model::Verify;
use crate::render::{self, visible};
use crate::solver::Driver;
use crate::workspace::read_text;
use crate::{Outcome, json, print, tell};
use engine::{Answer, Config, Verdict, verify};
use logic::Trace;
use model::System;
use model::lustre::{Callees, Options, Program, read};
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};
use syntax::Diagnostic;

pub(crate) fn run(command: &Verify, output: Output) -> Result<Outcome, String> {
    let text = read_text(&command.file)?;
    let folder = command.file.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
    let program = read(&text, &|name| std::fs::read_to_string(folder.join(name)).ok());
    let name = command.file.display().to_string();
    let complain = |diagnostics: &[Diagnostic]| {
        diagnostics.iter().for_each(|found| tell(render::document(&name, &text, found)));
    };
    if output == Output::Human || program.is_wrong() {
        complain(&program.diagnostics);
    }
    if program.is_wrong() {
        return Ok(Outcome::Findings);
    }
    let node = chosen(&program, command)?;
    let callees = if command.compositional { Callees::Contract } else { Callees::Inline };
    let system = match program.system(&node, &Options { callees, only: None }) {
        Ok(system) => system,
        Err(diagnostics) => {
            complain(&diagnostics);
            return Ok(Outcome::Findings);
        }
    };
    let driver = Driver::named(&command.solver)
        .ok_or_else(|| format!("--solver: `{}` is none of z3, cvc5, yices", command.solver))?;
    let begun = Instant::now();
    let budget = Duration::from_secs(command.budget);
    let left = || budget.saturating_sub(begun.elapsed());
    let places: Vec<usize> = (0..system.properties.len()).collect();
    let verdicts = verify(&system, &places, &Config::new(&left, &driver));
    let seconds = begun.elapsed().as_secs_f64();
    match output {
        Output::Human => verdicts.iter().try_for_each(|verdict| print(human(&system, verdict)))?,
        Output::Json | Output::JsonLines => {
            let properties: Vec<Json> =
                verdicts.iter().map(|verdict| document(&system, &node, verdict)).collect();
            let twin = json!({"node": node, "seconds": seconds, "properties": properties,
                "diagnostics": json::diagnostics(&program.diagnostics)});
            json::write(&[twin], output, false)?;
        }
    }
    if verdicts.is_empty() {
        tell(format_args!("`{}` has no properties: nothing was checked", visible(&node)));
        return Ok(Outcome::Inconclusive);
    }
    Ok(verdicts.iter().map(outcome).max().unwrap_or(Outcome::Fine))
}

/// The node that is asked for: the named one, the one marked as main, or the last one with a body.
fn chosen(program: &Program, command: &Verify) -> Result<String, String> {
    let nodes = program.nodes();
    let found = match &command.node {
        Some(name) => nodes.iter().find(|node| node.name == *name),
        None => nodes.iter().find(|node| node.main).or_else(|| nodes.iter().rfind(|node| !node.imported)),
    };
    found.map(|node| node.name.clone()).ok_or_else(|| {
        let known: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
        format!("there is no such node; there are {}", known.join(", "))
    })
}

fn outcome(verdict: &Verdict) -> Outcome {
    match verdict.answer {
        Answer::Valid(_) => Outcome::Fine,
        Answer::Invalid(_) => Outcome::Findings,
        Answer::Unknown(_) => Outcome::Inconclusive,
    }
}

/// The run that refutes a property: inputs and outputs, without inner values.
fn trace(system: &System, verdict: &Verdict) -> Option<Trace> {
    let Answer::Invalid(found) = &verdict.answer else { return None };
    let input = |name: &str| system.inputs.iter().any(|var| system.variables[var.index()].name == name);
    let output = |name: &str| system.outputs.iter().any(|output| !output.local && output.name == name);
    Some(found.run.trace(system)?.only(|name| input(name) || output(name)))
}

fn human(system: &System, verdict: &Verdict) -> String {
    let name = system.properties.get(verdict.property).map_or("", |property| property.name.as_str());
    let vacuous = if verdict.vacuous { "; the assumptions allow no run" } else { "" };
    let mut out = match &verdict.answer {
        Answer::Valid(_) => format!("{}: valid ({}{vacuous})\n", visible(name), verdict.engine),
        Answer::Invalid(found) => {
            format!("{}: invalid after {} steps ({})\n", visible(name), found.run.steps.len(), verdict.engine)
        }
        Answer::Unknown(why) => format!("{}: not decided: {}\n", visible(name), visible(&why.to_string())),
    };
    if let Some(trace) = trace(system, verdict) {
        let table = export::table::text(&trace);
        table.lines().for_each(|line| out.push_str(&format!("  {}\n", visible(line))));
    }
    out
}

fn document(system: &System, node: &str, verdict: &Verdict) -> Json {
    let (word, reason) = match &verdict.answer {
        Answer::Valid(_) if verdict.vacuous => ("valid", Some("the assumptions allow no run".to_string())),
        Answer::Valid(_) => ("valid", None),
        Answer::Invalid(_) => ("invalid", None),
        Answer::Unknown(why) => ("unknown", Some(why.to_string())),
    };
    json!({
        "name": system.properties.get(verdict.property).map(|property| property.name.clone()),
        "node": node,
        "verdict": word,
        "reason": reason,
        "engine": verdict.engine,
        "k": verdict.depth,
        "trace": trace(system, verdict).map(|trace| json::steps(&trace)),
    })
}
