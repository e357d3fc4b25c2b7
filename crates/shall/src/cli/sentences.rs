//! The arguments of the commands about sentences and formulas.

use clap::{Args, Subcommand, ValueEnum};
use std::net::IpAddr;
use std::path::PathBuf;

/// The language server has no options.
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Accepted because many editors pass it; standard input and output are always used.
    #[arg(long)]
    #[allow(dead_code)]
    stdio: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The project: its folder or a file in it; without it, the one around the current folder, if there is one.
    pub(crate) project: Option<PathBuf>,

    /// The port; 0 is any that is free. Without it, the port is 7425, or any that is free if that is taken.
    #[arg(long)]
    pub(crate) port: Option<u16>,

    /// Open the page in the browser.
    #[arg(long)]
    pub(crate) open: bool,

    /// Change no files.
    #[arg(long)]
    pub(crate) read_only: bool,

    /// The address to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,
}

/// What to read.
#[derive(Debug, Args)]
pub(crate) struct Sentences {
    /// FRETish sentences, ids of requirements or names of documents of the project, or `-` to read one sentence per line from standard
    /// input.
    #[arg(required = true, value_name = "SENTENCE|ID|FILE")]
    pub(crate) sentences: Vec<String>,

    #[command(flatten)]
    pub(crate) known: Known,

    #[command(flatten)]
    pub(crate) around: ProjectPath,
}

/// Where requirements are looked up.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ProjectPath {
    /// The project in which ids are looked up; without it, the one around the named document or the current folder.
    #[arg(long, value_name = "PATH")]
    pub(crate) project: Option<PathBuf>,
}

/// What is known about time and constants.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Known {
    /// The length of a step, such as `100 ms`; without it, one unit of time is one step.
    #[arg(long, value_name = "DURATION")]
    pub(crate) step: Option<String>,

    /// The value of a named constant; may be given several times.
    #[arg(long = "const", value_name = "NAME=NUMBER")]
    pub(crate) constants: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Formalize {
    #[command(flatten)]
    pub(crate) input: Sentences,

    /// Which formulas.
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) logic: Logic,

    /// The notation of formulas.
    #[arg(long, value_enum, default_value = "smv")]
    pub(crate) dialect: Spelling,

    /// How the finite future formula knows the end of the trace.
    #[arg(long, value_enum, default_value = "last")]
    pub(crate) end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Logic {
    /// True at the last point of a finite trace.
    Past,
    /// True at the first point of a finite trace.
    Future,
    /// True at the first point of an infinite trace.
    FutureInfinite,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Spelling {
    /// NuSMV and nuXmv.
    Smv,
    /// Mathematical symbols.
    Unicode,
    Latex,
    Spot,
    /// Our own, with bounds on every operator.
    Shall,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum End {
    /// By the proposition LAST, true at the last point.
    Last,
    /// By weak next (N), true at the last point whatever follows it.
    WeakNext,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) input: Sentences,

    /// Draw the meaning of one sentence into this SVG file; `-` is standard output, without the text.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Draw with plain ASCII characters.
    #[arg(long)]
    pub(crate) ascii: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// A sentence, a formula, or the id of a requirement of the project.
    pub(crate) a: String,

    /// Another one.
    pub(crate) b: String,

    /// Compare on infinite traces instead of finite ones.
    #[arg(long)]
    pub(crate) infinite: bool,

    #[command(flatten)]
    pub(crate) known: Known,

    #[command(flatten)]
    pub(crate) around: ProjectPath,
}

#[derive(Debug, Args)]
pub(crate) struct Timeline {
    /// Formulas or sentences, ids of requirements or names of documents of the project, or `-` to read one text per line from standard
    /// input.
    #[arg(required = true, value_name = "FORMULA|SENTENCE|ID|FILE")]
    pub(crate) texts: Vec<String>,

    /// Draw finite traces.
    #[arg(long)]
    pub(crate) finite: bool,

    /// Draw what violates it instead.
    #[arg(long)]
    pub(crate) negate: bool,

    /// Draw what one allows and the other does not, both ways.
    #[arg(long, value_name = "OTHER", conflicts_with = "negate")]
    pub(crate) against: Option<String>,

    /// Print the regular expression instead of the picture.
    #[arg(long)]
    pub(crate) regex: bool,

    /// Print the automaton in the HOA format instead of the picture.
    #[arg(long, conflicts_with = "regex")]
    pub(crate) hoa: bool,

    /// Print sizes as well.
    #[arg(long)]
    pub(crate) stats: bool,

    /// Write the picture to a file (.svg, .png, .dot, .tex or .txt) or the automaton (.hoa); `-` is standard output, as text.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// How much work to spend on a smaller picture; 1 takes about a second. The same number always gives the same picture.
    #[arg(long, alias = "budget", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub(crate) limit_work: u32,

    /// Draw with plain ASCII characters.
    #[arg(long)]
    pub(crate) ascii: bool,

    #[command(flatten)]
    pub(crate) known: Known,

    #[command(flatten)]
    pub(crate) around: ProjectPath,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// FRETish sentences, ids of requirements or names of documents of the project, or `-` to read one sentence per line from standard
    /// input; without any, all requirements of the project. A folder is the project, and a recorded trace is one more trace.
    #[arg(value_name = "SENTENCE|ID|FILE")]
    pub(crate) sentences: Vec<String>,

    #[command(flatten)]
    pub(crate) known: Known,

    #[command(flatten)]
    pub(crate) around: ProjectPath,

    /// The trace: a file of any size (CSV, VCD, MATLAB, MCAP, ROS 2 bags, MDF 4, Arrow or Parquet), a folder of such files, or a pattern such as `logs/**/*.csv`; `-` is CSV or JSON on
    /// standard input. May be given several times.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) trace: Vec<PathBuf>,

    /// A past-time formula that must hold at every step, such as `H (p -> O[0,10] q)`; may be given several times.
    #[arg(long, value_name = "FORMULA")]
    pub(crate) formula: Vec<String>,

    /// A variable and the column that it is read from; may be given several times.
    #[arg(long, value_name = "VARIABLE=COLUMN", value_parser = super::model::pair)]
    pub(crate) map: Vec<(String, String)>,

    /// What a step is. `stamps` and `rows`: a row. `hold` and `nearest`: the trace is resampled to the length of a step, which `--step` or
    /// the project gives. `real`: a row, but durations in seconds and the like are measured on the times.
    #[arg(long, value_enum, default_value = "stamps")]
    pub(crate) time: Time,

    /// The greatest age of a value, such as `2 seconds`, where the latest one is held: in formats whose signals come at different times, and
    /// with `--time hold` and `nearest`. An older one is missing, so what depends on it is not checked.
    #[arg(long, value_name = "DURATION", conflicts_with = "engine")]
    pub(crate) max_age: Option<String>,

    /// Meanings that are evaluated on the whole trace as well, in memory; they must agree. Without it, these are all of them for traces
    /// of up to 4096 steps; for longer ones the past-time formula decides, and the definitions re-check each violation listed.
    #[arg(long, value_enum)]
    pub(crate) meaning: Option<Meaning>,

    /// Checks the requirements where the data is: as one statement of SQL in DuckDB or Spark, which Python starts. A trace is then
    /// anything that the engine reads: CSV or Parquet files, patterns, addresses.
    #[arg(long, value_enum, conflicts_with_all = ["meaning", "formula"])]
    pub(crate) engine: Option<Engine>,

    /// The column that tells runs apart (--engine); without it, the trace is one run.
    #[arg(long, value_name = "COLUMN", requires = "engine")]
    pub(crate) run: Option<String>,

    /// The column that orders the steps of a run (--engine) [default: time].
    #[arg(long, value_name = "COLUMN", requires = "engine")]
    pub(crate) order: Option<String>,
}

impl Eval {
    /// All requirements of a project, on traces that the caller names itself.
    pub(crate) fn all(
        known: Known,
        project: Option<PathBuf>,
        map: Vec<(String, String)>,
        time: Time,
    ) -> Eval {
        Eval {
            sentences: Vec::new(),
            known,
            around: ProjectPath { project },
            trace: Vec::new(),
            formula: Vec::new(),
            map,
            time,
            max_age: None,
            meaning: None,
            engine: None,
            run: None,
            order: None,
        }
    }
}

/// An engine for SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// DuckDB, through the Python package `duckdb`.
    Duckdb,
    /// Apache Spark, through the Python package `pyspark`.
    Spark,
}

impl Engine {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Duckdb => "DuckDB",
            Engine::Spark => "Spark",
        }
    }

    /// Its name as an argument.
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Engine::Duckdb => "duckdb",
            Engine::Spark => "spark",
        }
    }

    /// The Python package.
    pub(crate) fn package(self) -> &'static str {
        match self {
            Engine::Duckdb => "duckdb",
            Engine::Spark => "pyspark",
        }
    }
}

/// How verdicts on traces are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// Text for people.
    Human,
    /// One JSON document.
    Json,
    /// One JSON object per line: for each trace and requirement.
    JsonLines,
    /// SARIF 2.1.0, with a result for each violation.
    Sarif,
    /// JUnit XML, with a suite for each trace and a test case for each requirement.
    Junit,
    /// One HTML page, with a waveform around each violation.
    Html,
}

/// What time is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Time {
    /// One row is one step, and the column of time, if there is one, must ascend.
    Stamps,
    /// One row is one step; the column of time is ignored.
    Rows,
    /// One step for each length of a step, with the latest values.
    Hold,
    /// One step for each length of a step, with the nearest values.
    Nearest,
    /// One row is one step; durations such as `2 seconds` are measured on the times.
    Real,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Meaning {
    /// The definitions, interval by interval.
    Oracle,
    /// The past-time formula.
    Past,
    /// The future-time formulas for finite traces.
    Future,
    All,
}

#[derive(Debug, Args)]
pub(crate) struct Vectors {
    /// The kind of file; CSV unless `--output-format` says JSON.
    #[arg(long, value_enum)]
    pub(crate) format: Option<VectorFormat>,

    /// Write settings with boundary values as well as random ones.
    #[arg(long)]
    pub(crate) boundary: bool,

    /// The number of random settings.
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<usize>,

    /// The seed of the random settings: equal seeds give equal settings.
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random")]
    pub(crate) seed: u64,

    /// The number of positions of each trace.
    #[arg(long, value_name = "L", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) length: u16,

    /// The duration n of `within`, `for` and `after`: 3 unless given. Boundary settings also use durations near 0 and near
    /// the length; random ones draw theirs unless it is given.
    #[arg(long, value_name = "n", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub(crate) steps: Option<u64>,

    /// The largest number of boundary settings; a smaller one still spreads over all relations of the signals.
    #[arg(long, alias = "max", value_name = "N", default_value_t = 100)]
    pub(crate) limit_settings: usize,

    /// Only templates with this key, such as `in,regular,within`; `*` is any part. May be given several times.
    #[arg(long = "key", value_name = "KEY")]
    pub(crate) keys: Vec<String>,

    /// The file to write, or the folder for several files; `-` is standard output.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VectorFormat {
    /// One row per setting and template.
    Csv,
    /// One object per setting.
    Json,
    /// A model for NuSMV and nuXmv per setting.
    Smv,
    /// A model of all traces, on which past and future must be equivalent.
    SmvEquivalence,
    /// Monitors for Kind 2, with its inputs for each setting; always a folder.
    Lustre,
}

/// What to do with recorded traces.
#[derive(Debug, Args)]
pub(crate) struct Log {
    #[command(subcommand)]
    pub(crate) question: LogQuestion,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LogQuestion {
    /// List the signals of recorded traces: types, units, ranges, sampling, gaps and missing values.
    #[command(after_help = "\
Examples:
  shall log info run.csv
  shall log info logs --output-format json")]
    Info(super::With<LogInfo>),
}

#[derive(Debug, Args)]
pub(crate) struct LogInfo {
    /// CSV files of any size, folders of them, or patterns such as `logs/**/*.csv`; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}
