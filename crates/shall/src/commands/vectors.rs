//! `shall vectors`: test traces with expected verdicts, for other tools to replay.
//!
//! First all verdicts are computed, and only if the meanings agree on all of them anything is written.

use crate::cli::{Output, VectorFormat, Vectors};
use crate::files::{create_folder, is_standard, write_file, write_with};
use crate::json::Named;
use crate::{Error, Outcome};
use export::vectors::{csv, lustre, smv};
use requirement::Key;
use requirement::vectors::{Setting, Templates, boundary, random};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The duration where none is given.
const STEPS: u64 = 3;

pub(crate) fn run(command: &Vectors, output: Output) -> Result<Outcome, Error> {
    let format = format(command, output)?;
    let keys = keys(&command.keys)?;
    let out = command.out.as_deref().unwrap_or(Path::new("-"));
    match format {
        // Its model has all traces, so there is nothing to generate.
        VectorFormat::SmvEquivalence => {
            let mut templates = Templates::new(command.steps.unwrap_or(STEPS), |key| keys.contains(key));
            let model = smv::equivalence_model(command.length.into(), &mut templates);
            write_file(out, model.map_err(Error::refused)?)?;
        }
        VectorFormat::Csv => {
            let vectors = Judged::new(command, &keys)?;
            write_with(out, |out| {
                out.write_all(csv::HEADER.as_bytes())?;
                vectors.list.iter().enumerate().try_for_each(|(index, it)| {
                    out.write_all(csv::rows(index, &it.setting, vectors.by_key(it)).as_bytes())
                })
            })?;
        }
        VectorFormat::Json => {
            let vectors = Judged::new(command, &keys)?;
            write_with(out, |out| json(&vectors, output, out))?;
        }
        VectorFormat::Smv => models(out, Judged::new(command, &keys)?)?,
        VectorFormat::Lustre => monitors(out, Judged::new(command, &keys)?)?,
    }
    Ok(Outcome::Fine)
}

fn format(command: &Vectors, output: Output) -> Result<VectorFormat, Error> {
    match (command.format, output) {
        (Some(format), Output::Human) => Ok(format),
        (None, Output::Human) => Ok(VectorFormat::Csv),
        (None | Some(VectorFormat::Json), Output::Json | Output::JsonLines) => Ok(VectorFormat::Json),
        (
            Some(VectorFormat::Csv | VectorFormat::Smv | VectorFormat::SmvEquivalence | VectorFormat::Lustre),
            Output::Json | Output::JsonLines,
        ) => Err(Error::usage("--format and --output-format contradict each other; leave one out")),
    }
}

/// The requested templates, in their order; all by default.
fn keys(asked: &[String]) -> Result<Vec<Key>, Error> {
    let mut store = logic::Store::default();
    let all: Vec<Key> =
        requirement::template::templates(&mut store, 0).iter().map(requirement::Requirement::key).collect();
    let fits = |asked: &str, key: &Key| {
        let parts: Vec<&str> = asked.split(',').map(str::trim).collect();
        let known = [key.scope, key.condition, key.timing];
        parts.len() == 3 && parts.iter().zip(known).all(|(&part, known)| part == "*" || part == known)
    };
    if let Some(unknown) = asked.iter().find(|asked| !all.iter().any(|key| fits(asked, key))) {
        let reason = format!(
            "there is no template `{unknown}`; a key is scope,condition,timing, such as `in,regular,within`, \
             and `*` is any part"
        );
        return Err(Error::input("--key", reason));
    }
    let wanted = |key: &Key| asked.is_empty() || asked.iter().any(|asked| fits(asked, key));
    Ok(all.into_iter().filter(wanted).collect())
}

/// A setting with what is expected of each template.
struct Vector {
    setting: Setting,
    expected: Vec<bool>,
}

/// All settings with their verdicts, and the templates of each duration.
struct Judged {
    list: Vec<Vector>,
    templates: BTreeMap<u64, Templates>,
    keys: Vec<Key>,
}

impl Judged {
    fn new(command: &Vectors, keys: &[Key]) -> Result<Judged, Error> {
        let length = command.length.into();
        let mut settings = Vec::new();
        if command.boundary || command.random.is_none() {
            settings.extend(boundary(length, command.steps.unwrap_or(STEPS), command.limit_settings));
        }
        if let Some(count) = command.random {
            settings.extend(random(length, command.steps, count, command.seed));
        }
        if settings.is_empty() {
            return Err(Error::usage(
                "there are no settings; give --limit-settings or --random a larger number",
            ));
        }
        let mut judged = Judged { list: Vec::new(), templates: BTreeMap::new(), keys: keys.to_vec() };
        let mut progress = Progress::new(settings.len());
        for setting in settings {
            let templates = judged
                .templates
                .entry(setting.steps)
                .or_insert_with(|| Templates::new(setting.steps, |key| keys.contains(key)));
            let expected = templates.verdicts(&setting);
            let expected = expected.map_err(|dissent| Error::Internal(dissent.to_string()))?;
            judged.list.push(Vector { setting, expected });
            progress.tell(judged.list.len());
        }
        progress.end();
        Ok(judged)
    }

    fn by_key<'a>(&'a self, vector: &'a Vector) -> impl Iterator<Item = (&'a Key, bool)> {
        self.keys.iter().zip(vector.expected.iter().copied())
    }

    /// The number of digits in the number of a setting.
    fn digits(&self) -> usize {
        (self.list.len() - 1).to_string().len()
    }
}

/// Writes one line for each setting: JSON lines, or an array.
fn json(vectors: &Judged, output: Output, out: &mut dyn Write) -> io::Result<()> {
    let (mut before, between, end) = match output {
        Output::JsonLines => ("", "\n", "\n"),
        Output::Human | Output::Json => ("[\n", ",\n", "\n]\n"),
    };
    for (index, vector) in vectors.list.iter().enumerate() {
        write!(out, "{before}{}", Output::JsonLines.text(&document(vectors, index, vector)))?;
        before = between;
    }
    out.write_all(end.as_bytes())
}

/// A setting: a trace of four signals, and the verdict of each template on it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Vectored {
    /// The number of the setting, from 0.
    index: usize,
    /// The number of positions of the trace.
    length: usize,
    /// The duration of `within`, `for` and `after`.
    n: u64,
    /// The intervals of positions, first and last, in which the mode holds.
    modes: Vec<[usize; 2]>,
    /// Those of the condition.
    conds: Vec<[usize; 2]>,
    /// Those of the stop condition.
    stops: Vec<[usize; 2]>,
    /// Those of the response.
    resps: Vec<[usize; 2]>,
    /// Whether the requirement with each template key holds.
    expected: Named<bool>,
}

fn document(vectors: &Judged, index: usize, vector: &Vector) -> Vectored {
    let Setting { length, steps, signals, .. } = &vector.setting;
    let [modes, conds, stops, resps] =
        signals.each_ref().map(|it| it.iter().map(|interval| [interval.lo, interval.hi]).collect());
    let expected = vectors.by_key(vector).map(|(key, holds)| (key.to_string(), holds));
    let expected = Named(expected.collect());
    Vectored { index, length: *length, n: *steps, modes, conds, stops, resps, expected }
}

/// One SMV model per setting.
fn models(out: &Path, mut vectors: Judged) -> Result<(), Error> {
    let mut specs = BTreeMap::new();
    for (&steps, templates) in &mut vectors.templates {
        specs.insert(steps, smv::specs(templates).map_err(Error::refused)?);
    }
    let model =
        |vector: &Vector| smv::trace_model(&vector.setting, &specs[&vector.setting.steps], &vector.expected);
    if let [vector] = &vectors.list[..] {
        return write_file(out, model(vector));
    }
    let folder = folder(out, "several settings are several files")?;
    for (index, vector) in vectors.list.iter().enumerate() {
        let name = format!("setting_{index:0digits$}.smv", digits = vectors.digits());
        write_file(&folder.join(name), model(vector))?;
    }
    Ok(())
}

/// The monitors of each duration, the inputs of each setting, and the expected verdicts.
fn monitors(out: &Path, mut vectors: Judged) -> Result<(), Error> {
    let mut programs = Vec::new();
    for (steps, templates) in &mut vectors.templates {
        programs.push((steps, lustre::program(templates).map_err(Error::refused)?));
    }
    let folder = folder(out, "monitors, inputs and verdicts are several files")?;
    for (steps, program) in programs {
        write_file(&folder.join(format!("monitors_n{steps}.lus")), program)?;
    }
    let mut expected = csv::HEADER.to_string();
    for (index, vector) in vectors.list.iter().enumerate() {
        let (steps, digits) = (vector.setting.steps, vectors.digits());
        let name = format!("setting_{index:0digits$}_n{steps}.json");
        write_file(&folder.join(name), lustre::input(&vector.setting))?;
        expected += &csv::rows(index, &vector.setting, vectors.by_key(vector));
    }
    write_file(&folder.join("expected.csv"), expected)
}

/// A new or empty folder, so that nothing of an earlier run is taken for part of this one.
fn folder<'a>(folder: &'a Path, reason: &str) -> Result<&'a Path, Error> {
    if is_standard(folder) {
        let hint = "name a folder with -o, or see `shall vectors --help`";
        return Err(Error::Usage(format!("{reason}: {hint}")));
    }
    create_folder(folder)?;
    if std::fs::read_dir(folder).map_err(Error::read(folder))?.next().is_some() {
        return Err(Error::file(folder, "the folder is not empty; name a new one"));
    }
    Ok(folder)
}

/// Progress on a terminal, once a second.
struct Progress {
    all: usize,
    told: Instant,
    shown: bool,
    terminal: bool,
}

impl Progress {
    fn new(all: usize) -> Progress {
        Progress { all, told: Instant::now(), shown: false, terminal: std::io::stderr().is_terminal() }
    }

    fn tell(&mut self, done: usize) {
        if self.terminal && self.told.elapsed() >= Duration::from_secs(1) {
            anstream::eprint!("\r{done} of {} settings", self.all);
            (self.told, self.shown) = (Instant::now(), true);
        }
    }

    fn end(&self) {
        if self.shown {
            anstream::eprintln!("\r{all} of {all} settings", all = self.all);
        }
    }
}
