//! Sentences and what is known beside them, from arguments and standard input.

use crate::cli::{Known, Sentences};
use requirement::{Context, Step};
use std::io::Read as _;
use syntax::{Diagnostic, Span};

/// The most bytes that are read from standard input.
const MAX_INPUT: u64 = 1 << 30;

/// A sentence as it was given; `damage` tells of bytes that are no text.
pub(crate) struct Given {
    pub(crate) text: String,
    pub(crate) damage: Option<Diagnostic>,
}

impl Sentences {
    /// The sentences, and whether they came as a list on standard input.
    pub(crate) fn read(&self) -> Result<(Vec<Given>, bool), String> {
        if self.sentences.len() == 1 && self.sentences[0] == "-" {
            return Ok((lines(&standard_input()?), true));
        }
        if self.sentences.iter().any(|sentence| sentence == "-") {
            return Err("`-` stands alone: it reads all sentences from standard input".into());
        }
        Ok((self.sentences.iter().map(|text| Given { text: text.clone(), damage: None }).collect(), false))
    }
}

impl Known {
    /// Step and constants.
    pub(crate) fn context(&self) -> Result<Context, String> {
        let step =
            self.step.as_deref().map(Step::parse).transpose().map_err(|error| format!("--step: {error}"))?;
        let mut context = Context { step, ..Context::default() };
        for constant in &self.constants {
            let parts = constant
                .split_once('=')
                .map(|(name, number)| (name.trim(), logic::parse_decimal(number.trim())));
            match parts {
                Some((name, Some(number))) if !name.is_empty() => {
                    context.constants.insert(name.to_string(), number)
                }
                _ => return Err(format!("--const: `{constant}` is not of the form NAME=NUMBER")),
            };
        }
        Ok(context)
    }
}

pub(crate) fn standard_input() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes);
    match read {
        Err(error) => Err(format!("standard input cannot be read: {error}")),
        Ok(_) if bytes.len() as u64 > MAX_INPUT => {
            Err(format!("standard input has more than {MAX_INPUT} bytes"))
        }
        Ok(_) => Ok(bytes),
    }
}

/// One sentence per line; empty lines are none.
pub(crate) fn lines(bytes: &[u8]) -> Vec<Given> {
    let lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter(|line| !line.iter().all(u8::is_ascii_whitespace)).map(given).collect()
}

fn given(line: &[u8]) -> Given {
    match std::str::from_utf8(line) {
        Ok(text) => Given { text: text.to_string(), damage: None },
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
