//! What is wrong in a project, all of it: one module for each family of findings, with its entries of the manual, its code and
//! its tests.
//!
//! What depends on a sentence and the tables of its component alone is found once and remembered ([`Memory`]); what connects
//! sentences is found anew each time, in one light pass. Findings come in the order of the documents.

mod definitions;
mod durations;
mod english;
mod enumerations;
mod fixes;
mod ids;
pub mod manual;
mod names;
mod ranges;
mod sentence;
#[cfg(test)]
mod testing;
mod units;
mod variables;

pub use fixes::fixes;
pub use sentence::Memory;

use crate::config::Config;
use crate::finding::{Finding, Related};
use crate::project::{Analysis, Place, Project};
use syntax::{Code, Diagnostic, Severity, Span};

/// What a look at the whole project found.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong, in the order of documents, places and codes.
    pub findings: Vec<Finding>,
    /// The requirements whose traps are not known, because a limit was reached.
    pub undecided: Vec<Open>,
}

/// A requirement whose traps are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Which one.
    pub place: Place,
    /// Why.
    pub reason: String,
}

/// Looks at everything. Codes that the project file allows are left out.
pub fn check(project: &Project, analysis: &Analysis, memory: &mut Memory) -> Checked {
    let mut checked = Checked::default();
    let findings = &mut checked.findings;
    for (document, text) in project.documents.iter().enumerate() {
        findings.extend(text.diagnostics.iter().map(|found| Finding::new(document, found.clone())));
    }
    checked.undecided = sentence::check(project, analysis, memory, findings);
    ids::check(project, findings);
    names::check(project, analysis, findings);
    let used = definitions::check(project, analysis, findings);
    variables::check(project, analysis, &used, findings);
    durations::check(project, analysis, findings);
    english::check(project, memory, findings);
    crate::mapping::check(project, analysis, None, findings);
    findings.retain(|found| !project.config.allow.iter().any(|code| code == found.diagnostic.code.id()));
    sort(findings);
    checked
}

/// How grave findings with this code are in a project.
pub fn severity(config: &Config, code: Code) -> Severity {
    match config.deny.iter().any(|denied| denied == code.id()) {
        true => Severity::Error,
        false => code.severity(),
    }
}

/// Puts findings in the order of files, places and codes.
pub fn sort(findings: &mut [Finding]) {
    let key = |found: &Finding| {
        let Diagnostic { span, code, .. } = found.diagnostic;
        (found.source, span.start, span.end, code)
    };
    findings.sort_by(|one, other| {
        key(one).cmp(&key(other)).then_with(|| one.diagnostic.message.cmp(&other.diagnostic.message))
    });
}

/// A finding about the requirement at a place.
fn about(project: &Project, place: Place, code: Code, span: Span, message: String, hint: &str) -> Finding {
    let diagnostic = Diagnostic { code, span, message, hint: hint.into() };
    let requirement = Some(project.entry(place).id.text.clone());
    Finding { requirement, ..Finding::new(place.document, diagnostic) }
}

/// Another place, in one line.
fn related(document: usize, span: Span, message: impl Into<String>) -> Related {
    Related { document, span, message: message.into() }
}

/// The cycles of a graph, each one once: a list of nodes that begins with its least.
fn cycles(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; successors.len()];
    let mut found: Vec<Vec<usize>> = Vec::new();
    for start in 0..successors.len() {
        if marks[start] != Mark::New {
            continue;
        }
        let mut path = vec![(start, 0)];
        marks[start] = Mark::Open;
        while let Some((node, next)) = path.last_mut() {
            let Some(&to) = successors[*node].get(*next) else {
                marks[*node] = Mark::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    path.push((to, 0));
                }
                Mark::Open => {
                    let from = path.iter().position(|&(node, _)| node == to).unwrap_or(0);
                    let mut cycle: Vec<usize> = path[from..].iter().map(|&(node, _)| node).collect();
                    let least =
                        cycle.iter().enumerate().min_by_key(|&(_, node)| node).map_or(0, |(at, _)| at);
                    cycle.rotate_left(least);
                    if !found.contains(&cycle) {
                        found.push(cycle);
                    }
                }
                Mark::Done => {}
            }
        }
    }
    found
}

/// The names of a cycle in order: "`a` → `b` → `a`".
fn round<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.extend(names.first().cloned());
    names.join(" → ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_found_once() {
        for (graph, expected) in [
            (vec![vec![1], vec![2], vec![]], vec![]),
            (vec![vec![0]], vec![vec![0]]),
            (vec![vec![2], vec![0], vec![1]], vec![vec![0, 2, 1]]),
            (vec![vec![1], vec![0, 2], vec![1]], vec![vec![0, 1], vec![1, 2]]),
        ] {
            assert_eq!(cycles(&graph), expected, "{graph:?}");
        }
        let line: Vec<Vec<usize>> = (1..=100_000).map(|next| vec![next % 100_000]).collect();
        assert_eq!(cycles(&line).len(), 1);
    }

    /// A change to one place: what is remembered must not be told of what has changed.
    #[test]
    fn memory_makes_no_difference() {
        let rows = "x;input;int 0..9\ny;output;bool\nm;mode;bool;;x > 3";
        let mut texts = [
            testing::pump(
                rows,
                &["when x > 5 the Pump shall always satisfy y", "in m mode the Pump shall satisfy y"],
            ),
            testing::pump("", &["when x > 7 the Pump shall within 2 ticks satisfy y & z"]),
        ];
        let (mut cache, mut memory) = (crate::Cache::default(), Memory::default());
        for (document, from, to) in [
            (0, "", ""),
            (0, "x > 5", "x > 50"),
            (0, "int 0..9", "int 0..90"),
            (1, "x > 7", "x > 70"),
            (1, "y & z", "y | !y"),
            (0, "x > 3", "m"),
            (0, "# Pump", "# Pumpe"),
            (0, "x > 50", "x > 5"),
        ] {
            texts[document] = texts[document].replacen(from, to, 1);
            let documents = texts
                .iter()
                .enumerate()
                .map(|(at, text)| crate::Document::read(format!("{at}.md"), text.as_str()));
            let project = Project { documents: documents.collect(), ..Project::default() };
            let warm = check(&project, &project.analyse(&mut cache), &mut memory);
            let cold =
                check(&project, &project.analyse(&mut crate::Cache::default()), &mut Memory::default());
            assert_eq!(warm.findings, cold.findings, "{from} {to}");
            assert_eq!(warm.undecided, cold.undecided);
        }
    }

    #[test]
    fn allowed_codes_are_left_out_and_denied_ones_are_errors() {
        let (mut project, _) = testing::project(&["## A-1\n\n- parent: A-2\n\n## A-1\n"]);
        let codes = |project: &Project| {
            let analysis = project.analyse(&mut crate::Cache::default());
            let checked = check(project, &analysis, &mut Memory::default());
            checked.findings.iter().map(|found| found.diagnostic.code.id()).collect::<Vec<_>>()
        };
        assert_eq!(codes(&project), ["E0510", "E0408"]);
        project.config.allow = vec!["E0408".into()];
        assert_eq!(codes(&project), ["E0510"]);
        project.config.deny = vec!["W0502".into()];
        assert_eq!(severity(&project.config, Code::UnusedVariable), Severity::Error);
        assert_eq!(severity(&project.config, Code::Undeclared), Severity::Warning);
    }
}
