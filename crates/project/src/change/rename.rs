//! New names for variables, requirements and components, wherever they are used: sentences, tables, definitions, parents,
//! the project file. Prose is left alone.
//!
//! A change is returned only if the documents, read again after it, say the same with the new name.

mod names;

use crate::component::{Component, Symbol};
use crate::config::Config;
use crate::document::{Column, Document, Language};
use crate::edit::{Edit, apply};
use crate::phrases::PhraseBook;
use crate::project::{Analysis, Project};
use crate::reading::Parsed;
use names::{is_name, is_value, key, renamed_in};
use requirement::specification::Type;
use std::fmt;
use syntax::{Phrases, Span, nearest, quoted_if_needed};
use toml::de::DeTable;

/// A change to a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The changes to documents, in the order of the text.
    pub edits: Vec<Edit>,
    /// The changes to the project file; their document has no meaning.
    pub config: Vec<Edit>,
}

/// Why something is not renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// There is nothing with the old name; perhaps this one was meant.
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// The name.
        name: String,
        /// A name like it.
        near: Option<String>,
    },
    /// Several things have the old name: these components, or requirements in these documents.
    Ambiguous(Vec<String>),
    /// The new name is taken, by this.
    Clash(String),
    /// The new name cannot be a name, and why.
    NoName(String),
    /// With the new name a document would be read differently.
    ReadsOtherwise(String),
    /// Values and words of the language keep their names.
    NotRenamable,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refused::Unknown { what, name, near } => {
                write!(f, "there is no {what} `{name}`")?;
                near.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
            }
            Refused::Ambiguous(places) => {
                write!(f, "the name is used in several places: {}; say which one is meant", places.join(", "))
            }
            Refused::Clash(with) => write!(f, "the new name is taken: it is {with}"),
            Refused::NoName(why) => write!(f, "the new name does not work: {why}"),
            Refused::ReadsOtherwise(file) => {
                write!(f, "`{file}` would be read differently with the new name; choose another one")
            }
            Refused::NotRenamable => write!(f, "this cannot be renamed"),
        }
    }
}

impl std::error::Error for Refused {}

/// Renames a variable of a component; the component may be left out if only one has it.
///
/// # Errors
/// Names that are unknown, ambiguous, taken or invalid.
pub fn variable(
    project: &Project,
    analysis: &Analysis,
    component: Option<&str>,
    old: &str,
    new: &str,
) -> Result<Change, Refused> {
    let owner = owner(analysis, component, old)?;
    is_name(new)?;
    if new.contains('`') {
        return Err(Refused::NoName("tables keep names between backticks".into()));
    }
    if let Some(taken) = owner.symbol(new) {
        return Err(Refused::Clash(format!(
            "a variable of `{}` ({})",
            owner.name,
            taken.variable.kind.name()
        )));
    }
    if let Some(enumeration) = owner.enumeration_of(new) {
        return Err(Refused::Clash(format!("a value of `{}`", enumeration.variable.name)));
    }
    if new == "FTP" || (1..=4).any(|arguments| requirement::is_predefined(new, arguments)) {
        return Err(Refused::Clash("predefined".into()));
    }
    let written = quoted_if_needed(new);
    // Where the name is a value as well, a comparison with its enumeration means the value, which keeps its name.
    let enumerations: Vec<&str> = (owner.variables.iter())
        .filter(
            |symbol| matches!(&symbol.variable.ty, Type::Enum(values) if values.iter().any(|it| it == old)),
        )
        .map(|symbol| symbol.variable.name.as_str())
        .collect();
    let mut edits = Vec::new();
    for used in owner.symbol(old).into_iter().flat_map(|symbol| &symbol.uses).filter(|used| !used.phrased) {
        if is_value(project.sentence(used.place).unwrap_or_default(), &used.span.range(), &enumerations) {
            continue;
        }
        let span = Analysis::in_document(project, used.place, used.span);
        edits.push(Edit { document: used.place.document, span, text: written.clone() });
    }
    for (index, document) in project.documents.iter().enumerate() {
        for table in document.tables.iter().filter(|table| table.component.text == owner.name) {
            for row in &table.rows {
                let name = &row.declaration.name;
                if name.text == old {
                    edits.push(Edit { document: index, span: name.span, text: new.replace('|', "\\|") });
                }
                if let Some(cell) = row.cell(table, &Column::Definition) {
                    let text = document.slice(cell.span);
                    let found = renamed_in(text, old);
                    let found = found.into_iter().filter(|range| !is_value(text, range, &enumerations));
                    edits.extend(found.map(|range| {
                        let at = |offset: usize| cell.span.start + offset as u32;
                        let text = written.replace('|', "\\|");
                        Edit { document: index, span: Span::new(at(range.start), at(range.end)), text }
                    }));
                }
            }
        }
    }
    let mapped = project.config.models.get(&owner.name).map_or(&[][..], |model| &model.map);
    let mapped = mapped.iter().filter(|pair| pair.variable == old);
    let config = mapped.map(|pair| Edit { document: 0, span: pair.variable_at, text: key(new) }).collect();
    checked(project, Change { edits, config }, &|what, of, text| {
        let here = of == Some(owner.name.as_str());
        match what {
            What::Used(sentence, span) if here && is_value(sentence, &span.range(), &enumerations) => {
                text.to_string()
            }
            What::Variable | What::Used(..) if here && text == old => new.to_string(),
            What::Definition if here => replaced(text, old, &written, &enumerations),
            What::Variable
            | What::Used(..)
            | What::Definition
            | What::Id
            | What::Component
            | What::Phrase => text.to_string(),
        }
    })
}

/// Replaces a phrase by another; the component may be left out if only one has it.
///
/// # Errors
/// Phrases that are unknown, ambiguous, taken or invalid.
pub fn phrase(
    project: &Project,
    analysis: &Analysis,
    component: Option<&str>,
    old: &str,
    new: &str,
) -> Result<Change, Refused> {
    let wanted = Phrases::words(new).map_err(|why| Refused::NoName(why.to_string()))?;
    let unknown = |near: Option<&str>| Refused::Unknown {
        what: "phrase",
        name: old.into(),
        near: near.map(String::from),
    };
    let is_old = |symbol: &&Symbol| symbol.has_phrase(&Phrases::words(old).unwrap_or_default());
    let all =
        || analysis.components.iter().filter(|known| component.is_none_or(|wanted| known.name == wanted));
    let owners: Vec<(&Component, &Symbol)> =
        all().filter_map(|known| Some((known, known.variables.iter().find(is_old)?))).collect();
    let (owner, symbol) = match owners[..] {
        [owner] => owner,
        [] => {
            let known =
                all().flat_map(|known| &known.variables).filter_map(|it| it.variable.phrase.as_deref());
            return Err(unknown(nearest(old, known)));
        }
        _ => {
            let names = owners.iter().map(|(owner, _)| format!("component `{}`", owner.name));
            return Err(Refused::Ambiguous(names.collect()));
        }
    };
    let taken = owner.variables.iter().find(|it| it.has_phrase(&wanted));
    if let Some(taken) = taken.filter(|it| it.variable.name != symbol.variable.name) {
        return Err(Refused::Clash(format!("the phrase of `{}`", taken.variable.name)));
    }
    let new = new.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut edits = Vec::new();
    let row = symbol
        .declaration
        .map(|at| (at.document, &project.documents[at.document].tables[at.table].rows[at.row]));
    if let Some((document, cell)) =
        row.and_then(|(document, row)| Some((document, row.declaration.phrase.as_ref()?)))
    {
        edits.push(Edit { document, span: cell.span, text: new.clone() });
    }
    for used in symbol.uses.iter().filter(|used| used.phrased) {
        let span = Analysis::in_document(project, used.place, used.span);
        edits.push(Edit { document: used.place.document, span, text: new.clone() });
    }
    let (before, after) = (shown_words(old), shown_words(&new));
    checked(project, Change { edits, config: Vec::new() }, &|what, of, text| match what {
        What::Phrase if of == Some(owner.name.as_str()) && text == before => after.clone(),
        _ => text.to_string(),
    })
}

/// The words of a phrase on one line, so that phrases that are alike look alike.
fn shown_words(phrase: &str) -> String {
    Phrases::words(phrase).map_or_else(|_| phrase.to_string(), |words| words.join(" "))
}

/// Renames a requirement.
///
/// # Errors
/// Names that are unknown, ambiguous, taken or invalid.
pub fn requirement(project: &Project, old: &str, new: &str) -> Result<Change, Refused> {
    let places: Vec<_> = project.places().filter(|&place| project.entry(place).id.text == old).collect();
    let place = match places[..] {
        [place] => place,
        [] => {
            let ids: Vec<&str> =
                project.places().map(|place| project.entry(place).id.text.as_str()).collect();
            let near = nearest(old, ids).map(String::from);
            return Err(Refused::Unknown { what: "requirement", name: old.into(), near });
        }
        _ => {
            let names = places.iter().map(|place| project.documents[place.document].name.clone());
            return Err(Refused::Ambiguous(names.collect()));
        }
    };
    if new.is_empty() || new.contains(|c: char| c.is_whitespace() || c.is_control() || ":,".contains(c)) {
        return Err(Refused::NoName("an id has no spaces, colons or commas".into()));
    }
    if let Some(taken) = project.find(new) {
        return Err(Refused::Clash(format!("a requirement in `{}`", project.documents[taken.document].name)));
    }
    let id = &project.entry(place).id;
    if id.span.start == id.span.end {
        return Err(Refused::NoName("the requirement is numbered by its line; give it an id first".into()));
    }
    let mut edits = vec![Edit { document: place.document, span: id.span, text: new.to_string() }];
    for user in project.places() {
        let parents = project.documents[user.document].parents(project.entry(user));
        let parents = parents.into_iter().filter(|parent| parent.text == old);
        edits.extend(parents.map(|parent| Edit {
            document: user.document,
            span: parent.span,
            text: new.into(),
        }));
    }
    checked(project, Change { edits, config: Vec::new() }, &|what, _, text| match what {
        What::Id if text == old => new.to_string(),
        What::Id | What::Variable | What::Used(..) | What::Definition | What::Component | What::Phrase => {
            text.to_string()
        }
    })
}

/// Renames a component; `config` is the text of the project file.
///
/// # Errors
/// Names that are unknown, taken or invalid.
pub fn component(
    project: &Project,
    analysis: &Analysis,
    config: Option<&str>,
    old: &str,
    new: &str,
) -> Result<Change, Refused> {
    if analysis.components.get(old).is_none() {
        let near = nearest(old, analysis.components.iter().map(|component| component.name.as_str()));
        return Err(Refused::Unknown { what: "component", name: old.into(), near: near.map(String::from) });
    }
    is_name(new)?;
    if analysis.components.get(new).is_some() {
        return Err(Refused::Clash("a component".into()));
    }
    let mut change = Change::default();
    for known in &analysis.requirements {
        if let Some(named) =
            known.reading.as_ref().and_then(|reading| reading.parsed.fields.component.as_ref())
            && named.text == old
        {
            let span = Analysis::in_document(project, known.place, named.span);
            change.edits.push(Edit { document: known.place.document, span, text: quoted_if_needed(new) });
        }
    }
    for (index, document) in project.documents.iter().enumerate() {
        let mut named: Vec<Span> = document
            .tables
            .iter()
            .map(|table| &table.component)
            .filter(|name| name.text == old)
            .map(|name| name.span)
            .collect();
        named.dedup();
        change.edits.extend(named.into_iter().map(|span| Edit {
            document: index,
            span,
            text: new.to_string(),
        }));
    }
    if let Some(text) = config {
        let places = ["components", "model"].map(|table| config_key(text, table, old));
        change.config =
            places.into_iter().flatten().map(|span| Edit { document: 0, span, text: key(new) }).collect();
        let read = apply(text, &change.config).map(|text| Config::read(&text).0).unwrap_or_default();
        let settings = |config: &Config, name: &str| {
            (config.components.get(name).cloned(), config.models.get(name).map(|model| model.file.clone()))
        };
        let gone = settings(&read, old) == (None, None);
        if settings(&read, new) != settings(&project.config, old) || !gone {
            return Err(Refused::ReadsOtherwise("shall.toml".into()));
        }
    }
    checked(project, change, &|what, _, text| match what {
        What::Component if text == old => new.to_string(),
        What::Component | What::Id | What::Variable | What::Used(..) | What::Definition | What::Phrase => {
            text.to_string()
        }
    })
}

/// The component that has a variable.
fn owner<'a>(analysis: &'a Analysis, component: Option<&str>, name: &str) -> Result<&'a Component, Refused> {
    let all = || analysis.components.iter();
    if let Some(wanted) = component
        && analysis.components.get(wanted).is_none()
    {
        let near = nearest(wanted, all().map(|component| component.name.as_str())).map(String::from);
        return Err(Refused::Unknown { what: "component", name: wanted.into(), near });
    }
    let considered = || all().filter(|known| component.is_none_or(|wanted| known.name == wanted));
    let owners: Vec<&Component> = considered().filter(|known| known.symbol(name).is_some()).collect();
    match owners[..] {
        [owner] => Ok(owner),
        [] => {
            let known =
                considered().flat_map(|known| &known.variables).map(|symbol| symbol.variable.name.as_str());
            Err(Refused::Unknown {
                what: "variable",
                name: name.into(),
                near: nearest(name, known).map(String::from),
            })
        }
        _ => Err(Refused::Ambiguous(
            owners.iter().map(|owner| format!("component `{}`", owner.name)).collect(),
        )),
    }
}

/// Where a table of the project file names a component.
fn config_key(text: &str, table: &str, name: &str) -> Option<Span> {
    let parsed = DeTable::parse(text).ok()?;
    let components = parsed.get_ref().get(table)?.get_ref().as_table()?;
    let key = components.keys().find(|key| key.get_ref() == name)?;
    Some(Span::new(key.span().start as u32, key.span().end as u32))
}

/// What a name in a document stands for.
#[derive(Clone, Copy)]
enum What<'t> {
    Id,
    Component,
    /// The name in a table.
    Variable,
    /// The name at this place of a sentence.
    Used(&'t str, Span),
    Definition,
    /// A phrase, in a table or in a sentence.
    Phrase,
}

/// What a name of a kind, of a component, becomes.
type Renaming<'a> = &'a dyn Fn(What<'_>, Option<&str>, &str) -> String;

/// The change, if the documents say the same after it as before, but for the new name.
fn checked(project: &Project, mut change: Change, renaming: Renaming) -> Result<Change, Refused> {
    change.edits.sort();
    change.edits.dedup();
    let mut changed = project.documents.clone();
    for (index, document) in changed.iter_mut().enumerate() {
        let edits: Vec<&Edit> = change.edits.iter().filter(|edit| edit.document == index).collect();
        if !edits.is_empty() {
            let text =
                apply(&document.text, edits).map_err(|_| Refused::ReadsOtherwise(document.name.clone()))?;
            *document = Document::read(document.name.clone(), text);
        }
    }
    let phrases = [&project.documents, &changed].map(|documents| PhraseBook::of(documents));
    for (old, new) in project.documents.iter().zip(&changed) {
        let names = names_of(new, &phrases[1], &|_, _, name| name.to_string());
        if names != names_of(old, &phrases[0], renaming) {
            return Err(Refused::ReadsOtherwise(old.name.clone()));
        }
    }
    Ok(change)
}

/// All names of a document, renamed.
fn names_of(document: &Document, phrases: &PhraseBook, renaming: Renaming) -> Vec<String> {
    let mut names = Vec::new();
    for entry in &document.entries {
        names.push(renaming(What::Id, None, &entry.id.text));
        names.extend(entry.parents().iter().map(|parent| renaming(What::Id, None, &parent.text)));
        names.extend(entry.title.as_ref().map(|title| title.text.clone()));
        if let Some(written) = entry.sentence.filter(|written| written.language == Language::Fretish) {
            let text = document.slice(written.span);
            let parsed = Parsed::with(text, &phrases.of_sentence(text));
            let of = parsed.component();
            names.push(of.map_or(String::new(), |name| renaming(What::Component, None, name)));
            let used = parsed.names.iter().map(|it| match it.phrased {
                true => renaming(What::Phrase, of, &shown_words(&text[it.span.range()])),
                false => renaming(What::Used(text, it.span), of, &it.name),
            });
            names.extend(used);
            names.extend(parsed.parse.tree.nodes().map(|node| format!("{:?}", node.kind())));
        }
    }
    for table in &document.tables {
        let of = table.component.text.as_str();
        names.push(renaming(What::Component, None, of));
        for row in &table.rows {
            names.push(renaming(What::Variable, Some(of), &row.declaration.name.text));
            let phrase = row.declaration.phrase.as_ref();
            names.extend(phrase.map(|it| renaming(What::Phrase, Some(of), &shown_words(&it.text))));
            names.extend(
                row.declaration.definition.iter().map(|text| renaming(What::Definition, Some(of), text)),
            );
        }
    }
    names
}

fn replaced(text: &str, old: &str, new: &str, enumerations: &[&str]) -> String {
    let mut out = text.to_string();
    for range in renamed_in(text, old).into_iter().rev() {
        if !is_value(text, &range, enumerations) {
            out.replace_range(range, new);
        }
    }
    out
}

#[cfg(test)]
mod tests;
