//! `shall eval --engine`: the requirements as one statement of SQL, run by DuckDB or Spark where the data is. Python starts the engine
//! (`engine.py`).

use super::explained::Violation;
use super::plan::{Columns, Plan, Unchecked};
use super::{Evaluation, File, Request, Writer};
use crate::Error;
use crate::cli::exchange::{Dialect, Sql, Which};
use crate::cli::{Engine, Eval};
use crate::commands::monitor::chosen;
use crate::render::visible;
use crate::tell;
use logic::Sort;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The program that starts an engine, and what is said to it.
const DRIVER: &str = include_str!("engine.py");
/// The table that the statement reads.
const TABLE: &str = "shall_trace";

/// Evaluates traces that an engine reads: paths, patterns or addresses.
pub(super) fn run(
    command: &Eval,
    engine: Engine,
    request: &Request,
    writer: &mut Writer,
) -> Result<(), Error> {
    if !command.formula.is_empty() {
        return Err(Error::usage("--engine is for requirements; a formula cannot be given with it"));
    }
    for trace in &command.trace {
        for file in evaluated(command, engine, request, trace)? {
            writer.write(&file)?;
        }
    }
    Ok(())
}

/// What an engine answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Columns { columns: Vec<String> },
    Verdicts { counts: Vec<(Option<String>, u64)>, verdicts: Vec<Row> },
    Missing { missing: String },
    Failed { error: String },
}

/// The run, the requirement, its verdict, the first violating step, the number of them, and whether it was triggered.
type Row = (Option<String>, String, String, Option<u64>, Option<u64>, bool);

/// What an engine is asked.
#[derive(Serialize)]
struct Question<'q> {
    /// Variables with the columns that they are read from.
    renamed: Vec<(&'q str, &'q str)>,
    /// The number of steps of each run.
    counts: String,
    sql: String,
}

/// The verdicts on each run of a trace.
fn evaluated(command: &Eval, engine: Engine, request: &Request, trace: &Path) -> Result<Vec<File>, Error> {
    let mut session = Session::start(engine, trace)?;
    let names = match session.answer()? {
        Answer::Columns { columns } => columns,
        other => return Err(session.unexpected(other)),
    };
    let signals = names.iter().map(|name| (name.clone(), Sort::Any));
    let plan = request.plan(Columns::new(signals, &request.map)?)?;
    let Some(mut chosen) = chosen(&which(command))? else {
        return Err(Error::Reported(crate::Outcome::Findings));
    };
    let ids = ids(&plan);
    let can_be_checked =
        |id: &str| ids.iter().position(|known| known == id).is_some_and(|at| plan.needs[at].is_ok());
    chosen.components.iter_mut().for_each(|it| it.items.retain(|item| can_be_checked(&item.id)));
    chosen.components.retain(|it| !it.items.is_empty());
    chosen.recorded(|name| plan.columns.number(name).is_some());
    let order = command.order.as_deref().unwrap_or("time");
    if !names.iter().any(|name| name == order) {
        let hint = "name the column that orders the steps with `--order`";
        return Err(Error::input(trace.display(), format_args!("there is no column `{order}`; {hint}")));
    }
    let is_empty = chosen.components.is_empty();
    let dialect = match engine {
        Engine::Duckdb => Dialect::Duckdb,
        Engine::Spark => Dialect::Spark,
    };
    let run = command.run.clone();
    let counts = match &run {
        None => format!("SELECT NULL, count(*) FROM {TABLE}"),
        Some(run) => {
            let run = crate::commands::export::engine(dialect).column(run);
            format!("SELECT {run}, count(*) FROM {TABLE} GROUP BY {run} ORDER BY {run}")
        }
    };
    let made = chosen.sql(&Sql { dialect, table: TABLE.into(), run, order: order.into() });
    for warning in &made.warnings {
        tell(format_args!("warning: `{}` {}", visible(&warning.id), visible(&warning.reason)));
    }
    let sql = if is_empty { String::new() } else { String::from_utf8_lossy(&made.bytes).into_owned() };
    let inputs = plan.needs.iter().flatten().flat_map(|need| &need.inputs);
    let mut renamed: Vec<(&str, &str)> = inputs
        .filter_map(|input| Some((input.name.as_str(), names[plan.columns.number(&input.name)?].as_str())))
        .filter(|(variable, column)| variable != column)
        .collect();
    renamed.sort_unstable();
    renamed.dedup();
    session.ask(&Question { renamed, counts, sql })?;
    let (counts, rows) = match session.answer()? {
        Answer::Verdicts { counts, verdicts } => (counts, verdicts),
        other => return Err(session.unexpected(other)),
    };
    let left_out: BTreeMap<&str, &str> =
        made.left_out.iter().map(|it| (it.id.as_str(), it.reason.as_str())).collect();
    let file = |(run, steps): (Option<String>, u64)| {
        let evaluation = |(id, need): (&String, &Result<super::plan::Need, Unchecked>)| {
            let found = rows.iter().find(|row| row.1 == *id && (row.0 == run || run.is_none()));
            match (need, left_out.get(id.as_str()), found) {
                (Err(why), ..) => Evaluation::unchecked(why.clone(), Vec::new()),
                (Ok(_), Some(reason), _) => {
                    Evaluation::unchecked(Unchecked::Flawed((*reason).to_owned()), Vec::new())
                }
                (Ok(need), None, Some(row)) => judged(row, engine, need.notes.clone()),
                (Ok(_), None, None) => {
                    let reason = format!("{} gives no verdict", engine.name());
                    Evaluation::unchecked(Unchecked::Flawed(reason), Vec::new())
                }
            }
        };
        let path = match &run {
            None => trace.to_path_buf(),
            Some(run) => PathBuf::from(format!("{}, run {run}", trace.display())),
        };
        let of = super::timing::ONE_FOR_EACH_ROW.to_owned();
        let evaluations = ids.iter().zip(&plan.needs).map(evaluation).collect();
        File { path, steps, of, clock: None, evaluations, plan: plan.clone() }
    };
    Ok(counts.into_iter().map(file).collect())
}

/// The requirements of the command, as monitors name them.
fn which(command: &Eval) -> Which {
    let project = command.around.project.iter().map(|path| path.display().to_string());
    let arguments = project.chain(command.sentences.iter().cloned()).collect();
    Which { arguments, component: None, step: command.known.step.clone() }
}

/// The ids of the requirements in the statement; sentences are called S-1, S-2 and so on.
fn ids(plan: &Plan) -> Vec<String> {
    let id = |(at, id): (usize, &Option<String>)| id.clone().unwrap_or_else(|| format!("S-{}", at + 1));
    plan.readings.iter().map(|reading| &reading.id).enumerate().map(id).collect()
}

/// The verdict of an engine.
fn judged(row: &Row, engine: Engine, notes: Vec<String>) -> Evaluation {
    let (_, _, verdict, first, count, triggered) = row;
    let count = count.unwrap_or(0);
    let by = engine.name();
    match (verdict.as_str(), first) {
        ("violated", Some(step)) => {
            let steps = base::counted(count as usize, "step");
            let reason = format!("first at step {step}; {steps} in all, according to {by}.");
            let violation = Violation {
                step: *step,
                steps: 1,
                time: None,
                trigger: None,
                reason: reason.clone(),
                rechecked: false,
                around: Vec::new(),
                drawn: None,
            };
            Evaluation {
                holds: Ok(false),
                is_vacuous: Some(false),
                count,
                violations: vec![violation],
                more: 0,
                reason: Some(reason),
                open: None,
                judged: None,
                notes,
            }
        }
        ("holds" | "vacuous", _) => Evaluation {
            holds: Ok(true),
            is_vacuous: Some(!triggered),
            count: 0,
            violations: Vec::new(),
            more: 0,
            reason: Some(format!("according to {by}.")),
            open: None,
            judged: None,
            notes,
        },
        _ => {
            let reason = "a value is missing, or a time is missing or occurs twice";
            Evaluation::unchecked(Unchecked::Flawed(reason.to_owned()), notes)
        }
    }
}

/// An engine that runs.
struct Session {
    engine: Engine,
    python: String,
    trace: String,
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Session {
    fn start(engine: Engine, trace: &Path) -> Result<Session, Error> {
        let python = std::env::var("SHALL_PYTHON").unwrap_or_else(|_| "python3".into());
        let trace = trace.display().to_string();
        let arguments = ["-c", DRIVER, engine.argument(), &trace];
        let mut command = Command::new(&python);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed =
            |error: &dyn std::fmt::Display| Error::Refused(format!("cannot run `{python}`: {error}"));
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        let answers = child.stdout.take().ok_or_else(|| failed(&"it has no output"))?;
        Ok(Session { engine, python, trace, child, answers: BufReader::new(answers) })
    }

    fn ask(&mut self, question: &Question) -> Result<(), Error> {
        let text = serde_json::to_string(question).map_err(Error::refused)?;
        let input = self.child.stdin.as_mut();
        let written = input.map(|input| writeln!(input, "{text}").and_then(|()| input.flush()));
        match written {
            Some(Ok(())) => Ok(()),
            _ => Err(Error::Refused(format!("{} has ended", self.engine.name()))),
        }
    }

    fn answer(&mut self) -> Result<Answer, Error> {
        let mut line = String::new();
        let name = self.engine.name();
        // Engines may write lines of their own.
        while self.answers.read_line(&mut line).map_err(|error| Error::Read(name.into(), error))? > 0 {
            if let Ok(answer) = serde_json::from_str(&line) {
                return Ok(answer);
            }
            line.clear();
        }
        Err(Error::Refused(format!("{name} has ended without an answer")))
    }

    fn unexpected(&self, answer: Answer) -> Error {
        let (name, python) = (self.engine.name(), &self.python);
        match answer {
            Answer::Missing { missing: package } => {
                let hint = format!(
                    "`pip install {}`, or name another Python with SHALL_PYTHON",
                    self.engine.package()
                );
                Error::Refused(format!(
                    "{name} is not installed: `{python}` has no package `{package}`; {hint}"
                ))
            }
            Answer::Failed { error } => Error::input(&self.trace, format_args!("{name}: {error}")),
            Answer::Columns { .. } | Answer::Verdicts { .. } => {
                Error::Internal(format!("{name} gave an answer to another question"))
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
