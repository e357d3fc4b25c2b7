//! Example traces: the shortest on which a requirement holds because of its response, and the shortest on which it is violated.
//!
//! All traces over the letters of the requirement are tried by length, thousands at a time, on its formula. A long duration is first
//! shortened, and the trace found for that is stretched. The oracle replays every trace before it is returned. Limits are values:
//! [`Witness::shortest`] tells whether shorter traces are ruled out, and finding none proves nothing.

mod letters;
mod typical;

pub use typical::{Situation, typical};

use crate::meaning::oracle::{Verdict, judge};
use crate::specification::Type;
use crate::{Ending, Predicate, Requirement, Timing, future, past};
use letters::Alphabet;
use logic::{Formula, Id, Shape, Store, Trace, Value, truth_table};
use rustc_hash::FxHashMap;

/// The types of variables: a trace has no values outside of them. A variable without a type may have any value.
pub type Types = FxHashMap<String, Type>;

/// What a trace should show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The requirement holds, and a response that comes at another time, or never, would violate it.
    Satisfied,
    /// The requirement is violated.
    Violated,
}

/// A trace that shows the goal.
#[derive(Debug, Clone)]
pub struct Witness {
    /// The trace.
    pub trace: Trace,
    /// The oracle's verdict on it.
    pub verdict: Verdict,
    /// Whether every shorter trace was tried.
    pub shortest: bool,
}

/// The maximum number of traces tried per length.
const MAX_TRACES: u64 = 1 << 18;
/// The maximum number of traces per length if there is no formula and only the oracle is used.
const MAX_JUDGED: u64 = 1 << 11;
/// The longest trace of the exhaustive search.
const MAX_LENGTH: usize = 8;
/// The maximum length of a stretched trace: longer ones are useless to a reader.
const MAX_STRETCHED: u64 = 10_000;
/// Longer durations are shortened to this.
const SHORT: u64 = 2;

/// Searches for a trace that shows the goal.
pub fn witness(store: &mut Store, requirement: &Requirement, types: &Types, goal: Goal) -> Option<Witness> {
    let alphabet = Alphabet::new(store, requirement, types)?;
    let (short, missing) = shortened(requirement);
    let word = search(store, &short, &alphabet, goal)?;
    // If durations were shortened, one of the steps is repeated to make up for it.
    let words = missing.iter().flat_map(|&missing| {
        (0..word.len()).rev().map(move |at| (at, usize::try_from(missing).unwrap_or(usize::MAX)))
    });
    let stretched = words.map(|(at, missing)| {
        let mut stretched = word.clone();
        stretched.splice(at..at, std::iter::repeat_n(word[at], missing));
        stretched
    });
    let words: Vec<Vec<usize>> = std::iter::once(word.clone()).chain(stretched).collect();
    // A trace that was stretched for a predicate may be longer than it has to be.
    let exact = alphabet.complete && short.predicates == requirement.predicates;
    words.into_iter().find_map(|word| {
        let verdict = shows(store, requirement, &alphabet.trace(&word), goal)?;
        Some(Witness { trace: alphabet.shown(&word), verdict, shortest: exact })
    })
}

/// The requirement with short durations, and the numbers of steps that may be missing then, fewest first.
fn shortened(requirement: &Requirement) -> (Requirement, Vec<u64>) {
    let mut short = requirement.clone();
    let mut cuts = Vec::new();
    match &mut short.timing {
        Timing::Within(steps) | Timing::For(steps) | Timing::After(steps) => {
            cuts.push(steps.saturating_sub(SHORT));
            *steps = SHORT.min(*steps);
        }
        Timing::Immediately | Timing::Next | Timing::Finally | Timing::Always | Timing::Never => {}
        Timing::Eventually | Timing::Until(_) | Timing::Before(_) => {}
    }
    for predicate in &mut short.predicates {
        match predicate {
            Predicate::Persisted { near, far, .. }
            | Predicate::Occurred { near, far, .. }
            | Predicate::Persists { near, far, .. }
            | Predicate::Occurs { near, far, .. } => {
                let width = far.saturating_sub(*near).min(SHORT);
                let short_far = SHORT.min(*near) + width;
                cuts.push(far.saturating_sub(short_far));
                (*near, *far) = (SHORT.min(*near), short_far.min(*far));
            }
            Predicate::PreviousOccurrence { .. }
            | Predicate::NextOccurrence { .. }
            | Predicate::Previously { .. }
            | Predicate::PreviousValue { .. }
            | Predicate::FirstPoint => {}
        }
    }
    let all = cuts.iter().fold(0, |all: u64, cut| all.saturating_add(*cut));
    if all > MAX_STRETCHED {
        return (requirement.clone(), Vec::new());
    }
    cuts.push(all);
    cuts.retain(|&cut| cut > 0);
    cuts.sort_unstable();
    cuts.dedup();
    (short, cuts)
}

/// The name of a response that replaces the real one; it cannot occur in a sentence.
const OTHER: &str = "\0response";

fn other_response(store: &mut Store) -> Formula {
    let symbol = store.symbol(OTHER);
    store.var(symbol)
}

/// The oracle's verdict on a trace, if it shows the goal.
fn shows(store: &mut Store, requirement: &Requirement, trace: &Trace, goal: Goal) -> Option<Verdict> {
    let verdict = judge(store, requirement, trace).ok()?;
    match goal {
        Goal::Violated => (!verdict.holds()).then_some(verdict),
        Goal::Satisfied => {
            let other = Requirement { response: other_response(store), ..requirement.clone() };
            let matters = (0..=trace.len()).any(|from| {
                let column = (0..trace.len()).map(|position| Value::Bool(position >= from)).collect();
                let trace = trace.clone().with(OTHER, column).ok();
                trace
                    .and_then(|trace| judge(store, &other, &trace).ok())
                    .is_some_and(|verdict| !verdict.holds())
            });
            (verdict.holds() && matters).then_some(verdict)
        }
    }
}

/// The first word, shortest first, whose trace shows the goal.
fn search(
    store: &mut Store,
    requirement: &Requirement,
    alphabet: &Alphabet,
    goal: Goal,
) -> Option<Vec<usize>> {
    let formulas = formulas(store, requirement);
    for length in 1..=MAX_LENGTH {
        let count = (alphabet.letters() as u64).checked_pow(length as u32)?;
        let word = match &formulas {
            Some(formulas) if count <= MAX_TRACES => {
                first_of_all(store, formulas, alphabet, length, count, goal)
            }
            None if count <= MAX_JUDGED => {
                let words = (0..count).map(|number| alphabet.word(number, length));
                words
                    .into_iter()
                    .find(|word| shows(store, requirement, &alphabet.trace(word), goal).is_some())
            }
            Some(_) | None => return None,
        };
        if word.is_some() {
            return word;
        }
    }
    None
}

/// The formula of the requirement, the same with another response, and the end at which they are evaluated.
struct Formulas {
    itself: Formula,
    other: Formula,
    at_end: bool,
}

fn formulas(store: &mut Store, requirement: &Requirement) -> Option<Formulas> {
    let other = Requirement { response: other_response(store), ..requirement.clone() };
    let pasts = past(store, requirement).and_then(|itself| Ok((itself, past(store, &other)?)));
    let weak = |store: &mut Store, requirement| future(store, requirement, Ending::WeakNext);
    let futures = weak(store, requirement).and_then(|itself| Ok((itself, weak(store, &other)?)));
    let found = match (pasts, futures) {
        (Ok((itself, other)), _) => Formulas { itself, other, at_end: true },
        (Err(_), Ok((itself, other))) => Formulas { itself, other, at_end: false },
        (Err(_), Err(_)) => return None,
    };
    let readable =
        [found.itself, found.other].into_iter().all(|formula| letters::is_over_letters(store, formula));
    readable.then_some(found)
}

/// A bundle of traces that are evaluated together.
type Bundle = [u64; 64];
const BUNDLE: u64 = 64 * 64;

fn first_of_all(
    store: &Store,
    formulas: &Formulas,
    alphabet: &Alphabet,
    length: usize,
    count: u64,
    goal: Goal,
) -> Option<Vec<usize>> {
    let position = if formulas.at_end { length - 1 } else { 0 };
    let truths = [formulas.itself, formulas.other].map(|formula| alphabet.truths(store, formula));
    for start in (0..count).step_by(BUNDLE as usize) {
        let bundle = count.min(start + BUNDLE) - start;
        let letters: Vec<Vec<usize>> = (0..length)
            .map(|position| (0..bundle).map(|n| alphabet.letter(start + n, position)).collect())
            .collect();
        let holds = |formula: Formula, truths: &FxHashMap<Id, Vec<bool>>, other_from: usize| {
            let table = truth_table(store, formula, Shape::finite(length), |atom, position| {
                let Some(truths) = truths.get(&atom) else {
                    return [if position >= other_from { !0 } else { 0 }; 64];
                };
                let mut bits: Bundle = [0; 64];
                for (number, &letter) in letters[position].iter().enumerate() {
                    bits[number / 64] |= u64::from(truths[letter]) << (number % 64);
                }
                bits
            });
            table[position]
        };
        let mut hits = holds(formulas.itself, &truths[0], 0);
        match goal {
            Goal::Violated => hits = hits.map(|bits| !bits),
            Goal::Satisfied => {
                let mut fine: Bundle = [!0; 64];
                for from in 0..=length {
                    let holds = holds(formulas.other, &truths[1], from);
                    fine.iter_mut().zip(holds).for_each(|(fine, holds)| *fine &= holds);
                }
                hits.iter_mut().zip(fine).for_each(|(hits, fine)| *hits &= !fine);
            }
        }
        let first = (0..bundle).find(|number| hits[*number as usize / 64] >> (number % 64) & 1 == 1);
        if let Some(number) = first {
            return Some(alphabet.word(start + number, length));
        }
    }
    None
}
