//! The `shall` command as a library: the only crate that reads files, writes output and ends with an exit code.
//!
//! Each command is a function from its arguments to an [`Outcome`] or an [`Error`]; results go to standard output,
//! everything else to standard error.

mod around;
mod cli;
mod commands;
mod error;
mod files;
mod json;
#[cfg(feature = "arrow")]
pub mod library;
mod lsp;
mod reading;
pub mod reference;
mod render;
mod sentences;
mod serve;
pub mod solver;
mod trace_file;
mod workspace;

pub use error::Error;

use clap::FromArgMatches as _;
use cli::Command;
use files::{print, tell};
use std::ffi::OsString;
use std::process::ExitCode;

/// How a command ends; the exit codes are part of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// 0: nothing to complain about.
    Fine,
    /// 1: findings: a sentence with errors, a requirement that is violated.
    Findings,
    /// 3: a limit was reached before the question was decided.
    Inconclusive,
    /// 2: wrong use, unreadable input, or a failure of the tool itself.
    Failure,
}

/// Runs the command that the arguments name; the first one is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let (arguments, warnings) = cli::modern(arguments.into_iter().collect());
    let matches = cli::command().get_matches_from(arguments);
    let arguments = cli::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    warnings.iter().for_each(|warning| tell(format_args!("warning: {warning}")));
    let outcome = dispatch(&arguments.command).unwrap_or_else(|error| {
        if !matches!(error, Error::Reported(_)) {
            tell(format_args!("error: {}", render::visible(&error.to_string())));
        }
        error.outcome()
    });
    ExitCode::from(match outcome {
        Outcome::Fine => 0,
        Outcome::Findings => 1,
        Outcome::Failure => 2,
        Outcome::Inconclusive => 3,
    })
}

fn dispatch(command: &Command) -> Result<Outcome, Error> {
    match command {
        Command::Init(it) => commands::init::run(&it.command, it.output),
        Command::New(it) => commands::new::run(&it.command, it.output),
        Command::Explain(it) => commands::explain::run(&it.command, it.output),
        Command::Formalize(it) => commands::formalize::run(&it.command, it.output),
        Command::Timeline(it) => commands::timeline::run(&it.command, it.output),
        Command::Fmt(it) => commands::fmt::run(&it.command, it.output),
        Command::Propose(it) => commands::propose::run(&it.command, it.output),
        Command::Rename(it) => commands::rename::run(it),
        Command::Lsp(_) => lsp::run(),
        Command::Serve(it) => serve::run(it),
        Command::Check(it) => commands::check::run(&it.command, it.output),
        Command::Lint(it) => commands::lint::run(&it.command, it.output),
        Command::Eval(it) => commands::eval::run(&it.command, it.output),
        Command::Watch(it) => commands::watch::run(&it.command, it.output),
        Command::Log(it) => commands::log::run(it),
        Command::Rule(it) => commands::rule::run(&it.command, it.output),
        Command::Compare(it) => commands::compare::run(&it.command, it.output),
        Command::Diff(it) => commands::diff::run(&it.command, it.output),
        Command::Realize(it) => commands::realize::run(&it.command, it.output),
        Command::Play(it) => commands::play::run(&it.command, it.output),
        Command::Synthesize(it) => commands::synthesize::run(it),
        Command::Tests(it) => commands::tests::run(&it.command, it.output),
        Command::Coverage(it) => commands::coverage::run(&it.command, it.output),
        Command::Verify(it) => commands::verify::run(&it.command, it.output),
        Command::Simulate(it) => commands::simulate::run(&it.command, it.output),
        Command::Model(it) => commands::model::run(it),
        Command::Dfrs(it) => commands::dfrs::run(it),
        Command::Import(it) => commands::import::run(&it.command, it.output),
        Command::Export(it) => commands::export::run(&it.command, it.output),
        Command::Monitor(it) => commands::monitor::run(&it.command, it.output),
        Command::Report(it) => commands::report::run(&it.command, it.output),
        Command::Vectors(it) => commands::vectors::run(&it.command, it.output),
        Command::Schema(it) => commands::schema::run(it),
        Command::Completions(it) => commands::setup::completions(it),
        Command::Man(it) => commands::setup::man(it),
    }
}
