//! What the page asks, and who answers.

use super::project::{self, Known, Opened};
use super::{bench, formulas, language, logs::Logs, sentence, uploads, work};
use crate::Error;
use crate::workspace::{FILE, Workspace, root_of, stamp};
use ::serve::{Api, Job, Kind, Refusal, Talk, Upload};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// For how long the files are not looked at again.
const FRESH: Duration = Duration::from_millis(200);

/// The workbench on a project, or on none: then it is a playground for sentences, until its folder becomes a project.
pub(super) struct Workbench {
    /// The folder in which a new project is made.
    folder: PathBuf,
    root: OnceLock<PathBuf>,
    read_only: bool,
    opened: Mutex<Opened>,
    logs: Logs,
    /// What the files were like at some time: many pages ask for it.
    stamp: Mutex<Option<(Instant, u64)>>,
}

impl Workbench {
    /// The given project, or the one around the current folder, or a playground.
    pub(super) fn open(path: Option<&Path>, read_only: bool) -> Result<Workbench, Error> {
        let path = path.unwrap_or(Path::new("."));
        let root = root_of(path)?.map(|root| Ok(Workspace::open(&root)?.root)).transpose()?;
        let folder = path.canonicalize().map_err(Error::read(path))?;
        if root.is_none() && !folder.is_dir() {
            return Err(Error::file(path, format_args!("not a folder, and there is no `{FILE}` around it")));
        }
        let root = root.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Workbench {
            folder,
            root,
            read_only,
            opened: Mutex::default(),
            logs: Logs::default(),
            stamp: Mutex::default(),
        })
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of the project, if there is one by now.
    fn found(&self) -> Option<&Path> {
        if self.root.get().is_none() && self.folder.join(FILE).is_file() {
            return Some(self.root.get_or_init(|| self.folder.clone()));
        }
        self.root.get().map(PathBuf::as_path)
    }

    fn root(&self) -> Result<&Path, Refusal> {
        let missing = || Refusal::new(Kind::Missing, "no project is open; start `shall serve` in its folder");
        self.found().ok_or_else(missing)
    }
}

impl Workbench {
    /// Reads the project, so that the first page finds it ready.
    pub(super) fn warm_up(&self) {
        // Whoever asks for it is told what is wrong.
        let _ = self.answer("project", &json!({}));
    }

    fn known(&self, component: Option<&str>) -> Known {
        component.map_or_else(Known::default, |component| self.opened().known(component))
    }

    fn document(&self, name: &str, request: &Json) -> Result<Json, Refusal> {
        match name {
            "sentence" => {
                let asked: sentence::Asked = read(request)?;
                let known = self.known(asked.component.as_deref());
                Ok(sentence::answer(&asked, known))
            }
            "bench" => {
                let asked: bench::Asked = read(request)?;
                bench::answer(&asked, &self.known(asked.component.as_deref()))
            }
            "compare" => formulas::compare(&read(request)?),
            "timeline" => formulas::timeline(&read(request)?),
            "document" => project::document(self.root()?, &read(request)?),
            "save" => project::save(self.root()?, &read(request)?),
            "files" => self.root().map(work::files),
            "waveform" => self.logs.waveform(self.root()?, &read(request)?),
            "extents" => self.logs.extents(self.root()?, &read(request)?),
            _ => Err(Refusal::new(Kind::Missing, format_args!("there is no question `{name}`"))),
        }
    }
}

impl Api for Workbench {
    fn answer(&self, name: &str, request: &Json) -> Result<String, Refusal> {
        match (name, self.found()) {
            ("project", Some(root)) => self.opened().overview(root, self.read_only),
            ("project", None) => {
                let Workbench { folder, read_only, .. } = self;
                Ok(json!({ "playground": true, "folder": folder, "read_only": read_only }).to_string())
            }
            (name, _) => self.document(name, request).map(|document| document.to_string()),
        }
    }

    fn writes(&self, name: &str) -> bool {
        ["save", "init", "import"].contains(&name)
    }

    fn job(&self, name: &str, request: &Json) -> Result<Job, Refusal> {
        match self.found() {
            None if self.writes(name) => work::job(&self.folder, name, request),
            _ => work::job(self.root()?, name, request),
        }
    }

    fn talk(&self, name: &str, request: &Json) -> Result<Talk, Refusal> {
        work::talk(self.root()?, name, request)
    }

    fn receive(&self, name: &str) -> Result<Box<dyn Upload>, Refusal> {
        uploads::receive(self.found().unwrap_or(&self.folder), name)
    }

    fn stamp(&self) -> u64 {
        let mut known = self.stamp.lock().unwrap_or_else(PoisonError::into_inner);
        match *known {
            Some((at, stamp)) if at.elapsed() < FRESH => stamp,
            Some(_) | None => {
                let mut hasher = DefaultHasher::new();
                self.found().map(|root| (stamp(root), work::listed(root))).hash(&mut hasher);
                let stamp = hasher.finish();
                *known = Some((Instant::now(), stamp));
                stamp
            }
        }
    }

    fn speak(&self, messages: Receiver<String>, answers: Sender<String>) {
        language::speak(self.found(), messages, answers);
    }
}

/// A request of a known shape.
pub(super) fn read<T: DeserializeOwned>(request: &Json) -> Result<T, Refusal> {
    T::deserialize(request).map_err(|error| Refusal::new(Kind::Malformed, error))
}

/// An error of a command as a refusal.
pub(super) fn refusal(error: Error) -> Refusal {
    let kind = match error {
        Error::Internal(_) => Kind::Failed,
        _ => Kind::Malformed,
    };
    Refusal::new(kind, error)
}
