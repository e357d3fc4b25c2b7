//! Runs the generated SQL in the engines that have Python packages: SQLite, DuckDB, and those that are named.

use crate::failure::{Failure, Result};
use std::process::{Command, Stdio};

pub(crate) fn run(packages: &[&str]) -> Result {
    let missing = |error: std::io::Error| Failure::Program(format!("scripts/sql-engines: {error}"));
    let installed = Command::new("scripts/sql-engines")
        .args(packages)
        .stderr(Stdio::inherit())
        .output()
        .map_err(missing)?;
    if !installed.status.success() {
        return Err(Failure::Program("an engine could not be installed".into()));
    }
    let python = String::from_utf8_lossy(&installed.stdout).trim().to_owned();
    let tests = ["test", "-p", "shall-export", "--test", "monitors", "sql", "--", "--nocapture"];
    let mut command = Command::new("cargo");
    // What was asked for is run, or the command fails.
    command.args(tests).env("SHALL_PYTHON", python).env("SHALL_SQL_ENGINES", packages.join(" "));
    let status = command.status().map_err(missing)?;
    if status.success() { Ok(()) } else { Err(Failure::Program("the verdicts of the engines differ".into())) }
}
