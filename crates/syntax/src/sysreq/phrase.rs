//! Noun phrases and values: sequences of words up to the next keyword.
//!
//! A phrase never extends past a comma, `and`, `or`, `shall` or an inner `when`. A value may be arithmetic: operands with `plus`,
//! `minus` or `times` between them.

use super::key::{COMPARATIVES, Key, is_alternative, is_modal, key};
use crate::codes;
use crate::expression::found;
use crate::parser::Parser;
use crate::{Hint, Kind, Span};

/// The maximum number of tokens searched for the end of a noun phrase.
const LONGEST: usize = 40;

/// Whether a clause ends before the token `ahead` tokens ahead.
pub(super) fn ends_clause(p: &Parser, ahead: usize) -> bool {
    matches!(p.kind(ahead), None | Some(Kind::Comma | Kind::Dot | Kind::Colon))
        || is_semicolon(p, ahead)
        || matches!(key(p, ahead), Some(Key::And | Key::Or | Key::When | Key::Shall))
}

fn is_semicolon(p: &Parser, ahead: usize) -> bool {
    p.kind(ahead) == Some(Kind::Unknown) && p.text_at(ahead) == ";"
}

/// Reads a comma, or a semicolon, which is rejected.
pub(super) fn eat_comma(p: &mut Parser) -> bool {
    if is_semicolon(p, 0) {
        p.report(codes::UNEXPECTED, p.span(), "unexpected `;`", Hint::replace_with(","));
        p.bump();
        return true;
    }
    p.eat(Kind::Comma)
}

/// The number of tokens up to the end of the clause.
pub(super) fn clause_length(p: &Parser) -> usize {
    (0..).take_while(|&ahead| !ends_clause(p, ahead)).count()
}

/// Whether this token can be part of a phrase: a word, a number, a quotation, or a hyphen inside a word.
pub(super) fn is_word(p: &Parser, ahead: usize) -> bool {
    match p.kind(ahead) {
        Some(Kind::Name | Kind::Quoted | Kind::Number) => true,
        Some(Kind::Minus) => is_hyphen(p, ahead),
        _ => false,
    }
}

fn is_hyphen(p: &Parser, ahead: usize) -> bool {
    let Some(before) = ahead.checked_sub(1) else { return false };
    let sign = p.span_at(ahead);
    p.kind(before) == Some(Kind::Name)
        && p.span_at(before).end == sign.start
        && p.span_at(ahead + 1).start == sign.end
        && matches!(p.kind(ahead + 1), Some(Kind::Name | Kind::Number))
}

/// The position of the verb of a condition in the clause that starts `from` tokens ahead.
pub(super) fn verb_at(p: &Parser, from: usize) -> Option<usize> {
    let is_verb = |ahead: usize| match key(p, ahead) {
        Some(Key::Is | Key::Was | Key::Becomes) => true,
        Some(Key::Changes) => !matches!(key(p, ahead + 1), Some(Key::Is | Key::Was | Key::Becomes)),
        Some(Key::Change) => matches!(key(p, ahead + 1), Some(Key::To | Key::From)),
        _ => false,
    };
    (from..from + LONGEST).take_while(|&ahead| !ends_clause(p, ahead)).find(|&ahead| is_verb(ahead))
}

/// If the words there name who shall do something, or what never happens, their number.
pub(super) fn consequence_at(p: &Parser, from: usize) -> Option<usize> {
    for words in 0..LONGEST {
        let at = from + words;
        let never = match key(p, at) {
            Some(Key::Never | Key::Cannot) => true,
            Some(Key::Is) => key(p, at + 1) == Some(Key::Never),
            Some(Key::Can) => matches!(key(p, at + 1), Some(Key::Never | Key::Not)),
            _ => false,
        };
        if never || is_modal(p, at) {
            return (words > 0).then_some(words);
        }
        let verb = matches!(key(p, at), Some(Key::Is | Key::Was | Key::Becomes | Key::Changes | Key::Than));
        if verb || !is_word(p, at) || ends_clause(p, at) {
            return None;
        }
    }
    None
}

/// Reads this many tokens as a noun phrase.
pub(super) fn noun_phrase(p: &mut Parser, kind: Kind, words: usize, role: &str) {
    let node = p.open(kind);
    let article = usize::from(words > 0 && key(p, 0) == Some(Key::Article) && words > 1);
    let lonely = words == 1 && key(p, 0) == Some(Key::Article) && p.current().len() > 1;
    if words == 0 || lonely {
        let message = format!("{role} is missing before {}", found_at(p, words));
        p.report(codes::MISSING_VARIABLE, p.span_at(words), message, "name it: `the system mode`");
    }
    let helper = |&ahead: &usize| {
        let helps = ["does", "do"].iter().any(|word| word.eq_ignore_ascii_case(p.text_at(ahead)));
        matches!(key(p, ahead), Some(Key::Not | Key::Never | Key::Cannot | Key::Than | Key::Initially))
            || helps && key(p, ahead + 1) == Some(Key::Not)
    };
    if let Some(odd) = (0..words).find(helper) {
        let message = format!("{} cannot be part of a name", found_at(p, odd));
        let hint = "negate with `is not` or `was not`; write a name that contains this word in quotes";
        p.report(codes::UNEXPECTED, p.span_at(odd), message, hint);
    }
    read_words(p, words, article);
    p.close(&node);
}

/// The token there, for messages.
pub(super) fn found_at(p: &Parser, ahead: usize) -> String {
    match p.text_at(ahead) {
        "" => "the end of the sentence".into(),
        text => format!("`{}`", text.chars().take(40).collect::<String>()),
    }
}

/// Consumes words, and reports what is not a word.
fn read_words(p: &mut Parser, words: usize, from: usize) {
    if let Some(odd) = (from..words).find(|&ahead| !is_word(p, ahead)) {
        no_word(p, odd);
    }
    p.bump_by(words);
}

/// Reports a symbol that cannot be part of a phrase.
fn no_word(p: &mut Parser, ahead: usize) {
    let span = p.span_at(ahead);
    let shown = found_at(p, ahead);
    match p.kind(ahead) {
        Some(Kind::Unknown) if p.text_at(ahead).starts_with(['\'', '`', '‘', '’', '‚', '“', '”', '„']) =>
        {
            let hint = "close it; write a name with an apostrophe in double quotes: \"driver's door\"";
            p.report(codes::UNCLOSED_QUOTE, span, "this quotation mark is never closed", hint);
        }
        Some(Kind::Unknown) => {
            let message = format!("unexpected character {shown}");
            let hint = "write names with special characters in quotes";
            p.report(codes::UNKNOWN_CHARACTER, span, message, hint);
        }
        _ if find_symbol(p, ahead + 1) == Some(ahead) => symbol(p, ahead),
        Some(Kind::LeftParen | Kind::RightParen) => {
            let hint = "remove it: `or` binds more tightly than `, and`";
            p.report(codes::UNEXPECTED, span, "unexpected parenthesis", hint);
        }
        _ => {
            let hint = "write a few words, a number, or a text in quotes";
            p.report(codes::UNEXPECTED, span, format!("unexpected {shown}"), hint);
        }
    }
}

/// The position, within this many tokens, of a comparison written as a symbol.
pub(super) fn find_symbol(p: &Parser, length: usize) -> Option<usize> {
    use Kind::{Equal, Greater, GreaterEqual, Less, LessEqual, LessGreater, NotEqual};
    let is_symbol =
        |kind| matches!(kind, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual | LessGreater);
    (0..length).find(|&ahead| p.kind(ahead).is_some_and(is_symbol))
}

/// Reports a comparison written as a symbol.
pub(super) fn symbol(p: &mut Parser, ahead: usize) {
    let words = match p.kind(ahead) {
        Some(Kind::Less) => "lower than",
        Some(Kind::LessEqual) => "lower than or equal to",
        Some(Kind::Greater) => "greater than",
        Some(Kind::GreaterEqual) => "greater than or equal to",
        Some(Kind::Equal) => "equal to",
        _ => "different from",
    };
    let message = format!("unexpected symbol {}: comparisons are written in words", found_at(p, ahead));
    p.report(codes::BAD_COMPARATIVE, p.span_at(ahead), message, format!("write `is {words}`"));
}

/// The number of tokens of a value: up to the end of the clause, to the component or, if given, to a keyword.
pub(super) fn value_length(p: &Parser, until: Option<Key>) -> usize {
    let stops = |ahead: usize| {
        ends_clause(p, ahead)
            || until.is_some() && key(p, ahead) == until
            || key(p, ahead) == Some(Key::Article) && consequence_at(p, ahead).is_some()
            || key(p, ahead) == Some(Key::Then) && consequence_at(p, ahead + 1).is_some()
    };
    (0..).take_while(|&ahead| !stops(ahead)).count()
}

/// Reads this many tokens as a value.
pub(super) fn value(p: &mut Parser, kind: Kind, length: usize) {
    let node = p.open(kind);
    if length == 0 {
        let message = format!("a value is missing before {}", found_at(p, 0));
        let hint = "write a number, `true`, `false`, or one or more words";
        p.report(codes::MISSING_VALUE, p.span(), message, hint);
    }
    let mut rest = length;
    while rest > 0 {
        let operand = (1..rest.saturating_sub(1)).find(|&ahead| is_operator(p, ahead)).unwrap_or(rest);
        one_operand(p, operand);
        p.bump_by(usize::from(operand < rest));
        rest = rest.saturating_sub(operand + 1);
    }
    p.close(&node);
}

fn is_operator(p: &Parser, ahead: usize) -> bool {
    match p.kind(ahead) {
        Some(Kind::Plus | Kind::Star) => true,
        Some(Kind::Minus) => !is_hyphen(p, ahead),
        _ => matches!(key(p, ahead), Some(Key::Plus | Key::Minus | Key::Times)),
    }
}

fn one_operand(p: &mut Parser, length: usize) {
    let node = p.open(Kind::Operand);
    let signed = matches!(p.kind(0), Some(Kind::Minus | Kind::Plus)) && p.kind(1) == Some(Kind::Number);
    let find = |so: &dyn Fn(usize) -> bool| (0..length).find(|&ahead| so(ahead));
    let verb = find(&|ahead| match key(p, ahead) {
        Some(Key::Is | Key::Was | Key::Becomes) => true,
        Some(Key::Changes | Key::Change) => matches!(key(p, ahead + 1), Some(Key::To | Key::From)),
        _ => false,
    });
    let strange = find(&|ahead| match key(p, ahead) {
        Some(Key::Never | Key::Cannot | Key::Initially) => true,
        Some(Key::Not) => ahead > 0,
        _ => is_alternative(p.text_at(ahead)),
    });
    let number = usize::from(signed);
    if let Some(than) = find(&|ahead| key(p, ahead) == Some(Key::Than)) {
        let span = p.span().to(p.span_at(than));
        comparative_hint(p, span);
    } else if let Some(verb) = verb {
        let message = format!("{} is the second verb of one condition", found_at(p, verb));
        let hint = "join conditions with `, and` or with `or`, each with a subject and a verb";
        p.report(codes::MISSING_AND, p.span_at(verb), message, hint);
    } else if let Some(odd) = strange {
        let message = format!("{} cannot be part of a value", found_at(p, odd));
        let hint = "remove it, or write a value that contains this word in quotes";
        p.report(codes::UNEXPECTED, p.span_at(odd), message, hint);
    } else if length > 1 && !signed && (is_operator(p, 0) || is_operator(p, length - 1)) {
        let at = if is_operator(p, 0) { 0 } else { length };
        let message = format!("an operand is missing before {}", found_at(p, at));
        p.report(codes::MISSING_VALUE, p.span_at(at), message, "write a sum such as `the speed plus 1`");
    } else if length == 1 && key(p, 0) == Some(Key::Article) && p.current().len() > 1 {
        let message = format!("a value is missing before {}", found_at(p, 1));
        p.report(codes::MISSING_VALUE, p.span_at(1), message, "name the value after the article");
    } else if p.kind(number) == Some(Kind::Number) && length > number + 1 {
        let message = format!("unexpected {} after a number", found_at(p, number + 1));
        let hint = "leave out the unit: all numbers of a variable, and all times, have the same unit; write a value of several words in quotes";
        p.report(codes::UNEXPECTED, p.span_at(number + 1), message, hint);
    }
    read_words(p, length, number);
    p.close(&node);
}

/// Reports words that were meant as a comparison.
pub(super) fn comparative_hint(p: &mut Parser, span: Span) {
    let text = p.text_of(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let near = text.split(' ').find_map(|word| crate::nearest(word, COMPARATIVES.iter().copied()));
    let hint = match near {
        Some("equal") => Hint::did_you_mean("equal to"),
        Some("different") => Hint::did_you_mean("different from"),
        Some(word) => format!("did you mean `{word} than` or `{word} than or equal to`?").into(),
        None => "write `greater than` or `lower than`, each with or without `or equal to`; `equal to`; or `different from`".into(),
    };
    p.report(codes::BAD_COMPARATIVE, span, format!("`{text}` is not a comparison"), hint);
}

/// Reports what follows a complete clause and skips to something readable.
pub(super) fn skip_rest(p: &mut Parser, hint: &str) {
    let message = format!("unexpected {}", found(p));
    p.report(codes::UNEXPECTED, p.span(), message, hint);
    let ahead = 1 + (1..).take_while(|&ahead| !ends_clause(p, ahead)).count() - usize::from(p.at_end());
    p.skip(ahead.max(1));
}
