//! Proofs: traces on which a formula and the automaton of its definition differ.

use super::lasso::{self, Around, Lasso};
use super::machine::{Companion, Edge, Machine};
use super::{Asked, Letter, Undecided};
use crate::automaton::{Dfa, Track};
use crate::bdd::{Bdd, Manager};
use crate::store::{Formula, Id, Store};

/// A shortest finite trace on which a formula and an automaton differ, or `None` if there is none of any length. The automaton reads
/// from the last position to the first. `atoms` maps each track of the automaton to its atom.
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
    // A past-time formula reads in the other direction, so the automaton takes its steps backwards: it guesses its final state, which
    // determines its verdict, and must arrive at its initial state. The verdict is guessed as true first and then as false; the
    // shorter trace wins.
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

/// An infinite trace on which a future-time formula and a deterministic Büchi automaton differ, or `None` if there is none. The
/// automaton reads forwards; a word is accepted if it visits an accepting state infinitely often.
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
    let rejected = Around { avoiding: Some(&accepts), through: None };
    if let Some(found) = lasso::search(store, formula, &alphabet, &letters, &companion, &rejected)? {
        return Ok(Some(found));
    }
    let negation = store.not(formula);
    lasso::search(
        store,
        negation,
        &alphabet,
        &letters,
        &companion,
        &Around { through: Some(&accepts), avoiding: None },
    )
}

/// The atoms of an automaton, all letters over them, and its steps by letter index.
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
