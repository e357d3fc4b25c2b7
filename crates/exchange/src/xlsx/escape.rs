//! How sheets spell things: `_xHHHH_` for characters that XML cannot hold, `B7` for cells.

use crate::xml;

/// A text as a cell holds it, escaped for XML.
pub(super) fn encode(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let is_foreign = |c: char| c == '\r' || !base::xml::is_allowed(c);
    for (at, c) in text.char_indices() {
        // The `_` that closes a seeming escape may be that of the escape of the next character.
        let next = text.get(at + 6..).and_then(|rest| rest.chars().next());
        let closes = next.is_some_and(|next| next == '_' || is_foreign(next));
        let looks_escaped = c == '_' && closes && hexadecimal(&text[at..]).is_some();
        if looks_escaped || is_foreign(c) {
            plain.push_str(&format!("_x{:04X}_", u32::from(c)));
        } else {
            plain.push(c);
        }
    }
    xml::escape_text(&plain)
}

/// The text that a cell means.
pub(super) fn decode(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('_') {
        result.push_str(&rest[..at]);
        rest = &rest[at..];
        match escaped(rest).and_then(char::from_u32) {
            Some(c) => {
                result.push(c);
                rest = &rest[7..];
            }
            None => {
                result.push('_');
                rest = &rest[1..];
            }
        }
    }
    result + rest
}

/// The number in `_xHHHH_` at the start of a text.
fn escaped(text: &str) -> Option<u32> {
    hexadecimal(text).filter(|_| text.as_bytes().get(6) == Some(&b'_'))
}

/// The number in `_xHHHH` at the start of a text.
fn hexadecimal(text: &str) -> Option<u32> {
    let digits = text.get(..6)?.strip_prefix("_x")?;
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| hex)
}

/// The letters of a column, from 0.
pub(super) fn letters(column: u32) -> String {
    let mut rest = column + 1;
    let mut letters = Vec::new();
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// Column (from 0) and row (from 1) of a reference like `B7`.
pub(super) fn reference(text: &str) -> Option<(u32, u32)> {
    let text = text.replace('$', "");
    let split = text.find(|c: char| c.is_ascii_digit())?;
    let (letters, digits) = text.split_at(split);
    if letters.is_empty() || letters.len() > 3 || !letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let column =
        letters.bytes().fold(0, |sum, byte| sum * 26 + u32::from(byte.to_ascii_uppercase() - b'A') + 1) - 1;
    let row = digits.parse().ok()?;
    (column < super::book::MAX_COLUMNS && (1..=super::book::MAX_ROWS).contains(&row)).then_some((column, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_back() {
        let cases = [
            ("a\rb", "a_x000D_b"),
            ("_x000D_", "_x005F_x000D_"),
            ("_x00_", "_x00_"),
            ("\u{1}<&>", "_x0001_&lt;&amp;&gt;"),
            ("__x0041__x0041_", "__x005F_x0041__x005F_x0041_"),
            ("\u{ffff}_", "_xFFFF__"),
            ("a_xä__", "a_xä__"),
            ("_x1e5a\u{b}", "_x005F_x1e5a_x000B_"),
        ];
        for (text, cell) in cases {
            assert_eq!(encode(text), cell);
            let unescaped = cell.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            assert_eq!(decode(&unescaped), text);
        }
        assert_eq!(decode("_xD83D_"), "_xD83D_", "half a character is no character");
    }

    #[test]
    fn cells_have_names() {
        for (column, name) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16383, "XFD")] {
            assert_eq!(letters(column), name);
            assert_eq!(reference(&format!("{name}7")), Some((column, 7)));
        }
        for wrong in ["", "7", "A", "A0", "XFE1", "A1048577", "ÄÄ1", "A1B"] {
            assert_eq!(reference(wrong), None, "{wrong}");
        }
    }
}
