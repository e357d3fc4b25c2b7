//! What is wrong in a project, all of it. One file holds all of a rule: its code with its manual entry, its check, its fix and
//! its tests.
//!
//! - about a project: `RULES`; about a sentence: `sentence`; about two: `pairs`; about all of a component:
//!   [`check_together`]; about definitions and controlled English: `definitions`, `english`; about documents, the project file and models: where these are read
//! - [`manual`]: all codes, of languages too; [`fixes`](fixes()): the fixes that can be made together
//!
//! What depends on a sentence and the tables of its component alone is found once and remembered ([`Memory`]); what connects
//! sentences is found anew each time, in one light pass. Findings come in the order of the documents.

mod component_spelling;
mod conflict;
mod context;
mod decided_by_range;
mod declared_twice;
mod definitions;
mod duplicate;
mod duplicate_id;
mod english;
mod enumerations;
mod fixes;
pub mod manual;
mod mixed_units;
mod mode_not_boolean;
mod no_definition;
mod nothing_decided;
mod pairs;
mod parent_cycle;
mod phrases;
mod sentence;
mod sorts_differ;
#[cfg(test)]
pub(crate) mod testing;
mod together;
mod unconstrained;
mod undeclared;
mod unit_mismatch;
mod unknown_parent;
mod unknown_role;
mod unused_variable;
mod value_as_variable;

pub use fixes::fixes;
pub use sentence::Memory;
pub use together::check_together;

use crate::config::Config;
use crate::finding::{Finding, Source};
use crate::project::{Analysis, Place, Project};
use context::Context;
use diagnostics::{Code, Diagnostic, Severity, Span};

/// A rule about projects: what it finds.
type Rule = fn(&Context, &mut Vec<Finding>);

/// The rules about projects, with the codes that they declare. The last one replaces findings of sentences.
const RULES: &[(&[Code], Rule)] = &[
    (&[], duplicate_id::check),
    (unknown_parent::CODES, unknown_parent::check),
    (unknown_role::CODES, unknown_role::check),
    (parent_cycle::CODES, parent_cycle::check),
    (component_spelling::CODES, component_spelling::check),
    (undeclared::CODES, undeclared::check),
    (sorts_differ::CODES, sorts_differ::check),
    (declared_twice::CODES, declared_twice::check),
    (phrases::CODES, phrases::check),
    (value_as_variable::CODES, value_as_variable::check),
    (unused_variable::CODES, unused_variable::check),
    (unconstrained::CODES, unconstrained::check),
    (mode_not_boolean::CODES, mode_not_boolean::check),
    (no_definition::CODES, no_definition::check),
    (nothing_decided::CODES, nothing_decided::check),
    (&[], mixed_units::check),
];

/// What was found in a project.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// What is wrong, in the order of documents, places and codes.
    pub findings: Vec<Finding>,
    /// The requirements that could not be decided, because a limit was reached.
    pub undecided: Vec<Open>,
}

/// A requirement that could not be decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Which one.
    pub place: Place,
    /// Why.
    pub reason: String,
}

/// Applies all rules. Codes that the project file allows are left out.
pub fn check(project: &Project, analysis: &Analysis, memory: &mut Memory) -> Checked {
    let mut checked = Checked::default();
    let findings = &mut checked.findings;
    for (document, text) in project.documents.iter().enumerate() {
        findings.extend(text.diagnostics.iter().map(|found| Finding::new(document, found.clone())));
    }
    let states = memory.states(analysis);
    checked.undecided = sentence::check(project, analysis, memory, &states, findings);
    checked.undecided.extend(pairs::check(project, analysis, &states, &mut memory.pairs, findings));
    let defined = definitions::check(project, analysis, findings);
    let context = Context::new(project, analysis, defined);
    RULES.iter().for_each(|(_, rule)| rule(&context, findings));
    english::check(project, memory, findings);
    crate::mapping::check(project, analysis, None, findings);
    findings.retain(|found| !project.config.allow.iter().any(|code| code == found.diagnostic.code.id()));
    sort(findings);
    checked
}

impl Checked {
    /// Adds what was found about the requirements together, without what is known already.
    pub fn add(&mut self, other: Checked) {
        for found in other.findings {
            if !self.findings.iter().any(|it| tells(it, &found)) {
                self.findings.push(found);
            }
        }
        self.undecided.extend(other.undecided);
        sort(&mut self.findings);
    }
}

/// Whether a finding makes another one unnecessary: a conflict is part of a larger one; what says the same as another requirement
/// follows from it.
fn tells(known: &Finding, found: &Finding) -> bool {
    let places = |it: &Finding| -> Vec<(Source, Span)> {
        let others = it.places().map(|(source, other)| (source, other.span));
        others.chain([(it.source, it.diagnostic.span)]).collect()
    };
    let (before, now) = (places(known), places(found));
    let subject = (found.source, found.diagnostic.span);
    match (known.diagnostic.code, found.diagnostic.code) {
        (conflict::CONFLICT, conflict::CONFLICT) => before.iter().all(|it| now.contains(it)),
        (duplicate::DUPLICATE, together::REDUNDANT) => before.contains(&subject),
        (one, other) => one == other && (known.source, known.diagnostic.span) == subject,
    }
}

/// How serious findings with this code are in a project.
pub fn severity(config: &Config, code: Code) -> Severity {
    match config.deny.iter().any(|denied| denied == code.id()) {
        true => Severity::Error,
        false => code.severity(),
    }
}

/// Puts findings in the order of files, places and codes.
pub fn sort(findings: &mut [Finding]) {
    let key = |found: &Finding| {
        let Diagnostic { span, code, .. } = &found.diagnostic;
        (found.source, span.start, span.end, *code)
    };
    findings.sort_by(|one, other| {
        key(one).cmp(&key(other)).then_with(|| one.diagnostic.message.cmp(&other.diagnostic.message))
    });
}

/// A name as a sentence writes it: in quotes if it is not one word.
fn quoted(name: &str) -> String {
    match name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => name.to_string(),
        false => format!("\"{name}\""),
    }
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

    /// A change to one place: what is remembered gives the same findings as a fresh start.
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
        assert_eq!(severity(&project.config, unused_variable::UNUSED_VARIABLE), Severity::Error);
        assert_eq!(severity(&project.config, undeclared::UNDECLARED), Severity::Warning);
    }
}
