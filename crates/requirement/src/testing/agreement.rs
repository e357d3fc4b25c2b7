//! Whether all meanings of a requirement agree: compares the oracle with each formula on every trace up to a length.
//!
//! Formulas are evaluated on thousands of traces at once, one bit each; the oracle evaluates them one by one. The formula with LAST
//! is evaluated on infinite traces whose part after LAST is arbitrary, because it must not matter.

use crate::meaning::oracle::judge;
use crate::{Ending, LAST, Reading, Requirement, future, parts, past};
use logic::{Bound, Formula, Id, Node, Shape, Store, Trace, Value, truth_table};

/// A trace on which two meanings differ.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// The formula that differs from the oracle.
    pub formula: &'static str,
    /// The trace.
    pub trace: Trace,
    /// The oracle's verdict; the formula's is the opposite.
    pub oracle: bool,
}

/// Compares the oracle with the past and both finite future formulas, as far as they exist, on all finite traces of this length.
/// Returns the number of traces.
pub fn finite(store: &mut Store, requirement: &Requirement, length: usize) -> Result<u64, Box<Disagreement>> {
    let words = Words::new(store, requirement, Shape::finite(length));
    let past = past(store, requirement).ok();
    let weak = future(store, requirement, Ending::WeakNext).ok();
    let last = future(store, requirement, Ending::Last).ok();
    // On each prefix: by the parts of the reading in which a trace may end at any step, and by the past formula.
    let prefixes = parts(store, requirement, Reading::AnyEnd)
        .ok()
        .zip(past)
        .map(|(parts, past)| [parts.safety, past].map(|it| store.historically(Bound::ALL, it)));
    let letters = 1 << words.variables.len();
    words.compare(store, requirement, &mut |store, start, expected| {
        let differ = |formula: Option<Formula>, position: usize, name: &'static str| {
            let holds = words.truths(store, formula?, start, None)[position];
            first_difference(&holds, expected).map(|bit| (name, bit))
        };
        let weak = || differ(weak, 0, "future (weak next)");
        let ended = || {
            // Cut off after LAST, or continued with any letter forever.
            std::iter::once(None).chain((0..2 * letters).map(Some)).find_map(|garbage| {
                let holds = words.truths(store, last?, start, garbage)[0];
                first_difference(&holds, expected).map(|bit| ("future (LAST)", bit))
            })
        };
        let parts = || {
            let [parts, past] = prefixes?.map(|it| words.truths(store, it, start, None)[length - 1]);
            first_difference(&parts, &past).map(|bit| ("parts (any end)", bit))
        };
        differ(past, length - 1, "past").or_else(weak).or_else(ended).or_else(parts)
    })
}

/// Compares the oracle with the infinite future formula, and with the parts of the endless reading, on all lassos of this length and loop.
pub fn infinite(
    store: &mut Store,
    requirement: &Requirement,
    length: usize,
    loop_start: usize,
) -> Result<u64, Box<Disagreement>> {
    let words = Words::new(store, requirement, Shape::lasso(length, loop_start));
    let formula = future(store, requirement, Ending::Infinite).ok();
    let parts = parts(store, requirement, Reading::Endless).ok().map(|parts| {
        let always = store.globally(Bound::ALL, parts.safety);
        let live = parts.live.map_or(store.top(), |live| {
            let again = store.finally(Bound::ALL, live);
            store.globally(Bound::ALL, again)
        });
        store.and2(always, live)
    });
    words.compare(store, requirement, &mut |store, start, expected| {
        let differ = |formula: Option<Formula>, name: &'static str| {
            let holds = words.truths(store, formula?, start, None)[0];
            first_difference(&holds, expected).map(|bit| (name, bit))
        };
        differ(formula, "future (infinite)").or_else(|| differ(parts, "parts (endless)"))
    })
}

/// Traces that are evaluated together, one bit each.
type Bundle = [u64; 64];
const BUNDLE: u64 = 64 * 64;

fn first_difference(a: &Bundle, b: &Bundle) -> Option<u64> {
    a.iter().zip(b).enumerate().find_map(|(index, (a, b))| {
        let differing = a ^ b;
        (differing != 0).then(|| index as u64 * 64 + u64::from(differing.trailing_zeros()))
    })
}

/// Given the first trace of a bundle and the oracle's verdict on each, the formula that differs and its bit.
type Differs<'a> = &'a mut dyn FnMut(&Store, u64, &Bundle) -> Option<(&'static str, u64)>;

/// All traces of a shape over the Boolean variables of a requirement; a trace is a number whose bits are its values.
struct Words {
    shape: Shape,
    variables: Vec<(Id, String)>,
}

impl Words {
    fn new(store: &Store, requirement: &Requirement, shape: Shape) -> Words {
        let predicates = requirement.predicates.iter().flat_map(crate::Predicate::arguments);
        let roots: Vec<Id> = requirement.expressions().map(Formula::id).chain(predicates).collect();
        let variables = store.reachable(roots).into_iter().filter_map(|id| match store.node(id) {
            Node::Var(symbol) => Some((id, store.name(*symbol).to_string())),
            _ => None,
        });
        Words { shape, variables: variables.collect() }
    }

    fn count(&self) -> u64 {
        1 << (self.variables.len() * self.shape.len)
    }

    fn value(&self, number: u64, variable: usize, position: usize) -> bool {
        number >> (position * self.variables.len() + variable) & 1 == 1
    }

    fn trace(&self, number: u64) -> Trace {
        let empty =
            Trace::new(self.shape.len, self.shape.loop_start).expect("shapes have at least one position");
        self.variables.iter().enumerate().fold(empty, |trace, (variable, (_, name))| {
            let column = (0..self.shape.len)
                .map(|position| Value::Bool(self.value(number, variable, position)))
                .collect();
            trace.with(name, column).expect("variables have distinct names")
        })
    }

    /// Iterates over all traces; `differs` returns the name of a formula that differs from the oracle in a bundle, and the bit at
    /// which it does.
    fn compare(
        &self,
        store: &mut Store,
        requirement: &Requirement,
        differs: Differs,
    ) -> Result<u64, Box<Disagreement>> {
        for start in (0..self.count()).step_by(BUNDLE as usize) {
            let mut expected: Bundle = [0; 64];
            // Beyond the last trace the numbers wrap around, so that all bits are meaningful.
            for bit in 0..BUNDLE.min(self.count()) {
                let verdict = judge(store, requirement, &self.trace(start + bit))
                    .expect("Boolean traces can be judged");
                if verdict.holds() {
                    expected[bit as usize / 64] |= 1 << (bit % 64);
                }
            }
            let used = self.count().min(BUNDLE) as usize;
            for bit in used..BUNDLE as usize {
                expected[bit / 64] |= (expected[bit % used / 64] >> (bit % used % 64) & 1) << (bit % 64);
            }
            if let Some((formula, bit)) = differs(store, start, &expected) {
                let number = (start + bit) % self.count();
                let oracle = expected[bit as usize / 64] >> (bit % 64) & 1 == 1;
                return Err(Box::new(Disagreement { formula, trace: self.trace(number), oracle }));
            }
        }
        Ok(self.count())
    }

    /// The value of a formula at each position, for the bundle of traces from `start` on. With `garbage`, the traces continue forever
    /// after LAST with that letter, whose lowest bit is the value of LAST.
    fn truths(&self, store: &Store, formula: Formula, start: u64, garbage: Option<u64>) -> Vec<Bundle> {
        let shape = match garbage {
            Some(_) => Shape::lasso(self.shape.len + 1, self.shape.len),
            None => self.shape,
        };
        truth_table(store, formula, shape, |atom, position| {
            let variable = self.variables.iter().position(|&(id, _)| id == atom);
            let constant = |truth: bool| [if truth { !0 } else { 0 }; 64];
            match (variable, garbage.filter(|_| position == self.shape.len)) {
                (Some(variable), Some(letter)) => constant(letter >> (variable + 1) & 1 == 1),
                (None, Some(letter)) => constant(letter & 1 == 1),
                (None, None) => constant(position + 1 == self.shape.len && is_last(store, atom)),
                (Some(variable), None) => {
                    let mut bits: Bundle = [0; 64];
                    for bit in
                        (0..BUNDLE).filter(|bit| self.value((start + bit) % self.count(), variable, position))
                    {
                        bits[bit as usize / 64] |= 1 << (bit % 64);
                    }
                    bits
                }
            }
        })
    }
}

fn is_last(store: &Store, atom: Id) -> bool {
    matches!(store.node(atom), Node::Var(symbol) if store.name(*symbol) == LAST)
}
