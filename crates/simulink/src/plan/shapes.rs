//! Shape inference by fixpoint: forward from what is known; if that stalls, backward to sources that inherit from their
//! readers; then forward from a part of the inputs, which opens loops; and finally one signal is assumed to be a scalar double.
//!
//! What is known is never revised, so the search ends. The rule of each kind of block is in its definition ([`crate::blocks`]);
//! what the rules are made of is in [`Case`] and [`sizes`].

use super::bus::Names;
use super::overrides::{Overrides, in_doubles};
use super::wires::Feeds;
use super::{Fault, Problem, Shape, Source, Unit, UnitId, objects, rules, sizes};
use crate::blocks::BlockKind;
use crate::chart::Chart;
use crate::diagram::Diagram;
use crate::value::Class;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The number of rounds that settle signals one by one; after that, all open ones are settled at once.
const ROUNDS: usize = 1_000;

/// The maximum number of elements of a signal.
const WIDEST: usize = 100_000;

/// What is known about a signal so far.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Known {
    Signal {
        class: Option<Class>,
        size: Option<Vec<usize>>,
    },
    /// Named elements, which many units share.
    Bus(Rc<Vec<(String, Known)>>),
}

impl Known {
    pub(crate) const NOTHING: Known = Known::Signal { class: None, size: None };

    pub(crate) fn new(class: Option<Class>, size: Option<Vec<usize>>) -> Known {
        Known::Signal { class, size }
    }

    /// This, or nothing.
    pub(crate) fn filter(self, applies: bool) -> Known {
        if applies { self } else { Known::NOTHING }
    }

    /// The class; of a bus, the class that all elements have.
    pub(crate) fn class(&self) -> Option<Class> {
        match self {
            Known::Signal { class, .. } => *class,
            Known::Bus(elements) => elements.first().and_then(|(_, first)| first.class()),
        }
    }

    /// The size; of a bus, that of its elements in a row.
    pub(crate) fn size(&self) -> Option<Vec<usize>> {
        match self {
            Known::Signal { size, .. } => size.clone(),
            Known::Bus(_) => self.width().map(|width| vec![width]),
        }
    }

    pub(crate) fn width(&self) -> Option<usize> {
        match self {
            Known::Signal { size, .. } => size.as_deref().map(sizes::width),
            Known::Bus(elements) => elements
                .iter()
                .try_fold(0usize, |sum, (_, element)| Some(sum.saturating_add(element.width()?))),
        }
    }

    /// The number of signals of a bus, also those of buses in it; none if they are nested too deeply.
    pub(crate) fn signals(&self, deepest: usize) -> Option<usize> {
        match self {
            Known::Signal { .. } => Some(1),
            Known::Bus(elements) => {
                let deepest = deepest.checked_sub(1)?;
                elements.iter().map(|(_, element)| element.signals(deepest)).sum()
            }
        }
    }

    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Known::Signal { class, size } => class.is_some() && size.is_some(),
            Known::Bus(elements) => elements.iter().all(|(_, element)| element.is_whole()),
        }
    }

    /// Adds what another one knows, and returns whether that was anything new.
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

    pub(crate) fn shape(&self) -> Shape {
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

/// A unit with what is known about its inputs.
pub(crate) struct Case<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) inputs: &'a [Known],
    /// The names of the inputs, for a block that makes a bus.
    pub(crate) names: &'a [String],
    /// The charts and the code of the model.
    pub(crate) charts: &'a [Chart],
    /// Whether a part of the inputs is enough.
    pub(crate) loose: bool,
    /// Whether comparisons give Booleans.
    pub(crate) booleans: bool,
}

impl Case<'_> {
    /// One output.
    pub(crate) fn one(&self, class: Option<Class>, size: Option<Vec<usize>>) -> Vec<Known> {
        vec![Known::new(class, size)]
    }

    /// One output of the class that a rule gives for those of all inputs.
    pub(crate) fn ruled(&self, rule: fn(&[Class]) -> Option<Class>, size: Option<Vec<usize>>) -> Vec<Known> {
        self.one(self.class(self.classes(self.inputs).and_then(|it| rule(&it))), size)
    }

    /// The first input.
    pub(crate) fn first(&self) -> &Known {
        self.inputs.first().unwrap_or(&Known::NOTHING)
    }

    /// Some of the inputs.
    pub(crate) fn only(&self, keep: impl Fn(usize) -> bool) -> Vec<Known> {
        self.inputs.iter().enumerate().filter(|(k, _)| keep(*k)).map(|(_, known)| known.clone()).collect()
    }

    /// The first input as it is; of several that have to be equal, the first one that is known.
    pub(crate) fn passed(&self) -> Vec<Known> {
        let class = self.class(self.inputs.iter().find_map(Known::class));
        match self.inputs.iter().find(|known| known.size().is_some()).unwrap_or(self.first()) {
            Known::Bus(elements) => vec![Known::Bus(elements.clone())],
            known @ Known::Signal { .. } => vec![Known::new(class, known.size())],
        }
    }

    /// The class that the block is set to; none if it inherits.
    pub(crate) fn explicit(&self) -> Option<Class> {
        Class::named(self.unit.word("OutDataTypeStr"))
    }

    /// The class of the output, with what its own rule gives.
    pub(crate) fn class(&self, internal: Option<Class>) -> Option<Class> {
        let text = self.unit.word("OutDataTypeStr");
        match text.strip_prefix("Inherit:").map(str::trim) {
            Some("Inherit via back propagation") => None,
            Some("Same as first input" | "Same as input") => self.first().class(),
            Some("Same as second input") => self.inputs.get(1).and_then(Known::class),
            Some(logical) if logical.starts_with("Logical") => Some(self.boolean()),
            Some(_) => internal,
            None => self.explicit().or(internal),
        }
    }

    /// The class of a comparison.
    pub(crate) fn truth(&self) -> Option<Class> {
        self.class(Some(self.boolean()))
    }

    fn boolean(&self) -> Class {
        if self.booleans { Class::Boolean } else { Class::Double }
    }

    /// Single precision if the first input has it, otherwise double.
    pub(crate) fn floating(&self) -> Option<Class> {
        self.first().class().map(|class| if class == Class::Single { Class::Single } else { Class::Double })
    }

    /// The class of inputs that are taken together.
    pub(crate) fn common(&self, inputs: &[Known]) -> Option<Class> {
        self.classes(inputs).and_then(|it| rules::common(&it))
    }

    /// The classes of inputs, if enough of them are known.
    fn classes(&self, inputs: &[Known]) -> Option<Vec<Class>> {
        let classes: Vec<Class> = inputs.iter().filter_map(Known::class).collect();
        (!classes.is_empty() && (classes.len() == inputs.len() || self.loose)).then_some(classes)
    }

    /// The size of numbers computed element by element.
    pub(crate) fn size(&self, inputs: &[Known]) -> Option<Vec<usize>> {
        let known: Vec<Vec<usize>> = inputs.iter().filter_map(Known::size).collect();
        if known.is_empty() || known.len() < inputs.len() && !self.loose {
            return None;
        }
        Some(sizes::combine(known.iter().map(Vec::as_slice)))
    }

    /// A size that parameters with several numbers expand.
    pub(crate) fn expanded(&self, size: Option<Vec<usize>>) -> Option<Vec<usize>> {
        let parameters = self.unit.kind.definition().expands.iter().filter_map(|name| self.unit.matrix(name));
        let given =
            parameters.filter(|it| it.entries.len() > 1).map(|it| sizes::of_value(&it.dimensions, true));
        let mut all = vec![size?];
        all.extend(given);
        Some(sizes::combine(all.iter().map(Vec::as_slice)))
    }

    /// The size of one input after a reduction by sum, product, minimum or maximum.
    pub(crate) fn reduced(&self) -> Option<Vec<usize>> {
        let along = self.unit.single("CollapseDim");
        match (self.unit.word("CollapseMode"), along, self.first().size()?.as_slice()) {
            ("Specified dimension", Some(1.0), [_, columns]) => Some(vec![1, *columns]),
            ("Specified dimension", Some(2.0), [rows, _]) => Some(vec![*rows, 1]),
            _ => Some(vec![1]),
        }
    }

    /// What a port is set to.
    pub(crate) fn given(&self) -> Known {
        self.bus().unwrap_or_else(|| Known::new(self.explicit(), self.given_size()))
    }

    /// The bus that the block has as its type.
    pub(crate) fn bus(&self) -> Option<Known> {
        objects::bus(self.unit)
    }

    /// The bus whose elements are a value of the block.
    pub(crate) fn bus_named(&self, name: &str) -> Option<Known> {
        objects::bus_named(self.unit, name)
    }

    fn given_size(&self) -> Option<Vec<usize>> {
        let matrix = self.unit.matrix("PortDimensions").or_else(|| self.unit.matrix("Dimensions"))?;
        let size = |&size: &f64| ((1.0..=1048576.0).contains(&size)).then_some(size as usize);
        let sizes: Vec<usize> = matrix.entries.iter().map(size).collect::<Option<_>>()?;
        sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size))?;
        Some(sizes).filter(|sizes| !sizes.is_empty())
    }
}

/// Finds the shapes of all outputs.
pub(super) fn shapes(
    diagram: &Diagram,
    units: &mut [Unit],
    feeds: &Feeds,
    names: &Names,
    charts: &[Chart],
    overrides: &Overrides,
    problems: &mut Vec<Problem>,
) {
    let booleans = diagram.settings.get("BooleanDataType") != Some("off");
    let doubles = units.iter().map(|it| overrides.has(it.block.sheet)).collect();
    let (known, fits) = Inference::new(units, feeds, names, charts, booleans, doubles).run();
    if !fits {
        let message = format!("its buses have more than {} elements in total", super::PORTS);
        problems.push(Problem::of_model(&diagram.name, Fault::hint(message, "check a smaller model")));
    }
    let uncertain = uncertain(units, feeds, problems);
    for (number, unit) in units.iter_mut().enumerate() {
        unit.outputs = known[number].iter().map(Known::shape).collect();
        for place in 0..unit.outputs.len() {
            let width = unit.outputs[place].width();
            let fault = match width {
                0 => Fault::hint("an output has no elements", "give a value that is not empty"),
                1..=WIDEST => continue,
                _ => Fault::new(format!("an output has {width} elements; the limit is {WIDEST}")),
            };
            // Something without elements would have no place to be missed.
            unit.outputs[place] = Shape::scalar();
            problems.extend((!uncertain[number]).then(|| unit.problem(fault)));
        }
        if uncertain[number] {
            continue;
        }
        let fault = unknown_bus(unit, &feeds[number])
            .or_else(|| complaint(unit, &inputs(&known, &feeds[number])))
            .or_else(|| overrides.complaint(unit, &known[number]));
        problems.extend(fault.map(|fault| unit.problem(fault)));
    }
}

/// The units whose shapes may be wrong, because they or units before them have a problem already.
fn uncertain(units: &[Unit], feeds: &Feeds, problems: &[Problem]) -> Vec<bool> {
    let paths: BTreeSet<&str> = problems.iter().map(|it| it.path.as_str()).collect();
    let mut uncertain: Vec<bool> = units.iter().map(|it| paths.contains(it.path.as_str())).collect();
    let mut readers = vec![vec![]; units.len()];
    for (reader, sources) in feeds.iter().enumerate() {
        sources.iter().flatten().for_each(|it| readers[it.unit.0 as usize].push(reader));
    }
    let mut open: Vec<usize> = (0..units.len()).filter(|it| uncertain[*it]).collect();
    while let Some(at) = open.pop() {
        for &reader in &readers[at] {
            if !std::mem::replace(&mut uncertain[reader], true) {
                open.push(reader);
            }
        }
    }
    uncertain
}

/// Why a port that nothing feeds has no type: only its bus says what it carries.
fn unknown_bus(unit: &Unit, feeds: &[Option<Source>]) -> Option<Fault> {
    let stated = unit.word("OutDataTypeStr").strip_prefix("Bus:").map(str::trim);
    let stated = stated.or_else(|| unit.is_on("UseBusObject").then(|| unit.word("BusObject")));
    let name = stated.filter(|_| unit.kind == BlockKind::Inport && feeds.iter().all(Option::is_none))?;
    let message = format!("the bus `{name}` is not known");
    let fault = Fault::hint(message.clone(), "give the script or the data file that defines it");
    objects::bus(unit).is_none().then(|| fault.because(message))
}

/// What is wrong with a unit, now that its inputs are known.
fn complaint(unit: &Unit, inputs: &[Known]) -> Option<Fault> {
    let class = unit.word("OutDataTypeStr");
    let plain = class.is_empty() || class.starts_with("Inherit") || class.starts_with("Bus:");
    if !plain && Class::named(class).is_none() {
        let message = format!("the type `{class}` is not supported");
        return Some(Fault::hint(message, "use double, single, boolean or an integer type"));
    }
    (unit.kind.definition().complaint)(unit, inputs)
}

/// What is known about some sources. An input without a line is a scalar zero.
fn inputs(known: &[Vec<Known>], sources: &[Option<Source>]) -> Vec<Known> {
    let open = Known::new(Some(Class::Double), Some(vec![1]));
    let of = |source: &Source| known.get(source.unit.0 as usize)?.get(source.output as usize).cloned();
    sources.iter().map(|source| source.as_ref().and_then(of).unwrap_or_else(|| open.clone())).collect()
}

struct Inference<'a> {
    units: &'a [Unit],
    feeds: &'a Feeds,
    names: &'a Names,
    charts: &'a [Chart],
    booleans: bool,
    /// The units whose numbers are doubles, whatever their rules give.
    doubles: Vec<bool>,
    known: Vec<Vec<Known>>,
    /// For each unit, the units that read it.
    readers: Vec<Vec<usize>>,
    /// The units about which something was learned since what readers need was last passed back.
    changed: BTreeSet<usize>,
    /// The remaining room for elements of buses; none if it was exceeded.
    room: Option<usize>,
}

impl<'a> Inference<'a> {
    fn new(
        units: &'a [Unit],
        feeds: &'a Feeds,
        names: &'a Names,
        charts: &'a [Chart],
        booleans: bool,
        doubles: Vec<bool>,
    ) -> Self {
        let mut readers = vec![vec![]; units.len()];
        for (reader, sources) in feeds.iter().enumerate() {
            for source in sources.iter().flatten() {
                let all: &mut Vec<usize> = &mut readers[source.unit.0 as usize];
                // One unit may provide thousands of inputs of a bus.
                if all.last() != Some(&reader) {
                    all.push(reader);
                }
            }
        }
        let known = units.iter().map(|unit| vec![Known::NOTHING; unit.outputs.len()]).collect();
        let changed = (0..units.len()).collect();
        let room = Some(super::PORTS);
        Inference { units, feeds, names, charts, booleans, doubles, known, readers, changed, room }
    }

    /// What is known in the end, and whether all buses stayed within the limit.
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

    fn case<'c>(&'c self, at: usize, inputs: &'c [Known], loose: bool) -> Case<'c> {
        let (unit, names, booleans) = (&self.units[at], &self.names[at], self.booleans);
        Case { unit, inputs, names, charts: self.charts, loose, booleans }
    }

    /// What is found about an output, with the data type override. The types of code are its own.
    fn overridden(&self, at: usize, found: Known) -> Known {
        let is_code = matches!(self.units[at].kind, BlockKind::Script | BlockKind::Chart);
        if self.doubles[at] && !is_code { in_doubles(found) } else { found }
    }

    /// A bus that is new to a signal, if there is room for its elements.
    fn admitted(&mut self, is_new: bool, found: Known) -> Known {
        if !is_new || !matches!(found, Known::Bus(_)) {
            return found;
        }
        self.room = self.room.and_then(|room| room.checked_sub(found.signals(16)?));
        if self.room.is_some() { found } else { Known::NOTHING }
    }

    /// Applies the rules of the units in the queue and of their readers; returns whether anything new was found.
    fn forward(&mut self, queue: &mut Vec<usize>, loose: bool) -> bool {
        let mut any = false;
        while let Some(at) = queue.pop() {
            let inputs = inputs(&self.known, &self.feeds[at]);
            let case = self.case(at, &inputs, loose);
            let mut found = (case.unit.kind.definition().shapes)(&case);
            for (place, one) in found.iter_mut().enumerate() {
                let is_new = self.known[at].get(place) == Some(&Known::NOTHING);
                let own = self.overridden(at, std::mem::replace(one, Known::NOTHING));
                *one = self.admitted(is_new, own);
            }
            let learn = |new: bool, (old, found): (&mut Known, &Known)| old.learn(found) || new;
            if self.known[at].iter_mut().zip(&found).fold(false, learn) {
                any = true;
                self.changed.insert(at);
                queue.extend(&self.readers[at]);
                if loose {
                    return true;
                }
            }
        }
        any
    }

    /// Passes what readers need back to the sources that inherit from them. A reader needs something new only if something was learned
    /// about it or about one of its sources.
    fn backward(&mut self, queue: &mut Vec<usize>) -> bool {
        let mut any = false;
        let changed = std::mem::take(&mut self.changed);
        let mut asked: BTreeSet<usize> = changed.iter().flat_map(|it| &self.readers[*it]).copied().collect();
        asked.extend(changed);
        while let Some(at) = asked.pop_first() {
            let feeds = &self.feeds[at];
            let asks = |source: &Source| {
                let number = source.unit.0 as usize;
                let open =
                    self.known[number].get(source.output as usize).is_some_and(|known| !known.is_whole());
                let unit = &self.units[number];
                open && (self.feeds[number].is_empty()
                    || unit.word("OutDataTypeStr").contains("back propagation")
                    || unit.kind.definition().inherits)
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
                let case = self.case(at, &inputs, false);
                let needed = (case.unit.kind.definition().needed)(&case, place, &self.known[at]);
                let number = number as usize;
                let is_new = self.known[number].get(output as usize) == Some(&Known::NOTHING);
                let needed = self.overridden(number, needed);
                let needed = self.admitted(is_new, needed);
                let Some(old) = self.known[number].get_mut(output as usize) else { continue };
                if old.learn(&needed) {
                    any = true;
                    self.changed.insert(number);
                    queue.push(number);
                    queue.extend(&self.readers[number]);
                    // Those that come later are asked in the same pass.
                    asked.extend(self.readers[number].iter().chain([&number]).filter(|it| **it > at));
                }
            }
        }
        any
    }

    /// Assumes that one open signal is a scalar double, preferably a source.
    fn settle(&mut self, open: &[usize]) -> Vec<usize> {
        let scalar = Known::new(Some(Class::Double), Some(vec![1]));
        let source = open.iter().find(|&&at| self.feeds[at].is_empty());
        let Some(&at) = source.or(open.first()) else { return vec![] };
        for known in &mut self.known[at] {
            settle_element(known, &scalar);
        }
        self.changed.insert(at);
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
