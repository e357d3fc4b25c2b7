//! The state of the server and its reactions: messages in their order; changes are gathered until the editor pauses, then the
//! project is checked once, and the files whose findings changed get one message each.

use super::judging::Judged;
use super::open_project::{Key, OpenProject};
use super::protocol::{DidChange, DidChangeFiles, DidChangeFolders, DidOpen, Initialize, OfDocument, Uri};
use super::text::{Encoding, Lines, change};
use super::uri::{path_of, uri_of};
use super::wire::{self, Incoming};
use super::{convert, requests};
use crate::files::read_text;
use crate::workspace::FILE;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Changes within this time are checked together.
const PAUSE: Duration = Duration::from_millis(5);
/// The longest time without a check if the editor never pauses.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// What the server reacts to.
pub(super) enum Event {
    Message(Incoming),
    /// Requirements were judged together in the background.
    Judged(Judged),
    /// The end of the input.
    End,
}

pub(super) struct Server<W> {
    out: W,
    /// Where work in the background reports.
    events: Sender<Event>,
    stage: Stage,
    pub(super) encoding: Encoding,
    /// Whether the editor understands snippets.
    pub(super) snippets: bool,
    /// Whether the editor can watch files for us.
    watches: bool,
    folders: Vec<PathBuf>,
    pub(super) projects: BTreeMap<Key, OpenProject>,
    open: BTreeMap<String, Open>,
    /// The open documents whose text in the project is out of date.
    touched: BTreeSet<String>,
    /// When the first change came that has not been checked.
    waiting: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Uninitialized,
    Running,
    ShutDown,
}

/// A document that is open in the editor.
struct Open {
    uri: Uri,
    version: i32,
    text: String,
    /// Its project and its name there.
    home: Option<(Key, String)>,
}

impl<W: Write> Server<W> {
    pub(super) fn new(out: W, events: Sender<Event>) -> Server<W> {
        Server {
            out,
            events,
            stage: Stage::Uninitialized,
            encoding: Encoding::Utf16,
            snippets: false,
            watches: false,
            folders: Vec::new(),
            projects: BTreeMap::new(),
            open: BTreeMap::new(),
            touched: BTreeSet::new(),
            waiting: None,
        }
    }

    /// Serves until the input ends; returns whether the editor shut the server down first.
    pub(super) fn serve(mut self, events: &Receiver<Event>) -> bool {
        loop {
            let event = match self.waiting {
                Some(since) if since.elapsed() >= LONGEST_PAUSE => Err(RecvTimeoutError::Timeout),
                Some(_) => events.recv_timeout(PAUSE),
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(Event::Message(Incoming::Notification { method, .. })) if method == "exit" => break,
                Ok(Event::Message(message)) => self.handle(message),
                Ok(Event::Judged(judged)) => {
                    let project = self.projects.get_mut(&judged.key);
                    if project.is_some_and(|it| it.take_judged(judged)) {
                        self.wait();
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.publish(),
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.stage == Stage::ShutDown
    }

    fn handle(&mut self, message: Incoming) {
        match message {
            Incoming::Request { id, method, params } => {
                let result = self.request(&method, params);
                wire::write(&mut self.out, &wire::answer(&id, result));
            }
            Incoming::Notification { method, params } => {
                if self.stage == Stage::Running {
                    self.notification(&method, params);
                }
            }
            Incoming::Response => {}
            Incoming::Malformed { id, code, message } => {
                wire::write(&mut self.out, &wire::answer(&id, Err((code, message))));
            }
        }
    }

    fn request(&mut self, method: &str, params: Json) -> Result<Json, (i32, String)> {
        match (self.stage, method) {
            (Stage::Uninitialized, "initialize") => {
                let params = arguments(params)?;
                Ok(self.initialize(&params))
            }
            (Stage::Uninitialized, _) => {
                Err((wire::NOT_INITIALIZED, "the server is not initialized; send `initialize` first".into()))
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::ShutDown;
                Ok(Json::Null)
            }
            (Stage::Running, "initialize") => {
                Err((wire::INVALID_REQUEST, "the server is already initialized".into()))
            }
            (Stage::Running, _) => requests::answer(self, method, params),
            (Stage::ShutDown, _) => Err((wire::INVALID_REQUEST, "the server has been shut down".into())),
        }
    }

    fn initialize(&mut self, params: &Initialize) -> Json {
        self.stage = Stage::Running;
        if params.counts_in("utf-8") {
            self.encoding = Encoding::Utf8;
        }
        self.snippets = params.can(&["textDocument", "completion", "completionItem", "snippetSupport"]);
        self.watches = params.can(&["workspace", "didChangeWatchedFiles", "dynamicRegistration"]);
        let folders: Vec<&Uri> = match &params.workspace_folders {
            Some(folders) => folders.iter().map(|folder| &folder.uri).collect(),
            None => params.root_uri.iter().collect(),
        };
        self.folders = folders.into_iter().filter_map(path_of).collect();
        convert::capabilities(self.encoding)
    }

    fn notification(&mut self, method: &str, params: Json) {
        match method {
            "initialized" => {
                if self.watches {
                    self.watch();
                }
                self.load();
            }
            "textDocument/didOpen" => {
                if let Ok(params) = arguments::<DidOpen>(params) {
                    let document = params.text_document;
                    self.open(document.uri, document.version, document.text);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = arguments::<DidChange>(params) {
                    self.edit(&params);
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = arguments::<OfDocument>(params) {
                    self.close(params.text_document.uri.as_str());
                }
            }
            "textDocument/didSave" => {
                if let Ok(params) = arguments::<OfDocument>(params) {
                    // A project file that is saved may name other documents.
                    let path = path_of(&params.text_document.uri);
                    if path.is_some_and(|path| path.ends_with(FILE)) {
                        self.load();
                    }
                    self.saved(params.text_document.uri.as_str());
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(params) = arguments::<DidChangeFiles>(params) {
                    self.files_changed(&params);
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                if let Ok(params) = arguments::<DidChangeFolders>(params) {
                    let removed: Vec<_> =
                        params.event.removed.iter().filter_map(|it| path_of(&it.uri)).collect();
                    self.folders.retain(|folder| !removed.contains(folder));
                    self.folders.extend(params.event.added.iter().filter_map(|it| path_of(&it.uri)));
                    self.load();
                }
            }
            _ => {}
        }
    }

    fn watch(&mut self) {
        let watchers: Vec<Json> = ["**/*.md", "**/*.fretish", "**/shall.toml"]
            .iter()
            .map(|glob| json!({ "globPattern": glob }))
            .collect();
        let registration = json!({
            "id": "files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": watchers },
        });
        let request = json!({
            "jsonrpc": "2.0",
            "id": "watch",
            "method": "client/registerCapability",
            "params": { "registrations": [registration] },
        });
        wire::write(&mut self.out, &request);
    }

    /// Reads the projects of the folders and of the open documents again.
    fn load(&mut self) {
        let mut caches: BTreeMap<Key, project::Cache> = BTreeMap::new();
        for (key, project) in std::mem::take(&mut self.projects) {
            for name in project.published.keys() {
                let uri = self.uri(&key, &project, name);
                self.publish_file(uri, &[], None);
            }
            caches.insert(key, project.into_cache());
        }
        for folder in self.folders.clone() {
            if let Some((key, _)) = home(&real(&folder).join(FILE)) {
                self.open_project(&key, &mut caches);
            }
        }
        let uris: Vec<String> = self.open.keys().cloned().collect();
        for uri in uris {
            self.assign(&uri, &mut caches);
        }
        self.wait();
    }

    /// Opens a project, unless it is open; returns whether it is open now.
    fn open_project(&mut self, key: &Key, caches: &mut BTreeMap<Key, project::Cache>) -> bool {
        let Key::Project(root) = key else { return false };
        if !self.projects.contains_key(key) {
            match OpenProject::open(root, caches.remove(key).unwrap_or_default()) {
                Ok(project) => {
                    self.projects.insert(key.clone(), project);
                }
                Err(error) => {
                    let message = json!({ "type": 1, "message": error.to_string() });
                    wire::write(&mut self.out, &wire::notification("window/showMessage", &message));
                    return false;
                }
            }
        }
        true
    }

    /// Finds the project of an open document.
    fn assign(&mut self, uri: &str, caches: &mut BTreeMap<Key, project::Cache>) {
        let Some(open) = self.open.get(uri) else { return };
        let found = path_of(&open.uri).and_then(|path| home(&real(&path)));
        let entered = found.filter(|(key, _)| self.open_project(key, caches));
        let home = match entered {
            Some((key, name)) => {
                let fits = self.projects.get(&key).is_some_and(|project| project.has(&name));
                fits.then_some((key, name))
            }
            None => {
                let key = Key::Alone(uri.to_string());
                self.projects.insert(key.clone(), OpenProject::default());
                let name = uri.rsplit(['/', ':']).next().unwrap_or_default();
                Some((key, name.to_string()))
            }
        };
        if let Some(open) = self.open.get_mut(uri) {
            open.home = home;
            self.touched.insert(uri.to_string());
        }
    }

    fn open(&mut self, uri: Uri, version: i32, text: String) {
        let name = uri.as_str().to_string();
        self.open.insert(name.clone(), Open { uri, version, text, home: None });
        self.assign(&name, &mut BTreeMap::new());
        self.wait();
    }

    /// A project that is saved is judged as a whole.
    fn saved(&mut self, uri: &str) {
        self.refresh();
        let Some((key, _)) = self.open.get(uri).and_then(|open| open.home.as_ref()) else { return };
        if let Some(project) = self.projects.get_mut(key) {
            project.judge(key, &self.events);
        }
    }

    fn edit(&mut self, params: &DidChange) {
        let uri = params.text_document.uri.as_str();
        let Some(open) = self.open.get_mut(uri) else { return };
        for part in &params.content_changes {
            change(&mut open.text, part.range, &part.text, self.encoding);
        }
        open.version = params.text_document.version;
        self.touched.insert(uri.to_string());
        self.wait();
    }

    /// A closed document has the text of its file.
    fn close(&mut self, uri: &str) {
        let Some(Open { home: Some((key, name)), uri: closed, .. }) = self.open.remove(uri) else { return };
        self.touched.remove(uri);
        match &key {
            Key::Alone(_) => {
                self.projects.remove(&key);
                self.publish_file(Some(closed), &[], None);
            }
            Key::Project(root) => self.reread(&key, &root.join(&name), &name),
        }
    }

    /// Reads a file of a project again.
    fn reread(&mut self, key: &Key, path: &Path, name: &str) {
        let Some(project) = self.projects.get_mut(key) else { return };
        match read_text(path) {
            Ok(text) => project.put(name, &text),
            Err(_) => project.remove(name),
        }
        self.wait();
    }

    fn files_changed(&mut self, params: &DidChangeFiles) {
        let paths: Vec<PathBuf> =
            params.changes.iter().filter_map(|change| path_of(&change.uri)).map(|path| real(&path)).collect();
        if paths.iter().any(|path| path.ends_with(FILE)) {
            self.load();
            return;
        }
        for path in paths {
            let Some((key, name)) = home(&path) else { continue };
            let is_open = self.opened(&key, &name).is_some();
            if !is_open && self.projects.get(&key).is_some_and(|project| project.has(&name)) {
                self.reread(&key, &path, &name);
            }
        }
    }

    fn wait(&mut self) {
        self.waiting.get_or_insert_with(Instant::now);
    }

    /// Gives the projects the texts of the editor, and analyses what changed.
    pub(super) fn refresh(&mut self) {
        for uri in std::mem::take(&mut self.touched) {
            let Some(Open { text, home: Some((key, name)), .. }) = self.open.get(&uri) else { continue };
            if let Some(project) = self.projects.get_mut(key) {
                project.put(name, text);
            }
        }
        self.projects.values_mut().for_each(OpenProject::refresh);
    }

    /// Publishes the findings that changed.
    pub(super) fn publish(&mut self) {
        self.waiting = None;
        self.refresh();
        let keys: Vec<Key> = self.projects.keys().cloned().collect();
        for key in keys {
            let Some(mut project) = self.projects.remove(&key) else { continue };
            for name in project.check() {
                let uri = self.uri(&key, &project, &name);
                let lines = Lines::new(project.text(&name), self.encoding);
                let found = project.published.get(&name).map(Vec::as_slice).unwrap_or_default();
                let other = |document: usize| {
                    let text = project.project.documents.get(document)?;
                    Some((self.uri(&key, &project, &text.name)?, Lines::new(&text.text, self.encoding)))
                };
                let deny = &project.project.config.deny;
                let shown: Vec<Json> =
                    found.iter().map(|found| convert::diagnostic(found, &lines, deny, other)).collect();
                let version = self.opened(&key, &name).map(|open| open.version);
                self.publish_file(uri, &shown, version);
            }
            self.projects.insert(key, project);
        }
    }

    fn publish_file(&mut self, uri: Option<Uri>, diagnostics: &[Json], version: Option<i32>) {
        let Some(uri) = uri else { return };
        let mut params = json!({ "uri": uri.as_str(), "diagnostics": diagnostics });
        if let Some(version) = version {
            params["version"] = json!(version);
        }
        wire::write(&mut self.out, &wire::notification("textDocument/publishDiagnostics", &params));
    }

    fn opened(&self, key: &Key, name: &str) -> Option<&Open> {
        self.open
            .values()
            .find(|open| open.home.as_ref().is_some_and(|(its, known)| its == key && known == name))
    }

    /// The URI of a file of a project.
    pub(super) fn uri(&self, key: &Key, project: &OpenProject, name: &str) -> Option<Uri> {
        match (self.opened(key, name), &project.root) {
            (Some(open), _) => Some(open.uri.clone()),
            (None, Some(root)) => uri_of(&root.join(name)),
            (None, None) => None,
        }
    }

    /// The project of an open document, and its index there.
    pub(super) fn find(&self, uri: &Uri) -> Option<(&Key, &OpenProject, usize)> {
        let (key, name) = self.open.get(uri.as_str())?.home.as_ref()?;
        let project = self.projects.get(key)?;
        Some((key, project, project.index(name)?))
    }
}

/// The arguments of a message.
pub(super) fn arguments<T: DeserializeOwned>(params: Json) -> Result<T, (i32, String)> {
    serde_json::from_value(params).map_err(|error| (wire::INVALID_PARAMS, error.to_string()))
}

/// The project around a file, and its name there.
fn home(path: &Path) -> Option<(Key, String)> {
    let root = path.ancestors().skip(1).find(|folder| folder.join(FILE).is_file())?;
    let name = path.strip_prefix(root).ok()?.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    Some((Key::Project(root.to_path_buf()), name))
}

/// A path without links; of a file that is not there yet, as far as its folder goes.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent().and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}
