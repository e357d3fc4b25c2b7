//! Definitions put in for the names they define: the sentence that is left speaks of signals alone.

use crate::component::Symbol;
use crate::reading::Parsed;
use requirement::specification::Kind;
use syntax::{Severity, fretish};

/// Definitions inside definitions deeper than this are not followed.
const MAX_ROUNDS: usize = 32;

/// A sentence that grows longer than this, in bytes, by its definitions is given up.
const MAX_BYTES: usize = 1 << 16;

/// The sentence with `(definition)` for each name that has one, or why that is not possible.
pub(crate) fn expanded<'d>(
    text: &str,
    definition: &dyn Fn(&str) -> Option<&'d str>,
) -> Result<String, String> {
    let mut text = text.to_string();
    for _ in 0..MAX_ROUNDS {
        let mut inserted = false;
        for name in Parsed::of(&text).names.iter().rev().filter(|name| !name.called) {
            if let Some(definition) = definition(&name.name) {
                text.replace_range(name.span.range(), &format!("({definition})"));
                inserted = true;
            }
            if text.len() > MAX_BYTES {
                return Err(format!("with its definitions the sentence has more than {MAX_BYTES} bytes"));
            }
        }
        if !inserted {
            return Ok(text);
        }
    }
    Err("its definitions are nested too deep, or go in a circle".into())
}

/// The expression that stands for a name, if it can be read as one. Constants have numbers instead.
pub(crate) fn readable_definition(symbol: &Symbol) -> Option<&str> {
    let definition = symbol.variable.definition.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
    if symbol.variable.kind == Kind::Constant && symbol.number().is_some() {
        return None;
    }
    // In Lustre `->` is no implication.
    if words(definition).iter().any(|word| word == "pre" || word == "fby") {
        return None;
    }
    let parsed = fretish::parse(&format!("c shall always satisfy ({definition})"));
    parsed.diagnostics.iter().all(|found| found.severity() != Severity::Error).then_some(definition)
}

/// The words of a definition.
pub(crate) fn words(definition: &str) -> Vec<String> {
    let belongs = |c: char| c.is_alphanumeric() || "_.%".contains(c);
    let quoted = definition.split('"').skip(1).step_by(2).map(String::from);
    let plain = definition.split(|c| !belongs(c)).map(|word| word.trim_end_matches('.').to_string());
    plain.chain(quoted).filter(|word| !word.is_empty()).collect()
}
