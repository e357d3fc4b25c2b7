//! Which files are checked: files, folders of them and patterns; and the bytes of each.

use super::mat;
use crate::Error;
use crate::cli::{Eval, ProjectPath};
use crate::files::{is_standard, read_bytes};
use project::pattern::matches;
use record::csv::{Csv, Pieces};
use record::vcd::Vcd;
use record::{Malformed, Reader};
use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The longest row whose end is looked for in a file that grows.
const MAX_ROW: u64 = 1 << 20;
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
    /// A bag of ROS 2 in SQLite.
    Rosbag,
    /// A bag of ROS 1, which must be converted first.
    OldBag,
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
            "db3" => Some(Format::Rosbag),
            "bag" => Some(Format::OldBag),
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
            Format::Rosbag => "ROS 2 bag",
            Format::OldBag => "ROS 1 bag",
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
                "the folder has no recorded traces (.csv, .tsv, .vcd, .mat, .mcap, .db3, .mf4, .arrow, .parquet)",
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

/// The first bytes of a file, to which others may be added while it is read.
struct Start {
    file: File,
    at: u64,
    length: u64,
}

impl Read for Start {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.length.saturating_sub(self.at);
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(out.len());
        let count = self.file.read(&mut out[..most])?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Start {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(distance) => self.length.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.at.checked_add_signed(distance),
        };
        self.at = self.file.seek(SeekFrom::Start(place.ok_or(io::ErrorKind::InvalidInput)?))?;
        Ok(self.at)
    }
}

/// The bytes of a trace, which can be read more than once.
pub(crate) enum Source {
    /// A file, and how many of its bytes are read if it is a regular one: those that it had first.
    File(PathBuf, Option<u64>),
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
        let known = File::open(path).and_then(|file| file.metadata()).map_err(Error::read(path))?;
        Ok(Source::File(path.to_path_buf(), known.is_file().then_some(known.len())))
    }

    /// The whole rows of a file of separated text that ended in the middle of a row and has grown since; `None` for any other trace.
    pub(super) fn whole_rows(&self) -> Result<Option<Source>, Error> {
        let Source::File(path, Some(length)) = self else { return Ok(None) };
        let now = fs::metadata(path).map_err(Error::read(path))?.len();
        if self.format() != Format::Csv || now <= *length {
            return Ok(None);
        }
        let mut end = Vec::new();
        let from = length.saturating_sub(MAX_ROW);
        let mut start = self.open()?;
        let read = start.seek(SeekFrom::Start(from)).and_then(|_| start.read_to_end(&mut end));
        read.map_err(|error| Error::Read(self.name(), error))?;
        let last = end.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map(|at| from + at as u64 + 1);
        Ok(last.filter(|last| last < length).map(|last| Source::File(path.clone(), Some(last))))
    }

    pub(crate) fn open(&self) -> Result<Box<dyn Bytes>, Error> {
        match self {
            Source::File(path, length) => {
                let file = File::open(path).map_err(Error::read(path))?;
                Ok(match *length {
                    Some(length) => Box::new(Start { file, at: 0, length }),
                    None => Box::new(file),
                })
            }
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

    /// Reads the trace in its format, on several cores if that is possible.
    pub(super) fn reader_on(&self, cores: usize) -> Result<Box<dyn Reader>, Error> {
        if cores < 2 || !matches!(self, Source::File(..)) || self.format() != Format::Csv {
            return self.reader();
        }
        let csv = Csv::open(self.open()?).map_err(|error| Error::input(self.name(), error))?;
        Ok(Box::new(Pieces::new(csv, cores)))
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
            Format::Rosbag => {
                self.has_no_journal()?;
                Box::new(record::rosbag::read(self.open()?).map_err(wrong)?)
            }
            Format::OldBag => {
                let reason = "bags of ROS 1 are not read; convert it to MCAP (`mcap convert`)";
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

    /// A database whose last changes are in a file beside it is not complete.
    fn has_no_journal(&self) -> Result<(), Error> {
        let journal = self.name() + "-wal";
        if fs::metadata(&journal).is_ok_and(|journal| journal.len() > 0) {
            let reason = format!(
                "its last messages are still in `{journal}`; `sqlite3 {} .tables` adds them",
                self.name()
            );
            return Err(Error::input(self.name(), reason));
        }
        Ok(())
    }

    /// The format, by the name of the file.
    pub(crate) fn format(&self) -> Format {
        let path = if let Source::File(path, _) = self { Some(path) } else { None };
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
            Source::File(path, _) => path.display().to_string(),
            Source::Memory(_) => "standard input".into(),
            #[cfg(feature = "arrow")]
            Source::Frame(_) => "frame".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_file_that_grows_is_read_as_it_was() {
        let path = std::env::temp_dir().join(format!("shall-grows-{}.csv", std::process::id()));
        let text = |source: &Source| {
            let mut text = String::new();
            source.open().expect("a file").read_to_string(&mut text).expect("text");
            text
        };
        let grow = |more: &str| {
            let file = fs::OpenOptions::new().append(true).create(true).open(&path);
            file.and_then(|mut file| file.write_all(more.as_bytes())).expect("it can be written");
        };
        let source = || Source::of(&path).expect("a file");
        grow("x,y\n1,2\n3,4");
        let first = source();
        // A file may end without a line end.
        assert!(first.whole_rows().expect("it is there").is_none());
        grow("5\n");
        assert_eq!(text(&first), "x,y\n1,2\n3,4");
        let rows = first.whole_rows().expect("it is there").expect("the last row was cut off");
        assert_eq!(text(&rows), "x,y\n1,2\n");
        let mut end = String::new();
        let mut bytes = rows.open().expect("a file");
        assert_eq!(bytes.seek(SeekFrom::End(-4)).expect("a place"), 4);
        bytes.read_to_string(&mut end).expect("text");
        assert_eq!(end, "1,2\n");
        let whole = source();
        grow("6,7\n");
        assert_eq!(text(&whole), "x,y\n1,2\n3,45\n");
        assert!(whole.whole_rows().expect("it is there").is_none());
        fs::remove_file(&path).expect("it is there");
    }
}
