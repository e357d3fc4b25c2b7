//! Shapes by fixpoint: forward from what is known; where nothing moves, backward to sources that take what their readers
//! need; then forward from a part of the inputs, which opens loops; and at last one signal is taken to be a scalar double.
//!
//! What is known is never taken back, so the search ends.

use super::bus::Names;
use super::units::scalar;
use super::wires::Feeds;
use super::{Shape, Source, Trouble, Unit, UnitId, needs, rules, sizes};
use crate::diagram::Diagram;
use crate::value::Class;
use std::rc::Rc;

/// How often something is guessed one by one; after that everything open is settled at once.
const ROUNDS: usize = 1_000;

/// Signals with more elements are refused.
const WIDEST: usize = 100_000;

/// What is known about a signal so far.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Known {
    Signal {
        class: Option<Class>,
        size: Option<Vec<usize>>,
    },
    /// Named elements, which many units share.
    Bus(Rc<Vec<(String, Known)>>),
}

impl Known {
    pub(super) const NOTHING: Known = Known::Signal { class: None, size: None };

    pub(super) fn new(class: Option<Class>, size: Option<Vec<usize>>) -> Known {
        Known::Signal { class, size }
    }

    /// The class; of a bus, the class that all elements have.
    pub(super) fn class(&self) -> Option<Class> {
        match self {
            Known::Signal { class, .. } => *class,
            Known::Bus(elements) => elements.first().and_then(|(_, first)| first.class()),
        }
    }

    /// The size; of a bus, that of its elements in a row.
    pub(super) fn size(&self) -> Option<Vec<usize>> {
        match self {
            Known::Signal { size, .. } => size.clone(),
            Known::Bus(_) => self.width().map(|width| vec![width]),
        }
    }

    pub(super) fn width(&self) -> Option<usize> {
        match self {
            Known::Signal { size, .. } => size.as_deref().map(sizes::width),
            Known::Bus(elements) => elements
                .iter()
                .try_fold(0usize, |sum, (_, element)| Some(sum.saturating_add(element.width()?))),
        }
    }

    /// The number of signals of a bus, also those of buses in it; nothing if they nest too deeply.
    pub(super) fn signals(&self, deepest: usize) -> Option<usize> {
        match self {
            Known::Signal { .. } => Some(1),
            Known::Bus(elements) => {
                let deepest = deepest.checked_sub(1)?;
                elements.iter().map(|(_, element)| element.signals(deepest)).sum()
            }
        }
    }

    fn is_whole(&self) -> bool {
        match self {
            Known::Signal { class, size } => class.is_some() && size.is_some(),
            Known::Bus(elements) => elements.iter().all(|(_, element)| element.is_whole()),
        }
    }

    /// Adds what another one knows; says whether that was anything.
    fn learn(&mut self, other: &Known) -> bool {
        if self.is_whole() {
            return false;
        }
        match (&mut *self, other) {
            (Known::Signal { class, size }, Known::Signal { class: other, size: others }) => {
                let new = class.is_none() && other.is_some() || size.is_none() && others.is_some();
                *class = class.or(*other);
                if size.is_none() {
                    size.clone_from(others);
                }
                new
            }
            (Known::Signal { class: None, size: None }, Known::Bus(_)) => {
                *self = other.clone();
                true
            }
            (Known::Bus(elements), Known::Bus(others)) if Rc::ptr_eq(elements, others) => false,
            (Known::Bus(elements), Known::Bus(others)) if elements.len() == others.len() => {
                Rc::make_mut(elements)
                    .iter_mut()
                    .zip(others.iter())
                    .fold(false, |new, ((_, element), (_, other))| element.learn(other) || new)
            }
            (Known::Signal { .. } | Known::Bus(_), _) => false,
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Known::Signal { class, size } => Shape::Signal {
                class: class.unwrap_or(Class::Double),
                dimensions: size.clone().unwrap_or_else(|| vec![1]),
            },
            Known::Bus(elements) => {
                Shape::Bus(elements.iter().map(|(name, element)| (name.clone(), element.shape())).collect())
            }
        }
    }
}

/// Finds the shapes of all outputs.
pub(super) fn shapes(
    diagram: &Diagram,
    units: &mut [Unit],
    feeds: &Feeds,
    names: &Names,
    troubles: &mut Vec<Trouble>,
) {
    let booleans = diagram.settings.get("BooleanDataType") != Some("off");
    let (known, fits) = Inference::new(units, feeds, names, booleans).run();
    if !fits {
        troubles.push(Trouble {
            path: diagram.name.clone(),
            kind: "model".into(),
            message: format!("its buses have more than {} elements together", super::PORTS),
            hint: Some("check a smaller model".into()),
        });
    }
    for (number, unit) in units.iter_mut().enumerate() {
        unit.outputs = known[number].iter().map(Known::shape).collect();
        let mut complain = |message: String, hint: Option<&str>| {
            let hint = hint.map(str::to_owned);
            troubles.push(Trouble { path: unit.path.clone(), kind: unit.kind.clone(), message, hint });
        };
        for shape in unit.outputs.iter_mut().filter(|shape| shape.width() > WIDEST) {
            complain(format!("an output has {} elements, more than {WIDEST}", shape.width()), None);
            *shape = scalar();
        }
        if let Some((message, hint)) = rules::complaint(unit, &inputs(&known, &feeds[number])) {
            complain(message, hint);
        }
    }
}

/// What is known about some sources. An input without a line is a zero, a scalar of any class.
fn inputs(known: &[Vec<Known>], sources: &[Option<Source>]) -> Vec<Known> {
    let open = Known::new(Some(Class::Double), Some(vec![1]));
    let of = |source: &Source| known.get(source.unit.0 as usize)?.get(source.output as usize).cloned();
    sources.iter().map(|source| source.as_ref().and_then(of).unwrap_or_else(|| open.clone())).collect()
}

struct Inference<'a> {
    units: &'a [Unit],
    feeds: &'a Feeds,
    names: &'a Names,
    booleans: bool,
    known: Vec<Vec<Known>>,
    /// The units that are fed by a unit.
    readers: Vec<Vec<usize>>,
    /// How many elements the buses of all units may still have; nothing if they had too many.
    room: Option<usize>,
}

impl<'a> Inference<'a> {
    fn new(units: &'a [Unit], feeds: &'a Feeds, names: &'a Names, booleans: bool) -> Self {
        let mut readers = vec![vec![]; units.len()];
        for (reader, sources) in feeds.iter().enumerate() {
            for source in sources.iter().flatten() {
                let all: &mut Vec<usize> = &mut readers[source.unit.0 as usize];
                // A bus may be fed by one unit thousands of times.
                if all.last() != Some(&reader) {
                    all.push(reader);
                }
            }
        }
        let known = units.iter().map(|unit| vec![Known::NOTHING; unit.outputs.len()]).collect();
        Inference { units, feeds, names, booleans, known, readers, room: Some(super::PORTS) }
    }

    /// What is known in the end, and whether all buses found room.
    fn run(mut self) -> (Vec<Vec<Known>>, bool) {
        let mut queue: Vec<usize> = (0..self.units.len()).rev().collect();
        for round in 0.. {
            self.forward(&mut queue, false);
            let open: Vec<usize> =
                (0..self.units.len()).filter(|&at| !self.known[at].iter().all(Known::is_whole)).collect();
            if open.is_empty() || round > ROUNDS || self.room.is_none() {
                break;
            }
            if self.backward(&mut queue) {
                continue;
            }
            let mut loose = open.iter().rev().copied().collect();
            if self.forward(&mut loose, true) {
                queue.extend(open);
                continue;
            }
            queue.extend(self.settle(&open));
        }
        (self.known, self.room.is_some())
    }

    /// A bus that is new to a signal, if there is room for its elements.
    fn admitted(&mut self, is_new: bool, found: Known) -> Known {
        if !is_new || !matches!(found, Known::Bus(_)) {
            return found;
        }
        self.room = self.room.and_then(|room| room.checked_sub(found.signals(16)?));
        if self.room.is_some() { found } else { Known::NOTHING }
    }

    /// Applies the rules of the units in the queue and of their readers; says whether anything was learnt.
    fn forward(&mut self, queue: &mut Vec<usize>, loose: bool) -> bool {
        let mut any = false;
        while let Some(at) = queue.pop() {
            let inputs = inputs(&self.known, &self.feeds[at]);
            let case = rules::Case { unit: &self.units[at], inputs: &inputs, loose, booleans: self.booleans };
            let mut found = case.outputs(&self.names[at]);
            for (place, one) in found.iter_mut().enumerate() {
                let is_new = self.known[at].get(place) == Some(&Known::NOTHING);
                *one = self.admitted(is_new, std::mem::replace(one, Known::NOTHING));
            }
            let learn = |new: bool, (old, found): (&mut Known, &Known)| old.learn(found) || new;
            if self.known[at].iter_mut().zip(&found).fold(false, learn) {
                any = true;
                queue.extend(&self.readers[at]);
                if loose {
                    return true;
                }
            }
        }
        any
    }

    /// Tells sources what their readers need, where they ask for it.
    fn backward(&mut self, queue: &mut Vec<usize>) -> bool {
        let mut any = false;
        for at in 0..self.units.len() {
            let feeds = &self.feeds[at];
            let asks = |source: &Source| {
                let number = source.unit.0 as usize;
                let open =
                    self.known[number].get(source.output as usize).is_some_and(|known| !known.is_whole());
                open && needs::takes_from_readers(&self.units[number], self.feeds[number].is_empty())
            };
            let open: Vec<(usize, Source)> = feeds
                .iter()
                .enumerate()
                .filter_map(|(place, source)| Some((place, source.filter(asks)?)))
                .collect();
            if open.is_empty() {
                continue;
            }
            let inputs = inputs(&self.known, feeds);
            for (place, Source { unit: UnitId(number), output }) in open {
                let needed = needs::needed(&self.units[at], place, &self.known[at], &inputs);
                let is_new = self.known[number as usize].get(output as usize) == Some(&Known::NOTHING);
                let needed = self.admitted(is_new, needed);
                let Some(old) = self.known[number as usize].get_mut(output as usize) else { continue };
                if old.learn(&needed) {
                    any = true;
                    queue.push(number as usize);
                    queue.extend(&self.readers[number as usize]);
                }
            }
        }
        any
    }

    /// Takes one signal to be a scalar double: a source if there is one among those that are open.
    fn settle(&mut self, open: &[usize]) -> Vec<usize> {
        let scalar = Known::new(Some(Class::Double), Some(vec![1]));
        let source = open.iter().find(|&&at| self.feeds[at].is_empty());
        let Some(&at) = source.or(open.first()) else { return vec![] };
        for known in &mut self.known[at] {
            settle_element(known, &scalar);
        }
        let mut changed = self.readers[at].clone();
        changed.push(at);
        changed
    }
}

fn settle_element(known: &mut Known, scalar: &Known) {
    match known {
        Known::Signal { .. } => drop(known.learn(scalar)),
        Known::Bus(elements) => {
            Rc::make_mut(elements).iter_mut().for_each(|(_, element)| settle_element(element, scalar));
        }
    }
}
