//! Which texts are names, how they are spelled, and where a name is in a definition.

use super::Refused;
use std::ops::Range;

/// Whether something can be called so.
pub(super) fn is_name(text: &str) -> Result<(), Refused> {
    let refuse = |why: &str| Err(Refused::NoName(why.into()));
    match text {
        "" => refuse("it is empty"),
        _ if text.trim() != text => refuse("it begins or ends with a space"),
        _ if text.contains(|c: char| c.is_control() || "\"\\".contains(c)) => {
            refuse("it has quotation marks, backslashes or control characters")
        }
        _ => Ok(()),
    }
}

/// The name as a key of TOML.
pub(super) fn key(name: &str) -> String {
    let bare = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if bare { name.to_string() } else { format!("\"{name}\"") }
}

/// Where a name is in a definition, as a whole identifier or in quotes.
pub(super) fn renamed_in(text: &str, name: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(head) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if head == '"' {
            let inner = rest[1..].find('"').map_or(rest.len() - 1, |end| end + 1);
            if rest[1..].get(..inner.saturating_sub(1)) == Some(name) {
                found.push(at..at + inner + 1);
            }
            inner + 1
        } else if belongs(head) {
            let run = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
            // A dot at the end is not part of a name.
            let word = rest[..run].trim_end_matches('.');
            if word == name {
                found.push(at..at + word.len());
            }
            run
        } else {
            head.len_utf8()
        };
        at += length;
    }
    found
}

/// Whether the name at these bytes is compared with one of these variables, and is therefore a value.
pub(super) fn is_value(text: &str, range: &Range<usize>, enumerations: &[&str]) -> bool {
    let operator = |c: char| "=!<>".contains(c);
    let before = text[..range.start].trim_end();
    let left = before.trim_end_matches(operator);
    let right = text[range.end..].trim_start();
    let after = right.trim_start_matches(operator);
    let word = |text: &str| text.trim_matches('"').to_string();
    let first = |text: &str| word(&text[..text.find(|c| !belongs(c) && c != '"').unwrap_or(text.len())]);
    let last = |text: &str| {
        word(&text[text.rfind(|c| !belongs(c) && c != '"').map_or(0, |at| at + next(text, at))..])
    };
    let compared = |has: bool, name: String| has && enumerations.contains(&name.as_str());
    compared(left.len() < before.len(), last(left.trim_end()))
        || compared(after.len() < right.len(), first(after.trim_start()))
}

/// The length of the letter at a byte.
fn next(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(0, char::len_utf8)
}

/// Whether a letter can be inside a name.
fn belongs(c: char) -> bool {
    c.is_alphanumeric() || "_.%".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions() {
        for (text, expected) in [
            ("x", "[x]"),
            ("a & x | xx & x.y & !x", "a & [x] | xx & x.y & ![x]"),
            ("0 -> pre x + 1.", "0 -> pre [x] + 1."),
            ("\"x\" = x.", "[\"x\"] = [x]."),
            ("\"open x", "\"open x"),
            ("größe\\|x", "größe\\|[x]"),
        ] {
            let mut shown = text.to_string();
            for range in renamed_in(text, "x").into_iter().rev() {
                shown.insert(range.end, ']');
                shown.insert(range.start, '[');
            }
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("x", false),
            ("s = x", true),
            ("(s!=x)", true),
            ("x = s & y", true),
            ("ss = x", false),
            ("s = 3 & x", false),
            ("größe = s & x", false),
            ("\"s\" = x", true),
            ("s <> x", true),
        ] {
            let at = text.find('x').expect("the name is there");
            assert_eq!(is_value(text, &(at..at + 1), &["s"]), expected, "{text}");
        }
    }
}
