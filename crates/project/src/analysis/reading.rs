//! A sentence of a document with everything it says by itself: tree, fields, names, meaning. Made once for the same text in the
//! same surroundings, so that an edit to one sentence costs one sentence.

use logic::{RBig, Sort, Store};
pub use requirement::Occurrence;
use requirement::specification::Definition;
use requirement::{Context, Fields, Lowered, Step, lower, occurrences, result};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use syntax::fretish::{Sentence, parse_with};
use syntax::{Diagnostic, Parse, Phrases, Severity};

/// A FRETish sentence, read.
#[derive(Debug)]
pub struct Reading {
    /// The tree, the fields and the names.
    pub parsed: Arc<Parsed>,
    /// The formulas of the requirement.
    pub store: Store,
    /// The requirement, or what is wrong with it.
    pub lowered: Lowered,
    /// The sorts that the sentence gives its names, parallel to [`Parsed::names`].
    pub sorts: Vec<Sort>,
}

/// A FRETish sentence as its text alone tells it.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub parse: Parse,
    /// The fields.
    pub fields: Fields,
    /// The names in it that the project must explain, in the order of the text; the component is not one of them.
    pub names: Vec<Occurrence>,
}

/// What a name stands for in a component.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Referent {
    Signal(Sort),
    Value,
    /// A constant; its sort is `Any` if it follows from the number.
    Constant(RBig, Sort),
}

impl Reading {
    /// What is wrong with the sentence; spans are those of the sentence.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.lowered.diagnostics
    }

    /// Whether it has a meaning.
    pub fn is_sound(&self) -> bool {
        self.diagnostics().iter().all(|found| found.severity() != Severity::Error)
    }
}

impl Parsed {
    /// Reads a sentence without phrases.
    pub fn of(text: &str) -> Parsed {
        Parsed::with(text, &Phrases::default())
    }

    /// Reads a sentence that may write phrases in the place of names.
    pub fn with(text: &str, phrases: &Phrases) -> Parsed {
        let parse = parse_with(text, phrases);
        let fields = Fields::of(Sentence::of(&parse.tree));
        let mut names = occurrences(&parse.tree);
        if let Some(duration) = &fields.duration
            && !duration.text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        {
            let phrased = parse.tree.phrases().any(|(span, _)| span == duration.span);
            let name = duration.text.clone();
            names.push(Occurrence { name, span: duration.span, called: false, phrased });
        }
        names.sort_by_key(|occurrence| occurrence.span.start);
        Parsed { parse, fields, names }
    }

    /// The probability that the sentence states.
    pub fn probability(&self) -> Option<&str> {
        Sentence::of(&self.parse.tree).probability().map(syntax::NodeRef::text)
    }

    /// The component that the sentence names.
    pub fn component(&self) -> Option<&str> {
        self.fields.component.as_ref().map(|field| field.text.as_str())
    }
}

/// What has been read before. What one round of questions did not use is forgotten with the next.
#[derive(Debug, Default)]
pub struct Cache {
    parsed: Generations<Written, Arc<Parsed>>,
    readings: Generations<Surroundings, Arc<Reading>>,
    definitions: Generations<Box<str>, Arc<Definition>>,
}

/// A sentence and the phrases that it may use.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Written {
    text: Box<str>,
    phrases: Arc<Phrases>,
}

impl std::hash::Hash for Written {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// All that the meaning of a sentence depends on. Sentences are compared by identity: the cache has each text once.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    pub(crate) parsed: Arc<Parsed>,
    pub(crate) step: Option<Step>,
    /// What the names of the sentence stand for, parallel to [`Parsed::names`].
    pub(crate) referents: Vec<Referent>,
}

impl PartialEq for Surroundings {
    fn eq(&self, other: &Surroundings) -> bool {
        Arc::ptr_eq(&self.parsed, &other.parsed)
            && self.step == other.step
            && self.referents == other.referents
    }
}

impl Eq for Surroundings {}

impl std::hash::Hash for Surroundings {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.parsed).hash(state);
        self.referents.hash(state);
    }
}

/// Answers, each with the last round that used it.
#[derive(Debug)]
struct Generations<K, V> {
    known: FxHashMap<K, (V, u32)>,
    round: u32,
}

impl<K, V> Default for Generations<K, V> {
    fn default() -> Self {
        Generations { known: FxHashMap::default(), round: 0 }
    }
}

impl<K: std::hash::Hash + Eq, V: Clone> Generations<K, V> {
    fn turn(&mut self) {
        let round = self.round;
        self.known.retain(|_, (_, used)| *used == round);
        self.round = round.wrapping_add(1);
    }

    fn get<Q: std::hash::Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
    {
        let (value, used) = self.known.get_mut(key)?;
        *used = self.round;
        Some(value.clone())
    }

    fn insert(&mut self, key: K, value: V) {
        self.known.insert(key, (value, self.round));
    }
}

impl Cache {
    /// Begins a new round: what the last one did not use is forgotten.
    pub(crate) fn turn(&mut self) {
        self.parsed.turn();
        self.readings.turn();
        self.definitions.turn();
    }

    /// A definition as its text tells it.
    pub(crate) fn definition(&mut self, text: &str) -> Arc<Definition> {
        self.definitions.get(text).unwrap_or_else(|| {
            let definition = Arc::new(Definition::read(text));
            self.definitions.insert(text.into(), definition.clone());
            definition
        })
    }

    /// The sentences as their texts tell them.
    pub(crate) fn parsed(&mut self, texts: Vec<(&str, Arc<Phrases>)>) -> Vec<Arc<Parsed>> {
        let texts: Vec<Written> =
            texts.into_iter().map(|(text, phrases)| Written { text: text.into(), phrases }).collect();
        let known: Vec<Option<Arc<Parsed>>> = texts.iter().map(|written| self.parsed.get(written)).collect();
        let missing: Vec<&Written> = texts
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none())
            .map(|(written, _)| written)
            .collect();
        let read = |written: &&Written| Arc::new(Parsed::with(&written.text, &written.phrases));
        let mut made = crate::parallel::map(&missing, read).into_iter();
        let mut all = Vec::with_capacity(texts.len());
        for (written, known) in texts.into_iter().zip(known) {
            all.extend(known.or_else(|| {
                let parsed = made.next()?;
                self.parsed.insert(written, parsed.clone());
                Some(parsed)
            }));
        }
        all
    }

    /// The sentences in their context.
    pub(crate) fn readings(&mut self, asked: &[Surroundings]) -> Vec<Arc<Reading>> {
        let known: Vec<Option<Arc<Reading>>> = asked.iter().map(|key| self.readings.get(key)).collect();
        let missing: Vec<&Surroundings> =
            asked.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(asked, _)| asked).collect();
        let mut made = crate::parallel::map(&missing, |around| Arc::new(read(around))).into_iter();
        let mut all = Vec::with_capacity(asked.len());
        for (key, known) in asked.iter().zip(known) {
            all.extend(known.or_else(|| {
                let reading = made.next()?;
                self.readings.insert(key.clone(), reading.clone());
                Some(reading)
            }));
        }
        all
    }
}

fn read(around: &Surroundings) -> Reading {
    let parsed = &around.parsed;
    let names = parsed.names.iter().map(|name| name.name.as_str()).zip(around.referents.iter().cloned());
    let context = context(names, around.step.clone(), Vec::new());
    let mut store = Store::default();
    let lowered = lower(&mut store, &parsed.parse, &context);
    let sort = |used: &Occurrence| match used.called {
        true => lowered.sorts.names.get(&result(&used.name)),
        false => lowered.sorts.names.get(&used.name),
    };
    let sorts = parsed.names.iter().map(|used| sort(used).copied().unwrap_or(Sort::Any)).collect();
    Reading { parsed: parsed.clone(), store, lowered, sorts }
}

/// What is known besides a sentence whose names stand for these things.
pub(crate) fn context<'n>(
    names: impl IntoIterator<Item = (&'n str, Referent)>,
    step: Option<Step>,
    definitions: Vec<(String, Arc<Definition>)>,
) -> Context {
    let mut context = Context { step, definitions, ..Context::default() };
    let mut signals = FxHashMap::default();
    for (name, referent) in names {
        match referent {
            Referent::Signal(sort) => {
                signals.insert(name.to_string(), sort);
            }
            Referent::Value => {}
            Referent::Constant(number, sort) => {
                signals.insert(name.to_string(), sort);
                context.constants.insert(name.to_string(), number);
            }
        }
    }
    context.signals = Some(signals);
    context
}
