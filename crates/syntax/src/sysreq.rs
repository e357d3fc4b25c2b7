//! SysReq-CNL, the controlled English of NAT2TEST: `When C1, and C2 or C3, the A shall: a1, a2.`, with constraints on the environment
//! (`The lever never changes from left to right.`) and initial values (`Initially, the system mode is idle.`).
//!
//! The structure is fixed and the vocabulary free: keywords divide a sentence into phrases, and the position of a phrase determines
//! its role. Conditions are joined by `, and`; `or` binds more tightly. One mistake is one diagnostic, and the tree keeps every byte.
//! [`Sentence`] is the typed view of a tree.

mod action;
mod condition;
mod key;
mod phrase;
mod view;

pub use action::ActionVerb;
pub use key::is_reserved;
pub use view::{Action, Arithmetic, Comparative, Condition, Form, Operand, Phrase, Sentence, Value, Verb};

use crate::codes;
use crate::expression::found;
use crate::parser::{Language, Parser, parse as parse_with};
use crate::{Hint, Kind, Parse, Phrases, nearest};
use key::{Key, at_key, eat_key, is_modal, key};
use phrase::{clause_length, consequence_at, eat_comma, noun_phrase, skip_rest, value_length, verb_at};

const REQUIREMENT: &str = "write a requirement such as `When the system mode is idle, the pump system shall assign off to the pump.`";

/// Parses one sentence.
pub fn parse(text: &str) -> Parse {
    parse_with(text, Language::SysReq, &Phrases::default(), Kind::Requirement, |p| {
        sentence(p);
        p.eat(Kind::Dot);
        if !p.at_end() {
            let message = format!("unexpected {} after the end of the sentence", found(p));
            let hint = "write one sentence on each line, and end it with a period";
            p.report(codes::UNEXPECTED, p.span(), message, hint);
            p.skip(usize::MAX);
        }
    })
}

fn sentence(p: &mut Parser) {
    if eat_key(p, Key::Initially) {
        p.has_shall = true;
        p.eat(Kind::Comma);
        return initial(p);
    }
    let never = anywhere(p, |at| match key(p, at) {
        Some(Key::Never | Key::Cannot) => true,
        Some(Key::Can) => key(p, at + 1) == Some(Key::Not),
        _ => false,
    });
    if never && !p.has_shall {
        // Then no other word is a typo of `shall`.
        p.has_shall = true;
    } else if !p.has_shall && !anywhere(p, |at| is_modal(p, at)) {
        return no_shall(p);
    }
    match consequence_at(p, 0) {
        _ if at_key(p, Key::When) => guard(p),
        // A condition after the action is reported there.
        Some(words) if is_modal(p, words) && !anywhere(p, |at| key(p, at) == Some(Key::When)) => {
            let hint = "say when: `When …, the pump system shall …`";
            p.report(codes::UNCONDITIONAL, p.span(), "this requirement has no condition", hint);
        }
        Some(_) => {}
        None => no_when(p),
    }
    consequence(p);
}

/// Whether `so` holds for some token from here on.
fn anywhere(p: &Parser, so: impl Fn(usize) -> bool) -> bool {
    (0..).take_while(|&ahead| p.kind(ahead).is_some()).any(so)
}

/// `When C1, and C2 or C3`
fn guard(p: &mut Parser) {
    let node = p.open(Kind::Guard);
    p.bump();
    loop {
        condition::disjunction(p);
        if !next_condition(p) {
            break;
        }
    }
    p.close(&node);
    eat_key(p, Key::Then);
}

/// Reads what joins the next condition; returns whether there is one.
fn next_condition(p: &mut Parser) -> bool {
    loop {
        let comma = eat_comma(p);
        let then = usize::from(at_key(p, Key::Then));
        if at_key(p, Key::And) {
            if comma {
                p.bump();
                return true;
            }
            let hint =
                "write `, and`; `or` binds more tightly than `, and`: `a, and b or c` is `a, and (b or c)`";
            let whole = verb_at(p, 1).is_some_and(|verb| verb > 1);
            let message = if whole {
                "a comma is missing before `and`"
            } else {
                "`and` joins whole conditions, each with a subject and a verb, after a comma"
            };
            p.report(codes::MISSING_AND, p.span(), message, hint);
            p.bump();
            if whole {
                return true;
            }
            p.skip(value_length(p, None));
        } else if consequence_at(p, then).is_some() {
            if !comma {
                let hint = "write a comma between the last condition and the component";
                let message = format!("a comma is missing before {}", found(p));
                p.report(codes::MISSING_COMMA, p.span(), message, hint);
            }
            return false;
        } else if comma && verb_at(p, 0).is_some() {
            let message = format!("`and` is missing before {}", found(p));
            p.report(codes::MISSING_AND, p.span(), message, "join conditions with `, and` or with `or`");
            return true;
        } else if p.at_end() || is_modal(p, 0) || p.at(Kind::Dot) {
            return false;
        } else {
            skip_rest(p, "write a comma and the component after the conditions: `, the pump system shall …`");
        }
    }
}

/// The component and its actions, or what never happens.
fn consequence(p: &mut Parser) {
    let words = consequence_at(p, 0);
    let at = words.unwrap_or(0);
    if is_modal(p, at) {
        shall(p, words);
    } else if words.is_some() {
        environment(p, at);
    } else if !p.at_end() && !p.at(Kind::Dot) {
        skip_rest(p, REQUIREMENT);
        p.skip(usize::MAX);
    } else if !p.has(codes::MISSING_WHEN) {
        p.report(codes::MISSING_SHALL, p.span(), "the component and `shall` are missing", REQUIREMENT);
    }
}

fn shall(p: &mut Parser, agent: Option<usize>) {
    match agent {
        Some(1) if at_key(p, Key::Article) => {
            missing_agent(p);
            p.skip_one();
        }
        Some(words) => noun_phrase(p, Kind::Agent, words, "the component"),
        None => missing_agent(p),
    }
    if !at_key(p, Key::Shall) {
        let message = format!("expected `shall`, found {}", found(p));
        p.report(codes::MISSING_SHALL, p.span(), message, Hint::replace_with("shall"));
    }
    p.bump();
    action::actions(p);
    if at_key(p, Key::When) {
        let hint = "put it first: `When …, the pump system shall …`";
        p.report(codes::MISPLACED, p.span(), "the condition comes after the action", hint);
        p.skip(usize::MAX);
    } else if at_key(p, Key::Or) {
        let hint = "separate actions with commas, or write two requirements";
        p.report(codes::UNEXPECTED, p.span(), "actions cannot be joined with `or`", hint);
        p.skip(usize::MAX);
    }
}

fn missing_agent(p: &mut Parser) {
    let hint = "name it after the comma, before `shall`: `…, the pump system shall …`";
    p.report(codes::MISSING_COMPONENT, p.span(), "the component is missing", hint);
}

/// `X never changes to y`, `X is never y`, `X cannot become y`, `X can never be y`
fn environment(p: &mut Parser, words: usize) {
    let node = p.open(Kind::Environment);
    let fact = p.open(Kind::Comparison);
    noun_phrase(p, Kind::NounPhrase, words, "the subject");
    if at_key(p, Key::Is) && key(p, 1) == Some(Key::Never) {
        let verb = p.open(Kind::Verb);
        p.bump();
        p.close(&verb);
        p.bump();
        condition::complement(p);
    } else {
        eat_key(p, Key::Can);
        p.bump();
        match key(p, 0) {
            Some(Key::Is | Key::Be | Key::Changes | Key::Change | Key::Becomes) => {
                condition::predicate(p);
            }
            _ => {
                let message = format!("expected a verb, found {}", found(p));
                let hint = "write `never changes from x to y`, `is never lower than 0` or `cannot become y`";
                p.report(codes::MISSING_VERB, p.span(), message, hint);
                p.skip(clause_length(p));
            }
        }
    }
    p.close(&fact);
    p.close(&node);
    if !p.at_end() && !p.at(Kind::Dot) {
        skip_rest(p, "write one thing that never happens in each sentence");
    }
}

/// After `Initially,`
fn initial(p: &mut Parser) {
    let node = p.open(Kind::Initial);
    loop {
        condition::condition(p);
        let comma = eat_comma(p);
        let and = eat_key(p, Key::And);
        if !(comma || and) {
            break;
        }
    }
    p.close(&node);
    if at_key(p, Key::Or) {
        let hint = "give each variable one value, or none";
        p.report(codes::UNEXPECTED, p.span(), "an initial value cannot have alternatives", hint);
        p.skip(usize::MAX);
    }
}

/// A sentence that contains `shall` but does not start with a keyword.
fn no_when(p: &mut Parser) {
    let near = nearest(p.current(), ["when", "if", "while"]);
    let slip = near.is_some() || p.text_at(0).eq_ignore_ascii_case("upon") || key(p, 1) == Some(Key::Article);
    let hint = Hint::near(near, || "begin with `When`, `If` or `While`".into());
    let message = format!("expected a condition, found {}", found(p));
    p.report(codes::MISSING_WHEN, p.span(), message, hint);
    if slip {
        return guard(p);
    }
    let node = p.open(Kind::Guard);
    while verb_at(p, 0).is_some() && consequence_at(p, 0).is_none() {
        condition::disjunction(p);
        if !next_condition(p) {
            break;
        }
    }
    p.close(&node);
}

/// A sentence that is neither a requirement nor about the environment nor about the initial state.
fn no_shall(p: &mut Parser) {
    let verb = verb_at(p, 0);
    let (span, message, hint) = if at_key(p, Key::When) {
        (p.span_at(usize::MAX), "the component and `shall` are missing", REQUIREMENT)
    } else if verb.is_some() {
        let hint = "begin with `Initially,` for an initial value, write `never` for what the environment does not do, or `shall` for a requirement";
        (p.span(), "this sentence has neither `shall` nor `never` nor `Initially`", hint)
    } else {
        (p.span(), "the word `shall` is missing", REQUIREMENT)
    };
    // An unclosed quotation hides the rest of the sentence.
    if !p.has(codes::UNCLOSED_QUOTE) {
        p.report(codes::MISSING_SHALL, span, message, hint);
    }
    p.skip(usize::MAX);
}
