//! The arguments of `shall check` and `shall rule`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// A folder or file of the project; the project file is looked for there and above.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// Fix what can be fixed safely, and report the rest.
    #[arg(long)]
    pub(crate) fix: bool,

    /// Succeed although there are warnings.
    #[arg(long)]
    pub(crate) allow_warnings: bool,

    /// Succeed although something was not decided.
    #[arg(long)]
    pub(crate) allow_unknown: bool,

    /// A file of known findings, which are not reported; overrides the one in the project file.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all findings to the baseline, so that only new ones are reported from now on.
    #[arg(long, conflicts_with_all = ["fix", "watch"])]
    pub(crate) write_baseline: bool,

    /// Judge the requirements of each component together, too: conflicts of any number of requirements, requirements that are never
    /// triggered, and requirements that follow from others.
    #[arg(long)]
    pub(crate) set: bool,

    /// The solver for proofs about numbers with --set: z3, cvc5 or yices. Booleans and enumerations need none.
    #[arg(long, default_value = "z3", value_name = "NAME")]
    pub(crate) solver: String,

    /// The time limit for --set.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(crate) timeout: u64,

    /// Check again whenever a file changes, until interrupted.
    #[arg(long)]
    pub(crate) watch: bool,
}

/// The formats of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people, with the lines that findings are about.
    Human,
    /// One line for each finding.
    Concise,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    JsonLines,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML, with a test case for each requirement.
    Junit,
    /// Annotations of GitHub.
    Github,
}

#[derive(Debug, Args)]
pub(crate) struct Rule {
    /// A code, such as `W0503`; without one, all are listed.
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}
