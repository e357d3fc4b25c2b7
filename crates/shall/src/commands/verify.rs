//! `shall verify`: the properties of a model, or requirements of a component or sentences about it, decided for every run.

mod asked;
mod contract;
mod doubles;
pub(crate) mod progress;
mod requirements;
mod sentences;
pub(crate) mod show;
mod why;

use super::source::{Chosen, Diagnostics, Hints, Refused, Source};
use crate::cli::Output;
use crate::cli::model::Verify;
use crate::render::visible;
use crate::solver::Driver;
use crate::{Error, Outcome, print, tell};
use asked::Asked;
use contract::Contract;
use doubles::Rounded;
use engine::{Answer, Config, Part, Verdict, verify};
use lustre::modular::{Analysis, Calls, Extent, analyse, opaque};
use schemars::JsonSchema;
use serde::Serialize;
use show::Show;
use std::time::{Duration, Instant};
use system::Goal;

pub(crate) fn run(command: &Verify, output: Output) -> Result<Outcome, Error> {
    let mut asked = Asked::open(command)?;
    let file = match (&command.file, &asked) {
        (Some(file), _) => file.clone(),
        (None, Some(asked)) => asked.model()?,
        (None, None) => return Err(Error::usage("name the file of a model")),
    };
    let contract = Contract::open(command)?;
    let hints = Hints {
        data: &command.data,
        abstracted: &command.abstracted,
        step: None,
        semantics: command.semantics,
        dictionary: command.dictionary.as_deref(),
        english: command.english,
    };
    let source = Source::open(&file, &hints)?;
    source.complain(output);
    let begun = Instant::now();
    if source.is_wrong() {
        refused(source.diagnostics(), begun, output)?;
        return Ok(Outcome::Findings);
    }
    let said = asked.as_ref().and_then(|asked| asked.node());
    let said = command.node.as_deref().or(said).or(contract.as_ref().and_then(Contract::node));
    // All nodes of a program have a scope of their own; requirements are about one of them.
    let every = said.is_none()
        && asked.is_none()
        && contract.is_none()
        && !command.compositional
        && matches!(source, Source::Lustre { .. });
    let node = if every { String::new() } else { source.node(said)? };
    let driver = Driver::chosen(&command.solver)?;
    let timeout = Duration::from_secs(command.timeout);
    let left = || timeout.saturating_sub(begun.elapsed());
    // Half of the time is for the questions afterwards.
    let reserved = if command.why { timeout / 2 } else { Duration::ZERO };
    let first = || left().saturating_sub(reserved);
    let config = Config::new(&first, &driver);
    let Analysis { parts, refused: without } = if every || command.modular || command.compositional {
        let extent = if every || command.modular { Extent::Everything } else { Extent::Node(&node) };
        let calls = match (command.modular, command.compositional) {
            (false, false) => Calls::Bodies,
            (true, false) => Calls::Contracts,
            (_, true) => Calls::Refined,
        };
        let program = source.program()?;
        progress::watch(&[], command.progress, |progress| {
            analyse(program, extent, calls, &Config { progress, ..config })
        })
    } else {
        let chosen = match source.system(&node) {
            Ok(chosen) => chosen,
            Err(Refused { outcome, found }) => {
                refused(source.diagnostics_and(&found), begun, output)?;
                return Ok(outcome);
            }
        };
        let chosen = match &contract {
            Some(contract) => contract.attached(chosen)?,
            None => chosen,
        };
        let mut part = whole(chosen, &mut asked, command, &config)?;
        if let Source::Lustre { program, .. } = &source {
            part.replaced = opaque(program, &node);
            part.assumes.clone_from(&part.replaced);
        }
        Analysis { parts: vec![part], refused: Vec::new() }
    };
    let config = Config::new(&left, &driver);
    let mut outcome = asked.as_ref().map_or(Outcome::Fine, Asked::outcome).max(source.outcome());
    if !without.is_empty() {
        outcome = outcome.max(Outcome::Findings);
        if output == Output::Human {
            source.tell(&without);
        }
    }
    let premises = source.premises();
    let mut properties = Vec::new();
    let reason = |property: usize, trace: &logic::Trace| asked.as_ref()?.reason(property, trace);
    let about = |property: usize| asked.as_ref().map_or(Vec::new(), |it| it.signals(property));
    let idle = |property: usize| asked.as_ref().is_some_and(|it| it.is_idle(property));
    for part in &parts {
        let (inner, with_node) = (command.inner, command.modular || parts.len() > 1);
        let show =
            Show { part, inner, with_node, why: &reason, about: &about, premises: &premises, idle: &idle };
        let in_doubles = command.doubles || source.computes_in_doubles();
        for verdict in &part.verdicts {
            let holds = goal(part, verdict) == Goal::Holds;
            let rounded = (in_doubles && holds).then(|| doubles::ask(part, verdict)).flatten();
            let why = (command.why && holds).then(|| why::ask(part, verdict, &config)).flatten();
            outcome = outcome.max(self::outcome(part, verdict, rounded.as_ref()));
            match output {
                Output::Human => {
                    print(show.human(verdict))?;
                    rounded.map_or(Ok(()), |rounded| print(doubles::human(&show, &rounded)))?;
                    why.map_or(Ok(()), |why| print(why::human(&show, &why)))?;
                }
                Output::Json | Output::JsonLines => {
                    let why = why.map(|why| why::document(&show, &why));
                    let rounded = rounded.map(|rounded| doubles::document(&show, &rounded));
                    properties.push(show.document(verdict, why, rounded));
                }
            }
        }
        if let Some(folder) = &command.save {
            show.save(folder)?;
        }
    }
    if let Some(asked) = &asked {
        asked.complain();
    }
    if output != Output::Human {
        let document = Verified {
            node: match &parts[..] {
                [only] if every => Some(only.node.as_str()),
                _ => Some(node.as_str()).filter(|_| !every && !command.modular),
            },
            seconds: begun.elapsed().as_secs_f64(),
            properties,
            requirements: asked.as_ref().and_then(Asked::requirements),
            sentences: asked.as_ref().and_then(Asked::sentences),
            premises: premises.clone(),
            data: source.data(),
            diagnostics: source.diagnostics_and(&without),
        };
        print(output.text(&document) + "\n")?;
    }
    if !without.is_empty() {
        return Ok(outcome);
    }
    if parts.iter().all(|part| part.verdicts.is_empty()) {
        let (least, reason) = match (&asked, command.modular) {
            (Some(asked), _) => {
                let (least, reason) = asked.nothing();
                (least, reason.to_owned())
            }
            (None, _) if every || command.modular => {
                (Outcome::Fine, "no node has a contract or properties: nothing to check".to_owned())
            }
            (None, _) => {
                let reason = format!("`{}` has no properties: nothing to check", visible(&node));
                (Outcome::Fine, reason)
            }
        };
        tell(reason);
        return Ok(outcome.max(least));
    }
    Ok(outcome)
}

/// What programs learn about a model that cannot be verified.
fn refused(diagnostics: Diagnostics, begun: Instant, output: Output) -> Result<(), Error> {
    if output == Output::Human {
        return Ok(());
    }
    let document = Verified {
        node: None,
        seconds: begun.elapsed().as_secs_f64(),
        properties: Vec::new(),
        requirements: None,
        sentences: None,
        premises: Vec::new(),
        data: &[],
        diagnostics,
    };
    print(output.text(&document) + "\n")
}

/// The verdicts about a model.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Verified<'v> {
    /// The part of the model; `null` if there are several, and if the model cannot be verified.
    node: Option<&'v str>,
    /// The time it took.
    seconds: f64,
    /// The verdicts.
    properties: Vec<show::Property<'v>>,
    /// What belongs to `--component`; otherwise `null`.
    requirements: Option<requirements::Requirements<'v>>,
    /// What belongs to `--sentence`, in the order of the sentences; otherwise `null`.
    sentences: Option<Vec<sentences::Sentence<'v>>>,
    /// What all verdicts rest on: how continuous blocks of a Simulink model are approximated, and blocks that `--abstract` replaces.
    premises: Vec<String>,
    /// The data files that were read with a Simulink model.
    data: &'v [String],
    /// What was found in the model.
    diagnostics: Diagnostics<'v>,
}

/// The verdicts about a system with all its parts: about its own properties, or what is asked instead.
fn whole(
    chosen: Chosen,
    asked: &mut Option<Asked>,
    command: &Verify,
    config: &Config,
) -> Result<Part, Error> {
    let Chosen { node, mut system, signals } = chosen;
    if let Some(asked) = asked {
        asked.attach(&mut system, &signals)?;
    }
    let places: Vec<usize> = (0..system.properties.len()).collect();
    let names: Vec<&str> = system.properties.iter().map(|it| it.name.as_str()).collect();
    let verdicts = progress::watch(&names, command.progress, |progress| {
        verify(&system, &places, &Config { progress, ..*config })
    });
    let (replaced, assumes) = (Vec::new(), Vec::new());
    Ok(Part { node, system, replaced, verdicts, assumes })
}

/// The contracts that a `valid` rests on and that are not proved.
fn condition<'p>(part: &'p Part, verdict: &Verdict) -> &'p [String] {
    match verdict.answer {
        Answer::Valid(_) => &part.assumes,
        Answer::Invalid(_) | Answer::Unknown(_) => &[],
    }
}

/// What is wanted of the property of a verdict.
fn goal(part: &Part, verdict: &Verdict) -> Goal {
    part.system.properties.get(verdict.property).map_or(Goal::Holds, |it| it.goal)
}

fn outcome(part: &Part, verdict: &Verdict, rounded: Option<&Rounded>) -> Outcome {
    let breaks = matches!(rounded, Some(Rounded::Breaks(_)));
    if goal(part, verdict) == Goal::Reached {
        return match verdict.answer {
            Answer::Valid(_) => Outcome::Findings,
            Answer::Invalid(_) => Outcome::Fine,
            Answer::Unknown(_) => Outcome::Inconclusive,
        };
    }
    match verdict.answer {
        Answer::Valid(_) if condition(part, verdict).is_empty() && !verdict.vacuous && !breaks => {
            Outcome::Fine
        }
        Answer::Invalid(_) => Outcome::Findings,
        Answer::Valid(_) | Answer::Unknown(_) => Outcome::Inconclusive,
    }
}
