//! Requirements for programs in other languages: sentences and projects, what they mean, and their verdicts on tables in memory.
//!
//! Answers are texts for people, or the documents that `shall schema` describes.

use crate::Error;
use crate::around::{Asked, Sources};
use crate::cli::{Eval, Known, ProjectPath, Spelling, Time};
use crate::commands::eval::traces::Source;
use crate::commands::{eval, explain, formalize};
use crate::reading::{Given, Reading};
use clap::ValueEnum as _;
use record::arrow::Frame;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Requirements: one sentence, or those of a project.
#[derive(Clone)]
pub struct Requirements {
    sources: Arc<Sources>,
    asked: Vec<Asked>,
    known: Known,
}

/// A recorded trace.
pub enum Data {
    /// A table in memory.
    Frame(Frame),
    /// A file in one of the formats that `shall eval` reads.
    File(PathBuf),
}

/// How a trace is read; as the options of `shall eval`.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Variables, each with the column that it is read from.
    pub map: Vec<(String, String)>,
    /// What a step is: `stamps` if nothing is given.
    pub time: Option<String>,
}

impl Requirements {
    /// One sentence, with the length of a step, and with constants as `NAME=NUMBER`.
    ///
    /// # Errors
    /// The length or a constant cannot be read.
    pub fn sentence(text: &str, step: Option<String>, constants: Vec<String>) -> Result<Requirements, Error> {
        let known = Known { step, constants };
        known.context()?;
        let asked = vec![Asked::Text(Given::of(text))];
        Ok(Requirements { sources: Arc::new(Sources::none()), asked, known })
    }

    /// All requirements of the project around a path.
    ///
    /// # Errors
    /// There is no project, or it cannot be read.
    pub fn project(path: &Path) -> Result<Requirements, Error> {
        let around = ProjectPath { project: Some(path.to_path_buf()) };
        let sources = Sources::open(&around, [])?;
        let asked = sources.asked(&[])?;
        Ok(Requirements { sources: Arc::new(sources), asked, known: Known::default() })
    }

    /// Several together, if they come from the same project and with the same length of a step and constants.
    pub fn together(all: &[Requirements]) -> Option<Requirements> {
        let (first, rest) = all.split_first()?;
        let is_alike = |other: &Requirements| {
            let Known { step, constants } = &other.known;
            (Arc::ptr_eq(&first.sources, &other.sources) || first.is_text() && other.is_text())
                && (step, constants) == (&first.known.step, &first.known.constants)
        };
        let asked = || all.iter().flat_map(|it| it.asked.iter().cloned()).collect();
        rest.iter().all(is_alike).then(|| Requirements { asked: asked(), ..first.clone() })
    }

    fn is_text(&self) -> bool {
        self.asked.iter().all(|asked| matches!(asked, Asked::Text(_)))
    }

    /// Each of them alone.
    pub fn each(&self) -> impl Iterator<Item = Requirements> {
        self.asked.iter().map(|asked| Requirements { asked: vec![asked.clone()], ..self.clone() })
    }

    /// The id of the first one, if it has one.
    pub fn id(&self) -> Option<&str> {
        match self.asked.first()? {
            Asked::Requirement(place) => Some(self.sources.id(*place)),
            Asked::Text(_) => None,
        }
    }

    /// The sentence of the first one.
    pub fn text(&self) -> &str {
        match self.asked.first() {
            Some(Asked::Requirement(place)) => self.sources.sentence(*place),
            Some(Asked::Text(given)) => &given.text,
            None => "",
        }
    }

    /// What is wrong with the first one, for people and as documents; `None` if it has no errors.
    ///
    /// # Errors
    /// It has no sentence.
    pub fn errors(&self) -> Result<Option<(String, Value)>, Error> {
        let reading = self.reading()?;
        let is_wrong = reading.lowered.requirement.is_none() && !reading.is_note();
        let found = || serde_json::json!(crate::json::diagnostics(reading.diagnostics()));
        Ok(is_wrong.then(|| (plain(&reading.complaints()), found())))
    }

    /// What the first one means, in words, with examples.
    ///
    /// # Errors
    /// It has no sentence.
    pub fn explained(&self) -> Result<String, Error> {
        Ok(explain::text(&mut self.reading()?))
    }

    /// The picture of the first one, as SVG; `None` if it has no formal meaning.
    ///
    /// # Errors
    /// It has no sentence.
    pub fn svg(&self) -> Result<Option<String>, Error> {
        Ok(explain::answer(&mut self.reading()?).1)
    }

    /// A formula of the first one: of the logic `past`, `future` or `future_infinite`, in a dialect such as `smv`.
    ///
    /// # Errors
    /// The dialect or the logic is unknown, or there is no such formula.
    pub fn formula(&self, dialect: &str, logic: &str) -> Result<String, Error> {
        let spelling = Spelling::from_str(dialect, true)
            .map_err(|_| Error::usage(unknown("dialect", dialect, &values::<Spelling>())))?;
        let logics = ["past", "future", "future_infinite"];
        if !logics.contains(&logic) {
            return Err(Error::usage(unknown("logic", logic, &logics.map(String::from))));
        }
        let mut reading = self.reading()?;
        let document = formalize::answer(&mut reading, spelling);
        let formula = document["formulas"][logic].as_str().map(str::to_owned);
        formula.ok_or_else(|| Error::Refused(plain(&reading.complaints())))
    }

    /// The verdicts on a trace, as documents; one for each requirement.
    ///
    /// # Errors
    /// The trace cannot be read, or an option is wrong.
    pub fn check(&self, data: Data, options: &Options) -> Result<Vec<Value>, Error> {
        let time = match &options.time {
            None => Time::Stamps,
            Some(text) => Time::from_str(text, true)
                .map_err(|_| Error::usage(unknown("time", text, &values::<Time>())))?,
        };
        let source = match data {
            Data::Frame(frame) => Source::Frame(frame),
            Data::File(path) => Source::of(&path)?,
        };
        let command = Eval::all(self.known.clone(), None, options.map.clone(), time);
        eval::documents(&command, &self.sources, &self.asked, &source)
    }

    fn reading(&self) -> Result<Reading, Error> {
        let first = self.asked.first().cloned().ok_or_else(|| Error::refused("there is no requirement"))?;
        self.sources.reading(first, &self.known.context()?, &|_| true)
    }
}

/// The names of all values of an option.
fn values<T: clap::ValueEnum>() -> Vec<String> {
    let name = |value: &T| value.to_possible_value().map(|it| it.get_name().to_owned());
    T::value_variants().iter().filter_map(name).collect()
}

fn unknown(what: &str, given: &str, known: &[String]) -> String {
    format!("unknown {what} `{given}`; expected one of {}", known.join(", "))
}

/// A text without the codes of colours.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}
