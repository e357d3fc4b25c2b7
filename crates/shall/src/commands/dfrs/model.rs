//! `shall dfrs frames` and `shall dfrs model`.

use super::Loaded;
use crate::cli::Output;
use crate::cli::dfrs::Source;
use crate::json::{self, Diagnostic, Sentences, Value};
use crate::{Error, Outcome, render};
use dfrs::frames::{ActionFrame, ConditionFrame};
use dfrs::{Dfrs, Kind, Sort, english};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) fn frames(source: &Source, output: Output) -> Result<Outcome, Error> {
    let loaded = Loaded::read(source)?;
    loaded.system(output);
    let sentences = &loaded.document.sentences;
    let table = |sentence: &dfrs::document::Sentence| {
        let frame = sentence.frame.as_ref()?;
        Some(render::lines(&format!("{}\n{}\n", sentence.id, frame.table())))
    };
    output.show(
        || sentences.iter().filter_map(table).collect(),
        || Sentences { sentences: sentences.iter().map(frame).collect() },
    )?;
    Ok(loaded.outcome())
}

/// The roles of the phrases of a sentence; `null` if it could not be read.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Framed<'a> {
    /// The id of the sentence.
    id: &'a str,
    /// The sentence.
    text: String,
    /// All of these lists must have a condition that holds.
    conditions: Option<Vec<Vec<ConditionRoles<'a>>>>,
    /// What is done then.
    actions: Option<Vec<ActionRoles<'a>>>,
    /// What a sentence about the environment or the initial state says.
    facts: Option<Vec<ConditionRoles<'a>>>,
}

/// The roles in a condition.
#[derive(Serialize, JsonSchema)]
struct ConditionRoles<'a> {
    /// The condition's verb.
    cac: &'a str,
    /// The patient.
    cpt: &'a str,
    /// The modifier.
    cmd: Option<&'a str>,
    /// The value before.
    cfv: Option<&'a str>,
    /// The value to compare with.
    ctv: &'a str,
}

/// The roles in an action.
#[derive(Serialize, JsonSchema)]
struct ActionRoles<'a> {
    /// The verb.
    act: &'a str,
    /// The agent.
    agt: &'a str,
    /// The patient.
    pat: &'a str,
    /// The value it gets.
    tov: Option<&'a str>,
}

fn frame(sentence: &dfrs::document::Sentence) -> Framed<'_> {
    let frame = sentence.frame.as_ref();
    Framed {
        id: &sentence.id,
        text: sentence.text().to_string(),
        conditions: frame
            .map(|frame| frame.conditions.iter().map(|any| any.iter().map(condition).collect()).collect()),
        actions: frame.map(|frame| frame.actions.iter().map(action).collect()),
        facts: frame.map(|frame| frame.facts.iter().map(condition).collect()),
    }
}

fn condition(frame: &ConditionFrame) -> ConditionRoles<'_> {
    ConditionRoles {
        cac: &frame.cac.text,
        cpt: &frame.cpt.text,
        cmd: frame.cmd.as_ref().map(|role| role.text.as_str()),
        cfv: frame.cfv.as_ref().map(|term| term.role.text.as_str()),
        ctv: &frame.ctv.role.text,
    }
}

fn action(frame: &ActionFrame) -> ActionRoles<'_> {
    ActionRoles {
        act: &frame.act.text,
        agt: &frame.agt.text,
        pat: &frame.pat.text,
        tov: frame.tov.as_ref().map(|term| term.role.text.as_str()),
    }
}

pub(super) fn model(source: &Source, output: Output) -> Result<Outcome, Error> {
    let loaded = Loaded::read(source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    output.show(
        || render::lines(&dfrs::dump(system)),
        || document(system, json::diagnostics(&loaded.diagnostics)),
    )?;
    Ok(loaded.outcome())
}

/// The model of requirements in controlled English.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Modelled<'a> {
    /// Its variables.
    variables: Vec<ModelVariable<'a>>,
    /// What each component does when.
    functions: Vec<Function<'a>>,
    /// The requirements.
    requirements: Vec<Requirement<'a>>,
    /// What the environment never does.
    restrictions: Vec<String>,
    /// What is wrong or odd in the text.
    diagnostics: Vec<Diagnostic<'a>>,
}

/// A variable.
#[derive(Serialize, JsonSchema)]
struct ModelVariable<'a> {
    /// Its name.
    name: &'a str,
    /// `input`, `output` or `timer`.
    kind: &'static str,
    /// `bool`, `int`, `real` or `names`.
    #[serde(rename = "type")]
    sort: &'static str,
    /// The names it can have; of a Boolean the word for true, if there is one.
    values: Vec<&'a str>,
    /// The initial value.
    initial: Value,
    /// Whether the requirements give the initial value.
    initial_given: bool,
}

/// A component.
#[derive(Serialize, JsonSchema)]
struct Function<'a> {
    /// Its name.
    component: &'a str,
    /// Its reactions.
    entries: Vec<Reaction<'a>>,
}

/// A reaction. Of conditions, each list must have one that holds.
#[derive(Serialize, JsonSchema)]
struct Reaction<'a> {
    /// The id of the requirement.
    requirement: &'a str,
    /// Conditions on values.
    guard: Vec<Vec<String>>,
    /// Conditions on time.
    timed: Vec<Vec<String>>,
    /// What is done.
    actions: Vec<String>,
    /// The reaction in words.
    text: String,
}

/// A requirement.
#[derive(Serialize, JsonSchema)]
struct Requirement<'a> {
    /// Its id.
    id: &'a str,
    /// Its sentence.
    text: &'a str,
}

fn document<'a>(system: &'a Dfrs, diagnostics: Vec<Diagnostic<'a>>) -> Modelled<'a> {
    let variable = |variable: &'a dfrs::Variable| {
        let (sort, values) = match &variable.sort {
            Sort::Bool { word } => ("bool", word.iter().map(String::as_str).collect()),
            Sort::Int => ("int", Vec::new()),
            Sort::Real => ("real", Vec::new()),
            Sort::Names(names) => ("names", names.iter().map(String::as_str).collect()),
        };
        let kind = match variable.kind {
            Kind::Input => "input",
            Kind::Output => "output",
            Kind::Timer => "timer",
        };
        let (name, initial_given) = (variable.name.as_str(), variable.initial_given);
        ModelVariable { name, kind, sort, values, initial: (&variable.initial).into(), initial_given }
    };
    let entry = |component: &str, entry: &'a dfrs::Entry| Reaction {
        requirement: &system.requirements[entry.requirement].id,
        guard: words(&entry.guard, |it| english::condition(system, it)),
        timed: words(&entry.timed, |it| english::timed(system, it)),
        actions: entry.effect.iter().map(|it| english::assignment(system, it)).collect(),
        text: english::entry(system, component, entry),
    };
    let function = |it: &'a dfrs::Function| Function {
        component: &it.component,
        entries: it.entries.iter().map(|inner| entry(&it.component, inner)).collect(),
    };
    Modelled {
        variables: system.variables.iter().map(variable).collect(),
        functions: system.functions.iter().map(function).collect(),
        requirements: system
            .requirements
            .iter()
            .map(|it| Requirement { id: &it.id, text: &it.text })
            .collect(),
        restrictions: system.restrictions.iter().map(|it| english::restriction(system, it)).collect(),
        diagnostics,
    }
}

fn words<T>(all: &[Vec<T>], word: impl Fn(&T) -> String) -> Vec<Vec<String>> {
    all.iter().map(|any| any.iter().map(&word).collect()).collect()
}
