//! Verdicts on the challenge problems: every requirement of every attached contract, within a time limit, beside those of Kind 2
//! and Simulink Design Verifier, as a Markdown table.
//!
//! An invalid requirement has a run that was replayed exactly, and again in doubles here; for the others, a violation is
//! searched in doubles.

use crate::challenge::{CONTRACTS, is_about};
use crate::failure::Result;
use crate::files;
use engine::{Answer, Certificate, Config, Proof, Verdict, falsify_in_doubles, verify};
use shall::solver::DRIVERS;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use system::{System, Value, Var, Variable, simulate};

/// The number of runs in doubles that are tried, and the time limit for them.
const DOUBLES: (usize, Duration) = (4000, Duration::from_secs(3));

/// Prints the table, and writes the evidence of each verdict into a folder; `only` is the start of a problem's name.
pub(crate) fn run(folder: &Path, seconds: u64, only: &str, evidence: Option<&Path>) -> Result {
    let table = files::text(&folder.join("lustre/lmcps/requirements.tsv"))?;
    let recorded: Vec<Vec<&str>> = files::rows(&table).collect();
    println!("| problem | requirement | scope | verdict | engine | k | seconds | doubles | Kind 2 | SLDV |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for contract in CONTRACTS.iter().filter(|it| it.problem.starts_with(only)) {
        let plan = contract.plan(folder)?;
        let attached = contract.attached(folder, &plan, false)?;
        for (place, property) in attached.system.properties.iter().enumerate() {
            let known =
                recorded.iter().find(|row| row[0] == contract.problem && is_about(&property.name, row[1]));
            let cell = |column: usize| known.and_then(|row| row.get(column)).filter(|it| !it.is_empty());
            let start = Instant::now();
            let left = || Duration::from_secs(seconds).saturating_sub(start.elapsed());
            let verdict = verify(&attached.system, &[place], &Config::new(&left, &DRIVERS[0])).remove(0);
            let spent = start.elapsed().as_secs_f64();
            if let Some(evidence) = evidence {
                let name = format!("{}_{}", contract.problem, cell(1).unwrap_or(&property.name.as_str()));
                write_evidence(evidence, &name, &attached.system, &verdict)?;
            }
            let (mut word, engine, k, doubles) = shown(&attached.system, place, &verdict);
            let used = attached.system.slice(&[place]);
            let is_free = |var: &&system::Var| attached.free.contains(&used.variables[var.index()].name);
            if let Some(var) = used.inputs.iter().find(is_free) {
                let _ = write!(word, " (`{}` is free)", used.variables[var.index()].name);
            }
            let kind2 = cell(5).map_or("–".to_owned(), |it| match cell(10) {
                Some(time) => format!("{it} ({time} s)"),
                None => (*it).to_owned(),
            });
            println!(
                "| {} | {} | {} | {word} | {engine} | {k} | {spent:.1} | {doubles} | {kind2} | {} |",
                contract.problem,
                cell(1).unwrap_or(&property.name.as_str()),
                attached.scope.replace('\n', " "),
                cell(6).unwrap_or(&"–")
            );
        }
        if !attached.free.is_empty() {
            eprintln!("{}: free in the contract: {}", contract.problem, attached.free.join(", "));
        }
    }
    Ok(())
}

/// Writes the proof of a valid property, with its invariant, or the inputs of a run that violates it.
fn write_evidence(folder: &Path, name: &str, system: &System, verdict: &Verdict) -> Result {
    let (extension, text) = match &verdict.answer {
        Answer::Unknown(_) => return Ok(()),
        Answer::Valid(Certificate { pool, invariant, proof, recurrence }) => {
            let system = System { pool: pool.clone(), ..system.clone() };
            let recurs = recurrence.as_ref().map_or_else(String::new, |it| format!("{:?}\n", it.measure));
            ("txt", format!("{proof:?}\ninvariant: {}\n{recurs}", system.show(*invariant)))
        }
        Answer::Invalid(found) => {
            let variables: Vec<_> =
                system.inputs.iter().map(|it| (it, &system.variables[it.index()])).collect();
            let names: Vec<&str> = variables.iter().map(|(_, it)| it.name.as_str()).collect();
            let mut text = names.join(",") + "\n";
            for step in &found.run.steps {
                let value =
                    |(var, it): &(&Var, &Variable)| system.pool.show_value(it.ty, &step.values[var.index()]);
                text += &(variables.iter().map(value).collect::<Vec<_>>().join(",") + "\n");
            }
            ("csv", text)
        }
    };
    files::write(&folder.join(format!("{name}.{extension}")), text)
}

/// The words of a row: verdict, engine, k, doubles.
fn shown(system: &System, property: usize, verdict: &Verdict) -> (String, String, String, String) {
    let looked = || {
        let start = Instant::now();
        let stop = || start.elapsed() > DOUBLES.1;
        match falsify_in_doubles(system, property, 1, DOUBLES.0, &stop) {
            Some(run) => format!("fails at step {}", run.steps.len()),
            None => "no failure found".to_owned(),
        }
    };
    let engine = verdict.engine.to_owned();
    match &verdict.answer {
        Answer::Valid(certificate) => {
            let k = match certificate.proof {
                Proof::Induction { k, .. } => k.to_string(),
                Proof::Ends { length } => format!("ends at {length}"),
                Proof::Explored => "all states".to_owned(),
            };
            let word = if verdict.vacuous { "valid, vacuous" } else { "valid" };
            (word.to_owned(), engine, k, looked())
        }
        Answer::Invalid(found) => {
            let inputs = |step: &system::Step| {
                system.inputs.iter().map(|it| step.values[it.index()].converted()).collect()
            };
            let rows: Vec<Vec<Value<f64>>> = found.run.steps.iter().map(inputs).collect();
            let first = found.run.steps.first();
            let free = system.state.iter().filter(|it| it.init.is_none());
            let start: Vec<_> = free
                .filter_map(|it| Some((it.var, first?.values.get(it.var.index())?.converted())))
                .collect();
            let run = simulate(system, &start, &rows);
            let fails = run.steps.iter().any(|step| step.properties[property] == Some(false));
            let doubles = if fails { "fails too" } else { "holds on this run" };
            ("invalid".to_owned(), engine, found.run.steps.len().to_string(), doubles.to_owned())
        }
        Answer::Unknown(why) => {
            (format!("unknown: {why}; {} steps", verdict.depth), "–".to_owned(), "–".to_owned(), looked())
        }
    }
}
