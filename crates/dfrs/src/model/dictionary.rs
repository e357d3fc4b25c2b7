//! An optional list of the words of a project: one phrase on each line, after its class (`input`, `output`, `timer`, `value`, `agent`).
//!
//! With a dictionary, phrases that it does not know are warnings with the nearest known one, an input that is assigned is an error,
//! and an output that is not assigned a warning. Classes of which it lists nothing are not checked.

use crate::codes;
use crate::document::Document;
use crate::frames::{Atom, Role, name_of};
use crate::model::lower::without_article;
use crate::system::Kind;
use syntax::{Diagnostic, Hint, Span, nearest};

/// The known words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dictionary {
    /// Names of variables that the environment writes.
    pub inputs: Vec<String>,
    /// Names of variables that the system writes.
    pub outputs: Vec<String>,
    /// Names of timers.
    pub timers: Vec<String>,
    /// Values, as words.
    pub values: Vec<String>,
    /// Components, as words.
    pub agents: Vec<String>,
}

const CLASSES: [&str; 5] = ["input", "output", "timer", "value", "agent"];

impl Dictionary {
    /// Reads a dictionary; blank lines and lines with `#` are left out.
    pub fn parse(text: &str) -> (Dictionary, Vec<Diagnostic>) {
        let mut dictionary = Dictionary::default();
        let mut diagnostics = Vec::new();
        for (at, solid) in crate::document::lines(text) {
            if solid.is_empty() || solid.starts_with('#') {
                continue;
            }
            let (class, rest) = solid.split_once(char::is_whitespace).unwrap_or((solid, ""));
            let class = class.trim_end_matches(':');
            let one_line = rest.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let phrase = without_article(&one_line).to_string();
            let list = match class.to_lowercase().as_str() {
                "input" => &mut dictionary.inputs,
                "output" => &mut dictionary.outputs,
                "timer" => &mut dictionary.timers,
                "value" => &mut dictionary.values,
                "agent" => &mut dictionary.agents,
                _ => {
                    let hint = Hint::near(nearest(class, CLASSES), || {
                        "write a class and a phrase on each line: `input the coin sensor`".into()
                    });
                    let span = Span::new(at as u32, (at + class.len()) as u32);
                    let message =
                        format!("expected `input`, `output`, `timer`, `value` or `agent`, found `{class}`");
                    diagnostics.push(Diagnostic::new(codes::BAD_DICTIONARY, span, message, hint));
                    continue;
                }
            };
            let variable = matches!(class.to_lowercase().as_str(), "input" | "output" | "timer");
            list.push(if variable { name_of(&phrase) } else { phrase });
        }
        (dictionary, diagnostics)
    }

    /// Compares a document with the dictionary. Of each variable: name, kind, and where it is assigned.
    pub(crate) fn check(
        &self,
        document: &Document,
        variables: &[(&str, Kind, Option<Span>)],
        out: &mut Vec<Diagnostic>,
    ) {
        let lists = [&self.inputs, &self.outputs, &self.timers];
        let known_variables: Vec<&str> = lists.into_iter().flatten().map(String::as_str).collect();
        let known_values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        let known_agents: Vec<&str> = self.agents.iter().map(String::as_str).collect();
        let is_variable = |name: &str| variables.iter().any(|&(other, ..)| other == name);
        for sentence in &document.sentences {
            let Some(frame) = &sentence.frame else { continue };
            let mut ask = |what: &str, known: &[&str], phrase: &str, role: &Role| {
                if !known.is_empty() && !known.contains(&phrase) {
                    let near = nearest(phrase, known.iter().copied()).map(|near| near.replace('_', " "));
                    let hint = Hint::near(near.as_deref(), || {
                        format!("add it to the dictionary: `{what} {}`", phrase.replace('_', " "))
                    });
                    let article = &role.text[..role.text.len() - without_article(&role.text).len()];
                    let hint = hint.written(format!("{article}{}", near.unwrap_or_default()));
                    let message = format!("the {what} `{}` is not in the dictionary", role.text);
                    let span = sentence.place(&role.span);
                    out.push(Diagnostic::new(codes::UNKNOWN_PHRASE, span, message, hint));
                }
            };
            for found in frame.conditions.iter().flatten().chain(&frame.facts) {
                ask("variable", &known_variables, &found.variable, &found.cpt);
            }
            for found in &frame.actions {
                ask("variable", &known_variables, &found.variable, &found.pat);
            }
            if let Some(found) = frame.actions.first() {
                ask("agent", &known_agents, &without_article(&found.agt.text).to_lowercase(), &found.agt);
            }
            let conditions = frame.conditions.iter().flatten().chain(&frame.facts);
            let terms = conditions.flat_map(|found| found.cfv.iter().chain([&found.ctv]));
            let terms = terms.chain(frame.actions.iter().flat_map(|found| &found.tov));
            for (_, operand) in terms.flat_map(|term| &term.operands) {
                if let Atom::Phrase { words, .. } = &operand.atom
                    && !is_variable(&name_of(words))
                {
                    let word = words.strip_prefix("not ").unwrap_or(words);
                    ask("value", &known_values, word, &operand.role);
                }
            }
        }
        for &(name, kind, assigned) in variables {
            if let (true, Kind::Output, Some(span)) =
                (self.inputs.iter().any(|known| known == name), kind, assigned)
            {
                let message = format!("the input `{}` is assigned", name.replace('_', " "));
                let hint = "list it as an output: the environment decides the inputs";
                out.push(Diagnostic::new(codes::NOT_AN_INPUT, span, message, hint));
            }
        }
        for name in &self.outputs {
            let assigned = variables.iter().any(|&(other, kind, _)| other == name && kind == Kind::Output);
            if !assigned {
                let message = format!("no requirement assigns the output `{}`", name.replace('_', " "));
                let hint = "write a requirement for it, or list it as an input";
                out.push(Diagnostic::new(codes::NEVER_ASSIGNED, Span::new(0, 0), message, hint));
            }
        }
    }
}
