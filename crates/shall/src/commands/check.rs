//! `shall check`: everything that is wrong in a project, in the requested format.

mod exports;

use crate::Error;
use crate::Outcome;
use crate::cli::Output;
use crate::cli::check::{Check, Format};
use crate::files::{print_styled, read_text, write_file};
use crate::json::Span;
use crate::print;
use crate::render::findings::{concise, data, full, github};
use crate::render::place::Places;
use crate::render::{junit, sarif, visible};
use crate::solver::Driver;
use crate::tell;
use crate::workspace::{self, Workspace, document_at};
use base::counted;
use engine::Connect;
use project::baseline::{Baseline, Known};
use project::rules::{self, Memory, Open};
use project::{Cache, Document, Edit, Finding, PhraseBook, Place, Source, edit, format};
use realize::{Budget, Config, Order};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use syntax::Severity;

/// The most rounds of fixes: a fix may uncover more to fix; what is left after these rounds is reported.
const MAX_ROUNDS: usize = 8;

/// How often `--watch` looks for changes.
const POLL: Duration = Duration::from_millis(300);

/// The findings in a project.
pub(crate) struct Report {
    pub(crate) workspace: Workspace,
    /// The document that is reported, if it is not the whole project.
    only: Option<usize>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) undecided: Vec<Open>,
    /// Entries of the baseline that are not found any more.
    stale: Vec<Known>,
    /// The number of fixes that were made.
    fixed: usize,
}

pub(crate) fn run(command: &Check, format: Format) -> Result<Outcome, Error> {
    let (mut cache, mut memory) = (Cache::default(), Memory::default());
    let report = look(command, &mut cache, &mut memory)?;
    let outcome = report.tell(command, format)?;
    if !command.watch {
        // The process ends here; taking ten thousand trees apart first would only cost time.
        std::mem::forget((report, cache, memory));
        return Ok(outcome);
    }
    let root = report.workspace.root;
    let mut stamp = workspace::stamp(&root);
    loop {
        std::thread::sleep(POLL);
        let now = workspace::stamp(&root);
        if now == stamp {
            continue;
        }
        stamp = now;
        tell("--- changed");
        match look(command, &mut cache, &mut memory) {
            Ok(report) => {
                report.tell(command, format)?;
            }
            // A file that is just being written can be read the next time.
            Err(error) => tell(format_args!("error: {}", visible(&error.to_string()))),
        }
    }
}

/// Reads the project, checks it, and fixes it if `--fix` is given.
fn look(command: &Check, cache: &mut Cache, memory: &mut Memory) -> Result<Report, Error> {
    let workspace = Workspace::open(&command.path)?;
    let mut report = Report::of(workspace);
    let baseline = match command.write_baseline {
        true => Baseline::default(),
        false => read_baseline(baseline_file(command, &report.workspace), command.baseline.is_some())?,
    };
    if !command.write_baseline {
        report.only = named_document(command, &report.workspace)?;
    }
    report.look(&baseline, (cache, memory), None)?;
    for _ in 0..if command.fix { MAX_ROUNDS } else { 0 } {
        let (edits, count) = rules::fixes(&report.findings);
        if count == 0 {
            break;
        }
        report.apply(&edits)?;
        report.fixed += count;
        report.look(&baseline, (cache, memory), None)?;
    }
    if command.set {
        let driver = Driver::chosen(&command.solver)?;
        report.look(&baseline, (cache, memory), Some((&driver, Duration::from_secs(command.timeout))))?;
    }
    Ok(report)
}

/// The findings in a project, with those of its baseline left out.
pub(crate) fn report(workspace: Workspace, memory: (&mut Cache, &mut Memory)) -> Result<Report, Error> {
    let baseline = read_baseline(configured_baseline(&workspace), false)?;
    let mut report = Report::of(workspace);
    report.look(&baseline, memory, None)?;
    Ok(report)
}

/// How requirements are judged together for findings: runs are endless, and outputs may depend on the inputs of the same step.
pub(crate) fn set_config<'a>(
    solver: &'a dyn Connect,
    left: &'a (dyn Fn() -> Duration + Sync),
    stop: &'a (dyn Fn() -> bool + Sync),
) -> Config<'a> {
    let budget = Budget { stop, ..Budget::DEFAULT };
    Config { order: Order::Mealy, budget, left, solver, all_conflicts: true }
}

/// The document that the command names, if it does not name a folder or the project file.
fn named_document(command: &Check, workspace: &Workspace) -> Result<Option<usize>, Error> {
    let path = &command.path;
    if !path.is_file() || path.file_name().is_some_and(|name| name == workspace::FILE) {
        return Ok(None);
    }
    let document = document_at(&workspace.root, &workspace.project, path);
    let reason = format_args!("not a document of the project in {}", workspace.root.display()).to_string();
    document.map(Some).ok_or_else(|| Error::file(path, reason))
}

/// The file of known findings: the given one, or that of the project file.
fn baseline_file(command: &Check, workspace: &Workspace) -> Option<PathBuf> {
    command.baseline.clone().or_else(|| configured_baseline(workspace))
}

fn configured_baseline(workspace: &Workspace) -> Option<PathBuf> {
    workspace.project.config.baseline.as_ref().map(|file| workspace.root.join(file))
}

/// The known findings; a file that the command does not name may be missing.
fn read_baseline(file: Option<PathBuf>, is_named: bool) -> Result<Baseline, Error> {
    match file.filter(|file| is_named || file.exists()) {
        Some(file) => Baseline::read(&read_text(&file)?).map_err(Error::about(&file)),
        None => Ok(Baseline::default()),
    }
}

impl Report {
    /// A report without findings yet.
    fn of(workspace: Workspace) -> Report {
        let (findings, undecided, stale) = (Vec::new(), Vec::new(), Vec::new());
        Report { workspace, only: None, findings, undecided, stale, fixed: 0 }
    }

    /// With a solver and a timeout, the requirements are judged together, too.
    fn look(
        &mut self,
        baseline: &Baseline,
        (cache, memory): (&mut Cache, &mut Memory),
        set: Option<(&Driver, Duration)>,
    ) -> Result<(), Error> {
        let project = &self.workspace.project;
        let analysis = project.analyse(cache);
        let mut checked = rules::check(project, &analysis, memory);
        if let Some((solver, timeout)) = set {
            let begun = Instant::now();
            let left = || timeout.saturating_sub(begun.elapsed());
            checked.add(rules::check_together(
                project,
                &analysis,
                set_config(solver, &left, &|| left().is_zero()),
            ));
        }
        self.findings = checked.findings;
        self.undecided = checked.undecided;
        self.findings.extend(exports::missing(&self.workspace, &analysis)?);
        for diagnostic in &self.workspace.config_diagnostics {
            self.findings.push(Finding { source: Source::Config, ..Finding::new(0, diagnostic.clone()) });
        }
        rules::sort(&mut self.findings);
        self.stale = baseline.subtract(project, &mut self.findings);
        if let Some(only) = self.only {
            self.findings.retain(|found| [Source::Config, Source::Document(only)].contains(&found.source));
            self.undecided.retain(|open| open.place.document == only);
            self.stale.clear();
        }
        Ok(())
    }

    /// Writes the edits, and reads the documents that they change.
    fn apply(&mut self, edits: &[Edit]) -> Result<(), Error> {
        for at in 0..self.workspace.project.documents.len() {
            let mine: Vec<&Edit> = edits.iter().filter(|edit| edit.document == at).collect();
            if mine.is_empty() {
                continue;
            }
            let document = &self.workspace.project.documents[at];
            let text = edit::apply(&document.text, mine).map_err(|conflict| {
                Error::input(&document.name, format_args!("fixes contradict each other: {conflict:?}"))
            })?;
            let text = format::kept(document, text, &PhraseBook::of(&self.workspace.project.documents));
            self.workspace.save(&document.name, &text)?;
            self.workspace.project.documents[at] = Document::read(document.name.clone(), text);
        }
        Ok(())
    }

    /// The severity of a finding in this project.
    pub(crate) fn severity(&self, found: &Finding) -> Severity {
        rules::severity(&self.workspace.project.config, found.diagnostic.code)
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|found| self.severity(found) == severity).count()
    }

    fn tell(&self, command: &Check, format: Format) -> Result<Outcome, Error> {
        if command.write_baseline {
            let hint = "name the baseline: `--baseline FILE`, or `baseline` in the project file";
            let file = baseline_file(command, &self.workspace).ok_or_else(|| Error::usage(hint))?;
            write_file(&file, Baseline::of(&self.workspace.project, &self.findings).text())?;
            let count = counted(self.findings.len(), "known finding");
            tell(format_args!("{count} in {}", visible(&file.display().to_string())));
            return Ok(Outcome::Fine);
        }
        let places = Places::new(&self.workspace);
        match format {
            Format::Human => self.people(&places, full)?,
            Format::Concise => self.people(&places, concise)?,
            Format::Github => {
                let mut out: String =
                    self.findings.iter().map(|found| github(&places, found, self.severity(found))).collect();
                for open in &self.undecided {
                    out += &format!("::warning::{}\n", data(&self.open(open)));
                }
                print(out)?;
            }
            Format::Json => print(Output::Json.text(&self.document(&places)) + "\n")?,
            Format::JsonLines => {
                let all = self.document(&places);
                let findings = all.findings.iter().map(|it| Output::JsonLines.text(it) + "\n");
                let undecided = all.undecided.iter().map(|it| Output::JsonLines.text(it) + "\n");
                print(findings.chain(undecided).collect::<String>())?;
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
    fn people(&self, places: &Places, one: fn(&Places, &Finding, Severity) -> String) -> Result<(), Error> {
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
        print_styled(&out)
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
        let (total, formal) = (self.reported().count(), self.formal());
        let mut requirements = counted(total, "requirement");
        if errors + warnings == 0 {
            // Nothing is found in prose: silence about it is not praise.
            requirements += &match formal {
                _ if formal == total => String::new(),
                0 => ", none of them formal,".to_string(),
                _ => format!(", {formal} of them formal,"),
            };
        }
        let documents = match self.only.and_then(|only| project.documents.get(only)) {
            Some(document) => visible(&document.name),
            None => counted(project.documents.len(), "document"),
        };
        format!("{} in {requirements} of {documents}\n", parts.join(", "))
    }

    /// The requirements that findings are reported about.
    fn reported(&self) -> impl Iterator<Item = Place> {
        let places = self.workspace.project.places();
        places.filter(|place| self.only.is_none_or(|only| place.document == only))
    }

    /// How many of them have a sentence.
    fn formal(&self) -> usize {
        self.reported().filter(|&place| self.workspace.project.sentence(place).is_some()).count()
    }

    pub(crate) fn document<'r>(&'r self, places: &Places) -> Checked<'r> {
        let project = &self.workspace.project;
        let at = |source: Source, span: syntax::Span| {
            let (start, end) = places.ends(source, span);
            FilePlace {
                file: places.path(source),
                span: span.into(),
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
            }
        };
        let finding = |found: &'r Finding| Found {
            code: found.diagnostic.code.id(),
            severity: self.severity(found).name(),
            message: &found.diagnostic.message,
            hint: &found.diagnostic.hint,
            requirement: found.requirement.as_deref(),
            place: at(found.source, found.diagnostic.span),
            related: found
                .places()
                .map(|(source, other)| RelatedPlace {
                    place: at(source, other.span),
                    message: &other.message,
                })
                .collect(),
            fix: found.safe_fix().map(|(fix, edits)| Fix {
                title: &fix.title,
                edits: (edits.into_iter())
                    .map(|edit| Replacement {
                        place: at(Source::Document(edit.document), edit.span),
                        text: edit.text,
                    })
                    .collect(),
            }),
        };
        let undecided = |open: &'r Open| {
            let id = &project.entry(open.place).id;
            let place = at(Source::Document(open.place.document), id.span);
            Undecided { requirement: &id.text, undecided: &open.reason, place }
        };
        let stale = |known: &'r Known| {
            let Known { code, about, message } = known;
            BaselineEntry { code, about, message }
        };
        Checked {
            findings: self.findings.iter().map(finding).collect(),
            undecided: self.undecided.iter().map(undecided).collect(),
            stale: self.stale.iter().map(stale).collect(),
            fixed: self.fixed,
            errors: self.count(Severity::Error),
            warnings: self.count(Severity::Warning),
            requirements: self.reported().count(),
            formal: self.formal(),
            documents: project.documents.len(),
        }
    }
}

impl Checked<'_> {
    /// The same without fixes, each of which can be as long as the project.
    pub(crate) fn without_fixes(mut self) -> Self {
        self.findings.iter_mut().for_each(|found| found.fix = None);
        self
    }
}

/// The findings in a project. With `json-lines`, each finding and each undecided requirement is a line.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Checked<'r> {
    /// The findings, in the order of files, places and codes.
    findings: Vec<Found<'r>>,
    /// Requirements whose traps are not known, because a limit was reached.
    undecided: Vec<Undecided<'r>>,
    /// Entries of the baseline that are no longer found.
    stale: Vec<BaselineEntry<'r>>,
    /// The number of fixes that `--fix` made.
    fixed: usize,
    /// The number of errors.
    errors: usize,
    /// The number of warnings.
    warnings: usize,
    /// The number of requirements.
    requirements: usize,
    /// The number of requirements with a sentence.
    formal: usize,
    /// The number of documents.
    documents: usize,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
struct Found<'r> {
    /// The code; see codes.md.
    code: &'static str,
    /// `error` or `warning`; `error` for warnings that the project file denies.
    severity: &'static str,
    /// What is wrong.
    message: &'r str,
    /// What to do about it.
    hint: &'r str,
    /// The id of the requirement it is about, or `null`.
    requirement: Option<&'r str>,
    /// Where it is.
    place: FilePlace,
    /// Other places, such as the first of two declarations.
    related: Vec<RelatedPlace<'r>>,
    /// What `--fix` does, or `null`.
    fix: Option<Fix<'r>>,
}

/// A place in a file.
#[derive(Serialize, JsonSchema)]
pub(crate) struct FilePlace {
    /// The path from the current folder.
    file: String,
    /// Bytes of the file.
    span: Span,
    /// The first line, from 1.
    line: usize,
    /// The first column, from 1, in UTF-16 code units.
    column: usize,
    /// The last line.
    end_line: usize,
    /// One past the last column.
    end_column: usize,
}

/// Another place of a finding.
#[derive(Serialize, JsonSchema)]
struct RelatedPlace<'r> {
    #[serde(flatten)]
    place: FilePlace,
    /// What is there.
    message: &'r str,
}

/// A fix that is safe.
#[derive(Serialize, JsonSchema)]
struct Fix<'r> {
    /// What it does.
    title: &'r str,
    /// The texts it replaces.
    edits: Vec<Replacement>,
}

/// A place and its new text.
#[derive(Serialize, JsonSchema)]
struct Replacement {
    #[serde(flatten)]
    place: FilePlace,
    /// The new text.
    text: String,
}

/// A requirement whose traps are not known.
#[derive(Serialize, JsonSchema)]
struct Undecided<'r> {
    /// Its id.
    requirement: &'r str,
    /// Why it was not decided.
    undecided: &'r str,
    /// Where the requirement is.
    place: FilePlace,
}

/// An entry of the baseline.
#[derive(Serialize, JsonSchema)]
struct BaselineEntry<'r> {
    /// The code.
    code: &'r str,
    /// The id of the requirement, or the name of the document.
    about: &'r str,
    /// The message.
    message: &'r str,
}
