//! Which part of a sentence is being written: the fields before the cursor, and what the last words leave open.

use syntax::fretish::parse_with;
use syntax::{Kind, Phrases, Word};

/// What the sentence goes on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    /// What can follow.
    pub(super) want: Want,
    /// Whether there is nothing before the cursor.
    pub(super) empty: bool,
    /// The fields before the cursor.
    pub(super) scope: bool,
    pub(super) condition: bool,
    pub(super) component: bool,
}

/// What can follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Want {
    /// A scope, a condition or the component.
    Field,
    /// The scope after `only` or `except`.
    Scope,
    /// A mode.
    Mode,
    /// An operand; the name that it is compared with.
    Operand(Option<String>),
    /// An operator, or the end of a field before `shall` (of a scope: perhaps the word `mode`).
    Operator {
        /// Whether the field is a scope with a mode.
        mode: bool,
    },
    /// The name of the component after `the`.
    Component,
    /// The word `shall`.
    Shall,
    /// A timing, or `satisfy`.
    Timing,
    /// An amount of time, or a constant.
    Amount,
    /// A unit of time, or `satisfy` after a constant.
    Unit(bool),
    /// The rest of `at the next timepoint`.
    Timepoint(usize),
    /// An operator in a stop, or `satisfy`.
    StopOperator,
    /// The word `satisfy`.
    Satisfy,
    /// `probability` after `with`.
    Probability,
    /// An operator of the response.
    ResponseOperator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    None,
    OnlyScope,
    Scope { mode: bool },
    Condition,
    Component,
    Duration,
    Stop,
    Timepoint,
    Plain,
    Probability,
    Response,
}

/// What can follow a text that ends where the next word begins.
pub(super) fn position(before: &str, phrases: &Phrases) -> Position {
    let tree = parse_with(before, phrases).tree;
    let tokens: Vec<(Kind, &str)> = tree.tokens().filter(|(kind, _)| *kind != Kind::Whitespace).collect();
    let mut here = Position {
        want: Want::Field,
        empty: tokens.is_empty(),
        scope: false,
        condition: false,
        component: false,
    };
    let mut field = Field::None;
    let mut behind_shall = false;
    // How many tokens the field has after the word that opens it.
    let mut length = 0_usize;
    let mut depth = 0_usize;
    for (at, &(kind, text)) in tokens.iter().enumerate() {
        match kind {
            Kind::LeftParen => depth += 1,
            Kind::RightParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        let word = Word::of(text).filter(|_| kind == Kind::Name && depth == 0 && field != Field::Response);
        let opened = match word {
            Some(word) if behind_shall => opens_behind(word, field),
            Some(Word::Shall) => {
                behind_shall = true;
                here.component = at.checked_sub(1).is_some_and(|last| ends_operand(tokens[last]));
                Some(Field::None)
            }
            Some(word) => opens_before(word, field, length),
            None if kind == Kind::Comma && depth == 0 && field != Field::Response => Some(Field::None),
            None => None,
        };
        match opened {
            Some(opened) => {
                here.scope |= matches!(opened, Field::Scope { .. } | Field::OnlyScope);
                here.condition |= opened == Field::Condition;
                field = opened;
                length = 0;
            }
            None => length += 1,
        }
    }
    here.want = wanted(&tokens, field, length, behind_shall, depth);
    here
}

fn opens_before(word: Word, field: Field, length: usize) -> Option<Field> {
    Some(match word {
        Word::In | Word::During | Word::Before | Word::After => Field::Scope { mode: true },
        Word::While => Field::Scope { mode: false },
        Word::Only | Word::Except => Field::OnlyScope,
        Word::When | Word::If | Word::Upon | Word::Where | Word::Unless | Word::Whenever => Field::Condition,
        Word::The if field == Field::None || length > 0 => Field::Component,
        Word::Satisfy => Field::Response,
        _ => return None,
    })
}

fn opens_behind(word: Word, field: Field) -> Option<Field> {
    Some(match word {
        Word::Satisfy => Field::Response,
        Word::Within | Word::For | Word::After => Field::Duration,
        Word::Until | Word::Before => Field::Stop,
        Word::At => Field::Timepoint,
        Word::The if field == Field::None => Field::Component,
        Word::With => Field::Probability,
        Word::Immediately
        | Word::Initially
        | Word::Finally
        | Word::Eventually
        | Word::Always
        | Word::Never => Field::Plain,
        _ => return None,
    })
}

fn wanted(tokens: &[(Kind, &str)], field: Field, length: usize, behind_shall: bool, depth: usize) -> Want {
    let last = tokens.last().copied();
    let ended = length > 0 && last.is_some_and(ends_operand);
    let is_word =
        |word: Word| last.is_some_and(|(kind, text)| kind == Kind::Name && Word::of(text) == Some(word));
    // Two operands in a row: the second is the component.
    let named = length > 1
        && depth == 0
        && tokens
            .len()
            .checked_sub(2)
            .and_then(|at| tokens.get(at))
            .is_some_and(|&token| ends_operand(token));
    let operand = || Want::Operand(compared(tokens));
    match field {
        Field::None if behind_shall => Want::Timing,
        Field::None if ended => Want::Shall,
        Field::None => Want::Field,
        Field::OnlyScope => Want::Scope,
        Field::Scope { .. } if length > 1 && is_word(Word::Mode) => Want::Field,
        Field::Scope { .. } | Field::Condition if ended && named => Want::Shall,
        Field::Scope { mode } if ended => Want::Operator { mode: mode && length == 1 },
        Field::Scope { mode: true } if length == 0 || is_word(Word::Mode) => Want::Mode,
        Field::Condition if ended => Want::Operator { mode: false },
        Field::Scope { .. } | Field::Condition => operand(),
        Field::Component if length == 0 => Want::Component,
        Field::Component if behind_shall => Want::Timing,
        Field::Component => Want::Shall,
        Field::Duration if length == 0 => Want::Amount,
        Field::Duration if length == 1 => Want::Unit(last.is_some_and(|(kind, _)| kind != Kind::Number)),
        Field::Stop if ended => Want::StopOperator,
        Field::Stop => operand(),
        Field::Timepoint if length < 3 => Want::Timepoint(length),
        Field::Duration | Field::Timepoint | Field::Plain => Want::Satisfy,
        Field::Probability if length == 0 => Want::Probability,
        Field::Probability if last.is_some_and(|(kind, _)| kind == Kind::Number) => Want::Timing,
        Field::Probability => operand(),
        Field::Response if ended => Want::ResponseOperator,
        Field::Response => operand(),
    }
}

/// The name before a comparison that ends the text.
fn compared(tokens: &[(Kind, &str)]) -> Option<String> {
    let [.., (Kind::Name | Kind::Quoted, name), (operator, _)] = tokens else { return None };
    let compares = matches!(operator, Kind::Equal | Kind::NotEqual | Kind::LessGreater);
    compares.then(|| name.trim_matches('"').to_string())
}

/// Whether a token can end an operand.
fn ends_operand((kind, text): (Kind, &str)) -> bool {
    match kind {
        Kind::Number | Kind::Quoted | Kind::Phrase | Kind::RightParen => true,
        Kind::Name => !matches!(
            Word::of(text),
            Some(
                Word::And
                    | Word::Or
                    | Word::Not
                    | Word::Xor
                    | Word::Implies
                    | Word::Iff
                    | Word::Mod
                    | Word::Is
                    | Word::If
                    | Word::Then
                    | Word::The
                    | Word::Shall
                    | Word::Satisfy
            )
        ),
        _ => false,
    }
}
