//! The arguments of the commands that change a project or compare two versions of it: `init`, `new`, `fmt`, `propose`,
//! `rename`, `diff`.

use super::Output;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Subcommand};
use project::assist::TEMPLATES;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The folder of the project; created if it does not exist.
    #[arg(default_value = ".")]
    pub(crate) folder: PathBuf,

    /// The name of the project; the folder's unless given.
    #[arg(long)]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// The id of the requirement; one that the project does not have.
    pub(crate) id: String,

    /// The sentence to fill in.
    #[arg(long, value_name = "NAME", value_parser = templates(), default_value = "always")]
    pub(crate) template: String,

    /// What a field of the sentence says (component, condition, mode, duration, stop, response); may be given several times.
    #[arg(long, value_name = "FIELD=TEXT")]
    pub(crate) set: Vec<String>,

    /// What comes after the id.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// The requirement that it refines.
    #[arg(long, value_name = "ID")]
    pub(crate) parent: Option<String>,

    /// The document that it is added to; a new one is made if there is none. `-` is standard output.
    #[arg(short = 'o', long = "out", value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,

    /// The folder of the project, or any below it.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) project: PathBuf,
}

/// The names of the templates, each with its sentence.
fn templates() -> PossibleValuesParser {
    TEMPLATES.iter().map(|it| PossibleValue::new(it.name).help(it.label)).collect::<Vec<_>>().into()
}

#[derive(Debug, Args)]
pub(crate) struct Fmt {
    /// A folder of the project, or one document of it.
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,

    /// Change nothing; list the documents that are not formatted.
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Propose {
    /// The ids of requirements in prose; all unless given.
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// Write the sentences into the documents, below the prose.
    #[arg(long)]
    pub(crate) apply: bool,

    /// The folder of the project, or any below it.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) project: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Rename {
    #[command(subcommand)]
    pub(crate) what: Renamed,

    /// The folder of the project.
    #[arg(long, value_name = "FOLDER", default_value = ".", global = true)]
    pub(crate) project: PathBuf,

    /// Change nothing; print the changes.
    #[arg(long, global = true)]
    pub(crate) dry_run: bool,

    /// How results are written.
    #[arg(long = "output-format", value_enum, default_value = "human", value_name = "FORMAT", global = true)]
    pub(crate) output: Output,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Renamed {
    /// A variable, in sentences, tables and definitions.
    Variable {
        /// Its name.
        old: String,
        /// Its new name.
        new: String,
        /// Its component, if several have a variable of this name.
        #[arg(long, value_name = "NAME")]
        component: Option<String>,
    },
    /// A phrase, in its table and in sentences.
    Phrase {
        /// Its words.
        old: String,
        /// Its new words.
        new: String,
        /// Its component, if several have this phrase.
        #[arg(long, value_name = "NAME")]
        component: Option<String>,
    },
    /// A requirement: its id, also where it is a parent.
    Requirement {
        /// Its id.
        old: String,
        /// Its new id.
        new: String,
    },
    /// A component, in sentences, tables and the project file.
    Component {
        /// Its name.
        old: String,
        /// Its new name.
        new: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The old version: a revision of git, `OLD..NEW`, or a folder; HEAD unless given.
    pub(crate) old: Option<String>,

    /// The new version: a revision of git or a folder; the files as they are unless given.
    pub(crate) new: Option<String>,

    /// The folder of the project whose revisions are compared.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) project: PathBuf,

    /// List the requirements that did not change as well.
    #[arg(long)]
    pub(crate) all: bool,
}
