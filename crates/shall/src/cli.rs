//! The command line: what can be asked, with an example for each.

pub(crate) mod change;
pub(crate) mod check;
pub(crate) mod dfrs;
pub(crate) mod exchange;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

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

/// What to read.
/// The language server has no options of its own.
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Speak over standard input and output, as it does anyway; many editors say so.
    #[arg(long)]
    #[allow(dead_code)]
    stdio: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Sentences {
    /// FRETish sentences, or `-` to read one per line from standard input.
    #[arg(required = true, value_name = "SENTENCE")]
    pub(crate) sentences: Vec<String>,

    #[command(flatten)]
    pub(crate) known: Known,
}

/// What is known about time and constants.
#[derive(Debug, Args)]
pub(crate) struct Known {
    /// How long a step takes, such as `100 ms`; without it one unit of time is read as one step.
    #[arg(long, value_name = "DURATION")]
    pub(crate) step: Option<String>,

    /// The value of a named constant; may be given several times.
    #[arg(long = "const", value_name = "NAME=NUMBER")]
    pub(crate) constants: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Formalize {
    #[command(flatten)]
    pub(crate) input: Sentences,

    /// Which formulas.
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) logic: Logic,

    /// How formulas are spelled.
    #[arg(long, value_enum, default_value = "smv")]
    pub(crate) dialect: Spelling,

    /// How the finite future formula knows the end of the trace.
    #[arg(long, value_enum, default_value = "last")]
    pub(crate) end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Logic {
    /// True at the last point of a finite trace.
    Past,
    /// True at the first point of a finite trace.
    Future,
    /// True at the first point of an infinite trace.
    FutureInfinite,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Spelling {
    /// NuSMV and nuXmv.
    Smv,
    /// Mathematical symbols.
    Unicode,
    Latex,
    Spot,
    /// Our own, with bounds on every operator.
    Shall,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum End {
    /// By the proposition LAST, true at the last point.
    Last,
    /// By weak next (N), true at the last point whatever follows it.
    WeakNext,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) input: Sentences,

    /// Also draw the meaning into this SVG file (one sentence only).
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Draw with plain ASCII characters.
    #[arg(long)]
    pub(crate) ascii: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// A sentence or formula.
    pub(crate) a: String,

    /// Another one.
    pub(crate) b: String,

    /// Compare on traces that go on for ever instead of traces that end.
    #[arg(long)]
    pub(crate) infinite: bool,

    #[command(flatten)]
    pub(crate) known: Known,
}

#[derive(Debug, Args)]
pub(crate) struct Timeline {
    /// Formulas or sentences, or `-` to read one per line from standard input.
    #[arg(required = true, value_name = "FORMULA|SENTENCE")]
    pub(crate) texts: Vec<String>,

    /// Traces that end.
    #[arg(long)]
    pub(crate) finite: bool,

    /// Draw what violates it instead.
    #[arg(long)]
    pub(crate) negate: bool,

    /// Draw what one allows and the other does not, both ways.
    #[arg(long, value_name = "OTHER", conflicts_with = "negate")]
    pub(crate) against: Option<String>,

    /// Print the regular expression instead of the picture.
    #[arg(long)]
    pub(crate) regex: bool,

    /// Print the automaton in the HOA format instead of the picture.
    #[arg(long, conflicts_with = "regex")]
    pub(crate) hoa: bool,

    /// Print sizes as well.
    #[arg(long)]
    pub(crate) stats: bool,

    /// Write the picture to a file: .svg, .png, .dot, .tex or .txt; or the automaton: .hoa.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// How long to search for a smaller picture, roughly: the same number always gives the same picture.
    #[arg(long, value_name = "SECONDS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub(crate) budget: u32,

    /// Draw with plain letters.
    #[arg(long)]
    pub(crate) ascii: bool,

    #[command(flatten)]
    pub(crate) known: Known,
}

#[derive(Debug, Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) input: Sentences,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    #[command(flatten)]
    pub(crate) input: Sentences,

    /// The trace, a CSV file; `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,

    /// Which meaning decides; with `all` they must agree.
    #[arg(long, value_enum, default_value = "all")]
    pub(crate) meaning: Meaning,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Meaning {
    /// The definitions, interval by interval.
    Oracle,
    /// The past-time formula.
    Past,
    /// The future-time formulas for finite traces.
    Future,
    All,
}

#[derive(Debug, Args)]
pub(crate) struct Vectors {
    /// What is written; CSV unless `--output-format` asks for JSON.
    #[arg(long, value_enum)]
    pub(crate) format: Option<VectorFormat>,

    /// Write settings with boundary values, also beside random ones.
    #[arg(long)]
    pub(crate) boundary: bool,

    /// Write this many random settings.
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<usize>,

    /// Where the random settings begin: equal seeds give equal settings.
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random")]
    pub(crate) seed: u64,

    /// The number of positions of each trace.
    #[arg(long, value_name = "L", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) length: u16,

    /// The duration n of `within`, `for` and `after`: 3 unless given. Boundary settings also use those around nothing and
    /// the length; random ones draw theirs unless it is given.
    #[arg(long, value_name = "n", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub(crate) steps: Option<u64>,

    /// The most boundary settings; a smaller number still spreads over all relations of the signals.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max: usize,

    /// Only templates with this key, such as `in,regular,within`; `*` stands for any part. May be given several times.
    #[arg(long = "key", value_name = "KEY")]
    pub(crate) keys: Vec<String>,

    /// The file to write, or the folder for several files.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VectorFormat {
    /// One row per setting and template.
    Csv,
    /// One object per setting.
    Json,
    /// A model for NuSMV and nuXmv per setting.
    Smv,
    /// A model of all traces, on which past and future must be equivalent.
    SmvEquivalence,
    /// Monitors for Kind 2, with its inputs for each setting; always a folder.
    Lustre,
}
