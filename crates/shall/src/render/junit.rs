//! Findings as JUnit XML: a suite for each document, a case for each requirement, and one for what concerns the document
//! itself. Errors are failures; warnings are told in the output of their case; what was not decided is skipped, not passed.

use super::place::Places;
use crate::commands::check::Report;
use project::{Finding, Source};
use std::collections::BTreeMap;
use syntax::Severity;

/// The whole file.
pub(crate) fn file(places: &Places, report: &Report) -> String {
    let project = &report.workspace.project;
    let mut cases: BTreeMap<(Source, Option<&str>), Vec<&Finding>> = BTreeMap::new();
    for found in &report.findings {
        cases.entry((found.source, found.requirement.as_deref())).or_default().push(found);
    }
    let empty = Vec::new();
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"shall check\">\n");
    let mut suite = |source: Source, ids: &[(&str, Option<&str>)]| {
        let path = places.path(source);
        let mut body = String::new();
        let (mut count, mut failures, mut skipped) = (0, 0, 0);
        let whole = cases.get(&(source, None)).map(|_| ("document", None, None));
        let named = ids.iter().map(|&(id, open)| (id, Some(id), open));
        for (name, id, open) in whole.into_iter().chain(named) {
            let found = cases.get(&(source, id)).unwrap_or(&empty);
            let (content, failed, skip) = case(places, report, found, open);
            count += 1;
            failures += usize::from(failed);
            skipped += usize::from(skip);
            let (class, name) = (escaped(&path), escaped(name));
            body += &format!("    <testcase classname=\"{class}\" name=\"{name}\">{content}</testcase>\n");
        }
        if count > 0 {
            let name = escaped(&path);
            out += &format!(
                "  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n{body}  </testsuite>\n"
            );
        }
    };
    suite(Source::Config, &[]);
    for (at, document) in project.documents.iter().enumerate() {
        let mut ids: Vec<(&str, Option<&str>)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for (entry, found) in document.entries.iter().enumerate() {
            let place = project::Place { document: at, entry };
            let open = report.undecided.binary_search_by_key(&place, |open| open.place);
            let open = open.ok().and_then(|at| report.undecided.get(at));
            if seen.insert(found.id.text.as_str()) {
                ids.push((&found.id.text, open.map(|open| open.reason.as_str())));
            }
        }
        suite(Source::Document(at), &ids);
    }
    out + "</testsuites>\n"
}

/// The inside of a case, whether it failed, and whether it was skipped.
fn case(places: &Places, report: &Report, found: &[&Finding], open: Option<&str>) -> (String, bool, bool) {
    let (mut failures, mut warnings) = (String::new(), String::new());
    for found in found {
        let line = super::findings::concise(places, found, report.severity(found));
        match report.severity(found) {
            Severity::Error => {
                let (code, message) = (found.diagnostic.code.id(), escaped(&found.diagnostic.message));
                failures +=
                    &format!("<failure type=\"{code}\" message=\"{message}\">{}</failure>", escaped(&line));
            }
            Severity::Warning => warnings += &line,
        }
    }
    let failed = !failures.is_empty();
    let skipped = open
        .filter(|_| !failed)
        .map(|reason| format!("<skipped message=\"{}\"/>", escaped(&format!("not decided: {reason}"))));
    let output = match warnings.is_empty() {
        true => String::new(),
        false => format!("<system-out>{}</system-out>", escaped(&warnings)),
    };
    let is_skipped = skipped.is_some();
    (format!("{}{failures}{output}", skipped.unwrap_or_default()), failed, is_skipped)
}

/// A text inside XML; characters that XML has no way to write are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let held = |c: char| match c {
        c if c == '\r' || !base::xml::is_allowed(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    base::xml::escape(text.chars().map(held), &['"'])
}
