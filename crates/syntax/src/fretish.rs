//! FRETish sentences: `scope? condition? (component shall | shall component) timing? satisfy response`.
//!
//! The grammar reads fields in order and, after an error, continues with the next field it recognizes, so that one mistake is one
//! diagnostic and every readable field is in the tree. Keywords are contextual: only `shall`, `satisfy` and `the` can never be names.
//! [`Sentence`] is the typed view of a tree.

mod fields;
mod view;

pub use view::{Clause, Duration, Join, Qualifier, Scope, ScopeKind, Sentence, Timing, TimingWord, Unit};

use crate::codes;
use crate::expression::{expression_is, found, scope_ahead, starts_operand};
use crate::parser::{self, Language, Parser};
use crate::word::Word;
use crate::{Hint, Kind, Parse, Phrases, Span, lexer, nearest};
use fields::{Field, field_here, read_field};

/// Parses one sentence.
pub fn parse(text: &str) -> Parse {
    parse_with(text, &Phrases::default())
}

/// Parses one sentence that may write phrases in the place of names.
pub fn parse_with(text: &str, phrases: &Phrases) -> Parse {
    parser::parse(text, Language::Fretish, phrases, Kind::Sentence, sentence)
}

/// The component that a sentence is about, as far as the words around `shall` tell it without knowing the phrases.
pub fn component_of(text: &str) -> Option<String> {
    let tokens = lexer::tokens(text.get(..crate::MAX_BYTES).unwrap_or(text));
    let solid: Vec<_> = tokens.iter().filter(|token| token.kind != Kind::Whitespace).collect();
    let written = |at: usize| &text[solid[at].span.range()];
    let shall = (0..solid.len())
        .find(|&at| solid[at].kind == Kind::Name && Word::of(written(at)) == Some(Word::Shall))?;
    let names = |at: &usize| matches!(solid[*at].kind, Kind::Name | Kind::Quoted);
    let before = shall.checked_sub(1).filter(names);
    let article = |at: usize| usize::from(at < solid.len() && Word::of(written(at)) == Some(Word::The));
    let after = shall + 1 + article(shall + 1);
    let named = before.or(Some(after).filter(|at| *at < solid.len()).filter(names))?;
    Some(crate::ast::name(written(named)).into_owned())
}

/// The fields read so far, each at most once.
#[derive(Default)]
struct Seen {
    scope: bool,
    condition: bool,
    component: bool,
    timing: bool,
    response: bool,
}

fn sentence(p: &mut Parser) {
    if p.at(Kind::Quoted) && p.kind(1).is_none() {
        let node = p.open(Kind::Freeform);
        p.bump();
        p.close(&node);
        return;
    }
    let mut seen = Seen::default();
    before_shall(p, &mut seen);
    let verb = p.span();
    let shall = p.eat_word(Word::Shall) || instead_of_shall(p);
    p.past_shall = true;
    if shall {
        after_shall(p, verb, &mut seen);
    }
    if p.eat_word(Word::Satisfy) {
        seen.response = true;
        response(p);
    }
    if shall && !seen.response {
        missing_satisfy(p);
    }
    after_response(p, &mut seen);
}

/// Scope, condition and component, up to `shall`.
fn before_shall(p: &mut Parser, seen: &mut Seen) {
    let over = |p: &Parser, seen: &Seen| {
        let after = seen.component && follows_shall(p, 0);
        p.at_end() || p.at_word(Word::Satisfy) || is_modal(p, 0) || after
    };
    while !over(p, seen) {
        p.eat(Kind::Comma);
        if let Some(words) = component_ahead(p) {
            component(p, words, seen);
            continue;
        }
        if p.at_word(Word::The) && is_modal(p, 1) {
            missing_component(p, p.span());
            p.skip_one();
            continue;
        }
        // A scope joined to something is rejected as a second one or as misplaced.
        let joins_scope = matches!(p.word(0), Some(Word::And | Word::Or)) && scope_ahead(p, 1);
        let joins_clause = p.at_word(Word::And) && p.word(1).is_some_and(Word::is_qualifier);
        if joins_clause || joins_scope && (seen.scope || seen.condition) {
            p.bump();
        }
        // `if p, then the pump shall …`: `then` is optional.
        if seen.condition && p.at_word(Word::Then) {
            then(p);
            continue;
        }
        match field_here(p) {
            Some(field) => field_before_shall(p, field, seen),
            None if p.at_end() || is_modal(p, 0) => {}
            None => unknown_before_shall(p),
        }
    }
    p.eat(Kind::Comma);
}

fn then(p: &mut Parser) {
    let span = p.span();
    p.bump();
    let operand = p.kind(0).is_some_and(starts_operand)
        && !matches!(p.word(0), Some(Word::The | Word::Shall | Word::Satisfy));
    if operand && p.has_shall && component_ahead(p).is_none() && field_here(p).is_none() {
        let hint = "inside a condition, write `if p then q` in parentheses";
        p.report(codes::UNEXPECTED, span, "a condition ends before `then`", hint);
        let node = p.open(Kind::Error);
        expression_is(p);
        p.close(&node);
    }
}

fn field_before_shall(p: &mut Parser, field: Field, seen: &mut Seen) {
    let start = p.position();
    let condition_seen = seen.condition;
    read_field(p, field);
    match field {
        Field::Scope => {
            repeated(p, start, std::mem::replace(&mut seen.scope, true), "scope");
            if condition_seen {
                let message =
                    format!("the scope `{}` comes after the condition", p.text_of(p.span_since(start)));
                let hint = "put the scope first: `in M mode, when p, the pump shall …`";
                p.report(codes::MISPLACED, p.span_since(start), message, hint);
            }
        }
        Field::Condition => repeated(p, start, std::mem::replace(&mut seen.condition, true), "condition"),
        Field::Timing => {
            seen.timing = true;
            let text = p.text_of(p.span_since(start));
            let message = format!("the timing `{text}` comes before `shall`");
            let hint = format!("put it after `shall`: `the pump shall {text} satisfy …`");
            p.report(codes::MISPLACED, p.span_since(start), message, hint);
        }
    }
}

fn repeated(p: &mut Parser, start: usize, seen: bool, field: &str) {
    if seen {
        let span = p.span_since(start);
        let message = format!("`{}` is a second {field}", p.text_of(span));
        let hint = format!("a sentence has one {field}; join expressions with `&`, or write two sentences");
        p.report(codes::REPEATED, span, message, hint);
    }
}

/// Reports a word that opens no field, with the nearest keyword.
fn unknown_before_shall(p: &mut Parser) {
    let word = p.current();
    if p.at(Kind::RightParen) {
        p.report(codes::UNMATCHED_PAREN, p.span(), "this parenthesis was never opened", "remove it");
    } else {
        let near = slip_of(word, STARTERS);
        if p.has_shall {
            let hint = Hint::near(near, || {
                "the order is: scope, condition, component, `shall`, timing, `satisfy`, response".into()
            });
            p.report(codes::UNEXPECTED, p.span(), format!("unexpected {}", found(p)), hint);
        } else {
            // Without `shall` nothing more is known about the sentence, and one error is enough.
            missing_shall(p, Hint::near(near, || EXAMPLE.into()));
            let ahead = p.find_word(Word::Satisfy).unwrap_or(usize::MAX);
            p.skip(ahead);
            return;
        }
    }
    p.skip_one();
    // Skip to something readable; consecutive commas are one mistake.
    let opens = |word: Word| {
        word.is_qualifier() || word.opens_scope() || matches!(word, Word::Shall | Word::Satisfy | Word::The)
    };
    let mut ahead = 0;
    while word == "," && p.kind(ahead) == Some(Kind::Comma) {
        ahead += 1;
    }
    while p.kind(ahead).is_some_and(|kind| kind != Kind::Comma)
        && !p.word(ahead).is_some_and(opens)
        && component_at(p, ahead).is_none()
    {
        ahead += 1;
    }
    p.skip(ahead);
}

/// The keyword that was probably meant, if it is misspelled.
fn slip_of(word: &str, known: &[&'static str]) -> Option<&'static str> {
    nearest(word, known.iter().copied()).filter(|known| !known.eq_ignore_ascii_case(word))
}

/// Keywords that can open a field, for "did you mean".
const STARTERS: &[&str] = &[
    "in", "during", "while", "except", "only", "before", "after", "when", "if", "upon", "where", "unless",
    "whenever", "the", "shall",
];

/// If the words from here to `shall` can only be a component, their number of tokens.
fn component_ahead(p: &Parser) -> Option<usize> {
    component_at(p, 0)
}

fn component_at(p: &Parser, from: usize) -> Option<usize> {
    let article = usize::from(p.word(from) == Some(Word::The));
    let mut words = article;
    // Several words are a recognized mistake; a handful is enough to check.
    while words < article + 8 {
        let is_name = matches!(p.kind(from + words), Some(Kind::Name | Kind::Quoted));
        let ends = is_modal(p, from + words) || follows_shall(p, from + words);
        if words > article && ends {
            let plain = article == 1 || words == 1;
            return plain.then_some(words);
        }
        if !is_name || ends {
            return None;
        }
        words += 1;
    }
    None
}

/// `shall`, a verb that people use instead of it or, in a sentence without `shall`, a typo.
fn is_modal(p: &Parser, ahead: usize) -> bool {
    match p.word(ahead) {
        Some(Word::Shall) => true,
        Some(Word::Must | Word::Should | Word::Will) => !p.has_shall,
        Some(_) => false,
        None => !p.has_shall && nearest(p.text_at(ahead), ["shall"]).is_some(),
    }
}

/// In a sentence without `shall`: a word that can only follow it.
fn follows_shall(p: &Parser, ahead: usize) -> bool {
    let follows = |word: Word| {
        word.is_plain_timing()
            || matches!(word, Word::Satisfy | Word::Satisfies | Word::Within | Word::For | Word::Until)
    };
    p.word(ahead).is_some_and(follows) && !p.has_shall
}

fn component(p: &mut Parser, words: usize, seen: &mut Seen) {
    let start = p.position();
    let article = usize::from(p.at_word(Word::The));
    let node = p.open(Kind::Component);
    p.bump_by(words);
    p.close(&node);
    if words - article > 1 {
        let span = p.span_since(start + article);
        let joined = p.text_of(span).split_whitespace().collect::<Vec<_>>().join("_");
        let message = format!("the component name `{}` has several words", p.text_of(span));
        let hint = format!("write `{joined}`, or write the name in double quotes");
        p.report(codes::COMPONENT_WORDS, span, message, hint);
    }
    repeated(p, start, std::mem::replace(&mut seen.component, true), "component");
}

/// Handles another verb, or nothing, in place of `shall`. Returns whether the sentence continues as if it were there.
fn instead_of_shall(p: &mut Parser) -> bool {
    if is_modal(p, 0) {
        let message = format!("expected `shall`, found `{}`", p.current());
        p.report(codes::MISSING_SHALL, p.span(), message, Hint::replace_with("shall"));
        p.skip_one();
        return true;
    }
    let goes_on = follows_shall(p, 0);
    if goes_on || p.at_end() && !p.has_shall {
        missing_shall(p, EXAMPLE.into());
    }
    goes_on
}

const EXAMPLE: &str = "write a sentence such as `when p, the pump shall always satisfy q`";

fn missing_shall(p: &mut Parser, hint: Hint) {
    if !p.has(codes::MISSING_SHALL) {
        p.report(codes::MISSING_SHALL, p.span(), "the word `shall` is missing", hint);
    }
}

/// Component (unless already named), probability and timing, up to `satisfy`.
fn after_shall(p: &mut Parser, shall: Span, seen: &mut Seen) {
    if p.at_word(Word::Shall) {
        p.report(codes::UNEXPECTED, p.span(), "`shall` is repeated", "remove one of them");
        p.skip_one();
    }
    p.eat(Kind::Comma);
    if p.at_word(Word::Not) {
        let hint = "write `shall never satisfy p`, or `shall always satisfy !p`, or another timing with `!p`";
        p.report(codes::SHALL_NOT, p.span(), "`shall not` does not say when", hint);
        p.skip_one();
    }
    if !seen.component {
        component_after_shall(p, shall, seen);
    }
    loop {
        p.eat(Kind::Comma);
        if p.at_end() || p.at_word(Word::Satisfy) {
            return;
        }
        if p.at_word(Word::With) && p.word(1) == Some(Word::Probability) {
            fields::probability(p);
            continue;
        }
        match field_here(p) {
            Some(Field::Timing) => {
                let start = p.position();
                read_field(p, Field::Timing);
                repeated(p, start, std::mem::replace(&mut seen.timing, true), "timing");
            }
            Some(field) => misplaced(p, field, seen),
            None => {
                unknown_after_shall(p);
                return;
            }
        }
    }
}

fn component_after_shall(p: &mut Parser, shall: Span, seen: &mut Seen) {
    let article = usize::from(p.at_word(Word::The));
    let named = match p.word(article) {
        Some(Word::Shall | Word::Satisfy) => false,
        Some(Word::Satisfies) => p.find_word(Word::Satisfy).is_some(),
        _ => matches!(p.kind(article), Some(Kind::Name | Kind::Quoted)),
    };
    if named && (article == 1 || field_here(p).is_none()) {
        component(p, article + 1, seen);
    } else if !p.has(codes::MISSING_SHALL) && !p.has(codes::MISSING_COMPONENT) {
        missing_component(p, shall);
    }
}

fn missing_component(p: &mut Parser, span: Span) {
    let hint = "name the component before `shall`: `the pump shall …`";
    p.report(codes::MISSING_COMPONENT, span, "the component is missing", hint);
}

/// A scope or condition after `shall` or after the response.
fn misplaced(p: &mut Parser, field: Field, seen: &mut Seen) {
    let start = p.position();
    read_field(p, field);
    let span = p.span_since(start);
    let text = p.text_of(span);
    let (name, slot, hint) = match field {
        Field::Scope => ("scope", &mut seen.scope, format!("put it first: `{text}, the pump shall …`")),
        Field::Condition => (
            "condition",
            &mut seen.condition,
            format!("put it before the component: `{text}, the pump shall …`"),
        ),
        Field::Timing => {
            ("timing", &mut seen.timing, format!("put it after `shall`: `the pump shall {text} satisfy …`"))
        }
    };
    if std::mem::replace(slot, true) {
        repeated(p, start, true, name);
    } else {
        p.report(codes::MISPLACED, span, format!("the {name} `{text}` is in the wrong place"), hint);
    }
}

/// Something after `shall` that is neither timing nor `satisfy`.
fn unknown_after_shall(p: &mut Parser) {
    let satisfy = p.find_word(Word::Satisfy);
    let word = p.current();
    let near = slip_of(word, AFTER_SHALL);
    match (satisfy, near) {
        _ if near == Some("satisfy") || p.at_word(Word::Satisfies) => {
            let message = format!("expected `satisfy`, found `{word}`");
            let hint = Hint::did_you_mean("satisfy");
            p.report(codes::MISSING_SATISFY, p.span(), message, hint);
            if satisfy.is_none() {
                p.treat_as(Word::Satisfy);
                return;
            }
        }
        (Some(_), near) => {
            let hint = Hint::near(near, || {
                "write a timing between `shall` and `satisfy`, such as `always` or `within 3 seconds`".into()
            });
            p.report(codes::UNEXPECTED, p.span(), format!("{} is not a timing", found(p)), hint);
        }
        (None, Some(known)) => {
            let message = format!("`{word}` is not a timing");
            let hint = Hint::did_you_mean(known);
            p.report(codes::UNEXPECTED, p.span(), message, hint);
        }
        (None, None) => {}
    }
    p.skip(satisfy.unwrap_or(0));
}

/// Keywords that can follow `shall`, for "did you mean".
const AFTER_SHALL: &[&str] = &[
    "satisfy",
    "immediately",
    "initially",
    "finally",
    "eventually",
    "always",
    "never",
    "within",
    "for",
    "after",
    "until",
    "before",
    "at",
];

/// The response, after `satisfy`.
fn response(p: &mut Parser) {
    let start = p.position();
    while p.at(Kind::Comma)
        || p.at(Kind::Colon)
        || p.at_word(Word::Satisfy)
        || p.at_word(Word::The) && p.kind(1).is_some_and(starts_operand)
    {
        p.skip_one();
    }
    if p.position() > start {
        let span = p.span_since(start);
        let message = format!("`{}` is unexpected after `satisfy`", p.text_of(span));
        p.report(codes::UNEXPECTED, span, message, "remove it: only an expression can follow `satisfy`");
    }
    let node = p.open(Kind::Response);
    expression_is(p);
    p.close(&node);
}

fn missing_satisfy(p: &mut Parser) {
    if !p.has(codes::MISSING_SATISFY) {
        let message = format!("expected `satisfy`, found {}", found(p));
        let hint = "the response is a condition: `the pump shall eventually satisfy pressure > 3`";
        p.report(codes::MISSING_SATISFY, p.span(), message, hint);
    }
    p.skip(usize::MAX);
}

/// A final period; everything else after the response is misplaced.
fn after_response(p: &mut Parser, seen: &mut Seen) {
    while !p.at_end() {
        if p.at(Kind::Dot) && p.kind(1).is_none() {
            p.bump();
            return;
        }
        if p.at(Kind::RightParen) {
            let message = "this parenthesis was never opened";
            let hint = "remove it, or add the `(` it belongs to";
            p.report(codes::UNMATCHED_PAREN, p.span(), message, hint);
            p.skip_one();
            continue;
        }
        if p.at(Kind::Comma) && p.kind(1).is_none() {
            p.report(codes::UNEXPECTED, p.span(), "the sentence ends with a comma", "remove it");
            p.skip_one();
            return;
        }
        let comma = usize::from(p.at(Kind::Comma));
        p.bump_by(comma);
        match field_here(p) {
            Some(field) => misplaced(p, field, seen),
            None => {
                let message = format!("{} is unexpected after the response", found(p));
                let hint = "the response ends the sentence; join expressions with `&`, and write names with spaces in double quotes";
                p.report(codes::UNEXPECTED, p.span(), message, hint);
                p.skip(usize::MAX);
            }
        }
    }
}
