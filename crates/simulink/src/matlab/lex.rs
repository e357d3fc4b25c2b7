//! Text to tokens. Each token records whether a blank comes before it, because inside brackets a blank may separate elements; and
//! whether a quote transposes or opens a text depends on what comes before it.

use super::Error;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    Number(f64),
    /// A number with `i` or `j` after it.
    Imaginary(f64),
    Text(String),
    Name(String),
    /// An operator or a bracket.
    Sign(&'static str),
    /// The end of a line outside of parentheses.
    Newline,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Lexed {
    pub(super) token: Token,
    pub(super) at: usize,
    /// Whether a blank comes before it, and after it.
    pub(super) before: bool,
    pub(super) after: bool,
}

/// Longer signs first.
const SIGNS: [&str; 36] = [
    "==", "~=", "!=", "<=", ">=", "&&", "||", ".*", "./", ".\\", ".^", ".'", "+", "-", "*", "/", "\\", "^",
    "<", ">", "=", "&", "|", "~", "!", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "@",
];

/// The tokens, and errors for what is not a token; a sign without meaning takes its place.
pub(super) fn lex(text: &str) -> (Vec<Lexed>, Vec<Error>) {
    let (mut tokens, mut errors): (Vec<Lexed>, Vec<Error>) = (vec![], vec![]);
    let mut at = 0;
    let mut before = false;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c == '\n' {
            tokens.push(Lexed { token: Token::Newline, at, before, after: false });
            at += 1;
            before = true;
            continue;
        }
        if rest.starts_with("%{")
            && let Some(length) = block_comment(&text[..at], rest)
        {
            at += length;
            before = true;
            continue;
        }
        let comment = c == '%';
        let joined = rest.starts_with("...");
        if comment || joined {
            let end = rest.find('\n').unwrap_or(rest.len());
            at += if joined { (end + 1).min(rest.len()) } else { end };
            before = true;
            continue;
        }
        if c.is_whitespace() {
            at += c.len_utf8();
            before = true;
            continue;
        }
        let previous = tokens.last().filter(|_| !before);
        let (token, length) = token(rest, at, previous).unwrap_or_else(|error| {
            errors.push(error);
            // A text that does not end takes its line.
            let line = rest.find('\n').unwrap_or(rest.len());
            (Token::Sign("?"), if matches!(c, '"' | '\'') { line } else { c.len_utf8() })
        });
        if before && let Some(last) = tokens.last_mut() {
            last.after = true;
        }
        tokens.push(Lexed { token, at, before, after: false });
        at += length;
        before = false;
    }
    (tokens, errors)
}

/// The length of a comment of several lines: `%{` and `%}` are alone in their lines. One that does not end takes the rest of the text.
fn block_comment(before: &str, rest: &str) -> Option<usize> {
    let is_alone = before.rsplit('\n').next().is_some_and(|it| it.trim().is_empty());
    let mut lines = rest.split_inclusive('\n');
    if !is_alone || lines.next()?.trim() != "%{" {
        return None;
    }
    let (mut length, mut depth) = (rest.find('\n').map_or(rest.len(), |it| it + 1), 1);
    for line in lines {
        length += line.len();
        match line.trim() {
            "%{" => depth += 1,
            "%}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    Some(length)
}

/// The token at the start of the text, and its length. A token without a blank between is `adjacent`.
fn token(rest: &str, at: usize, adjacent: Option<&Lexed>) -> Result<(Token, usize), Error> {
    let c = rest.chars().next().unwrap_or(' ');
    let dot = c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    if c.is_ascii_digit() || dot {
        let length = number_length(rest);
        let text = rest[..length].replace(['d', 'D'], "e");
        let number = text.parse().map_err(|_| Error::new(at, format!("`{text}` is not a number")))?;
        let unit = rest[length..].strip_prefix(['i', 'j']);
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        return Ok(match unit {
            Some(after) if !after.starts_with(is_name) => (Token::Imaginary(number), length + 1),
            _ => (Token::Number(number), length),
        });
    }
    if c.is_alphabetic() || c == '_' {
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        return Ok((Token::Name(rest[..length].to_string()), length));
    }
    if c == '"' || c == '\'' {
        let transposes = |lexed: &Lexed| match &lexed.token {
            Token::Number(_) | Token::Imaginary(_) | Token::Name(_) | Token::Text(_) => true,
            Token::Sign(sign) => matches!(*sign, ")" | "]" | "}" | "'" | ".'"),
            Token::Newline => false,
        };
        // After a blank a quote opens a text, as it does inside brackets.
        if c == '\'' && adjacent.is_some_and(transposes) {
            return Ok((Token::Sign("'"), 1));
        }
        return string(rest, c, at);
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    match sign {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => Err(Error::new(at, format!("unexpected `{}`", c.escape_debug()))),
    }
}

/// The length of a number: digits, a fraction, an exponent with digits. `1./x` and `1.*x` divide and multiply by elements.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    let operator = matches!(bytes.get(end + 1), Some(b'*' | b'/' | b'\\' | b'^' | b'\''));
    if bytes.get(end) == Some(&b'.') && !operator {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E' | b'd' | b'D')) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(signed).is_some_and(u8::is_ascii_digit) {
            end = digits(signed);
        }
    }
    end
}

/// A text in quotes; the quote doubled is the quote itself.
fn string(rest: &str, quote: char, at: usize) -> Result<(Token, usize), Error> {
    let mut found = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((place, c)) = chars.next() {
        match c {
            '\n' => break,
            c if c == quote => {
                if chars.next_if(|&(_, next)| next == quote).is_none() {
                    return Ok((Token::Text(found), place + 1));
                }
                found.push(quote);
            }
            c => found.push(c),
        }
    }
    Err(Error::new(at, "a quoted text is not closed"))
}
