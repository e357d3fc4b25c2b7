//! The `shall` command: the only place that reads files, writes output and ends with an exit code.
//!
//! Each command is a function from its arguments to an [`Outcome`]; results go to stdout, everything else to stderr.

mod cli;
mod commands;
mod input;
mod json;
mod lsp;
mod render;
mod solver;
mod trace_file;
mod workspace;

use clap::Parser as _;
use std::fmt::Display;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

/// How a command ended; the exit codes are part of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// 0: nothing to complain about.
    Fine,
    /// 1: findings: a sentence with errors, a requirement that is violated.
    Findings,
    /// 3: a limit was reached before the question was decided.
    Inconclusive,
    /// 2: wrong use, unreadable input, or a failure of the tool itself.
    Failure,
}

fn main() -> ExitCode {
    let arguments = cli::Cli::parse();
    let outcome = arguments.output.plain(&arguments.command).and_then(|output| match &arguments.command {
        cli::Command::Formalize(command) => commands::formalize::run(command, output),
        cli::Command::Explain(command) => commands::explain::run(command, output),
        cli::Command::Eval(command) => commands::eval::run(command, output),
        cli::Command::Compare(command) => commands::compare::run(command, output),
        cli::Command::Lint(command) => commands::lint::run(command, output),
        cli::Command::Dfrs(command) => commands::dfrs::run(command, output),
        cli::Command::Timeline(command) => commands::timeline::run(command, output),
        cli::Command::Vectors(command) => commands::vectors::run(command, output),
        cli::Command::Check(command) => commands::check::run(command, arguments.output),
        cli::Command::Rule(command) => commands::rule::run(command, output),
        cli::Command::Schema => commands::schema::run(),
        cli::Command::Import(command) => commands::import::run(command, output),
        cli::Command::Export(command) => commands::export::run(command, output),
        cli::Command::Report(command) => commands::report::run(command, output),
        cli::Command::Init(command) => commands::init::run(command, output),
        cli::Command::Fmt(command) => commands::fmt::run(command, output),
        cli::Command::Rename(command) => commands::rename::run(command, output),
        cli::Command::Diff(command) => commands::diff::run(command, output),
        cli::Command::Verify(command) => commands::verify::run(command, output),
        cli::Command::Simulate(command) => commands::simulate::run(command, output),
        cli::Command::Model(command) => commands::model::run(command, arguments.output),
        cli::Command::Lsp(_) => commands::lsp::run(),
    });
    let outcome = outcome.unwrap_or_else(|failure| {
        tell(format_args!("error: {}", render::visible(&failure)));
        Outcome::Failure
    });
    ExitCode::from(match outcome {
        Outcome::Fine => 0,
        Outcome::Findings => 1,
        Outcome::Failure => 2,
        Outcome::Inconclusive => 3,
    })
}

/// Writes a result to stdout, exactly. A reader that has gone away, as in `| head`, is no failure, and the verdict keeps
/// its exit code.
fn print(text: impl Display) -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.to_string().as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output cannot be written: {error}"))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a message to stderr; if that fails, there is nobody left to tell.
fn tell(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
