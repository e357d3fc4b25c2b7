//! One module per command, and what they share: reading a sentence as far as it can be read.

pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod formalize;
pub(crate) mod vectors;

use crate::input::Given;
use crate::{Outcome, render};
use logic::Store;
use requirement::{Context, Fields, Lowered, lower};
use syntax::fretish::{Sentence, parse};
use syntax::{Diagnostic, Severity};

/// A sentence with everything that is known about it.
pub(crate) struct Reading {
    pub(crate) text: String,
    pub(crate) store: Store,
    pub(crate) fields: Fields,
    pub(crate) lowered: Lowered,
}

impl Reading {
    pub(crate) fn of(given: &Given, context: &Context) -> Reading {
        let mut store = Store::default();
        let parse = parse(&given.text);
        let mut lowered = lower(&mut store, &parse, context);
        if let Some(damage) = &given.damage {
            lowered.requirement = None;
            lowered.diagnostics.insert(0, damage.clone());
        }
        let fields = Fields::of(Sentence::of(&parse.tree));
        Reading { text: given.text.clone(), store, fields, lowered }
    }

    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.lowered.diagnostics
    }

    /// Findings if there are errors.
    pub(crate) fn outcome(&self) -> Outcome {
        let errors = self.diagnostics().iter().any(|d| d.severity() == Severity::Error);
        if errors { Outcome::Findings } else { Outcome::Fine }
    }

    /// Writes the diagnostics to stderr.
    pub(crate) fn complain(&self) {
        for diagnostic in self.diagnostics() {
            anstream::eprintln!("{}", render::diagnostic(&self.text, diagnostic));
        }
    }
}
