//! Conditions: `the voltage is not lower than 80`, `the lever changes from left to idle`, `the mode becomes high`, and after an `or`
//! only the value, if the subject and the verb are the same.

use super::key::{Key, at_key, eat_key, key};
use super::phrase::{
    clause_length, comparative_hint, consequence_at, ends_clause, find_symbol, found_at, noun_phrase, symbol,
    value, value_length, verb_at,
};
use crate::codes;
use crate::parser::Parser;
use crate::{Hint, Kind, nearest};

const VERBS: &str =
    "the verbs of conditions are `is`, `was`, `changes to`, `changes from … to` and `becomes`";

/// Conditions with `or` between them.
pub(super) fn disjunction(p: &mut Parser) {
    let node = p.open(Kind::Disjunction);
    let mut negated = condition(p);
    loop {
        let comma = p.at(Kind::Comma) && key(p, 1) == Some(Key::Or);
        if comma {
            let span = p.span().to(p.span_at(1));
            let hint = "write `or` without a comma; `or` binds more tightly than `, and`: `a, and b or c` is `a, and (b or c)`";
            p.report(codes::COMMA_OR, span, "unexpected comma before `or`", hint);
            p.bump();
        }
        if !eat_key(p, Key::Or) {
            break;
        }
        let elided = verb_at(p, 0).is_none()
            && (!at_key(p, Key::Article) || ends_clause(p, 1))
            && value_length(p, None) > 0;
        negated = if elided { same_subject(p, negated) } else { condition(p) };
    }
    p.close(&node);
}

/// Parses one condition; returns whether it contains `not`.
pub(super) fn condition(p: &mut Parser) -> bool {
    let node = p.open(Kind::Comparison);
    let negated = match verb_at(p, 0) {
        Some(words) => {
            noun_phrase(p, Kind::NounPhrase, words, "the subject of the condition");
            predicate(p)
        }
        None => {
            no_verb(p);
            false
        }
    };
    p.close(&node);
    negated
}

/// Parses a verb and what follows it; returns whether it contains `not`.
pub(super) fn predicate(p: &mut Parser) -> bool {
    let verb = key(p, 0);
    let node = p.open(Kind::Verb);
    p.bump();
    p.close(&node);
    match verb {
        Some(Key::Changes | Key::Change) => change(p),
        _ => complement(p),
    }
}

/// After `or`: a comparison or value with the subject and verb of the condition before.
fn same_subject(p: &mut Parser, negated: bool) -> bool {
    let node = p.open(Kind::Comparison);
    if negated {
        let length = value_length(p, None).max(1);
        let span = p.span().to(p.span_at(length - 1));
        let text = p.text_of(span);
        let message = format!(
            "`not … or {text}` has two readings: neither of the two; or not the first, or else {text}"
        );
        let hint = "repeat the subject and the verb: `, and the … is not …` for the first, `or the … is …` for the second";
        p.report(codes::AMBIGUOUS, span, message, hint);
    }
    complement(p);
    p.close(&node);
    negated
}

/// `from x to y` or `to y`
fn change(p: &mut Parser) -> bool {
    let start = p.position();
    if eat_key(p, Key::From) {
        let length = value_length(p, Some(Key::To));
        value(p, Kind::FromValue, length);
    }
    if eat_key(p, Key::To) {
        return complement(p);
    }
    let message = format!("expected `to` and a value after `changes`, found {}", found_at(p, 0));
    let code = if ends_clause(p, 0) { codes::MISSING_VALUE } else { codes::UNEXPECTED };
    let hint = "write `changes to y` or `changes from x to y`";
    p.report(code, p.span(), message, hint);
    if p.position() == start && !ends_clause(p, 0) {
        complement(p);
    }
    false
}

/// `not`, a comparison, and a value; returns whether it contains `not`.
pub(super) fn complement(p: &mut Parser) -> bool {
    let negated = at_key(p, Key::Not);
    let words = usize::from(negated) + comparative_length(p, usize::from(negated));
    if words > 0 {
        let node = p.open(Kind::Modifier);
        p.bump_by(words);
        p.close(&node);
    }
    slip_of_comparative(p);
    let length = value_length(p, None);
    value(p, Kind::Value, length);
    negated
}

/// The number of tokens of the comparison that starts there.
fn comparative_length(p: &Parser, from: usize) -> usize {
    match (key(p, from), key(p, from + 1)) {
        (Some(Key::Greater | Key::Lower), Some(Key::Than)) => {
            let or_equal = [Key::Or, Key::Equal, Key::To];
            let equal = (0..3).all(|k| key(p, from + 2 + k) == Some(or_equal[k]));
            if equal { 5 } else { 2 }
        }
        (Some(Key::Equal), Some(Key::To)) | (Some(Key::Different), Some(Key::From)) => 2,
        _ if at_bound(p, from) => 2,
        _ => 0,
    }
}

/// `at least 5`, `at most 5`
fn at_bound(p: &Parser, from: usize) -> bool {
    let bound = ["least", "most"].iter().any(|word| word.eq_ignore_ascii_case(p.text_at(from + 1)));
    let number = p.kind(from + 2) == Some(Kind::Number)
        || p.kind(from + 2) == Some(Kind::Minus) && p.kind(from + 3) == Some(Kind::Number);
    p.text_at(from).eq_ignore_ascii_case("at") && bound && number
}

/// Reports an invalid comparison: `grater than 5`, `greater then 5`, `greater 5`, `greater or equal to 5`.
fn slip_of_comparative(p: &mut Parser) {
    let numeric = |ahead: usize| matches!(p.kind(ahead), Some(Kind::Number | Kind::Minus));
    let misspelt = key(p, 0).is_none()
        && p.kind(0) == Some(Kind::Name)
        && matches!(key(p, 1), Some(Key::Than | Key::Then))
        || key(p, 0).is_none() && key(p, 1) == Some(Key::To) && nearest(p.current(), ["equal"]).is_some();
    let mut words = match (key(p, 0), key(p, 1)) {
        _ if misspelt => 2,
        (Some(Key::Greater | Key::Lower), Some(Key::Then | Key::To)) => 2,
        (Some(Key::Greater | Key::Lower), Some(Key::Or)) if key(p, 2) == Some(Key::Equal) => 3,
        (Some(Key::Equal), Some(Key::Or)) if matches!(key(p, 2), Some(Key::Greater | Key::Lower)) => 3,
        (Some(Key::Greater | Key::Lower | Key::Equal | Key::Different), _) if numeric(1) => 1,
        (Some(Key::Equal | Key::Different), Some(Key::Than | Key::Then)) => 2,
        // After a valid comparison: `greater than or equal 5`.
        (Some(Key::Or), Some(Key::Equal)) => 2,
        _ => return,
    };
    while matches!(key(p, words), Some(Key::To | Key::Than | Key::Then | Key::Or | Key::Equal)) {
        words += 1;
    }
    let span = p.span().to(p.span_at(words - 1));
    if words > 2 || key(p, 0) == Some(Key::Or) {
        let text = p.text_of(span);
        let lower = text.split_whitespace().any(|word| Key::of(word) == Some(Key::Lower));
        let meant = match (key(p, 0), lower) {
            (Some(Key::Or), _) => "or equal to",
            (_, true) => "lower than or equal to",
            (_, false) => "greater than or equal to",
        };
        let hint = Hint::did_you_mean(meant);
        p.report(codes::BAD_COMPARATIVE, span, format!("`{text}` is not a comparison"), hint);
    } else {
        comparative_hint(p, span);
    }
    p.skip(words);
}

/// Reports a condition without a verb, and skips it.
fn no_verb(p: &mut Parser) {
    let length = clause_length(p);
    let agent = |&ahead: &usize| key(p, ahead) == Some(Key::Article) && consequence_at(p, ahead).is_some();
    let length = (0..length).rev().take(40).find(agent).unwrap_or(length);
    if length == 0 {
        let message = format!("a condition is missing before {}", found_at(p, 0));
        let hint = "write a condition such as `the system mode is idle`";
        p.report(codes::MISSING_VERB, p.span(), message, hint);
        return;
    }
    let slip = (1..length).take(40).find_map(|ahead| {
        let known = nearest(p.text_at(ahead), ["changes", "becomes", "were"])?;
        Some((ahead, known))
    });
    let span = p.span().to(p.span_at(length - 1));
    let text = p.text_of(span);
    let sign = find_symbol(p, length);
    match slip {
        _ if sign.is_some() => symbol(p, sign.unwrap_or(0)),
        _ if text.contains("n't") || text.contains("n’t") => {
            let message = format!("the condition `{}` has no verb", short(text));
            p.report(codes::MISSING_VERB, span, message, "write `is not` or `was not`");
        }
        Some((ahead, known)) => {
            let message = format!("{} is not the verb of a condition", found_at(p, ahead));
            p.report(codes::MISSING_VERB, p.span_at(ahead), message, Hint::did_you_mean(known));
        }
        None => {
            let message = format!("the condition `{}` has no verb", short(text));
            p.report(codes::MISSING_VERB, span, message, VERBS);
        }
    }
    p.skip(length);
}

/// A text short enough for a message, on one line.
pub(super) fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= 60 { text } else { text.chars().take(57).chain("...".chars()).collect() }
}
