//! A project in the language server: documents as they are on disk or in the editor, their analysis, and the findings that
//! were last published. A document without a project file is a project of its own.

use super::judging::{Judged, Judging};
use super::server::Event;
use crate::Error;
use crate::workspace::{FILE, Workspace, is_document};
use project::rules::{self, Checked, Memory};
use project::{Analysis, Cache, Config, Document, Finding, Project, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use syntax::Diagnostic;

/// What identifies an open project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// The folder of a project file.
    Project(PathBuf),
    /// A document without one, by its URI.
    Alone(String),
}

#[derive(Default)]
pub(super) struct OpenProject {
    /// The folder of the project file.
    pub(super) root: Option<PathBuf>,
    pub(super) project: Project,
    pub(super) config_text: String,
    config_diagnostics: Vec<Diagnostic>,
    cache: Cache,
    memory: Memory,
    pub(super) analysis: Option<Analysis>,
    /// The requirements are being judged together.
    judging: Option<Judging>,
    /// What that found, if nothing has changed since.
    judged: Checked,
    /// The findings that were last published, for each file that has some.
    pub(super) published: BTreeMap<String, Vec<Finding>>,
    /// The files that changed since then.
    changed: BTreeSet<String>,
    stale: bool,
}

impl OpenProject {
    /// The project in a folder; the cache may know its sentences already.
    pub(super) fn open(root: &Path, cache: Cache) -> Result<OpenProject, Error> {
        let Workspace { root, config_text, config_diagnostics, project } = Workspace::open(root)?;
        Ok(OpenProject {
            root: Some(root),
            project,
            config_text: config_text.unwrap_or_default(),
            config_diagnostics,
            cache,
            stale: true,
            ..OpenProject::default()
        })
    }

    /// The sentences that have been read, for the project that replaces this one.
    pub(super) fn into_cache(self) -> Cache {
        self.cache
    }

    /// Whether a file of the folder belongs to the project.
    pub(super) fn has(&self, name: &str) -> bool {
        name == FILE || self.root.is_none() || is_document(&self.project.config, name, &[])
    }

    /// The index of a document.
    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.project.documents.binary_search_by(|document| document.name.as_str().cmp(name)).ok()
    }

    /// Sets the text of a file; only this file is read again.
    pub(super) fn put(&mut self, name: &str, text: &str) {
        self.touch(name);
        if name == FILE && self.root.is_some() {
            text.clone_into(&mut self.config_text);
            (self.project.config, self.config_diagnostics) = Config::read(text);
            return;
        }
        let documents = &mut self.project.documents;
        match documents.binary_search_by(|document| document.name.as_str().cmp(name)) {
            Ok(at) if documents[at].text == text => {}
            Ok(at) => documents[at] = Document::read(name, text),
            Err(at) => documents.insert(at, Document::read(name, text)),
        }
    }

    /// Removes a document.
    pub(super) fn remove(&mut self, name: &str) {
        self.touch(name);
        if let Some(at) = self.index(name) {
            self.project.documents.remove(at);
        }
    }

    /// Judges the requirements together, in the background.
    pub(super) fn judge(&mut self, key: &Key, events: &Sender<Event>) {
        self.judging = Judging::start(key.clone(), self.project.clone(), events.clone());
    }

    /// Takes what was found in the background; returns whether it is about the current texts.
    pub(super) fn take_judged(&mut self, judged: Judged) -> bool {
        let is_current = self.judging.as_ref().is_some_and(|it| it.has_found(&judged));
        if is_current {
            self.judging = None;
            self.judged = judged.checked;
            self.stale = true;
        }
        is_current
    }

    fn touch(&mut self, name: &str) {
        self.judging = None;
        self.judged = Checked::default();
        self.changed.insert(name.to_string());
        self.analysis = None;
        self.stale = true;
    }

    /// Analyses the project again, if anything changed.
    pub(super) fn refresh(&mut self) {
        if self.analysis.is_none() {
            self.analysis = Some(self.project.analyse(&mut self.cache));
        }
    }

    /// The files whose findings have changed; all findings are then in `published`.
    pub(super) fn check(&mut self) -> Vec<String> {
        if !std::mem::take(&mut self.stale) {
            return Vec::new();
        }
        self.refresh();
        let Some(analysis) = &self.analysis else { return Vec::new() };
        let mut all: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
        let mut by_document: Vec<Vec<Finding>> = Vec::new();
        by_document.resize_with(self.project.documents.len(), Vec::new);
        let mut of_config: Vec<Finding> = Vec::new();
        for diagnostic in &self.config_diagnostics {
            of_config.push(Finding::in_config(diagnostic.clone()));
        }
        let mut checked = rules::check(&self.project, analysis, &mut self.memory);
        checked.add(self.judged.clone());
        for found in checked.findings {
            match found.source {
                Source::Document(at) => by_document.get_mut(at).unwrap_or(&mut of_config).push(found),
                Source::Config => of_config.push(found),
            }
        }
        let names = self.project.documents.iter().map(|document| document.name.clone());
        for (name, mut found) in names.zip(by_document).chain([(FILE.to_string(), of_config)]) {
            if !found.is_empty() {
                found.sort_by_key(|found| (found.diagnostic.span.start, found.diagnostic.span.end));
                all.insert(name, found);
            }
        }
        let mut changed = std::mem::take(&mut self.changed);
        changed.extend(all.keys().filter(|name| all.get(*name) != self.published.get(*name)).cloned());
        changed.extend(self.published.keys().filter(|name| !all.contains_key(*name)).cloned());
        self.published = all;
        changed.into_iter().collect()
    }

    /// The text of a file.
    pub(super) fn text(&self, name: &str) -> &str {
        match self.index(name) {
            Some(at) => &self.project.documents[at].text,
            None if name == FILE => &self.config_text,
            None => "",
        }
    }
}
