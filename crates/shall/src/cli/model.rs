//! The command lines of `shall verify` and `shall simulate`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// A program in Lustre, in the dialect of Kind 2.
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,

    /// The node; otherwise the one marked by `--%MAIN`, or the last one.
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,

    /// Replace callees that have a contract by it.
    #[arg(long)]
    pub(crate) compositional: bool,

    /// The solver for arithmetic: z3, cvc5 or yices. Booleans, enumerations and machine integers need none.
    #[arg(long, default_value = "z3", value_name = "NAME")]
    pub(crate) solver: String,

    /// How many seconds to try at most.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(crate) budget: u64,
    /// Show internals in counterexamples too: local variables, callees, memory.
    #[arg(long)]
    pub(crate) inner: bool,

    /// Write each counterexample into this folder: a drawing (SVG), a table (CSV) and a dump (VCD).
    #[arg(long, value_name = "FOLDER")]
    pub(crate) save: Option<PathBuf>,

    /// Show progress on standard error even if it is no terminal.
    #[arg(long)]
    pub(crate) progress: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// A program in Lustre, in the dialect of Kind 2.
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,

    /// The inputs: CSV, or a list of steps in JSON; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,

    /// The node; otherwise the one marked by `--%MAIN`, or the last one.
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,

    /// How real numbers are computed.
    #[arg(long, value_enum, default_value = "exact")]
    pub(crate) arithmetic: Arithmetic,

    /// Show internals too: local variables, callees, memory.
    #[arg(long)]
    pub(crate) inner: bool,

    /// How the run is written.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: RunFormat,

    /// Write the run into this file instead of standard output.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
}

/// How real numbers are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Arithmetic {
    /// Exact rational numbers.
    Exact,
    /// IEEE doubles.
    Double,
}

/// How a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunFormat {
    /// For people: names on the left, a column for each step.
    Table,
    /// A row for each step, exact; this program reads it back.
    Csv,
    /// A value change dump for viewers of waves.
    Vcd,
    /// A drawing.
    Svg,
}
