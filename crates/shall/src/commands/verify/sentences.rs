//! FRETish sentences as what is to be verified: each is about the signals of the model, by name.

use super::asked::judged;
use crate::cli::model::Verify;
use crate::json::{self, Diagnostic};
use crate::reading::{Given, Reading, SharedUnit, given};
use crate::render::visible;
use crate::{Error, Outcome, tell};
use logic::{Store, Trace};
use project::mapping::Signal;
use project::monitors::{NoMonitor, add_requirement};
use requirement::{Context, Requirement};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;
use syntax::nearest;
use system::{Expr, MonitorError, Origin, System};

/// The requested sentences.
pub(super) struct Sentences {
    given: Vec<Given>,
    /// Its signals are known with the model.
    context: Context,
    read: Vec<Read>,
}

/// A sentence, and what became of it.
struct Read {
    reading: Reading,
    /// The property that it is, or why it is not checked.
    property: Result<usize, String>,
}

impl Sentences {
    /// The sentences that the command names.
    pub(super) fn open(command: &Verify) -> Result<Option<Sentences>, Error> {
        let known = &command.known;
        if command.sentences.is_empty() {
            if known.step.is_some() || !known.constants.is_empty() {
                return Err(Error::usage("--step and --const are for --sentence"));
            }
            return Ok(None);
        }
        let (given, _) = given(&command.sentences)?;
        Ok(Some(Sentences { given, context: known.context()?, read: Vec::new() }))
    }

    /// Reads the sentences and adds them to a system.
    pub(super) fn attach(&mut self, system: &mut System, signals: &[Signal]) {
        let mut known = system::names(system);
        known.retain(|name, _| signals.iter().any(|signal| signal.path == *name));
        let sorts = known.iter().map(|(name, expr)| (name.clone(), system.pool.type_of(*expr).sort()));
        self.context.signals = Some(sorts.collect());
        let mut unit = SharedUnit::default();
        for given in self.given.drain(..) {
            let mut reading = Reading::of(given, &self.context);
            if self.context.step.is_none() {
                unit.admit(&mut reading);
            }
            let property = add(system, &mut reading, &known);
            self.read.push(Read { reading, property });
        }
    }

    /// The requirement of a property, with its formulas.
    pub(super) fn requirement(&self, property: usize) -> Option<(&Store, &Requirement)> {
        let Read { reading, .. } = self.read.iter().find(|it| it.property == Ok(property))?;
        Some((&reading.store, reading.lowered.requirement.as_ref()?))
    }

    /// The signals that the sentence of a property is about.
    pub(super) fn signals(&self, property: usize) -> Vec<String> {
        let found = self.requirement(property);
        let names = found.map_or(Vec::new(), |(store, requirement)| requirement.variables(store));
        names.into_iter().map(|(_, name)| name.to_owned()).collect()
    }

    /// Why a run violates a sentence.
    pub(super) fn reason(&self, property: usize, run: &Trace) -> Option<String> {
        let Read { reading, .. } = self.read.iter().find(|it| it.property == Ok(property))?;
        let signals = self.context.signals.as_ref()?;
        let seen = run.only(|name| signals.contains_key(name));
        judged(&reading.store, reading.lowered.requirement.as_ref()?, &reading.fields, &seen)
    }

    /// Errors are findings; a sentence that is correct and was not checked is not decided.
    pub(super) fn outcome(&self) -> Outcome {
        let one = |Read { reading, property }: &Read| match (reading.outcome(), property) {
            (Outcome::Fine, Err(_)) => Outcome::Inconclusive,
            (outcome, _) => outcome,
        };
        self.read.iter().map(one).max().unwrap_or(Outcome::Inconclusive)
    }

    /// Tells what is wrong with the sentences, and which were not checked.
    pub(super) fn complain(&self) {
        for Read { reading, property } in &self.read {
            if !reading.diagnostics().is_empty() {
                tell(reading.complaints());
            }
            if let Err(reason) = property {
                tell(format_args!("{}: not checked: {}", visible(reading.text.trim()), visible(reason)));
            }
        }
    }

    pub(super) fn document(&self) -> Vec<Sentence<'_>> {
        let documents = self.read.iter().map(|Read { reading, property }| Sentence {
            sentence: reading.text.trim(),
            not_checked: property.as_ref().err().map(String::as_str),
            diagnostics: json::diagnostics(reading.diagnostics()),
        });
        documents.collect()
    }
}

fn add(system: &mut System, reading: &mut Reading, known: &FxHashMap<String, Expr>) -> Result<usize, String> {
    let Some(requirement) = &reading.lowered.requirement else {
        let reason = if reading.is_note() { "it has no formal meaning" } else { "the sentence has errors" };
        return Err(reason.into());
    };
    let binding = |name: &str| known.get(name).copied();
    let named = (reading.text.trim(), Origin::Unknown);
    add_requirement(system, &mut reading.store, named, (requirement, requirement::Reading::Endless), &binding)
        .map_err(|error| {
            let near = match &error {
                NoMonitor::Formula(MonitorError::UnknownSignal { name }) => nearest(name, names(known)),
                _ => None,
            };
            near.map_or_else(|| error.to_string(), |near| format!("{error}; did you mean `{near}`?"))
        })
}

/// The known names in alphabetical order.
fn names(known: &FxHashMap<String, Expr>) -> Vec<&str> {
    let mut names: Vec<&str> = known.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// A sentence of `--sentence`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Sentence<'s> {
    /// The sentence as it was given; the name of its property.
    sentence: &'s str,
    /// Why it was not checked, or `null`.
    not_checked: Option<&'s str>,
    /// What is wrong or odd in the sentence.
    diagnostics: Vec<Diagnostic<'s>>,
}
