//! The one place that asks for automata of formulas.

use crate::eliminate::Words;
use crate::limit::Limit;
use logic::{Formula, Id, Store};
use omega::{Buchi, Limits};

/// How many steps a translation may take: enough for a counter of ten bits.
const STEPS: usize = 20_000_000;

/// The automaton of a formula; it has the given atoms first.
pub(crate) fn translate(store: &Store, formula: Formula, atoms: &[Id], words: Words) -> Result<Buchi, Limit> {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let automaton = match words {
        Words::Infinite => omega::translate_over(store, formula, atoms, limits),
        Words::Finite => omega::translate_finite(store, formula, atoms, limits),
    };
    automaton.map_err(|_| Limit::Translation)
}
