//! Text → tokens of Lustre, without white space and comments. Never fails: unknown characters are reported and skipped.
//!
//! Comments with a meaning become tokens: `--%PROPERTY`, `--%MAIN`, `--%REALIZABLE`, and `(*@contract` with its closing `*)`.

use super::parser::MAX_DIAGNOSTICS;
use crate::codes;
use crate::{Code, Diagnostic, Span};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Name,
    Int,
    Decimal,
    Text,
    /// A symbol, or a comment with a meaning.
    Sign(&'static str),
    End,
}

/// The tokens that open and close a contract comment.
pub(super) const CONTRACT: &str = "(*@contract";
pub(super) const CONTRACT_END: &str = "*)";
pub(super) const PROPERTY: &str = "--%PROPERTY";
pub(super) const REALIZABLE: &str = "--%REALIZABLE";
pub(super) const MAIN: &str = "--%MAIN";

/// The words of comments with a meaning.
const ANNOTATIONS: [(&str, &str); 3] = [("PROPERTY", PROPERTY), ("MAIN", MAIN), ("REALIZABLE", REALIZABLE)];

/// Longest first.
const SIGNS: &[&str] = &[
    "==>", "::", "->", "=>", "<>", "<=", ">=", "&&", "||", ":=", ".%", "..", "(", ")", "[", "]", "{", "}",
    ",", ";", ":", ".", "<", ">", "=", "+", "-", "*", "/", "^", "|", "!", "#", "'", "@", "?",
];

/// The tokens of a text; the last one is [`Token::End`].
pub(super) fn tokens(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<(Token, Span)> {
    let mut lexer = Lexer { text, at: 0, closing: None, tokens: Vec::new(), diagnostics };
    while lexer.at < text.len() {
        lexer.step();
    }
    if let Some((start, _, true)) = lexer.closing {
        let message = "the contract is never closed".to_owned();
        let hint = "close it with `*)`";
        lexer.report(codes::UNCLOSED_COMMENT, start, start + 2, message, hint);
    }
    let end = text.len();
    lexer.push(Token::End, end, end);
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Where a comment with a meaning starts, how it ends, and whether its end is a token.
    closing: Option<(usize, &'static str, bool)>,
    tokens: Vec<(Token, Span)>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let start = self.at;
        let Some(first) = rest.chars().next() else { return };
        if first.is_whitespace() {
            self.at += first.len_utf8();
        } else if rest.starts_with("--") {
            self.line_comment(rest);
        } else if let Some((_, end, is_token)) = self.closing.filter(|(_, end, _)| rest.starts_with(end)) {
            self.at += end.len();
            self.closing = None;
            if is_token {
                self.push(Token::Sign(CONTRACT_END), start, self.at);
            }
        } else if rest.starts_with("(*") || rest.starts_with("/*") {
            self.block_comment(rest);
        } else if first == '"' {
            let length = rest[1..].find('"');
            if length.is_none() {
                let message = "the quotation mark is never closed".to_owned();
                let hint = "close it with `\"`";
                self.report(codes::UNCLOSED_QUOTE, start, start + 1, message, hint);
            }
            self.at += length.map_or(rest.len(), |length| length + 2);
            self.push(Token::Text, start, self.at);
        } else if first.is_ascii_digit() {
            self.number(rest);
        } else if first.is_ascii_alphabetic() || first == '_' {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let mut end = rest.find(|c| !plain(c)).unwrap_or(rest.len());
            // JKind also has `~` and `!` inside names.
            while rest[end..].starts_with(['~', '!']) && rest[end + 1..].starts_with(plain) {
                end = rest[end + 1..].find(|c| !plain(c)).map_or(rest.len(), |length| end + 1 + length);
            }
            self.at += end;
            self.push(Token::Name, start, self.at);
        } else if let Some(sign) = SIGNS.iter().copied().find(|sign| rest.starts_with(sign)) {
            self.at += sign.len();
            self.push(Token::Sign(sign), start, self.at);
        } else {
            self.at += first.len_utf8();
            let message = format!("`{first}` is not part of a name, number or operator of Lustre");
            self.report(codes::UNKNOWN_CHARACTER, start, self.at, message, "remove it");
        }
    }

    fn line_comment(&mut self, rest: &str) {
        let start = self.at;
        let annotation = rest[2..].strip_prefix(['%', '!']).unwrap_or_default();
        for (word, sign) in ANNOTATIONS {
            if annotation.starts_with(word) {
                self.at += 3 + word.len();
                self.push(Token::Sign(sign), start, self.at);
                return;
            }
        }
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    fn block_comment(&mut self, rest: &str) {
        let start = self.at;
        let end = if rest.starts_with("(*") { "*)" } else { "*/" };
        let inside = &rest[2..];
        if self.closing.is_none() {
            if let Some(after) = inside.strip_prefix('@') {
                let trimmed = after.trim_start();
                if trimmed.starts_with("contract") {
                    self.at += rest.len() - trimmed.len() + "contract".len();
                    self.push(Token::Sign(CONTRACT), start, self.at);
                    self.closing = Some((start, end, true));
                    return;
                }
            }
            let annotation = inside.strip_prefix(['%', '!']).unwrap_or_default();
            for (word, sign) in ANNOTATIONS {
                if annotation.starts_with(word) {
                    self.at += 3 + word.len();
                    self.push(Token::Sign(sign), start, self.at);
                    self.closing = Some((start, end, false));
                    return;
                }
            }
        }
        match inside.find(end) {
            Some(length) => self.at += length + 4,
            None => {
                let message = "the comment is never closed".to_owned();
                let hint = if end == "*)" { "close it with `*)`" } else { "close it with `*/`" };
                self.report(codes::UNCLOSED_COMMENT, start, start + 2, message, hint);
                self.at = self.text.len();
            }
        }
    }

    /// Digits, optionally with a fraction and an exponent; `0x` and hexadecimal digits.
    fn number(&mut self, rest: &str) {
        let start = self.at;
        let digits = |from: usize| {
            rest[from..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |length| from + length)
        };
        if rest.starts_with("0x") || rest.starts_with("0X") {
            let end =
                rest[2..].find(|c: char| !c.is_ascii_hexdigit()).map_or(rest.len(), |length| length + 2);
            self.at += end;
            return self.push(Token::Int, start, self.at);
        }
        let mut end = digits(0);
        let mut kind = Token::Int;
        let bytes = rest.as_bytes();
        if bytes.get(end) == Some(&b'.') && !matches!(bytes.get(end + 1), Some(b'.' | b'%')) {
            kind = Token::Decimal;
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = end + 1 + sign;
            if bytes.get(exponent).is_some_and(u8::is_ascii_digit) {
                kind = Token::Decimal;
                end = digits(exponent);
            }
        }
        self.at += end;
        self.push(kind, start, self.at);
    }

    fn push(&mut self, token: Token, start: usize, end: usize) {
        self.tokens.push((token, Span::new(start as u32, end as u32)));
    }

    fn report(&mut self, code: Code, start: usize, end: usize, message: String, hint: &str) {
        let span = Span::new(start as u32, end as u32);
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic::new(code, span, message, hint));
        }
    }
}
