//! A requirement as values, and as a section of a document: what imports write and exports read.
//!
//! Writing is checked by reading: a text that Markdown would not give back (a heading inside a rationale, spaces at its ends)
//! is written as a JSON string in an attribute, so nothing is lost.

use crate::document::{Document, Entry, Language, is_number};
use crate::edit::Edit;
use syntax::Span;

/// A requirement as values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Native {
    /// Its id; one word.
    pub id: String,
    /// What comes after the id.
    pub title: Option<String>,
    /// The sentence and its language.
    pub sentence: Option<(Language, String)>,
    /// The prose.
    pub rationale: String,
    /// The other attributes, in order.
    pub attributes: Vec<(String, String)>,
}

/// The attributes that stand for a rationale or sentence that has no place of its own.
const RATIONALE: &str = "rationale";
const SENTENCE: &str = "fulltext";

impl Native {
    /// The requirement of an entry.
    pub fn of(document: &Document, entry: &Entry) -> Native {
        let mut native = Native {
            id: entry.id.text.clone(),
            title: entry.title.as_ref().map(|title| title.text.clone()),
            sentence: entry.sentence.map(|found| (found.language, document.slice(found.span).to_string())),
            rationale: document.rationale(entry),
            attributes: Vec::new(),
        };
        for attribute in &entry.attributes {
            let value = decode(&attribute.value.text);
            match attribute.name.text.as_str() {
                RATIONALE if native.rationale.is_empty() => native.rationale = value,
                // It counts as long as the sentence has not been edited since.
                SENTENCE => match &mut native.sentence {
                    Some((_, text)) if words(text) == words(&value) => *text = value,
                    Some(_) => {}
                    None => native.sentence = Some((Language::Fretish, value)),
                },
                name => native.attributes.push((name.to_string(), value)),
            }
        }
        native
    }

    /// The section of this requirement: heading, prose, sentence, attributes.
    pub fn render(&self, level: usize) -> String {
        let mut out = format!("{} {}", "#".repeat(level.clamp(1, 6)), self.id);
        match &self.title {
            Some(title) => out.push_str(&format!(": {title}")),
            // A number is the id of a requirement if a colon comes after it.
            None if self.sentence.is_none() && is_number(&self.id) => out.push(':'),
            None => {}
        }
        out.push('\n');
        let rationale = (!self.rationale.is_empty()).then(|| format!("\n{}\n", self.rationale));
        let kept = rationale.as_ref().is_some_and(|prose| {
            let document = Document::read("x.md", format!("# A1\n{prose}\n```fretish\nx\n```\n"));
            let [entry] = &document.entries[..] else { return false };
            document.rationale(entry) == self.rationale
                && entry.sentence.is_some()
                && document.tables.is_empty()
        });
        let mut attributes = Vec::new();
        match rationale {
            Some(prose) if kept => out.push_str(&prose),
            Some(_) => attributes.push((RATIONALE, quote(&self.rationale))),
            None => {}
        }
        if let Some((language, text)) = &self.sentence {
            let block = sentence_block(*language, text);
            let document = Document::read("x.md", format!("# A1\n{block}"));
            let read = document.entries.first().and_then(|entry| entry.sentence);
            let read = read.map(|found| document.slice(found.span));
            if read.is_some_and(|read| words(read) == words(text)) {
                out.push_str(&block);
                if read != Some(text.as_str()) {
                    attributes.push((SENTENCE, quote(text)));
                }
            } else {
                attributes.push((SENTENCE, quote(text)));
            }
        }
        let given = self.attributes.iter().map(|(name, value)| (name.as_str(), encode(name, value)));
        attributes.extend(given);
        if !attributes.is_empty() {
            out.push('\n');
        }
        for (name, value) in attributes {
            out.push_str(&item(name, &value));
        }
        out
    }

    /// The edits that make an entry say this; what it says already stays as it is, byte for byte.
    pub fn edits(&self, index: usize, document: &Document, entry: &Entry) -> Vec<Edit> {
        let now = Native::of(document, entry);
        if now == *self {
            return Vec::new();
        }
        let edit = |span: Span, text: String| Edit { document: index, span, text };
        let simple = now.id == self.id
            && now.title == self.title
            && now.rationale == self.rationale
            && now.sentence.is_some() == self.sentence.is_some()
            && (now.sentence == self.sentence || entry.attribute(SENTENCE).is_none());
        if !simple {
            let level = document.headings.iter().find(|heading| heading.span == entry.heading);
            let mut text = self.render(level.map_or(2, |heading| usize::from(heading.level)));
            let old = document.slice(entry.section);
            text.truncate(text.trim_end().len());
            text.push_str(&old[old.trim_end().len()..]);
            return vec![edit(entry.section, text)];
        }
        let mut edits = Vec::new();
        if let (Some(found), Some((language, text))) = (entry.sentence, &self.sentence)
            && now.sentence != self.sentence
        {
            if found.language == *language && sentence_fits(text) {
                edits.push(edit(found.span, text.clone()));
            } else {
                let block = sentence_block(*language, text);
                edits.push(edit(found.block, block.trim().to_string()));
            }
        }
        for attribute in &entry.attributes {
            let name = attribute.name.text.as_str();
            // These stand for the prose and the sentence, unless they are attributes like all others.
            let is_own = now.attributes.iter().any(|(known, _)| known == name);
            if [RATIONALE, SENTENCE].contains(&name) && !is_own {
                continue;
            }
            match self.attributes.iter().find(|(known, _)| known == name) {
                None => edits.push(edit(attribute.item, String::new())),
                Some((_, value)) if decode(&attribute.value.text) != *value => {
                    let new = encode(name, value).replace('\n', "\n  ");
                    let blank =
                        document.slice(Span::new(attribute.name.span.end, attribute.value.span.start));
                    let gap = if blank.ends_with(':') && !new.is_empty() { " " } else { "" };
                    edits.push(edit(attribute.value.span, format!("{gap}{new}")));
                }
                Some(_) => {}
            }
        }
        let marker =
            entry.attributes.last().and_then(|last| document.slice(last.item).get(..1)).unwrap_or("-");
        let added: String = self
            .attributes
            .iter()
            .filter(|(name, _)| entry.attributes.iter().all(|known| known.name.text != *name))
            .map(|(name, value)| item(name, &encode(name, value)).replacen('-', marker, 1))
            .collect();
        if !added.is_empty() {
            let end = match entry.attributes.last() {
                Some(last) => last.item.start as usize + document.slice(last.item).trim_end().len(),
                None => entry.section.start as usize + document.slice(entry.section).trim_end().len(),
            };
            let gap = if entry.attributes.is_empty() { "\n\n" } else { "\n" };
            edits.push(edit(Span::new(end as u32, end as u32), format!("{gap}{}", added.trim_end())));
        }
        edits
    }
}

fn sentence_block(language: Language, text: &str) -> String {
    format!("\n```{}\n{}\n```\n", language.name(), text.trim())
}

/// Whether a text can be in a fenced block as it is.
fn sentence_fits(text: &str) -> bool {
    text.trim() == text && !text.is_empty() && !text.contains("```") && !text.contains('\r')
}

fn item(name: &str, value: &str) -> String {
    let space = if value.is_empty() { "" } else { " " };
    let lines: Vec<String> = value
        .split('\n')
        .enumerate()
        .map(
            |(index, line)| {
                if index > 0 && !line.is_empty() { format!("  {line}") } else { line.to_string() }
            },
        )
        .collect();
    format!("- {name}:{space}{}\n", lines.join("\n"))
}

/// A value as an item can hold it: as it is if reading gives it back, else as a JSON string.
fn encode(name: &str, value: &str) -> String {
    let document = Document::read("x.md", format!("# A1\n\n{}- z: z\n", item(name, value)));
    let read = document.entries.first().map(|entry| &entry.attributes[..]);
    match read {
        Some([first, last]) if decode(&first.value.text) == value && last.name.text == "z" => {
            value.to_string()
        }
        _ => quote(value),
    }
}

fn decode(text: &str) -> String {
    match text.starts_with('"').then(|| serde_json::from_str::<String>(text)) {
        Some(Ok(inner)) => inner,
        _ => text.to_string(),
    }
}

fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Native> {
        let document = Document::read("a.md", text);
        document.entries.iter().map(|entry| Native::of(&document, entry)).collect()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let texts = [
            "",
            "x",
            " x",
            "x ",
            "x\ny",
            "x\n\ny",
            "# x",
            "- x",
            "- x: y",
            "```",
            "| name |\n|-|\n| x |",
            "\"x\"",
            "\"",
            "\"\\n\"",
            "a\r\nb",
            "\t",
            "1",
            "[1]",
            "x: y",
            "~~~\nx",
            "> x",
            "    x",
            "x\n   y",
            "<!-- x",
            "größe 速度",
            "x\n===",
            "a\n\n\nb",
            "\u{0}",
            "***",
            "1. x",
            "x\n- y: z",
            "[a]: b",
            "\u{2028}",
            "\\",
            "x  \ny",
        ];
        for text in texts {
            for (title, sentence) in [(None, "x shall satisfy y"), (Some("T"), text)] {
                let native = Native {
                    id: "A-1".into(),
                    title: title.map(String::from),
                    sentence: (!sentence.is_empty()).then(|| (Language::Fretish, sentence.to_string())),
                    rationale: text.into(),
                    attributes: vec![
                        ("a".into(), text.into()),
                        ("b".into(), String::new()),
                        ("c".into(), "z".into()),
                    ],
                };
                assert_eq!(
                    read(&native.render(2)),
                    std::slice::from_ref(&native),
                    "{text:?}\n{}",
                    native.render(2)
                );
                let twice = format!("# C\n\n{}\n{}", native.render(2), native.render(3));
                assert_eq!(read(&twice), [native.clone(), native], "{text:?}\n{twice}");
            }
        }
    }

    #[test]
    fn edits_change_their_own_bytes_only() {
        let text = "# C\n\n##  A-1: T\n\nWhy *not*.\n\n``` fretish\nx   shall satisfy y\n```\n\n\n* a:  1\n* b: 2\n\n## B2\n";
        let document = Document::read("a.md", text);
        let (entry, native) = (&document.entries[0], Native::of(&document, &document.entries[0]));
        let change = |f: fn(&mut Native)| {
            let mut new = native.clone();
            f(&mut new);
            let edits = new.edits(0, &document, entry);
            let text = crate::edit::apply(text, &edits).expect("edits of one entry fit");
            assert_eq!(read(&text)[0], new, "{text}");
            text
        };
        assert_eq!(change(|_| {}), text);
        let sentence = change(|new| new.sentence = Some((Language::Fretish, "z".into())));
        assert_eq!(sentence, text.replace("x   shall satisfy y", "z"));
        assert_eq!(change(|new| new.attributes[0].1 = "3".into()), text.replace("a:  1", "a:  3"));
        assert_eq!(change(|new| drop(new.attributes.remove(0))), text.replace("* a:  1\n", ""));
        assert_eq!(
            change(|new| new.attributes.push(("c".into(), "4".into()))),
            text.replace("* b: 2\n", "* b: 2\n* c: 4\n")
        );
        change(|new| new.rationale = "Other.".into());
        let with_reason = change(|new| new.attributes.push(("rationale".into(), "R".into())));
        let document = Document::read("a.md", with_reason);
        let mut new = Native::of(&document, &document.entries[0]);
        new.attributes[2].1 = "S".into();
        let edits = new.edits(0, &document, &document.entries[0]);
        let text = crate::edit::apply(&document.text, &edits).expect("edits of one entry fit");
        assert_eq!(read(&text)[0], new, "{text}");
        change(|new| new.title = None);
        change(|new| new.sentence = None);
    }
}
