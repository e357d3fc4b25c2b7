//! A sentence of a document with everything it says by itself: tree, fields, names, meaning. Made once for the same text in the
//! same surroundings, so that an edit to one sentence costs one sentence.

use logic::{RBig, Sort, Store};
use requirement::{Context, Fields, Lowered, Step, is_predefined, lower};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use syntax::fretish::{Sentence, parse};
use syntax::{Diagnostic, Expr, Kind, Parse, Severity, Span};

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

/// A name in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The name, without quotes.
    pub name: String,
    /// Where it stands in the sentence.
    pub span: Span,
    /// Whether it is called: `f(x)`.
    pub called: bool,
}

/// What a name stands for in a component.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Signal(Sort),
    Value,
    Constant(RBig),
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
    /// Reads a sentence.
    pub fn of(text: &str) -> Parsed {
        let parse = parse(text);
        let fields = Fields::of(Sentence::of(&parse.tree));
        let mut names = Vec::new();
        for node in parse.tree.nodes() {
            match node.kind() {
                Kind::NameRef => {
                    if let Expr::Name(name) = Expr::of(node)
                        && name != "FTP"
                    {
                        names.push(Occurrence { name: name.into_owned(), span: node.span(), called: false });
                    }
                }
                Kind::Call => {
                    if let Expr::Call(name, span, arguments) = Expr::of(node)
                        && !is_predefined(&name, arguments.len())
                    {
                        names.push(Occurrence { name: name.into_owned(), span, called: true });
                    }
                }
                _ => {}
            }
        }
        if let Some(duration) = &fields.duration
            && !duration.text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        {
            names.push(Occurrence { name: duration.text.clone(), span: duration.span, called: false });
        }
        names.sort_by_key(|occurrence| occurrence.span.start);
        Parsed { parse, fields, names }
    }

    /// The component that the sentence names.
    pub fn component(&self) -> Option<&str> {
        self.fields.component.as_ref().map(|field| field.text.as_str())
    }
}

/// What has been read before. What one round of questions did not use is forgotten with the next.
#[derive(Debug, Default)]
pub struct Cache {
    parsed: Generations<Box<str>, Arc<Parsed>>,
    readings: Generations<Surroundings, Arc<Reading>>,
}

/// All that the meaning of a sentence depends on. Sentences are compared by identity: the cache has each text once.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    pub(crate) parsed: Arc<Parsed>,
    pub(crate) step: Option<Step>,
    /// The roles of the names of the sentence, parallel to [`Parsed::names`].
    pub(crate) roles: Vec<Role>,
}

impl PartialEq for Surroundings {
    fn eq(&self, other: &Surroundings) -> bool {
        Arc::ptr_eq(&self.parsed, &other.parsed) && self.step == other.step && self.roles == other.roles
    }
}

impl Eq for Surroundings {}

impl std::hash::Hash for Surroundings {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.parsed).hash(state);
        self.roles.hash(state);
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
    }

    /// The sentences as their texts tell them.
    pub(crate) fn parsed(&mut self, texts: &[&str]) -> Vec<Arc<Parsed>> {
        let known: Vec<Option<Arc<Parsed>>> = texts.iter().map(|text| self.parsed.get(*text)).collect();
        let missing: Vec<&str> =
            texts.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(text, _)| *text).collect();
        let mut made = crate::parallel::map(&missing, |text| Arc::new(Parsed::of(text))).into_iter();
        let mut all = Vec::with_capacity(texts.len());
        for (text, known) in texts.iter().zip(known) {
            all.extend(known.or_else(|| {
                let parsed = made.next()?;
                self.parsed.insert((*text).into(), parsed.clone());
                Some(parsed)
            }));
        }
        all
    }

    /// The sentences in their surroundings.
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
    let context = context(parsed, around.step.clone(), &around.roles);
    let mut store = Store::default();
    let lowered = lower(&mut store, &parsed.parse, &context);
    let sort = |used: &Occurrence| match used.called {
        true => lowered.sorts.get(&format!("{}()", used.name)),
        false => lowered.sorts.get(&used.name),
    };
    let sorts = parsed.names.iter().map(|used| sort(used).copied().unwrap_or(Sort::Any)).collect();
    Reading { parsed: parsed.clone(), store, lowered, sorts }
}

/// What is known beside a sentence; the roles are parallel to its names.
pub(crate) fn context(parsed: &Parsed, step: Option<Step>, roles: &[Role]) -> Context {
    let mut context = Context { step, ..Context::default() };
    let mut signals = FxHashMap::default();
    for (occurrence, role) in parsed.names.iter().zip(roles) {
        match role {
            Role::Signal(sort) => {
                signals.insert(occurrence.name.clone(), *sort);
            }
            Role::Value => {}
            Role::Constant(number) => {
                context.constants.insert(occurrence.name.clone(), number.clone());
            }
        }
    }
    context.signals = Some(signals);
    context
}
