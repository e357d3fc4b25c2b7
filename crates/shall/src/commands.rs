//! One module per command, and what they share: reading a sentence as far as it can be read.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod dfrs;
pub(crate) mod diff;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod formalize;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod lint;
pub(crate) mod lsp;
pub(crate) mod model;
pub(crate) mod rename;
pub(crate) mod report;
pub(crate) mod rule;
pub(crate) mod schema;
mod side;
pub(crate) mod simulate;
mod source;
pub(crate) mod timeline;
pub(crate) mod vectors;
pub(crate) mod verify;

use crate::input::Given;
use crate::{Outcome, render, tell};
use logic::Store;
use requirement::{Context, Fields, Lowered, lower};
use syntax::fretish::{Sentence, Unit, parse};
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

    /// Whether it is a text in quotes: nothing is wrong with it, and it means nothing.
    pub(crate) fn is_note(&self) -> bool {
        self.outcome() == Outcome::Fine
            && self.diagnostics().iter().any(|d| d.code == requirement::codes::FREEFORM)
    }

    /// Writes the diagnostics to stderr.
    pub(crate) fn complain(&self) {
        for diagnostic in self.diagnostics() {
            tell(render::diagnostic(&self.text, diagnostic));
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
            // It does not count as steps after all.
            diagnostics.retain(|diagnostic| diagnostic.code != requirement::codes::UNITS_AS_STEPS);
            diagnostics.push(clash);
            diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
        }
    }
}
