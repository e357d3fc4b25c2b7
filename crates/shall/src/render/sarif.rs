//! Findings as SARIF 2.1.0, with the manual of the codes they use, related places and fixes.

use super::place::Places;
use crate::commands::check::Report;
use diagnostics::{Code, Severity, Span};
use project::baseline::key;
use project::{Finding, Source};
use serde_json::{Value as Json, json};

/// The whole log.
pub(crate) fn log(places: &Places, report: &Report) -> Json {
    let mut codes: Vec<Code> = report.findings.iter().map(|found| found.diagnostic.code).collect();
    codes.sort();
    codes.dedup();
    let results: Vec<Json> = report
        .findings
        .iter()
        .map(|found| {
            let index = codes.binary_search(&found.diagnostic.code).unwrap_or_default();
            result(places, report, found, index)
        })
        .collect();
    let notifications: Vec<Json> = report
        .undecided
        .iter()
        .map(|open| {
            let entry = report.workspace.project.entry(open.place);
            json!({
                "level": "warning",
                "message": { "text": format!("{}: not decided: {}", entry.id.text, open.reason) },
                "locations": [location(places, Source::Document(open.place.document), entry.id.span)],
            })
        })
        .collect();
    let rules: Vec<Json> = codes.iter().map(|&code| rule(code)).collect();
    document(&rules, &notifications, &results)
}

/// A log of one run of this program: what it can find, what it could not decide, what it found.
pub(crate) fn document(rules: &[Json], notifications: &[Json], results: &[Json]) -> Json {
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "shall", "version": version, "rules": rules } },
            "columnKind": "utf16CodeUnits",
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "results": results,
        }],
    })
}

fn rule(code: Code) -> Json {
    let entry = code.entry();
    let help = format!("{}\n\nWrong:\n{}\n\nRight:\n{}", entry.why, entry.wrong, entry.right);
    json!({
        "id": code.id(),
        "name": code.name(),
        "shortDescription": { "text": entry.summary },
        "fullDescription": { "text": entry.why },
        "help": { "text": help },
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn result(places: &Places, report: &Report, found: &Finding, index: usize) -> Json {
    let diagnostic = &found.diagnostic;
    let mut place = location(places, found.source, diagnostic.span);
    if let Some(id) = &found.requirement {
        place["logicalLocations"] = json!([{ "name": id, "kind": "requirement" }]);
    }
    let known = key(&report.workspace.project, found);
    let mut result = json!({
        "ruleId": diagnostic.code.id(),
        "ruleIndex": index,
        "level": level(report.severity(found)),
        "message": { "text": format!("{}; {}", diagnostic.message, diagnostic.hint) },
        "locations": [place],
        "partialFingerprints": { "shall/v1": format!("{} {}: {}", known.code, known.about, known.message) },
    });
    if !diagnostic.related.is_empty() {
        let related = found.places().enumerate().map(|(at, (source, other))| {
            let mut place = location(places, source, other.span);
            place["id"] = json!(at + 1);
            place["message"] = json!({ "text": other.message });
            place
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some((fix, edits)) = found.safe_fix() {
        let changes = edits.iter().map(|edit| {
            let source = Source::Document(edit.document);
            json!({
                "artifactLocation": { "uri": uri(&places.path(source)) },
                "replacements": [{
                    "deletedRegion": region(places, source, edit.span),
                    "insertedContent": { "text": edit.text },
                }],
            })
        });
        let changes: Vec<Json> = changes.collect();
        result["fixes"] = json!([{ "description": { "text": fix.title }, "artifactChanges": changes }]);
    }
    result
}

fn location(places: &Places, source: Source, span: Span) -> Json {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&places.path(source)) },
        "region": region(places, source, span),
    }})
}

fn region(places: &Places, source: Source, span: Span) -> Json {
    let (start, end) = places.ends(source, span);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// A path as a relative reference: everything but plain letters, digits and a few signs is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
