//! Reading one sentence: the entry point from text to meaning.

use crate::meaning::oracle::{Verdict, judge};
use crate::{Context, Ending, Lowered, Refusal, Requirement, future, lower, past};
use logic::{EvalError, Formula, SHALL, Store, Trace};
use std::fmt;
use syntax::{Diagnostic, Severity};

/// Reads a FRETish sentence into a store that may contain other formulas.
pub fn read(store: &mut Store, text: &str, context: &Context) -> Lowered {
    lower(store, &syntax::fretish::parse(text), context)
}

/// A sentence with a meaning: its requirement, and the store of the requirement's formulas.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// The requirement.
    pub requirement: Requirement,
    /// The store of its formulas.
    pub store: Store,
    /// Warnings about the sentence.
    pub warnings: Vec<Diagnostic>,
}

impl Sentence {
    /// Reads a FRETish sentence.
    pub fn read(text: &str) -> Result<Sentence, ReadError> {
        Sentence::read_in(text, &Context::default())
    }

    /// Reads a FRETish sentence in a context of step duration, constants and signals.
    pub fn read_in(text: &str, context: &Context) -> Result<Sentence, ReadError> {
        let mut store = Store::default();
        let Lowered { requirement, diagnostics, .. } = read(&mut store, text, context);
        match requirement {
            Some(requirement) => Ok(Sentence { requirement, store, warnings: diagnostics }),
            None => Err(ReadError { diagnostics }),
        }
    }

    /// The past-time formula: true at the last point of a finite trace on which the requirement holds.
    pub fn past(&mut self) -> Result<Formula, Refusal> {
        past(&mut self.store, &self.requirement)
    }

    /// The future-time formula: true at the first point of a trace on which the requirement holds.
    pub fn future(&mut self, ending: Ending) -> Result<Formula, Refusal> {
        future(&mut self.store, &self.requirement, ending)
    }

    /// A formula of the store as text.
    pub fn print(&self, formula: Formula) -> String {
        logic::print(&self.store, formula, &SHALL)
            .expect("what is read from a sentence can be printed in our own dialect")
    }

    /// The verdict of the definitions on a trace: whether the requirement holds, and which trigger decides it.
    pub fn judge(&self, trace: &Trace) -> Result<Verdict, EvalError> {
        judge(&self.store, &self.requirement, trace)
    }

    /// Whether the requirement holds on a trace.
    pub fn holds_on(&self, trace: &Trace) -> Result<bool, EvalError> {
        Ok(self.judge(trace)?.holds())
    }
}

/// A text that is not a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The diagnostics in the order of the text, including warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let wrong =
            self.diagnostics.iter().find(|it| it.severity() == Severity::Error).or(self.diagnostics.first());
        match wrong {
            Some(Diagnostic { code, message, hint, .. }) => write!(f, "{}: {message}; {hint}", code.id()),
            None => write!(f, "the sentence has no formal meaning"),
        }
    }
}

impl std::error::Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let error = Sentence::read(text).expect_err(text);
        assert!(error.to_string().starts_with(expected), "{error}");
    }

    #[test]
    fn what_is_not_a_requirement_is_refused_with_a_reason() {
        check("the lamp shall", "E0");
        check("\"a note\"", "W");
    }
}
