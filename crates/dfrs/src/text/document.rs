//! A set of requirements as plain text: sentences, each with an optional id (`REQ001: When …`), and comments (`# …`).
//!
//! A sentence ends with its line if a period ends the line or if the next line begins another sentence; blank lines and comments end it too.
//! Requirements without an id are numbered. Spans of diagnostics are bytes of the whole text; spans in frames and systems are bytes
//! of the sentence.

use crate::codes;
use crate::frames::Frame;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::sysreq::{self, Form, Sentence as View};
use syntax::{Diagnostic, Parse, Severity, Span};

/// A text of requirements, read.
#[derive(Debug, Clone)]
pub struct Document {
    /// The sentences, in order.
    pub sentences: Vec<Sentence>,
    /// What is wrong with the sentences and ids, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// One sentence of a document.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// Its id: the given one, or a number by its form: `REQ001`, `ENV001`, `INIT001`.
    pub id: String,
    /// What it is.
    pub form: Form,
    /// Where its text begins in the document.
    pub offset: usize,
    /// Its text, without the id, and its tree.
    pub parse: Parse,
    /// Its frame, if it has no errors.
    pub frame: Option<Frame>,
}

impl Sentence {
    /// Its text, without the id.
    pub fn text(&self) -> &str {
        self.parse.tree.text()
    }

    /// A place in the sentence as a place in the document.
    pub fn place(&self, span: &std::ops::Range<usize>) -> Span {
        Span::new((self.offset + span.start) as u32, (self.offset + span.end) as u32)
    }
}

/// Reads a document. Never fails: what is wrong is in the diagnostics.
pub fn read(text: &str) -> Document {
    let mut diagnostics = Vec::new();
    let mut sentences = Vec::new();
    let mut given: Vec<Option<&str>> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for (start, end) in pieces(text) {
        let piece = &text[start..end];
        let (id, skipped) = split_id(piece).map_or((None, 0), |(id, rest)| (Some(id), rest));
        if let Some(id) = id {
            let first = *places.entry(id).or_insert(sentences.len());
            if first < sentences.len() {
                let span = Span::new(start as u32, (start + id.len()) as u32);
                let message = format!("the id `{id}` is given twice");
                let hint = format!("choose another id: sentence {} has this one", first + 1);
                diagnostics.push(Diagnostic::new(codes::DUPLICATE_ID, span, message, hint));
            }
        }
        let offset = start + skipped;
        let parse = sysreq::parse(&text[offset..end]);
        let mut failed = false;
        for found in &parse.diagnostics {
            failed |= found.severity() == Severity::Error;
            let shifted = |at: u32| at.saturating_add(offset as u32);
            let place = |span: Span| Span::new(shifted(span.start), shifted(span.end));
            diagnostics.push(found.clone().moved(place));
        }
        let frame = Frame::of(&parse);
        if frame.is_none() && !failed {
            let message = "a number in this sentence has too many digits";
            let span = Span::new(offset as u32, end as u32);
            diagnostics.push(Diagnostic::new(syntax::codes::TOO_LARGE, span, message, "round it"));
        }
        let form = View::of(&parse.tree).form;
        sentences.push(Sentence { id: String::new(), form, offset, parse, frame });
        given.push(id);
    }
    number(&mut sentences, &given);
    Document { sentences, diagnostics }
}

/// Gives ids to sentences: the given one, or the next number that is free.
fn number(sentences: &mut [Sentence], given: &[Option<&str>]) {
    let mut counts = [0usize; 3];
    let taken: FxHashSet<&str> = given.iter().copied().flatten().collect();
    for (sentence, id) in sentences.iter_mut().zip(given) {
        let (slot, prefix) = match sentence.form {
            Form::Requirement => (0, "REQ"),
            Form::Environment => (1, "ENV"),
            Form::Initial => (2, "INIT"),
        };
        counts[slot] += 1;
        sentence.id = match id {
            Some(id) => id.to_string(),
            None => loop {
                let numbered = format!("{prefix}{:03}", counts[slot]);
                if !taken.contains(numbered.as_str()) {
                    break numbered;
                }
                counts[slot] += 1;
            },
        };
    }
}

/// The lines of a text without white space around them, each with its first byte.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let from = start + (line.len() - line.trim_start().len());
        start += line.len();
        (from, line.trim())
    })
}

/// The bytes of each sentence with its id, without white space around them.
fn pieces(text: &str) -> Vec<(usize, usize)> {
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    let (mut open, mut complete) = (false, false);
    for (from, solid) in lines(text) {
        if solid.is_empty() || solid.starts_with('#') {
            open = false;
            continue;
        }
        let to = from + solid.len();
        match pieces.last_mut() {
            Some(last) if open && !begins_sentence(solid, complete) => last.1 = to,
            _ => {
                pieces.push((from, to));
                complete = false;
            }
        }
        complete |= solid.split(|c: char| !c.is_alphanumeric()).any(|word| {
            ["shall", "never", "cannot", "initially"].iter().any(|known| known.eq_ignore_ascii_case(word))
        });
        open = !solid.ends_with('.');
    }
    pieces
}

/// Whether a line begins a sentence although no period ends what comes before it, which may be complete.
fn begins_sentence(line: &str, complete: bool) -> bool {
    split_id(line).is_some() || complete && line.starts_with(char::is_uppercase)
}

/// The id at the start of a sentence, and where the sentence itself begins.
fn split_id(piece: &str) -> Option<(&str, usize)> {
    let end = piece.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))?;
    let id = &piece[..end];
    let rest = piece[end..].trim_start().strip_prefix(':')?;
    let is_id = id.starts_with(char::is_alphanumeric) && !id.eq_ignore_ascii_case("shall");
    is_id.then(|| (id, piece.len() - rest.trim_start().len()))
}
