//! `shall dfrs test`: test cases that cover the requirements and kill their mutants.

use super::{Loaded, fired, named};
use crate::cli::Output;
use crate::cli::dfrs::Test;
use crate::{Outcome, json, print, render};
use dfrs::explore::Environment;
use dfrs::suite::{Fate, Obligation, Options, Status, Suite, csv, generate};
use dfrs::{Dfrs, english};
use serde_json::{Value as Json, json};

/// A kind of obligations: its name in output, and which they are.
type Kind = (&'static str, fn(&Obligation) -> bool);

const KINDS: [Kind; 4] = [
    ("requirements", |it| matches!(it, Obligation::Fires { .. })),
    ("conditions", |it| matches!(it, Obligation::Decides { .. })),
    ("boundaries", |it| matches!(it, Obligation::Bound { .. })),
    ("pairs", |it| matches!(it, Obligation::Pair { .. })),
];

pub(super) fn run(command: &Test, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let options = Options {
        reading: command.meaning.semantics().reading,
        environment: if command.one_input { Environment::OneAtATime } else { Environment::Free },
        pairs: !command.no_pairs,
        mutants: !command.no_mutants,
        ..Options::default()
    };
    if command.meaning.dense {
        return Err("tests are made in discrete time".into());
    }
    let suite = generate(system, options).map_err(|infinite| infinite.reason(system))?;
    if let Some(file) = &command.file {
        let text = match file.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => csv(system, &suite.cases),
            Some("c") => ::export::harness::c(system, &suite),
            _ => return Err(format!("{}: the name must end in .csv or .c", file.display())),
        };
        std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    match output {
        Output::Human => {
            let vectors = if command.file.is_none() { csv(system, &suite.cases) } else { String::new() };
            print(render::lines(&format!("{vectors}{}", human(system, &suite))))?;
        }
        Output::Json | Output::JsonLines => json::write(&[document(system, &suite)], output, false)?,
    }
    let open = suite.obligations.iter().any(|(_, status)| *status == Status::Unknown)
        || suite.mutants.iter().any(|(_, fate)| *fate == Fate::Unknown);
    Ok(if open { Outcome::Inconclusive } else { Outcome::Fine })
}

fn human(system: &Dfrs, suite: &Suite) -> String {
    let mut out = String::new();
    for (name, kind) in KINDS {
        let tally = suite.tally(kind);
        out.push_str(&format!("# {name}: {} covered, {} out of reach", tally.covered, tally.unreachable));
        if tally.ambiguous > 0 {
            out.push_str(&format!(", {} only where the system may go several ways", tally.ambiguous));
        }
        if tally.unknown > 0 {
            out.push_str(&format!(", {} unknown", tally.unknown));
        }
        out.push('\n');
    }
    let score = suite.score();
    if !suite.mutants.is_empty() {
        out.push_str(&format!(
            "# mutants: {} killed, {} equivalent, {} unknown\n",
            score.killed, score.equivalent, score.unknown
        ));
    }
    let requirements = system.requirements.len().max(1);
    out.push_str(&format!(
        "# {} cases, {} vectors, {:.1} for each requirement\n",
        suite.cases.len(),
        suite.vectors(),
        suite.vectors() as f64 / requirements as f64
    ));
    out
}

fn document(system: &Dfrs, suite: &Suite) -> Json {
    let cases: Vec<Json> = suite
        .cases
        .iter()
        .map(|case| {
            let rows: Vec<Json> = case
                .rows
                .iter()
                .map(|row| {
                    json!({
                        "time": english::number(&row.time),
                        "inputs": named(system, row.inputs.iter().map(|(variable, value)| (*variable, value))),
                        "fired": fired(system, &row.fired),
                        "outputs": named(system, row.outputs.iter().map(|(variable, value)| (*variable, value))),
                    })
                })
                .collect();
            json!({ "case": case.name, "rows": rows })
        })
        .collect();
    let mut coverage = json!({});
    for (name, kind) in KINDS {
        let tally = suite.tally(kind);
        coverage[name] = json!({
            "covered": tally.covered,
            "unreachable": tally.unreachable,
            "ambiguous": tally.ambiguous,
            "unknown": tally.unknown,
        });
    }
    let score = suite.score();
    json!({
        "cases": cases,
        "vectors": suite.vectors(),
        "coverage": coverage,
        "mutants": { "killed": score.killed, "equivalent": score.equivalent, "unknown": score.unknown },
        "complete": suite.stopped.is_none(),
    })
}
