//! Example traces: the shortest on which a requirement holds because the response came, and the shortest on which it
//! is violated.
//!
//! All traces over the letters of the requirement are tried by length, thousands at a time, on its formula. A
//! long duration is first made short, and the trace found for that is stretched. Every trace is replayed by the
//! oracle before anybody sees it. Limits are values: [`Search::shortest`] says whether a shorter trace is ruled
//! out, and finding none says nothing.

mod letters;

use crate::oracle::{Verdict, judge};
use crate::{Ending, Requirement, Timing, future, past};
use letters::Alphabet;
use logic::{Formula, Shape, Store, Trace, truth_table};

/// What a trace is to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The requirement holds, and another response would violate it.
    Satisfied,
    /// The requirement is violated.
    Violated,
}

/// A trace that shows the goal.
#[derive(Debug, Clone)]
pub struct Witness {
    /// The trace.
    pub trace: Trace,
    /// What the oracle says about it.
    pub verdict: Verdict,
    /// Whether every shorter trace was tried.
    pub shortest: bool,
}

/// How many traces are tried for one length.
const MAX_TRACES: u64 = 1 << 18;
/// How many traces the oracle alone tries for one length, when there is no formula.
const MAX_JUDGED: u64 = 1 << 11;
/// The longest trace of the exhaustive search.
const MAX_LENGTH: usize = 8;
/// The longest stretched trace: longer ones are of no use to a reader.
const MAX_STRETCHED: u64 = 10_000;
/// Durations above this are searched as this.
const SHORT: u64 = 2;

/// Searches a trace that shows the goal.
pub fn witness(store: &mut Store, requirement: &Requirement, goal: Goal) -> Option<Witness> {
    let alphabet = Alphabet::new(store, requirement)?;
    let (short, missing) = shortened(requirement);
    let word = search(store, &short, &alphabet, goal)?;
    // Where a duration was shortened, one of the steps is repeated as often as it was cut.
    let words = (0..word.len()).rev().map(|at| {
        let mut stretched = word.clone();
        let repeated = std::iter::repeat_n(word[at], missing as usize);
        stretched.splice(at..at, repeated);
        stretched
    });
    let words = if missing == 0 { vec![word.clone()] } else { words.collect() };
    words.into_iter().find_map(|word| {
        let trace = alphabet.trace(&word);
        let verdict = shows(store, requirement, &trace, goal)?;
        Some(Witness { trace, verdict, shortest: alphabet.complete })
    })
}

/// The requirement with a short duration, and by how many steps it was shortened.
fn shortened(requirement: &Requirement) -> (Requirement, u64) {
    let mut short = requirement.clone();
    let cut = requirement.timing.steps().map_or(0, |steps| steps.saturating_sub(SHORT));
    if cut > MAX_STRETCHED {
        return (short, 0);
    }
    match &mut short.timing {
        Timing::Within(steps) | Timing::For(steps) | Timing::After(steps) => *steps -= cut,
        Timing::Immediately | Timing::Next | Timing::Finally | Timing::Always | Timing::Never => {}
        Timing::Eventually | Timing::Until(_) | Timing::Before(_) => {}
    }
    (short, cut)
}

/// What the oracle says about a trace, if it shows the goal.
fn shows(store: &Store, requirement: &Requirement, trace: &Trace, goal: Goal) -> Option<Verdict> {
    let verdict = judge(store, requirement, trace).ok()?;
    match goal {
        Goal::Violated => (!verdict.holds()).then_some(verdict),
        Goal::Satisfied => {
            let matters = [store.bottom(), store.top()].into_iter().any(|response| {
                let other = Requirement { response, ..requirement.clone() };
                judge(store, &other, trace).is_ok_and(|verdict| !verdict.holds())
            });
            (verdict.holds() && matters).then_some(verdict)
        }
    }
}

/// The first word, shortest first, whose trace shows the goal.
fn search(store: &mut Store, requirement: &Requirement, alphabet: &Alphabet, goal: Goal) -> Option<Vec<usize>> {
    let formulas = formulas(store, requirement);
    for length in 1..=MAX_LENGTH {
        let count = (alphabet.letters() as u64).checked_pow(length as u32)?;
        let word = match &formulas {
            Some(formulas) if count <= MAX_TRACES => first_of_all(store, formulas, alphabet, length, count, goal),
            None if count <= MAX_JUDGED => {
                let words = (0..count).map(|number| alphabet.word(number, length));
                words.into_iter().find(|word| shows(store, requirement, &alphabet.trace(word), goal).is_some())
            }
            Some(_) | None => return None,
        };
        if word.is_some() {
            return word;
        }
    }
    None
}

/// A formula of the requirement, and of the same with the response false and true everywhere; at which end they are read.
struct Formulas {
    itself: Formula,
    others: [Formula; 2],
    at_end: bool,
}

fn formulas(store: &mut Store, requirement: &Requirement) -> Option<Formulas> {
    let with = |store: &Store, response: bool| Requirement { response: store.bool(response), ..requirement.clone() };
    let requirements = [requirement.clone(), with(store, false), with(store, true)];
    let make = |store: &mut Store, make: &dyn Fn(&mut Store, &Requirement) -> Option<Formula>, at_end: bool| {
        let [itself, absent, present] = &requirements;
        Some(Formulas { itself: make(store, itself)?, others: [make(store, absent)?, make(store, present)?], at_end })
    };
    make(store, &|store, r| past(store, r).ok(), true)
        .or_else(|| make(store, &|store, r| future(store, r, Ending::WeakNext).ok(), false))
        .filter(|f| [f.itself, f.others[0], f.others[1]].iter().all(|&f| letters::is_over_letters(store, f)))
}

/// A bundle of traces that are evaluated together.
type Bundle = [u64; 64];
const BUNDLE: u64 = 64 * 64;

fn first_of_all(store: &Store, formulas: &Formulas, alphabet: &Alphabet, length: usize, count: u64, goal: Goal) -> Option<Vec<usize>> {
    let position = if formulas.at_end { length - 1 } else { 0 };
    for start in (0..count).step_by(BUNDLE as usize) {
        let bundle = count.min(start + BUNDLE) - start;
        let holds = |formula: Formula| {
            let table = truth_table(store, formula, Shape::finite(length), |atom, position| {
                let mut bits: Bundle = [0; 64];
                for number in 0..bundle {
                    if alphabet.truth(atom, alphabet.letter(start + number, position)) {
                        bits[number as usize / 64] |= 1 << (number % 64);
                    }
                }
                bits
            });
            table[position]
        };
        let itself = holds(formulas.itself);
        let hits: Bundle = match goal {
            Goal::Violated => itself.map(|bits| !bits),
            Goal::Satisfied => {
                let others = formulas.others.map(holds);
                std::array::from_fn(|k| itself[k] & !(others[0][k] & others[1][k]))
            }
        };
        let first = (0..bundle).find(|number| hits[*number as usize / 64] >> (number % 64) & 1 == 1);
        if let Some(number) = first {
            return Some(alphabet.word(start + number, length));
        }
    }
    None
}
