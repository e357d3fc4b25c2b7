//! `shall verify`: the properties of a node of a Lustre program, decided for every run.

pub(crate) mod progress;
pub(crate) mod show;

use crate::cli::Output;
use crate::cli::model::Verify;
use crate::render::{self, visible};
use crate::solver::Driver;
use crate::workspace::read_text;
use crate::{Outcome, json, print, tell};
use engine::{Answer, Config, Verdict, verify};
use model::lustre::{Callees, Options, Program, read};
use serde_json::{Value as Json, json};
use show::Show;
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
    let node = chosen(&program, command.node.as_deref())?;
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
    let (verdicts, times) = progress::watch(&system, command.progress, |news| {
        verify(&system, &places, &Config { news, ..Config::new(&left, &driver) })
    });
    let show =
        Show { node: &node, system: &system, inner: command.inner, seconds: &times, why: &|_, _| None };
    let seconds = begun.elapsed().as_secs_f64();
    match output {
        Output::Human => verdicts.iter().try_for_each(|verdict| print(show.human(verdict)))?,
        Output::Json | Output::JsonLines => {
            let properties: Vec<Json> = verdicts.iter().map(|verdict| show.document(verdict)).collect();
            let twin = json!({"node": node, "seconds": seconds, "properties": properties,
                "diagnostics": json::diagnostics(&program.diagnostics)});
            json::write(&[twin], output, false)?;
        }
    }
    if let Some(folder) = &command.save {
        show.save(folder, &verdicts)?;
    }
    if verdicts.is_empty() {
        tell(format_args!("`{}` has no properties: nothing was checked", visible(&node)));
        return Ok(Outcome::Inconclusive);
    }
    Ok(verdicts.iter().map(outcome).max().unwrap_or(Outcome::Fine))
}

/// The node that is asked for: the named one, the one marked as main, or the last one with a body.
pub(crate) fn chosen(program: &Program, name: Option<&str>) -> Result<String, String> {
    let nodes = program.nodes();
    let found = match name {
        Some(name) => nodes.iter().find(|node| node.name == name),
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
