//! Projects from texts, and findings as text, for the tables of tests.

use crate::edit::apply;
use crate::finding::{Finding, Source};
use crate::project::{Analysis, Project};
use crate::reading::Cache;
use crate::rules::{Checked, Memory, check, check_together};
use crate::{Config, Document};
use engine::NoSolver;
use realize::{Budget, Order};
use std::time::Duration;

/// A project of documents `0.md`, `1.md`, …, and its findings.
pub(crate) fn project(texts: &[&str]) -> (Project, Checked) {
    let documents =
        texts.iter().enumerate().map(|(at, text)| Document::read(format!("{at}.md"), *text)).collect();
    let project = Project { config: Config::default(), documents };
    let checked = look(&project);
    (project, checked)
}

fn look(project: &Project) -> Checked {
    let analysis: Analysis = project.analyse(&mut Cache::default());
    check(project, &analysis, &mut Memory::default())
}

/// What is found when the requirements of each component are judged together, without a solver.
pub(super) fn together(project: &Project, analysis: &Analysis) -> Checked {
    let left = || Duration::MAX;
    let config = realize::Config {
        order: Order::Mealy,
        budget: Budget::DEFAULT,
        left: &left,
        solver: &NoSolver,
        all_conflicts: true,
    };
    check_together(project, analysis, config)
}

/// A finding as `code text-of-span (related texts): message`.
fn shown(project: &Project, found: &Finding) -> String {
    let Source::Document(document) = found.source else { panic!("these tests are about documents") };
    let mut line = format!(
        "{} {}",
        found.diagnostic.code.id(),
        project.documents[document].slice(found.diagnostic.span)
    );
    for (source, other) in found.places() {
        let Source::Document(document) = source else { panic!("these tests are about documents") };
        line += &format!(" ({})", project.documents[document].slice(other.span));
    }
    line
}

/// Compares the findings of the given codes with what is expected, one a line.
#[track_caller]
pub(super) fn expect(texts: &[&str], codes: &[&str], expected: &[&str]) {
    let (project, checked) = project(texts);
    let found: Vec<String> = checked
        .findings
        .iter()
        .filter(|found| codes.contains(&found.diagnostic.code.id()))
        .map(|found| shown(&project, found))
        .collect();
    assert_eq!(found, expected, "{texts:#?}\n{:#?}", checked.findings);
}

/// The same for each row: documents and what is expected.
#[track_caller]
pub(super) fn expect_each(codes: &[&str], rows: &[(&[&str], &[&str])]) {
    rows.iter().for_each(|(texts, expected)| expect(texts, codes, expected));
}

/// The same for tables of variables, with one sentence about them.
#[track_caller]
pub(super) fn expect_tables(codes: &[&str], sentence: &str, rows: &[(&str, &[&str])]) {
    rows.iter().for_each(|(table, expected)| expect(&[&pump(table, &[sentence])], codes, expected));
}

/// The same for responses that are about one table of variables.
#[track_caller]
pub(super) fn expect_responses(codes: &[&str], table: &str, rows: &[(&str, &str)]) {
    for (response, expected) in rows {
        let text = pump(table, &[&format!("the Pump shall always satisfy {response}")]);
        expect(&[&text], codes, &expected.lines().collect::<Vec<_>>());
    }
}

/// The first document after the fixes of findings with this code.
pub(super) fn fixed(texts: &[&str], code: &str) -> String {
    let (project, checked) = project(texts);
    let mut edits: Vec<_> = checked
        .findings
        .iter()
        .filter(|found| found.diagnostic.code.id() == code)
        .filter_map(Finding::safe_fix)
        .flat_map(|(_, edits)| edits)
        .filter(|edit| edit.document == 0)
        .collect();
    edits.dedup();
    apply(&project.documents[0].text, &edits).expect("these fixes fit together")
}

/// A document with a table of variables of `Pump`, a row for each line (`name kind type unit definition`, separated by
/// `;`), and a requirement for each sentence.
pub(crate) fn pump(rows: &str, sentences: &[&str]) -> String {
    let mut text = String::from("# Pump\n\n|name|kind|type|unit|definition|\n|-|-|-|-|-|\n");
    for row in rows.lines().filter(|row| !row.trim().is_empty()) {
        let cells: Vec<&str> = row.split(';').map(str::trim).collect();
        text += &format!("|{}|\n", cells.join("|"));
    }
    for (number, sentence) in sentences.iter().enumerate() {
        text += &format!("\n## P-{number}\n\n```fretish\n{sentence}\n```\n");
    }
    text
}
