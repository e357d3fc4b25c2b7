//! Two versions of a project: what changed for each requirement, and what that means.
//!
//! A requirement is compared in its own surroundings: with the constants, definitions and step of its version, so that a
//! sentence that stays the same is found to mean something else where a limit changed. Traces are replayed before
//! they are given out; what could not be decided is a class of its own.

mod meaning;
mod types;
mod variables;

pub use meaning::Witness;
pub(crate) use types::within;
pub use variables::{VariableChange, VariableClass};

use crate::document::{Document, Entry, Language};
use crate::format;
use crate::project::{Analysis, Known, Project};
use crate::reading::Cache;
use meaning::{Side, Verdict, compared};
use rustc_hash::FxHashMap;
use syntax::Phrases;

/// What changed between two versions of a project.
#[derive(Debug, Default)]
pub struct Diff {
    /// The requirements: those of the new version in the order of its documents, then the removed ones.
    pub requirements: Vec<Change>,
    /// The variables that differ.
    pub variables: Vec<VariableChange>,
    /// The step of the old and of the new version, if they differ.
    pub step: Option<(String, String)>,
}

/// What became of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It says the same in the same words.
    Unchanged,
    /// It says the same in the same words and has another id.
    Renamed,
    /// It says the same in other words.
    Reworded,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It allows less.
    Stronger,
    /// It allows more.
    Weaker,
    /// It allows something that it did not allow, and forbids something that it did not forbid.
    Changed,
    /// Whether it still says the same is not known.
    Undecided,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 9] = [
        Class::Unchanged,
        Class::Renamed,
        Class::Reworded,
        Class::Added,
        Class::Removed,
        Class::Stronger,
        Class::Weaker,
        Class::Changed,
        Class::Undecided,
    ];

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Class::Unchanged => "unchanged",
            Class::Renamed => "renamed",
            Class::Reworded => "reworded",
            Class::Added => "added",
            Class::Removed => "removed",
            Class::Stronger => "stronger",
            Class::Weaker => "weaker",
            Class::Changed => "changed",
            Class::Undecided => "undecided",
        }
    }

    /// Whether the project asks for something else than before.
    pub fn changes_meaning(self) -> bool {
        match self {
            Class::Unchanged | Class::Renamed | Class::Reworded | Class::Undecided => false,
            Class::Added | Class::Removed | Class::Stronger | Class::Weaker | Class::Changed => true,
        }
    }
}

/// What became of a requirement, with the reasons.
#[derive(Debug)]
pub struct Change {
    /// Its id; in the new version if it is there.
    pub id: String,
    /// The old id, if it has a new one.
    pub was: Option<String>,
    /// What became of it.
    pub class: Class,
    /// The old sentence.
    pub old: Option<String>,
    /// The new sentence.
    pub new: Option<String>,
    /// What changed around the sentence: "`LIMIT` changed from 3 to 4".
    pub causes: Vec<String>,
    /// A trace that the old version allows and the new one does not.
    pub only_old: Option<Witness>,
    /// A trace that the new version allows and the old one does not.
    pub only_new: Option<Witness>,
    /// Why it is not decided, or why there is no trace.
    pub reason: Option<String>,
    /// What else changed: the title, the rationale, attributes, the document.
    pub edited: Vec<Edited>,
}

/// A change that the sentence's meaning does not depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// `title`, `rationale`, `document`, or `attribute` and its name.
    pub what: String,
    /// What it was.
    pub old: Option<String>,
    /// What it is.
    pub new: Option<String>,
}

impl Diff {
    /// Whether the project asks for something else than before.
    pub fn changes_meaning(&self) -> bool {
        self.requirements.iter().any(|change| change.class.changes_meaning())
            || self.variables.iter().any(VariableChange::changes_meaning)
    }

    /// Whether something could not be decided.
    pub fn is_undecided(&self) -> bool {
        self.requirements.iter().any(|change| change.class == Class::Undecided)
    }
}

/// A version of a project, with an answer for each id.
struct Version<'p> {
    project: &'p Project,
    analysis: Analysis,
}

/// A requirement of a version.
#[derive(Clone, Copy)]
struct Item<'v> {
    version: &'v Version<'v>,
    document: &'v Document,
    entry: &'v Entry,
    known: &'v Known,
}

/// Compares two versions of a project.
pub fn diff(old: &Project, new: &Project) -> Diff {
    let version = |project| Version { project, analysis: Project::analyse(project, &mut Cache::default()) };
    let (old, new) = (version(old), version(new));
    let (before, after) = (items(&old), items(&new));
    let partners = partners(&before, &after);
    let mut changes = Vec::new();
    for (item, &partner) in after.iter().zip(&partners) {
        changes.push(match partner {
            Some(partner) => pair(before[partner], *item),
            None => single(*item, Class::Added),
        });
    }
    let gone = left_over(before.len(), &partners);
    changes.extend(gone.into_iter().map(|index| single(before[index], Class::Removed)));
    let shown =
        |version: &Version| version.project.config.step.as_ref().map_or("none".into(), ToString::to_string);
    let steps = (shown(&old), shown(&new));
    Diff {
        requirements: changes,
        variables: variables::changes(&old.analysis, &new.analysis),
        step: (steps.0 != steps.1).then_some(steps),
    }
}

fn items<'v>(version: &'v Version<'v>) -> Vec<Item<'v>> {
    version
        .analysis
        .requirements
        .iter()
        .map(|known| {
            let document = &version.project.documents[known.place.document];
            Item { version, document, entry: &document.entries[known.place.entry], known }
        })
        .collect()
}

/// For each new requirement the old one: with the same id, or else, among those left over, with the same words.
fn partners(before: &[Item], after: &[Item]) -> Vec<Option<usize>> {
    let mut by_id: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (index, item) in before.iter().enumerate().rev() {
        by_id.entry(&item.entry.id.text).or_default().push(index);
    }
    let mut partners: Vec<Option<usize>> =
        after.iter().map(|item| by_id.get_mut(item.entry.id.text.as_str()).and_then(Vec::pop)).collect();
    let mut by_words: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for index in left_over(before.len(), &partners).into_iter().rev() {
        by_words.entry(before[index].words()).or_default().push(index);
    }
    for (partner, item) in partners.iter_mut().zip(after).filter(|(partner, _)| partner.is_none()) {
        *partner = by_words.get_mut(&item.words()).and_then(Vec::pop);
    }
    partners
}

/// Those of the old requirements that are nobody's partner.
fn left_over(count: usize, partners: &[Option<usize>]) -> Vec<usize> {
    let mut taken = vec![false; count];
    partners.iter().flatten().for_each(|&index| taken[index] = true);
    (0..count).filter(|&index| !taken[index]).collect()
}

impl<'v> Item<'v> {
    fn sentence(&self) -> Option<(Language, &'v str)> {
        self.entry.sentence.map(|written| (written.language, self.document.slice(written.span)))
    }

    fn side(&self) -> Side<'v> {
        Side::of(self.version.project, &self.version.analysis, self.known)
    }

    /// The sentence in normal form, or for a requirement without one its title and prose.
    fn words(&self) -> String {
        match self.sentence() {
            Some((Language::Fretish, text)) => {
                let plain = self.known.without_phrases();
                format::sentence(plain.as_deref().unwrap_or(text), " ", &Phrases::default())
            }
            Some((Language::SysReq, text)) => text.to_string(),
            None => format!(
                "{:?} {:?}",
                self.entry.title.as_ref().map(|title| &title.text),
                self.document.rationale(self.entry)
            ),
        }
    }
}

fn single(item: Item, class: Class) -> Change {
    let text = item.sentence().map(|(_, text)| text.to_string());
    let (old, new) = if class == Class::Removed { (text, None) } else { (None, text) };
    Change {
        id: item.entry.id.text.clone(),
        was: None,
        class,
        old,
        new,
        causes: Vec::new(),
        only_old: None,
        only_new: None,
        reason: None,
        edited: Vec::new(),
    }
}

fn pair(old: Item, new: Item) -> Change {
    let mut change = single(new, Class::Unchanged);
    change.old = old.sentence().map(|(_, text)| text.to_string());
    change.was = (old.entry.id.text != new.entry.id.text).then(|| old.entry.id.text.clone());
    change.edited = edited(old, new);
    let same_words = old.words() == new.words();
    match (old.sentence(), new.sentence()) {
        (None, None) => {}
        (None, Some(_)) => {
            change.class = Class::Stronger;
            change.reason = Some("it had no sentence".into());
        }
        (Some(_), None) => {
            change.class = Class::Weaker;
            change.reason = Some("it no longer has a sentence".into());
        }
        (Some((Language::Fretish, _)), Some((Language::Fretish, _))) => {
            let Verdict { class, causes, only_old, only_new, reason } =
                compared(&old.side(), &new.side(), same_words);
            change = Change { class, causes, only_old, only_new, reason, ..change };
        }
        (Some((Language::Fretish | Language::SysReq, _)), Some(_)) if same_words => {}
        (Some((Language::Fretish | Language::SysReq, _)), Some(_)) => {
            change.class = Class::Undecided;
            change.reason = Some("sentences of SysReq-CNL are not compared one by one".into());
        }
    }
    if change.was.is_some() && change.class == Class::Unchanged {
        change.class = Class::Renamed;
    }
    change
}

/// What changed beside the sentence.
fn edited(old: Item, new: Item) -> Vec<Edited> {
    let mut edited = Vec::new();
    let mut look = |what: String, old: Option<String>, new: Option<String>| {
        if old != new {
            edited.push(Edited { what, old, new });
        }
    };
    let title = |item: Item| item.entry.title.as_ref().map(|title| title.text.clone());
    // The ends of lines may differ between a repository and the files.
    let prose = |item: Item| item.document.rationale(item.entry).replace("\r\n", "\n");
    let rationale = |item: Item| Some(prose(item)).filter(|text| !text.is_empty());
    look("title".into(), title(old), title(new));
    look("rationale".into(), rationale(old), rationale(new));
    look("document".into(), Some(old.document.name.clone()), Some(new.document.name.clone()));
    let mut names: Vec<String> = Vec::new();
    for attribute in old.entry.attributes.iter().chain(&new.entry.attributes) {
        let name = attribute.name.text.to_lowercase();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let value = |item: Item| item.entry.attribute(&name).map(|attribute| attribute.value.text.clone());
        look(format!("attribute {name}"), value(old), value(new));
    }
    edited
}

#[cfg(test)]
mod tests;
