//! `shall check`: everything that is wrong in a project, in the format that is asked for.

use crate::cli::Format;
use crate::cli::check::Check;
use crate::render::findings::{concise, data, full, github};
use crate::render::place::Places;
use crate::render::{junit, sarif, visible};
use crate::workspace::{Workspace, read_text, write_atomically};
use crate::{Outcome, print, tell};
use base::counted;
use project::baseline::{Baseline, Known};
use project::rules::{self, Memory, Open};
use project::{Cache, Document, Edit, Finding, Source, edit};
use serde_json::{Value as Json, json};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;
use syntax::{Severity, Span};

/// Mending may uncover more to mend; after so many rounds it is reported instead.
const MAX_ROUNDS: usize = 8;

/// How often `--watch` looks for changes.
const POLL: Duration = Duration::from_millis(300);

/// What is to be told about a project.
pub(crate) struct Report {
    pub(crate) workspace: Workspace,
    pub(crate) findings: Vec<Finding>,
    pub(crate) undecided: Vec<Open>,
    /// Entries of the baseline that are not found any more.
    stale: Vec<Known>,
    /// How many fixes were made.
    fixed: usize,
}

pub(crate) fn run(command: &Check, format: Format) -> Result<Outcome, String> {
    let (mut cache, mut memory) = (Cache::default(), Memory::default());
    let report = look(command, &mut cache, &mut memory)?;
    let outcome = report.tell(command, format)?;
    if !command.watch {
        // The process ends here; taking ten thousand trees apart first would only cost time.
        std::mem::forget((report, cache, memory));
        return Ok(outcome);
    }
    let mut stamp = report.workspace.stamp();
    let mut root = report.workspace;
    loop {
        std::thread::sleep(POLL);
        let now = root.stamp();
        if now == stamp {
            continue;
        }
        stamp = now;
        tell("--- changed");
        match look(command, &mut cache, &mut memory) {
            Ok(report) => {
                report.tell(command, format)?;
                root = report.workspace;
            }
            // A file that is just being written can be read the next time.
            Err(failure) => tell(format_args!("error: {}", visible(&failure))),
        }
    }
}

/// Reads the project, looks at it, and mends it if that is asked for.
fn look(command: &Check, cache: &mut Cache, memory: &mut Memory) -> Result<Report, String> {
    let workspace = Workspace::open(&command.path)?;
    let mut report =
        Report { workspace, findings: Vec::new(), undecided: Vec::new(), stale: Vec::new(), fixed: 0 };
    let baseline = match (baseline_file(command, &report.workspace), command.write_baseline) {
        (Some(file), false) if command.baseline.is_some() || file.exists() => {
            let text = read_text(&file)?;
            Baseline::read(&text).map_err(|error| format!("{}: {error}", file.display()))?
        }
        _ => Baseline::default(),
    };
    report.look(&baseline, cache, memory);
    for _ in 0..if command.fix { MAX_ROUNDS } else { 0 } {
        let (edits, count) = rules::fixes(&report.findings);
        if count == 0 {
            break;
        }
        report.mend(&edits)?;
        report.fixed += count;
        report.look(&baseline, cache, memory);
    }
    Ok(report)
}

/// The file of known findings: the given one, or that of the project file.
fn baseline_file(command: &Check, workspace: &Workspace) -> Option<PathBuf> {
    let configured = workspace.project.config.baseline.as_ref().map(|file| workspace.root.join(file));
    command.baseline.clone().or(configured)
}

impl Report {
    fn look(&mut self, baseline: &Baseline, cache: &mut Cache, memory: &mut Memory) {
        let project = &self.workspace.project;
        let analysis = project.analyse(cache);
        let checked = rules::check(project, &analysis, memory);
        self.findings = checked.findings;
        self.undecided = checked.undecided;
        for diagnostic in &self.workspace.config_diagnostics {
            self.findings.push(Finding { source: Source::Config, ..Finding::new(0, diagnostic.clone()) });
        }
        rules::sort(&mut self.findings);
        self.stale = baseline.subtract(project, &mut self.findings);
    }

    /// Writes the edits, and reads the documents that they change.
    fn mend(&mut self, edits: &[Edit]) -> Result<(), String> {
        for at in 0..self.workspace.project.documents.len() {
            let mine: Vec<&Edit> = edits.iter().filter(|edit| edit.document == at).collect();
            if mine.is_empty() {
                continue;
            }
            let document = &self.workspace.project.documents[at];
            let text = edit::apply(&document.text, mine)
                .map_err(|conflict| format!("{}: fixes do not fit together: {conflict:?}", document.name))?;
            self.workspace.save(&document.name, &text)?;
            self.workspace.project.documents[at] = Document::read(document.name.clone(), text);
        }
        Ok(())
    }

    /// How grave a finding is here.
    pub(crate) fn severity(&self, found: &Finding) -> Severity {
        rules::severity(&self.workspace.project.config, found.diagnostic.code)
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|found| self.severity(found) == severity).count()
    }

    fn tell(&self, command: &Check, format: Format) -> Result<Outcome, String> {
        if command.write_baseline {
            let file = baseline_file(command, &self.workspace)
                .ok_or("say where the baseline is: `--baseline FILE`, or `baseline` in the project file")?;
            let baseline = Baseline::of(&self.workspace.project, &self.findings);
            write_atomically(&file, baseline.text().as_bytes())?;
            tell(format_args!(
                "{} known findings in {}",
                self.findings.len(),
                visible(&file.display().to_string())
            ));
            return Ok(Outcome::Fine);
        }
        let places = Places::new(&self.workspace);
        match format {
            Format::Human | Format::FretJson => self.people(&places, full)?,
            Format::Concise => self.people(&places, concise)?,
            Format::Github => {
                let mut out: String =
                    self.findings.iter().map(|found| github(&places, found, self.severity(found))).collect();
                for open in &self.undecided {
                    out += &format!("::warning::{}\n", data(&self.open(open)));
                }
                print(out)?;
            }
            Format::Json => print(format_args!("{:#}\n", self.document(&places)))?,
            Format::JsonLines => {
                let twin = self.document(&places);
                for list in ["findings", "undecided"] {
                    for item in twin[list].as_array().into_iter().flatten() {
                        print(format_args!("{item}\n"))?;
                    }
                }
            }
            Format::Sarif => print(format_args!("{:#}\n", sarif::log(&places, self)))?,
            Format::Junit => print(junit::file(&places, self))?,
        }
        let warnings = if command.allow_warnings { 0 } else { self.count(Severity::Warning) };
        Ok(if self.count(Severity::Error) + warnings > 0 {
            Outcome::Findings
        } else if !self.undecided.is_empty() && !command.allow_unknown {
            Outcome::Inconclusive
        } else {
            Outcome::Fine
        })
    }

    fn open(&self, open: &Open) -> String {
        format!("{}: not decided: {}", self.workspace.project.entry(open.place).id.text, open.reason)
    }

    /// Findings, what was not decided, and a summary.
    fn people(&self, places: &Places, one: fn(&Places, &Finding, Severity) -> String) -> Result<(), String> {
        let mut out: String =
            self.findings.iter().map(|found| one(places, found, self.severity(found))).collect();
        for open in &self.undecided {
            out += &format!("{}\n", visible(&self.open(open)));
        }
        for known in &self.stale {
            let line = format!("no longer found: {} {}: {}", known.code, known.about, known.message);
            out += &format!("{}\n", visible(&line));
        }
        out += &self.summary();
        match anstream::stdout().write_all(out.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(format!("standard output cannot be written: {error}"))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// "3 errors, 2 warnings in 12 requirements of 4 documents"
    fn summary(&self) -> String {
        let project = &self.workspace.project;
        let (errors, warnings) = (self.count(Severity::Error), self.count(Severity::Warning));
        let mut parts = Vec::new();
        if self.fixed > 0 {
            parts.push(format!("{} made", counted(self.fixed, "fix")));
        }
        match errors + warnings {
            0 => parts.push("no findings".into()),
            _ => parts.extend([counted(errors, "error"), counted(warnings, "warning")]),
        }
        if !self.undecided.is_empty() {
            parts.push(format!("{} not decided", self.undecided.len()));
        }
        let requirements = counted(project.places().count(), "requirement");
        format!(
            "{} in {requirements} of {}\n",
            parts.join(", "),
            counted(project.documents.len(), "document")
        )
    }

    fn document(&self, places: &Places) -> Json {
        let project = &self.workspace.project;
        let at = |source: Source, span: Span| {
            let (start, end) = places.ends(source, span);
            json!({
                "file": places.path(source),
                "span": { "start": span.start, "end": span.end },
                "line": start.line,
                "column": start.column,
                "end_line": end.line,
                "end_column": end.column,
            })
        };
        let finding = |found: &Finding| {
            let related = found.places().map(|(source, other)| {
                let mut place = at(source, other.span);
                place["message"] = json!(other.message);
                place
            });
            let fix = found.safe_fix().map(|(fix, edits)| {
                let edits = edits.iter().map(|edit| {
                    let mut place = at(Source::Document(edit.document), edit.span);
                    place["text"] = json!(edit.text);
                    place
                });
                json!({ "title": fix.title, "edits": edits.collect::<Vec<_>>() })
            });
            json!({
                "code": found.diagnostic.code.id(),
                "severity": self.severity(found).name(),
                "message": found.diagnostic.message,
                "hint": found.diagnostic.hint,
                "requirement": found.requirement,
                "place": at(found.source, found.diagnostic.span),
                "related": related.collect::<Vec<_>>(),
                "fix": fix,
            })
        };
        let undecided = self.undecided.iter().map(|open| {
            let id = &project.entry(open.place).id;
            let place = at(Source::Document(open.place.document), id.span);
            json!({ "requirement": id.text, "undecided": open.reason, "place": place })
        });
        json!({
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
            "undecided": undecided.collect::<Vec<_>>(),
            "stale": self.stale,
            "fixed": self.fixed,
            "errors": self.count(Severity::Error),
            "warnings": self.count(Severity::Warning),
            "requirements": project.places().count(),
            "documents": project.documents.len(),
        })
    }
}
