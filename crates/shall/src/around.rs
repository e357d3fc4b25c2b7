//! The project around a command: ids of requirements and names of documents in the place of sentences, with the step, the constants, the
//! modes and the types of the project.
//!
//! The project is read only if an argument is not a sentence. What is neither an id nor a document stays a text.

use crate::Error;
use crate::cli::ProjectPath;
use crate::files::read_text;
use crate::reading::{Given, Reading, given, is_sentence};
use crate::workspace::{Workspace, document_at, root_of};
use logic::Store;
use project::{Analysis, Cache, Config, Document, Place, Project};
use requirement::witness::Types;
use requirement::{Context, Fields, Lowered};
use std::path::{Path, PathBuf};

/// What a command is asked about.
#[derive(Clone)]
pub(crate) enum Asked {
    /// A sentence or formula.
    Text(Given),
    /// A requirement of the project.
    Requirement(Place),
}

/// The names that stay as they are, although the project defines them.
pub(crate) type Keeps<'k> = &'k (dyn Fn(&str) -> bool + Sync);

/// Where arguments are looked up.
pub(crate) struct Sources {
    found: Option<Found>,
}

struct Found {
    root: PathBuf,
    project: Project,
    analysis: Analysis,
}

impl Sources {
    /// No project: every argument is a text.
    pub(crate) fn none() -> Sources {
        Sources { found: None }
    }

    /// The project that arguments may refer to: the given one, that of the first document among them, or the one around the current
    /// folder. Without arguments, there must be one.
    pub(crate) fn open<'t>(
        path: &ProjectPath,
        texts: impl IntoIterator<Item = &'t String>,
    ) -> Result<Sources, Error> {
        let texts: Vec<&String> = texts.into_iter().collect();
        let others = || texts.iter().filter(|text| !is_sentence(text) && **text != "-");
        if let Some(path) = &path.project {
            return Ok(Sources { found: Some(Found::of(Workspace::open(path)?)) });
        }
        if !texts.is_empty() && others().next().is_none() {
            return Ok(Sources::none());
        }
        let file = others().map(Path::new).find(|path| path.is_file());
        let start = file.unwrap_or(Path::new("."));
        let found = match (root_of(start)?, file) {
            (Some(_), _) => Some(Found::of(Workspace::open(start)?)),
            (None, Some(file)) => Some(Found::document(file)?),
            (None, None) if texts.is_empty() => Some(Found::of(Workspace::open(start)?)),
            (None, None) => None,
        };
        Ok(Sources { found })
    }

    /// What the arguments refer to, in their order.
    pub(crate) fn asked(&self, texts: &[String]) -> Result<Vec<Asked>, Error> {
        if texts.is_empty() {
            return Ok(self
                .found
                .iter()
                .flat_map(|found| found.formal(|_| true))
                .map(Asked::Requirement)
                .collect());
        }
        let mut asked = Vec::new();
        for given in given(texts)?.0 {
            match self.places(&given.text)? {
                Some(places) => asked.extend(places.into_iter().map(Asked::Requirement)),
                None => asked.push(Asked::Text(given)),
            }
        }
        Ok(asked)
    }

    /// The one requirement or text that an argument refers to.
    pub(crate) fn one(&self, text: &str) -> Result<Asked, Error> {
        match self.places(text)?.as_deref() {
            None => Ok(Asked::Text(Given::of(text))),
            Some([place]) => Ok(Asked::Requirement(*place)),
            Some(places) => {
                let count = base::counted(places.len(), "requirement");
                Err(Error::Usage(format!("`{text}` has {count}; name one of them by its id")))
            }
        }
    }

    /// The requirements that an argument refers to; `None` if it is a text of its own.
    fn places(&self, text: &str) -> Result<Option<Vec<Place>>, Error> {
        let Some(found) = self.found.as_ref().filter(|_| !is_sentence(text)) else { return Ok(None) };
        let name = text.trim();
        if let Some(place) = found.project.find(name) {
            return match found.project.sentence(place) {
                Some(_) => Ok(Some(vec![place])),
                None => Err(Error::Refused(format!("`{name}` has no sentence, so it has no formal meaning"))),
            };
        }
        if Path::new(text).is_file() {
            let document = document_at(&found.root, &found.project, Path::new(text)).ok_or_else(|| {
                Error::Usage(format!("`{text}` is not a document of the project in {}", found.root.display()))
            })?;
            return Ok(Some(found.formal(|place| place.document == document).collect()));
        }
        let looks_like_id = name.contains(['-', '_', '.']) && !name.contains(char::is_whitespace);
        let ids = || found.project.places().map(|place| found.project.entry(place).id.text.as_str());
        match syntax::nearest(name, ids()).filter(|_| looks_like_id) {
            Some(near) => {
                Err(Error::Usage(format!("there is no requirement `{name}`; did you mean `{near}`?")))
            }
            None => Ok(None),
        }
    }

    /// Reads what was asked.
    pub(crate) fn reading(&self, asked: Asked, context: &Context, keeps: Keeps) -> Result<Reading, Error> {
        self.reading_within(Store::default(), asked, context, keeps)
    }

    /// Reads what was asked into a store that may contain others.
    pub(crate) fn reading_within(
        &self,
        mut store: Store,
        asked: Asked,
        context: &Context,
        keeps: Keeps,
    ) -> Result<Reading, Error> {
        let place = match asked {
            Asked::Text(given) => return Ok(Reading::within(store, given, context)),
            Asked::Requirement(place) => place,
        };
        let (fields, lowered) = self.lowered(&mut store, place, context, keeps)?;
        let (id, text) = (Some(self.id(place).to_owned()), self.sentence(place).to_owned());
        Ok(Reading { id, text, store, fields, lowered, types: self.types(place) })
    }

    /// The requirement at a place, in a store, with the definitions of the names that are not kept.
    pub(crate) fn lowered(
        &self,
        store: &mut Store,
        place: Place,
        context: &Context,
        keeps: Keeps,
    ) -> Result<(Fields, Lowered), Error> {
        if context.step.is_some() || !context.constants.is_empty() {
            return Err(Error::usage(
                "--step and --const are for sentences; for requirements, the project sets them",
            ));
        }
        let missing = || Error::Refused(format!("`{}` is not a FRETish sentence", self.id(place)));
        let found = self.found.as_ref().ok_or_else(missing)?;
        let known = found.analysis.at(place).ok_or_else(missing)?;
        let reading = known.reading.as_ref().ok_or_else(missing)?;
        let lowered = found.analysis.expanded(&found.project, known, store, &|name| !keeps(name));
        let lowered = lowered.map_err(|problem| Error::Refused(format!("{}: {problem}", self.id(place))))?;
        Ok((reading.parsed.fields.clone(), lowered))
    }

    /// The types that are declared for the variables of a requirement's component.
    fn types(&self, place: Place) -> Types {
        let component = self
            .found
            .as_ref()
            .and_then(|found| found.analysis.components.at(found.analysis.at(place)?.component?));
        component.map(project::Component::types).unwrap_or_default()
    }

    /// The settings of the project, if there is one.
    pub(crate) fn config(&self) -> Option<&project::Config> {
        self.found.as_ref().map(|found| &found.project.config)
    }

    /// The id of a requirement.
    pub(crate) fn id(&self, place: Place) -> &str {
        self.found.as_ref().map_or("", |found| &found.project.entry(place).id.text)
    }

    /// The sentence of a requirement.
    pub(crate) fn sentence(&self, place: Place) -> &str {
        self.found.as_ref().and_then(|found| found.project.sentence(place)).unwrap_or("")
    }
}

impl Found {
    fn of(workspace: Workspace) -> Found {
        let Workspace { root, project, .. } = workspace;
        let analysis = project.analyse(&mut Cache::default());
        Found { root, project, analysis }
    }

    /// A document that belongs to no project.
    fn document(file: &Path) -> Result<Found, Error> {
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let document = Document::read(&name, read_text(file)?);
        let project = Project { config: Config::default(), documents: vec![document] };
        let analysis = project.analyse(&mut Cache::default());
        let file = std::fs::canonicalize(file).map_err(Error::read(file))?;
        let root = file.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Found { root, project, analysis })
    }

    /// The requirements with a FRETish sentence.
    fn formal(&self, chosen: impl Fn(Place) -> bool) -> impl Iterator<Item = Place> {
        let formal = self.analysis.requirements.iter().filter(|known| known.reading.is_some());
        formal.map(|known| known.place).filter(move |&place| chosen(place))
    }
}
