//! Verdicts on traces as one document for other tools: SARIF and JUnit. What was not checked is skipped or a warning, never passed.

use super::show::word;
use super::{Evaluation, File};
use crate::reading::Reading;
use crate::render::junit::escaped;
use crate::render::sarif;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

/// What has been evaluated so far.
#[derive(Default)]
pub(super) struct Report {
    cases: Vec<Case>,
}

/// A requirement on a trace.
struct Case {
    file: String,
    requirement: String,
    sentence: String,
    verdict: &'static str,
    /// The reason for the verdict.
    reason: String,
    /// The first step and the reason of each violation.
    violations: Vec<(u64, String)>,
    /// What was not checked, and why, if it is violated in spite of that.
    open: Option<String>,
}

impl Report {
    pub(super) fn add(&mut self, reading: &Reading, evaluation: &Evaluation, file: &File) {
        let why = evaluation.holds.as_ref().err().map(ToString::to_string);
        self.cases.push(Case {
            file: file.path.display().to_string(),
            requirement: reading.id.clone().unwrap_or_else(|| reading.text.trim().to_owned()),
            sentence: reading.text.trim().to_owned(),
            verdict: word(evaluation),
            reason: why.or_else(|| evaluation.reason.clone()).unwrap_or_default(),
            violations: evaluation.violations.iter().map(|it| (it.step, it.reason.clone())).collect(),
            open: evaluation.open.clone(),
        });
    }

    /// A SARIF log with a result for each violation, and a notification for each requirement that was not checked, or not to the end.
    pub(super) fn sarif(&self) -> Json {
        let rules: BTreeSet<(&str, &str)> =
            self.cases.iter().map(|case| (case.requirement.as_str(), case.sentence.as_str())).collect();
        let place =
            |case: &Case| json!([{ "physicalLocation": { "artifactLocation": { "uri": case.file } } }]);
        let result = |case: &Case, step: u64, reason: &str| {
            json!({
                "ruleId": case.requirement,
                "level": "error",
                "message": { "text": format!("{}: {reason}", case.requirement) },
                "locations": place(case),
                "properties": { "step": step },
            })
        };
        let results: Vec<Json> = self
            .cases
            .iter()
            .flat_map(|case| case.violations.iter().map(move |(step, reason)| result(case, *step, reason)))
            .collect();
        let notification = |case: &Case| {
            let open = match case.verdict {
                "not_checked" => Some(format!("not checked: {}", case.reason)),
                _ => case.open.clone(),
            };
            Some(json!({
                "level": "warning",
                "message": { "text": format!("{}: {}", case.requirement, open?) },
                "locations": place(case),
            }))
        };
        let notifications: Vec<Json> = self.cases.iter().filter_map(notification).collect();
        let rule =
            |(id, sentence): &(&str, &str)| json!({ "id": id, "shortDescription": { "text": sentence } });
        let rules: Vec<Json> = rules.iter().map(rule).collect();
        sarif::document(&rules, &notifications, &results)
    }

    /// A JUnit file with a suite for each trace and a case for each requirement.
    pub(super) fn junit(&self) -> String {
        let mut out =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"shall eval\">\n");
        for suite in self.cases.chunk_by(|a, b| a.file == b.file) {
            let count = |verdict: &str| suite.iter().filter(|case| case.verdict == verdict).count();
            let (failures, skipped) = (count("violated"), count("not_checked"));
            let file = suite.first().map(|case| escaped(&case.file)).unwrap_or_default();
            let tests = suite.len();
            out += &format!(
                "  <testsuite name=\"{file}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n"
            );
            for case in suite {
                let (name, reason) = (escaped(&case.requirement), escaped(&case.reason));
                let lines = case.violations.iter().map(|(_, reason)| reason).chain(&case.open);
                let all: Vec<String> = lines.map(|line| escaped(line)).collect();
                let content = match case.verdict {
                    "violated" => format!("<failure message=\"{reason}\">{}</failure>", all.join("\n")),
                    "not_checked" => format!("<skipped message=\"{reason}\"/>"),
                    _ => format!("<system-out>{reason}</system-out>"),
                };
                out += &format!("    <testcase classname=\"{file}\" name=\"{name}\">{content}</testcase>\n");
            }
            out += "  </testsuite>\n";
        }
        out + "</testsuites>\n"
    }
}
