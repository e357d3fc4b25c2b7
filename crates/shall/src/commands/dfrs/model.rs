//! `shall dfrs frames` and `shall dfrs model`.

use super::Loaded;
use crate::cli::Output;
use crate::cli::dfrs::Source;
use crate::{Outcome, json, print, render};
use dfrs::frames::{ActionFrame, ConditionFrame, Role, Term};
use dfrs::{Dfrs, Kind, Sort, english};
use serde_json::{Value as Json, json};

pub(super) fn frames(source: &Source, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(source)?;
    loaded.system(output);
    match output {
        Output::Human => {
            for sentence in &loaded.document.sentences {
                let Some(frame) = &sentence.frame else { continue };
                print(render::lines(&format!("{}\n{}\n", sentence.id, frame.table())))?;
            }
        }
        Output::Json | Output::JsonLines => {
            let twins: Vec<Json> = loaded.document.sentences.iter().map(frame).collect();
            json::write(&twins, output, true)?;
        }
    }
    Ok(loaded.outcome())
}

fn frame(sentence: &dfrs::document::Sentence) -> Json {
    let frame = sentence.frame.as_ref();
    let all = |conditions: &[Vec<ConditionFrame>]| -> Vec<Vec<Json>> {
        conditions.iter().map(|any| any.iter().map(condition).collect()).collect()
    };
    json!({
        "id": sentence.id,
        "text": sentence.text(),
        "conditions": frame.map(|frame| all(&frame.conditions)),
        "actions": frame.map(|frame| frame.actions.iter().map(action).collect::<Vec<_>>()),
        "facts": frame.map(|frame| frame.facts.iter().map(condition).collect::<Vec<_>>()),
    })
}

fn role(role: &Role) -> Json {
    json!(role.text)
}

fn term(term: &Term) -> Json {
    role(&term.role)
}

fn condition(frame: &ConditionFrame) -> Json {
    json!({
        "cac": role(&frame.cac),
        "cpt": role(&frame.cpt),
        "cmd": frame.cmd.as_ref().map(role),
        "cfv": frame.cfv.as_ref().map(term),
        "ctv": term(&frame.ctv),
    })
}

fn action(frame: &ActionFrame) -> Json {
    json!({
        "act": role(&frame.act),
        "agt": role(&frame.agt),
        "pat": role(&frame.pat),
        "tov": frame.tov.as_ref().map(term),
    })
}

pub(super) fn model(source: &Source, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    match output {
        Output::Human => print(render::lines(&dfrs::dump(system)))?,
        Output::Json | Output::JsonLines => {
            let mut twin = document(system);
            twin["diagnostics"] = json::diagnostics(&loaded.diagnostics);
            json::write(&[twin], output, false)?;
        }
    }
    Ok(loaded.outcome())
}

fn document(system: &Dfrs) -> Json {
    let variables: Vec<Json> = system
        .variables
        .iter()
        .map(|variable| {
            let (sort, values) = match &variable.sort {
                Sort::Bool { word } => ("bool", word.iter().cloned().collect()),
                Sort::Int => ("int", Vec::new()),
                Sort::Real => ("real", Vec::new()),
                Sort::Names(names) => ("names", names.clone()),
            };
            json!({
                "name": variable.name,
                "kind": kind(variable.kind),
                "type": sort,
                "values": values,
                "initial": json::cell(&variable.initial),
                "initial_given": variable.initial_given,
            })
        })
        .collect();
    let entry = |component: &str, entry: &dfrs::Entry| {
        let words = |conditions: Vec<Vec<String>>| conditions;
        json!({
            "requirement": system.requirements[entry.requirement].id,
            "guard": words(entry.guard.iter().map(|any| any.iter().map(|it| english::condition(system, it)).collect()).collect()),
            "timed": words(entry.timed.iter().map(|any| any.iter().map(|it| english::timed(system, it)).collect()).collect()),
            "actions": entry.effect.iter().map(|it| english::assignment(system, it)).collect::<Vec<_>>(),
            "text": english::entry(system, component, entry),
        })
    };
    let functions: Vec<Json> = system
        .functions
        .iter()
        .map(|function| {
            let entries: Vec<Json> =
                function.entries.iter().map(|it| entry(&function.component, it)).collect();
            json!({ "component": function.component, "entries": entries })
        })
        .collect();
    json!({
        "variables": variables,
        "functions": functions,
        "requirements": system.requirements.iter().map(|it| json!({ "id": it.id, "text": it.text })).collect::<Vec<_>>(),
        "restrictions": system.restrictions.iter().map(|it| english::restriction(system, it)).collect::<Vec<_>>(),
    })
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Input => "input",
        Kind::Output => "output",
        Kind::Timer => "timer",
    }
}
