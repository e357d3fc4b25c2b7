//! `shall dfrs replay`: are test vectors runs of the model?

use super::{Loaded, file};
use crate::cli::Output;
use crate::cli::dfrs::Replay;
use crate::{Outcome, json, print, render, tell};
use dfrs::replay::{CaseReport, Verdict, replay};
use dfrs::vectors::read_vectors;
use dfrs::{Dfrs, english};
use serde_json::{Value as Json, json};

pub(super) fn run(command: &Replay, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let text = file(&command.vectors)?;
    let name = command.vectors.display();
    let vectors = read_vectors(system, &text)
        .map_err(|problem| format!("{name}:{}:{}: {}", problem.line, problem.column, problem.message))?;
    for note in &vectors.notes {
        tell(format_args!(
            "warning: {name}:{}:{}: {}",
            note.line,
            note.column,
            render::visible(&note.message)
        ));
    }
    let reports = replay(system, command.meaning.semantics(), &vectors);
    match output {
        Output::Human => print(render::lines(&human(system, &reports)))?,
        Output::Json | Output::JsonLines => json::write(&[document(system, &reports)], output, false)?,
    }
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
        "{} cases, {rows} rows: {sure} are the only run, {possible} are possible, {wrong} are wrong\n",
        reports.len()
    ));
    out
}

fn document(system: &Dfrs, reports: &[CaseReport]) -> Json {
    let rejected: Vec<Json> = reports
        .iter()
        .filter_map(|report| match &report.verdict {
            Verdict::Wrong(wrong) => Some(json!({
                "case": report.name,
                "row": wrong.line,
                "time": english::number(&wrong.time),
                "reason": wrong.words(system),
            })),
            Verdict::Deterministic | Verdict::Possible { .. } => None,
        })
        .collect();
    let sure = reports.iter().filter(|report| report.verdict == Verdict::Deterministic).count();
    json!({
        "cases": reports.len(),
        "rows": reports.iter().map(|report| report.rows).sum::<usize>(),
        "compatible": reports.len() - rejected.len(),
        "deterministic": sure,
        "rejected": rejected,
    })
}
