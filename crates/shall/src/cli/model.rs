//! The command line of `shall verify`.

use clap::Args;
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
}
