//! The command lines of `shall verify`, `shall simulate` and `shall model`.

use super::dfrs::Letter;
use super::{Known, With};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// A program in Lustre, in the dialect of Kind 2, a Simulink model (`.mdl`, `.slx`), or requirements in controlled English
    /// (`.req`); without one, the model that the project file names for the component.
    #[arg(value_name = "MODEL", required_unless_present = "component")]
    pub(crate) file: Option<PathBuf>,

    /// The part of the model: a node (by default all that have properties or a contract; for requirements and sentences the one
    /// marked `--%MAIN`, or the last one), or the path of a Simulink subsystem (by default the whole model).
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,

    /// A data file (`.mat`, or `.m` with assignments) of a Simulink model; by default those beside the model that belong to it.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Vec<PathBuf>,

    /// A block of a Simulink model, by its path, that is replaced with free inputs: one for each of its outputs; may be given several
    /// times.
    #[arg(long = "abstract", value_name = "PATH")]
    pub(crate) abstracted: Vec<String>,

    /// The reading of controlled English; a: the paper to the letter; b: current values only; c: synchronous, the default.
    #[arg(long, value_enum, ignore_case = true)]
    pub(crate) semantics: Option<Letter>,

    /// A dictionary of the words that controlled English may use: on each line a class, then a phrase.
    #[arg(long, value_name = "FILE")]
    pub(crate) dictionary: Option<PathBuf>,

    /// Whether the model is in controlled English, whatever its name.
    #[arg(skip)]
    pub(crate) english: bool,

    /// Check this FRETish sentence instead of the properties of the model; may be given several times. `-` reads one per line
    /// from standard input.
    #[arg(
        long = "sentence",
        value_name = "SENTENCE",
        allow_hyphen_values = true,
        conflicts_with_all = ["component", "contract", "modular", "compositional"]
    )]
    pub(crate) sentences: Vec<String>,

    #[command(flatten)]
    pub(crate) known: Known,

    /// Check the requirements of this project instead of the properties of the model.
    #[arg(long, value_name = "PROJECT", requires = "component")]
    pub(crate) requirements: Option<PathBuf>,

    /// The component of the project that the node is; the project is the one around this folder, unless --requirements names it.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: Option<String>,

    /// Check this requirement; may be given several times.
    #[arg(long = "requirement", value_name = "ID", requires = "component")]
    pub(crate) only: Vec<String>,

    /// A variable of the requirements and the signal of the model that it is; may be given several times.
    #[arg(long, value_name = "VARIABLE=SIGNAL", value_parser = pair, requires = "component")]
    pub(crate) map: Vec<(String, String)>,

    /// Check the contract in this Lustre file instead; its variables are signals of the model, by name or as --mapping says.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["component", "modular", "compositional"])]
    pub(crate) contract: Option<PathBuf>,

    /// The ports of a Simulink model that the variables of the contract are: JSON, as FRET writes it for CoCoSim.
    #[arg(long, value_name = "FILE", requires = "contract")]
    pub(crate) mapping: Option<PathBuf>,

    /// Check every node that has a contract or properties, with the contracts of its callees instead of their bodies.
    #[arg(long, conflicts_with_all = ["component", "node"])]
    pub(crate) modular: bool,

    /// Use the contracts of callees instead of their bodies first, and the bodies where that does not suffice.
    #[arg(long, conflicts_with = "component")]
    pub(crate) compositional: bool,

    /// For each property that does not hold, find out why: whether its condition can be met, whether its response can hold, and
    /// which stronger condition makes it hold.
    #[arg(long)]
    pub(crate) why: bool,

    /// The solver for arithmetic: z3, cvc5 or yices. Booleans, enumerations and machine integers need none.
    #[arg(long, default_value = "z3", value_name = "NAME")]
    pub(crate) solver: String,

    /// The time limit for all properties together.
    #[arg(long, alias = "budget", default_value_t = 60, value_name = "SECONDS")]
    pub(crate) timeout: u64,

    /// Look for runs in doubles that violate what holds for real numbers; always done for Simulink models.
    #[arg(long)]
    pub(crate) doubles: bool,

    /// Show internals in counterexamples too: local variables, callees, memory.
    #[arg(long)]
    pub(crate) inner: bool,

    /// Write each counterexample into this folder: a drawing (SVG), a table (CSV) and a dump (VCD).
    #[arg(long, value_name = "FOLDER")]
    pub(crate) save: Option<PathBuf>,

    /// Show progress on standard error even if it is not a terminal.
    #[arg(long)]
    pub(crate) progress: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// A program in Lustre, in the dialect of Kind 2, or a Simulink model (`.mdl`, `.slx`).
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,

    /// The inputs: CSV, or a list of steps in JSON; `-` is standard input. A model without inputs needs none.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// The number of steps of a model without inputs; by default up to its stop time, and at most 1,000.
    #[arg(long, value_name = "N", conflicts_with = "trace", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: Option<u32>,

    /// The step of a Simulink model in seconds, instead of its own.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) step: Option<f64>,

    /// The part of the model: a node (by default the one marked `--%MAIN`, or the last one), or the path of a Simulink subsystem
    /// (by default the whole model).
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,

    /// A data file (`.mat`, or `.m` with assignments) of a Simulink model; by default those beside the model that belong to it.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Vec<PathBuf>,

    /// A block of a Simulink model, by its path, that is replaced with free inputs: one for each of its outputs; may be given several
    /// times.
    #[arg(long = "abstract", value_name = "PATH")]
    pub(crate) abstracted: Vec<String>,

    /// How real numbers are computed; by default exactly for Lustre and in doubles for Simulink models.
    #[arg(long, value_enum)]
    pub(crate) arithmetic: Option<Arithmetic>,

    /// Show internals too: local variables, callees, memory.
    #[arg(long)]
    pub(crate) inner: bool,

    /// The format of the run.
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: RunFormat,

    /// The file for the run; standard output if there is none or it is `-`.
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
    /// A row for each step, exact; `--trace` reads it back.
    Csv,
    /// A value change dump for waveform viewers.
    Vcd,
    /// A drawing.
    Svg,
}

/// `variable=signal`
pub(super) fn pair(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=').map(|(variable, signal)| (variable.trim(), signal.trim())) {
        None | Some(("", _) | (_, "")) => Err("write VARIABLE=SIGNAL"),
        Some((variable, signal)) => Ok((variable.into(), signal.into())),
    }
}

#[derive(Debug, Args)]
pub(crate) struct Model {
    #[command(subcommand)]
    pub(crate) question: Question,
}

/// What to do with a model.
#[derive(Debug, Subcommand)]
pub(crate) enum Question {
    /// List components and ports with their compiled types, sizes and sample times.
    #[command(after_help = "\
Examples:
  shall model info RollAutopilot.mdl
  shall model info RollAutopilot.slx --data gains.mat --output-format fret-json > ports.json")]
    Info(With<Info, InfoFormat>),
    /// Draw a sheet of a model as its file places it, with the values of a step if a trace is given.
    #[command(after_help = "\
Examples:
  shall model diagram RollAutopilot.mdl -o RollAutopilot.svg
  shall model diagram RollAutopilot.mdl --subsystem \"RollAutopilot/Modes\" --trace run.csv --step 3 -o modes.svg")]
    Diagram(With<Diagram>),
    /// Write a model as a Lustre program for Kind 2, with the requirements of a component as its contract.
    #[command(after_help = "\
Examples:
  shall model lustre RollAutopilot.mdl -o RollAutopilot.lus
  shall model lustre RollAutopilot.mdl --requirements . --component RollAutopilot -o RollAutopilot.lus")]
    Lustre(With<Lustre>),
    /// Write the requirements of a component as Simulink blocks that observe them, alone or inside a model.
    #[command(after_help = "\
Examples:
  shall model observer . --component RollAutopilot -o Observer.mdl
  shall model observer . --component RollAutopilot --model RollAutopilot.mdl -o Observed.mdl")]
    Observer(With<Observer>),
    /// Write a trace as the inputs of a simulation: a table (CSV) or a data file (MAT).
    #[command(after_help = "\
Examples:
  shall verify RollAutopilot.mdl --requirements . --component RollAutopilot --save runs
  shall model harness RollAutopilot.mdl --trace runs/AP-101.csv -o inputs.mat")]
    Harness(With<Harness>),
}

/// A Simulink model, or a part of it.
#[derive(Debug, Args)]
pub(crate) struct ModelPart {
    /// A Simulink model, `.mdl` or `.slx`.
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,

    /// The part of the model: the path of a subsystem; by default the whole model.
    #[arg(long, alias = "system", value_name = "PATH")]
    pub(crate) node: Option<String>,

    /// Data files (`.mat`, or `.m` with assignments) with the variables of the model.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Vec<PathBuf>,

    /// A block of a Simulink model, by its path, that is replaced with free inputs: one for each of its outputs; may be given several
    /// times.
    #[arg(long = "abstract", value_name = "PATH")]
    pub(crate) abstracted: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Lustre {
    #[command(flatten)]
    pub(crate) model: ModelPart,

    /// The project with the requirements.
    #[arg(long, value_name = "PROJECT", requires = "component")]
    pub(crate) requirements: Option<PathBuf>,

    /// The component of the project that the model is.
    #[arg(long, value_name = "NAME", requires = "requirements")]
    pub(crate) component: Option<String>,

    /// A variable of the requirements and the signal of the model that it is; may be given several times.
    #[arg(long, value_name = "VARIABLE=SIGNAL", value_parser = pair, requires = "component")]
    pub(crate) map: Vec<(String, String)>,

    /// The program. A file beside it that ends in `.trace.json` says what its names mean. `-` is standard output, without that file.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) into: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Observer {
    /// The project with the requirements.
    #[arg(value_name = "PROJECT")]
    pub(crate) project: PathBuf,

    /// The component of the project.
    #[arg(long, value_name = "NAME")]
    pub(crate) component: String,

    /// Observe this requirement; may be given several times. By default all of the component.
    #[arg(long = "requirement", value_name = "ID")]
    pub(crate) only: Vec<String>,

    /// Put the observer into this model, connected to its signals.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,

    /// Data files (`.mat`, or `.m` with assignments) with the variables of the model.
    #[arg(long, value_name = "FILE", requires = "model")]
    pub(crate) data: Vec<PathBuf>,

    /// A variable of the requirements and the signal of the model that it is; may be given several times.
    #[arg(long, value_name = "VARIABLE=SIGNAL", value_parser = pair, requires = "model")]
    pub(crate) map: Vec<(String, String)>,

    /// The new model; `-` is standard output.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) into: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Harness {
    #[command(flatten)]
    pub(crate) model: ModelPart,

    /// The trace: CSV, or a list of steps in JSON, with a column for each input; other columns are ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,

    /// The inputs: `.csv`, or `.mat` with the matrix `inputs` (time first) and a matrix of time and value for each input; `-` is
    /// standard output, as CSV.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) into: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Diagram {
    /// A Simulink model, `.mdl` or `.slx`.
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,

    /// The path of the subsystem to draw; by default the root of the model.
    #[arg(long, alias = "node", value_name = "PATH")]
    pub(crate) subsystem: Option<String>,

    /// Data files (`.mat`, or `.m` with assignments) with the variables of the model.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Vec<PathBuf>,

    /// Inputs of the whole model, as for `shall simulate`: lines show the values of a step.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// The step whose values are shown, from 0.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "trace")]
    pub(crate) step: usize,

    /// The drawing (SVG); `-` is standard output. JSON output contains the drawing unless this is given.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
}

/// The formats of a description of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InfoFormat {
    /// Text for people.
    Human,
    /// One JSON document.
    Json,
    /// The JSON document on one line.
    JsonLines,
    /// The model information that FRET imports.
    FretJson,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// A Simulink model, `.mdl` or `.slx`.
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,

    /// Data files (`.mat`, or `.m` with assignments) with the variables of the model; by default those beside the model that are named like it or that
    /// it loads itself.
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Vec<PathBuf>,
}
