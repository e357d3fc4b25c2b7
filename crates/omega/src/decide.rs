//! Decision procedures for formulas and automata on infinite words, with a word as witness.
//!
//! Formulas are negated before they are translated, so that most queries are one emptiness check. Only the query whether a formula
//! implies an automaton needs the complement of an automaton; it uses a deterministic one.

pub mod class;
pub mod empty;
pub mod lasso;

use crate::automaton::determinize::determinize;
use crate::automaton::graph::{Alphabet, Graph, by_width};
use crate::automaton::parity::missed;
use crate::automaton::product::{import, intersection};
use crate::automaton::{Buchi, Edge, General, Guard, Guards};
use crate::decide::empty::{Lasso, find_word, restrict};
use crate::limits::{Limit, Limits};
use crate::translate::read::read;
use crate::translate::tableau::{Style, Table};
use crate::translate::{reduced_buchi, small_buchi, small_general, table};
use logic::{Formula, Id, Store};

/// The possible letters: a function of the atoms, built with their diagrams. Variable `k` is atom `k`.
pub type Possible<'a> = &'a dyn Fn(&mut Guards, &[Id]) -> Guard;

/// The settings of a query.
#[derive(Clone, Copy, Default)]
pub struct Setting<'a> {
    /// The limits on its work.
    pub limits: Limits,
    /// The possible letters; all if `None`.
    pub possible: Option<Possible<'a>>,
}

/// Two languages differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// A word in one of them.
    pub word: Lasso,
    /// Whether it is in the first.
    pub in_first: bool,
}

/// The generalized automaton of a formula, without reductions; the given atoms come first.
pub fn general(store: &Store, formula: Formula, atoms: &[Id], setting: Setting) -> Result<General, Limit> {
    let mut problem = read(store, formula, atoms, false)?;
    let mut guards = Guards::with_limit(setting.limits.nodes);
    let root = problem.arena.and([problem.root, problem.meanings]);
    let table = table(&mut problem, &mut guards, root, Style { postpone: false }, setting.limits)?;
    let Table { mut edges, marks } = table;
    if let Some(possible) = setting.possible {
        let possible = possible(&mut guards, &problem.atoms);
        restrict(&mut edges, &mut guards, possible);
    }
    Ok(General { guards, atoms: problem.atoms, initial: 0, edges, marks })
}

/// A word on which the formula holds; `None` if there is none.
pub fn satisfiable(store: &Store, formula: Formula, setting: Setting) -> Result<Option<Lasso>, Limit> {
    Ok(find_word(&general(store, formula, &[], setting)?))
}

/// A word on which the formula does not hold; `None` if it is valid.
pub fn valid(store: &mut Store, formula: Formula, setting: Setting) -> Result<Option<Lasso>, Limit> {
    let negated = store.not(formula);
    satisfiable(store, negated, setting)
}

/// A word on which `a` holds and `b` does not; `None` if `a` implies `b`.
pub fn implies(store: &mut Store, a: Formula, b: Formula, setting: Setting) -> Result<Option<Lasso>, Limit> {
    let negated = store.not(b);
    let both = store.and2(a, negated);
    satisfiable(store, both, setting)
}

/// A word that distinguishes two formulas; `None` if they are equivalent.
pub fn equivalent(
    store: &mut Store,
    a: Formula,
    b: Formula,
    setting: Setting,
) -> Result<Option<Difference>, Limit> {
    if let Some(word) = implies(store, a, b, setting)? {
        return Ok(Some(Difference { word, in_first: true }));
    }
    Ok(implies(store, b, a, setting)?.map(|word| Difference { word, in_first: false }))
}

/// A word that the automaton accepts and on which the formula does not hold; `None` if there is none.
pub fn included_in_formula(
    buchi: &Buchi,
    store: &mut Store,
    formula: Formula,
    setting: Setting,
) -> Result<Option<Lasso>, Limit> {
    let negated = store.not(formula);
    let other = general(store, negated, &buchi.atoms, setting)?;
    Ok(find_word(&intersection(&crate::decide::empty::general_of(buchi), &other, setting.limits)?))
}

/// A word that distinguishes an automaton, the first, and a formula; `None` if they have the same words.
pub fn equivalent_to_formula(
    buchi: &Buchi,
    store: &mut Store,
    formula: Formula,
    setting: Setting,
) -> Result<Option<Difference>, Limit> {
    if let Some(word) = included_in_formula(buchi, store, formula, setting)? {
        return Ok(Some(Difference { word, in_first: true }));
    }
    let general = general(store, formula, &buchi.atoms, setting)?;
    Ok(included(&general, buchi, setting.limits)?.map(|word| Difference { word, in_first: false }))
}

/// A word that distinguishes two automata; `None` if they accept the same words.
pub fn equivalent_automata(a: &Buchi, b: &Buchi, limits: Limits) -> Result<Option<Difference>, Limit> {
    let [one, two] = [a, b].map(crate::decide::empty::general_of);
    if let Some(word) = included(&one, b, limits)? {
        return Ok(Some(Difference { word, in_first: true }));
    }
    Ok(included(&two, a, limits)?.map(|word| Difference { word, in_first: false }))
}

/// A word that the first automaton accepts and the second does not; `None` if there is none.
pub fn included(general: &General, buchi: &Buchi, limits: Limits) -> Result<Option<Lasso>, Limit> {
    let mut guards = general.guards.clone();
    let mut atoms = general.atoms.clone();
    let steps = import(&mut guards, &mut atoms, &crate::decide::empty::general_of(buchi));
    let pair = [(general.initial, &general.edges, general.marks), (buchi.initial, &steps, 1)];
    let used: Vec<Guard> =
        pair.iter().flat_map(|(_, edges, _)| edges.iter().flatten()).map(|edge| edge.guard).collect();
    let alphabet = Alphabet::new(guards, atoms, used, Guard::TRUE)?;
    if !alphabet.disjoint {
        return Err(Limit::Letters);
    }
    by_width!(alphabet, included_graphs(&alphabet, pair, limits))
}

type Side<'a> = (u32, &'a Vec<Vec<Edge>>, u32);

fn included_graphs<const W: usize>(
    alphabet: &Alphabet,
    pair: [Side; 2],
    mut limits: Limits,
) -> Result<Option<Lasso>, Limit> {
    let [small, large] = pair.map(|(initial, edges, marks)| alphabet.graph::<W>(initial, edges, marks));
    let small = small_general(small, &mut limits)?;
    let large: Graph<W> =
        if large.full == 1 { reduced_buchi(&large, &mut limits)? } else { small_buchi(&large, &mut limits)? };
    let parity = determinize(&large, alphabet.classes.len(), &mut limits)?;
    let Some((stem, around)) = missed(&small, &parity, &mut limits)? else { return Ok(None) };
    let letter = |&class: &usize| alphabet.guards.example(alphabet.classes[class], alphabet.atoms.len());
    let letters = stem.iter().chain(&around).map(letter).collect::<Option<Vec<_>>>();
    Ok(letters.map(|letters| Lasso { atoms: alphabet.atoms.clone(), letters, loop_start: stem.len() }))
}
