//! The normal form of a FRETish sentence: one space between tokens where people write one, words of the language in lower
//! case, one sign for each operator. Names, numbers, parentheses and line breaks are the user's.

use std::borrow::Cow;
use syntax::fretish::parse_with;
use syntax::{Kind, NodeRef, Parse, Phrases, Severity, Tree, Word};

/// A sentence of one line that takes more columns is broken before the component and before `satisfy`.
const MAX_COLUMNS: usize = 100;

/// The sentence in normal form; `line_break` is written where a new line begins, with its indentation. A sentence with
/// errors stays as it is.
pub fn sentence(text: &str, line_break: &str, phrases: &Phrases) -> String {
    let parsed = parse_with(text, phrases);
    if parsed.diagnostics.iter().any(|found| found.severity() == Severity::Error) {
        return text.to_string();
    }
    let tokens = tokens(&parsed.tree);
    let mut written = write(&tokens, line_break, false);
    if !written.contains('\n') && draw::columns(&written) > MAX_COLUMNS {
        written = write(&tokens, line_break, true);
    }
    if same(&parsed, &parse_with(&written, phrases)) { written } else { text.to_string() }
}

/// A token that is not white space.
struct Token<'t> {
    kind: Kind,
    text: &'t str,
    /// A word of the language, not a name.
    is_word: bool,
    /// No space comes between it and the next one: `!`, unary minus, the name of a call.
    holds_next: bool,
    /// A new line begins here.
    on_new_line: bool,
    /// A long sentence may be broken here.
    breaks: bool,
}

fn tokens(tree: &Tree) -> Vec<Token<'_>> {
    let mut names = Vec::new();
    let mut holding = Vec::new();
    let mut breaks = Vec::new();
    for node in tree.nodes() {
        let mut own = node.own_tokens();
        match node.kind() {
            Kind::NameRef | Kind::Freeform => names.extend(own.map(|(_, span, _)| span.start)),
            Kind::Call => {
                let head = own.next().map(|(_, span, _)| span.start);
                names.extend(head);
                holding.extend(head);
            }
            Kind::Component => {
                breaks.push(node.span().start);
                let article = |text: &str| Word::of(text) == Some(Word::The);
                names.extend(own.filter(|(_, _, text)| !article(text)).map(|(_, span, _)| span.start));
            }
            Kind::Duration => names.extend(own.next().map(|(_, span, _)| span.start)),
            Kind::Prefix => {
                let sign = own.next().filter(|(kind, ..)| matches!(kind, Kind::Bang | Kind::Minus));
                holding.extend(sign.map(|(_, span, _)| span.start));
            }
            Kind::Sentence => {
                let satisfy = own.find(|(_, _, text)| Word::of(text) == Some(Word::Satisfy));
                breaks.extend(satisfy.map(|(_, span, _)| span.start));
            }
            _ => {}
        }
    }
    names.sort_unstable();
    let is_name = |at: u32| names.binary_search(&at).is_ok();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut on_new_line = false;
    for (kind, text) in tree.tokens() {
        let start = at;
        at += text.len() as u32;
        if kind == Kind::Whitespace {
            on_new_line = text.contains('\n');
            continue;
        }
        tokens.push(Token {
            kind,
            text,
            is_word: kind == Kind::Name && Word::of(text).is_some() && !is_name(start),
            holds_next: holding.contains(&start),
            on_new_line: std::mem::take(&mut on_new_line) && start > 0,
            breaks: start > 0 && breaks.contains(&start),
        });
    }
    tokens
}

fn write(tokens: &[Token], line_break: &str, broken: bool) -> String {
    let mut out = String::new();
    let mut glue = true;
    for token in tokens {
        let closes = matches!(token.kind, Kind::Comma | Kind::RightParen | Kind::RightBracket | Kind::Dot);
        if token.on_new_line || broken && token.breaks && !out.is_empty() {
            out.push_str(line_break);
        } else if !glue && !closes {
            out.push(' ');
        }
        match token.is_word {
            true => out.push_str(&token.text.to_ascii_lowercase()),
            false => out.push_str(&spelled(token.kind, token.text)),
        }
        glue = token.holds_next || matches!(token.kind, Kind::LeftParen | Kind::LeftBracket);
    }
    out
}

/// One sign for what has two in plain text, and one space between the words of a phrase.
fn spelled(kind: Kind, text: &str) -> Cow<'_, str> {
    match text {
        "&&" => "&".into(),
        "||" => "|".into(),
        "==" => "=".into(),
        "~" => "!".into(),
        _ if kind == Kind::Phrase => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
        _ => text.into(),
    }
}

/// Whether two readings have the same tree over the same tokens.
fn same(one: &Parse, other: &Parse) -> bool {
    let solid = |parse: &Parse| {
        let tokens = parse.tree.tokens().filter(|(kind, _)| *kind != Kind::Whitespace);
        tokens.map(|(kind, text)| (kind, spelled(kind, text).to_ascii_lowercase())).collect::<Vec<_>>()
    };
    let kinds = |parse: &Parse| parse.tree.nodes().map(NodeRef::kind).collect::<Vec<_>>();
    one.diagnostics.len() == other.diagnostics.len()
        && kinds(one) == kinds(other)
        && solid(one) == solid(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use requirement::Fields;
    use syntax::fretish::{Sentence, parse};

    #[test]
    fn phrases() {
        let phrases = Phrases::new([("the door is Open", "o"), ("the driver's speed", "v")]);
        for (text, expected) in [
            (
                "When  The Door\n is   open, Pump shall satisfy !  the  driver's  speed>3",
                "when The Door is open, Pump shall satisfy !the driver's speed > 3",
            ),
            ("when the Door, Pump shall satisfy x", "when the Door, Pump shall satisfy x"),
        ] {
            assert_eq!(sentence(text, "\n  ", &phrases), expected);
            assert_eq!(sentence(expected, "\n  ", &phrases), expected);
        }
    }

    #[test]
    fn sentences() {
        for (text, expected) in [
            ("the  pump SHALL Always satisfy p", "the pump shall always satisfy p"),
            ("When p&&q , the pump shall satisfy !  r", "when p & q, the pump shall satisfy !r"),
            ("in Mode MODE the Pump shall satisfy p", "in mode MODE the Pump shall satisfy p"),
            (
                "pump shall within 3sec satisfy x>=-1+2*( y )",
                "pump shall within 3 sec satisfy x >= -1 + 2 * (y)",
            ),
            (
                "pump shall within LIMIT Seconds satisfy NOT p",
                "pump shall within LIMIT seconds satisfy not p",
            ),
            (
                "pump shall always satisfy persisted( 3,p )==TRUE.",
                "pump shall always satisfy persisted(3, p) = true.",
            ),
            ("when p ,\n   pump shall\r\nsatisfy q", "when p,\n  pump shall\n  satisfy q"),
            ("pump shall satisfy f ( x )  IS  True", "pump shall satisfy f(x) is true"),
            ("pump shall satisfy if a THEN b", "pump shall satisfy if a then b"),
            ("\"a  note\"", "\"a  note\""),
            ("\"The Pump\" shall satisfy \"my  x\"=3", "\"The Pump\" shall satisfy \"my  x\" = 3"),
            ("pump shall  satisfy", "pump shall  satisfy"),
            ("pump shall Until STOP satisfy a mod 2=0", "pump shall until STOP satisfy a mod 2 = 0"),
            (
                "pump shall with Probability>0.9 always satisfy a<->b",
                "pump shall with probability > 0.9 always satisfy a <-> b",
            ),
            (
                "in initialisation mode, when the_temperature_of_the_water > 80, the heater_controller shall within 5 ticks satisfy !heating",
                "in initialisation mode, when the_temperature_of_the_water > 80,\n  the heater_controller shall within 5 ticks\n  satisfy !heating",
            ),
        ] {
            let normal = |text: &str| sentence(text, "\n  ", &Phrases::default());
            let once = normal(text);
            assert_eq!(once, expected);
            assert_eq!(normal(&once), once);
            let fields = |text: &str| {
                let parsed = parse(text);
                let fields = Fields::of(Sentence::of(&parsed.tree));
                [
                    fields.scope_mode,
                    fields.condition,
                    fields.component,
                    fields.duration,
                    fields.stop,
                    fields.response,
                ]
                .map(|field| field.map(|field| field.text.replace(' ', "")))
            };
            assert_eq!(
                fields(&once).map(|f| f.map(|f| f.replace("true", "TRUE"))),
                fields(text).map(|f| f.map(|f| f.replace("true", "TRUE")))
            );
        }
    }
}
