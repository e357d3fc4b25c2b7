//! The project, and one look at all of it: every sentence read in the context of its component.

use crate::component::{Components, resolve};
use crate::config::Config;
use crate::document::{Document, Entry, Language};
use crate::phrases::PhraseBook;
use crate::reading::{Cache, Parsed, Reading, Referent, Surroundings};
use logic::Sort;
use requirement::specification::ContractRole;
use std::sync::Arc;
use syntax::{Diagnostic, Phrases, Span};

/// The project file and the documents, in the order of their names.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// What the project file says.
    pub config: Config,
    /// The documents.
    pub documents: Vec<Document>,
}

/// Where a requirement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The index of the document.
    pub document: usize,
    /// The index of the entry in it.
    pub entry: usize,
}

/// A project that has been read to the end.
#[derive(Debug)]
pub struct Analysis {
    /// All requirements, in the order of the documents.
    pub requirements: Vec<Known>,
    /// The components with their variables, in the order in which they first appear.
    pub components: Components,
    /// The phrases that sentences may use.
    pub phrases: PhraseBook,
}

/// A requirement and what is known about it.
#[derive(Debug, Clone)]
pub struct Known {
    /// Where it is.
    pub place: Place,
    /// Its component: an index of [`Analysis::components`].
    pub component: Option<usize>,
    /// What it is in the contract of its component.
    pub role: ContractRole,
    /// The sentence, if it is FRETish.
    pub reading: Option<Arc<Reading>>,
}

impl Project {
    /// The entry at a place.
    pub fn entry(&self, place: Place) -> &Entry {
        &self.documents[place.document].entries[place.entry]
    }

    /// The text of an entry's sentence.
    pub fn sentence(&self, place: Place) -> Option<&str> {
        let sentence = self.entry(place).sentence?;
        Some(self.documents[place.document].slice(sentence.span))
    }

    /// All entries.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        self.documents
            .iter()
            .enumerate()
            .flat_map(|(document, text)| (0..text.entries.len()).map(move |entry| Place { document, entry }))
    }

    /// The first requirement with this id.
    pub fn find(&self, id: &str) -> Option<Place> {
        self.places().find(|&place| self.entry(place).id.text == id)
    }

    /// Reads every sentence in the context of its component.
    pub fn analyse(&self, cache: &mut Cache) -> Analysis {
        cache.turn();
        let places: Vec<Place> = self.places().collect();
        let fretish: Vec<Option<&str>> = places
            .iter()
            .map(|&place| {
                let sentence = self.entry(place).sentence?;
                (sentence.language == Language::Fretish)
                    .then(|| self.documents[place.document].slice(sentence.span))
            })
            .collect();
        let phrases = PhraseBook::of(&self.documents);
        let texts: Vec<(&str, Arc<Phrases>)> =
            fretish.iter().copied().flatten().map(|text| (text, phrases.of_sentence(text))).collect();
        let mut parsed = cache.parsed(texts).into_iter();
        let parsed: Vec<Option<Arc<Parsed>>> =
            fretish.iter().map(|text| text.and_then(|_| parsed.next())).collect();

        let mut components = Components::declared(self, cache);
        let owners: Vec<Option<usize>> =
            parsed.iter().map(|parsed| Some(components.index_of(parsed.as_ref()?.component()?))).collect();
        let asked: Vec<Surroundings> = parsed
            .iter()
            .zip(&owners)
            .filter_map(|(parsed, owner)| {
                let parsed = parsed.as_ref()?;
                Some(self.surroundings(&components, parsed, *owner))
            })
            .collect();
        let mut readings = cache.readings(&asked).into_iter();
        let mut requirements: Vec<Known> = places
            .into_iter()
            .zip(parsed)
            .zip(owners)
            .map(|((place, parsed), component)| Known {
                place,
                component,
                role: self.entry(place).role(),
                reading: parsed.and_then(|_| readings.next()),
            })
            .collect();
        resolve(&mut components, &requirements);
        self.read_again(&components, &mut requirements, cache);
        Analysis { requirements, components, phrases }
    }

    /// All that the meaning of a sentence depends on.
    fn surroundings(
        &self,
        components: &Components,
        parsed: &Arc<Parsed>,
        component: Option<usize>,
    ) -> Surroundings {
        let referents = parsed.names.iter().map(|name| components.referent(component, &name.name)).collect();
        Surroundings { parsed: parsed.clone(), step: self.config.step.clone(), referents }
    }

    /// Reads the sentences again that by themselves do not tell the sort of a name, where the others of the component do.
    fn read_again(&self, components: &Components, requirements: &mut [Known], cache: &mut Cache) {
        let mut open = Vec::new();
        for known in requirements.iter_mut() {
            let Some(reading) = known.reading.clone() else { continue };
            let is_told = reading.parsed.names.iter().zip(&reading.sorts).any(|(name, &sort)| {
                sort == Sort::Any
                    && !name.called
                    && !matches!(
                        components.referent(known.component, &name.name),
                        Referent::Signal(Sort::Any)
                    )
            });
            if is_told {
                open.push((self.surroundings(components, &reading.parsed, known.component), known));
            }
        }
        let (asked, open): (Vec<Surroundings>, Vec<&mut Known>) = open.into_iter().unzip();
        for (known, reading) in open.into_iter().zip(cache.readings(&asked)) {
            known.reading = Some(reading);
        }
    }
}

impl Known {
    /// The sentence with names in the place of phrases, if it has phrases.
    pub fn without_phrases(&self) -> Option<String> {
        let tree = &self.reading.as_ref()?.parsed.parse.tree;
        tree.phrases().next().map(|_| tree.without_phrases())
    }
}

impl Analysis {
    /// A span of a sentence as a span of its document.
    pub fn in_document(project: &Project, place: Place, span: Span) -> Span {
        let start = project.entry(place).sentence.map_or(0, |sentence| sentence.span.start);
        Span::new(start.saturating_add(span.start), start.saturating_add(span.end))
    }

    /// What is wrong with the sentence of a requirement, with the places in the document.
    pub fn complaints<'a>(
        &'a self,
        project: &'a Project,
        known: &'a Known,
    ) -> impl Iterator<Item = Diagnostic> + 'a {
        let place = |span| Analysis::in_document(project, known.place, span);
        known.reading.iter().flat_map(|reading| reading.diagnostics()).map(move |it| it.clone().moved(place))
    }

    /// The requirement at a place.
    pub fn at(&self, place: Place) -> Option<&Known> {
        let at = self.requirements.binary_search_by_key(&place, |known| known.place).ok()?;
        self.requirements.get(at)
    }
}
