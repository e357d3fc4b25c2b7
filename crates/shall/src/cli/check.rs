//! The arguments of `shall check`, `shall rule` and `shall schema`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// A folder or file of the project; the project file is looked for there and above.
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// Mend what can be mended without a doubt, and report the rest.
    #[arg(long)]
    pub(crate) fix: bool,

    /// Do not fail because of warnings.
    #[arg(long)]
    pub(crate) allow_warnings: bool,

    /// Do not fail because something was not decided.
    #[arg(long)]
    pub(crate) allow_unknown: bool,

    /// A file of findings that are known and not reported; overrides that of the project file.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all findings to the baseline, so that only new ones are reported from now on.
    #[arg(long, conflicts_with_all = ["fix", "watch"])]
    pub(crate) write_baseline: bool,

    /// Check again whenever a file changes, until interrupted.
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Rule {
    /// A code, such as `W0503`; without one, all are listed.
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}
