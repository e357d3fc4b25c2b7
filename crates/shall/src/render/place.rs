//! Where findings are, as people and other tools count: files by their path from the current folder, lines and columns from 1.

use crate::workspace::{FILE, Workspace};
use base::Lines;
use project::Source;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use syntax::Span;

/// The files of a project with the starts of their lines, found when first asked for.
pub(crate) struct Places<'w> {
    workspace: &'w Workspace,
    prefix: String,
    lines: RefCell<BTreeMap<Source, Rc<Lines>>>,
}

/// A place in a text. Columns count characters of UTF-16, as editors and SARIF do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl<'w> Places<'w> {
    pub(crate) fn new(workspace: &'w Workspace) -> Places<'w> {
        let here = std::env::current_dir().and_then(std::fs::canonicalize).ok();
        let below = here.and_then(|here| Some(workspace.root.strip_prefix(here).ok()?.to_path_buf()));
        let prefix = below.map(|path| slashed(&path)).filter(|path| !path.is_empty());
        let prefix = prefix.map_or(String::new(), |path| path + "/");
        Places { workspace, prefix, lines: RefCell::default() }
    }

    /// The path of a file.
    pub(crate) fn path(&self, source: Source) -> String {
        let name = match source {
            Source::Config => FILE,
            Source::Document(document) => &self.workspace.project.documents[document].name,
        };
        format!("{}{name}", self.prefix)
    }

    /// The text of a file.
    pub(crate) fn text(&self, source: Source) -> &'w str {
        match source {
            Source::Config => self.workspace.config_text.as_deref().unwrap_or_default(),
            Source::Document(document) => &self.workspace.project.documents[document].text,
        }
    }

    /// The first and the last place of a span.
    pub(crate) fn ends(&self, source: Source, span: Span) -> (Position, Position) {
        (self.position(source, span.start as usize), self.position(source, span.end as usize))
    }

    fn position(&self, source: Source, offset: usize) -> Position {
        let lines = self.all_lines(source);
        let line = lines.at(offset);
        let start = lines.range(line).map_or(0, |range| range.start);
        let before = self.text(source).get(start..offset).unwrap_or_default();
        Position { line: line + 1, column: before.encode_utf16().count() + 1 }
    }

    fn all_lines(&self, source: Source) -> Rc<Lines> {
        let mut all = self.lines.borrow_mut();
        all.entry(source).or_insert_with(|| Rc::new(Lines::of(self.text(source)))).clone()
    }

    /// The whole lines of a span: their text, the number of the first, and where it begins.
    pub(crate) fn lines(&self, source: Source, span: Span) -> (&'w str, usize, usize) {
        let lines = self.all_lines(source);
        let [first, last] = [span.start, span.end.max(span.start)].map(|offset| lines.at(offset as usize));
        let start = lines.range(first).map_or(0, |range| range.start);
        let text = self.text(source);
        let end = lines.range(last).map_or(text.len(), |range| range.end);
        (text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']), first + 1, start)
    }
}

/// A path with `/` between its names.
fn slashed(path: &Path) -> String {
    path.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/")
}
