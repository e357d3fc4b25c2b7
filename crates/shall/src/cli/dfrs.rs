//! The command line of `shall dfrs`.

use super::{Sentences, With, model};
use clap::{Args, FromArgMatches as _, Subcommand, ValueEnum};
use std::ffi::OsStr;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Dfrs {
    #[command(subcommand)]
    pub(crate) question: Question,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Question {
    /// Show the role of each phrase in each sentence.
    #[command(after_help = "\
Example:
  shall dfrs frames examples/dfrs/vending_machine_5.req")]
    Frames(With<Source>),

    /// Show the model: its variables, and what each component does when.
    #[command(after_help = "\
Example:
  shall dfrs model examples/dfrs/vending_machine_5.req
  shall dfrs model --output-format json examples/dfrs/turn_indicator.req")]
    Model(With<Source>),

    /// Find requirements that are inconsistent, incomplete, unreachable, redundant or stop time, without a bound.
    #[command(after_help = "\
Examples:
  shall dfrs check examples/dfrs/priority_command.req
  shall dfrs check --semantics a --notes examples/dfrs/safety_injection.req")]
    Check(With<Check>),

    /// Compare the three readings of the paper.
    #[command(after_help = "\
Example:
  shall dfrs readings examples/dfrs/turn_indicator.req")]
    Readings(With<Readings>),

    /// Run the model step by step: choose a delay and inputs, see the reaction, go back, save the run.
    #[command(after_help = "\
Type `help` at the prompt. With --output-format json-lines, commands are read from standard input and each
is answered with one JSON object.

Examples:
  shall dfrs animate examples/dfrs/vending_machine_5.req
  printf 'wait 2 coin_sensor=true\\nsave run.csv\\n' | shall dfrs animate examples/dfrs/vending_machine_5.req")]
    Animate(With<Animate, Dialogue>),

    /// Generate test cases: requirements, conditions (MC/DC), boundary delays, pairs, and mutants killed or proved equivalent.
    #[command(after_help = "\
Examples:
  shall dfrs test examples/dfrs/vending_machine_5.req -o tests.csv
  shall dfrs test --no-mutants examples/dfrs/turn_indicator.req -o tests.c")]
    Test(With<Test>),

    /// Export the model for other tools.
    #[command(after_help = "\
Example:
  shall dfrs export --to uppaal examples/dfrs/vending_machine_5.req -o vending_machine.xml")]
    Export(Export),

    /// Run test vectors against the model.
    #[command(after_help = "\
The vectors are a CSV file: an optional column `case`, the time, inputs and expected outputs.

Example:
  shall dfrs replay --vectors vectors.csv examples/dfrs/vending_machine_5.req")]
    Replay(With<Replay>),

    /// The old spelling of `shall verify FILE --sentence SENTENCE`.
    #[command(hide = true)]
    Verify(With<Verify>),
}

/// The requirements.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// The requirements, a text file; `-` is standard input.
    pub(crate) file: PathBuf,

    /// A dictionary of the words that requirements may use: on each line a class, then a phrase.
    #[arg(long, value_name = "FILE")]
    pub(crate) dictionary: Option<PathBuf>,
}

/// How the model is read.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Meaning {
    /// a: the paper to the letter; b: current values only; c: synchronous.
    #[arg(long, value_enum, default_value = "c", ignore_case = true)]
    pub(crate) semantics: Letter,

    /// Allow any positive delay instead of integers.
    #[arg(long)]
    pub(crate) dense: bool,
}

/// How a dialogue is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialogue {
    /// Text for people.
    Human,
    /// One JSON object per line.
    #[value(alias = "json")]
    JsonLines,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Letter {
    A,
    B,
    C,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) source: Source,

    #[command(flatten)]
    pub(crate) sentences: Sentences,

    /// a: the paper to the letter; b: current values only; c: synchronous.
    #[arg(long, value_enum, default_value = "c", ignore_case = true)]
    pub(crate) semantics: Letter,

    /// Accepted and ignored: `--timeout` of `shall verify` limits the search.
    #[arg(long, alias = "budget", value_name = "N")]
    #[allow(dead_code)]
    limit_states: Option<usize>,
}

impl Verify {
    /// The command that replaces this one.
    pub(crate) fn modern(&self) -> Result<model::Verify, clap::Error> {
        let Verify { source: Source { file, dictionary }, sentences, semantics, .. } = self;
        let grammar = model::Verify::augment_args(clap::Command::new("verify"));
        let words = [OsStr::new("verify"), OsStr::new("--"), file.as_os_str()];
        let verify = model::Verify::from_arg_matches(&grammar.try_get_matches_from(words)?)?;
        Ok(model::Verify {
            dictionary: dictionary.clone(),
            semantics: Some(*semantics),
            english: true,
            sentences: sentences.sentences.clone(),
            known: sentences.known.clone(),
            ..verify
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) source: Source,

    #[command(flatten)]
    pub(crate) meaning: Meaning,

    /// Let only one input change at a time.
    #[arg(long)]
    pub(crate) one_input: bool,

    /// Show notes as well.
    #[arg(long)]
    pub(crate) notes: bool,

    /// The largest number of states to search.
    #[arg(long, alias = "budget", value_name = "N", default_value_t = 200_000)]
    pub(crate) limit_states: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Readings {
    #[command(flatten)]
    pub(crate) source: Source,

    /// Let only one input change at a time.
    #[arg(long)]
    pub(crate) one_input: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Animate {
    #[command(flatten)]
    pub(crate) source: Source,

    #[command(flatten)]
    pub(crate) meaning: Meaning,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) source: Source,

    #[command(flatten)]
    pub(crate) meaning: Meaning,

    /// The vectors; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) vectors: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    #[command(flatten)]
    pub(crate) source: Source,

    #[command(flatten)]
    pub(crate) meaning: Meaning,

    /// Let only one input change at a time.
    #[arg(long)]
    pub(crate) one_input: bool,

    /// Do not test pairs of requirements one after the other.
    #[arg(long)]
    pub(crate) no_pairs: bool,

    /// Do not generate tests that kill mutants.
    #[arg(long)]
    pub(crate) no_mutants: bool,

    /// Write the tests to a file: .csv, or .c for a harness in C; `-` is standard output, as CSV.
    #[arg(id = "out", short = 'o', long = "out", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) source: Source,

    #[command(flatten)]
    pub(crate) meaning: Meaning,

    /// The format.
    #[arg(long, value_enum)]
    pub(crate) to: Target,

    /// The file; standard output if there is none or it is `-`.
    #[arg(id = "out", short = 'o', long = "out", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Target {
    /// Graphviz: components and variables.
    Dot,
    /// UPPAAL.
    Uppaal,
    /// NuSMV and nuXmv.
    Smv,
    /// SCR tables as text.
    Scr,
    /// SCR tables as CSV.
    ScrCsv,
    /// CSP# for PAT.
    CspSharp,
    /// CSPM with tock for FDR.
    Cspm,
    /// The timed transition system as a graph, with delays of 1.
    TiotsDot,
    /// The timed transition system in the Aldebaran format, with delays of 1.
    TiotsAut,
}
