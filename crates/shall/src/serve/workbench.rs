//! What the page asks, and who answers.

use super::{bench, formulas, language, project::Opened, sentence, work};
use crate::Error;
use crate::workspace::{Workspace, root_of, stamp};
use ::serve::{Api, Job, Kind, Refusal};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The workbench on a project, or on none: then it is a playground for sentences.
pub(super) struct Workbench {
    root: Option<PathBuf>,
    read_only: bool,
    opened: Mutex<Opened>,
}

impl Workbench {
    /// The given project, or the one around the current folder, or a playground.
    pub(super) fn open(path: Option<&Path>, read_only: bool) -> Result<Workbench, Error> {
        let root = match (path, root_of(path.unwrap_or(Path::new(".")))?) {
            (Some(path), _) => Some(Workspace::open(path)?.root),
            (None, Some(root)) => Some(root),
            (None, None) => None,
        };
        Ok(Workbench { root, read_only, opened: Mutex::default() })
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of the project.
    fn root(&self) -> Result<&Path, Refusal> {
        let missing = || Refusal::new(Kind::Missing, "no project is open; start `shall serve` in its folder");
        self.root.as_deref().ok_or_else(missing)
    }
}

impl Api for Workbench {
    fn answer(&self, name: &str, request: &Json) -> Result<Json, Refusal> {
        match name {
            "sentence" => {
                let asked: sentence::Asked = read(request)?;
                let known = self.opened().known(asked.component.as_deref());
                Ok(sentence::answer(&asked, known))
            }
            "bench" => {
                let asked: bench::Asked = read(request)?;
                let known = self.opened().known(asked.component.as_deref());
                bench::answer(&asked, &known)
            }
            "compare" => formulas::compare(&read(request)?),
            "timeline" => formulas::timeline(&read(request)?),
            "project" => match &self.root {
                Some(root) => self.opened().overview(root, self.read_only),
                None => Ok(json!({ "playground": true })),
            },
            "document" => self.opened().document(self.root()?, &read(request)?),
            "save" => self.opened().save(self.root()?, &read(request)?),
            "files" => work::files(self.root()?),
            _ => Err(Refusal::new(Kind::Missing, format_args!("there is no question `{name}`"))),
        }
    }

    fn writes(&self, name: &str) -> bool {
        name == "save"
    }

    fn job(&self, name: &str, request: &Json) -> Result<Job, Refusal> {
        work::job(self.root()?, name, request)
    }

    fn stamp(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.root.as_deref().map(stamp).hash(&mut hasher);
        hasher.finish()
    }

    fn speak(&self, messages: Receiver<String>, answers: Sender<String>) {
        language::speak(self.root.as_deref(), messages, answers);
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
