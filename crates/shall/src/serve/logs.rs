//! Recorded traces as pictures. A log is read once, in the background and in constant memory; a window of it then comes from the extents
//! that are kept, or from the file where it is so small that single steps show.

use super::work::known;
use super::workbench::refusal;
use crate::Error;
use crate::commands::eval::traces::Source;
use ::serve::{Kind, Refusal};
use logic::Sort;
use record::overview::gather;
use record::{Block, Extent, Input, Malformed, Marks, Overview};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::SystemTime;

/// The most logs that are kept.
const MAX_LOGS: usize = 4;
/// The most bytes of the extents of a log.
const MAX_BYTES: usize = 64 << 20;
/// The most extents of a signal.
const MAX_EXTENTS: usize = 1 << 20;
/// The most columns of a window.
const MAX_COLUMNS: usize = 1 << 12;
/// The most steps of a window that are read from the file.
const MAX_STEPS: u64 = 1 << 22;

/// The logs that were asked for last.
#[derive(Default)]
pub(super) struct Logs(Mutex<Vec<Arc<Log>>>);

/// A log, as far as it has been read.
struct Log {
    path: PathBuf,
    version: Version,
    /// Nobody needs it any more.
    is_stopped: AtomicBool,
    read: RwLock<Read>,
}

type Version = (Option<SystemTime>, u64);

#[derive(Default)]
struct Read {
    signals: Vec<Signal>,
    time: Option<Time>,
    steps: u64,
    marks: Marks,
    is_done: bool,
    error: Option<String>,
}

struct Signal {
    name: String,
    unit: Option<String>,
    sort: Sort,
    overview: Overview,
    names: Vec<String>,
    flaw: Option<String>,
}

/// A log of the project.
#[derive(Deserialize)]
pub(super) struct Named {
    file: String,
}

/// A part of a log: `count` columns of `per` steps each.
#[derive(Deserialize)]
pub(super) struct Window {
    file: String,
    /// The numbers of the signals.
    signals: Vec<usize>,
    /// The first step, a multiple of `per`.
    from: u64,
    /// A power of two.
    per: u64,
    count: usize,
}

/// What is known about a log.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Waveform<'l> {
    /// The steps that have been read.
    steps: u64,
    /// Whether these are all.
    done: bool,
    /// Why it cannot be read further.
    error: Option<&'l str>,
    /// The time, if there is one.
    time: Option<Time>,
    /// The signals, in their order.
    signals: Vec<WaveSignal<'l>>,
}

/// The signal that is the time.
#[derive(Serialize, JsonSchema, Clone, Copy)]
struct Time {
    /// Its number.
    signal: usize,
    /// Its unit.
    unit: &'static str,
}

/// A signal of a log.
#[derive(Serialize, JsonSchema)]
struct WaveSignal<'l> {
    /// Its name.
    name: &'l str,
    /// Its unit, if the file says.
    unit: Option<&'l str>,
    /// `bool`, `number` or `enum`.
    kind: &'static str,
    /// The names of an enumeration; its values are their numbers.
    names: &'l [String],
    /// The least and the greatest value.
    range: Option<[f64; 2]>,
    /// The first cell without a value, and why.
    flaw: Option<&'l str>,
}

/// A part of a log.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Extents {
    /// For each signal two lists: the least and the greatest value of each column, `null` where there is none.
    extents: Vec<[Vec<Option<f64>>; 2]>,
}

impl Logs {
    /// What a log has, as far as it has been read.
    pub(super) fn waveform(&self, root: &Path, asked: &Named) -> Result<Json, Refusal> {
        let log = self.log(root, &asked.file)?;
        let read = log.read();
        Ok(json!(Waveform {
            steps: read.steps,
            done: read.is_done,
            error: read.error.as_deref(),
            time: read.time,
            signals: read.signals.iter().map(Signal::drawn).collect(),
        }))
    }

    /// The extents of a window: for each signal the least and the greatest values, `null` where there are none.
    pub(super) fn extents(&self, root: &Path, asked: &Window) -> Result<Json, Refusal> {
        let Window { per, from, count, .. } = *asked;
        let is_aligned = per.is_power_of_two() && from.is_multiple_of(per);
        let end = per.checked_mul(count as u64 + 1).and_then(|length| from.checked_add(length));
        if !is_aligned || count > MAX_COLUMNS || end.is_none() {
            let reason = format!("a window has at most {MAX_COLUMNS} columns of 2^n steps");
            return Err(Refusal::new(Kind::Malformed, reason));
        }
        let log = self.log(root, &asked.file)?;
        let read = log.read();
        let chosen: Option<Vec<&Signal>> = asked.signals.iter().map(|at| read.signals.get(*at)).collect();
        let chosen = chosen.ok_or_else(|| Refusal::new(Kind::Missing, "there is no such signal"))?;
        let is_kept = chosen.iter().all(|signal| signal.overview.span() <= per);
        let extents: Vec<Vec<Extent>> = match is_kept {
            true => chosen.iter().map(|signal| signal.overview.window(from, per, count)).collect(),
            false => {
                let names: Vec<Vec<String>> = chosen.iter().map(|signal| signal.names.clone()).collect();
                let mark = read.marks.before(from);
                let inputs: Vec<Input> = chosen.iter().map(|signal| signal.input()).collect();
                drop(read);
                log.read_window(asked, &inputs, &names, mark)?
            }
        };
        let value = |number: f64| number.is_finite().then_some(number);
        let shown = |all: &Vec<Extent>| {
            let least = all.iter().map(|it| value(it.least)).collect();
            [least, all.iter().map(|it| value(it.greatest)).collect()]
        };
        Ok(json!(Extents { extents: extents.iter().map(shown).collect() }))
    }

    /// A log as it is on disk now; one that is not known begins to be read.
    fn log(&self, root: &Path, file: &str) -> Result<Arc<Log>, Refusal> {
        known(root, file)?;
        let path = root.join(file);
        let about = fs::metadata(&path).map_err(Error::read(&path)).map_err(refusal)?;
        let version = (about.modified().ok(), about.len());
        let mut logs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let log = match logs.iter().position(|log| log.path == path && log.version == version) {
            Some(at) => logs.remove(at),
            None => Log::begin(path, version),
        };
        logs.retain(|other| other.path != log.path || other.stop());
        if logs.len() == MAX_LOGS {
            logs.remove(0).stop();
        }
        logs.push(log.clone());
        Ok(log)
    }
}

impl Log {
    fn begin(path: PathBuf, version: Version) -> Arc<Log> {
        let log =
            Arc::new(Log { path, version, is_stopped: AtomicBool::new(false), read: RwLock::default() });
        thread::spawn({
            let log = log.clone();
            move || {
                let error = log.read_all().err().map(|error| error.to_string());
                let mut read = log.change();
                (read.is_done, read.error) = (true, error);
            }
        });
        log
    }

    fn read(&self) -> RwLockReadGuard<'_, Read> {
        self.read.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self) -> RwLockWriteGuard<'_, Read> {
        self.read.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the reading; returns that it is not kept.
    fn stop(&self) -> bool {
        self.is_stopped.store(true, Ordering::Relaxed);
        false
    }

    fn read_all(&self) -> Result<(), Error> {
        let source = Source::of(&self.path)?;
        let wrong = |error: Malformed| Error::input(source.name(), error);
        let mut reader = source.reader()?;
        let known = reader.signals().to_vec();
        let most = (MAX_BYTES / size_of::<Extent>() / known.len().max(1)).clamp(2, MAX_EXTENTS);
        let signal = |it: &record::Signal| Signal {
            name: it.name.clone(),
            unit: it.unit.clone(),
            sort: it.sort,
            overview: Overview::new(most),
            names: Vec::new(),
            flaw: None,
        };
        let signals: Vec<Signal> = known.iter().map(signal).collect();
        let inputs: Vec<Input> = signals.iter().map(Signal::input).collect();
        let time = reader.time().map(|time| Time { signal: time.column, unit: time.unit.words() });
        {
            let mut read = self.change();
            (read.signals, read.time) = (signals, time);
        }
        reader.select(&(0..inputs.len()).map(Some).collect::<Vec<_>>());
        let mut block = Block::new(&inputs);
        while !self.is_stopped.load(Ordering::Relaxed) {
            let mark = reader.mark(&block);
            if reader.fill(&mut block).map_err(wrong)? == 0 {
                break;
            }
            let mut read = self.change();
            mark.into_iter().for_each(|mark| read.marks.push(mark));
            read.steps = block.start + block.rows as u64;
            for (at, signal) in read.signals.iter_mut().enumerate() {
                signal.overview.block(&block, at);
                let column = &mut block.columns[at];
                // A cell without a value does not hide those of the following blocks.
                if let Some(flaw) = column.flaw.take() {
                    signal.flaw.get_or_insert_with(|| format!("{}: {}", flaw.place, flaw.reason));
                }
                if signal.names.len() < column.names().len() {
                    signal.names = column.names().to_vec();
                }
            }
        }
        Ok(())
    }

    /// The extents of a window, from the file.
    fn read_window(
        &self,
        window: &Window,
        inputs: &[Input],
        names: &[Vec<String>],
        mark: Option<record::Mark>,
    ) -> Result<Vec<Vec<Extent>>, Refusal> {
        let Window { from, per, count, .. } = *window;
        let end = from + per * count as u64;
        if end - from > MAX_STEPS {
            return Err(Refusal::new(Kind::Malformed, format!("a window has at most {MAX_STEPS} steps")));
        }
        let source = Source::of(&self.path).map_err(refusal)?;
        let wrong = |error: Malformed| refusal(Error::input(source.name(), error));
        let mut reader = source.reader().map_err(refusal)?;
        reader.select(&window.signals.iter().copied().map(Some).collect::<Vec<_>>());
        let mut block = Block::new(inputs);
        if let Some(mark) = mark {
            reader.go_to(mark, &mut block).map_err(wrong)?;
        }
        let mut extents = vec![vec![Extent::NONE; count]; inputs.len()];
        while block.start + (block.rows as u64) < end {
            match reader.fill(&mut block) {
                Ok(0) => break,
                Ok(_) => {}
                // The steps before are drawn; the log says what is wrong.
                Err(_) => break,
            }
            for (at, extents) in extents.iter_mut().enumerate() {
                let column = &block.columns[at];
                // Names are numbered as they come, here and when the whole file was read.
                let numbers: Vec<f64> = (column.names().iter())
                    .map(|name| names[at].iter().position(|known| known == name).unwrap_or(0) as f64)
                    .collect();
                let number = |row: usize| match column.approximate(row) {
                    index if numbers.is_empty() => index,
                    index => numbers.get(index as usize).copied().unwrap_or(index),
                };
                gather(extents, from, per, &block, column, number);
                block.columns[at].flaw = None;
            }
        }
        Ok(extents)
    }
}

impl Signal {
    /// How it is read: what may be a Boolean or a number is a number.
    fn input(&self) -> Input {
        let kind = match self.sort {
            Sort::Bool => record::Kind::Truth,
            Sort::Any | Sort::Int | Sort::Real => record::Kind::Number,
            Sort::Enum => record::Kind::Name,
        };
        Input { name: self.name.clone(), kind }
    }

    fn drawn(&self) -> WaveSignal<'_> {
        let Extent { least, greatest } = self.overview.whole();
        let is_bits = self.sort == Sort::Any && least >= 0.0 && greatest <= 1.0;
        WaveSignal {
            name: &self.name,
            unit: self.unit.as_deref(),
            kind: match self.sort {
                Sort::Bool => "bool",
                Sort::Any if is_bits => "bool",
                Sort::Any | Sort::Int | Sort::Real => "number",
                Sort::Enum => "enum",
            },
            names: &self.names,
            range: (least <= greatest).then_some([least, greatest]),
            flaw: self.flaw.as_deref(),
        }
    }
}
