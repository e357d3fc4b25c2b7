//! Which files are checked: files, folders of them and patterns; and the bytes of each.

use super::mat;
use crate::Error;
use crate::cli::{Eval, ProjectPath};
use crate::files::{is_standard, read_bytes};
use project::pattern::matches;
use record::csv::Csv;
use record::vcd::Vcd;
use record::{Malformed, Reader};
use std::fs::{self, File};
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most files that are looked at below a folder.
const MAX_FILES: usize = 1_000_000;

/// The arguments, sorted out: a folder is the project, a recorded trace is a trace.
pub(super) struct Arguments {
    pub(super) sentences: Vec<String>,
    pub(super) around: ProjectPath,
    pub(super) traces: Vec<PathBuf>,
}

impl Arguments {
    pub(super) fn of(command: &Eval) -> Result<Arguments, Error> {
        let mut arguments =
            Arguments { sentences: Vec::new(), around: command.around.clone(), traces: Vec::new() };
        let mut traces = command.trace.clone();
        for text in &command.sentences {
            let path = Path::new(text);
            if path.is_dir() && arguments.around.project.is_none() {
                arguments.around.project = Some(path.to_path_buf());
            } else if is_log(path) && path.is_file() {
                traces.push(path.to_path_buf());
            } else {
                arguments.sentences.push(text.clone());
            }
        }
        for trace in traces {
            match command.engine {
                // An engine finds the files itself.
                Some(_) => arguments.traces.push(trace),
                None => arguments.traces.extend(expanded(&trace)?),
            }
        }
        Ok(arguments)
    }
}

fn is_log(path: &Path) -> bool {
    Format::of(path).is_some()
}

/// A format of recorded traces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Vcd,
    Mat,
    Mcap,
    Mdf,
    Arrow,
    Parquet,
    /// A bag of ROS that must be converted first.
    Bag,
}

impl Format {
    /// The format of files with such a name.
    fn of(path: &Path) -> Option<Format> {
        let extension = path.extension().and_then(|it| it.to_str()).map(str::to_ascii_lowercase);
        match extension.as_deref()? {
            "csv" | "tsv" => Some(Format::Csv),
            "vcd" => Some(Format::Vcd),
            "mat" => Some(Format::Mat),
            "mcap" => Some(Format::Mcap),
            "mf4" | "mdf" => Some(Format::Mdf),
            "bag" | "db3" => Some(Format::Bag),
            "arrow" | "feather" | "ipc" => Some(Format::Arrow),
            "parquet" | "pq" => Some(Format::Parquet),
            _ => None,
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Csv => "CSV",
            Format::Vcd => "VCD",
            Format::Mat => "MATLAB",
            Format::Mcap => "MCAP",
            Format::Mdf => "MDF",
            Format::Bag => "ROS bag",
            Format::Arrow => "Arrow",
            Format::Parquet => "Parquet",
        }
    }
}

/// The files that a path means, in order.
pub(crate) fn expanded(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut found = Vec::new();
    if path.is_dir() {
        walk(path, &mut |file| is_log(file), &mut found, &mut 0)?;
        if found.is_empty() {
            return Err(Error::file(
                path,
                "the folder has no recorded traces (.csv, .tsv, .vcd, .mat, .mcap, .mf4, .arrow, .parquet)",
            ));
        }
    } else if !path.exists() && text.contains(['*', '?']) && !is_standard(path) {
        // The folders before the first name with a wildcard are not searched.
        let fixed: PathBuf =
            path.iter().take_while(|part| !part.to_string_lossy().contains(['*', '?'])).collect();
        let start = if fixed.as_os_str().is_empty() { Path::new(".") } else { &fixed };
        let mut fits = |file: &Path| {
            let name = file.to_string_lossy().replace('\\', "/");
            matches(&text, name.strip_prefix("./").unwrap_or(&name))
        };
        walk(start, &mut fits, &mut found, &mut 0)?;
        if fixed.as_os_str().is_empty() {
            found.iter_mut().for_each(|file| *file = file.strip_prefix(".").unwrap_or(file).to_path_buf());
        }
        if found.is_empty() {
            return Err(Error::file(path, "no file has such a name"));
        }
    } else {
        found.push(path.to_path_buf());
    }
    Ok(found)
}

fn walk(
    folder: &Path,
    fits: &mut dyn FnMut(&Path) -> bool,
    found: &mut Vec<PathBuf>,
    seen: &mut usize,
) -> Result<(), Error> {
    let entries = fs::read_dir(folder).map_err(Error::read(folder))?;
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        *seen += 1;
        if *seen > MAX_FILES {
            return Err(Error::file(folder, format_args!("more than {MAX_FILES} files below this folder")));
        }
        if kind.is_dir() {
            walk(&path, fits, found, seen)?;
        } else if fits(&path) {
            found.push(path);
        }
    }
    Ok(())
}

/// Bytes that can be read from any place.
pub(crate) trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

/// The bytes of a trace, which can be read more than once.
pub(crate) enum Source {
    File(PathBuf),
    /// Standard input.
    Memory(Arc<[u8]>),
    /// A table of the program that calls this one.
    #[cfg(feature = "arrow")]
    Frame(record::arrow::Frame),
}

impl Source {
    pub(crate) fn of(path: &Path) -> Result<Source, Error> {
        if is_standard(path) {
            return Ok(Source::Memory(read_bytes(path)?.into()));
        }
        File::open(path).map_err(Error::read(path))?;
        Ok(Source::File(path.to_path_buf()))
    }

    pub(crate) fn open(&self) -> Result<Box<dyn Bytes>, Error> {
        match self {
            Source::File(path) => Ok(Box::new(File::open(path).map_err(Error::read(path))?)),
            Source::Memory(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
            #[cfg(feature = "arrow")]
            Source::Frame(_) => Ok(Box::new(Cursor::new([]))),
        }
    }

    /// All bytes, for formats that are read in memory.
    fn bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes).map_err(|error| Error::Read(self.name(), error))?;
        Ok(bytes)
    }

    /// Reads the trace in its format.
    pub(crate) fn reader(&self) -> Result<Box<dyn Reader>, Error> {
        let wrong = |error: Malformed| Error::input(self.name(), error);
        #[cfg(feature = "arrow")]
        if let Source::Frame(frame) = self {
            return Ok(Box::new(frame.reader().map_err(wrong)?));
        }
        Ok(match self.format() {
            Format::Csv => Box::new(Csv::open(self.open()?).map_err(wrong)?),
            Format::Vcd => Box::new(Vcd::open(self.open()?).map_err(wrong)?),
            Format::Mat => {
                let table = mat::table(&self.bytes()?);
                Box::new(table.map_err(|reason| Error::input(self.name(), reason))?)
            }
            Format::Mcap => Box::new(record::mcap::read(BufReader::new(self.open()?)).map_err(wrong)?),
            Format::Mdf => Box::new(record::mdf::read(&self.bytes()?).map_err(wrong)?),
            Format::Bag => {
                let reason = "this kind of ROS bag is not read; convert it to MCAP (`mcap convert`, or `ros2 bag convert`)";
                return Err(Error::input(self.name(), reason));
            }
            #[cfg(feature = "arrow")]
            Format::Arrow => Box::new(record::arrow::Arrow::open(self.open()?).map_err(wrong)?),
            #[cfg(not(feature = "arrow"))]
            Format::Arrow => {
                let reason = "this program was built without Arrow; build it with `--features arrow`";
                return Err(Error::input(self.name(), reason));
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let path = Path::new(&self.name()).to_path_buf();
                let file = File::open(&path).map_err(Error::read(&path))?;
                Box::new(record::parquet::Parquet::open(file).map_err(wrong)?)
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let reason = "this program was built without Parquet; build it with `--features parquet`";
                return Err(Error::input(self.name(), reason));
            }
        })
    }

    /// The format, by the name of the file.
    pub(crate) fn format(&self) -> Format {
        let path = if let Source::File(path) = self { Some(path) } else { None };
        path.and_then(|path| Format::of(path)).unwrap_or(Format::Csv)
    }

    /// Whether it is a list of steps in JSON: its first character is a bracket.
    pub(super) fn is_json(&self) -> Result<bool, Error> {
        let mut start = Vec::new();
        let read = self.open()?.take(4096).read_to_end(&mut start);
        read.map_err(|error| Error::Read(self.name(), error))?;
        Ok(start.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'['))
    }

    /// Where the trace is; only its name, if it is not a file.
    pub(super) fn path(&self) -> PathBuf {
        if let Source::Memory(_) = self { PathBuf::from("-") } else { PathBuf::from(self.name()) }
    }

    /// What the trace is called in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::File(path) => path.display().to_string(),
            Source::Memory(_) => "standard input".into(),
            #[cfg(feature = "arrow")]
            Source::Frame(_) => "frame".into(),
        }
    }
}
