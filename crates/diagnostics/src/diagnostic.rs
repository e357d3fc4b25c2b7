//! A diagnostic: what is wrong at a place, other places that it is about, a hint, and a fix.

use crate::{Code, Severity, Span};

/// What is wrong with a span of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of diagnostic it is.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// What, in one sentence that names the user's own words.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// Other places, such as the first of two declarations.
    pub related: Vec<Related>,
    /// Edits that fix it; in a box, because few diagnostics have some.
    pub fix: Option<Box<Fix>>,
}

/// Another place that a diagnostic is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Its file, if that is not the one of the diagnostic; whoever reads several files numbers them.
    pub file: Option<usize>,
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// Edits that fix a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a command: "Replace with `idle`".
    pub title: String,
    /// The file that is edited, if that is not the one of the diagnostic.
    pub file: Option<usize>,
    /// The text that replaces each span.
    pub edits: Vec<(Span, String)>,
    /// Whether it can be applied without asking.
    pub applicability: Applicability,
}

/// Whether a fix can be applied without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// It leaves no doubt about what is meant: `--fix` applies it.
    Safe,
    /// It is a guess: an editor offers it.
    Suggested,
}

/// What to do about a diagnostic: a text and, if it proposes words, the fix that writes them.
#[derive(Debug, Clone)]
pub struct Hint {
    text: String,
    /// Title, replacement and applicability of the fix.
    fix: Option<(String, String, Applicability)>,
}

impl Diagnostic {
    /// A diagnostic. The replacement that the hint proposes is its fix.
    pub fn new(code: Code, span: Span, message: impl Into<String>, hint: impl Into<Hint>) -> Diagnostic {
        let Hint { text: hint, fix } = hint.into();
        let fix = fix.filter(|_| span.start < span.end).map(|(title, text, applicability)| {
            Box::new(Fix { title, file: None, edits: vec![(span, text)], applicability })
        });
        Diagnostic { code, span, message: message.into(), hint, related: Vec::new(), fix }
    }

    /// How serious it is; the code decides.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The same about a text that holds this one: `place` gives the spans there.
    #[must_use]
    pub fn moved(mut self, place: impl Fn(Span) -> Span) -> Diagnostic {
        self.span = place(self.span);
        let related = self.related.iter_mut().filter(|other| other.file.is_none());
        related.for_each(|other| other.span = place(other.span));
        if let Some(fix) = self.fix.as_mut().filter(|fix| fix.file.is_none()) {
            fix.edits.iter_mut().for_each(|(span, _)| *span = place(*span));
        }
        self
    }
}

impl Fix {
    /// A safe fix that inserts a text into a file.
    pub fn insert(title: String, file: usize, at: u32, text: String) -> Box<Fix> {
        let edits = vec![(Span::new(at, at), text)];
        Box::new(Fix { title, file: Some(file), edits, applicability: Applicability::Safe })
    }
}

impl Hint {
    /// "did you mean `word`?", and a fix that writes the word.
    pub fn did_you_mean(word: impl Into<String>) -> Hint {
        let word = word.into();
        Hint::proposing(format!("did you mean `{word}`?"), word)
    }

    /// "replace it with `word`", and a fix that does so.
    pub fn replace_with(word: impl Into<String>) -> Hint {
        let word = word.into();
        Hint::proposing(format!("replace it with `{word}`"), word)
    }

    /// "did you mean" the word that is near, if there is one, and another hint if not.
    pub fn near(word: Option<&str>, otherwise: impl FnOnce() -> String) -> Hint {
        word.map_or_else(|| otherwise().into(), Hint::did_you_mean)
    }

    fn proposing(text: String, word: String) -> Hint {
        let title = format!("Replace with `{word}`");
        Hint { text, fix: Some((title, word, Applicability::Suggested)) }
    }

    /// The word is written like this, with quotation marks for example.
    #[must_use]
    pub fn written(self, text: impl Into<String>) -> Hint {
        Hint { fix: self.fix.map(|(title, _, applicability)| (title, text.into(), applicability)), ..self }
    }

    /// The fix leaves no doubt about what is meant.
    #[must_use]
    pub fn safe(self) -> Hint {
        Hint { fix: self.fix.map(|(title, text, _)| (title, text, Applicability::Safe)), ..self }
    }

    /// The text alone, where the word is not at the place of the diagnostic.
    #[must_use]
    pub fn without_fix(self) -> Hint {
        Hint { fix: None, ..self }
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Hint {
        Hint { text, fix: None }
    }
}

impl From<&str> for Hint {
    fn from(text: &str) -> Hint {
        text.to_string().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(unreachable_pub)]
    mod codes {
        crate::codes! {
            SLIP "W0000" "A slip.", "It happens.", "a" => "b";
        }
    }
    use codes::{CODES, SLIP};

    #[test]
    fn a_hint_that_proposes_a_word_is_a_fix() {
        let span = Span::new(2, 5);
        let found = Diagnostic::new(SLIP, span, "no `alwais`", Hint::did_you_mean("always"));
        assert_eq!((found.hint.as_str(), found.severity()), ("did you mean `always`?", Severity::Warning));
        let fix = found.fix.clone().unwrap();
        assert_eq!(fix.title, "Replace with `always`");
        assert_eq!(fix.edits, [(span, "always".to_string())]);
        assert_eq!(fix.applicability, Applicability::Suggested);
        let moved = found.moved(|span| Span::new(span.start + 10, span.end + 10));
        assert_eq!((moved.span, moved.fix.unwrap().edits[0].0), (Span::new(12, 15), Span::new(12, 15)));

        let quoted = Hint::did_you_mean("a b").written("\"a b\"").safe();
        let fix = Diagnostic::new(SLIP, span, "", quoted).fix.unwrap();
        assert_eq!((fix.title.as_str(), fix.edits[0].1.as_str()), ("Replace with `a b`", "\"a b\""));
        assert_eq!(fix.applicability, Applicability::Safe);

        let missing = Diagnostic::new(SLIP, Span::new(3, 3), "", Hint::replace_with("shall"));
        assert_eq!((missing.hint.as_str(), missing.fix), ("replace it with `shall`", None));
    }

    #[test]
    fn codes_have_names() {
        assert_eq!((SLIP.name().as_str(), format!("{SLIP:?}").as_str()), ("Slip", "W0000 SLIP"));
        assert_eq!(CODES, [SLIP]);
    }
}
