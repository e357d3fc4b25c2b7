//! The command line: what can be asked, with an example for each.

pub(crate) mod change;
pub(crate) mod check;
pub(crate) mod dfrs;
pub(crate) mod exchange;
pub(crate) mod model;
mod sentences;

pub(crate) use sentences::{
    Compare, End, Eval, Explain, Formalize, Known, Lint, Logic, Lsp, Meaning, Sentences, Spelling, Timeline,
    VectorFormat, Vectors,
};

use clap::{Parser, Subcommand, ValueEnum};

/// Requirements that mean exactly one thing.
#[derive(Debug, Parser)]
#[command(
    name = "shall",
    version,
    about,
    max_term_width = 100,
    after_help = "\
Examples:
  shall explain \"in roll_hold mode RollAP shall immediately satisfy ref = 0\"
  shall formalize --dialect unicode \"when p the pump shall within 3 ticks satisfy q\"
  shall formalize --output-format json-lines - < sentences.txt
  shall eval --trace run.csv \"whenever p the pump shall always satisfy q\"
  shall timeline \"G (a & b -> X !b)\"
  shall check examples/roll_autopilot
  shall verify examples/lustre/counter.lus
  shall dfrs check examples/dfrs/turn_indicator.req

Exit codes: 0 fine, 1 findings, 2 wrong use or failure, 3 inconclusive."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// How results are written: for people, as one JSON document, or as one JSON object per line; `check` knows more.
    #[arg(long = "output-format", value_enum, default_value = "human", global = true, value_name = "FORMAT")]
    pub(crate) output: Format,
}

/// How results can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
    JsonLines,
    /// `check` only: one finding a line.
    Concise,
    /// `check` only: SARIF 2.1.0.
    Sarif,
    /// `check` only: JUnit XML, a case for each requirement.
    Junit,
    /// `check` only: annotations of GitHub.
    Github,
    /// `model info` only: the model information that FRET imports.
    FretJson,
}

/// The formats that all commands write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Human,
    Json,
    JsonLines,
}

impl Format {
    /// The format if all commands write it; others are for `check`.
    pub(crate) fn plain(self, command: &Command) -> Result<Output, String> {
        match self {
            Format::Human => Ok(Output::Human),
            Format::Json => Ok(Output::Json),
            Format::JsonLines => Ok(Output::JsonLines),
            Format::FretJson => match command {
                Command::Model(_) => Ok(Output::Human),
                _ => Err("only `shall model info` writes this format".into()),
            },
            Format::Concise | Format::Sarif | Format::Junit | Format::Github => match command {
                Command::Check(_) => Ok(Output::Human),
                _ => {
                    Err("only `shall check` writes this format; others write human, json and json-lines"
                        .into())
                }
            },
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Turn sentences into formulas.
    #[command(after_help = "\
Examples:
  shall formalize \"the pump shall always satisfy pressure < 3\"
  shall formalize --logic past --dialect latex \"when p the pump shall eventually satisfy q\"
  shall formalize --step \"100 ms\" \"when p the pump shall within 3 seconds satisfy q\"
  shall formalize --output-format json-lines - < sentences.txt")]
    Formalize(Formalize),

    /// Say what a sentence means: in words, as a picture, and by example.
    #[command(after_help = "\
Examples:
  shall explain \"in roll_hold mode RollAP shall immediately satisfy ref = 0\"
  shall explain --svg meaning.svg \"when p the pump shall until stop satisfy q\"")]
    Explain(Explain),

    /// Say how two requirements or formulas relate, with traces that tell them apart.
    #[command(after_help = "\
A text with the word `shall` is a sentence, any other a temporal formula. All finite traces
count, or with --infinite all infinite ones.

Examples:
  shall compare \"the pump shall always satisfy p > 3\" \"the pump shall always satisfy p > 2\"
  shall compare \"when p the pump shall immediately satisfy q\" \"H (p & Z !p -> q)\"
  shall compare --infinite \"when p the pump shall eventually satisfy q\" \"G (p -> F q)\"")]
    Compare(Compare),

    /// Draw what a formula or sentence allows, as lines of time.
    #[command(after_help = "\
A text with the word `shall` is a sentence, any other a temporal formula. Time goes on for
ever, unless --finite is given or a formula speaks of the past alone: then it is asked at the end of
traces that end. With --hoa only the automaton is printed.

Examples:
  shall timeline \"F a\"
  shall timeline \"when p the pump shall within 3 ticks satisfy q\" -o within.svg
  shall timeline --negate \"G (a & b -> X !b)\"
  shall timeline --against \"G (a -> X b)\" \"G (a -> F b)\"
  shall timeline --regex --stats - < formulas.txt")]
    Timeline(Timeline),

    /// Requirements in controlled English as a timed model: show, check, run and test it.
    #[command(after_help = "\
Examples:
  shall dfrs check examples/dfrs/turn_indicator.req
  shall dfrs animate examples/dfrs/vending_machine_5.req")]
    Dfrs(dfrs::Dfrs),

    /// Find traps in sentences: what can never be violated, never hold, or makes no difference.
    #[command(after_help = "\
Examples:
  shall lint \"when p the pump shall satisfy q\"
  shall lint --output-format json-lines - < sentences.txt")]
    Lint(Lint),

    /// Bring requirements of other tools into the project, matched by id.
    #[command(after_help = "\
Without a project in this folder or above it, a new one is made here. Requirements are matched by id:
what the file does not mention stays, and what it says already is not touched.

Examples:
  shall import fret_project.json
  shall import --dry-run changed.xlsx
  shall import specification.reqifz")]
    Import(exchange::Import),

    /// Write the project for other tools.
    #[command(after_help = "\
A sheet or ReqIF document that is there is updated: only what changed is rewritten.

Examples:
  shall export fret-json -o fret_project.json
  shall export cocospec -o contracts.lus
  shall export xlsx -o review.xlsx")]
    Export(exchange::Export),

    /// Write the project as one HTML file: meanings, drawings, formulas, variables, traces, findings.
    #[command(after_help = "\
Example:
  shall report examples/roll_autopilot -o report.html")]
    Report(exchange::Report),
    /// Decide the properties of a model in Lustre, for every run.
    #[command(after_help = "\
Valid comes with a certificate that a separate checker has re-verified, invalid with a run that was
replayed, everything else is not decided (exit code 3), with the reason.

With --component, the requirements of that component of a project are checked instead. Its
variables are signals of the node: of the same name, or as --map or the project file says.

Examples:
  shall verify examples/lustre/counter.lus
  shall verify --requirements examples/cruise --component Cruise
  shall verify examples/cruise/cruise.lus --requirements examples/cruise --component Cruise --requirement CC-004 --why
  shall verify --inner --save counterexamples examples/lustre/counter.lus
  shall verify --modular examples/cruise/cruise.lus")]
    Verify(model::Verify),

    /// Run a model in Lustre on given inputs.
    #[command(after_help = "\
Inputs come by their names, a row of the CSV file (or an object of the JSON list) for each step.
Columns of outputs and internals are not read, except the first values of memory that has no other.
Exit code 1: a property fails; 3: a property has no value.

Examples:
  shall simulate examples/lustre/counter.lus --trace examples/lustre/counter.csv
  shall simulate examples/lustre/counter.lus --trace examples/lustre/counter.csv --format svg -o run.svg")]
    Simulate(model::Simulate),

    /// Say what a Simulink model is: components, ports, types, sizes, sample times.
    #[command(after_help = "\
Examples:
  shall model info examples/simulink/RollAutopilot.mdl
  shall model info --output-format fret-json autopilot.slx --data parameters.mat > model.json")]
    Model(model::Model),

    /// Serve an editor: findings as you type, completion, hovers, renaming, over standard input and output.
    #[command(after_help = "\
The editor starts it; the protocol is the Language Server Protocol. The project is the nearest
`shall.toml` above a document; a document without one is a project of its own.

Examples:
  shall lsp")]
    Lsp(Lsp),

    /// Check sentences against a recorded trace.
    #[command(after_help = "\
The trace is a CSV file: a header of names, then one row per step. Cells are 0, 1, true, false,
integers, decimals or names of enumeration values. Steps are counted from 0.

Examples:
  shall eval --trace run.csv \"whenever alarm the pump shall at the next timepoint satisfy !on\"
  shall eval --trace run.csv --meaning oracle --output-format json - < sentences.txt")]
    Eval(Eval),

    /// Write test traces with expected verdicts for all templates, for other tools to replay.
    #[command(after_help = "\
The verdicts are those of the definitions, and all formulas are made sure to agree with them.
Boundary settings are written unless only random ones are asked for. SMV has a file for each
setting, and Lustre several: they go into the folder that -o names, which must be new or empty.

Examples:
  shall vectors -o vectors.csv
  shall vectors --format json --key in,regular,within --length 6 --steps 2
  shall vectors --random 1000 --seed 7 --length 12
  shall vectors --format smv --max 1 --key \"*,null,always\"
  shall vectors --format smv-equivalence --length 10 -o equivalence.smv
  shall vectors --format lustre --max 20 -o replay")]
    Vectors(Vectors),

    /// Make a new project with a worked example.
    #[command(after_help = "\
Examples:
  shall init
  shall init pump --name \"Infusion pump\"")]
    Init(change::Init),

    /// Bring documents into normal form: sentences, tables of variables, attributes, empty lines.
    #[command(after_help = "\
Only spelling and spacing change, never what is meant; prose stays as it is.

Examples:
  shall fmt
  shall fmt --check
  shall fmt requirements/alarm.md")]
    Fmt(change::Fmt),

    /// Give a variable, requirement or component a new name, wherever it is used.
    #[command(after_help = "\
Examples:
  shall rename variable ref roll_reference
  shall rename variable speed belt_speed --component Belt
  shall rename requirement AP-003b AP-017 --dry-run
  shall rename component RollAP RollAutopilot")]
    Rename(change::Rename),

    /// Say what changed between two versions of a project, and what that means.
    #[command(after_help = "\
Each requirement is compared with the constants, definitions and step of its own version, and
what changed comes with a trace that one version allows and the other does not.
Exit code 0: no change in meaning; 1: changes; 3: something could not be decided.

Examples:
  shall diff
  shall diff HEAD~3
  shall diff v1.0..v1.1
  shall diff --output-format json main
  shall diff ../pump-old ../pump-new")]
    Diff(change::Diff),
    /// Find everything that is wrong in a project: sentences, variables, units, ids, parents, traps.
    #[command(after_help = "\
The project is the nearest `shall.toml` at PATH or above it. Findings give the exit code 1, unless
they are warnings and --allow-warnings is given; what could not be decided gives 3 unless
--allow-unknown is given.

Examples:
  shall check
  shall check --fix requirements/
  shall check --output-format sarif > findings.sarif
  shall check --baseline known.json --write-baseline
  shall check --watch --output-format concise")]
    Check(check::Check),

    /// List the codes of findings, or explain one.
    #[command(after_help = "\
Examples:
  shall rule
  shall rule W0503")]
    Rule(check::Rule),

    /// Print the JSON schema of the project file.
    Schema,
}
