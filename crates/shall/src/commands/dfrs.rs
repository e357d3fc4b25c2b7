//! `shall dfrs`: requirements in controlled English as a timed model: shown, checked, run, tested.

mod animate;
mod check;
mod export;
mod model;
mod readings;
mod replay;
mod test;
mod verify;

use crate::cli::Output;
use crate::cli::dfrs::{Dfrs as Command, Letter, Meaning, Question, Source};
use crate::{Outcome, input, json, render, tell};
use dfrs::{Clock, Dfrs, Dictionary, Document, Reading, Semantics};
use logic::Value;
use serde_json::{Value as Json, json};
use std::path::Path;
use syntax::{Diagnostic, Severity};

pub(crate) fn run(command: &Command, output: Output) -> Result<Outcome, String> {
    match &command.question {
        Question::Frames(source) => model::frames(source, output),
        Question::Model(source) => model::model(source, output),
        Question::Check(check) => check::run(check, output),
        Question::Readings(readings) => readings::run(readings, output),
        Question::Animate(animate) => animate::run(animate, output),
        Question::Test(test) => test::run(test, output),
        Question::Export(export) => export::run(export, output),
        Question::Replay(replay) => replay::run(replay, output),
        Question::Verify(verify) => verify::run(verify, output),
    }
}

/// Requirements, read as far as possible.
struct Loaded {
    name: String,
    text: String,
    document: Document,
    system: Option<Dfrs>,
    diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    fn read(source: &Source) -> Result<Loaded, String> {
        let text = file(&source.file)?;
        let document = dfrs::read(&text);
        let dictionary = match &source.dictionary {
            None => None,
            Some(path) => {
                let words = file(path)?;
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
            for diagnostic in &self.diagnostics {
                tell(render::document(&self.name, &self.text, diagnostic));
            }
        }
        self.system.as_ref()
    }

    fn outcome(&self) -> Outcome {
        let errors = self.diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
        if errors { Outcome::Findings } else { Outcome::Fine }
    }

    /// What programs read if there is no system.
    fn failed(&self, output: Output) -> Result<Outcome, String> {
        json::write(&[json!({ "diagnostics": json::diagnostics(&self.diagnostics) })], output, false)?;
        Ok(Outcome::Findings)
    }
}

/// A text file, or standard input.
fn file(path: &Path) -> Result<String, String> {
    let bytes = match path.as_os_str() == "-" {
        true => input::standard_input()?,
        false => std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?,
    };
    String::from_utf8(bytes).map_err(|error| {
        format!("{}: byte {} is not UTF-8", path.display(), error.utf8_error().valid_up_to())
    })
}

impl Meaning {
    fn semantics(self) -> Semantics {
        let reading = self.semantics.reading();
        Semantics { reading, clock: if self.dense { Clock::Dense } else { Clock::Discrete } }
    }
}

impl Letter {
    fn reading(self) -> Reading {
        match self {
            Letter::A => Reading::Literal,
            Letter::B => Reading::Current,
            Letter::C => Reading::Synchronous,
        }
    }
}

/// Values of variables as an object.
fn named<'v>(system: &Dfrs, values: impl IntoIterator<Item = (usize, &'v Value)>) -> Json {
    let twin =
        |(variable, value): (usize, &Value)| (system.variables[variable].name.clone(), json::cell(value));
    Json::Object(values.into_iter().map(twin).collect())
}

/// The ids of the requirements of entries.
fn fired(system: &Dfrs, fired: &[usize]) -> Vec<String> {
    let id = |&entry: &usize| {
        let entry = dfrs::step::entries(system).nth(entry)?;
        Some(system.requirements[entry.requirement].id.clone())
    };
    fired.iter().filter_map(id).collect()
}
