//! What is to be verified instead of the properties of a model: the requirements of a component, or sentences.

use super::requirements::Requested;
use super::sentences::Sentences;
use crate::cli::model::Verify;
use crate::{Error, Outcome};
use logic::{Store, Trace};
use project::mapping::Signal;
use requirement::{Fields, Reading, Requirement, failure, parts};
use std::path::PathBuf;
use system::System;

pub(super) enum Asked<'c> {
    Requirements(Box<Requested<'c>>),
    Sentences(Sentences),
}

impl<'c> Asked<'c> {
    /// What the command asks for, if it is not the properties of the model.
    pub(super) fn open(command: &'c Verify) -> Result<Option<Asked<'c>>, Error> {
        if let Some(sentences) = Sentences::open(command)? {
            return Ok(Some(Asked::Sentences(sentences)));
        }
        Ok(Requested::open(command)?.map(|requested| Asked::Requirements(Box::new(requested))))
    }

    /// The file of the model, if the command does not name it.
    pub(super) fn model(&self) -> Result<PathBuf, Error> {
        match self {
            Asked::Requirements(requested) => requested.model(),
            Asked::Sentences(_) => Err(Error::usage("name the file of a model")),
        }
    }

    /// The node that the project file names.
    pub(super) fn node(&self) -> Option<&str> {
        match self {
            Asked::Requirements(requested) => requested.node(),
            Asked::Sentences(_) => None,
        }
    }

    /// Makes what is asked for the properties of the system of a part of the model.
    pub(super) fn attach(&mut self, system: &mut System, signals: &[Signal]) -> Result<(), Error> {
        system.properties.clear();
        match self {
            Asked::Requirements(requested) => requested.attach(system, signals),
            Asked::Sentences(sentences) => {
                sentences.attach(system, signals);
                Ok(())
            }
        }
    }

    /// The signals that the sentence of a property is about.
    pub(super) fn signals(&self, property: usize) -> Vec<String> {
        match self {
            Asked::Requirements(requested) => requested.signals(property),
            Asked::Sentences(sentences) => sentences.signals(property),
        }
    }

    /// Whether the sentence of a property requires nothing of infinite runs.
    pub(super) fn is_idle(&self, property: usize) -> bool {
        let found = match self {
            Asked::Requirements(requested) => requested.requirement(property),
            Asked::Sentences(sentences) => sentences.requirement(property),
        };
        found.is_some_and(|(store, requirement)| {
            let mut store = store.clone();
            let top = store.top();
            parts(&mut store, requirement, Reading::Endless)
                .is_ok_and(|it| it.safety == top && it.live.is_none())
        })
    }

    /// Why a run violates a property, in the words of its sentence.
    pub(super) fn reason(&self, property: usize, run: &Trace) -> Option<String> {
        match self {
            Asked::Requirements(requested) => requested.reason(property, run),
            Asked::Sentences(sentences) => sentences.reason(property, run),
        }
    }

    /// What is wrong besides verdicts.
    pub(super) fn outcome(&self) -> Outcome {
        match self {
            Asked::Requirements(requested) => requested.outcome(),
            Asked::Sentences(sentences) => sentences.outcome(),
        }
    }

    /// How the command ends if nothing could be checked, and what to say then.
    pub(super) fn nothing(&self) -> (Outcome, &'static str) {
        match self {
            Asked::Requirements(_) => (Outcome::Inconclusive, "no requirement could be checked"),
            Asked::Sentences(sentences) => (sentences.outcome(), "no sentence could be checked"),
        }
    }

    /// Tells what is wrong, and what was not checked.
    pub(super) fn complain(&self) {
        match self {
            Asked::Requirements(requested) => requested.complain(),
            Asked::Sentences(sentences) => sentences.complain(),
        }
    }

    pub(super) fn requirements(&self) -> Option<super::requirements::Requirements<'_>> {
        match self {
            Asked::Requirements(requested) => Some(requested.document()),
            Asked::Sentences(_) => None,
        }
    }

    pub(super) fn sentences(&self) -> Option<Vec<super::sentences::Sentence<'_>>> {
        match self {
            Asked::Requirements(_) => None,
            Asked::Sentences(sentences) => Some(sentences.document()),
        }
    }
}

/// Why a trace violates a requirement, in the words of its sentence; the definitions judge it once more.
pub(super) fn judged(
    store: &Store,
    requirement: &Requirement,
    fields: &Fields,
    trace: &Trace,
) -> Option<String> {
    let said = failure(store, requirement, fields, trace).ok()?;
    let wrong = || "by the definitions, this run does not violate it; please report this".into();
    Some(said.unwrap_or_else(wrong))
}
