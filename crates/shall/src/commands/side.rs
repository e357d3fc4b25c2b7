//! A text that may be a sentence or a temporal formula.

use crate::{render, tell};
use check::Subject;
use logic::Store;
use requirement::{Context, Fields, lower, lower_formula};
use syntax::fretish::Sentence;
use syntax::{Diagnostic, fretish};

/// A sentence or formula, read as far as possible. A text with the word `shall` is a sentence, any other a formula.
pub(crate) struct Side {
    pub(crate) text: String,
    pub(crate) subject: Option<Subject>,
    pub(crate) fields: Option<Fields>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Side {
    pub(crate) fn read(store: &mut Store, text: &str, context: &Context) -> Side {
        let is_sentence =
            text.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("shall"));
        let text = text.to_string();
        if !is_sentence {
            let (formula, diagnostics) = lower_formula(store, &syntax::formula::parse(&text), context);
            return Side { text, subject: formula.map(Subject::Formula), fields: None, diagnostics };
        }
        let parse = fretish::parse(&text);
        let lowered = lower(store, &parse, context);
        let fields = Some(Fields::of(Sentence::of(&parse.tree)));
        Side {
            text,
            subject: lowered.requirement.map(Subject::Requirement),
            fields,
            diagnostics: lowered.diagnostics,
        }
    }

    pub(crate) fn complain(&self) {
        for diagnostic in &self.diagnostics {
            tell(render::diagnostic(&self.text, diagnostic));
        }
    }
}
