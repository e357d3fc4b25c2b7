//! `shall vectors`: test traces with expected verdicts, for other tools to replay.
//!
//! First all verdicts are computed, and only if the meanings agree on all of them anything is written.

use crate::cli::{Output, VectorFormat, Vectors};
use crate::{Outcome, print};
use export::vectors::{csv, lustre, smv};
use requirement::Key;
use requirement::vectors::{Setting, Templates, boundary, random};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

/// The duration where none is given.
const STEPS: u64 = 3;

pub(crate) fn run(command: &Vectors, output: Output) -> Result<Outcome, String> {
    let format = format(command, output)?;
    let keys = keys(&command.keys)?;
    match format {
        // Its model has all traces, so there is nothing to generate.
        VectorFormat::SmvEquivalence => {
            let mut templates = Templates::new(command.steps.unwrap_or(STEPS), |key| keys.contains(key));
            let model = smv::equivalence_model(command.length.into(), &mut templates);
            let model = model.map_err(|error| error.to_string())?;
            write_text(command.out.as_deref(), &model)?;
        }
        VectorFormat::Csv => {
            let vectors = Judged::new(command, &keys)?;
            let mut sink = Sink::new(command.out.as_deref())?;
            sink.write(csv::HEADER)?;
            for (index, vector) in vectors.list.iter().enumerate() {
                sink.write(&csv::rows(index, &vector.setting, vectors.by_key(vector)))?;
            }
            sink.finish()?;
        }
        VectorFormat::Json => {
            let vectors = Judged::new(command, &keys)?;
            write_json(&vectors, Sink::new(command.out.as_deref())?, output)?;
        }
        VectorFormat::Smv => models(command, Judged::new(command, &keys)?)?,
        VectorFormat::Lustre => monitors(command, Judged::new(command, &keys)?)?,
    }
    Ok(Outcome::Fine)
}

fn format(command: &Vectors, output: Output) -> Result<VectorFormat, String> {
    match (command.format, output) {
        (Some(format), Output::Human) => Ok(format),
        (None, Output::Human) => Ok(VectorFormat::Csv),
        (None | Some(VectorFormat::Json), Output::Json | Output::JsonLines) => Ok(VectorFormat::Json),
        (
            Some(VectorFormat::Csv | VectorFormat::Smv | VectorFormat::SmvEquivalence | VectorFormat::Lustre),
            Output::Json | Output::JsonLines,
        ) => Err("--format and --output-format ask for different things; leave one out".into()),
    }
}

/// The templates that are asked for, in their order; all if none is.
fn keys(asked: &[String]) -> Result<Vec<Key>, String> {
    let mut store = logic::Store::default();
    let all: Vec<Key> =
        requirement::template::templates(&mut store, 0).iter().map(requirement::Requirement::key).collect();
    let fits = |asked: &str, key: &Key| {
        let parts: Vec<&str> = asked.split(',').map(str::trim).collect();
        let known = [key.scope, key.condition, key.timing];
        parts.len() == 3 && parts.iter().zip(known).all(|(&part, known)| part == "*" || part == known)
    };
    if let Some(unknown) = asked.iter().find(|asked| !all.iter().any(|key| fits(asked, key))) {
        return Err(format!(
            "--key: there is no template `{unknown}`; a key is scope,condition,timing, such as `in,regular,within`, \
             and `*` stands for any part"
        ));
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
    fn new(command: &Vectors, keys: &[Key]) -> Result<Judged, String> {
        let length = command.length.into();
        let mut settings = Vec::new();
        if command.boundary || command.random.is_none() {
            settings.extend(boundary(length, command.steps.unwrap_or(STEPS), command.max));
        }
        if let Some(count) = command.random {
            settings.extend(random(length, command.steps, count, command.seed));
        }
        if settings.is_empty() {
            return Err("no settings are asked for; give --max or --random a larger number".into());
        }
        let mut judged = Judged { list: Vec::new(), templates: BTreeMap::new(), keys: keys.to_vec() };
        let mut progress = Progress::new(settings.len());
        for setting in settings {
            let templates = judged
                .templates
                .entry(setting.steps)
                .or_insert_with(|| Templates::new(setting.steps, |key| keys.contains(key)));
            let expected = templates
                .verdicts(&setting)
                .map_err(|dissent| format!("internal error: {dissent}; please report this"))?;
            judged.list.push(Vector { setting, expected });
            progress.tell(judged.list.len());
        }
        progress.end();
        Ok(judged)
    }

    fn by_key<'a>(&'a self, vector: &'a Vector) -> impl Iterator<Item = (&'a Key, bool)> {
        self.keys.iter().zip(vector.expected.iter().copied())
    }

    /// How many digits number all settings.
    fn digits(&self) -> usize {
        (self.list.len() - 1).to_string().len()
    }
}

fn write_json(vectors: &Judged, mut sink: Sink, output: Output) -> Result<(), String> {
    let lines = output == Output::JsonLines;
    for (index, vector) in vectors.list.iter().enumerate() {
        let object = document(vectors, index, vector);
        if lines {
            sink.write(&format!("{object}\n"))?;
        } else {
            sink.write(&format!("{}{object}", if index == 0 { "[\n" } else { ",\n" }))?;
        }
    }
    if !lines {
        sink.write("\n]\n")?;
    }
    sink.finish()
}

fn document(vectors: &Judged, index: usize, Vector { setting, expected }: &Vector) -> Json {
    let mut object = Map::new();
    object.insert("index".into(), json!(index));
    object.insert("length".into(), json!(setting.length));
    object.insert("n".into(), json!(setting.steps));
    for (name, intervals) in ["modes", "conds", "stops", "resps"].iter().zip(&setting.signals) {
        let pairs: Vec<[usize; 2]> = intervals.iter().map(|interval| [interval.lo, interval.hi]).collect();
        object.insert((*name).into(), json!(pairs));
    }
    let verdicts: Map<String, Json> =
        vectors.keys.iter().zip(expected).map(|(key, holds)| (key.to_string(), json!(holds))).collect();
    object.insert("expected".into(), verdicts.into());
    object.into()
}

/// One SMV model per setting.
fn models(command: &Vectors, mut vectors: Judged) -> Result<(), String> {
    let mut specs = BTreeMap::new();
    for (&steps, templates) in &mut vectors.templates {
        specs.insert(steps, smv::specs(templates).map_err(|error| error.to_string())?);
    }
    let model =
        |vector: &Vector| smv::trace_model(&vector.setting, &specs[&vector.setting.steps], &vector.expected);
    if let [vector] = &vectors.list[..] {
        return write_text(command.out.as_deref(), &model(vector));
    }
    let folder = folder(command.out.as_deref(), "several settings are several files")?;
    for (index, vector) in vectors.list.iter().enumerate() {
        write_file(
            &folder.join(format!("setting_{index:0digits$}.smv", digits = vectors.digits())),
            &model(vector),
        )?;
    }
    Ok(())
}

/// The monitors of each duration, the inputs of each setting, and what is expected.
fn monitors(command: &Vectors, mut vectors: Judged) -> Result<(), String> {
    let mut programs = Vec::new();
    for (steps, templates) in &mut vectors.templates {
        programs.push((steps, lustre::program(templates).map_err(|error| error.to_string())?));
    }
    let folder = folder(command.out.as_deref(), "monitors, inputs and verdicts are several files")?;
    for (steps, program) in programs {
        write_file(&folder.join(format!("monitors_n{steps}.lus")), &program)?;
    }
    let mut expected = csv::HEADER.to_string();
    for (index, vector) in vectors.list.iter().enumerate() {
        let name =
            format!("setting_{index:0digits$}_n{}.json", vector.setting.steps, digits = vectors.digits());
        write_file(&folder.join(name), &lustre::input(&vector.setting))?;
        expected += &csv::rows(index, &vector.setting, vectors.by_key(vector));
    }
    write_file(&folder.join("expected.csv"), &expected)
}

/// A new or empty folder, so that nothing of an earlier run is taken for part of this one.
fn folder<'a>(out: Option<&'a Path>, reason: &str) -> Result<&'a Path, String> {
    let folder =
        out.ok_or_else(|| format!("{reason}: name a folder with -o, or see `shall vectors --help`"))?;
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    if std::fs::read_dir(folder).map_err(failed)?.next().is_some() {
        return Err(format!("{}: the folder is not empty; name a new one", folder.display()));
    }
    Ok(folder)
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn write_text(out: Option<&Path>, text: &str) -> Result<(), String> {
    let mut sink = Sink::new(out)?;
    sink.write(text)?;
    sink.finish()
}

/// Where a single text goes: standard output, or a file.
enum Sink<'a> {
    Standard,
    File(&'a Path, BufWriter<std::fs::File>),
}

impl<'a> Sink<'a> {
    fn new(out: Option<&'a Path>) -> Result<Sink<'a>, String> {
        let Some(path) = out else { return Ok(Sink::Standard) };
        let file = std::fs::File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Sink::File(path, BufWriter::new(file)))
    }

    fn write(&mut self, text: &str) -> Result<(), String> {
        match self {
            Sink::Standard => print(text),
            Sink::File(path, file) => {
                file.write_all(text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))
            }
        }
    }

    fn finish(self) -> Result<(), String> {
        match self {
            Sink::Standard => Ok(()),
            Sink::File(path, mut file) => {
                file.flush().map_err(|error| format!("{}: {error}", path.display()))
            }
        }
    }
}

/// How far the verdicts are, for people who wait longer than a second.
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
