//! The definition of a requirement as automata, and its formulas, each with the traces that it is about.

use crate::failure::{OrFail, Result};
use logic::automaton::{Dfa, NotWeak, Track};
use logic::first_order::{Compiler, EndlessCompiler, Fo};
use logic::symbolic::{Asked, Lasso, Letter, difference, endless_difference};
use logic::{Formula, Id, Store};
use requirement::template::ATOMS;
use requirement::{Ending, LAST, Refusal, Requirement, definitions, future, past};

/// Over infinite traces the automata of some templates double with each step of the duration; above this duration they are not built.
pub(crate) const LONGEST_ENDLESS: u64 = 8;

/// Builds automata from definitions, and caches their parts.
#[derive(Default)]
pub(crate) struct Definitions {
    finite: Compiler,
    endless: EndlessCompiler,
}

/// The automata of a requirement's definition. The one for finite traces reads backwards, the one for infinite traces forwards.
pub(crate) struct Definition {
    pub(crate) finite: Dfa,
    pub(crate) endless: Option<Dfa>,
    atoms: Vec<(Track, Id)>,
}

/// The traces that a formula is about, and where it is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    Finite(Asked),
    /// At the start of infinite traces.
    Endless,
}

/// A trace on which a formula and a definition differ.
pub(crate) struct Difference {
    pub(crate) letters: Vec<Letter>,
    pub(crate) loop_start: Option<usize>,
}

/// The formulas of a requirement, as far as they exist: its name, the formula, and how it is interpreted.
pub(crate) fn meanings(
    store: &mut Store,
    requirement: &Requirement,
) -> Vec<(&'static str, std::result::Result<Formula, Refusal>, Reading)> {
    let last = store.symbol(LAST);
    let last = Asked::AtStartOf(store.var(last).id());
    vec![
        ("past", past(store, requirement), Reading::Finite(Asked::AtEnd)),
        ("future (weak next)", future(store, requirement, Ending::WeakNext), Reading::Finite(Asked::AtStart)),
        ("future (LAST)", future(store, requirement, Ending::Last), Reading::Finite(last)),
        ("future (infinite)", future(store, requirement, Ending::Infinite), Reading::Endless),
    ]
}

impl Definitions {
    /// The automata of a sentence; the one for infinite traces only if `endless`, and if it exists.
    pub(crate) fn automata(&mut self, store: &mut Store, sentence: &Fo, endless: bool) -> Result<Definition> {
        let finite = self.finite.compile(sentence).or_fail()?;
        let endless = match endless.then(|| self.endless.recurrent(sentence)) {
            None | Some(Err(NotWeak::Alternating)) => None,
            Some(found) => Some(found.or_fail()?),
        };
        let tracks = [definitions::MODE, definitions::COND, definitions::STOP, definitions::RES];
        let atom = |name: &str| {
            let symbol = store.symbol(name);
            store.var(symbol).id()
        };
        Ok(Definition { finite, endless, atoms: tracks.into_iter().zip(ATOMS.map(atom)).collect() })
    }
}

impl Definition {
    /// A trace on which a formula differs from the definition, a shortest one if it is finite. Without an automaton for infinite
    /// traces, it does not look at them.
    pub(crate) fn difference(
        &self,
        store: &mut Store,
        formula: Formula,
        reading: Reading,
    ) -> Result<Option<Difference>> {
        match (reading, &self.endless) {
            (Reading::Finite(asked), _) => {
                let word = difference(store, formula, &self.finite, &self.atoms, asked).or_fail()?;
                Ok(word.map(|letters| Difference { letters, loop_start: None }))
            }
            (Reading::Endless, Some(dfa)) => {
                let lasso = endless_difference(store, formula, dfa, &self.atoms).or_fail()?;
                Ok(lasso.map(|Lasso { letters, loop_start }| Difference {
                    letters,
                    loop_start: Some(loop_start),
                }))
            }
            (Reading::Endless, None) => Ok(None),
        }
    }
}
