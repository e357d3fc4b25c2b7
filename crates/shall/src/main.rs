//! The `shall` command: the only place that reads files, writes output and ends with an exit code.
//!
//! Each command is a function from its arguments to an [`Outcome`]; results go to stdout, everything else to stderr.

mod cli;
mod commands;
mod input;
mod json;
mod render;
mod trace_file;

use clap::Parser as _;
use std::fmt::Display;
use std::process::ExitCode;

/// How a command ended; the exit codes are part of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// 0: nothing to complain about.
    Fine,
    /// 1: findings: a sentence with errors, a requirement that is violated.
    Findings,
    /// 2: wrong use, unreadable input, or a failure of the tool itself.
    Failure,
}

fn main() -> ExitCode {
    let arguments = cli::Cli::parse();
    let outcome = match &arguments.command {
        cli::Command::Formalize(command) => commands::formalize::run(command, arguments.output),
        cli::Command::Explain(command) => commands::explain::run(command, arguments.output),
        cli::Command::Eval(command) => commands::eval::run(command, arguments.output),
        cli::Command::Vectors(command) => commands::vectors::run(command, arguments.output),
    };
    let outcome = outcome.unwrap_or_else(|failure| {
        anstream::eprintln!("error: {failure}");
        Outcome::Failure
    });
    ExitCode::from(match outcome {
        Outcome::Fine => 0,
        Outcome::Findings => 1,
        Outcome::Failure => 2,
    })
}

/// Writes a result; a reader that has gone away ends the program quietly, as it should in a pipe.
fn print(text: impl Display) {
    use std::io::Write as _;
    if write!(anstream::stdout(), "{text}").is_err() {
        std::process::exit(0);
    }
}
