//! The project and its documents, read and written. The files are the database: what is on disk is what is shown, and a document that
//! changed on disk since it was shown is not overwritten.

use super::workbench::refusal;
use crate::commands::check;
use crate::files::{read_text, write_file};
use crate::render::place::Places;
use crate::workspace::{Stamp, Workspace, document_names, stamp};
use ::serve::{Kind, Refusal};
use project::rules::Memory;
use project::{Analysis, Cache, Place, Project, Source};
use requirement::Context;
use requirement::witness::Types;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The project as it was read last, so that what did not change is not read again.
#[derive(Default)]
pub(super) struct Opened {
    cache: Cache,
    memory: Memory,
    /// What is known about sentences of each component.
    known: BTreeMap<String, Known>,
    /// The last overview, and the files that it shows.
    shown: Option<(Stamp, String)>,
}

/// Everything about a project but the texts of its documents.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Overview<'p> {
    /// Its name, if the project file has one.
    name: Option<&'p str>,
    /// Its folder.
    root: &'p Path,
    /// Whether the server refuses changes.
    read_only: bool,
    /// The documents.
    documents: Vec<Name<'p>>,
    /// The requirements, in the order of the documents.
    requirements: Vec<Requirement<'p>>,
    /// The components with their variables.
    components: Vec<Component<'p>>,
    /// The findings, as `shall check` writes them, without fixes.
    check: check::Checked<'p>,
}

/// A document in the list of all.
#[derive(Serialize, JsonSchema)]
struct Name<'p> {
    /// Its path from the folder of the project.
    name: &'p str,
}

/// What is known about a sentence besides its text: the step and the constants, and the types of variables.
#[derive(Clone, Default)]
pub(super) struct Known {
    pub(super) context: Context,
    pub(super) types: Types,
}

/// A document of the project.
#[derive(Deserialize)]
pub(super) struct Named {
    name: String,
}

/// A document.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Shown<'d> {
    /// Its name.
    name: &'d str,
    /// Its text.
    text: &'d str,
    /// What a save of another text must name.
    version: String,
}

/// A new text of a document.
#[derive(Deserialize)]
pub(super) struct Edited {
    name: String,
    text: String,
    /// The version of the text that was edited.
    version: String,
}

/// A requirement in the list of all.
#[derive(Serialize, JsonSchema)]
struct Requirement<'p> {
    /// Its id.
    id: &'p str,
    /// Its title.
    title: Option<&'p str>,
    /// The document that has it.
    document: &'p str,
    /// The line of its heading, from 1.
    line: usize,
    /// Its sentence; `null` for prose.
    sentence: Option<&'p str>,
    /// Whether it has a sentence without errors.
    formal: bool,
    /// The component that the sentence names.
    component: Option<&'p str>,
    /// Its status.
    status: Option<&'p str>,
    /// The ids of its parents.
    parents: Vec<&'p str>,
}

/// A component and its variables.
#[derive(Serialize, JsonSchema)]
struct Component<'p> {
    /// Its name.
    name: &'p str,
    /// Its variables.
    variables: Vec<Variable<'p>>,
}

/// A variable of a component.
#[derive(Serialize, JsonSchema)]
struct Variable<'p> {
    /// Its name.
    name: &'p str,
    /// Its kind, such as `input`.
    kind: &'static str,
    /// Its type.
    #[serde(rename = "type")]
    ty: String,
    /// Its definition.
    definition: Option<&'p str>,
    /// The words that sentences write for it.
    phrase: Option<&'p str>,
    /// Whether it is in a table of variables; otherwise its uses tell its type.
    declared: bool,
}

impl Opened {
    /// Everything about the project but the texts of its documents.
    pub(super) fn overview(&mut self, root: &Path, read_only: bool) -> Result<String, Refusal> {
        // The files may change while they are read; then this is not their stamp, and they are read again the next time.
        let stamp = stamp(root);
        if let Some((_, text)) = self.shown.as_ref().filter(|(known, _)| *known == stamp) {
            return Ok(text.clone());
        }
        let workspace = Workspace::open(root).map_err(refusal)?;
        let report = check::report(workspace, (&mut self.cache, &mut self.memory)).map_err(refusal)?;
        let project = &report.workspace.project;
        let analysis = project.analyse(&mut self.cache);
        self.known = analysis.components.iter().map(|it| (it.name.clone(), known(project, it))).collect();
        let places = Places::new(&report.workspace);
        let overview = Overview {
            name: project.config.name.as_deref(),
            root,
            read_only,
            documents: project.documents.iter().map(|document| Name { name: &document.name }).collect(),
            requirements: (project.places())
                .map(|place| requirement(project, &analysis, &places, place))
                .collect(),
            components: analysis.components.iter().map(component).collect(),
            // The language server has the fixes.
            check: report.document(&places).without_fixes(),
        };
        let text = serde_json::to_string(&overview).map_err(|error| Refusal::new(Kind::Failed, error))?;
        self.shown = Some((stamp, text.clone()));
        Ok(text)
    }

    /// What is known about sentences of a component.
    pub(super) fn known(&self, component: &str) -> Known {
        self.known.get(component).cloned().unwrap_or_default()
    }
}

/// The text of a document, with its version.
pub(super) fn document(root: &Path, asked: &Named) -> Result<Json, Refusal> {
    let text = read_text(&path(root, &asked.name)?).map_err(refusal)?;
    let version = version(&text);
    Ok(json!(Shown { name: &asked.name, text: &text, version }))
}

/// Writes a document, unless it is not as it was. Of two at the same time, one waits for the other.
pub(super) fn save(root: &Path, edited: &Edited) -> Result<Json, Refusal> {
    static SAVING: Mutex<()> = Mutex::new(());
    let _saving = SAVING.lock().unwrap_or_else(PoisonError::into_inner);
    let path = path(root, &edited.name)?;
    let there = read_text(&path).map_err(refusal)?;
    let found = version(&there);
    if found != edited.version {
        let error = format!("`{}` has changed on disk; nothing was written", edited.name);
        let document = json!({ "error": error, "text": there, "version": found });
        return Err(Refusal { kind: Kind::Conflict, document });
    }
    write_file(&path, &edited.text).map_err(|error| Refusal::new(Kind::Failed, error))?;
    Ok(json!({ "version": version(&edited.text) }))
}

/// The file of a document: one that belongs to the project, and is in its folder.
fn path(root: &Path, name: &str) -> Result<PathBuf, Refusal> {
    let path = root.join(name);
    let known = document_names(root).map_err(refusal)?.iter().any(|known| known == name);
    match known && is_below(root, &path) {
        true => Ok(path),
        false => Err(Refusal::new(Kind::Missing, format_args!("the project has no document `{name}`"))),
    }
}

/// Whether a path is below a folder, also after all links are followed.
pub(super) fn is_below(folder: &Path, path: &Path) -> bool {
    let plain = path.components().all(|part| !matches!(part, path::Component::ParentDir));
    let real = path.canonicalize().ok();
    plain && path.starts_with(folder) && real.is_none_or(|real| real.starts_with(folder))
}

/// Texts that differ have different versions.
fn version(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}{:x}", hasher.finish(), text.len())
}

fn requirement<'p>(
    project: &'p Project,
    analysis: &'p Analysis,
    places: &Places,
    place: Place,
) -> Requirement<'p> {
    let entry = project.entry(place);
    let known = analysis.at(place);
    let attribute = |name: &str| {
        let found = entry.attributes.iter().find(|it| it.name.text.eq_ignore_ascii_case(name));
        found.map(|it| it.value.text.as_str())
    };
    let component = known.and_then(|known| analysis.components.at(known.component?));
    Requirement {
        id: &entry.id.text,
        title: entry.title.as_ref().map(|title| title.text.as_str()),
        document: &project.documents[place.document].name,
        line: places.ends(Source::Document(place.document), entry.heading).0.line,
        sentence: project.sentence(place),
        formal: known.is_some_and(|known| known.reading.as_ref().is_some_and(|reading| reading.is_sound())),
        component: component.map(|component| component.name.as_str()),
        status: attribute("status"),
        parents: attribute("parent").into_iter().flat_map(|all| all.split(',')).map(str::trim).collect(),
    }
}

fn known(project: &Project, component: &project::Component) -> Known {
    let constants = component.variables.iter();
    let constants = constants.filter_map(|symbol| Some((symbol.variable.name.clone(), symbol.number()?)));
    let context =
        Context { step: project.config.step.clone(), constants: constants.collect(), ..Context::default() };
    Known { context, types: component.types() }
}

fn component(component: &project::Component) -> Component<'_> {
    Component { name: &component.name, variables: component.variables.iter().map(variable).collect() }
}

fn variable(symbol: &project::Symbol) -> Variable<'_> {
    let it = &symbol.variable;
    Variable {
        name: &it.name,
        kind: it.kind.name(),
        ty: it.ty.to_string(),
        definition: it.definition.as_deref(),
        phrase: it.phrase.as_deref(),
        declared: symbol.declaration.is_some(),
    }
}
