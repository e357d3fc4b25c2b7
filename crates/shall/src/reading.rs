//! Sentences and formulas from the command line, read as far as they can be read.

use crate::around::{Asked, Sources};
use crate::cli::Known;
use crate::files::{is_standard, read_bytes};
use crate::{Error, Outcome, render, tell};
use check::Subject;
use logic::Store;
use requirement::witness::Types;
use requirement::{
    Condition, Context, Field, Fields, Lowered, Requirement, Scope, Sorts, Step, Timing, lower, lower_formula,
};
use std::path::Path;
use syntax::fretish::{Sentence, Unit, parse};
use syntax::{Diagnostic, Severity, Span};

/// A sentence as it was given; `damage` tells of bytes that are not text.
#[derive(Clone)]
pub(crate) struct Given {
    pub(crate) text: String,
    damage: Option<Diagnostic>,
}

impl Given {
    pub(crate) fn of(text: &str) -> Given {
        Given { text: text.to_string(), damage: None }
    }
}

/// Whether a text is a sentence: it contains the word `shall`.
pub(crate) fn is_sentence(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("shall"))
}

/// The texts, and whether they came as a list on standard input.
pub(crate) fn given(texts: &[String]) -> Result<(Vec<Given>, bool), Error> {
    if let [text] = texts
        && is_standard(Path::new(text))
    {
        return Ok((lines(&read_bytes(Path::new(text))?), true));
    }
    if texts.iter().any(|text| text == "-") {
        let reason = "`-` reads everything from standard input and cannot be combined with other texts";
        return Err(Error::usage(reason));
    }
    Ok((texts.iter().map(|text| Given::of(text)).collect(), false))
}

impl Known {
    /// Step and constants.
    pub(crate) fn context(&self) -> Result<Context, Error> {
        let step = self.step.as_deref().map(Step::parse).transpose();
        let step = step.map_err(|error| Error::input("--step", error))?;
        let mut context = Context { step, ..Context::default() };
        for constant in &self.constants {
            let parts = constant.split_once('=').map(|(name, number)| (name.trim(), number.trim()));
            let Some((name, Some(number))) = parts
                .filter(|(name, _)| !name.is_empty())
                .map(|(name, number)| (name, logic::parse_decimal(number)))
            else {
                let reason = format!("`{constant}` is not of the form NAME=NUMBER");
                return Err(Error::input("--const", reason));
            };
            context.constants.insert(name.to_string(), number);
        }
        Ok(context)
    }
}

/// One sentence per line; empty lines are skipped.
pub(crate) fn lines(bytes: &[u8]) -> Vec<Given> {
    let lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter(|line| !line.iter().all(u8::is_ascii_whitespace)).map(line).collect()
}

fn line(line: &[u8]) -> Given {
    match std::str::from_utf8(line) {
        Ok(text) => Given::of(text),
        Err(error) => {
            let text = String::from_utf8_lossy(line).into_owned();
            let at = error.valid_up_to();
            let span = Span::new(at as u32, (at + char::REPLACEMENT_CHARACTER.len_utf8()) as u32);
            let message = format!("byte {at} of this line is not UTF-8");
            let damage = Diagnostic::new(syntax::codes::NOT_UTF8, span, message, "save the file as UTF-8");
            Given { text, damage: Some(damage) }
        }
    }
}

/// A sentence with everything that is known about it.
pub(crate) struct Reading {
    /// The id, if it is a requirement of a project.
    pub(crate) id: Option<String>,
    pub(crate) text: String,
    pub(crate) store: Store,
    pub(crate) fields: Fields,
    pub(crate) lowered: Lowered,
    /// The types that the project declares for the variables of the component.
    pub(crate) types: Types,
}

/// Reads a sentence.
fn read(store: &mut Store, text: &str, context: &Context) -> (Fields, Lowered) {
    let parse = parse(text);
    (Fields::of(Sentence::of(&parse.tree)), lower(store, &parse, context))
}

impl Reading {
    pub(crate) fn of(given: Given, context: &Context) -> Reading {
        Reading::within(Store::default(), given, context)
    }

    /// Reads a sentence into a store that may contain others.
    pub(crate) fn within(mut store: Store, Given { text, damage }: Given, context: &Context) -> Reading {
        let (fields, mut lowered) = read(&mut store, &text, context);
        if let Some(damage) = damage {
            lowered.requirement = None;
            lowered.diagnostics.insert(0, damage);
        }
        Reading { id: None, text, store, fields, lowered, types: Types::default() }
    }

    /// Reads a formula that must hold at every step, as the response of a requirement that always applies.
    pub(crate) fn formula(mut store: Store, text: &str, context: &Context) -> Reading {
        let (formula, diagnostics) = lower_formula(&mut store, &syntax::formula::parse(text), context);
        let requirement = formula.map(|response| Requirement {
            scope: Scope::Global,
            condition: Condition::Null,
            component: String::new(),
            timing: Timing::Always,
            response,
            predicates: Vec::new(),
        });
        let response = Field { text: one_line(text), span: Span::new(0, text.len() as u32) };
        let fields = Fields { response: Some(response), ..Fields::default() };
        let lowered = Lowered { key: None, requirement, sorts: Sorts::default(), unit: None, diagnostics };
        Reading { id: None, text: text.to_owned(), store, fields, lowered, types: Types::default() }
    }

    /// The sentence on one line, after its id if it has one.
    pub(crate) fn title(&self) -> String {
        match &self.id {
            None => self.text.trim().to_owned(),
            Some(id) => format!("{id}: {}", one_line(&self.text)),
        }
    }

    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.lowered.diagnostics
    }

    /// Findings if there are errors.
    pub(crate) fn outcome(&self) -> Outcome {
        let errors = self.diagnostics().iter().any(|d| d.severity() == Severity::Error);
        if errors { Outcome::Findings } else { Outcome::Fine }
    }

    /// Whether it is a text in quotes: nothing is wrong with it, and it has no formal meaning.
    pub(crate) fn is_note(&self) -> bool {
        self.outcome() == Outcome::Fine
            && self.diagnostics().iter().any(|d| d.code == requirement::codes::FREEFORM)
    }

    /// The diagnostics for people.
    pub(crate) fn complaints(&self) -> String {
        complaints(&self.text, self.diagnostics())
    }
}

/// A text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn complaints(text: &str, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|found| render::diagnostic(text, found)).collect::<Vec<_>>().join("\n")
}

/// A sentence or a temporal formula. A text with the word `shall` is a sentence, any other a formula.
pub(crate) struct Side {
    /// What it is called: the text as it was given, or the id and the sentence of a requirement.
    pub(crate) text: String,
    /// The text that diagnostics are about.
    complained: String,
    pub(crate) subject: Option<Subject>,
    pub(crate) fields: Option<Fields>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Side {
    /// Reads what was asked; the definitions of the project are part of a requirement's meaning.
    pub(crate) fn of(
        store: &mut Store,
        sources: &Sources,
        asked: Asked,
        context: &Context,
    ) -> Result<Side, Error> {
        let place = match asked {
            Asked::Text(given) => return Ok(Side::read(store, &given.text, context)),
            Asked::Requirement(place) => place,
        };
        let (fields, lowered) = sources.lowered(store, place, context, &|_| false)?;
        let text = format!("{}: {}", sources.id(place), one_line(sources.sentence(place)));
        Ok(Side {
            text,
            complained: sources.sentence(place).to_owned(),
            subject: lowered.requirement.map(Subject::Requirement),
            fields: Some(fields),
            diagnostics: lowered.diagnostics,
        })
    }

    fn read(store: &mut Store, text: &str, context: &Context) -> Side {
        let (subject, fields, diagnostics) = if is_sentence(text) {
            let (fields, lowered) = read(store, text, context);
            (lowered.requirement.map(Subject::Requirement), Some(fields), lowered.diagnostics)
        } else {
            let (formula, diagnostics) = lower_formula(store, &syntax::formula::parse(text), context);
            (formula.map(Subject::Formula), None, diagnostics)
        };
        let (complained, text) = (text.to_string(), text.to_string());
        Side { text, complained, subject, fields, diagnostics }
    }

    /// Writes the diagnostics to standard error.
    pub(crate) fn complain(&self) {
        if !self.diagnostics.is_empty() {
            tell(complaints(&self.complained, &self.diagnostics));
        }
    }
}

/// The unit of time that sentences share: as long as the length of a step is not known, one unit is one step.
#[derive(Default)]
pub(crate) struct SharedUnit(Option<Unit>);

impl SharedUnit {
    /// Refuses a sentence whose duration is in another unit than those before it.
    pub(crate) fn admit(&mut self, reading: &mut Reading) {
        let Some(unit) = reading.lowered.unit else { return };
        let shared = *self.0.get_or_insert(unit);
        if let Some(duration) = reading.fields.duration.as_ref().filter(|_| unit != shared) {
            let message = format!(
                "this duration is in {}, but an earlier one is in {}, and the length of a step is not set",
                unit.plural(),
                shared.plural()
            );
            let hint = "set the length of a step: `--step \"100 ms\"`";
            let clash = Diagnostic::new(requirement::codes::MIXED_UNITS, duration.span, message, hint);
            let Lowered { requirement, diagnostics, .. } = &mut reading.lowered;
            *requirement = None;
            // It is not read as steps after all.
            diagnostics.retain(|diagnostic| diagnostic.code != requirement::codes::UNITS_AS_STEPS);
            diagnostics.push(clash);
            diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
        }
    }
}
