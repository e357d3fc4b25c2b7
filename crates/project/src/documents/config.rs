//! The project file `shall.toml`: which documents belong to the project, how long a step takes, what to report.
//!
//! One table, [`SETTINGS`], says which keys there are; reading, "did you mean" and the JSON schema come from it.

use crate::rules::manual;
use requirement::Step;
use std::collections::BTreeMap;
use syntax::{Diagnostic, Span, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What the project file says.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The name of the project.
    pub name: Option<String>,
    /// Patterns of the documents, relative to the project file.
    pub documents: Vec<String>,
    /// Patterns of files that are not documents.
    pub exclude: Vec<String>,
    /// How long a step takes.
    pub step: Option<Step>,
    /// Codes that are not reported.
    pub allow: Vec<String>,
    /// Codes of warnings that count as errors.
    pub deny: Vec<String>,
    /// The file of findings that are known.
    pub baseline: Option<String>,
    /// The targets of `shall export` that `shall check` looks at.
    pub exports: Vec<String>,
    /// The file that keeps what FRET knows beyond the documents.
    pub fret: Option<String>,
    /// The folders of the projects that make up one FRET file, by their names in it.
    pub projects: BTreeMap<String, String>,
    /// Which column or attribute of sheets and ReqIF files is what.
    pub profile: BTreeMap<String, String>,
    /// What is said about components: description, and the path in a model.
    pub components: BTreeMap<String, BTreeMap<String, String>>,
    /// The models that components are checked against.
    pub models: BTreeMap<String, Model>,
    /// Patterns of recorded traces, relative to the project file.
    pub logs: Vec<String>,
    /// The columns of recorded traces that variables are read from.
    pub columns: BTreeMap<String, String>,
}

/// The model of a component.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    /// Its file, relative to the project file.
    pub file: Option<String>,
    /// The node or subsystem.
    pub node: Option<String>,
    /// Which signal a variable is, in the order of the file.
    pub map: Vec<Pair>,
}

/// A variable and its signal, with their places in the project file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Pair {
    pub variable: String,
    pub signal: String,
    pub variable_at: Span,
    pub signal_at: Span,
}

/// A key of the project file.
pub struct Setting {
    /// The table and the key; `*` stands for any name.
    pub path: &'static str,
    /// What the value must be.
    pub shape: Shape,
    /// What it is for.
    pub about: &'static str,
}

/// The shape of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
}

/// All keys.
pub const SETTINGS: &[Setting] = &[
    Setting { path: "project.name", shape: Shape::Text, about: "The name of the project." },
    Setting {
        path: "project.documents",
        shape: Shape::Texts,
        about: "Patterns of the requirement documents, relative to this file; `**` matches folders. Default: `**/*.md` and `**/*.fretish`.",
    },
    Setting {
        path: "project.exclude",
        shape: Shape::Texts,
        about: "Patterns of files that are not documents.",
    },
    Setting { path: "project.step", shape: Shape::Text, about: "How long a step takes, such as `10 ms`." },
    Setting { path: "check.allow", shape: Shape::Texts, about: "Codes of findings that are not reported." },
    Setting { path: "check.deny", shape: Shape::Texts, about: "Codes of warnings that count as errors." },
    Setting { path: "check.baseline", shape: Shape::Text, about: "A file of findings that are known." },
    Setting {
        path: "check.exports",
        shape: Shape::Texts,
        about: "Targets of `shall export`; what they would leave out is reported.",
    },
    Setting {
        path: "exchange.fret",
        shape: Shape::Text,
        about: "The file that keeps what FRET knows beyond the documents.",
    },
    Setting {
        path: "exchange.projects.*",
        shape: Shape::Text,
        about: "The folder of a project that makes up one FRET file together with the others.",
    },
    Setting {
        path: "exchange.profile.*",
        shape: Shape::Text,
        about: "The column or attribute of sheets and ReqIF files for a role: id, sentence, title, rationale, parent, status, component, formal.",
    },
    Setting { path: "components.*.description", shape: Shape::Text, about: "What the component is." },
    Setting {
        path: "components.*.model",
        shape: Shape::Text,
        about: "The path of the component in its model.",
    },
    Setting {
        path: "model.*.file",
        shape: Shape::Text,
        about: "The file of the component's model, relative to this file.",
    },
    Setting {
        path: "model.*.node",
        shape: Shape::Text,
        about: "The node of the model that is the component.",
    },
    Setting {
        path: "model.*.map.*",
        shape: Shape::Text,
        about: "The signal of the model that a variable of the component is.",
    },
    Setting {
        path: "logs.files",
        shape: Shape::Texts,
        about: "Patterns of the recorded traces, relative to this file; `shall report` shows what they violate.",
    },
    Setting {
        path: "logs.map.*",
        shape: Shape::Text,
        about: "The column of recorded traces that a variable is read from.",
    },
];

/// The patterns if the file gives none.
const DEFAULT_DOCUMENTS: [&str; 2] = ["**/*.md", "**/*.fretish"];

diagnostics::codes! {
    BAD_CONFIG "E0505" "The project file cannot be read.",
        "If the project file cannot be read, every setting has its default value.",
        "[project" => "[project]\nname = \"Pump\"";
    UNKNOWN_KEY "E0506" "A key of the project file is unknown.",
        "A setting with a typo in its name has no effect, and nobody would notice.",
        "[project]\nnam = \"Pump\"" => "[project]\nname = \"Pump\"";
    BAD_SETTING "E0507" "A setting has an invalid value.",
        "A value that does not fit its setting has no effect, and nobody would notice.",
        "[project]\nstep = \"10\"" => "[project]\nstep = \"10 ms\"";
}

impl Config {
    /// Reads a project file. Never fails: what is wrong is in the diagnostics, and what could be read counts.
    pub fn read(text: &str) -> (Config, Vec<Diagnostic>) {
        let mut config = Config::default();
        let mut diagnostics = Vec::new();
        match DeTable::parse(text) {
            Ok(table) => {
                let mut found = Vec::new();
                flatten(table.get_ref(), "", &mut found);
                for (path, key, value) in found {
                    config.set(&path, &key, value, &mut diagnostics);
                }
            }
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                let message = error.message().lines().collect::<Vec<_>>().join(" ");
                let hint = "write TOML: `[project]`, then `name = \"…\"`";
                diagnostics.push(Diagnostic::new(BAD_CONFIG, place(&span), message, hint));
            }
        }
        if config.documents.is_empty() {
            config.documents = DEFAULT_DOCUMENTS.map(String::from).to_vec();
        }
        diagnostics.sort_by_key(|found| (found.span.start, found.span.end));
        (config, diagnostics)
    }

    fn set(&mut self, path: &str, key: &Span, value: &Spanned<DeValue>, diagnostics: &mut Vec<Diagnostic>) {
        let Some(setting) = SETTINGS.iter().find(|setting| fits(setting.path, path)) else {
            let known: Vec<&str> = SETTINGS.iter().map(|setting| setting.path).collect();
            let hint = match nearest(path, known.iter().copied()) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("the keys are {}", known.join(", ")),
            };
            let message = format!("`{path}` is not a setting");
            diagnostics.push(Diagnostic::new(UNKNOWN_KEY, *key, message, hint));
            return;
        };
        let mut wrong = |message: String, hint: String| {
            diagnostics.push(Diagnostic::new(BAD_SETTING, place(&value.span()), message, hint));
        };
        let texts: Option<Vec<String>> = match (value.get_ref(), setting.shape) {
            (DeValue::String(text), Shape::Text) => Some(vec![text.to_string()]),
            (DeValue::Array(items), Shape::Texts) => {
                items.iter().map(|item| item.get_ref().as_str().map(String::from)).collect()
            }
            _ => None,
        };
        let Some(texts) = texts else {
            let shape = match setting.shape {
                Shape::Text => "a text in quotes",
                Shape::Texts => "a list of texts: `[\"…\", \"…\"]`",
            };
            wrong(format!("`{path}` has the wrong type"), format!("write {shape}"));
            return;
        };
        let one = || texts.first().cloned();
        match path {
            "project.name" => self.name = one(),
            "project.documents" => self.documents = texts,
            "project.exclude" => self.exclude = texts,
            "project.step" => match Step::parse(&texts[0]) {
                Ok(step) => self.step = Some(step),
                Err(error) => {
                    wrong(error.to_string(), "write a number and a unit: `step = \"10 ms\"`".into())
                }
            },
            "check.allow" | "check.deny" => {
                for text in &texts {
                    if manual::find(text).is_none() {
                        wrong(format!("`{text}` is not a code"), "`shall rule` lists the codes".into());
                    }
                }
                *(if path == "check.allow" { &mut self.allow } else { &mut self.deny }) = texts;
            }
            "check.baseline" => self.baseline = one(),
            "check.exports" => self.exports = texts,
            "exchange.fret" => self.fret = one(),
            "logs.files" => self.logs = texts,
            _ if path.starts_with("exchange.projects.") => {
                let name = path.strip_prefix("exchange.projects.").unwrap_or(path);
                self.projects.extend(one().map(|folder| (name.to_string(), folder)));
            }
            _ if path.starts_with("model.") => self.set_model(path, texts, *key, place(&value.span())),
            _ => {
                let mut parts: Vec<&str> = path.split('.').collect();
                if let (Some(last), Some(text)) = (parts.pop(), one()) {
                    match parts.as_slice() {
                        ["exchange", "profile"] => self.profile.insert(last.into(), text),
                        ["logs", "map"] => self.columns.insert(last.into(), text),
                        ["components", name @ ..] => {
                            self.components.entry(name.join(".")).or_default().insert(last.into(), text)
                        }
                        _ => None,
                    };
                }
            }
        }
    }

    fn set_model(&mut self, path: &str, texts: Vec<String>, variable_at: Span, signal_at: Span) {
        let path = path.strip_prefix("model.").unwrap_or(path);
        let Some(text) = texts.into_iter().next() else { return };
        if let Some((component, variable)) = path.split_once(".map.") {
            let model = self.models.entry(component.into()).or_default();
            model.map.push(Pair { variable: variable.into(), signal: text, variable_at, signal_at });
        } else if let Some((component, key)) = path.rsplit_once('.') {
            let model = self.models.entry(component.into()).or_default();
            *(if key == "file" { &mut model.file } else { &mut model.node }) = Some(text);
        }
    }
}

/// The leaves of a table with their paths and the places of their keys.
fn flatten<'t>(
    table: &'t DeTable<'t>,
    path: &str,
    found: &mut Vec<(String, Span, &'t Spanned<DeValue<'t>>)>,
) {
    for (key, value) in table {
        let path =
            if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
        match value.get_ref() {
            // A reader of TOML limits how deep tables are nested.
            DeValue::Table(inner) => flatten(inner, &path, found),
            _ => found.push((path, place(&key.span()), value)),
        }
    }
}

/// Whether a path is an instance of a pattern with `*`; what a star matches may have dots.
fn fits(pattern: &str, path: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == path };
    let Some(path) = path.strip_prefix(start) else { return false };
    match rest.split_once('*') {
        None => path.strip_suffix(rest).is_some_and(|name| !name.is_empty()),
        Some((between, end)) => path
            .split_once(between)
            .and_then(|(first, second)| Some((first, second.strip_suffix(end)?)))
            .is_some_and(|(first, second)| !first.is_empty() && !second.is_empty()),
    }
}

fn place(range: &std::ops::Range<usize>) -> Span {
    Span::new(range.start as u32, range.end as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings() {
        for (text, expected) in [
            ("", ""),
            ("[project]\nname = \"Pump\"\nstep = \"10 ms\"\ndocuments = [\"a/*.md\"]\n", ""),
            ("[components.\"The Pump\"]\ndescription = \"x\"\nmodel = \"a/b\"\n", ""),
            ("[model.Pump]\nfile = \"pump.lus\"\nnode = \"pump\"\nmap = { level = \"level_1\" }\n", ""),
            ("[model.Pump]\nmap = { level = 1 }\n", "E0507 1: write a text in quotes"),
            ("[logs.map]\nlevel = \"Tank.Level\"\n", ""),
            ("[logs]\nmap = { level = 1 }\n", "E0507 1: write a text in quotes"),
            ("[logs]\nfiles = [\"logs/*.csv\"]\n", ""),
            ("[model.Pump]\nfiel = \"x\"\n", "E0506 fiel"),
            ("[exchange.profile]\nid = \"Object Identifier\"\n", ""),
            ("[check]\nallow = [\"W0201\"]\n", ""),
            ("[project]\nnam = \"x\"\n", "E0506 nam: did you mean `project.name`?"),
            ("[project]\nname = 3\n", "E0507 3: write a text in quotes"),
            ("[project]\ndocuments = \"a\"\n", "E0507 \"a\": write a list of texts: `[\"…\", \"…\"]`"),
            ("[project]\nstep = \"10\"\n", "E0507 \"10\": write a number and a unit: `step = \"10 ms\"`"),
            ("[check]\ndeny = [\"W9\"]\n", "E0507 [\"W9\"]: `shall rule` lists the codes"),
            ("[project\n", "E0505"),
            ("colour = 1\n", "E0506 colour"),
        ] {
            let (_, diagnostics) = Config::read(text);
            let shown: Vec<String> = diagnostics
                .iter()
                .map(|found| format!("{} {}: {}", found.code.id(), &text[found.span.range()], found.hint))
                .collect();
            let shown = shown.join("\n");
            assert!(
                if expected.is_empty() { shown.is_empty() } else { shown.starts_with(expected) },
                "{text}{shown}"
            );
        }
    }

    #[test]
    fn values() {
        let (config, _) = Config::read("[components.A.B]\nmodel = \"m\"\n[project]\nname = \"n\"\n");
        assert_eq!(config.components["A.B"]["model"], "m");
        assert_eq!(config.name.as_deref(), Some("n"));
        assert_eq!(config.documents, DEFAULT_DOCUMENTS);
        let (config, _) = Config::read("[exchange.projects]\n\"A.B c\" = \"A_B_c\"\n");
        assert_eq!(config.projects["A.B c"], "A_B_c");
        let text = "[model.A.B]\nfile = \"m.lus\"\nmap.x = \"y.z\"\n";
        let (config, _) = Config::read(text);
        let model = &config.models["A.B"];
        assert_eq!((model.file.as_deref(), &model.node), (Some("m.lus"), &None));
        let pair = &model.map[0];
        assert_eq!((&*pair.variable, &*pair.signal, &text[pair.signal_at.range()]), ("x", "y.z", "\"y.z\""));
    }
}
