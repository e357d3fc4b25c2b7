//! The command lines of `shall tests` and `shall coverage`.

use super::realize::EndReading;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Tests {
    #[command(flatten)]
    pub(crate) wanted: Wanted,

    /// Write the tests into this folder.
    #[arg(short = 'o', long = "output", value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,

    /// The format of the files; may be given several times.
    #[arg(long, value_enum, value_name = "FORMAT", requires = "into", default_value = "csv")]
    pub(crate) to: Vec<Format>,

    /// Check all proofs that something cannot be shown, also large ones.
    #[arg(long)]
    pub(crate) check_proofs: bool,

    #[command(flatten)]
    pub(crate) tried: Tried,
}

/// A format of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Inputs and outputs, one file for each test.
    Csv,
    /// All tests of a component in one file.
    Json,
    /// As `json`, in the shape of FRET's test cases.
    FretJson,
    /// Inputs and outputs for waveform viewers, one file for each test.
    Vcd,
    /// Inputs for Kind 2's interpreter (JSON), one file for each test.
    Kind2,
    /// A program in C99 with the tests and the monitors of the requirements, and a header for the implementation.
    C,
    /// The same as a module in Rust.
    Rust,
    /// The same for pytest.
    Pytest,
    /// Inputs over time as a data file of MATLAB, one file for each test.
    Mat,
    /// Inputs over time for Signal Builder and Signal Editor (CSV), one file for each test.
    SignalBuilder,
}

/// What the tests are run against.
#[derive(Debug, Args)]
pub(crate) struct Tried {
    /// Run the tests against this model: a Lustre program or a Simulink model with signals of the same names.
    #[arg(long, value_name = "MODEL", conflicts_with = "exec", requires = "component")]
    pub(crate) run: Option<PathBuf>,

    /// The part of the model; by default as for `shall simulate`.
    #[arg(long, value_name = "NAME", requires = "run")]
    pub(crate) node: Option<String>,

    /// Run the tests against this program, with arguments after spaces: it reads a CSV line with the names of the inputs, writes one
    /// with those of its outputs, and then answers each line of inputs with a line of outputs.
    #[arg(long, value_name = "COMMAND", requires = "component")]
    pub(crate) exec: Option<String>,

    /// The time that the program has for each answer.
    #[arg(long, default_value_t = 2.0, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) step_timeout: f64,

    /// A variable of the requirements and the name that it has in the model or program; may be given several times. Other names are
    /// those in the project file.
    #[arg(long, value_name = "VARIABLE=SIGNAL", value_parser = super::model::pair)]
    pub(crate) map: Vec<(String, String)>,

    /// Run the strategies of everything that can be forced against the synthesized controller and this number of random correct systems.
    #[arg(long, value_name = "SYSTEMS", value_parser = clap::value_parser!(u16).range(..=1000))]
    pub(crate) rehearse: Option<u16>,

    /// Write the results as JUnit XML.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,

    /// Write the results as an HTML page.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(it) if (0.001..=3600.0).contains(&it) => Ok(it),
        _ => Err("a number of seconds from 0.001 to 3600".to_owned()),
    }
}

/// What is tested.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// A project: its folder, or a file in it; by default the one around this folder.
    #[arg(value_name = "PROJECT", default_value = ".")]
    pub(crate) path: PathBuf,

    /// This component only.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: Option<String>,

    /// These requirements only; may be given several times.
    #[arg(long = "requirement", value_name = "ID", requires = "component")]
    pub(crate) only: Vec<String>,

    /// What must be shown; may be given several times. By default everything.
    #[arg(long = "criterion", value_enum, value_name = "CRITERION")]
    pub(crate) criteria: Vec<Criterion>,

    /// Whether a run may end.
    #[arg(long, value_enum, default_value = "endless")]
    pub(crate) reading: EndReading,

    /// The component chooses the outputs of a step before it sees the inputs.
    #[arg(long)]
    pub(crate) moore: bool,

    /// The time limit for everything together.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(crate) timeout: u64,
}

/// Why something must be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Criterion {
    /// Triggers, responses in time and at the last step, scopes that end in between.
    Moments,
    /// Each atom alone keeps the requirement: unique first cause.
    Causes,
    /// Each condition alone decides a condition or a response: MC/DC.
    Decisions,
    /// The values at and next to the boundary of each comparison.
    Boundaries,
    /// Each requirement is told from those with a small error.
    Mutants,
}

#[derive(Debug, Args)]
pub(crate) struct Coverage {
    #[command(flatten)]
    pub(crate) wanted: Wanted,

    /// A recorded trace, a folder of them, or a pattern; may be given several times.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) trace: Vec<PathBuf>,
}
