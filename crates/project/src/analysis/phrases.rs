//! The phrases of a project: what the tables of each component let its sentences write in the place of names.

use crate::document::Document;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use syntax::{Phrases, fretish};

/// The phrases of each component that has some.
#[derive(Debug, Clone, Default)]
pub struct PhraseBook {
    by_component: FxHashMap<String, Arc<Phrases>>,
}

impl PhraseBook {
    /// The phrases in the tables of documents. Where two are alike, the first counts.
    pub fn of(documents: &[Document]) -> PhraseBook {
        let mut entries: FxHashMap<&str, Vec<(&str, &str)>> = FxHashMap::default();
        for table in documents.iter().flat_map(|document| &document.tables) {
            for declared in table.rows.iter().map(|row| &row.declaration) {
                if let Some(phrase) = &declared.phrase {
                    let entry = (phrase.text.as_str(), declared.name.text.as_str());
                    entries.entry(&table.component.text).or_default().push(entry);
                }
            }
        }
        let by_component =
            entries.into_iter().map(|(name, list)| (name.into(), Arc::new(Phrases::new(list))));
        PhraseBook { by_component: by_component.collect() }
    }

    /// The phrases that a sentence may use: those of the component that it is about.
    pub fn of_sentence(&self, text: &str) -> Arc<Phrases> {
        // The component is looked for only where it can make a difference.
        if self.by_component.is_empty() {
            return Arc::default();
        }
        self.of_component(fretish::component_of(text).as_deref())
    }

    /// The phrases of a component.
    pub fn of_component(&self, component: Option<&str>) -> Arc<Phrases> {
        component.and_then(|name| self.by_component.get(name).cloned()).unwrap_or_default()
    }
}
