//! The tokens of the format, with their positions.

use std::fmt;

/// Why a text cannot be read as an automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for HoaError {}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A name and a colon.
    Header(String),
    Name(String),
    Alias(String),
    Number(u32),
    Text(String),
    Mark(char),
    /// `--BODY--`, `--END--`, `--ABORT--`, without the dashes.
    Section(String),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Header(name) => write!(f, "`{name}:`"),
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Alias(name) => write!(f, "`@{name}`"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Text(text) => write!(f, "\"{text}\""),
            Token::Mark(mark) => write!(f, "`{mark}`"),
            Token::Section(name) => write!(f, "`--{name}--`"),
            Token::End => write!(f, "the end of the text"),
        }
    }
}

/// A token and where it begins.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// The tokens of a text; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, HoaError> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let (mut at, mut line, mut start) = (0, 1, 0);
    loop {
        let column = at - start + 1;
        let here = line;
        let error = |message: &str| HoaError { line: here, column, message: message.into() };
        let Some(&c) = chars.get(at) else {
            out.push(Placed { token: Token::End, line, column });
            return Ok(out);
        };
        if c == '\n' {
            (at, line, start) = (at + 1, line + 1, at + 1);
            continue;
        }
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        if c == '/' && chars.get(at + 1) == Some(&'*') {
            // Comments may contain comments.
            let mut depth = 0;
            loop {
                match (chars.get(at), chars.get(at + 1)) {
                    (Some('/'), Some('*')) => (at, depth) = (at + 2, depth + 1),
                    (Some('*'), Some('/')) => (at, depth) = (at + 2, depth - 1),
                    (Some('\n'), _) => (at, line, start) = (at + 1, line + 1, at + 1),
                    (Some(_), _) => at += 1,
                    (None, _) => return Err(error("a comment that does not end")),
                }
                if depth == 0 {
                    break;
                }
            }
            continue;
        }
        let while_at = |from: usize, good: &dyn Fn(char) -> bool| {
            chars[from..].iter().take_while(|&&c| good(c)).count() + from
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let (token, end) = match c {
            '"' => {
                let (mut text, mut end) = (String::new(), at + 1);
                loop {
                    match chars.get(end) {
                        Some('"') => break,
                        Some('\\') if end + 1 < chars.len() => {
                            text.push(chars[end + 1]);
                            end += 2;
                        }
                        Some('\n') | None => return Err(error("a text without its closing quote")),
                        Some(&c) => {
                            text.push(c);
                            end += 1;
                        }
                    }
                }
                (Token::Text(text), end + 1)
            }
            '0'..='9' => {
                let end = while_at(at, &|c| c.is_ascii_digit());
                let digits: String = chars[at..end].iter().collect();
                let number = digits.parse().map_err(|_| error("a number that is too large"))?;
                (Token::Number(number), end)
            }
            '@' => {
                let end = while_at(at + 1, &is_name);
                (Token::Alias(chars[at + 1..end].iter().collect()), end)
            }
            '-' if chars.get(at + 1) == Some(&'-') => {
                let end = while_at(at + 2, &|c| c.is_ascii_uppercase());
                if chars.get(end) != Some(&'-') || chars.get(end + 1) != Some(&'-') {
                    return Err(error("expected `--BODY--` or `--END--`"));
                }
                (Token::Section(chars[at + 2..end].iter().collect()), end + 2)
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let end = while_at(at, &is_name);
                let name = chars[at..end].iter().collect();
                if chars.get(end) == Some(&':') {
                    (Token::Header(name), end + 1)
                } else {
                    (Token::Name(name), end)
                }
            }
            '!' | '&' | '|' | '(' | ')' | '{' | '}' | '[' | ']' => (Token::Mark(c), at + 1),
            _ => return Err(error(&format!("unexpected character `{c}`"))),
        };
        out.push(Placed { token, line, column });
        at = end;
    }
}
