//! An optional list of the words of a project: one phrase on each line, after its class (`input`, `output`, `timer`, `value`, `agent`).
//!
//! With a dictionary, phrases that it does not know are warnings with the nearest known one, an input that is assigned is an error,
//! and an output that is not assigned a warning. Classes of which it lists nothing are not checked.

use crate::document::Document;
use crate::frames::{Atom, Role, name_of};
use crate::model::lower::without_article;
use crate::system::Kind;
use syntax::{Code, Diagnostic, Span, nearest};

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
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let solid = line.trim();
            let at = start + (line.len() - line.trim_start().len());
            start += line.len();
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
                    let hint = match nearest(class, CLASSES) {
                        Some(known) => format!("did you mean `{known}`?"),
                        None => "a line is a class and a phrase: `input the coin sensor`".into(),
                    };
                    let span = Span::new(at as u32, (at + class.len()) as u32);
                    let message =
                        format!("`{class}` is not one of `input`, `output`, `timer`, `value`, `agent`");
                    diagnostics.push(Diagnostic { code: Code::BadDictionary, span, message, hint });
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
                    let hint = match nearest(phrase, known.iter().copied()) {
                        Some(near) => format!("did you mean `{}`?", near.replace('_', " ")),
                        None => format!("add it to the dictionary: `{what} {}`", phrase.replace('_', " ")),
                    };
                    let message = format!("the {what} `{}` is not in the dictionary", role.text);
                    let span = sentence.place(&role.span);
                    out.push(Diagnostic { code: Code::UnknownPhrase, span, message, hint });
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
                let hint = "inputs are written by the environment; list it as an output".to_string();
                out.push(Diagnostic { code: Code::NotAnInput, span, message, hint });
            }
        }
        for name in &self.outputs {
            let assigned = variables.iter().any(|&(other, kind, _)| other == name && kind == Kind::Output);
            if !assigned {
                let message = format!("no requirement assigns the output `{}`", name.replace('_', " "));
                let hint = "write a requirement for it, or list it as an input".to_string();
                out.push(Diagnostic { code: Code::NeverAssigned, span: Span::new(0, 0), message, hint });
            }
        }
    }
}
