//! The keywords of SysReq-CNL; every other word is a noun or a value. Keywords are contextual and case-insensitive.

use crate::Kind;
use crate::nearest;
use crate::parser::Parser;

/// A keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Article,
    When,
    And,
    Or,
    Not,
    Is,
    Was,
    Changes,
    Change,
    Becomes,
    Be,
    Shall,
    Never,
    Cannot,
    Can,
    Initially,
    Then,
    To,
    From,
    By,
    Than,
    Greater,
    Lower,
    Equal,
    Different,
    Plus,
    Minus,
    Times,
}

/// The words that open a comparison, for "did you mean".
pub(crate) const COMPARATIVES: &[&str] =
    &["greater", "higher", "more", "larger", "lower", "less", "lesser", "smaller", "equal", "different"];

impl Key {
    /// The keyword with this spelling, if there is one.
    pub(crate) fn of(text: &str) -> Option<Key> {
        const LONGEST: usize = 9;
        let mut lower = [0; LONGEST];
        let lower = lower.get_mut(..text.len())?;
        lower.copy_from_slice(text.as_bytes());
        lower.make_ascii_lowercase();
        Some(match std::str::from_utf8(lower).ok()? {
            "the" | "a" | "an" => Key::Article,
            "when" | "whenever" | "if" | "while" => Key::When,
            "and" => Key::And,
            "or" => Key::Or,
            "not" => Key::Not,
            "is" | "are" => Key::Is,
            "was" | "were" => Key::Was,
            "changes" => Key::Changes,
            "change" => Key::Change,
            "becomes" | "become" => Key::Becomes,
            "be" => Key::Be,
            "shall" => Key::Shall,
            "never" => Key::Never,
            "cannot" => Key::Cannot,
            "can" => Key::Can,
            "initially" => Key::Initially,
            "then" => Key::Then,
            "to" => Key::To,
            "from" => Key::From,
            "by" => Key::By,
            "than" => Key::Than,
            "greater" | "higher" | "more" | "larger" => Key::Greater,
            "lower" | "less" | "lesser" | "smaller" => Key::Lower,
            "equal" => Key::Equal,
            "different" => Key::Different,
            "plus" => Key::Plus,
            "minus" => Key::Minus,
            "times" => Key::Times,
            _ => return None,
        })
    }
}

/// Whether a word is a keyword, so that a value with this word needs quotation marks.
pub fn is_reserved(word: &str) -> bool {
    Key::of(word).is_some_and(|key| key != Key::Article) || is_alternative(word)
}

/// Whether a word announces alternatives, for which `or` is enough.
pub(super) fn is_alternative(word: &str) -> bool {
    ["either", "neither"].iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// The keyword `ahead` tokens ahead.
pub(super) fn key(p: &Parser, ahead: usize) -> Option<Key> {
    if p.kind(ahead) == Some(Kind::Name) { Key::of(p.text_at(ahead)) } else { None }
}

pub(super) fn at_key(p: &Parser, wanted: Key) -> bool {
    key(p, 0) == Some(wanted)
}

pub(super) fn eat_key(p: &mut Parser, wanted: Key) -> bool {
    let found = at_key(p, wanted);
    p.bump_by(usize::from(found));
    found
}

/// `shall`, a verb that people use instead of it or, in a sentence without `shall`, a typo.
pub(super) fn is_modal(p: &Parser, ahead: usize) -> bool {
    if p.has_shall || p.kind(ahead) != Some(Kind::Name) {
        return key(p, ahead) == Some(Key::Shall);
    }
    let text = p.text_at(ahead);
    let instead = ["must", "should", "will"].iter().any(|word| word.eq_ignore_ascii_case(text));
    instead || Key::of(text).is_none() && nearest(text, ["shall"]).is_some()
}
