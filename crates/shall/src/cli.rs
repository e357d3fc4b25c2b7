//! The command line: what can be asked, with examples for each command.
//!
//! A flag means the same in every command: `--timeout` is seconds, `--limit-…` counts, `--node` is a part of a model,
//! `--component` a component of a project, `-o -` standard output. A command lists only the output formats it has.

pub(crate) mod change;
pub(crate) mod check;
pub(crate) mod dfrs;
pub(crate) mod exchange;
pub(crate) mod model;
mod old;
pub(crate) mod realize;
mod sentences;
pub(crate) mod tests;

pub(crate) use old::modern;
pub(crate) use sentences::{
    Compare, End, Engine, Eval, EvalFormat, Explain, Formalize, Known, Log, LogInfo, LogQuestion, Logic, Lsp,
    Meaning, ProjectPath, Sentences, Serve, Spelling, Time, Timeline, VectorFormat, Vectors,
};

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
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
  shall check examples/roll_autopilot
  shall eval --trace run.csv \"whenever p the pump shall always satisfy q\"
  shall compare \"the pump shall always satisfy p > 3\" \"the pump shall always satisfy p > 2\"
  shall verify examples/lustre/counter.lus
  shall export fret-json -o fret_project.json

`shall help COMMAND` has examples for each command.
Exit codes: 0 fine, 1 findings, 2 wrong use or failure, 3 inconclusive."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What people do, and the commands for it, in the order of `--help`.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Write",
        &["init", "new", "explain", "formalize", "timeline", "fmt", "propose", "rename", "lsp", "serve"],
    ),
    ("Check", &["check", "lint", "eval", "watch", "log", "rule"]),
    ("Compare", &["compare", "diff"]),
    (
        "Verify",
        &["realize", "play", "synthesize", "tests", "coverage", "verify", "simulate", "model", "dfrs"],
    ),
    ("Exchange", &["import", "export", "monitor", "report", "vectors"]),
    ("Set up", &["schema", "completions", "man"]),
];

/// The whole command line, with a help text that groups the commands by what people do.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let mut groups = String::new();
    for (title, names) in GROUPS {
        groups += &format!("\n{title}:\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            groups += &format!("  {name:<12} {}\n", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\nOptions:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// A command with the format of its results.
#[derive(Debug, Args)]
pub(crate) struct With<T: Args, F: ValueEnum + Send + Sync + 'static = Output> {
    #[command(flatten)]
    pub(crate) command: T,

    /// How results are written.
    #[arg(long = "output-format", value_enum, default_value = "human", value_name = "FORMAT")]
    pub(crate) output: F,
}

/// The formats of most commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// Text for people.
    Human,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    JsonLines,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a new project with a worked example.
    #[command(after_help = "\
Examples:
  shall init
  shall init pump --name \"Infusion pump\"")]
    Init(With<change::Init>),

    /// Write a new requirement from a template.
    #[command(after_help = "\
Examples:
  shall new P-7 --template within --set component=pump --set \"condition=level > 8\" --set response=alarm
  shall new P-8 --template never --set response=overflow -o requirements.md")]
    New(With<change::New>),

    /// Explain what a sentence means: in words, as a picture, and by example.
    #[command(after_help = "\
Examples:
  shall explain \"in roll_hold mode RollAP shall immediately satisfy ref = 0\"
  shall explain --svg meaning.svg \"when p the pump shall until stop satisfy q\"")]
    Explain(With<Explain>),

    /// Turn sentences into formulas.
    #[command(after_help = "\
Examples:
  shall formalize \"the pump shall always satisfy pressure < 3\"
  shall formalize --logic past --dialect latex \"when p the pump shall eventually satisfy q\"
  shall formalize --step \"100 ms\" \"when p the pump shall within 3 seconds satisfy q\"
  shall formalize --output-format json-lines - < sentences.txt")]
    Formalize(With<Formalize>),

    /// Draw what a formula or sentence allows, as timelines.
    #[command(after_help = "\
A text with the word `shall` is a sentence, any other a temporal formula. Traces are infinite,
unless --finite is given or a formula has only past operators: then it is evaluated at the end of
finite traces. With --hoa only the automaton is printed.

Examples:
  shall timeline \"F a\"
  shall timeline \"when p the pump shall within 3 ticks satisfy q\" -o within.svg
  shall timeline --negate \"G (a & b -> X !b)\"
  shall timeline --against \"G (a -> X b)\" \"G (a -> F b)\"
  shall timeline --regex --stats - < formulas.txt")]
    Timeline(With<Timeline>),

    /// Format documents: sentences, tables of variables, attributes, empty lines.
    #[command(after_help = "\
Only spelling and spacing change, never the meaning; prose stays as it is.

Examples:
  shall fmt
  shall fmt --check
  shall fmt requirements/alarm.md")]
    Fmt(With<change::Fmt>),

    /// Propose sentences for requirements in prose.
    #[command(after_help = "\
Prose with `shall`, `must` or `has to`, after clauses with `when`, `while`, `if` or `where`, is close to a
sentence. Nothing is written unless --apply is given.

Examples:
  shall propose
  shall propose --apply REQ-7 REQ-12")]
    Propose(With<change::Propose>),

    /// Rename a variable, phrase, requirement or component wherever it is used.
    #[command(after_help = "\
Examples:
  shall rename variable ref roll_reference
  shall rename variable speed belt_speed --component Belt
  shall rename phrase 'the door is open' 'the door has opened'
  shall rename requirement AP-003b AP-017 --dry-run
  shall rename component RollAP RollAutopilot")]
    Rename(change::Rename),

    /// Run the language server, which editors start.
    #[command(after_help = "\
It implements the Language Server Protocol over standard input and output. The project is the nearest
`shall.toml` above a document; a document without one is a project of its own.

Example:
  shall lsp")]
    Lsp(Lsp),

    /// Serve the workbench: a page in the browser for sentences, projects, timelines, models and logs.
    #[command(after_help = "\
The first line of the output is the address to open; it contains a token without which nothing is
answered. Only this machine can reach the server unless --listen says otherwise. Without a project
the page is a playground for sentences and formulas.

Examples:
  shall serve
  shall serve examples/roll_autopilot --open
  shall serve --read-only --port 8080")]
    Serve(Serve),

    /// Check a project: sentences, variables, units, ids, parents, traps.
    #[command(after_help = "\
The project is the nearest `shall.toml` at PATH or above it. Findings give the exit code 1, unless
they are warnings and --allow-warnings is given; what could not be decided gives 3 unless
--allow-unknown is given.

Examples:
  shall check
  shall check --fix requirements/
  shall check --set
  shall check --output-format sarif > findings.sarif
  shall check --baseline known.json --write-baseline
  shall check --watch --output-format concise")]
    Check(With<check::Check, check::Format>),

    /// Find traps in sentences: those that can never be violated, never hold, or have parts without effect.
    #[command(after_help = "\
Examples:
  shall lint \"when p the pump shall satisfy q\"
  shall lint --output-format json-lines - < sentences.txt")]
    Lint(With<Sentences>),

    /// Check sentences against a recorded trace.
    #[command(after_help = "\
The trace is a CSV file: a header of names, then one row per step. Cells are 0, 1, true, false,
integers, decimals or names of enumeration values. Steps are counted from 0.

Examples:
  shall eval --trace run.csv \"whenever alarm the pump shall at the next timepoint satisfy !on\"
  shall eval --trace run.csv --meaning oracle --output-format json - < sentences.txt")]
    Eval(With<Eval, EvalFormat>),

    /// Report violations as they happen, on a trace that grows.
    #[command(after_help = "\
Reads CSV from standard input line by line: a header of names, then one row per step. The verdicts are
those of `shall eval` on the same rows.

Examples:
  tail -f -n +1 log.csv | shall watch
  tail -f -n +1 log.csv | shall watch examples/infusion_pump --output-format json-lines")]
    Watch(With<exchange::Watch>),

    /// Inspect recorded traces.
    #[command(after_help = "\
Examples:
  shall log info run.csv")]
    Log(Log),

    /// List the codes of findings, or explain one.
    #[command(after_help = "\
Examples:
  shall rule
  shall rule W0503")]
    Rule(With<check::Rule>),

    /// Compare two requirements or formulas, with traces that tell them apart.
    #[command(after_help = "\
A text with the word `shall` is a sentence, any other a temporal formula. All finite traces
count, or with --infinite all infinite ones.

Examples:
  shall compare \"the pump shall always satisfy p > 3\" \"the pump shall always satisfy p > 2\"
  shall compare \"when p the pump shall immediately satisfy q\" \"H (p & Z !p -> q)\"
  shall compare --infinite \"when p the pump shall eventually satisfy q\" \"G (p -> F q)\"")]
    Compare(With<Compare>),

    /// Compare two versions of a project, by what their requirements mean.
    #[command(after_help = "\
Each requirement is compared with the constants, definitions and step of its own version, and
a changed one comes with a trace that one version allows and the other does not.
Exit code 0: no change in meaning; 1: changes; 3: something could not be decided.

Examples:
  shall diff
  shall diff HEAD~3
  shall diff v1.0..v1.1
  shall diff --output-format json main
  shall diff ../pump-old ../pump-new")]
    Diff(With<change::Diff>),

    /// Judge requirements together: can any implementation satisfy all of them?
    #[command(after_help = "\
The environment chooses the inputs of each step, the component its outputs. Requirements are judged
in groups that share outputs. For a group that no implementation satisfies, the smallest sets of
requirements that conflict are shown, with a play that the component cannot win.

Examples:
  shall realize
  shall realize examples/roll_autopilot --component RollAutopilot
  shall realize --conflicts --reading any-end
  shall realize --questions --timeout 300
  shall realize contract.lus
  shall check --set --output-format sarif > findings.sarif")]
    Realize(With<realize::Realize>),

    /// Play requirements as a game: be the component, its environment, or both.
    #[command(after_help = "\
The environment chooses the inputs of each step, then the component its outputs. Each prompt lists
what the requirements demand now, and which choices lose. What you do not choose is chosen by a
strategy that wins where there is one. Commands: NAME=VALUE, an empty line, auto N, undo, save FILE,
quit. A play in which a requirement is violated gives the exit code 1.

Examples:
  shall play examples/cruise
  shall play --as environment --component AlarmManager
  shall play examples/cruise --script moves.txt --save play.csv
  shall eval --trace play.csv CC-001")]
    Play(With<realize::Play>),

    /// Write a reference controller that satisfies the requirements of a component.
    #[command(after_help = "\
Outputs keep their values where the requirements allow it. For each output, what the requirements
leave open is printed with an example. In Lustre, each group of requirements that share outputs
becomes a node; the requirements are its properties, so that `shall verify` proves them again.

Examples:
  shall synthesize examples/infusion_pump --component BatteryMonitor --to table
  shall synthesize examples/infusion_pump --component BatteryMonitor --to c -o battery.c
  shall synthesize examples/infusion_pump --component BatteryMonitor -o battery.lus
  shall verify battery.lus --node BatteryMonitor_1")]
    Synthesize(realize::Synthesize),

    /// Make tests for everything that requirements say, or prove that it cannot happen.
    #[command(after_help = "\
A test is a run that satisfies all requirements of a group that shares outputs. Whether a system under
test is right is for the requirements to say, after each step: it may choose other outputs than the test.
What no test shows is unreachable, with the requirements that forbid it, or unknown (exit code 3).

Examples:
  shall tests
  shall tests examples/infusion_pump --component AlarmManager -o tests
  shall tests --criterion moments --criterion decisions
  shall tests --output-format json > tests.json")]
    Tests(With<tests::Tests>),

    /// Say what recorded traces show of what tests must show, and which tests would show the rest.
    #[command(after_help = "\
A trace is a CSV, VCD or MATLAB file with a column for each variable, as for `shall eval`.

Examples:
  shall coverage --trace run.csv
  shall coverage examples/infusion_pump --component AlarmManager --trace logs/")]
    Coverage(With<tests::Coverage>),

    /// Verify the properties of a model, or requirements on it, for every run.
    #[command(after_help = "\
`valid` comes with a certificate that a separate checker has verified, `invalid` with a
counterexample that was replayed; everything else is not decided (exit code 3), with the reason.

With --component, the requirements of that component of a project are checked instead. Its
variables are signals of the model: of the same name, or as --map or the project file says.
With --sentence, FRETish sentences about signals of the model are checked instead.

Examples:
  shall verify examples/lustre/counter.lus
  shall verify --requirements examples/cruise --component Cruise
  shall verify examples/cruise/cruise.lus --requirements examples/cruise --component Cruise --requirement CC-004 --why
  shall verify examples/dfrs/vending_machine_5.req \\
    --sentence \"the machine shall always satisfy system_mode = idle | system_mode = choice\"
  shall verify --inner --save counterexamples examples/lustre/counter.lus
  shall verify --modular examples/cruise/cruise.lus")]
    Verify(With<model::Verify>),

    /// Run a model on given inputs.
    #[command(after_help = "\
Inputs are given by name, with a row of the CSV file (or an object of the JSON list) for each step.
Columns of outputs and internals are ignored, except the initial values of memory that has no other.
Exit code 1: a property fails; 3: a property has no value.

Examples:
  shall simulate examples/lustre/counter.lus --trace examples/lustre/counter.csv
  shall simulate examples/lustre/counter.lus --trace examples/lustre/counter.csv --format svg -o run.svg")]
    Simulate(With<model::Simulate>),

    /// Inspect a Simulink model, or write files made from it.
    #[command(after_help = "\
Examples:
  shall model info examples/simulink/RollAutopilot.mdl
  shall model info --output-format fret-json autopilot.slx --data parameters.mat > model.json")]
    Model(model::Model),

    /// Work with requirements in controlled English: model, check, animate and test them.
    #[command(after_help = "\
Examples:
  shall dfrs check examples/dfrs/turn_indicator.req
  shall dfrs animate examples/dfrs/vending_machine_5.req")]
    Dfrs(dfrs::Dfrs),

    /// Import requirements of other tools into the project, matched by id.
    #[command(after_help = "\
Without a project in this folder or above it, a new one is made here. Requirements are matched by id:
those that the file does not mention stay, and those that did not change are not touched.

Examples:
  shall import fret_project.json
  shall import --dry-run changed.xlsx
  shall import specification.reqifz")]
    Import(With<exchange::Import>),

    /// Export the project for other tools.
    #[command(after_help = "\
A sheet or ReqIF document that exists is updated: only what changed is rewritten.

Examples:
  shall export fret-json -o fret_project.json
  shall export cocospec -o contracts.lus
  shall export xlsx -o review.xlsx")]
    Export(With<exchange::Export>),

    /// Write monitors that run without shall: in C, Rust, Python, SQL, or for tools.
    #[command(after_help = "\
A monitor has one step function for all requirements, and a state of constant size. C is C99 without
heap, Rust needs no standard library, Python no packages. Requirements that look ahead are left out.

Examples:
  shall monitor --to c -o monitor.c
  shall monitor examples/infusion_pump --component AlarmManager --to rust -o alarm.rs
  shall monitor --to c \"when p the pump shall within 3 ticks satisfy q\"
  shall monitor --to sql --dialect spark --table fleet.logs --run vin --order t")]
    Monitor(With<exchange::Monitor>),

    /// Write the project as one HTML file: meanings, drawings, formulas, variables, traceability, findings.
    #[command(after_help = "\
Example:
  shall report examples/roll_autopilot -o report.html")]
    Report(With<exchange::Report>),

    /// Write test traces with expected verdicts for all templates, for other tools to replay.
    #[command(after_help = "\
The verdicts are those of the definitions, and every formula is checked to agree with them.
Boundary settings are written unless only random ones are requested. SMV has a file for each
setting, and Lustre several: they go into the folder that -o names, which must be new or empty.

Examples:
  shall vectors -o vectors.csv
  shall vectors --format json --key in,regular,within --length 6 --steps 2
  shall vectors --random 1000 --seed 7 --length 12
  shall vectors --format smv --limit-settings 1 --key \"*,null,always\"
  shall vectors --format smv-equivalence --length 10 -o equivalence.smv
  shall vectors --format lustre --limit-settings 20 -o replay")]
    Vectors(With<Vectors>),

    /// Print the JSON Schema of a command's JSON output, or of the project file.
    #[command(after_help = "\
Examples:
  shall schema config > shall.schema.json
  shall schema check
  shall schema dfrs test")]
    Schema(Schema),

    /// Print completions for a shell.
    #[command(after_help = "\
Examples:
  shall completions bash > ~/.local/share/bash-completion/completions/shall
  shall completions zsh > ~/.zfunc/_shall
  shall completions fish > ~/.config/fish/completions/shall.fish
  shall completions powershell >> $PROFILE")]
    Completions(Completions),

    /// Print the manual page, or write one for each command into a folder.
    #[command(after_help = "\
Examples:
  shall man | man -l -
  shall man --out ~/.local/share/man/man1")]
    Man(Man),
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// A command that writes JSON, such as `check` or `dfrs test`; or `config`, the project file, which is the default.
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder for the pages `shall.1`, `shall-check.1` and so on; `-` is standard output, for `shall.1` alone.
    #[arg(short = 'o', long = "out", value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}
