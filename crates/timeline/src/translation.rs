//! The one place that asks for automata of formulas.

use crate::eliminate::Words;
use crate::limit::Limit;
use logic::{Formula, Id, Store};
use omega::{Buchi, Limits};

/// The automaton of a formula; it has the given atoms first.
pub(crate) fn translate(store: &Store, formula: Formula, atoms: &[Id], words: Words) -> Result<Buchi, Limit> {
    let automaton = match words {
        Words::Infinite => omega::translate_over(store, formula, atoms, Limits::default()),
        Words::Finite => omega::translate_finite(store, formula, atoms, Limits::default()),
    };
    automaton.map_err(|_| Limit::Translation)
}
