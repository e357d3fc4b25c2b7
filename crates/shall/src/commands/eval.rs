//! `shall eval`: requirements against recorded traces of any size.
//!
//! The engine decides all requirements in one pass over a file ([`recorded`]); the definitions re-check its findings around each
//! violation ([`explained`]). On short traces, or where it is asked for, all meanings are evaluated on the whole trace as well
//! ([`meanings`]), and they must agree.

mod engine;
pub(super) mod explained;
pub(super) mod logged;
mod mat;
mod meanings;
mod names;
mod page;
pub(super) mod plan;
mod progress;
mod recorded;
mod report;
mod show;
mod timing;
pub(crate) mod traces;

use crate::around::{Asked, Sources};
use crate::cli::{Eval, EvalFormat, Meaning, Output, Time};
use crate::files::{is_standard, print_bytes, tell};
use crate::json::List;
use crate::trace_file::{TraceFile, UsedColumns};
use crate::{Error, Outcome, print};
use explained::Violation;
use logic::Trace;
use meanings::Judged;
use plan::{Columns, Map, Plan, Unchecked};
use progress::Progress;
use recorded::{Found, Pass, Wanted};
use requirement::oracle::{self, Verdict};
use requirement::{Context, Step, reason};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use timing::Steps;
use traces::{Arguments, Source};

pub(crate) use show::Evaluated;

/// The longest trace on which all meanings are evaluated without being asked for.
const SHORT: u64 = 4096;

pub(crate) fn run(command: &Eval, format: EvalFormat) -> Result<Outcome, Error> {
    let Arguments { sentences, around, traces } = Arguments::of(command)?;
    if sentences.iter().any(|it| it == "-") && traces.iter().any(|it| is_standard(it)) {
        return Err(Error::usage("the sentences and the trace cannot both come from standard input"));
    }
    let sources = Sources::open(&around, sentences.iter().chain(&command.formula))?;
    let is_project = sentences.is_empty() && command.formula.is_empty();
    let asked = if is_project || !sentences.is_empty() { sources.asked(&sentences)? } else { Vec::new() };
    let request = Request::new(command, &sources, &asked, traces.len())?;
    let mut writer = Writer::new(format, is_project, traces.len());
    if let Some(engine) = command.engine {
        engine::run(command, engine, &request, &mut writer)?;
        return writer.end();
    }
    in_order(
        &traces,
        |path, plan| File::read(&request, &Source::of(path)?, plan),
        |path, file| {
            let file = match file {
                Ok(file) => file,
                Err(error) if traces.len() > 1 => {
                    tell(format_args!("error: {}", crate::render::visible(&error.to_string())));
                    writer.outcome = writer.outcome.max(Outcome::Failure);
                    request.unread(path, &error.to_string())?
                }
                Err(error) => return Err(error),
            };
            request.progress.done();
            writer.write(&file)
        },
    )?;
    writer.end()
}

/// The verdicts on one trace, as documents.
#[cfg(feature = "arrow")]
pub(crate) fn documents(
    command: &Eval,
    sources: &Sources,
    asked: &[Asked],
    source: &Source,
) -> Result<Vec<serde_json::Value>, Error> {
    let request = Request::new(command, sources, asked, 1)?;
    let file = File::read(&request, source, &mut None)?;
    let pairs = file.plan.readings.iter().zip(&file.evaluations);
    Ok(pairs.map(|(reading, it)| serde_json::json!(show::document(reading, it, &file))).collect())
}

/// Evaluates traces on all cores, and hands over the results in the order of the traces, as soon as each is known. A worker keeps the
/// plan of its last trace, because traces often have the same columns.
fn in_order(
    traces: &[PathBuf],
    evaluated: impl Fn(&Path, &mut Option<Arc<Plan>>) -> Result<File, Error> + Sync,
    mut take: impl FnMut(&Path, Result<File, Error>) -> Result<(), Error>,
) -> Result<(), Error> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(traces.len());
    if workers < 2 {
        let mut plan = None;
        return traces.iter().try_for_each(|path| take(path, evaluated(path, &mut plan)));
    }
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = sync_channel(2 * workers);
    thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, stopped, evaluated) = (sender.clone(), &next, &stopped, &evaluated);
            scope.spawn(move || {
                let mut plan = None;
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = traces.get(at).filter(|_| !stopped.load(Ordering::Relaxed)) else {
                        break;
                    };
                    if sender.send((at, evaluated(path, &mut plan))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        let mut outcome = Ok(());
        for (at, result) in results {
            waiting.insert(at, result);
            while let Some(result) = waiting.remove(&due) {
                if outcome.is_ok() {
                    outcome = take(&traces[due], result);
                }
                due += 1;
            }
            if outcome.is_err() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        outcome
    })
}

/// Writes the verdicts on each trace as soon as they are known.
struct Writer {
    format: EvalFormat,
    /// How single verdicts are written.
    output: Output,
    list: List,
    summary: show::Summary,
    /// Whether all requirements of a project are checked.
    is_project: bool,
    traces: usize,
    outcome: Outcome,
    /// What is written at the end, for formats that are one document.
    report: report::Report,
    page: page::Page,
}

impl Writer {
    fn new(format: EvalFormat, is_project: bool, traces: usize) -> Writer {
        let output = match format {
            EvalFormat::Human | EvalFormat::Sarif | EvalFormat::Junit | EvalFormat::Html => Output::Human,
            EvalFormat::Json => Output::Json,
            EvalFormat::JsonLines => Output::JsonLines,
        };
        let (list, outcome) = (List::new(output, "sentences"), Outcome::Fine);
        let (summary, report) = (show::Summary::default(), report::Report::default());
        let page = page::Page::default();
        Writer { format, output, list, summary, is_project, traces, outcome, report, page }
    }

    fn write(&mut self, file: &File) -> Result<(), Error> {
        let mut out = Vec::new();
        let for_people = self.format == EvalFormat::Human;
        if for_people {
            out.extend(file.heading(self.traces > 1).into_bytes());
        }
        for (reading, evaluation) in file.plan.readings.iter().zip(&file.evaluations) {
            self.summary.add(evaluation);
            self.outcome = self.outcome.max(evaluation.outcome());
            if for_people && !reading.diagnostics().is_empty() {
                print_bytes(&out)?;
                out.clear();
                tell(reading.complaints());
            }
            match self.format {
                EvalFormat::Sarif | EvalFormat::Junit => self.report.add(reading, evaluation, file),
                EvalFormat::Html => self.page.add(reading, evaluation, file),
                EvalFormat::Human | EvalFormat::Json | EvalFormat::JsonLines => {
                    let text = self.output.entry(
                        || show::human(reading, evaluation),
                        || show::document(reading, evaluation, file),
                    );
                    self.list.add(&mut out, &text);
                }
            }
        }
        print_bytes(&out)
    }

    fn end(self) -> Result<Outcome, Error> {
        match self.format {
            EvalFormat::Human if self.is_project => print(self.summary.text(self.traces))?,
            EvalFormat::Human => {}
            EvalFormat::Json | EvalFormat::JsonLines => self.list.end()?,
            EvalFormat::Sarif => print(format_args!("{:#}\n", self.report.sarif()))?,
            EvalFormat::Junit => print(self.report.junit())?,
            EvalFormat::Html => print(self.page.html(&self.summary.text(self.traces)))?,
        }
        Ok(self.outcome)
    }
}

/// What is asked about each trace.
struct Request<'r> {
    command: &'r Eval,
    context: Context,
    sources: &'r Sources,
    asked: &'r [Asked],
    steps: Steps,
    map: Map,
    progress: Progress,
}

impl<'r> Request<'r> {
    fn new(
        command: &'r Eval,
        sources: &'r Sources,
        asked: &'r [Asked],
        traces: usize,
    ) -> Result<Request<'r>, Error> {
        let mut context = command.known.context()?;
        // Durations of sentences that are measured on the times are exact to the microsecond; the project knows the length of its steps.
        let are_sentences = asked.iter().all(|asked| matches!(asked, Asked::Text(_)));
        if command.time == Time::Real && context.step.is_none() && are_sentences {
            context.step = Step::parse("1 us").ok();
        }
        let config = sources.config();
        let length = context.step.clone().or_else(|| config.and_then(|config| config.step.clone()));
        // Several traces are read at the same time.
        let cores = if traces == 1 { thread::available_parallelism().map_or(1, NonZero::get) } else { 1 };
        let duration = |text: &String| {
            let hint = "write a positive number and a unit, such as `2 s`";
            Step::parse(text)
                .map_err(|_| Error::Usage(format!("--max-age: `{text}` is not a duration: {hint}")))
        };
        let max_age = command.max_age.as_ref().map(duration).transpose()?;
        let steps = Steps { time: command.time, length, max_age, cores };
        // What the command line says about a variable comes first.
        let kept = config.iter().flat_map(|config| &config.columns);
        let kept = kept.filter(|(variable, _)| command.map.iter().all(|(known, _)| known != *variable));
        let map =
            Map { given: command.map.clone(), kept: kept.map(|(a, b)| (a.clone(), b.clone())).collect() };
        Ok(Request { command, context, sources, asked, steps, map, progress: Progress::new(traces) })
    }

    fn plan(&self, columns: Columns) -> Result<Arc<Plan>, Error> {
        Plan::new(self.command, &self.context, self.sources, self.asked, &self.steps, columns).map(Arc::new)
    }

    /// The result for a file that cannot be read: nothing is checked.
    fn unread(&self, path: &Path, reason: &str) -> Result<File, Error> {
        let plan = self.plan(Columns::default())?;
        let open = || Evaluation::unchecked(Unchecked::Flawed(reason.to_owned()), Vec::new());
        let evaluations = plan.readings.iter().map(|_| open()).collect();
        let steps = self.steps.words(None);
        Ok(File { path: path.to_path_buf(), steps: 0, of: steps, clock: None, evaluations, plan })
    }
}

/// A trace and what became of each requirement on it.
struct File {
    path: PathBuf,
    steps: u64,
    /// What a step is.
    of: String,
    clock: Option<(String, record::Clock)>,
    evaluations: Vec<Evaluation>,
    plan: Arc<Plan>,
}

/// What became of a requirement on a trace.
struct Evaluation {
    /// Whether it holds, if that is known.
    holds: Result<bool, Unchecked>,
    is_vacuous: Option<bool>,
    /// The number of steps that violate it.
    count: u64,
    violations: Vec<Violation>,
    /// The number of violations that are not listed.
    more: u64,
    reason: Option<String>,
    /// What was not checked, and why, if it is violated in spite of that.
    open: Option<String>,
    judged: Option<Judged>,
    notes: Vec<String>,
}

impl Evaluation {
    fn unchecked(why: Unchecked, notes: Vec<String>) -> Evaluation {
        Evaluation {
            holds: Err(why),
            is_vacuous: None,
            count: 0,
            violations: Vec::new(),
            more: 0,
            reason: None,
            open: None,
            judged: None,
            notes,
        }
    }

    fn outcome(&self) -> Outcome {
        match &self.holds {
            Ok(true) | Err(Unchecked::Note) => Outcome::Fine,
            Ok(false) => Outcome::Findings,
            Err(Unchecked::NotRecorded(..) | Unchecked::Flawed(_)) => Outcome::Inconclusive,
            Err(Unchecked::Failed(_)) => Outcome::Failure,
        }
    }
}

impl File {
    /// Evaluates a trace. The last row of a file that is still being written may be there in part, and is then left out.
    fn read(request: &Request, source: &Source, known: &mut Option<Arc<Plan>>) -> Result<File, Error> {
        let file = File::evaluated(request, source, known);
        match source.whole_rows()? {
            Some(rows) => File::evaluated(request, &rows, known),
            None => file,
        }
    }

    fn evaluated(request: &Request, source: &Source, known: &mut Option<Arc<Plan>>) -> Result<File, Error> {
        let path = source.path();
        if source.is_json()? {
            return File::in_memory(request, &path);
        }
        let reader = request.steps.open(source)?;
        let (signals, time) = (reader.signals(), reader.time());
        if let Some((name, why)) =
            signals.iter().find_map(|it| Some((&it.name, crate::trace_file::reserved(&it.name)?)))
        {
            return Err(Error::input(source.name(), format_args!("column `{name}`: {why}")));
        }
        let time = time.map(|time| signals[time.column].name.clone());
        let signals = signals.iter().map(|signal| (signal.name.clone(), signal.sort));
        let columns = Columns::new(signals, &request.map)?;
        let plan = match known.take() {
            Some(plan) if plan.given == columns => plan,
            _ => request.plan(columns)?,
        };
        *known = Some(plan.clone());
        drop(reader);
        let told = |steps: u64| request.progress.steps(&path, steps);
        let pass = recorded::decide(source, &request.steps, &plan, &told)?;
        if pass.steps == 0 {
            let reason = pass.broken.map_or("the file has a header but no rows".into(), |it| it.to_string());
            return Err(Error::input(source.name(), reason));
        }
        let mut evaluations = Vec::new();
        let violations = explained::explain(source, &request.steps, &plan, &pass)?;
        for (at, violations) in violations.into_iter().enumerate() {
            let trace = whole_trace(request, source, &plan, &pass, at)?;
            evaluations.push(evaluation(request, &plan, &pass, at, violations, trace.as_ref())?);
        }
        let clock = pass.clock.zip(time).map(|(clock, time)| (time, clock));
        let of = request.steps.words(pass.unit);
        Ok(File { path, steps: pass.steps, of, clock, evaluations, plan })
    }

    /// A trace in JSON, which is in memory as a whole.
    fn in_memory(request: &Request, path: &Path) -> Result<File, Error> {
        if matches!(request.command.time, Time::Hold | Time::Nearest | Time::Real) {
            let reason = "a trace in JSON has no column of time; one object is one step";
            return Err(Error::file(path, reason));
        }
        let file = TraceFile::read(path)?;
        let columns = Columns::new(file.signals(), &request.map)?;
        let plan = request.plan(columns)?;
        let mut used = UsedColumns::of(&file);
        let mut evaluations = Vec::new();
        for (at, reading) in plan.readings.iter().enumerate() {
            let need = match &plan.needs[at] {
                Ok(need) => need,
                Err(why) => {
                    evaluations.push(Evaluation::unchecked(why.clone(), Vec::new()));
                    continue;
                }
            };
            let Some(requirement) = &reading.lowered.requirement else { continue };
            let sorts = names::columns(&plan.store, requirement, &reading.lowered.sorts.names);
            let names =
                sorts.keys().filter_map(|name| Some((name.clone(), file.enumeration(name)?.to_vec())));
            let mut notes = need.notes.clone();
            notes.extend(names::unknown_values(&plan.store, requirement, &names.collect()));
            evaluations.push(match used.trace(&sorts) {
                Ok(trace) => whole(request, &plan, at, trace, notes)?,
                Err(error) => Evaluation::unchecked(Unchecked::Flawed(error.to_string()), notes),
            });
        }
        let (path, steps) = (path.to_path_buf(), file.rows() as u64);
        Ok(File { path, steps, of: request.steps.words(None), clock: None, evaluations, plan })
    }
}

/// The whole trace with the columns of a requirement, if its meanings are evaluated on it.
fn whole_trace(
    request: &Request,
    source: &Source,
    plan: &Plan,
    pass: &Pass,
    at: usize,
) -> Result<Option<Trace>, Error> {
    let Ok(need) = &plan.needs[at] else { return Ok(None) };
    let is_asked = request.command.meaning.is_some() || pass.steps <= SHORT || need.watch.is_none();
    // The other meanings count steps.
    if !is_asked || pass.broken.is_some() || need.timed.is_some() {
        return Ok(None);
    }
    let wanted = Wanted { need, steps: 0..=pass.steps - 1 };
    let slices = recorded::slices(source, &request.steps, &plan.columns, pass, &[wanted])?;
    Ok(slices.into_iter().next().and_then(|slice| slice.trace))
}

/// What became of a requirement that was decided in one pass, or that needs the whole trace.
fn evaluation(
    request: &Request,
    plan: &Plan,
    pass: &Pass,
    at: usize,
    violations: Vec<Violation>,
    trace: Option<&Trace>,
) -> Result<Evaluation, Error> {
    let need = match &plan.needs[at] {
        Ok(need) => need,
        Err(why) => return Ok(Evaluation::unchecked(why.clone(), Vec::new())),
    };
    let reading = &plan.readings[at];
    let Some(requirement) = &reading.lowered.requirement else {
        return Ok(Evaluation::unchecked(Unchecked::Note, Vec::new()));
    };
    let mut notes = need.notes.clone();
    notes.extend(names::unknown_values(&plan.store, requirement, &pass.names));
    if let Some(reason) = &pass.disorder {
        return Ok(Evaluation::unchecked(Unchecked::Flawed(reason.clone()), notes));
    }
    let (found, open) = match pass.found.get(&at) {
        Some(Ok(Found { findings, open })) => (findings, open.clone()),
        Some(Err(why)) => return Ok(Evaluation::unchecked(why.clone(), notes)),
        None => {
            return match (trace, &pass.broken) {
                (Some(trace), _) => whole(request, plan, at, trace, notes),
                (None, broken) => {
                    let flaw = || "a cell has no value, and the requirement looks ahead".into();
                    let reason = broken.as_ref().map_or_else(flaw, ToString::to_string);
                    Ok(Evaluation::unchecked(Unchecked::Flawed(reason), notes))
                }
            };
        }
    };
    let holds = found.count == 0;
    let mut judged = None;
    if let Some(trace) = trace {
        let meaning = request.command.meaning.unwrap_or(Meaning::All);
        let said = match Judged::new(&mut plan.store.clone(), requirement, trace, meaning) {
            Ok(said) => said,
            Err(Error::Internal(what)) => return Err(Error::Internal(what)),
            Err(error) => return Ok(Evaluation::unchecked(Unchecked::Failed(error.to_string()), notes)),
        };
        let first = said.verdict.as_ref().and_then(|verdict| verdict.violation).map(|it| it.step as u64);
        let own_first = found.runs.first().map(|run| run.first);
        if said.holds != holds || (said.verdict.is_some() && first != own_first) {
            return Err(Error::Internal(format!(
                "the engine and the definitions disagree (step {own_first:?} and step {first:?}) on `{}`",
                reading.title()
            )));
        }
        judged = Some(said);
    }
    let in_words = judged.as_ref().and_then(|it| it.verdict.as_ref());
    let in_words = in_words.map(|verdict| reason(requirement, &reading.fields, verdict));
    let summed_up = || match (holds, found.triggered, found.in_scope) {
        (false, _, _) => violations.first().map(|it| it.reason.clone()),
        (true, true, _) => Some("triggered, and never violated.".to_owned()),
        (true, false, true) => Some("nothing triggers it, so nothing is required.".to_owned()),
        (true, false, false) => Some("the scope has no interval, so nothing is required.".to_owned()),
    };
    Ok(Evaluation {
        holds: Ok(holds),
        is_vacuous: Some(holds && !found.triggered),
        count: found.count,
        reason: in_words.or_else(summed_up),
        more: found.run_count - violations.len() as u64,
        violations,
        open,
        judged,
        notes,
    })
}

/// What became of a requirement on a whole trace in memory.
fn whole(
    request: &Request,
    plan: &Plan,
    at: usize,
    trace: &Trace,
    notes: Vec<String>,
) -> Result<Evaluation, Error> {
    let reading = &plan.readings[at];
    let Some(requirement) = &reading.lowered.requirement else {
        return Ok(Evaluation::unchecked(Unchecked::Note, notes));
    };
    let meaning = request.command.meaning.unwrap_or(Meaning::All);
    let judged = match Judged::new(&mut plan.store.clone(), requirement, trace, meaning) {
        Ok(judged) => judged,
        Err(Error::Internal(what)) => return Err(Error::Internal(what)),
        Err(error) => return Ok(Evaluation::unchecked(Unchecked::Failed(error.to_string()), notes)),
    };
    let in_words = |verdict: &Verdict| reason(requirement, &reading.fields, verdict);
    let mut violations = Vec::new();
    if let Some(verdict) = judged.verdict.as_ref().filter(|verdict| !verdict.holds()) {
        let mut unmet = oracle::violations(&plan.store, requirement, trace).unwrap_or_default();
        unmet.sort_by_key(|decision| (decision.step, decision.trigger));
        unmet.dedup_by_key(|decision| decision.step);
        violations.extend(unmet.into_iter().enumerate().map(|(number, decision)| {
            Violation {
                step: decision.step as u64,
                steps: 1,
                time: None,
                trigger: Some(decision.trigger as u64),
                reason: in_words(&Verdict { violation: Some(decision), ..verdict.clone() }),
                rechecked: true,
                around: Vec::new(),
                drawn: (number < explained::MAX_RECHECKED)
                    .then(|| explained::drawn(trace, 0, decision.step as u64))
                    .flatten(),
            }
        }));
    }
    Ok(Evaluation {
        holds: Ok(judged.holds),
        is_vacuous: judged.verdict.as_ref().map(Verdict::vacuous),
        count: violations.len() as u64,
        reason: judged.verdict.as_ref().map(in_words),
        more: 0,
        violations,
        open: None,
        judged: Some(judged),
        notes,
    })
}
