//! Runs the generated SQL in the engines that have Python packages: DuckDB and DataFusion, beside SQLite.

use crate::failure::{Failure, Result};
use std::process::{Command, Stdio};

pub(crate) fn run() -> Result {
    let missing = |error: std::io::Error| Failure::Program(format!("scripts/sql-engines: {error}"));
    let installed = Command::new("scripts/sql-engines").stderr(Stdio::inherit()).output().map_err(missing)?;
    if !installed.status.success() {
        return Err(Failure::Program("the engines could not be installed".into()));
    }
    let python = String::from_utf8_lossy(&installed.stdout).trim().to_owned();
    let tests = ["test", "-p", "shall-export", "--test", "monitors", "sql", "--", "--nocapture"];
    let status = Command::new("cargo").args(tests).env("SHALL_PYTHON", python).status().map_err(missing)?;
    if status.success() { Ok(()) } else { Err(Failure::Program("the verdicts of the engines differ".into())) }
}
