//! Findings that are known and not reported again. They are recognised by their code, what they are about and their message,
//! so that they stay known when lines move.

use crate::finding::{Finding, Source};
use crate::project::Project;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Known findings, each with how often it is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    known: BTreeMap<Known, usize>,
}

/// A known finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Known {
    /// The code.
    pub code: String,
    /// The id of the requirement, or the name of the document.
    pub about: String,
    /// The message.
    pub message: String,
}

/// Why a file cannot be read as a baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotABaseline {
    /// It is not the JSON of a baseline; what is wrong with it.
    Json(String),
    /// It has another version.
    Version(u32),
}

impl fmt::Display for NotABaseline {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotABaseline::Json(error) => write!(f, "not a baseline: {error}"),
            NotABaseline::Version(version) => {
                write!(f, "the baseline has version {version}, but only version 1 is supported")
            }
        }
    }
}

impl std::error::Error for NotABaseline {}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    findings: Vec<Line>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    known: Known,
    count: usize,
}

impl Baseline {
    /// All of these findings.
    pub fn of<'f>(project: &Project, findings: impl IntoIterator<Item = &'f Finding>) -> Baseline {
        let mut known = BTreeMap::new();
        for found in findings {
            *known.entry(key(project, found)).or_default() += 1;
        }
        Baseline { known }
    }

    /// Reads what [`text`](Baseline::text) writes.
    ///
    /// # Errors
    /// A text that is not a baseline of this version.
    pub fn read(text: &str) -> Result<Baseline, NotABaseline> {
        let file: File = serde_json::from_str(text).map_err(|error| NotABaseline::Json(error.to_string()))?;
        if file.version != 1 {
            return Err(NotABaseline::Version(file.version));
        }
        let mut known = BTreeMap::new();
        for line in file.findings {
            *known.entry(line.known).or_default() += line.count;
        }
        Ok(Baseline { known })
    }

    /// The file: JSON, one finding per line, in order.
    pub fn text(&self) -> String {
        let mut text = String::from("{\"version\":1,\"findings\":[");
        for (at, (known, count)) in self.known.iter().enumerate() {
            let line = Line { known: known.clone(), count: *count };
            let line = serde_json::to_string(&line).unwrap_or_default();
            text += if at > 0 { ",\n" } else { "\n" };
            text += &line;
        }
        text + "\n]}\n"
    }

    /// Takes the known findings out of a list, and returns those that are no longer there.
    pub fn subtract(&self, project: &Project, findings: &mut Vec<Finding>) -> Vec<Known> {
        let mut left = self.known.clone();
        findings.retain(|found| match left.get_mut(&key(project, found)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            Some(_) | None => true,
        });
        left.into_iter().filter(|(_, count)| *count > 0).map(|(known, _)| known).collect()
    }
}

/// What a finding is recognised by.
pub fn key(project: &Project, found: &Finding) -> Known {
    let file = || match found.source {
        Source::Config => "shall.toml".to_string(),
        Source::Document(document) => project.documents[document].name.clone(),
    };
    Known {
        code: found.diagnostic.code.id().to_string(),
        about: found.requirement.clone().unwrap_or_else(file),
        message: found.diagnostic.message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::{Diagnostic, Span};

    fn found(message: &str, at: u32, requirement: Option<&str>) -> Finding {
        let span = Span::new(at, at);
        let diagnostic = Diagnostic::new(syntax::codes::EMPTY, span, message, "");
        Finding { requirement: requirement.map(String::from), ..Finding::new(0, diagnostic) }
    }

    #[test]
    fn known_findings_are_taken_out_wherever_they_are() {
        let documents = vec![crate::Document::read("a.md", "")];
        let project = Project { documents, ..Project::default() };
        let old = [
            found("x", 1, Some("A")),
            found("x", 2, Some("A")),
            found("y", 3, None),
            found("\"z\"\n", 4, None),
        ];
        let baseline = Baseline::of(&project, &old);
        assert_eq!(Baseline::read(&baseline.text()), Ok(baseline.clone()));
        let mut new = vec![found("x", 9, Some("A")), found("x", 9, Some("B")), found("y", 8, None)];
        let stale = baseline.subtract(&project, &mut new);
        assert_eq!(new, [found("x", 9, Some("B"))]);
        assert_eq!(stale.iter().map(|known| known.message.as_str()).collect::<Vec<_>>(), ["x", "\"z\"\n"]);
    }

    #[test]
    fn other_files_are_refused() {
        for text in
            ["", "[]", "{\"version\":2,\"findings\":[]}", "{\"version\":1,\"findings\":[],\"more\":1}"]
        {
            assert!(Baseline::read(text).is_err(), "{text}");
        }
    }
}
