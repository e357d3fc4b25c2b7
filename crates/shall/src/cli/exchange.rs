//! The command line of `shall import`, `shall export` and `shall report`.

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
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The folder of the project, or any below it.
    #[arg(value_name = "PROJECT", default_value = ".")]
    pub(crate) project: PathBuf,

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
    /// Everything, as plain JSON.
    Json,
}
