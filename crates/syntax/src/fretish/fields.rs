//! The fields of a sentence, one reader each: scope, condition, probability, timing.

use crate::expression::{Level, at_level, expression, expression_is, found, starts_operand};
use crate::parser::Parser;
use crate::word::Word;
use crate::{Code, Kind, nearest};

/// A field other than component and response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Scope,
    Condition,
    Timing,
}

/// The field that begins here. `before`, `after` open a scope in front of `shall` and a timing behind it.
pub(super) fn field_here(p: &Parser, behind_shall: bool) -> Option<Field> {
    let word = p.word(0)?;
    let operand_follows = p.kind(1).is_some_and(starts_operand);
    match word {
        Word::Before | Word::After if operand_follows => {
            Some(if behind_shall { Field::Timing } else { Field::Scope })
        }
        Word::In | Word::During | Word::While | Word::Except | Word::Only if operand_follows => {
            Some(Field::Scope)
        }
        Word::When | Word::If | Word::Unless if mode_ahead(p, 1).is_some() => Some(Field::Scope),
        _ if word.is_qualifier() && operand_follows => Some(Field::Condition),
        _ if word.is_plain_timing() => Some(Field::Timing),
        Word::Within | Word::For | Word::Until => Some(Field::Timing),
        Word::At if p.word(1) == Some(Word::The) => Some(Field::Timing),
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

/// If `in M` or `not in M` stands `from` places on, how many tokens come before `M`.
/// `in > 3` is a comparison with a variable called `in`.
fn mode_ahead(p: &Parser, from: usize) -> Option<usize> {
    let not = usize::from(p.word(from) == Some(Word::Not));
    let names_mode = matches!(p.kind(from + not + 1), Some(Kind::Name | Kind::Quoted | Kind::LeftParen));
    let joins = p.word(from + not + 1).is_some_and(|w| {
        matches!(
            w,
            Word::And
                | Word::Or
                | Word::Xor
                | Word::Implies
                | Word::Iff
                | Word::Is
                | Word::Mod
                | Word::The
                | Word::Shall
                | Word::Then
        )
    });
    (p.word(from + not) == Some(Word::In) && names_mode && !joins).then_some(not + 1)
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
                p.report(Code::OnlyNeedsScope, p.span(), message, hint);
                p.bump_by(1 + words.unwrap_or(0));
                clause_expression(p);
            }
        },
        _ => {
            let message = format!("expected a scope behind `{qualifier}`, found {}", found(p));
            let hint = format!("write `{qualifier} in M` or `{qualifier} while p`");
            p.report(Code::OnlyNeedsScope, p.span(), message, hint);
            p.skip_one();
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
        && matches!(p.kind(1), Some(Kind::Name | Kind::Quoted | Kind::LeftParen))
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
        p.report(Code::Unexpected, p.span(), message, "write `with probability >= 0.99`");
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
        Some(Word::Until | Word::Before) => {
            p.bump();
            expression(p);
        }
        _ => p.bump(),
    }
    p.close(&node);
}

/// `at the first timepoint`
fn timepoint(p: &mut Parser) {
    let known = matches!(p.word(2), Some(Word::First | Word::Same | Word::Next | Word::Last));
    let words = match (p.word(3), p.word(4)) {
        (Some(Word::Timepoint), _) => Some(4),
        (Some(Word::Time), Some(Word::Point)) => Some(5),
        _ => None,
    };
    let start = p.position();
    match (known, words) {
        (true, Some(words)) => p.bump_by(words),
        _ => {
            p.bump_by(2);
            let hint = "write `at the first timepoint`, `at the next timepoint` or `at the last timepoint`";
            let ahead = p.find_word(Word::Satisfy).unwrap_or(1).min(3);
            p.bump_by(ahead);
            p.report(Code::Unexpected, p.span_since(start), "this timing is not known", hint);
        }
    }
}

fn duration(p: &mut Parser) {
    let node = p.open(Kind::Duration);
    let start = p.position();
    if p.at(Kind::Minus) && p.kind(1) == Some(Kind::Number) {
        p.bump_by(2);
        p.report(
            Code::BadDuration,
            p.span_since(start),
            "a duration cannot be negative",
            "write how long it takes from the trigger on",
        );
        unit(p);
    } else if p.at(Kind::Number) {
        p.bump();
        unit(p);
    } else if matches!(p.kind(0), Some(Kind::Name | Kind::Quoted)) && !p.at_word(Word::Satisfy) {
        p.bump();
        if p.word(0).is_some_and(Word::is_unit) {
            p.bump();
        }
    } else {
        let message = format!("expected a duration, found {}", found(p));
        p.report(
            Code::BadDuration,
            p.span(),
            message,
            "write a number and a unit, such as `3 seconds`, or a named constant",
        );
    }
    p.close(&node);
}

fn unit(p: &mut Parser) {
    const HINT: &str = "units are ticks, microseconds, milliseconds, seconds, minutes and hours";
    if p.word(0).is_some_and(Word::is_unit) {
        p.bump();
    } else if p.at(Kind::Name) && !p.at_word(Word::Satisfy) {
        let hint = match nearest(
            p.current(),
            Word::SPELLINGS.iter().copied().filter(|s| Word::of(s).is_some_and(Word::is_unit)),
        ) {
            Some(known) => format!("did you mean `{known}`?"),
            None => HINT.into(),
        };
        p.report(Code::UnknownUnit, p.span(), format!("`{}` is not a unit of time", p.current()), hint);
        p.bump();
    } else {
        let message = format!("the unit is missing before {}", found(p));
        p.report(Code::MissingUnit, p.span(), message, HINT);
    }
}
