//! Text → tokens that cover it, for sentences and formulas alike. Never fails: an unknown character is [`Kind::Unknown`], and an
//! unclosed quote extends to the end of the text.

use crate::tree::Token;
use crate::{Kind, Span};

/// The tokens of a text, including white space; their concatenation is the text.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 3 + 1);
    let mut start = 0;
    while start < text.len() {
        let glued = tokens.last().is_some_and(|before| ends_operand(before.kind));
        let (kind, length) = token(&text[start..], glued);
        let end = start + length;
        tokens.push(Token { kind, span: Span::new(start as u32, end as u32) });
        start = end;
    }
    tokens
}

/// Longest first, so that `<->` is not read as `<` and `->`.
const SYMBOLS: &[(&str, Kind)] = &[
    ("<->", Kind::Iff),
    ("<=>", Kind::Iff),
    ("->", Kind::Implies),
    ("=>", Kind::Implies),
    ("<>", Kind::LessGreater),
    ("<=", Kind::LessEqual),
    (">=", Kind::GreaterEqual),
    ("!=", Kind::NotEqual),
    ("==", Kind::Equal),
    ("&&", Kind::And),
    ("||", Kind::Or),
    ("(", Kind::LeftParen),
    (")", Kind::RightParen),
    ("[", Kind::LeftBracket),
    ("]", Kind::RightBracket),
    (",", Kind::Comma),
    (".", Kind::Dot),
    (":", Kind::Colon),
    ("!", Kind::Bang),
    ("~", Kind::Bang),
    ("&", Kind::And),
    ("|", Kind::Or),
    ("<", Kind::Less),
    (">", Kind::Greater),
    ("=", Kind::Equal),
    ("+", Kind::Plus),
    ("-", Kind::Minus),
    ("*", Kind::Star),
    ("/", Kind::Slash),
    ("^", Kind::Caret),
    ("¬", Kind::Bang),
    ("∧", Kind::And),
    ("∨", Kind::Or),
    ("⊕", Kind::Xor),
    ("→", Kind::Implies),
    ("⇒", Kind::Implies),
    ("↔", Kind::Iff),
    ("⇔", Kind::Iff),
    ("≤", Kind::LessEqual),
    ("≥", Kind::GreaterEqual),
    ("≠", Kind::NotEqual),
    ("−", Kind::Minus),
    ("·", Kind::Star),
    ("⊤", Kind::Name),
    ("⊥", Kind::Name),
    ("∞", Kind::Name),
    ("□", Kind::Temporal),
    ("◇", Kind::Temporal),
    ("○", Kind::Temporal),
    ("■", Kind::Temporal),
    ("◆", Kind::Temporal),
    ("●", Kind::Temporal),
    ("◯", Kind::Temporal),
];

/// Whether such a token can end an operand: directly after it, `.5` and `'` open nothing.
fn ends_operand(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Name | Kind::Number | Kind::Quoted | Kind::RightParen | Kind::RightBracket | Kind::Dot
    )
}

fn token(rest: &str, glued: bool) -> (Kind, usize) {
    let head = rest.chars().next().expect("the lexer asks only where text is left");
    if is_blank(head) {
        return (Kind::Whitespace, run(rest, is_blank));
    }
    if starts_name(head) {
        return (Kind::Name, name(rest));
    }
    let digits = rest.strip_prefix('.').filter(|_| !glued).unwrap_or(rest);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        return (Kind::Number, number(rest));
    }
    if head == '"' {
        return (Kind::Quoted, quoted(rest));
    }
    if let Some(length) = quoted_otherwise(rest).filter(|_| !glued) {
        return (Kind::Quoted, length);
    }
    match SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
        Some(&(symbol, kind)) => (kind, symbol.len()),
        None => (Kind::Unknown, head.len_utf8()),
    }
}

/// White space, and the marks of no width that copying from a web page leaves in a text.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '%'
}

/// A dot belongs to a name only between two of its characters, so that a sentence may end with one.
fn name(text: &str) -> usize {
    let mut length = 0;
    loop {
        length += run(&text[length..], |c| c.is_alphanumeric() || c == '_' || c == '%');
        let dotted = text[length..].strip_prefix('.').and_then(|rest| rest.chars().next());
        match dotted {
            Some(c) if c.is_alphanumeric() || c == '_' || c == '%' => length += 1,
            _ => return length,
        }
    }
}

fn number(text: &str) -> usize {
    let digits = |from: usize| run(&text[from..], |c| c.is_ascii_digit());
    let mut length = digits(0);
    if text[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Unsupported quotation marks.
pub(crate) const OTHER_QUOTES: &[char] = &['\'', '`', '‘', '’', '‚', '“', '”', '„'];

/// A name in unsupported quotation marks, on one line. An unclosed mark is not a quotation, and the next opening one ends the search,
/// so that no text is searched repeatedly.
fn quoted_otherwise(text: &str) -> Option<usize> {
    let open = text.chars().next().filter(|c| OTHER_QUOTES.contains(c))?;
    let closing: &[char] = match open {
        '‘' | '‚' => &['’', '‘'],
        '“' | '„' => &['”', '“'],
        other => &[other],
    };
    let inner = &text[open.len_utf8()..];
    let (length, close) =
        inner.char_indices().find(|(_, c)| closing.contains(c) || [open, '\n'].contains(c))?;
    closing.contains(&close).then_some(open.len_utf8() + length + close.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let tokens = tokens(text);
        let joined: String = tokens.iter().map(|t| &text[t.span.range()]).collect();
        assert_eq!(joined, text);
        let solid: Vec<_> =
            tokens.iter().filter(|t| t.kind != Kind::Whitespace).map(|t| &text[t.span.range()]).collect();
        assert_eq!(solid, expected, "{text}");
    }

    #[test]
    fn table() {
        check("a<->b", &["a", "<->", "b"]);
        check("x-1 > 0.", &["x", "-", "1", ">", "0", "."]);
        check("satisfy p.", &["satisfy", "p", "."]);
        check("a.b.c% _x.", &["a.b.c%", "_x", "."]);
        check("-3.0e2 1e+3 2e x", &["-", "3.0e2", "1e+3", "2", "e", "x"]);
        check("[0..3]", &["[", "0", ".", ".", "3", "]"]);
        check("60sec", &["60", "sec"]);
        check(
            "x=.5e1 (.5) f(x).5 a.5",
            &["x", "=", ".5e1", "(", ".5", ")", "f", "(", "x", ")", ".", "5", "a.5"],
        );
        check("'a b' x' “c” „d“ ’ ‘", &["'a b'", "x", "'", "“c”", "„d“", "’", "‘"]);
        check(r#""a \" b" c"#, &[r#""a \" b""#, "c"]);
        check("\"open", &["\"open"]);
        check("p≤q∧¬r $", &["p", "≤", "q", "∧", "¬", "r", "$"]);
        check("größe", &["größe"]);
        check("", &[]);
    }
}
