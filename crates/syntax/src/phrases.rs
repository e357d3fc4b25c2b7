//! Phrases: words that sentences may write in the place of a name, such as `the door is open` for `door_open`.
//!
//! A phrase is one token of a sentence, whatever words it consists of, so the grammar takes it for a name. Case and white space do not
//! matter, and where several phrases fit, the longest does. The words directly before and after `shall` are the component.

use crate::lexer::tokens as lex;
use crate::tree::Token;
use crate::{Kind, Span, Word};
use std::collections::BTreeMap;
use std::fmt;

/// The most words of a phrase.
const LONGEST: usize = 40;

/// Phrases with the names that they stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phrases {
    root: Branch,
}

/// What the words read so far stand for, and the words that can come next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Branch {
    name: Option<String>,
    next: BTreeMap<String, Branch>,
}

/// Why a text is not a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAPhrase {
    /// It has fewer than two words in a row, or only words of the language.
    Short,
    /// It has too many words.
    Long,
    /// It has a word that separates or joins the parts of a sentence, at this place.
    Keyword(Span, String),
    /// It has something that is neither a word nor a number, at this place.
    Sign(Span, String),
}

impl fmt::Display for NotAPhrase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotAPhrase::Short => {
                write!(f, "a phrase has two words or more, and not only words of the language")
            }
            NotAPhrase::Long => write!(f, "a phrase has at most {LONGEST} words"),
            NotAPhrase::Keyword(_, word) => {
                write!(
                    f,
                    "`{word}` separates or joins the parts of a sentence, so a phrase cannot contain it"
                )
            }
            NotAPhrase::Sign(_, sign) => write!(f, "`{sign}` is not a word, so a phrase cannot contain it"),
        }
    }
}

impl std::error::Error for NotAPhrase {}

impl Phrases {
    /// The phrases, each with its name. What is not a phrase is left out; of two that are alike, the first counts.
    pub fn new<'p>(entries: impl IntoIterator<Item = (&'p str, &'p str)>) -> Phrases {
        let mut phrases = Phrases::default();
        for (text, name) in entries {
            let Ok(words) = Phrases::words(text) else { continue };
            let end = words
                .into_iter()
                .fold(&mut phrases.root, |branch, word| branch.next.entry(word).or_default());
            end.name.get_or_insert_with(|| name.to_owned());
        }
        phrases
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.root.next.is_empty()
    }

    /// The words of a phrase in lower case: two phrases with the same words are alike.
    ///
    /// # Errors
    /// Why the text is not a phrase.
    pub fn words(text: &str) -> Result<Vec<String>, NotAPhrase> {
        let tokens = solid(&lex(text)).collect::<Vec<Token>>();
        if tokens.len() > LONGEST {
            return Err(NotAPhrase::Long);
        }
        for token in &tokens {
            let written = || text[token.span.range()].to_owned();
            match token.kind {
                Kind::Name if Word::of(&written()).is_some_and(|word| !word.fits_phrase()) => {
                    return Err(NotAPhrase::Keyword(token.span, written()));
                }
                Kind::Name | Kind::Number | Kind::Minus => {}
                Kind::Unknown if ["'", "’"].contains(&written().as_str()) => {}
                _ => return Err(NotAPhrase::Sign(token.span, written())),
            }
        }
        let is_name = |token: &Token| token.kind == Kind::Name;
        let has_pair = tokens.windows(2).any(|pair| pair.iter().all(is_name));
        let is_own = |token: &Token| is_name(token) && Word::of(&text[token.span.range()]).is_none();
        if !has_pair || !is_name(&tokens[0]) || !tokens.iter().any(is_own) {
            return Err(NotAPhrase::Short);
        }
        Ok(tokens.iter().map(|token| text[token.span.range()].to_lowercase()).collect())
    }

    /// The tokens of a sentence with one token for each phrase, and the names that these stand for, by where they begin.
    pub(crate) fn join(&self, text: &str, tokens: Vec<Token>) -> (Vec<Token>, Vec<(u32, Box<str>)>) {
        let mut names = Vec::new();
        if self.is_empty() {
            return (tokens, names);
        }
        let word = |token: Option<&Token>| token.and_then(|token| Word::of(&text[token.span.range()]));
        let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            let after_shall = || word(solid(&joined).next_back().as_ref()) == Some(Word::Shall);
            let found = self.longest(text, &tokens[at..]).filter(|(_, count)| {
                word(solid(&tokens[at + count..]).next().as_ref()) != Some(Word::Shall) && !after_shall()
            });
            let Some((name, count)) = found else {
                joined.push(token);
                at += 1;
                continue;
            };
            names.push((token.span.start, name.into()));
            joined.push(Token { kind: Kind::Phrase, span: token.span.to(tokens[at + count - 1].span) });
            at += count;
        }
        (joined, names)
    }

    /// The name of the longest phrase that begins with the first token, and the number of its tokens.
    fn longest(&self, text: &str, tokens: &[Token]) -> Option<(&str, usize)> {
        tokens.first().filter(|token| token.kind == Kind::Name)?;
        let mut branch = &self.root;
        let mut longest = None;
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind != Kind::Whitespace) {
            let Some(next) = branch.next.get(&text[token.span.range()].to_lowercase()) else { break };
            branch = next;
            longest = branch.name.as_deref().map(|name| (name, at + 1)).or(longest);
        }
        longest
    }
}

fn solid(tokens: &[Token]) -> impl DoubleEndedIterator<Item = Token> + '_ {
    tokens.iter().copied().filter(|token| token.kind != Kind::Whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_phrase() {
        for (text, expected) in [
            ("the door is open", "the|door|is|open"),
            ("The  Door\tis open", "the|door|is|open"),
            ("the driver's door", "the|driver|'|s|door"),
            ("anti-lock braking is on", "anti|-|lock|braking|is|on"),
            ("lamp 3 is on", "lamp|3|is|on"),
            ("the valve is in position", "the|valve|is|in|position"),
            ("speed", "!a phrase has two words"),
            ("a-b", "!a phrase has two words"),
            ("3 doors open", "!a phrase has two words"),
            ("at the next timepoint", "!a phrase has two words"),
            ("", "!a phrase has two words"),
            (&"so ".repeat(41), "!a phrase has at most 40 words"),
            ("the door and the window are open", "!`and` separates"),
            ("open when asked", "!`when` separates"),
            ("the door shall open", "!`shall` separates"),
            ("the door is not open", "!`not` separates"),
            ("speed > 3", "!`>` is not a word"),
            ("\"the door\" is open", "!`\"the door\"` is not a word"),
        ] {
            let found = Phrases::words(text).map_or_else(|why| format!("!{why}"), |words| words.join("|"));
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }

    #[test]
    fn the_longest_fits_and_the_component_stays() {
        let phrases = Phrases::new([
            ("the door", "d"),
            ("the door is open", "o"),
            ("the light is on", "l"),
            ("the light", "b"),
            ("The Door", "twice"),
            ("no", "none"),
        ]);
        for (text, expected) in [
            ("when the door is open, the light shall satisfy the light is on", "o@5 l@47"),
            ("when THE  door > 3 & the door is openly x", "d@5 d@21"),
            ("if the light the light shall satisfy the light", "b@3 b@37"),
            ("shall the light always satisfy the\n  light is on", "l@31"),
            ("\"the door\" & the_door", ""),
        ] {
            let (tokens, names) = phrases.join(text, lex(text));
            let shown: Vec<String> = names.iter().map(|(at, name)| format!("{name}@{at}")).collect();
            assert_eq!(shown.join(" "), expected, "{text}");
            assert_eq!(tokens.iter().map(|token| &text[token.span.range()]).collect::<String>(), text);
        }
    }
}
