//! Formulas as machines whose states are sets in a decision diagram: which traces, of any length, tell a formula from an
//! automaton or make it true?
//!
//! A formula of the past becomes a machine that reads a trace forwards: one bit for each unbounded operator, a row of
//! bits for each bounded one, and an output that is the formula's truth at the last position read. A formula of the
//! future is the mirror image: its machine reads backwards. Questions are answered backwards from their goal, so that
//! each answer comes with a shortest trace.

mod lasso;
mod machine;
mod memory;

pub use lasso::Lasso;

use crate::automaton::{Dfa, Track};
use crate::bdd::{Bdd, Manager};
use crate::node::{Formula, Id};
use crate::store::Store;
use lasso::Around;
use machine::{Companion, Edge, Machine};
use std::fmt;

/// A step of a trace: whether each atom of the alphabet holds.
pub type Letter = Vec<bool>;

/// Formulas that would need more bits of memory than this are not decided.
const MAX_BITS: usize = 4_096;

/// Beyond this many nodes of decision diagrams a question is given up.
const MAX_NODES: usize = 1 << 23;

/// Why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecided {
    /// The formula speaks of the future where it is asked at the end, or of the past where it is asked at the start.
    WrongDirection,
    /// The diagrams grew beyond the limit.
    TooLarge,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Undecided::WrongDirection => write!(f, "the formula speaks of the past and of the future"),
            Undecided::TooLarge => {
                write!(f, "the limit of {MAX_NODES} nodes of decision diagrams is reached")
            }
        }
    }
}

/// Where a formula is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// At the last position; it may speak of the past.
    AtEnd,
    /// At the first position; it may speak of the future. The trace just ends.
    AtStart,
    /// At the first position. This atom is true at the last position and false before; what comes behind it may be
    /// anything.
    AtStartOf(Id),
}

/// A shortest finite trace on which a formula and an automaton differ, or `None` if there is none of any length. The
/// automaton reads from the last position to the first. `atoms` says which atom each track of the automaton is.
pub fn difference(
    store: &mut Store,
    formula: Formula,
    dfa: &Dfa,
    atoms: &[(Track, Id)],
    asked: Asked,
) -> Result<Option<Vec<Letter>>, Undecided> {
    let (alphabet, letters, steps) = alphabet(dfa, atoms);
    let machine = |store: &mut Store| Machine::new(store, formula, &alphabet, &letters, asked);

    if asked != Asked::AtEnd {
        let edges = steps.map(|(source, letter, target)| Edge { source, letter, target }).collect();
        let companion = Companion { states: dfa.states(), edges, starts: vec![0] };
        let differs = |manager: &mut Manager, output: Bdd, state: u32| match dfa.accepts(state) {
            true => manager.not(output),
            false => output,
        };
        return machine(store)?.search(&companion, &differs);
    }
    // A formula of the past reads the other way, so the automaton walks its steps back: it guesses the state in which it
    // will have read all, whose verdict is the automaton's, and must arrive at its own start. Its verdict is guessed
    // true first and false then; the shorter trace wins.
    let edges: Vec<Edge> = steps.map(|(target, letter, source)| Edge { source, letter, target }).collect();
    let mut shortest: Option<Vec<Letter>> = None;
    for verdict in [true, false] {
        let starts = (0..dfa.states() as u32).filter(|&state| dfa.accepts(state) == verdict).collect();
        let companion = Companion { states: dfa.states(), edges: edges.clone(), starts };
        let differs = |manager: &mut Manager, output: Bdd, state: u32| match (state, verdict) {
            (0, true) => manager.not(output),
            (0, false) => output,
            _ => Bdd::FALSE,
        };
        let found = machine(store)?.search(&companion, &differs)?;
        shortest = match (shortest, found) {
            (Some(one), Some(two)) => Some(if two.len() < one.len() { two } else { one }),
            (one, two) => one.or(two),
        };
    }
    Ok(shortest)
}

/// A shortest finite trace over these letters that makes a formula true, or `None` if there is none of any length.
/// Each letter gives the truth of every atom.
pub fn shortest_model(
    store: &mut Store,
    formula: Formula,
    atoms: &[Id],
    letters: &[Letter],
    asked: Asked,
) -> Result<Option<Vec<Letter>>, Undecided> {
    Machine::new(store, formula, atoms, letters, asked)?.search(&idle(letters), &|_, output, _| output)
}

/// A lasso over these letters on which a formula of the future holds, or `None` if no infinite trace makes it true.
pub fn lasso(
    store: &mut Store,
    formula: Formula,
    atoms: &[Id],
    letters: &[Letter],
) -> Result<Option<Lasso>, Undecided> {
    lasso::search(store, formula, atoms, letters, &idle(letters), &Around::Free)
}

/// An infinite trace on which a formula of the future and a deterministic Büchi automaton differ, or `None` if there is
/// none. The automaton reads forwards; a word is accepted if it is in an accepting state infinitely often.
pub fn endless_difference(
    store: &mut Store,
    formula: Formula,
    dfa: &Dfa,
    atoms: &[(Track, Id)],
) -> Result<Option<Lasso>, Undecided> {
    let (alphabet, letters, steps) = alphabet(dfa, atoms);
    let edges = steps.map(|(source, letter, target)| Edge { source, letter, target }).collect();
    let companion = Companion { states: dfa.states(), edges, starts: vec![0] };
    let accepts = |state: u32| dfa.accepts(state);
    let rejected = Around::Avoiding(&accepts);
    if let Some(found) = lasso::search(store, formula, &alphabet, &letters, &companion, &rejected)? {
        return Ok(Some(found));
    }
    let negation = store.not(formula);
    lasso::search(store, negation, &alphabet, &letters, &companion, &Around::Through(&accepts))
}

/// A companion that does nothing.
fn idle(letters: &[Letter]) -> Companion {
    let edges = (0..letters.len()).map(|letter| Edge { source: 0, letter, target: 0 }).collect();
    Companion { states: 1, edges, starts: vec![0] }
}

/// The atoms of an automaton, all letters over them, and its steps by number of letter.
fn alphabet<'a>(
    dfa: &'a Dfa,
    atoms: &[(Track, Id)],
) -> (Vec<Id>, Vec<Letter>, impl Iterator<Item = (u32, usize, u32)> + 'a) {
    let tracks: Vec<Track> = atoms.iter().map(|&(track, _)| track).collect();
    let restriction = dfa.restriction(&tracks);
    let count = 1usize << atoms.len();
    let bits = |letter: usize| (0..atoms.len()).map(|k| letter >> k & 1 == 1).collect();
    let steps = (0..dfa.states() as u32).flat_map(move |state| (0..count).map(move |letter| (state, letter)));
    let steps = steps.map(move |(state, letter)| (state, letter, dfa.step(state, restriction[letter])));
    (atoms.iter().map(|&(_, id)| id).collect(), (0..count).map(bits).collect(), steps)
}

#[cfg(test)]
mod tests;
