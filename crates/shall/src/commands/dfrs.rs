//! `shall dfrs`: requirements in controlled English as a timed model: shown, checked, run, tested.

mod animate;
mod check;
mod export;
mod model;
mod readings;
mod replay;
mod test;

pub(crate) use animate::Shown;
pub(crate) use check::Analysed;
pub(crate) use model::{Framed, Modelled};
pub(crate) use readings::Readings;
pub(crate) use replay::Replayed;
pub(crate) use test::Tested;

use crate::cli::Output;
use crate::cli::dfrs::{Dfrs as Command, Letter, Meaning, Question, Source};
use crate::files::read_text;
use crate::json::{self, Diagnostic as Found, Named, Values};
use crate::{Error, Outcome, render, tell};
use dfrs::scenario::Instant;
use dfrs::{Clock, Dfrs, Dictionary, Document, Reading, Semantics, english};
use logic::Value;
use schemars::JsonSchema;
use serde::Serialize;
use syntax::{Diagnostic, Severity};

pub(crate) fn run(command: &Command) -> Result<Outcome, Error> {
    match &command.question {
        Question::Frames(frames) => model::frames(&frames.command, frames.output),
        Question::Model(model) => model::model(&model.command, model.output),
        Question::Check(check) => check::run(&check.command, check.output),
        Question::Readings(readings) => readings::run(&readings.command, readings.output),
        Question::Animate(animate) => animate::run(&animate.command, animate.output),
        Question::Test(test) => test::run(&test.command, test.output),
        Question::Export(export) => export::run(export),
        Question::Replay(replay) => replay::run(&replay.command, replay.output),
        Question::Verify(verify) => {
            super::verify::run(&verify.command.modern().map_err(Error::usage)?, verify.output)
        }
    }
}

/// Requirements, read as far as possible.
pub(super) struct Loaded {
    name: String,
    text: String,
    document: Document,
    pub(super) system: Option<Dfrs>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    pub(super) fn read(source: &Source) -> Result<Loaded, Error> {
        let text = read_text(&source.file)?;
        let document = dfrs::read(&text);
        let dictionary = match &source.dictionary {
            None => None,
            Some(path) => {
                let words = read_text(path)?;
                let (dictionary, diagnostics) = Dictionary::parse(&words);
                for diagnostic in &diagnostics {
                    tell(render::document(&path.display().to_string(), &words, diagnostic));
                }
                Some(dictionary)
            }
        };
        let lowered = dfrs::lower_with(&document, dictionary.as_ref());
        let name = source.file.display().to_string();
        Ok(Loaded { name, text, document, system: lowered.system, diagnostics: lowered.diagnostics })
    }

    /// The system, if there are no errors; diagnostics go to stderr unless programs read them.
    fn system(&self, output: Output) -> Option<&Dfrs> {
        if output == Output::Human {
            self.complain();
        }
        self.system.as_ref()
    }

    /// Writes the diagnostics to standard error.
    pub(super) fn complain(&self) {
        for diagnostic in &self.diagnostics {
            tell(render::document(&self.name, &self.text, diagnostic));
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        let errors = self.diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
        if errors { Outcome::Findings } else { Outcome::Fine }
    }

    /// How a command ends if there is no system: diagnostics alone are for programs.
    fn failed(&self, output: Output) -> Result<Outcome, Error> {
        if output != Output::Human {
            output.show(String::new, || Failed { diagnostics: json::diagnostics(&self.diagnostics) })?;
        }
        Ok(Outcome::Findings)
    }
}

/// All that is written if the requirements have errors.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Failed<'a> {
    /// What is wrong with the requirements.
    diagnostics: Vec<Found<'a>>,
}

impl Meaning {
    fn semantics(self) -> Semantics {
        let reading = self.semantics.reading();
        Semantics { reading, clock: if self.dense { Clock::Dense } else { Clock::Discrete } }
    }
}

impl Letter {
    pub(super) fn reading(self) -> Reading {
        match self {
            Letter::A => Reading::Literal,
            Letter::B => Reading::Current,
            Letter::C => Reading::Synchronous,
        }
    }
}

/// Values of variables by name.
fn named<'v>(system: &Dfrs, values: impl IntoIterator<Item = (usize, &'v Value)>) -> Values {
    let value = |(variable, value): (usize, &Value)| (system.variables[variable].name.clone(), value.into());
    Named(values.into_iter().map(value).collect())
}

/// What happens at one time.
#[derive(Serialize, JsonSchema)]
struct Moment {
    /// The time.
    time: String,
    /// The inputs that change.
    inputs: Values,
    /// The ids of the requirements that react.
    fired: Vec<String>,
    /// The outputs afterwards.
    outputs: Values,
}

impl Moment {
    fn of(system: &Dfrs, instant: &Instant) -> Moment {
        let values = |list: &[(usize, Value)]| named(system, list.iter().map(|(place, it)| (*place, it)));
        Moment {
            time: english::number(&instant.time),
            inputs: values(&instant.inputs),
            fired: fired(system, &instant.fired),
            outputs: values(&instant.outputs),
        }
    }
}

/// The ids of the requirements of entries.
fn fired(system: &Dfrs, fired: &[usize]) -> Vec<String> {
    let id = |&entry: &usize| {
        let entry = dfrs::step::entries(system).nth(entry)?;
        Some(system.requirements[entry.requirement].id.clone())
    };
    fired.iter().filter_map(id).collect()
}
