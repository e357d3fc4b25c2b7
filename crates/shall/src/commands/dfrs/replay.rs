//! `shall dfrs replay`: are test vectors runs of the model?

use super::Loaded;
use crate::cli::Output;
use crate::cli::dfrs::Replay;
use crate::files::read_text;
use crate::{Error, Outcome, render, tell};
use base::counted;
use dfrs::replay::{CaseReport, Verdict, replay};
use dfrs::vectors::read_vectors;
use dfrs::{Dfrs, english};
use schemars::JsonSchema;
use serde::Serialize;

pub(super) fn run(command: &Replay, output: Output) -> Result<Outcome, Error> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let text = read_text(&command.vectors)?;
    let name = command.vectors.display();
    let vectors = read_vectors(system, &text).map_err(|problem| {
        Error::input(format_args!("{name}:{}:{}", problem.line, problem.column), &problem.message)
    })?;
    for note in &vectors.notes {
        tell(format_args!(
            "warning: {name}:{}:{}: {}",
            note.line,
            note.column,
            render::visible(&note.message)
        ));
    }
    let reports = replay(system, command.meaning.semantics(), &vectors);
    output.show(|| render::lines(&human(system, &reports)), || document(system, &reports))?;
    let wrong = reports.iter().any(|report| matches!(report.verdict, Verdict::Wrong(_)));
    Ok(if wrong { Outcome::Findings } else { Outcome::Fine })
}

fn human(system: &Dfrs, reports: &[CaseReport]) -> String {
    let mut out = String::new();
    let (mut sure, mut possible) = (0, 0);
    for report in reports {
        match &report.verdict {
            Verdict::Deterministic => sure += 1,
            Verdict::Possible { line } => {
                possible += 1;
                out.push_str(&format!(
                    "{}: possible, but not the only run from line {line} on\n",
                    report.name
                ));
            }
            Verdict::Wrong(wrong) => {
                out.push_str(&format!(
                    "{}: wrong in line {}, {}\n",
                    report.name,
                    wrong.line,
                    wrong.words(system)
                ));
            }
        }
    }
    let rows: usize = reports.iter().map(|report| report.rows).sum();
    let wrong = reports.len() - sure - possible;
    out.push_str(&format!(
        "{}, {}: {sure} deterministic, {possible} possible, {wrong} wrong\n",
        counted(reports.len(), "case"),
        counted(rows, "row")
    ));
    out
}

/// Whether test vectors are runs of the model.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Replayed<'a> {
    /// The number of test cases.
    cases: usize,
    /// The number of rows.
    rows: usize,
    /// The number of test cases that are runs of the model.
    compatible: usize,
    /// The number of test cases that are the only run with their inputs.
    deterministic: usize,
    /// The test cases that are not runs of the model.
    rejected: Vec<Rejected<'a>>,
}

/// A test case that is not a run of the model.
#[derive(Serialize, JsonSchema)]
struct Rejected<'a> {
    /// Its name.
    case: &'a str,
    /// The line of the file.
    row: usize,
    /// The time.
    time: String,
    /// What is wrong there.
    reason: String,
}

fn document<'a>(system: &Dfrs, reports: &'a [CaseReport]) -> Replayed<'a> {
    let rejected = |report: &'a CaseReport| match &report.verdict {
        Verdict::Wrong(wrong) => Some(Rejected {
            case: &report.name,
            row: wrong.line,
            time: english::number(&wrong.time),
            reason: wrong.words(system),
        }),
        Verdict::Deterministic | Verdict::Possible { .. } => None,
    };
    let rejected: Vec<Rejected> = reports.iter().filter_map(rejected).collect();
    Replayed {
        cases: reports.len(),
        rows: reports.iter().map(|report| report.rows).sum(),
        compatible: reports.len() - rejected.len(),
        deterministic: reports.iter().filter(|it| it.verdict == Verdict::Deterministic).count(),
        rejected,
    }
}
