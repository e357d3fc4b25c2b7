//! Sentences to fill in, for editors and for `shall new`.

use std::collections::BTreeMap;

/// A sentence to fill in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentenceTemplate {
    /// Its name.
    pub name: &'static str,
    /// The sentence with dots for what is missing.
    pub label: &'static str,
    /// The sentence as a snippet of an editor: `${1:condition}` is a field with its name or a value to change.
    pub snippet: &'static str,
}

const fn template(name: &'static str, label: &'static str, snippet: &'static str) -> SentenceTemplate {
    SentenceTemplate { name, label, snippet }
}

/// All templates.
pub const TEMPLATES: &[SentenceTemplate] = &[
    template(
        "always",
        "the component shall always satisfy …",
        "the ${1:component} shall always satisfy ${0:response}",
    ),
    template(
        "never",
        "the component shall never satisfy …",
        "the ${1:component} shall never satisfy ${0:response}",
    ),
    template(
        "immediately",
        "when …, the component shall immediately satisfy …",
        "when ${1:condition}, the ${2:component} shall immediately satisfy ${0:response}",
    ),
    template(
        "within",
        "when …, the component shall within … satisfy …",
        "when ${1:condition}, the ${2:component} shall within ${3:5 ticks} satisfy ${0:response}",
    ),
    template(
        "next",
        "whenever …, the component shall at the next timepoint satisfy …",
        "whenever ${1:condition}, the ${2:component} shall at the next timepoint satisfy ${0:response}",
    ),
    template(
        "until",
        "when …, the component shall until … satisfy …",
        "when ${1:condition}, the ${2:component} shall until ${3:stop} satisfy ${0:response}",
    ),
    template(
        "mode",
        "in … mode, the component shall always satisfy …",
        "in ${1:mode} mode, the ${2:component} shall always satisfy ${0:response}",
    ),
    template(
        "mode-within",
        "in … mode, when …, the component shall within … satisfy …",
        "in ${1:mode} mode, when ${2:condition}, the ${3:component} shall within ${4:5 ticks} satisfy ${0:response}",
    ),
];

impl SentenceTemplate {
    /// The names of its fields, in the order of the text. The field for `5 ticks` is `duration`.
    pub fn fields(&self) -> Vec<&'static str> {
        self.pieces().into_iter().filter_map(|(_, field)| field.map(|(name, _)| name)).collect()
    }

    /// The sentence with values in its fields. A field without a value keeps its name, which is a name like any other in a
    /// sentence, or the value it has.
    pub fn fill(&self, values: &BTreeMap<String, String>) -> String {
        let mut text = String::new();
        for (plain, field) in self.pieces() {
            text.push_str(plain);
            if let Some((name, default)) = field {
                text.push_str(values.get(name).map_or(default, String::as_str));
            }
        }
        text
    }

    /// The text before each field, and the field's name and value; the last piece may have none.
    fn pieces(&self) -> Vec<(&'static str, Option<(&'static str, &'static str)>)> {
        let mut pieces = Vec::new();
        let mut rest = self.snippet;
        while let Some((plain, (inner, after))) =
            rest.split_once("${").and_then(|(plain, field)| Some((plain, field.split_once('}')?)))
        {
            let default = inner.split_once(':').map_or(inner, |(_, default)| default);
            let name = if default.contains(' ') { "duration" } else { default };
            pieces.push((plain, Some((name, default))));
            rest = after;
        }
        pieces.push((rest, None));
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_sentences() {
        for template in TEMPLATES {
            let text = template.fill(&BTreeMap::new());
            assert!(syntax::fretish::parse(&text).diagnostics.is_empty(), "{}: {text}", template.label);
            assert!(template.fields().contains(&"component"), "{text}");
            assert!(TEMPLATES.iter().filter(|other| other.name == template.name).count() == 1);
        }
    }

    #[test]
    fn fields_are_filled() {
        let values =
            [("condition", "x > 3"), ("duration", "2 seconds"), ("response", "alarm"), ("component", "pump")];
        let values = values.map(|(name, value)| (name.to_string(), value.to_string())).into();
        let within = TEMPLATES.iter().find(|it| it.name == "within").expect("a template");
        assert_eq!(within.fields(), ["condition", "component", "duration", "response"]);
        assert_eq!(within.fill(&values), "when x > 3, the pump shall within 2 seconds satisfy alarm");
    }
}
