//! Development commands: `cargo xtask sizes`, `conformance DIR`, `verdicts DIR`, `prove`, `mutate`, `coq`, `counters BITS`, `logs`,
//! `docs`, `sql`, `tidy` and `vscode`.

mod challenge;
mod conformance;
mod coq;
mod counters;
mod definition;
mod docs;
mod failure;
mod files;
mod logs;
mod mutate;
mod parallel;
mod prove;
mod random;
mod simulink_verdicts;
mod sizes;
mod sql;
mod tidy;
mod timelines;
mod vscode;

use failure::{Failure, Result};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  sizes             print the number of nodes in the formulas of each template, and check the limits
  conformance DIR [PART]
                    check sentences and verdicts against the public data in DIR, and all meanings on
                    all traces up to length 4; or only one part: `exchange` (files of FRET), `lustre`,
                    `simulink`, `model-information`, `replay` (counterexamples on Simulink models), `mutants` (of
                    Simulink models), `realizability` (of Lustre contracts and FRET projects), `suites` (tests from requirements), or `verdicts` (our verdicts compared with those recorded for
                    Kind 2; `verdicts --slow` for all of them, with the time limits of the recorded runs)
  verdicts DIR [--seconds N] [--evidence FOLDER] [PROBLEM]
                    decide the requirements of the challenge problems in DIR with z3, N seconds each
                    (default: 120), and print a table; save each certificate and each trace in FOLDER
  prove [N]         prove that all meanings of all templates are equal for traces of every length and for
                    infinite traces, with durations 0 to N (default: 6)
  mutate            change the formulas in one place each, and decide whether each change matters
  coq [--sample | --mutate]
                    prove that all formulas of all templates are right for every duration, checked by Coq
                    (installed if it is missing); with `--sample`, only some of those of predicates; with `--mutate`,
                    change 200 of them and show that the proofs fail
  counters BITS     draw binary counters of up to BITS bits, and print how their sizes grow
  logs [PYTHON]     measure `shall eval` (a release build) on a log of ten million rows beside md5sum, R2U2 (if it is in target/r2u2) and, if
                    PYTHON has them, Polars, DuckDB, Spark and the package `shall`, and check the limits of docs/logs.md
  docs [--check]    write the generated parts of the documents; with `--check`, fail if one is not up to date
  sql [PACKAGE...]  run the generated SQL in SQLite and DuckDB, and in other engines (datafusion, pyspark), and compare all verdicts
  tidy              check the project's own rules
  vscode [-o FILE]  bundle the extension for VS Code and package it as target/shall.vsix
  vscode --test     test its grammars";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["sizes"] => sizes::run(),
        ["conformance", folder] => conformance::run(folder.as_ref()),
        ["conformance", folder, "exchange"] => conformance::exchange::check(folder.as_ref()),
        ["conformance", folder, "lustre"] => conformance::lustre::check(folder.as_ref()),
        ["conformance", folder, "simulink"] => conformance::simulink::check(folder.as_ref()),
        ["conformance", folder, "mutants"] => conformance::mutants::check(folder.as_ref()),
        ["conformance", folder, "replay"] => conformance::simulink_replay::check(folder.as_ref()),
        ["conformance", folder, "model-information"] => {
            conformance::model_information::check(folder.as_ref())
        }
        ["conformance", folder, "suites"] => conformance::suites::check(folder.as_ref()),
        ["conformance", folder, "realizability"] => conformance::realizability::check(folder.as_ref(), true),
        ["conformance", folder, "verdicts"] => conformance::verdicts::check(folder.as_ref(), false),
        ["conformance", folder, "verdicts", "--slow"] => conformance::verdicts::check(folder.as_ref(), true),
        ["verdicts", folder, ref options @ ..] => verdicts(folder.as_ref(), options),
        ["coq"] => coq::run(false),
        ["coq", "--sample"] => coq::run(true),
        ["coq", "--mutate"] => coq::mutate(),
        ["mutate"] => mutate::run(),
        ["prove"] => prove::run(6),
        ["prove", longest] => number(longest).and_then(prove::run),
        ["counters", bits] => number(bits).and_then(|bits| timelines::counters(None, bits)),
        ["logs"] => logs::run(None),
        ["logs", python] => logs::run(Some(python)),
        ["docs"] => docs::run(false),
        ["docs", "--check"] => docs::run(true),
        ["sql", ref packages @ ..] => sql::run(packages),
        ["tidy"] => tidy::run(),
        ["vscode"] => return vscode::pack(None),
        ["vscode", "-o", file] => return vscode::pack(Some(file.as_ref())),
        ["vscode", "--test"] => return vscode::test(),
        _ => Err(Failure::Usage),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// `--seconds N`, `--evidence FOLDER` and the start of a problem's name, in any order.
fn number<T: std::str::FromStr>(text: &str) -> Result<T> {
    text.parse().map_err(|_| Failure::Usage)
}

fn verdicts(folder: &std::path::Path, options: &[&str]) -> Result {
    let (mut seconds, mut evidence, mut only, mut rest) = (120, None, "", options.iter());
    while let Some(option) = rest.next() {
        match *option {
            "--seconds" => seconds = number(rest.next().ok_or(Failure::Usage)?)?,
            "--evidence" => evidence = Some(rest.next().ok_or(Failure::Usage)?.as_ref()),
            problem => only = problem,
        }
    }
    simulink_verdicts::run(folder, seconds, only, evidence)
}
