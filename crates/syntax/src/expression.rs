//! Expressions, shared by sentences and formulas: precedence climbing over one table of levels.
//!
//! Operators of one level form one flat node (`a & b & c`), so long chains are not deep. Precedence, from loose to tight: `<->`, `->`
//! (right), `xor`, `|`, `&`, the temporal infix operators, `!` and the temporal prefix operators, comparison, `+ -`, `* / mod`, unary
//! minus, `^`.

use crate::codes;
use crate::parser::{Language, Parser};
use crate::word::Word;
use crate::{Hint, Kind, MAX_DEPTH, Span, formula};

/// How tightly an operator binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Iff,
    Implies,
    Xor,
    Or,
    And,
    Temporal,
    Not,
    Comparison,
    Sum,
    Product,
    Minus,
    Power,
    Primary,
}

impl Level {
    fn tighter(self) -> Level {
        use Level::{
            And, Comparison, Iff, Implies, Minus, Not, Or, Power, Primary, Product, Sum, Temporal, Xor,
        };
        match self {
            Iff => Implies,
            Implies => Xor,
            Xor => Or,
            Or => And,
            And => Temporal,
            Temporal => Not,
            Not => Comparison,
            Comparison => Sum,
            Sum => Product,
            Product => Minus,
            Minus => Power,
            Power | Primary => Primary,
        }
    }
}

/// Parses an expression; if there is none, reports that and consumes nothing. Returns its loosest level.
pub(crate) fn expression(p: &mut Parser) -> Level {
    at_level(p, Level::Iff)
}

/// Parses an expression that may be followed by `is true` or `is false`.
pub(crate) fn expression_is(p: &mut Parser) {
    let mark = p.mark();
    let start = p.position();
    let level = expression(p);
    if !p.at_word(Word::Is) {
        return;
    }
    let operand = p.span_since(start);
    let is = p.position();
    let node = p.open_at(mark, Kind::Is);
    let truth = is_truth(p);
    p.close(&node);
    let words = p.text_of(p.span_since(is));
    // In `… is true mod shall …` the component is called `mod`.
    let goes_on = |p: &Parser| infix(p).is_some() && p.word(1) != Some(Word::Shall);
    if goes_on(p) {
        if truth {
            let message = format!("{} is unexpected after `{words}`", found(p));
            let whole = p.text_of(p.span_since(start));
            let hint = format!("put `{words}` last, or use parentheses: `({whole})`");
            p.report(codes::UNEXPECTED, p.span(), message, hint);
        }
        let rest = p.open(Kind::Error);
        while goes_on(p) {
            p.bump();
            expression(p);
            if p.at_word(Word::Is) {
                is_truth(p);
            }
        }
        p.close(&rest);
    } else if truth && level <= Level::And {
        let message = format!("`{words}` applies to all of `{}`", p.text_of(operand));
        let hint = "add parentheses to show what it applies to";
        p.report(codes::IS_APPLIES_TO_ALL, p.span_since(start), message, hint);
    }
}

/// Parses `is true` or `is false`; rejects anything else.
fn is_truth(p: &mut Parser) -> bool {
    p.bump();
    if p.at_word(Word::True) || p.at_word(Word::False) {
        p.bump();
        return true;
    }
    let hint = match (p.word(0), p.word(1)) {
        (Some(Word::Not), Some(Word::True)) => "write `is false`",
        (Some(Word::Not), Some(Word::False)) => "write `is true`",
        (Some(Word::Not), _) => "compare values with `!=`",
        _ => "compare values with `=`, `<` or `>`",
    };
    let message = format!("expected `true` or `false` after `is`, found {}", found(p));
    let start = p.position();
    skip_phrase(p);
    p.report(codes::UNEXPECTED, p.span_since(start), message, hint);
    false
}

/// Skips the words and values of a rejected phrase, up to the component or a keyword.
pub(crate) fn skip_phrase(p: &mut Parser) {
    let opens = |word: Word| word.follows_operand() || word.is_qualifier() || word.opens_scope();
    let belongs = |&ahead: &usize| {
        matches!(p.kind(ahead), Some(Kind::Name | Kind::Quoted | Kind::Phrase | Kind::Number | Kind::Minus))
            && !p.word(ahead).is_some_and(opens)
            && p.word(ahead + 1) != Some(Word::Shall)
    };
    p.skip((0..).take_while(belongs).count());
}

/// Parses operands and operators that bind at least as tightly as `level`; returns the loosest one read.
pub(crate) fn at_level(p: &mut Parser, level: Level) -> Level {
    if p.depth >= MAX_DEPTH {
        too_deep(p);
        return Level::Primary;
    }
    p.depth += 1;
    let mark = p.mark();
    let mut loosest = Level::Primary;
    operand(p);
    // Each pass reads one chain of operators of one level; the next can only bind less tightly.
    while let Some(chain) = infix(p).filter(|&found| found >= level) {
        loosest = chain;
        let temporal = chain == Level::Temporal;
        let node = p.open_at(mark, if temporal { Kind::TemporalInfix } else { Kind::Infix });
        let start = p.position();
        let mut operators = 0;
        while infix(p) == Some(chain) {
            operators += 1;
            if chain == Level::Comparison && operators == 2 {
                let hint = "write each comparison out: `0 < x & x < 5`";
                p.report(codes::CHAINED_COMPARISON, p.span(), "comparisons cannot be chained", hint);
            }
            p.bump();
            if temporal {
                formula::bound(p);
            }
            at_level(p, chain.tighter());
        }
        if temporal && operators > 1 {
            let message = "these temporal operators have no order of precedence";
            let hint = "add parentheses to show which one binds first";
            p.report(codes::UNEXPECTED, p.span_since(start), message, hint);
        }
        p.close(&node);
    }
    p.depth -= 1;
    loosest
}

/// The level of the infix operator here.
fn infix(p: &Parser) -> Option<Level> {
    let level = match p.kind(0)? {
        Kind::Iff => Level::Iff,
        Kind::Implies => Level::Implies,
        Kind::Xor => Level::Xor,
        Kind::Or => Level::Or,
        Kind::And => Level::And,
        Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual | Kind::Equal | Kind::NotEqual => {
            Level::Comparison
        }
        Kind::LessGreater if p.language == Language::Fretish => Level::Comparison,
        Kind::Plus | Kind::Minus => Level::Sum,
        Kind::Star | Kind::Slash => Level::Product,
        Kind::Caret => Level::Power,
        Kind::Name => match p.word(0) {
            Some(Word::And) if !opens_clause(p) => Level::And,
            Some(Word::Or) if !opens_clause(p) => Level::Or,
            Some(Word::Xor) => Level::Xor,
            Some(Word::Implies) => Level::Implies,
            Some(Word::Iff) => Level::Iff,
            Some(Word::Mod) => Level::Product,
            _ if p.language == Language::Formula && formula::is_infix(p.current()) => Level::Temporal,
            _ => return None,
        },
        _ => return None,
    };
    Some(level)
}

/// `and when …` and `and in m` at the top of a condition join fields, not operands.
fn opens_clause(p: &Parser) -> bool {
    p.in_clause && (p.word(1).is_some_and(Word::is_qualifier) || scope_ahead(p, 1))
}

/// Whether `in m` or similar follows `from` tokens ahead: two names in a row, the second not the component.
pub(crate) fn scope_ahead(p: &Parser, from: usize) -> bool {
    p.word(from).is_some_and(Word::opens_scope)
        && matches!(p.kind(from + 1), Some(Kind::Name | Kind::Quoted | Kind::Phrase))
        && !p.word(from + 1).is_some_and(|word| word.follows_operand() || word.is_qualifier())
        && p.word(from + 2) != Some(Word::Shall)
}

/// A number. A percent sign after it is a unit, which belongs to the variable.
fn number(p: &mut Parser) {
    let end = p.span().end;
    leaf(p, Kind::Literal);
    if p.at(Kind::Name) && p.current() == "%" && p.span().start == end {
        let hint = "write the number alone, and the unit in the table of variables";
        p.report(codes::UNEXPECTED, p.span(), "a number in a sentence has no unit", hint);
        p.skip_one();
    }
}

fn operand(p: &mut Parser) {
    match p.kind(0) {
        Some(Kind::Bang) => prefix(p, Level::Not),
        Some(Kind::Minus) => prefix(p, Level::Power),
        Some(Kind::Number) => number(p),
        Some(Kind::Quoted) if p.kind(1) == Some(Kind::LeftParen) => call(p),
        Some(Kind::Quoted | Kind::Phrase) => leaf(p, Kind::NameRef),
        Some(Kind::LeftParen) => paren(p),
        Some(Kind::Name) => named(p),
        Some(Kind::Temporal | Kind::LeftBracket | Kind::LessGreater) if p.language == Language::Formula => {
            formula::prefix(p)
        }
        Some(Kind::Unknown) => {
            let message = format!("`{}` is not part of a name, number or operator", p.current());
            let hint =
                "names consist of letters, digits, `_`, `.` and `%`; write other names in double quotes";
            p.report(codes::UNKNOWN_CHARACTER, p.span(), message, hint);
            p.skip_one();
            if p.kind(0).is_some_and(|kind| matches!(kind, Kind::Name | Kind::Number | Kind::LeftParen)) {
                operand(p);
            }
        }
        _ => missing(p),
    }
}

fn missing(p: &mut Parser) {
    let split = match (p.kind_before(), p.kind(0)) {
        (Some(Kind::Equal), Some(Kind::Less)) | (Some(Kind::Less), Some(Kind::Equal)) => Some("<="),
        (Some(Kind::Greater), Some(Kind::Equal)) => Some(">="),
        _ => None,
    };
    if let Some(sign) = split {
        let span = p.span_since(p.position() - 1).to(p.span());
        let message = format!("`{}` is not a comparison", p.text_of(span));
        p.report(codes::EXPECTED_EXPRESSION, span, message, Hint::replace_with(sign));
    } else {
        let message = format!("expected an expression, found {}", found(p));
        let hint = "write a condition such as `speed > 3 & !brake`";
        p.report(codes::EXPECTED_EXPRESSION, p.span(), message, hint);
    }
    // A stray operator before an operand is dropped, so that one mistake is one error.
    if !p.at(Kind::Name) && infix(p).is_some() {
        p.skip_one();
        if p.kind(0).is_some_and(starts_operand) && p.depth < MAX_DEPTH {
            p.depth += 1;
            operand(p);
            p.depth -= 1;
        }
    }
}

/// The current token, for a message.
pub(crate) fn found(p: &Parser) -> String {
    if p.at_end() {
        return "the end of the text".into();
    }
    let text: String = p.current().chars().take(40).collect();
    format!("`{text}`")
}

fn leaf(p: &mut Parser, kind: Kind) {
    let node = p.open(kind);
    p.bump();
    p.close(&node);
}

fn prefix(p: &mut Parser, operand: Level) {
    let node = p.open(Kind::Prefix);
    p.bump();
    at_level(p, operand);
    p.close(&node);
}

fn named(p: &mut Parser) {
    match p.word(0) {
        Some(Word::Not) if p.kind(1).is_some_and(starts_operand) => prefix(p, Level::Not),
        Some(Word::If) if p.kind(1).is_some_and(starts_operand) => if_then(p),
        Some(Word::At) if p.word(1) == Some(Word::The) && p.word(3) == Some(Word::Occurrence) => {
            occurrence(p)
        }
        Some(Word::True | Word::False) if p.kind(1) != Some(Kind::LeftParen) => leaf(p, Kind::Truth),
        Some(Word::Shall | Word::Satisfy | Word::The) if p.language == Language::Fretish => missing(p),
        _ if p.language == Language::Formula && formula::is_prefix(p.current()) => formula::prefix(p),
        _ if p.kind(1) == Some(Kind::LeftParen) => call(p),
        _ => leaf(p, Kind::NameRef),
    }
}

/// Whether an operand can start with such a token.
pub(crate) fn starts_operand(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Name
            | Kind::Quoted
            | Kind::Phrase
            | Kind::Number
            | Kind::LeftParen
            | Kind::Bang
            | Kind::Minus
            | Kind::Temporal
            | Kind::Unknown
    )
}

fn paren(p: &mut Parser) {
    let node = p.open(Kind::Paren);
    let opening = p.span();
    p.bump();
    let outer = std::mem::replace(&mut p.in_clause, false);
    expression_is(p);
    p.in_clause = outer;
    close_paren(p, opening);
    p.close(&node);
}

fn call(p: &mut Parser) {
    let node = p.open(Kind::Call);
    p.bump();
    let opening = p.span();
    p.bump();
    let outer = std::mem::replace(&mut p.in_clause, false);
    if !p.at(Kind::RightParen) {
        argument(p);
        while p.eat(Kind::Comma) {
            argument(p);
        }
    }
    p.in_clause = outer;
    close_paren(p, opening);
    p.close(&node);
}

fn argument(p: &mut Parser) {
    expression(p);
    if p.word(0).is_some_and(Word::is_unit) {
        let message = format!("unexpected unit {}", found(p));
        let hint = "bounds count steps: write the number without a unit";
        p.report(codes::BAD_PREDICATE_BOUND, p.span(), message, hint);
        p.skip_one();
    }
}

fn close_paren(p: &mut Parser, opening: Span) {
    if p.eat(Kind::RightParen) {
        return;
    }
    if let Some(closing) = closing_ahead(p) {
        let message = format!("expected an operator or `)`, found {}", found(p));
        p.report(codes::UNEXPECTED, p.span(), message, "put an operator such as `&` between the operands");
        p.skip(closing);
        p.bump();
        return;
    }
    let found = found(p);
    let message = format!("this parenthesis is not closed before {found}");
    let hint = "add the `)`, or an operator between the operands";
    p.report(codes::UNCLOSED_PAREN, opening, message, hint);
}

/// The position of the closing parenthesis among the next tokens of the field.
fn closing_ahead(p: &Parser) -> Option<usize> {
    const FAR: usize = 50;
    let mut open = 0;
    for ahead in 0..FAR {
        match p.kind(ahead)? {
            Kind::LeftParen => open += 1,
            Kind::RightParen if open == 0 => return Some(ahead),
            Kind::RightParen => open -= 1,
            _ if matches!(p.word(ahead), Some(Word::Shall | Word::Satisfy)) => return None,
            _ => {}
        }
    }
    None
}

fn if_then(p: &mut Parser) {
    let node = p.open(Kind::IfThen);
    p.bump();
    expression(p);
    if p.eat_word(Word::Then) {
        at_level(p, Level::Implies);
    } else {
        let found = found(p);
        let message = format!("expected `then`, found {found}");
        let hint = "inside an expression, write `if p then q` or `p -> q`";
        p.report(codes::MISSING_THEN, p.span(), message, hint);
    }
    p.close(&node);
}

fn occurrence(p: &mut Parser) {
    let node = p.open(Kind::Occurrence);
    if !matches!(p.word(2), Some(Word::Previous | Word::Next)) {
        let message = "expected `previous` or `next` before `occurrence`";
        let hint = "write `at the previous occurrence of p, q`";
        p.report(codes::UNEXPECTED, p.span(), message, hint);
    }
    p.bump_by(4);
    if !p.eat_word(Word::Of) {
        let message = "expected `of` after `occurrence`";
        let hint = "write `at the previous occurrence of p, q`";
        p.report(codes::UNEXPECTED, p.span(), message, hint);
    }
    expression(p);
    if p.eat(Kind::Comma) {
        at_level(p, Level::Implies);
    } else {
        let message = "expected a comma after the event";
        let hint = "write `at the previous occurrence of p, q`";
        p.report(codes::UNEXPECTED, p.span(), message, hint);
    }
    p.close(&node);
}

fn too_deep(p: &mut Parser) {
    let message = format!("the expression is nested deeper than {MAX_DEPTH} levels");
    p.report(codes::TOO_DEEP, p.span(), message, "give a part of it a name and use the name");
    p.give_up();
}
