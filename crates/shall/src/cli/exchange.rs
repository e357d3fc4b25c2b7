//! The command line of `shall import`, `shall export`, `shall monitor`, `shall watch` and `shall report`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// A FRET project (.json), a sheet (.csv, .xlsx) or a ReqIF document (.reqif, .reqifz).
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The folder of the project; a new project is made where there is none.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) project: PathBuf,

    /// The format of the file, if its name does not tell.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Foreign>,

    /// The column or attribute for a role (id, sentence, title, rationale, parent, status, component, formal), the `sheet`, or the `tool`
    /// (doors, doors-next, polarion, pror) the file comes from; may be given several times.
    #[arg(long, value_name = "ROLE=COLUMN")]
    pub(crate) profile: Vec<String>,

    /// Change nothing; report what would change.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The format.
    #[arg(value_enum, value_name = "TARGET")]
    pub(crate) target: Target,

    /// The file; `-` is standard output. A sheet or ReqIF document that exists is updated, any other file is replaced.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The folder of the project, or any below it.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) project: PathBuf,

    /// The column or attribute for a role (id, sentence, title, rationale, parent, status, component, formal), the `sheet`, or the `tool`
    /// (doors, doors-next, polarion, pror) the file comes from; may be given several times.
    #[arg(long, value_name = "ROLE=COLUMN")]
    pub(crate) profile: Vec<String>,

    /// One component only.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: Option<String>,

    /// Which formulas an SMV module or a specification for C2PO gets.
    #[arg(long, value_enum, default_value = "past", value_name = "FORM")]
    pub(crate) form: Form,

    /// Write requirements about a mode as modes of the contract, where that means the same (cocospec).
    #[arg(long)]
    pub(crate) modes: bool,

    #[command(flatten)]
    pub(crate) sql: Sql,
}

#[derive(Debug, Args)]
pub(crate) struct Monitor {
    #[command(flatten)]
    pub(crate) which: Which,

    /// The language.
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) to: Language,

    /// The file; `-` is standard output. In C, the header is written beside it.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// What the names in C begin with.
    #[arg(long, value_name = "NAME", default_value = "monitor")]
    pub(crate) name: String,

    /// Real numbers have single precision (C and Rust).
    #[arg(long)]
    pub(crate) single: bool,

    #[command(flatten)]
    pub(crate) sql: Sql,
}

/// The requirements that are watched.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// The folder of a project, ids of requirements, or sentences; without any, all requirements of the project here.
    #[arg(value_name = "PROJECT|ID|SENTENCE")]
    pub(crate) arguments: Vec<String>,

    /// One component only.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: Option<String>,

    /// The length of a step for sentences, such as `100 ms`; a project sets its own.
    #[arg(long, value_name = "DURATION")]
    pub(crate) step: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) which: Which,

    /// A variable and the column that it is read from; may be given several times.
    #[arg(long, value_name = "VARIABLE=COLUMN", value_parser = super::model::pair)]
    pub(crate) map: Vec<(String, String)>,
}

/// The table that a statement reads.
#[derive(Debug, Args)]
pub(crate) struct Sql {
    /// The dialect of SQL (sql).
    #[arg(long, value_enum, default_value = "duckdb", value_name = "DIALECT")]
    pub(crate) dialect: Dialect,

    /// The table, as it is written after FROM (sql).
    #[arg(long, value_name = "TABLE", default_value = "logs")]
    pub(crate) table: String,

    /// The column that tells runs apart; without it, the table is one run (sql).
    #[arg(long, value_name = "COLUMN")]
    pub(crate) run: Option<String>,

    /// The column that orders the steps of a run (sql).
    #[arg(long, value_name = "COLUMN", default_value = "time")]
    pub(crate) order: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// C99, without heap.
    C,
    /// Rust, without the standard library.
    Rust,
    /// CoCoSpec contracts for Kind 2.
    Lustre,
    /// A module in Copilot, which becomes monitors in C.
    Copilot,
    /// A specification for R2U2's compiler C2PO.
    R2u2,
    /// One statement for a table of recorded runs.
    Sql,
    /// Python, without packages.
    Python,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    Duckdb,
    Spark,
    Trino,
    Bigquery,
    Datafusion,
    Postgres,
    Sqlite,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The folder of the project, or any below it.
    #[arg(value_name = "PROJECT", default_value = ".")]
    pub(crate) project: PathBuf,

    /// A recorded trace whose violations are shown: a file, a folder or a pattern, as in `shall eval`; may be given several times. By
    /// default those that the project file names (`logs.files`).
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Vec<PathBuf>,

    /// The HTML file; `-` is standard output.
    #[arg(short = 'o', long = "out", value_name = "FILE", default_value = "report.html")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Foreign {
    FretJson,
    Csv,
    Xlsx,
    Reqif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Past,
    Future,
    FutureInfinite,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// FRET's own project file.
    FretJson,
    /// A sheet as text.
    Csv,
    /// A workbook.
    Xlsx,
    /// A ReqIF document.
    Reqif,
    /// A module for NuSMV or nuXmv.
    Smv,
    /// CoCoSpec contracts for Kind 2.
    Cocospec,
    /// The JSON that Ogma makes Copilot monitors from.
    Ogma,
    /// A module in Copilot, which becomes monitors in C.
    Copilot,
    /// A specification for R2U2's compiler C2PO.
    C2po,
    /// One statement of SQL that checks a table of recorded runs.
    Sql,
    /// Everything, as plain JSON.
    Json,
}
