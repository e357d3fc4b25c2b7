//! The command lines of `shall realize` and `shall synthesize`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Realize {
    /// A project (its folder, or a file in it), or a Lustre program with `--%REALIZABLE`; by default the project around this folder.
    #[arg(value_name = "PROJECT|FILE.lus", default_value = ".")]
    pub(crate) path: PathBuf,

    /// Judge this component only.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: Option<String>,

    /// Judge these requirements only; may be given several times.
    #[arg(long = "requirement", value_name = "ID", requires = "component")]
    pub(crate) only: Vec<String>,

    /// The node of a Lustre program; by default the first one with `--%REALIZABLE`.
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,

    /// Whether a run may end.
    #[arg(long, value_enum, default_value = "endless")]
    pub(crate) reading: EndReading,

    /// The component chooses the outputs of a step before it sees the inputs.
    #[arg(long)]
    pub(crate) moore: bool,

    /// Show all minimal conflicts, each with a play; otherwise one for each group of requirements.
    #[arg(long)]
    pub(crate) conflicts: bool,

    /// Ask more about each group: whether the requirements have a run at all, whether a careless run can get stuck, how each trigger
    /// can come about, and which requirements follow from the others.
    #[arg(long)]
    pub(crate) questions: bool,

    /// The solver for proofs about numbers: z3, cvc5 or yices. Booleans and enumerations need none.
    #[arg(long, default_value = "z3", value_name = "NAME")]
    pub(crate) solver: String,

    /// The time limit for everything together.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(crate) timeout: u64,
}

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EndReading {
    /// Never.
    Endless,
    /// Perhaps after any step, as in FRET: `eventually` then means `immediately`.
    AnyEnd,
}

#[derive(Debug, Args)]
pub(crate) struct Synthesize {
    /// A project: its folder, or a file in it; by default the one around this folder.
    #[arg(value_name = "PROJECT", default_value = ".")]
    pub(crate) path: PathBuf,

    /// The component.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: String,

    /// Whether a run may end.
    #[arg(long, value_enum, default_value = "endless")]
    pub(crate) reading: EndReading,

    /// The component chooses the outputs of a step before it sees the inputs.
    #[arg(long)]
    pub(crate) moore: bool,

    /// Write the controller into this file; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,

    /// The solver for proofs about numbers: z3, cvc5 or yices. Booleans and enumerations need none.
    #[arg(long, default_value = "z3", value_name = "NAME")]
    pub(crate) solver: String,

    /// The time limit for everything together.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(crate) timeout: u64,
}
