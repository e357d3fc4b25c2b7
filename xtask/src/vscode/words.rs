//! The grammars of the extension have exactly the words that the parsers have, each in the field that it opens. In the grammars every
//! spelling is in a group `(?i:…)`.

use serde_json::Value;
use std::collections::BTreeSet;
use syntax::fretish::{self, Sentence};
use syntax::{Parse, Word, sysreq};

const FRETISH: &str = include_str!("../../../editors/vscode/syntaxes/fretish.tmLanguage.json");
const SNIPPETS: &str = include_str!("../../../editors/vscode/snippets/fretish.json");
const SYSREQ: &str = include_str!("../../../editors/vscode/syntaxes/sysreq.tmLanguage.json");

/// The words in the groups of these patterns.
fn words(patterns: &str) -> BTreeSet<&str> {
    let groups = patterns.split("(?i:").skip(1).filter_map(|rest| rest.split(')').next());
    groups.flat_map(|group| group.split('|')).flat_map(|phrase| phrase.split(r"\s+")).collect()
}

/// The spellings that satisfy a condition.
fn spellings(so: impl Fn(&str) -> bool) -> BTreeSet<&'static str> {
    Word::SPELLINGS.iter().copied().filter(|word| so(word)).collect()
}

fn pattern<'a>(grammar: &'a Value, path: &str) -> &'a str {
    grammar.pointer(path).and_then(Value::as_str).unwrap_or_else(|| panic!("the grammar has no {path}"))
}

#[test]
fn words_of_fretish() {
    // In the text of the file a backslash is written twice.
    let text = FRETISH.replace(r"\\", r"\").replacen("(?i:…)", "", 1);
    assert_eq!(words(&text), spellings(|_| true));
}

#[test]
fn words_open_the_fields_that_the_parser_reads() {
    let grammar: Value = serde_json::from_str(FRETISH).expect("the grammar is JSON");
    let read = |sentence: String| fretish::parse(&sentence);
    let head = |word: &str| read(format!("{word} m, the pump shall satisfy q"));
    let is_scope = |word: &str| Sentence::of(&head(word).tree).scope().is_some();
    let is_condition = |word: &str| Sentence::of(&head(word).tree).condition().is_some();
    let fine = |parse: Parse| parse.diagnostics.is_empty();
    let is_timing = |word: &str| {
        let parse = read(format!("the pump shall {word} satisfy q"));
        Sentence::of(&parse.tree).timing().is_some() && fine(parse)
    };
    let is_unit = |word: &str| fine(read(format!("the pump shall within 3 {word} satisfy q")));

    let condition = pattern(&grammar, "/repository/condition/begin");
    assert_eq!(words(pattern(&grammar, "/repository/scope/begin")), spellings(is_scope));
    assert_eq!(words(condition), spellings(is_condition));
    assert_eq!(words(pattern(&grammar, "/repository/timing/patterns/0/match")), spellings(is_timing));
    let duration = pattern(&grammar, "/repository/timing/patterns/2/match");
    let unit = duration.rfind("(?i:").map_or("", |start| &duration[start..]);
    assert_eq!(words(unit), spellings(is_unit));
    for field in ["scope-mode", "scope", "condition"] {
        let end = pattern(&grammar, &format!("/repository/{field}/end"));
        assert!(end.contains(condition), "a condition ends the field `{field}`");
    }
}

/// A snippet as it is inserted: `${1:text}` is the text, `${1|one,two|}` the first choice.
fn inserted(snippet: &str) -> String {
    let mut parts = snippet.split("${");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (hole, rest) = part.split_once('}').expect("a placeholder is closed");
        text += hole
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .split([':', '|', ','])
            .nth(1)
            .unwrap_or_default();
        text += rest;
    }
    text
}

#[test]
fn snippets_are_sentences() {
    let snippets: Value = serde_json::from_str(SNIPPETS).expect("the snippets are JSON");
    for (name, snippet) in snippets.as_object().expect("snippets have names") {
        let sentence = inserted(snippet["body"].as_str().expect("a snippet is one line"));
        let parse = fretish::parse(&sentence);
        assert!(parse.diagnostics.is_empty(), "{name}: {sentence}: {:?}", parse.diagnostics);
        assert!(Sentence::of(&parse.tree).response().is_some(), "{name}: {sentence}");
    }
}

#[test]
fn words_of_controlled_english() {
    let text = SYSREQ.replace(r"\\", r"\").replacen("(?i:…)", "", 1);
    let known = words(&text);
    let verbs = ["assign", "reset", "set", "add", "subtract", "increase", "decrease"];
    for word in known.iter().filter(|word| !verbs.contains(word) && !["the", "a", "an"].contains(word)) {
        assert!(sysreq::is_reserved(word), "`{word}` has no meaning");
    }
    let examples = include_str!("../../../docs/dfrs.md").to_lowercase();
    for word in examples.split(|c: char| !c.is_alphabetic()).filter(|word| sysreq::is_reserved(word)) {
        assert!(known.contains(word), "`{word}` is not highlighted");
    }
}
