//! `shall log info`: what a recorded trace has: signals, types, units, ranges, sampling, gaps and missing values.

use super::eval::traces::{Format, Source, expanded};
use crate::cli::{Log, LogInfo, LogQuestion, Output};
use crate::files::{print_bytes, tell};
use crate::json::{self, List};
use crate::render::visible;
use crate::{Error, Outcome};
use base::counted;
use logic::{RBig, Sort, Value};
use record::clock::written;
use record::csv::Csv;
use record::{Block, Clock, Input, Kind, Reader, Summary, TimeUnit};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// The most names of a column that are listed.
const MAX_NAMES: usize = 20;

pub(crate) fn run(command: &Log) -> Result<Outcome, Error> {
    let LogQuestion::Info(info) = &command.question;
    describe(&info.command, info.output)
}

fn describe(command: &LogInfo, output: Output) -> Result<Outcome, Error> {
    let mut list = List::new(output, "files");
    let mut outcome = Outcome::Fine;
    let mut paths = Vec::new();
    for path in &command.files {
        paths.extend(expanded(path)?);
    }
    for path in &paths {
        let described = match Described::of(path) {
            Ok(described) => described,
            Err(error) if paths.len() > 1 => {
                tell(format_args!("error: {}", visible(&error.to_string())));
                outcome = Outcome::Failure;
                continue;
            }
            Err(error) => return Err(error),
        };
        outcome = outcome.max(described.outcome());
        let mut out = Vec::new();
        let text = output.entry(|| described.human(), || &described);
        list.add(&mut out, &text);
        print_bytes(&out)?;
    }
    list.end().map(|()| outcome)
}

/// What a recorded trace has.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Described {
    /// The file.
    file: String,
    /// The number of steps: one for each row.
    steps: u64,
    /// `CSV`, `VCD`, `MATLAB`, `MCAP`, `ROS 2 bag`, `MDF`, `Arrow` or `Parquet`.
    format: &'static str,
    /// The separator of the columns, in CSV.
    separator: Option<char>,
    /// The decimal point, in CSV.
    decimal_point: Option<char>,
    /// Whether a row of units follows the header, in CSV.
    unit_row: bool,
    /// The column of time, if there is one.
    time: Option<Sampling>,
    /// The columns, in their order.
    signals: Vec<Signal>,
    /// What the file has besides, such as topics whose messages are not understood, and why it is not read.
    left_out: Vec<String>,
    /// Where the file cannot be read further, and why.
    error: Option<String>,
}

/// How a trace is sampled. Times are in the unit of the column, or in seconds since 1970 for dates.
#[derive(Serialize, JsonSchema)]
struct Sampling {
    /// The name of the column.
    column: String,
    /// Its unit: that of the file, or seconds.
    unit: &'static str,
    /// The first time.
    first: String,
    /// The last time.
    last: String,
    /// The usual distance of two steps: the median of the first ones.
    usual: Option<String>,
    /// The shortest distance.
    shortest: Option<String>,
    /// The longest distance.
    longest: Option<String>,
    /// The number of gaps: distances of more than twice the usual one.
    gaps: u64,
    /// The step after the first gap.
    first_gap: Option<u64>,
    /// The first step whose time is not after the one before.
    not_ascending: Option<u64>,
}

/// A column.
#[derive(Serialize, JsonSchema)]
struct Signal {
    /// Its name.
    name: String,
    /// Its unit, if the file says.
    unit: Option<String>,
    /// `bool`, `number` or `enum`.
    kind: &'static str,
    /// The least and the greatest number.
    range: Option<[json::Value; 2]>,
    /// The number of steps at which a Boolean is true.
    trues: Option<u64>,
    /// The names that occur, at most 20.
    names: Option<Vec<String>>,
    /// The number of steps at which the value differs from the one before.
    changes: u64,
    /// The first cell without a value, and why; what is said about the column is true up to there.
    flaw: Option<String>,
}

impl Described {
    fn of(path: &Path) -> Result<Described, Error> {
        let source = Source::of(path)?;
        let wrong = |error: record::Malformed| Error::input(source.name(), error);
        let csv = match source.format() {
            Format::Csv => Some(Csv::open(source.open()?).map_err(wrong)?.head().clone()),
            _ => None,
        };
        let mut reader = source.reader()?;
        let (signals, time, left_out) =
            (reader.signals().to_vec(), reader.time(), reader.left_out().to_vec());
        let mut kinds: Vec<Kind> = signals.iter().map(|signal| kind(signal.sort)).collect();
        let mut read = Read::all(&mut *reader, &kinds);
        // The first rows had 0 and 1 alone, and later ones other numbers.
        let mut again = false;
        for (kind, summary) in kinds.iter_mut().zip(&read.summaries) {
            if *kind == Kind::Truth && summary.flaw.is_some() {
                (*kind, again) = (Kind::Number, true);
            }
        }
        if again {
            read = Read::all(&mut *source.reader()?, &kinds);
        }
        let time = time.map(|time| sampling(&signals[time.column].name, time.unit, &read.clock));
        let signals =
            signals.iter().zip(&read.summaries).map(|(signal, summary)| Signal::of(signal, summary));
        Ok(Described {
            file: path.display().to_string(),
            steps: read.steps,
            format: source.format().name(),
            separator: csv.as_ref().map(|head| head.separator.into()),
            decimal_point: csv.as_ref().map(|head| head.point.into()),
            unit_row: csv.is_some_and(|head| head.has_units),
            time,
            signals: signals.collect(),
            left_out,
            error: read.error,
        })
    }

    /// Inconclusive if something is missing.
    fn outcome(&self) -> Outcome {
        let is_stuck = self.time.as_ref().is_some_and(|time| time.not_ascending.is_some());
        let flawed =
            self.error.is_some() || is_stuck || self.signals.iter().any(|signal| signal.flaw.is_some());
        if flawed { Outcome::Inconclusive } else { Outcome::Fine }
    }

    fn human(&self) -> String {
        let mut out = format!(
            "{}: {}, {}",
            self.file,
            counted(self.steps as usize, "step"),
            counted(self.signals.len(), "signal")
        );
        out += &match self.separator {
            None => format!("; {}", self.format),
            Some('\t') => "; separated by tabs".into(),
            Some(separator) => format!("; separated by `{separator}`"),
        };
        if self.unit_row {
            out += ", with a row of units";
        }
        out = visible(&out) + "\n";
        match &self.time {
            None => out += "  no column of time: one row is one step\n",
            Some(time) => {
                let Sampling {
                    column,
                    unit,
                    first,
                    last,
                    usual,
                    shortest,
                    longest,
                    gaps,
                    first_gap,
                    not_ascending,
                } = time;
                let mut line = format!("  time: `{column}` from {first} to {last} {unit}");
                if let (Some(usual), Some(shortest), Some(longest)) = (usual, shortest, longest) {
                    line += &format!(", usually {usual} apart ({shortest} to {longest})");
                }
                if let Some(step) = first_gap {
                    line += &format!("; {}, the first before step {step}", counted(*gaps as usize, "gap"));
                }
                if let Some(step) = not_ascending {
                    line += &format!("; not ascending at step {step}");
                }
                out += &(visible(&line) + "\n");
            }
        }
        let width =
            self.signals.iter().map(|signal| signal.title().chars().count()).max().unwrap_or(0).min(40);
        for signal in &self.signals {
            out += &(visible(&format!("  {:<width$}  {}", signal.title(), signal.text())) + "\n");
        }
        for what in &self.left_out {
            out += &(visible(&format!("  not read: {what}")) + "\n");
        }
        if let Some(error) = &self.error {
            out += &format!("  not read further: {}\n", visible(error));
        }
        out
    }
}

/// What one pass over a file has found.
struct Read {
    steps: u64,
    clock: Clock,
    summaries: Vec<Summary>,
    error: Option<String>,
}

impl Read {
    fn all(reader: &mut dyn Reader, kinds: &[Kind]) -> Read {
        let mut inputs: Vec<Input> = kinds.iter().map(|&kind| Input { name: String::new(), kind }).collect();
        let mut columns: Vec<Option<usize>> = (0..kinds.len()).map(Some).collect();
        let time = reader.time();
        inputs.extend(time.map(|_| Input { name: String::new(), kind: Kind::Number }));
        columns.extend(time.map(|time| Some(time.column)));
        reader.select(&columns);
        let summaries = kinds.iter().map(|&kind| Summary::new(kind)).collect();
        let mut read = Read { steps: 0, clock: Clock::default(), summaries, error: None };
        let mut block = Block::new(&inputs);
        loop {
            match reader.fill(&mut block) {
                Ok(0) => return read,
                Ok(rows) => {
                    read.steps = block.start + rows as u64;
                    read.summaries.iter_mut().enumerate().for_each(|(at, it)| it.block(&block, at));
                    if time.is_some() {
                        read.clock.block(&block, kinds.len());
                    }
                }
                Err(error) => {
                    read.error = Some(error.to_string());
                    return read;
                }
            }
        }
    }
}

fn kind(sort: Sort) -> Kind {
    match sort {
        Sort::Bool | Sort::Any => Kind::Truth,
        Sort::Int | Sort::Real => Kind::Number,
        Sort::Enum => Kind::Name,
    }
}

fn sampling(column: &str, unit: TimeUnit, clock: &Clock) -> Sampling {
    Sampling {
        column: column.to_owned(),
        unit: unit.words(),
        first: clock.first.map(written).unwrap_or_default(),
        last: clock.last.map(written).unwrap_or_default(),
        usual: clock.usual.map(written),
        shortest: clock.shortest.map(written),
        longest: clock.longest.map(|(longest, _)| written(longest)),
        gaps: clock.gaps,
        first_gap: clock.first_gap.map(|(_, step)| step),
        not_ascending: clock.stuck,
    }
}

impl Signal {
    fn of(signal: &record::Signal, summary: &Summary) -> Signal {
        let value = |number: &RBig| json::Value::from(&Value::Num(number.clone()));
        let is_truth = summary.kind == Kind::Truth;
        Signal {
            name: signal.name.clone(),
            unit: signal.unit.clone(),
            kind: match summary.kind {
                Kind::Truth => "bool",
                Kind::Number => "number",
                Kind::Name => "enum",
            },
            range: summary.range.as_ref().map(|(lo, hi)| [value(lo), value(hi)]),
            trues: is_truth.then_some(summary.trues),
            names: (summary.kind == Kind::Name)
                .then(|| summary.names.iter().take(MAX_NAMES).cloned().collect()),
            changes: summary.changes,
            flaw: summary.flaw.as_ref().map(|flaw| format!("{}: {}", flaw.place, flaw.reason)),
        }
    }

    fn title(&self) -> String {
        self.unit.as_ref().map_or(self.name.clone(), |unit| format!("{} [{unit}]", self.name))
    }

    fn text(&self) -> String {
        let mut out = self.kind.to_owned();
        if let Some([lo, hi]) = &self.range {
            out += &format!(" from {lo} to {hi}");
        }
        if let Some(trues) = self.trues {
            out += &format!(", true at {}", counted(trues as usize, "step"));
        }
        if let Some(names) = &self.names {
            out += &format!(": {}", names.join(", "));
        }
        out += &format!(", {}", counted(self.changes as usize, "change"));
        if let Some(flaw) = &self.flaw {
            out += &format!("; {flaw}");
        }
        out
    }
}
