//! The command lines of `shall realize`, `shall play` and `shall synthesize`.

use crate::commands::play::Player;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Realize {
    /// A project (its folder, or a file in it), or a Lustre program with contracts; by default the project around this folder.
    #[arg(value_name = "PROJECT|FILE.lus", default_value = ".")]
    pub(crate) path: PathBuf,

    /// Judge this component only.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: Option<String>,

    /// Judge these requirements only; may be given several times.
    #[arg(long = "requirement", value_name = "ID", requires = "component")]
    pub(crate) only: Vec<String>,

    /// The node or contract of a Lustre program; by default all nodes with `--%REALIZABLE`, and all imported nodes with a contract.
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
pub(crate) struct Play {
    /// A project (its folder, or a file in it), or a Lustre program with contracts; by default the project around this folder.
    #[arg(value_name = "PROJECT|FILE.lus", default_value = ".")]
    pub(crate) path: PathBuf,

    /// The component; by default the only one.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: Option<String>,

    /// Play with these requirements only; may be given several times.
    #[arg(long = "requirement", value_name = "ID")]
    pub(crate) only: Vec<String>,

    /// The node or contract of a Lustre program; by default the only node with `--%REALIZABLE` or with a contract without a body.
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,

    /// Who you are.
    #[arg(long = "as", value_enum, default_value = "system", value_name = "SIDE")]
    pub(crate) side: Side,

    /// Whether a run may end.
    #[arg(long, value_enum, default_value = "endless")]
    pub(crate) reading: EndReading,

    /// The component chooses the outputs of a step before it sees the inputs.
    #[arg(long)]
    pub(crate) moore: bool,

    /// Read the commands from this file; `-` is standard input.
    #[arg(long, default_value = "-", value_name = "FILE")]
    pub(crate) script: PathBuf,

    /// Write the play as a trace when it ends; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Choose other inputs where any input is as good as another.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,

    /// The time limit for all answers together.
    #[arg(long, default_value_t = 3600, value_name = "SECONDS")]
    pub(crate) timeout: u64,
}

/// A side in a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    /// The component: you choose the outputs.
    System,
    /// The environment: you choose the inputs.
    Environment,
    /// Both.
    Both,
}

impl Side {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Side::System => "system",
            Side::Environment => "environment",
            Side::Both => "both",
        }
    }

    /// Whether the user is this player.
    pub(crate) fn plays(self, player: Player) -> bool {
        match player {
            Player::System => self != Side::Environment,
            Player::Environment => self != Side::System,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Synthesize {
    /// A project (its folder, or a file in it), or a Lustre program with contracts; by default the project around this folder.
    #[arg(value_name = "PROJECT|FILE.lus", default_value = ".")]
    pub(crate) path: PathBuf,

    /// The component; by default the only one.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: Option<String>,

    /// The node or contract of a Lustre program; by default the only node with `--%REALIZABLE` or with a contract without a body.
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,

    /// What to write.
    #[arg(long, value_enum, default_value = "lustre", value_name = "FORM")]
    pub(crate) to: Form,

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

/// A form of a controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A Lustre node for each group of requirements, with the requirements as properties.
    Lustre,
    /// C99 without heap; with `-o FILE.c`, a header is written beside it.
    C,
    /// A Rust module that needs neither the standard library nor an allocator.
    Rust,
    /// Tables in Markdown, for controllers that are small enough to be read.
    Table,
}
