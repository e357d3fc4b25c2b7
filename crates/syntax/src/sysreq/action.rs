//! Actions: `assign v to x`, `reset t`, `set x to v`, `add v to x`, `increase x by v`; several are listed with commas.
//!
//! If `to` occurs more than once, the one before an article separates the value from the variable; if that does not decide, the
//! sentence is ambiguous and is rejected.

use super::condition::short;
use super::key::{Key, at_key, eat_key, key};
use super::phrase::{clause_length, consequence_at, eat_comma, found_at, noun_phrase, value};
use crate::codes;
use crate::parser::Parser;
use crate::{Hint, Kind, nearest};

/// The verb of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionVerb {
    /// `assign v to x`
    Assign,
    /// `reset t`
    Reset,
    /// `set x to v`, `change x to v`
    Set,
    /// `add v to x`
    Add,
    /// `subtract v from x`
    Subtract,
    /// `increase x by v`
    Increase,
    /// `decrease x by v`
    Decrease,
}

const VERBS: &[(&str, ActionVerb)] = &[
    ("assign", ActionVerb::Assign),
    ("reset", ActionVerb::Reset),
    ("set", ActionVerb::Set),
    ("change", ActionVerb::Set),
    ("add", ActionVerb::Add),
    ("subtract", ActionVerb::Subtract),
    ("increase", ActionVerb::Increase),
    ("decrease", ActionVerb::Decrease),
];

const FORMS: &str = "`assign v to x`, `reset t`, `set x to v`, `change x to v`, `add v to x`, `subtract v from x`, `increase x by v`, `decrease x by v`";

impl ActionVerb {
    /// The verb that a text spells.
    pub(super) fn of(text: &str) -> Option<ActionVerb> {
        VERBS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|&(_, verb)| verb)
    }

    /// The keyword between the parts, and whether the value comes first.
    fn parts(self) -> Option<(Key, bool)> {
        match self {
            ActionVerb::Assign | ActionVerb::Add => Some((Key::To, true)),
            ActionVerb::Subtract => Some((Key::From, true)),
            ActionVerb::Set => Some((Key::To, false)),
            ActionVerb::Increase | ActionVerb::Decrease => Some((Key::By, false)),
            ActionVerb::Reset => None,
        }
    }

    fn form(self) -> &'static str {
        match self {
            ActionVerb::Assign => "assign idle to the system mode",
            ActionVerb::Reset => "reset the request timer",
            ActionVerb::Set => "set the system mode to idle",
            ActionVerb::Add => "add 1 to the counter",
            ActionVerb::Subtract => "subtract 1 from the counter",
            ActionVerb::Increase => "increase the counter by 1",
            ActionVerb::Decrease => "decrease the counter by 1",
        }
    }
}

/// The actions after `shall`.
pub(super) fn actions(p: &mut Parser) {
    if at_key(p, Key::Not) {
        let hint = "write what the component does instead, or leave the case to other requirements";
        p.report(codes::UNEXPECTED, p.span(), "`shall not` does not name an action", hint);
        p.skip_one();
    }
    p.eat(Kind::Colon);
    loop {
        action(p);
        let comma = eat_comma(p);
        let and = eat_key(p, Key::And);
        if !(comma || and) || p.at_end() {
            break;
        }
    }
}

fn action(p: &mut Parser) {
    let node = p.open(Kind::Action);
    match ActionVerb::of(p.current()) {
        Some(verb) => {
            let head = p.open(Kind::Verb);
            p.bump();
            p.close(&head);
            let length = clause_length(p);
            let next = (2..length).find(|&ahead| {
                ActionVerb::of(p.text_at(ahead))
                    .is_some_and(|verb| verb == ActionVerb::Assign || key(p, ahead + 1) == Some(Key::Article))
            });
            if let Some(next) = next {
                let message = format!("a comma is missing before {}", found_at(p, next));
                p.report(codes::MISSING_COMMA, p.span_at(next), message, "separate actions with commas");
                p.skip(length);
                p.close(&node);
                return;
            }
            match verb.parts() {
                None => reset(p),
                Some((separator, value_first)) => assignment(p, verb, separator, value_first),
            }
        }
        None => unknown_verb(p),
    }
    p.close(&node);
}

fn reset(p: &mut Parser) {
    let length = clause_length(p);
    if let Some(to) = (0..length).find(|&ahead| key(p, ahead) == Some(Key::To)) {
        let span = p.span_at(to).to(p.span_at(length - 1));
        let hint = "write `reset` for a timer, without a value; `set the counter to 0` for another variable";
        p.report(codes::UNEXPECTED, span, "`reset` takes no value", hint);
        noun_phrase(p, Kind::NounPhrase, to, "the timer");
        p.skip(length - to);
    } else {
        noun_phrase(p, Kind::NounPhrase, length, "the timer");
    }
}

fn assignment(p: &mut Parser, verb: ActionVerb, separator: Key, value_first: bool) {
    let length = clause_length(p);
    let Some(split) = separation(p, length, separator, value_first) else {
        let separator = match separator {
            Key::From => "from",
            Key::By => "by",
            _ => "to",
        };
        let message = format!("`{separator}` is missing before {}", found_at(p, length));
        p.report(codes::INCOMPLETE_ACTION, p.span_at(length), message, format!("write `{}`", verb.form()));
        p.skip(length);
        return;
    };
    let rest = length - split - 1;
    if value_first {
        value(p, Kind::Value, split);
        p.bump();
        noun_phrase(p, Kind::NounPhrase, rest, "the variable");
    } else {
        if let Some(from) = (0..split).find(|&ahead| key(p, ahead) == Some(Key::From)) {
            let span = p.span_at(from).to(p.span_at(split - 1));
            let hint = "write the old value in a condition";
            p.report(codes::UNEXPECTED, span, "an action has only the new value", hint);
        }
        noun_phrase(p, Kind::NounPhrase, split, "the variable");
        p.bump();
        value(p, Kind::Value, rest);
    }
}

/// The position of the `to`, `from` or `by` that separates the value from the variable.
fn separation(p: &mut Parser, length: usize, separator: Key, value_first: bool) -> Option<usize> {
    let all: Vec<usize> = (0..length).filter(|&ahead| key(p, ahead) == Some(separator)).collect();
    let (&first, &last) = (all.first()?, all.last()?);
    if all.len() == 1 {
        return Some(first);
    }
    let before_article = |&&at: &&usize| value_first && key(p, at + 1) == Some(Key::Article);
    let mut marked = all.iter().filter(before_article);
    if let (Some(&only), None) = (marked.next(), marked.next()) {
        return Some(only);
    }
    let reading = |p: &Parser, at: usize| {
        let part = |from: usize, to: usize| {
            if from < to { short(p.text_of(p.span_at(from).to(p.span_at(to - 1)))) } else { String::new() }
        };
        let (one, other) = (part(0, at), part(at + 1, length));
        let (variable, value) = if value_first { (other, one) } else { (one, other) };
        format!("`{variable}` gets `{value}`")
    };
    let span = p.span().to(p.span_at(length - 1));
    let message = format!("two readings: {}; or {}", reading(p, first), reading(p, last));
    let hint = "write the name or the value in quotes: `set the 'time to live' to 5`";
    p.report(codes::AMBIGUOUS, span, message, hint);
    Some(last)
}

fn unknown_verb(p: &mut Parser) {
    let length = clause_length(p);
    let word = p.current();
    if consequence_at(p, 0).is_some() {
        let hint = "write two requirements, one for each component";
        p.report(codes::UNEXPECTED, p.span(), "one requirement names two components", hint);
        p.skip(usize::MAX);
        return;
    }
    if length == 0 {
        let message = format!("an action is missing before {}", found_at(p, 0));
        p.report(codes::UNKNOWN_VERB, p.span(), message, format!("the actions are {FORMS}"));
        return;
    }
    let near = nearest(word, VERBS.iter().map(|&(word, _)| word));
    let hint = Hint::near(near, || format!("the actions are {FORMS}"));
    p.report(codes::UNKNOWN_VERB, p.span(), format!("`{}` is not the verb of an action", short(word)), hint);
    p.skip(length);
}
