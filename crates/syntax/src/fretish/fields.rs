//! The fields of a sentence, one parser each: scope, condition, probability, timing.

use super::component_ahead;
use crate::codes;
use crate::expression::{Level, at_level, expression_is, found, skip_phrase, starts_operand};
use crate::parser::Parser;
use crate::word::{Word, number_word};
use crate::{Hint, Kind, nearest};

/// A field other than component and response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Scope,
    Condition,
    Timing,
}

/// The field that starts here. `before`, `after` open a scope before `shall` and a timing after it; with a duration they are always a
/// timing.
pub(super) fn field_here(p: &Parser) -> Option<Field> {
    let word = p.word(0)?;
    let operand_follows = p.kind(1).is_some_and(starts_operand);
    match word {
        Word::Before | Word::After if operand_follows => {
            Some(if p.past_shall || amount_ahead(p) { Field::Timing } else { Field::Scope })
        }
        _ if word.opens_scope() && operand_follows => Some(Field::Scope),
        Word::When | Word::If | Word::Unless if mode_ahead(p, 1).is_some() => Some(Field::Scope),
        _ if word.is_qualifier() && operand_follows => Some(Field::Condition),
        _ if word.is_plain_timing() => Some(Field::Timing),
        Word::Within | Word::For | Word::Until => Some(Field::Timing),
        Word::At if p.past_shall || p.word(1) == Some(Word::The) => Some(Field::Timing),
        _ => None,
    }
}

pub(super) fn read_field(p: &mut Parser, field: Field) {
    match field {
        Field::Scope => scope(p),
        Field::Condition => condition(p),
        Field::Timing => timing(p),
    }
}

/// If `in M` or `not in M` follows `from` tokens ahead, the number of tokens before `M`. `in > 3` is a comparison with a variable
/// called `in`.
fn mode_ahead(p: &Parser, from: usize) -> Option<usize> {
    let not = usize::from(p.word(from) == Some(Word::Not));
    let names_mode =
        matches!(p.kind(from + not + 1), Some(Kind::Name | Kind::Quoted | Kind::Phrase | Kind::LeftParen));
    let joins = p.word(from + not + 1).is_some_and(Word::follows_operand);
    (p.word(from + not) == Some(Word::In) && names_mode && !joins).then_some(not + 1)
}

/// Whether a number with a unit follows.
fn amount_ahead(p: &Parser) -> bool {
    p.kind(1) == Some(Kind::Number) && p.word(2).is_some_and(Word::is_unit)
}

fn scope(p: &mut Parser) {
    let node = p.open(Kind::Scope);
    let qualifier = p.current();
    let only = p.eat_word(Word::Only);
    let except = !only && p.eat_word(Word::Except);
    match p.word(0) {
        Some(Word::While) => {
            p.bump();
            clause_expression(p);
        }
        Some(Word::Before | Word::After) if !except => {
            p.bump();
            mode(p);
        }
        Some(Word::In | Word::During) => {
            p.bump();
            mode(p);
        }
        Some(Word::When | Word::If | Word::Unless) => match mode_ahead(p, 1) {
            Some(words) if words == 1 && !p.at_word(Word::Unless) || !(only || except) => {
                p.bump_by(1 + words);
                mode(p);
            }
            words => {
                let message = format!("`{qualifier}` cannot qualify a condition or a negated scope");
                let hint = format!("write `{qualifier} while p`, or `{qualifier} in M` for a mode");
                p.report(codes::ONLY_NEEDS_SCOPE, p.span(), message, hint);
                p.bump_by(1 + words.unwrap_or(0));
                clause_expression(p);
            }
        },
        _ => {
            let message = format!("expected a scope after `{qualifier}`, found {}", found(p));
            let hint = format!("write `{qualifier} in M` or `{qualifier} while p`");
            p.report(codes::ONLY_NEEDS_SCOPE, p.span(), message, hint);
            // `except before m`, `only not in m`, `only p`: the rest is parsed as if the scope were valid.
            while matches!(p.word(0), Some(Word::Before | Word::After | Word::Not)) {
                p.skip_one();
            }
            if matches!(p.word(0), Some(Word::In | Word::During | Word::While)) {
                p.bump();
            }
            if component_ahead(p).is_none() {
                mode(p);
            }
        }
    }
    p.close(&node);
}

/// `M`, `M mode`, `mode M`, or any expression.
fn mode(p: &mut Parser) {
    // In `in mode pump shall …` the mode is called `mode` and the component `pump`.
    let component_follows = |p: &Parser, ahead: usize| {
        p.word(ahead) == Some(Word::Shall) && !matches!(p.word(ahead + 1), None | Some(Word::The))
    };
    if p.at_word(Word::Mode)
        && matches!(p.kind(1), Some(Kind::Name | Kind::Quoted | Kind::Phrase | Kind::LeftParen))
        && !component_follows(p, 2)
    {
        p.bump();
    }
    clause_expression(p);
    if p.at_word(Word::Mode) && !component_follows(p, 1) {
        p.bump();
    }
}

fn clause_expression(p: &mut Parser) {
    p.in_clause = true;
    expression_is(p);
    p.in_clause = false;
}

fn condition(p: &mut Parser) {
    let node = p.open(Kind::Condition);
    loop {
        let clause = p.open(Kind::Clause);
        p.bump();
        clause_expression(p);
        p.close(&clause);
        // `, and when`, `or if`, `, unless`, or the next qualifier alone.
        let comma = usize::from(p.at(Kind::Comma));
        let join = usize::from(matches!(p.word(comma), Some(Word::And | Word::Or)));
        let next = comma + join;
        let continues = p.word(next).is_some_and(Word::is_qualifier)
            && p.kind(next + 1).is_some_and(starts_operand)
            && mode_ahead(p, next + 1).is_none();
        if !continues {
            break;
        }
        p.bump_by(next);
    }
    p.close(&node);
}

/// `with probability > 0.98`
pub(super) fn probability(p: &mut Parser) {
    let node = p.open(Kind::Probability);
    p.bump_by(2);
    if matches!(
        p.kind(0),
        Some(
            Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual | Kind::Equal | Kind::NotEqual
        )
    ) {
        p.bump();
        at_level(p, Level::Sum);
    } else {
        let message = format!("expected a comparison, found {}", found(p));
        p.report(codes::UNEXPECTED, p.span(), message, "write `with probability >= 0.99`");
    }
    p.close(&node);
}

fn timing(p: &mut Parser) {
    let node = p.open(Kind::Timing);
    match p.word(0) {
        Some(Word::At) => timepoint(p),
        Some(Word::Within | Word::For | Word::After) => {
            p.bump();
            duration(p);
        }
        Some(Word::Until | Word::Before) if amount_ahead(p) => {
            let start = p.position();
            let word = p.current();
            p.bump();
            p.skip(2);
            let span = p.span_since(start);
            let amount = p.text_of(span)[word.len()..].trim_start();
            let message = format!("`{word}` names an event, not a duration");
            let hint = format!("write `for {amount}` or `within {amount}`");
            p.report(codes::UNEXPECTED, span, message, hint);
        }
        Some(Word::Until | Word::Before) => {
            p.bump();
            expression_is(p);
        }
        _ => p.bump(),
    }
    p.close(&node);
}

/// `at the first timepoint`
fn timepoint(p: &mut Parser) {
    let start = p.position();
    let article = usize::from(p.word(1) == Some(Word::The));
    let which = p.text_at(1 + article);
    let known = matches!(p.word(1 + article), Some(Word::First | Word::Same | Word::Next | Word::Last));
    let words = match (p.word(2 + article), p.word(3 + article)) {
        (Some(Word::Timepoint), _) => 3,
        (Some(Word::Time), Some(Word::Point)) => 4,
        _ => 0,
    };
    if known && words > 0 {
        p.bump_by(words + article);
        if article == 0 {
            let hint = format!("write `at the {which} timepoint`");
            p.report(codes::UNEXPECTED, p.span_since(start), "the word `the` is missing", hint);
        }
        return;
    }
    p.bump_by(1 + article);
    if p.past_shall {
        let ends = |ahead: usize| {
            p.word(ahead) == Some(Word::Satisfy) || matches!(p.kind(ahead), None | Some(Kind::Comma))
        };
        p.skip((0..).take_while(|&ahead| !ends(ahead)).count());
    } else {
        skip_phrase(p);
    }
    let hint = "write `at the first timepoint`, `at the next timepoint` or `at the last timepoint`";
    p.report(codes::UNEXPECTED, p.span_since(start), "this is not a timing", hint);
}

fn duration(p: &mut Parser) {
    let node = p.open(Kind::Duration);
    let start = p.position();
    let missing = p.at_end() || p.at_word(Word::Satisfy);
    let negative = p.at(Kind::Minus) && p.kind(1) == Some(Kind::Number);
    let computes = |kind| {
        matches!(kind, Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash | Kind::Caret | Kind::LeftParen)
    };
    let computed = p.at(Kind::LeftParen) || p.kind(1 + usize::from(negative)).is_some_and(computes);
    if computed && !missing {
        at_level(p, Level::Sum);
        let span = p.span_since(start);
        let message = format!("expected a duration, found `{}`", p.text_of(span));
        p.report(codes::BAD_DURATION, span, message, "write a number or a named constant");
        if p.word(0).is_some_and(Word::is_unit) {
            p.bump();
        }
    } else if negative {
        p.bump_by(2);
        let message = "a duration cannot be negative";
        let hint = "write the time from the trigger on as a positive number";
        p.report(codes::BAD_DURATION, p.span_since(start), message, hint);
        unit(p);
    } else if p.at(Kind::Number) {
        p.bump();
        unit(p);
    } else if let Some(number) = number_word(p.current()).filter(|_| p.word(1).is_some_and(Word::is_unit)) {
        let message = format!("`{}` is not a number in digits", p.current());
        p.report(codes::BAD_DURATION, p.span(), message, Hint::replace_with(number.to_string()));
        p.bump();
        unit(p);
    } else if matches!(p.kind(0), Some(Kind::Name | Kind::Quoted | Kind::Phrase)) && !missing {
        p.bump();
        if p.word(0).is_some_and(Word::is_unit) {
            p.bump();
        }
    } else {
        let message = format!("expected a duration, found {}", found(p));
        let hint = "write a number and a unit, such as `3 seconds`, or a named constant";
        p.report(codes::BAD_DURATION, p.span(), message, hint);
    }
    p.close(&node);
}

fn unit(p: &mut Parser) {
    const HINT: &str = "the units are ticks, microseconds, milliseconds, seconds, minutes and hours";
    if p.word(0).is_some_and(Word::is_unit) {
        p.bump();
    } else if p.at(Kind::Name) && !p.at_word(Word::Satisfy) {
        let units = Word::SPELLINGS.iter().copied().filter(|s| Word::of(s).is_some_and(Word::is_unit));
        let hint = Hint::near(nearest(p.current(), units), || HINT.into());
        p.report(codes::UNKNOWN_UNIT, p.span(), format!("`{}` is not a unit of time", p.current()), hint);
        p.bump();
    } else {
        let message = format!("the unit is missing before {}", found(p));
        p.report(codes::MISSING_UNIT, p.span(), message, HINT);
    }
}
