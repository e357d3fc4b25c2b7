//! Phrases in tables are words that a sentence can be read with: [`BAD_PHRASE`], [`PHRASE_TWICE`], [`PHRASE_BEGINS_ANOTHER`].

use super::Context;
use super::context::Declaration;
use crate::finding::Finding;
use diagnostics::Span;
use requirement::Field;
use requirement::specification::Kind;
use rustc_hash::FxHashMap;
use syntax::{NotAPhrase, Phrases};

diagnostics::codes! {
    BAD_PHRASE "E0527" "A phrase cannot be read in a sentence.",
        "A phrase is two words or more that a sentence may write in the place of a name. A word that separates or joins the parts of a \
         sentence (`when`, `shall`, `and`, `not`, `until`) would leave open where the phrase ends, and signs belong to expressions. \
         Sentences do not use such a phrase.",
        "| name | kind | type | phrase |\n|-|-|-|-|\n| ready | input | bool | the door and the window are open |"
            => "| name | kind | type | phrase |\n|-|-|-|-|\n| ready | input | bool | both wings are open |";
    PHRASE_TWICE "E0528" "Two variables of a component have the same phrase.",
        "Case and spaces do not tell phrases apart. The first of the two counts, which surprises whoever reads the second.",
        "| name | kind | type | phrase |\n|-|-|-|-|\n| a | input | bool | the door is open |\n| b | input | bool | The door is open |"
            => "| name | kind | type | phrase |\n|-|-|-|-|\n| a | input | bool | the door is open |\n| b | input | bool | the door is locked |";
    PHRASE_BEGINS_ANOTHER "W0519" "A phrase begins with another phrase.",
        "Where both fit, a sentence is read with the longer one. Without a word between them that only one has, a reader may take one for \
         the other.",
        "| name | kind | type | phrase |\n|-|-|-|-|\n| door | input | int | the door |\n| open | input | bool | the door is open |"
            => "| name | kind | type | phrase |\n|-|-|-|-|\n| door | input | int | the angle of the door |\n| open | input | bool | the door is open |";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    let mut known: FxHashMap<(&str, Vec<String>), Declaration> = FxHashMap::default();
    let mut in_order: Vec<(&str, Vec<String>)> = Vec::new();
    for declared in context.declarations() {
        let Some(phrase) = &declared.row.declaration.phrase else { continue };
        let words = match Phrases::words(&phrase.text) {
            Ok(_) if declared.symbol.variable.kind == Kind::Function => {
                let message =
                    format!("`{}` is a function, and a phrase has no arguments", declared.name().text);
                let hint = "remove the phrase, or give one to a variable that is defined by a call";
                findings.push(declared.finding(BAD_PHRASE, phrase.span, message, hint));
                continue;
            }
            Ok(words) => words,
            Err(why) => {
                findings.push(bad(&declared, phrase, &why));
                continue;
            }
        };
        let key = (declared.component.name.as_str(), words);
        if let Some(first) = known.get(&key) {
            let names = [first.name(), declared.name()].map(|name| &name.text);
            let message = format!("`{}` and `{}` have the same phrase", names[0], names[1]);
            let hint = "write another phrase for one of them; the first counts";
            let found = declared.finding(PHRASE_TWICE, phrase.span, message, hint);
            findings.push(found.related(first.document, span(first), "the first one"));
            continue;
        }
        in_order.push(key.clone());
        known.insert(key, declared);
    }
    for key in &in_order {
        let (component, words) = key;
        let longest = (1..words.len()).rev().map(|end| (*component, words[..end].to_vec()));
        let Some(shorter) = longest.into_iter().find_map(|key| known.get(&key)) else { continue };
        let declared = &known[key];
        let short = &shorter.row.declaration.phrase.as_ref().map_or("", |phrase| &phrase.text);
        let message = format!("this phrase begins with another one, `{short}`");
        let hint =
            "where both fit, the longer one is read; write phrases that differ from their first words on";
        let found = declared.finding(PHRASE_BEGINS_ANOTHER, span(declared), message, hint);
        findings.push(found.related(shorter.document, span(shorter), "the shorter one"));
    }
}

/// Where the phrase of a declaration is.
fn span(declared: &Declaration) -> Span {
    declared.row.declaration.phrase.as_ref().map_or(declared.name().span, |phrase| phrase.span)
}

fn bad(declared: &Declaration, phrase: &Field, why: &NotAPhrase) -> Finding {
    let (inside, hint) = match why {
        NotAPhrase::Short | NotAPhrase::Long => (None, "write a few words such as `the door is open`"),
        NotAPhrase::Keyword(span, word) if word.eq_ignore_ascii_case("not") => {
            (Some(*span), "write the phrase without it; a sentence can negate it: `not the door is open`")
        }
        NotAPhrase::Keyword(span, _) => (Some(*span), "write it in other words"),
        NotAPhrase::Sign(span, _) => {
            (Some(*span), "put the expression into the column `definition`, and words into the phrase")
        }
    };
    // A cell with escaped bars has other places than its text.
    let as_written = (phrase.span.end - phrase.span.start) as usize == phrase.text.len();
    let place = inside.filter(|_| as_written).map_or(phrase.span, |inside| {
        Span::new(phrase.span.start + inside.start, phrase.span.start + inside.end)
    });
    declared.finding(BAD_PHRASE, place, why.to_string(), hint)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::expect;

    #[test]
    fn phrases() {
        for (rows, expected) in [
            ("a|the door is open\nb|the light is on", &[][..]),
            ("a|the door and the light", &["E0527 and"]),
            ("a|open when asked\nb|it shall open", &["E0527 when", "E0527 shall"]),
            ("a|the door is not open", &["E0527 not"]),
            ("a|x > 3\nb|open", &["E0527 >", "E0527 open"]),
            ("a|the door is open\nb|The  door is OPEN", &["E0528 The  door is OPEN (the door is open)"]),
            (
                "a|the door is open\nb|the door\nc|the door is open wide",
                &["W0519 the door is open (the door)", "W0519 the door is open wide (the door is open)"],
            ),
        ] {
            let rows: String =
                rows.lines().map(|row| format!("|{}|\n", row.replacen('|', "|input|bool|", 1))).collect();
            let text = format!("# Pump\n\n|name|kind|type|phrase|\n|-|-|-|-|\n{rows}");
            expect(&[&text], &["E0527", "E0528", "W0519"], expected);
        }
        let text = "# Pump\n\n|name|kind|type|phrase|\n|-|-|-|-|\n|f|function|bool|the root of it|\n";
        expect(&[text], &["E0527"], &["E0527 the root of it"]);
        let one = "# Pump\n\n|name|phrase|\n|-|-|\n|a|the door is open|\n";
        expect(&[one, &one.replace("Pump", "Fan")], &["E0528"], &[]);
    }
}
